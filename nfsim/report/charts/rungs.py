"""How far each policy of a solo ladder gets: one condition, a line for each policy."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.numbers import rate


def draw(frame: pl.DataFrame, ax: Axes, most: float) -> Axes:
    """Draw the share of games in which each policy met a condition.

    Parameters
    ----------
    frame : DataFrame
        run (the condition), policy, n, rate, low, high.
    ax : Axes
        Where to draw.
    most : float
        Highest rate of the whole ladder: all conditions have one scale.
    """
    draw_rows(frame, ax, "policy", "rate", rate)
    percent_axis(ax, most)
    ax.tick_params(axis="y", pad=7)  # a marker at 0 stands half outside the axes
    return ax
