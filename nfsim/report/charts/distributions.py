"""Distributions: histograms of scores or lengths, their spread by seat, and how much is missing to a threshold."""

import math
import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import BLOCK_RUN, CAP, beside, draw_rows, highest, lay_out_blocks, runs_of
from nfsim.report.formatting import integer, mean, percent_tick

Span = tuple[int, int] | None

BAND = 0.14  # inches
BARS = 1.45  # inches of the highest bar
LINE = 0.155  # inches of a line of a threshold's text
TEXT_WIDTH = 56  # of such a line
WHISKER = 0.7  # points: what is read first is the bar
CLOSE = 0.05  # of the axis: nearer lines have their numbers one above the other
TICKS = (1, 2, 2.5, 5, 10)  # steps between ticks, times powers of ten


class Threshold(NamedTuple):
    """A threshold of the score: the score with its unit, how often it is reached, whose threshold it is."""

    score: int
    unit: str
    reached: str
    names: str


def text_of(threshold: Threshold) -> list[str]:
    """Return the lines of text about a threshold."""
    return textwrap.wrap(
        f"{threshold.score}+ {threshold.unit}: {threshold.reached} ({threshold.names})",
        TEXT_WIDTH,
        max_lines=3,
        placeholder=" …",
    )


def height(thresholds: Sequence[Threshold]) -> float:
    """Return the inches that a chart with these thresholds needs, title and axis included."""
    return BARS * 1.2 + LINE * (1 + sum(len(text_of(threshold)) for threshold in thresholds)) + 0.8


def draw_histogram(
    frame: pl.DataFrame,
    ax: Axes,
    thresholds: Sequence[Threshold] = (),
    index: int = 0,
    span: Span = None,
    width: int = 1,
) -> Axes:
    """Draw the share of games for every score as bars, their 95 % intervals as thin lines at the tops.

    Parameters
    ----------
    frame : DataFrame
        score, rate, low, high of one run.
    ax : Axes
        Where to draw.
    thresholds : sequence of Threshold
        Drawn as lines, their texts in rows above the bars.
    index : int
        Place of the run in the comparison, for its colour.
    span : (int, int), optional
        Lowest and highest score to show; what is drawn if None.
    width : int
        What a bar stands for, from its `score` upwards.
    """
    first, last = int(str(frame["score"].min())), int(str(frame["score"].max()))
    every = pl.DataFrame({"score": np.arange(first, last + 1, width)}).with_columns(
        pl.col("score").cast(frame.schema["score"])
    )
    full = every.join(frame, on="score", how="left").fill_null(0.0)
    edges = np.arange(first, last + width + 1, width) - 0.5
    ax.stairs(full["rate"].to_numpy(), edges, fill=True, color=theme.series(index), alpha=0.7)
    middles = (edges[:-1] + edges[1:]) / 2
    ax.vlines(middles, full["low"].to_numpy(), full["high"].to_numpy(), color=theme.colour("ink"), linewidth=WHISKER)
    shown = [first, last + width - 1, *(t.score for t in thresholds), *(span or ())]
    low, high = min(shown), max(shown)
    margin = max(0.02 * (high - low), 1)
    ax.set_xlim(low - margin, high + margin)
    peak = max(float(full["high"].to_numpy().max()), 1e-9)
    ax.set_ylim(0, write_thresholds(ax, thresholds, peak))
    # ticks for the bars, not for the rows of text above them
    ax.set_yticks([t for t in MaxNLocator(4, steps=TICKS).tick_values(0, peak) if 0 <= t <= peak * 1.02])
    ax.yaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True, steps=(1, 2, 5, 10)))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y")
    return ax


def write_thresholds(ax: Axes, thresholds: Sequence[Threshold], peak: float) -> float:
    """Draw the lines with their scores on top and, above all, what they and the whiskers are; return the height used.

    The texts stand in rows of their own at the left, so that none is crossed by a line or leaves the chart.
    """
    row = LINE / BARS * peak
    low, high = ax.get_xlim()
    top, last = peak * 1.05, low - high
    for threshold in sorted(thresholds):
        x = threshold.score - 0.5
        raised = row if x - last < CLOSE * (high - low) and top == peak * 1.05 else 0.0
        top, last = peak * 1.05 + raised, x
        ax.vlines(x, 0, top, color=theme.colour("ink"), linewidth=1.1, linestyle=(0, (4, 2)))
        ax.text(x, top, str(threshold.score), ha="center", va="bottom", fontsize=8.5)
    y = peak * 1.05 + (row * 2.4 if thresholds else 0.0)
    for lines in [["share of games; thin lines: 95 % intervals"], *map(text_of, sorted(thresholds, reverse=True))]:
        ax.annotate(
            "\n".join(lines), (0, y), xycoords=("axes fraction", "data"), xytext=(2, 0), textcoords="offset points",
            va="bottom", fontsize=8.5,
        )  # fmt: skip
        y += row * len(lines)
    return y + 0.03 * peak


def draw_spread(frame: pl.DataFrame, ax: Axes, unit: str) -> Axes:
    """Draw the spread of the scores of each seat and the mean with its interval.

    Parameters
    ----------
    frame : DataFrame
        run, name (of the seat), n, mean, low, high, q10, q25, q75, q90.
    ax : Axes
        Where to draw.
    unit : str
        Of the score.
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
    ax.set_xlabel(f"{unit}: mean with 95 % interval,\nmiddle half (bar), middle 80 % (line)")
    return ax


def draw_shortfall(frame: pl.DataFrame, ax: Axes, near: int, most: float | None = None) -> Axes:
    """Draw the middle half and the median of what misses lack of a score.

    Parameters
    ----------
    frame : DataFrame
        run, objective, n (misses that lack some), q25, median, q75, low, high; all null where there are none.
    ax : Axes
        Where to draw.
    near : int
        What can be mended: a dashed line; 0 for none.
    most : float, optional
        End of the axis, for several axes of one scale.
    """
    places = lay_out_blocks(frame, ax, "objective")
    columns = ("objective", "run", "n", "q25", "median", "q75", "low", "high")
    for objective, run, n, q25, median, q75, low, high in frame.select(columns).rows():
        y = places[objective, run]
        if near:  # line by line, so that it runs through no heading
            ax.vlines(
                near, y - BLOCK_RUN / 2, y + BLOCK_RUN / 2, color=theme.colour("muted"), linewidth=0.9,
                linestyle=(0, (3, 3)), zorder=1,
            )  # fmt: skip
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
