"""VPs by seat: the middle half and the middle 80 % of results, and the mean."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import draw_rows, runs_of
from nfsim.report.formatting import mean


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the spread of VPs of each seat and the mean with its interval.

    Parameters
    ----------
    frame : DataFrame
        run, name (of the seat), n, mean, low, high, q10, q25, q75, q90.
    ax : Axes
        Where to draw.
    """
    place = draw_rows(frame, ax, "name", "mean", mean, bars=False)
    for j, run in enumerate(runs_of(frame)):
        own = frame.filter(pl.col("run") == run)
        for seat, q10, q25, q75, q90 in own.select("name", "q10", "q25", "q75", "q90").rows():
            y = place[seat, run]
            ax.hlines(y, q10, q90, color=theme.series(j), linewidth=1.0, alpha=0.7, zorder=1)
            ax.hlines(y, q25, q75, color=theme.series(j), linewidth=8, alpha=0.3, zorder=1)
    ax.margins(x=0.04)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel("VPs: mean with 95 % interval,\nmiddle half (bar), middle 80 % (line)")
    return ax
