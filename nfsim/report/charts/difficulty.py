"""How hard conditions are: for each condition the rate of every rung, with its interval."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import rate


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the rates of one length.

    Parameters
    ----------
    frame : DataFrame
        run (the rung), condition (or whatever the rates are of), n, rate, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "objective", "rate", rate, bars=False)
    percent_axis(ax, 1.0)
    return ax
