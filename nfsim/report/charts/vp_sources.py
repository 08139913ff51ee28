"""Where VPs come from: mean VPs of each source."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import draw_rows
from nfsim.report.formatting import mean


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the mean VPs a player has from each source, penalties below zero.

    Parameters
    ----------
    frame : DataFrame
        run, source, n, mean, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "source", "mean", mean)
    ax.axvline(0, color=theme.colour("muted"), linewidth=0.9)
    ax.margins(x=0.04)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel("mean VPs, 95 % interval")
    return ax
