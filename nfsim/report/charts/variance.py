"""Where the variance between cells comes from (stacked bars), and how far bags lie apart (dots)."""

from __future__ import annotations

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter

from nfsim.report import theme
from nfsim.report.charts.rows import CAP, categories_of, wrap
from nfsim.report.charts.sweep import write_scale
from nfsim.report.formatting import percent, percent_tick

BAR = 0.5  # of a line
STEPS = (4, 3, 2, 0)  # colours of the sources
NARROW = 0.09  # shares below are not written into the bar
ROW = 0.62  # inches of a line
OFF = 0.16  # of the dots and of the mean from the middle of a line


def draw_shares(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the shares of the variance as stacked bars, a bar for each figure.

    Parameters
    ----------
    frame : DataFrame
        figure, source, share; the sources in the same order for each figure.
    ax : Axes
        Where to draw.
    """
    figures, sources = categories_of(frame, "figure"), categories_of(frame, "source")
    left = np.zeros(len(figures))
    for place, source in enumerate(sources):
        step = STEPS[place]
        share = frame.filter(pl.col("source") == source)["share"].to_numpy()
        colour = theme.colour(f"step-{step}")
        ax.barh(range(len(figures)), share, BAR, left, color=colour, label=source, edgecolor=theme.colour("paper"))
        for y, (begin, width) in enumerate(zip(left, share, strict=True)):
            if width >= NARROW:
                ink = theme.colour(f"on-step-{step}")
                ax.text(begin + width / 2, y, percent(width, 0), ha="center", va="center", fontsize=8.8, color=ink)
        left = left + share
    ax.set_yticks(range(len(figures)), [wrap(figure, 14) for figure in figures])
    ax.set_ylim(len(figures) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.xaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("share of the variance between cells")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), borderaxespad=0.1, ncols=2, handlelength=1, columnspacing=1)
    return ax


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
