"""How often each campaign is won as a whole, the lengths side by side."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows, highest
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import rate


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the share of campaigns that were won.

    Parameters
    ----------
    frame : DataFrame
        run (the length), campaign, n, rate, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "campaign", "rate", rate, bars=False)
    percent_axis(ax, highest(frame["high"]))
    ax.set_xlabel("share of campaigns won, 95 % interval")
    return ax
