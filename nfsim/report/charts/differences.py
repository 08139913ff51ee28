"""Differences: one figure a line, with interval, about zero."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from nfsim.report import theme
from nfsim.report.charts.rows import Estimate, draw_rows
from nfsim.report.formatting import change, plus

in_units: Estimate = partial(change, decimals=2)


def in_points(value: float, low: float, high: float) -> str:
    """Write a difference of two rates in points, without the word, which stands at the axis: +3.2 (+3.0 to +3.4)."""
    return change(100 * value, 100 * low, 100 * high)


def draw_differences(frame: pl.DataFrame, ax: Axes, write: Estimate, unit: str, factor: float = 1.0) -> Axes:
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


def draw_effects(frame: pl.DataFrame, ax: Axes, column: str, *, rates: bool, unit: str) -> Axes:
    """Draw several estimates of every category, one under the other, about zero.

    Parameters
    ----------
    frame : DataFrame
        run (which estimate), `column`, n, difference, low, high; categories in the order of the frame.
    ax : Axes
        Where to draw.
    column : str
        Of the categories.
    rates : bool
        The differences are of rates, and shown in percentage points.
    unit : str
        What the axis counts.
    """
    write, factor = (in_points, 100.0) if rates else (in_units, 1.0)
    return draw_differences(frame.rename({column: "figure"}), ax, write, unit, factor)
