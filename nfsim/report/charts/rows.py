"""Rows of estimates: one category a line, the compared runs side by side, with interval and number.

The shape most charts here share; it is not a chart of its own. Rows in blocks (the category as a heading, below it a
line for each compared run) are for charts in which colour says something else than the run.
"""

import re
import textwrap
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.formatting import integer

ROW = 0.24  # inches between the lines of two runs
CAP = 0.055  # half the height of the strokes at an interval's ends
LINE = 0.16  # inches of a line of text
GAP = 0.16  # inches more between two categories
EDGE = 0.025  # of the axis is free beyond its ends: room for half a marker
NAME_WIDTH = 20  # characters of a category's name on one line
RUN_WIDTH = 36  # characters of a run's name on one line

BLOCK_RUN = 0.24  # inches of a run's line with a name of one line
HEADING = 0.25  # inches of a category's heading
BLOCK_GAP = 0.1  # inches below a block

Places = dict[tuple[str, str], float]

Estimate = Callable[[float, float, float], str]


def runs_of(frame: pl.DataFrame) -> list[str]:
    """Return the labels of the runs in a frame, in the order of their first appearance."""
    return frame["run"].unique(maintain_order=True).to_list()


def categories_of(frame: pl.DataFrame, column: str) -> list[str]:
    """Return the categories in a frame as text, in the order of their first appearance."""
    return frame[column].cast(pl.String).unique(maintain_order=True).to_list()


def highest(*columns: pl.Series) -> float:
    """Return the highest value of columns of numbers, 0 if they have none."""
    known = pl.concat([column.cast(pl.Float64).fill_nan(None).drop_nulls().rename("") for column in columns])
    return max(known.to_list(), default=0.0)


def height(frame: pl.DataFrame, column: str) -> float:
    """Return the inches that a chart of this frame needs."""
    lines = sum(lines_of(legend_label(run, frame.filter(pl.col("run") == run)["n"])) for run in runs_of(frame))
    return 0.75 + lines * 0.2 + len(categories_of(frame, column)) * block_of(frame, column)


def block_of(frame: pl.DataFrame, column: str) -> float:
    """Return the inches for one category: room for all runs, and for the longest name."""
    lines = max((lines_of(wrap(name)) for name in categories_of(frame, column)), default=1)
    return max(len(runs_of(frame)) * ROW + GAP, lines * LINE + GAP / 2)


def lines_of(text: str) -> int:
    """Return how many lines a text has."""
    return text.count("\n") + 1


class NameWrapper(textwrap.TextWrapper):
    """Breaks names at blanks, and after the marks of file names and settings."""

    wordsep_simple_re = re.compile(r"([\t\n\x0b\x0c\r ]+)|(?<=[-_/=.])(?=[^\W\d])")


def wrap(name: str, width: int = NAME_WIDTH) -> str:
    """Break a long name over lines, and shorten one that would need more than three."""
    wrapper = NameWrapper(width, max_lines=3, placeholder=" …", break_on_hyphens=False)
    return "\n".join(wrapper.wrap(name) or [name])


def positions(categories: Sequence[str], runs: Sequence[str], block: float) -> dict[tuple[str, str], float]:
    """Return the place in inches from the top of every category's and run's line."""
    return {
        (category, run): (i + 0.5) * block + (j - (len(runs) - 1) / 2) * ROW
        for i, category in enumerate(categories)
        for j, run in enumerate(runs)
    }


def draw_rows(
    frame: pl.DataFrame, ax: Axes, column: str, value: str, write: Estimate, *, bars: bool = True, show_n: bool = False
) -> dict[tuple[str, str], float]:
    """Draw markers with intervals, names at the left and the written numbers at the right.

    Parameters
    ----------
    frame : DataFrame
        Columns run, `column`, `value`, low, high, n. Missing intervals (NaN) are left out.
    ax : Axes
        Where to draw.
    column, value : str
        Columns of the category and of the estimate.
    write : callable
        Writes (value, low, high).
    bars : bool
        Draw a pale bar from 0 to the estimate.
    show_n : bool
        Write n at every row, for categories that are not there in all games.

    Returns
    -------
    dict
        Place of the line of each (category, run).
    """
    runs, categories = runs_of(frame), categories_of(frame, column)
    block = block_of(frame, column)
    place = positions(categories, runs, block)
    for j, run in enumerate(runs):
        own = frame.filter(pl.col("run") == run)
        for category, x, low, high, n in own.select(pl.col(column).cast(pl.String), value, "low", "high", "n").rows():
            y = place[category, run]
            if bars:
                ax.barh(y, x, height=0.7 * ROW, color=theme.series(j), alpha=0.25, linewidth=0, zorder=1)
            ax.hlines(y, low, high, color=theme.series(j), linewidth=1.8)
            ax.vlines([low, high], y - CAP, y + CAP, color=theme.series(j), linewidth=1.4)
            ax.plot(x, y, theme.marker(j), color=theme.series(j), markersize=5, clip_on=False, zorder=3)
            written = write(x, low, high) + (f", n {integer(n)}" if show_n else "")
            ax.annotate(
                written, (1, y), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points",
                va="center", annotation_clip=False, fontsize=8.8,
            )  # fmt: skip
        ax.plot([], [], theme.marker(j), color=theme.series(j), label=legend_label(run, own["n"]))
    ax.set_yticks([(i + 0.5) * block for i in range(len(categories))], [wrap(c) for c in categories])
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(max(len(categories), 1) * block, 0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    for i in range(1, len(categories)):
        ax.axhline(i * block, color=theme.colour("grid"), linewidth=0.5)
    legend(ax)
    return place


def from_zero(ax: Axes, most: float) -> None:
    """Show values from 0 to the most (1 where all are 0), with room for a marker that stands at either end."""
    most = most or 1.0
    ax.set_xlim(-EDGE * most, (1 + EDGE) * most)


def legend_label(run: str, n: pl.Series) -> str:
    """Name a run with the number of games behind its rows (a range if it differs)."""
    # no line break within the brackets
    return wrap(f"{run} " + f"(n = {span(n)})".replace(" ", "\N{NO-BREAK SPACE}"), RUN_WIDTH)


def span(n: pl.Series) -> str:
    """Write numbers of games: one if all are equal, else the fewest and the most."""
    values = n.to_list() or [0]
    low, high = int(min(values)), int(max(values))
    return integer(low) if low == high else f"{integer(low)} to {integer(high)}"


def legend(ax: Axes) -> None:
    """Put the names of the runs above the chart, one a line."""
    # named: left to itself, matplotlib leaves out names that begin with an underscore
    named = [line for line in ax.lines if not np.size(line.get_xdata())]
    ax.legend(
        handles=named, loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1, handletextpad=0.3, handlelength=1.2
    )


def block_places(frame: pl.DataFrame, column: str) -> tuple[Places, dict[str, float], float]:
    """Lay out blocks.

    Parameters
    ----------
    frame : DataFrame
        With the columns run and `column`; a block has the runs that its category has.
    column : str
        Of the categories.

    Returns
    -------
    lines : dict of (category, run) to float
        Inches from the top of the middle of each line.
    headings : dict of category to float
        The same for the headings.
    height : float
        Inches of all blocks.
    """
    lines, headings, y = {}, {}, 0.0
    for category in categories_of(frame, column):
        headings[category] = y + HEADING / 2
        y += HEADING
        own = frame.filter(pl.col(column).cast(pl.String) == category)
        for run in own["run"].unique(maintain_order=True):
            each = max(BLOCK_RUN, lines_of(wrap(run)) * LINE + 0.06)
            lines[category, run] = y + each / 2
            y += each
        y += BLOCK_GAP
    return lines, headings, y


def lay_out_blocks(frame: pl.DataFrame, ax: Axes, column: str) -> Places:
    """Write headings and names of runs, and return the places of the lines as `block_places` does."""
    lines, headings, height = block_places(frame, column)
    ax.set_ylim(height, 0)
    ax.set_yticks(list(lines.values()), [wrap(run) for _, run in lines])
    ax.tick_params(axis="y", length=0)
    paper = {"facecolor": theme.colour("paper"), "linewidth": 0, "pad": 1.0}  # no line runs through a heading
    for category, y in headings.items():
        ax.annotate(
            category, (0, y), xycoords=("axes fraction", "data"), va="center", fontsize=9, fontweight="bold",
            annotation_clip=False, bbox=paper, zorder=4,
        )  # fmt: skip
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return lines


def beside(ax: Axes, y: float, text: str) -> None:
    """Write a line's numbers at the right of it."""
    ax.annotate(
        text, (1, y), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points", va="center",
        annotation_clip=False, fontsize=8.4, color=theme.colour("ink"),
    )  # fmt: skip
