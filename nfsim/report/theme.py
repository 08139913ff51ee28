"""Colours and type of all charts: by role, for a light and a dark page, safe for colour-blind readers.

matplotlib draws with the light colours; in the HTML page each of them becomes a CSS variable, so that one
drawing serves both themes and print. Series differ by marker as well as colour. The hues are those of
Okabe and Ito, darkened or lightened until they stand out from their page.
"""

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from matplotlib import rc_context, rcdefaults, rcParams

# role: (on a light page, on a dark page); every light colour is used for one role only
COLOURS: Mapping[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#14181d"),
    "ink": ("#1b1f24", "#e6e9ed"),
    "muted": ("#57606a", "#9aa4af"),
    "grid": ("#d8dee4", "#333b44"),
    "series-1": ("#0072b2", "#56b4e9"),
    "series-2": ("#d55e00", "#f08a3c"),
    "series-3": ("#00875f", "#2fc79b"),
    "series-4": ("#b3558f", "#e0a0c8"),
    "series-5": ("#8a6d00", "#f0d34a"),
    "series-6": ("#4b5563", "#b0bac4"),
    "step-0": ("#e4e8ec", "#3a424c"),
    "step-1": ("#b9d3ec", "#2c5680"),
    "step-2": ("#7fb0dc", "#3f7fbd"),
    "step-3": ("#3a83bf", "#7db5e6"),
    "step-4": ("#0b4a82", "#cfe6fb"),
    # text on a step: the pale steps of the light page are the deep ones of the dark page
    "on-step-0": ("#1b1f25", "#e6e9ec"),
    "on-step-1": ("#1b1f26", "#e6e9eb"),
    "on-step-2": ("#1b1f27", "#ffffff"),
    "on-step-3": ("#fffffe", "#14181c"),
    "on-step-4": ("#fffffd", "#14181b"),
}
SERIES = tuple(role for role in COLOURS if role.startswith("series-"))
MARKERS = ("o", "s", "D", "^", "v", "P")
STEPS = 5

WIDTH = 4.8  # inches: about a phone's width at the type size below, so nothing shrinks to nothing there

STYLE: Any = {
    "svg.fonttype": "none",  # text stays text: small, searchable, in the reader's own font
    "svg.hashsalt": "nfsim",  # ids depend on the drawing alone: same input, same bytes
    "text.parse_math": False,  # a name may hold a dollar sign
    "axes.unicode_minus": True,
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "legend.fontsize": 9.5,
    "legend.frameon": False,
    "figure.facecolor": COLOURS["paper"][0],
    "axes.facecolor": "none",
    "axes.edgecolor": COLOURS["muted"][0],
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.labelcolor": COLOURS["ink"][0],
    "axes.titlecolor": COLOURS["ink"][0],
    "text.color": COLOURS["ink"][0],
    "xtick.color": COLOURS["muted"][0],
    "ytick.color": COLOURS["muted"][0],
    "xtick.labelcolor": COLOURS["ink"][0],
    "ytick.labelcolor": COLOURS["ink"][0],
    "grid.color": COLOURS["grid"][0],
    "grid.linewidth": 0.8,
}


@contextlib.contextmanager
def style() -> Iterator[None]:
    """Draw and write in this style within a ``with`` block, whatever the user's own settings of matplotlib are."""
    with rc_context():
        rcdefaults()
        rcParams.update(STYLE)
        yield


def colour(role: str) -> str:
    """Return the colour to draw a role with."""
    return COLOURS[role][0]


def series(index: int) -> str:
    """Return the colour of the run at a place in the comparison."""
    return colour(SERIES[index % len(SERIES)])


def marker(index: int) -> str:
    """Return the marker of the run at a place in the comparison."""
    return MARKERS[index % len(MARKERS)]


def css_variables(dark: bool) -> str:
    """Return the declarations of all roles for one theme, for a style sheet."""
    return " ".join(f"--{role}: {pair[dark]};" for role, pair in COLOURS.items())


def roles_by_colour() -> dict[str, str]:
    """Return for each colour charts are drawn with the CSS expression that stands for it in the page."""
    return {light: f"var(--{role})" for role, (light, _) in COLOURS.items()}
