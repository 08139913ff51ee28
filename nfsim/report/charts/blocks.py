"""Rows in blocks: the category as a heading, below it a line for each compared run with its name at the left.

For charts in which colour says something else than the run; it is not a chart of its own.
"""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import LINE, categories_of, lines_of, wrap

RUN = 0.24  # inches of a run's line with a name of one line
HEADING = 0.25  # inches of a category's heading
GAP = 0.1  # inches below a block

Places = dict[tuple[str, str], float]


def places(frame: pl.DataFrame, column: str) -> tuple[Places, dict[str, float], float]:
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
            each = max(RUN, lines_of(wrap(run)) * LINE + 0.06)
            lines[category, run] = y + each / 2
            y += each
        y += GAP
    return lines, headings, y


def lay_out(frame: pl.DataFrame, ax: Axes, column: str) -> Places:
    """Write headings and names of runs, and return the places of the lines as `places` does."""
    lines, headings, height = places(frame, column)
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
