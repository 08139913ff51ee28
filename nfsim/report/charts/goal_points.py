"""Mean VPs of each goal when it is in play."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows, from_zero, highest
from nfsim.report.formatting import mean


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the mean VPs a player gets from each goal in play.

    Parameters
    ----------
    frame : DataFrame
        run, goal, n, mean, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "goal", "mean", partial(mean, decimals=2), show_n=True)
    # a goal seen in a few games has an interval wider than the chart: its bounds are in the numbers
    from_zero(ax, max(highest(frame["mean"]) * 1.3, 1.0))
    ax.locator_params(axis="x", nbins=4)
    ax.set_xlabel("mean VPs when in play, 95 % interval")
    return ax
