"""Tiles: what owners have ahead of others in the log, beside what having the tile does to the same seats."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts import differences
from nfsim.report.charts.rows import Estimate
from nfsim.report.formatting import change


def in_points(value: float, low: float, high: float) -> str:
    """Write a difference of two rates in points, without the word, which stands at the axis."""
    return change(100 * value, 100 * low, 100 * high)


in_vps: Estimate = partial(change, decimals=2)


def draw(frame: pl.DataFrame, ax: Axes, *, rates: bool, unit: str) -> Axes:
    """Draw the estimates of every tile, one under the other, about zero.

    Parameters
    ----------
    frame : DataFrame
        run (which estimate), tile, n, difference, low, high; tiles in the order of the frame.
    ax : Axes
        Where to draw.
    rates : bool
        The differences are of rates, and shown in percentage points; else of VPs.
    unit : str
        What the axis counts.
    """
    write, factor = (in_points, 100.0) if rates else (in_vps, 1.0)
    return differences.draw(frame.rename({"tile": "figure"}), ax, write, unit, factor)
