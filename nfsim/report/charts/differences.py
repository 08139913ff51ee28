"""Differences between two runs: one figure a line, with interval, about zero."""

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from nfsim.report import theme
from nfsim.report.charts.rows import Estimate, draw_rows
from nfsim.report.formatting import plus


def draw(frame: pl.DataFrame, ax: Axes, write: Estimate, unit: str, factor: float = 1.0) -> Axes:
    """Draw differences as markers with intervals, to the left and right of a line at zero.

    Parameters
    ----------
    frame : DataFrame
        run, figure, n, difference, low, high.
    ax : Axes
        Where to draw.
    write : callable
        Writes (difference, low, high).
    unit : str
        What the axis counts.
    factor : float
        What a tick's number is multiplied with: 100 for rates.
    """
    draw_rows(frame, ax, "figure", "difference", write, bars=False)
    ax.axvline(0, color=theme.colour("muted"), linewidth=0.9, zorder=0)
    ax.margins(x=0.06)
    ax.locator_params(axis="x", nbins=5)
    ax.xaxis.set_major_formatter(
        FuncFormatter(lambda x, _: plus(factor * x, 0 if abs(factor * x) >= 1 or x == 0 else 1))
    )
    ax.set_xlabel(f"{unit}, 95 % interval")
    return ax
