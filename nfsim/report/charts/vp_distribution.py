"""Distribution of final VPs, with the thresholds of the conditions drawn in."""

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.numbers import percent_tick

Span = tuple[int, int] | None

BARS = 1.45  # inches of the highest bar
LINE = 0.155  # inches of a line of a threshold's text


class Threshold(NamedTuple):
    """A VP threshold: the VPs, how often they are reached, whose threshold it is."""

    vp: int
    reached: str
    names: str


def text_of(threshold: Threshold) -> list[str]:
    """Return the lines of text at a threshold."""
    names = textwrap.wrap(threshold.names, 38, max_lines=3, placeholder=" …")
    return [f"{threshold.vp}+ VPs: {threshold.reached}", *names]


def height(thresholds: Sequence[Threshold]) -> float:
    """Return the inches that a chart with these thresholds needs, title and axis included."""
    return BARS * 1.08 + LINE * sum(len(text_of(threshold)) for threshold in thresholds) + 0.8


def draw(
    frame: pl.DataFrame,
    ax: Axes,
    thresholds: Sequence[Threshold] = (),
    index: int = 0,
    span: Span = None,
    width: int = 1,
) -> Axes:
    """Draw the share of games for every step of VPs, the 95 % intervals as a band at the tops.

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
    first, last = int(str(frame["vp"].min())), int(str(frame["vp"].max()))
    every = pl.DataFrame({"vp": np.arange(first, last + 1, width)}).with_columns(pl.col("vp").cast(frame.schema["vp"]))
    full = every.join(frame, on="vp", how="left").fill_null(0.0)
    edges = np.arange(first, last + width + 1, width) - 0.5
    colour = theme.series(index)
    ax.stairs(full["rate"].to_numpy(), edges, fill=True, color=colour, alpha=0.55)
    ax.stairs(full["high"].to_numpy(), edges, baseline=full["low"].to_numpy(), fill=True, color=colour, linewidth=0)
    shown = [first, last + width - 1, *(t.vp for t in thresholds), *(span or ())]
    low, high = min(shown), max(shown)
    margin = max(0.02 * (high - low), 1)
    ax.set_xlim(low - margin, high + margin)
    peak = max(float(full["high"].to_numpy().max()), 1e-9)
    top = write_thresholds(ax, thresholds, (low + high) / 2, peak)
    ax.set_ylim(0, top)
    # ticks for the bars, not for the rows of text above them
    ax.set_yticks([t for t in MaxNLocator(4).tick_values(0, peak) if 0 <= t <= peak * 1.05])
    ax.yaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y")
    return ax


def write_thresholds(ax: Axes, thresholds: Sequence[Threshold], middle: float, peak: float) -> float:
    """Draw the lines and, above the bars, their texts; return the height used.

    The text of a line in the right half stands to its left and the other way round, on a ground of
    the page's colour, so that no text leaves the chart or is crossed by a line.
    """
    y = peak * 1.05
    for threshold in sorted(thresholds, reverse=True):
        lines = text_of(threshold)
        top = y + LINE / BARS * peak * len(lines)
        ax.vlines(threshold.vp - 0.5, 0, top, color=theme.colour("ink"), linewidth=1.1, linestyle=(0, (4, 2)))
        left = threshold.vp > middle
        ax.annotate(
            "\n".join(lines), (threshold.vp - 0.5, (y + top) / 2), xytext=(-5 if left else 5, 0),
            textcoords="offset points", va="center", ha="right" if left else "left", fontsize=8.5, zorder=4,
            bbox={"facecolor": theme.colour("paper"), "edgecolor": "none", "pad": 1.0},
        )  # fmt: skip
        y = top
    return y + 0.03 * peak
