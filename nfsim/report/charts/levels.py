"""An outcome against the levels of a factor: lines with bands where levels are numbers, dots where they are names.

Where levels are drawn at random each is a dot, and what matters is how far they lie apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import CAP, categories_of, runs_of, wrap
from nfsim.report.formatting import MINUS, percent_tick

SPREAD = 0.12  # between the dots of two series at one level
LEVEL_WIDTH = 12
OFF = 0.16  # of the dots and of the mean from the middle of a line
LOWEST_TOP = 0.05  # of a scale of rates: rates near 0 then look like it


def draw_levels(frame: pl.DataFrame, ax: Axes, levels: Sequence[str], *, numeric: bool, rate: bool) -> Axes:
    """Draw one figure against the levels of a factor.

    Parameters
    ----------
    frame : DataFrame
        run (the series), level (text), x (number, or the place of the level), value, low, high.
    ax : Axes
        Where to draw.
    levels : sequence of str
        Names at the axis where levels are no numbers.
    numeric : bool
        Lines with bands; else dots with intervals.
    rate : bool
        Write values as percentages.
    """
    runs = runs_of(frame)
    for place, run in enumerate(runs):
        own = frame.filter(pl.col("run") == run).sort("x")
        x, value, low, high = (own[name].to_numpy() for name in ("x", "value", "low", "high"))
        colour, mark = theme.series(place), theme.marker(place)
        if numeric:
            ax.fill_between(x, low, high, color=colour, alpha=0.25, linewidth=0)
            ax.plot(x, value, marker=mark, markersize=4, linewidth=1.4, color=colour)
        else:
            shifted = x + SPREAD * (place - (len(runs) - 1) / 2)
            ax.vlines(shifted, low, high, color=colour, linewidth=1.8)
            ax.plot(shifted, value, mark, markersize=5, color=colour)
    if numeric:
        ax.xaxis.set_major_locator(MaxNLocator(6, integer=bool((frame["x"] % 1 == 0).all())))
    else:
        ax.set_xticks(range(len(levels)), [wrap(level.rpartition("=")[2], LEVEL_WIDTH) for level in levels])
        ax.set_xlim(-0.5, len(levels) - 0.5)
    if rate:
        bottom, top = ax.get_ylim()
        top = max(top, LOWEST_TOP)
        ax.set_ylim(bottom if bottom > 0 else -0.05 * top, top)
    ax.grid(axis="y")
    write_scale(ax.yaxis, rate=rate)
    return ax


def write_scale(axis: Axis, *, rate: bool) -> None:
    """Set few ticks on an axis of values, as percentages or numbers with a true minus."""
    axis.set_major_locator(MaxNLocator(4))
    axis.set_major_formatter(FuncFormatter(percent_tick if rate else _number))


def _number(value: float, _place: int | None = None) -> str:
    return f"{round(value, 6) or 0:g}".replace("-", MINUS)


def draw_bags(frame: pl.DataFrame, means: pl.DataFrame, ax: Axes, *, rate: bool) -> Axes:
    """Draw every bag as a dot, below them the mean with the spread that is left without Monte Carlo noise.

    Parameters
    ----------
    frame : DataFrame
        level (who plays), value: a row for each bag.
    means : DataFrame
        level, mean, sd (over bags, noise removed).
    ax : Axes
        Where to draw.
    rate : bool
        Write values as percentages.
    """
    levels = categories_of(means, "level")
    ink = theme.colour("ink")
    for y, level in enumerate(levels):
        values = frame.filter(pl.col("level") == level)["value"].to_numpy()
        ax.plot(values, np.full(values.size, y - OFF), "o", color=theme.series(0), markersize=4.5, alpha=0.55)
        mean, sd = means.filter(pl.col("level") == level).select("mean", "sd").row(0)
        ax.hlines(y + OFF, mean - sd, mean + sd, color=ink, linewidth=1.6)
        ax.vlines([mean - sd, mean + sd], y + OFF - CAP, y + OFF + CAP, color=ink, linewidth=1.2)
        ax.plot(mean, y + OFF, "D", color=ink, markersize=4)
    ax.set_yticks(range(len(levels)), [wrap(level) for level in levels])
    ax.set_ylim(len(levels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.grid(axis="x")
    write_scale(ax.xaxis, rate=rate)
    return ax
