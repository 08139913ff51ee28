"""Distribution of final VPs, with the thresholds of the conditions drawn in."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.formatting import percent_tick

Span = tuple[int, int] | None

BARS = 1.45  # inches of the highest bar
LINE = 0.155  # inches of a line of a threshold's text
CHARACTERS = 56  # of such a line
WHISKER = 0.7  # points: what is read first is the bar
CLOSE = 0.05  # of the axis: nearer lines have their numbers one above the other
TICKS = (1, 2, 2.5, 5, 10)  # steps between ticks, times powers of ten


class Threshold(NamedTuple):
    """A VP threshold: the VPs, how often they are reached, whose threshold it is."""

    vp: int
    reached: str
    names: str


def text_of(threshold: Threshold) -> list[str]:
    """Return the lines of text about a threshold."""
    return textwrap.wrap(
        f"{threshold.vp}+ VPs: {threshold.reached} ({threshold.names})", CHARACTERS, max_lines=3, placeholder=" …"
    )


def height(thresholds: Sequence[Threshold]) -> float:
    """Return the inches that a chart with these thresholds needs, title and axis included."""
    return BARS * 1.2 + LINE * (1 + sum(len(text_of(threshold)) for threshold in thresholds)) + 0.8


def draw(
    frame: pl.DataFrame,
    ax: Axes,
    thresholds: Sequence[Threshold] = (),
    index: int = 0,
    span: Span = None,
    width: int = 1,
) -> Axes:
    """Draw the share of games for every step of VPs as bars, their 95 % intervals as thin lines at the tops.

    Parameters
    ----------
    frame : DataFrame
        vp, rate, low, high of one run.
    ax : Axes
        Where to draw.
    thresholds : sequence of Threshold
        Drawn as lines, their texts in rows above the bars.
    index : int
        Place of the run in the comparison, for its colour.
    span : (int, int), optional
        Lowest and highest VPs to show; what is drawn if None.
    width : int
        VPs that a bar stands for, from its `vp` upwards.
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
    shown = [first, last + width - 1, *(t.vp for t in thresholds), *(span or ())]
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
    """Draw the lines with their VPs on top and, above all, what they and the whiskers are; return the height used.

    The texts stand in rows of their own at the left, so that none is crossed by a line or leaves the chart.
    """
    row = LINE / BARS * peak
    low, high = ax.get_xlim()
    top, last = peak * 1.05, low - high
    for threshold in sorted(thresholds):
        x = threshold.vp - 0.5
        raised = row if x - last < CLOSE * (high - low) and top == peak * 1.05 else 0.0
        top, last = peak * 1.05 + raised, x
        ax.vlines(x, 0, top, color=theme.colour("ink"), linewidth=1.1, linestyle=(0, (4, 2)))
        ax.text(x, top, str(threshold.vp), ha="center", va="bottom", fontsize=8.5)
    y = peak * 1.05 + (row * 2.4 if thresholds else 0.0)
    for lines in [["share of games; thin lines: 95 % intervals"], *map(text_of, sorted(thresholds, reverse=True))]:
        ax.annotate(
            "\n".join(lines), (0, y), xycoords=("axes fraction", "data"), xytext=(2, 0), textcoords="offset points",
            va="bottom", fontsize=8.5,
        )  # fmt: skip
        y += row * len(lines)
    return y + 0.03 * peak
