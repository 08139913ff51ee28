"""How many VPs misses lack: the middle half of them and the median with its interval."""

import math

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.blocks import RUN, beside, lay_out
from nfsim.report.charts.rows import CAP, highest
from nfsim.report.formatting import integer

BAND = 0.14  # inches


def draw(frame: pl.DataFrame, ax: Axes, near: int, most: float | None = None) -> Axes:
    """Draw the middle half and the median of the VPs that misses lack.

    Parameters
    ----------
    frame : DataFrame
        run, condition, n (misses that lack VPs), q25, median, q75, low, high; all null where there are none.
    ax : Axes
        Where to draw.
    near : int
        VPs that So Close can mend: a dashed line.
    most : float, optional
        End of the axis, for several axes of one scale.
    """
    places = lay_out(frame, ax, "objective")
    columns = ("objective", "run", "n", "q25", "median", "q75", "low", "high")
    for condition, run, n, q25, median, q75, low, high in frame.select(columns).rows():
        y = places[condition, run]
        # line by line, so that it runs through no heading
        ax.vlines(
            near, y - RUN / 2, y + RUN / 2, color=theme.colour("muted"), linewidth=0.9, linestyle=(0, (3, 3)), zorder=1
        )
        if median is None:
            beside(ax, y, "no miss")
            continue
        ax.barh(y, q75 - q25, left=q25, height=BAND, color=theme.colour("step-2"), alpha=0.6, linewidth=0)
        if low is not None and not math.isnan(low):
            ax.hlines(y, low, high, color=theme.colour("step-4"), linewidth=1.6)
            ax.vlines([low, high], y - CAP, y + CAP, color=theme.colour("step-4"), linewidth=1.3)
        ax.plot(median, y, "o", color=theme.colour("step-4"), markersize=4.6, clip_on=False, zorder=3)
        beside(ax, y, f"{median:g}, n = {integer(n)}")
    ax.set_xlim(0, most or max(highest(frame["q75"], frame["high"]) * 1.06, near + 1))
    ax.grid(axis="x")
    return ax
