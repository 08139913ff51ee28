"""Who beats whom: a field for each policy against each other one, with the number in it."""

import math
from collections.abc import Sequence

import polars as pl
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from nfsim.report import theme
from nfsim.report.charts.rows import NameWrapper, lines_of, wrap
from nfsim.report.formatting import percent, rate_interval

HIGH = 0.52  # inches of a field
NARROWEST, WIDEST = 12, 20  # characters of a name on one line above a field
ROW_NAME = 20
CHARACTER = 0.077  # inches, about
LINE = 0.15


def size(names: Sequence[str]) -> tuple[float, float]:
    """Return the inches that a chart of these policies needs."""
    wide = width_of_names(names)
    left = max(len(line) for name in names for line in wrap(name, ROW_NAME).split("\n")) * CHARACTER
    top = max(lines_of(wrap(name, wide)) for name in names) * LINE
    return max(theme.WIDTH, left + 0.7 + wide * CHARACTER * len(names)), top + 1.5 + HIGH * len(names)


def width_of_names(names: Sequence[str]) -> int:
    """Return the characters on a line above a field: enough for every piece of a name that has no place to break."""
    pieces = (len(piece or "") for name in names for piece in NameWrapper.wordsep_simple_re.split(name))
    return min(max(NARROWEST, *pieces), WIDEST)


def step_of(rate: float, equal: float) -> int:
    """Return the number of the colour of a rate.

    The middle colour is about equal strength, whatever the number of players: the rate is turned into what it would
    be between two, and the fifth of 0 to 100 % it is in gives the colour.
    """
    weight = equal / (1 - equal)  # of one seat against all others
    odds = rate / (rate + (1 - rate) * weight) if 0 < rate < 1 else rate
    return min(int(odds * theme.STEPS), theme.STEPS - 1)


def draw_matrix(frame: pl.DataFrame, ax: Axes, names: Sequence[str]) -> Axes:
    """Draw the share of wins of one player (row) against others (columns).

    Parameters
    ----------
    frame : DataFrame
        one, others, rate, low, high, equal.
    ax : Axes
        Where to draw.
    names : sequence of str
        Policies from top to bottom and from left to right.
    """
    place = {name: i for i, name in enumerate(names)}
    for i in range(len(names)):
        ax.text(i + 0.5, i + 0.5, "–", ha="center", va="center", color=theme.colour("muted"))
    for one, others, rate, low, high, equal in frame.select("one", "others", "rate", "low", "high", "equal").rows():
        if math.isnan(rate):
            continue
        step, x, y = step_of(rate, equal), place[others], place[one]
        paper, ink = theme.colour("paper"), theme.colour(f"on-step-{step}")
        ax.add_patch(Rectangle((x, y), 1, 1, facecolor=theme.colour(f"step-{step}"), edgecolor=paper, linewidth=1.2))
        decimals = 2 if high < 0.01 or low > 0.99 else 1
        ax.text(x + 0.5, y + 0.36, percent(rate, decimals), ha="center", va="center", fontsize=9.5, color=ink)
        bounds = rate_interval(low, high, decimals)
        ax.text(x + 0.5, y + 0.72, bounds, ha="center", va="center", fontsize=7.5, color=ink)
    middle = [i + 0.5 for i in range(len(names))]
    ax.set_xlim(0, len(names))
    ax.set_ylim(len(names), 0)
    ax.set_xticks(middle, [wrap(name, width_of_names(names)) for name in names], fontsize=8.8)
    ax.set_yticks(middle, [wrap(name, ROW_NAME) for name in names])
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return ax
