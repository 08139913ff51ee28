"""Means: what a player has or gets, in rows with intervals."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import Estimate, draw_rows, from_zero, highest
from nfsim.report.formatting import mean


def draw_means(frame: pl.DataFrame, ax: Axes, column: str, label: str) -> Axes:
    """Draw means that may be below zero, for example what a score is made of.

    Parameters
    ----------
    frame : DataFrame
        run, `column`, n, mean, low, high.
    ax : Axes
        Where to draw.
    column : str
        Of the categories.
    label : str
        What the axis counts.
    """
    draw_rows(frame, ax, column, "mean", mean)
    ax.axvline(0, color=theme.colour("muted"), linewidth=0.9)
    ax.margins(x=0.04)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel(label)
    return ax


def draw_amounts(
    frame: pl.DataFrame, ax: Axes, column: str, label: str, write: Estimate = mean, *, room: float | None = None
) -> Axes:
    """Draw means that are never below zero.

    Parameters
    ----------
    frame : DataFrame
        run, `column`, n, mean, low, high.
    ax : Axes
        Where to draw.
    column : str
        Of the categories.
    label : str
        What the axis counts.
    write : callable
        Writes (mean, low, high).
    room : float, optional
        The axis ends at so many times the highest mean, and n stands at every row: for categories that are not there
        in all games, whose intervals may be wider than the chart. If None, it ends behind the highest bound.
    """
    draw_rows(frame, ax, column, "mean", write, show_n=room is not None)
    if room is None:
        from_zero(ax, highest(frame["mean"], frame["high"]) * 1.04)
    else:
        from_zero(ax, max(highest(frame["mean"]) * room, 1.0))
    ax.locator_params(axis="x", nbins=6 if room is None else 4)
    ax.set_xlabel(label)
    return ax
