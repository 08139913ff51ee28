"""How likely it is to end with at least so many VPs and meet a condition's other requirements, in two lengths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import runs_of
from nfsim.report.formatting import percent_tick

PRINTED, EQUAL = "printed threshold", "equally hard long threshold, 95 % interval"
EDGE = 0.002  # rates nearer to 0 or to the highest are not shown


class Mark(NamedTuple):
    """A threshold at a curve: the run's place, VPs, the rate there; bounds of the VPs (NaN: none)."""

    run: int
    vp: float
    rate: float
    low: float = float("nan")
    high: float = float("nan")


def span(frame: pl.DataFrame, marks: Sequence[float]) -> tuple[float, float]:
    """Return the VPs worth showing: where any curve still falls, and all marks."""
    first = frame.filter(pl.col("rate") < pl.col("rate").max().over("objective", "run") - EDGE)["score"].min()
    last = frame.filter(pl.col("rate") > EDGE)["score"].max()
    ends = [float(str(end)) for end in (first, last) if end is not None]
    shown = [*ends, *marks] or [0.0, 1.0]
    return min(shown) - 2, max(shown) + 2


def draw(
    frame: pl.DataFrame, ax: Axes, printed: Sequence[Mark], equal: Mark | None, shown: tuple[float, float]
) -> Axes:
    """Draw the curves of one condition as steps, each with its band, and the thresholds on them.

    Parameters
    ----------
    frame : DataFrame
        run, vp, rate, low, high.
    ax : Axes
        Where to draw.
    printed : sequence of Mark
        Printed thresholds.
    equal : Mark, optional
        The long threshold that is as hard as the short one.
    shown : (float, float)
        Ends of the VP axis.
    """
    top = 0.0
    for j, run in enumerate(runs_of(frame)):
        own = frame.filter(pl.col("run") == run)
        x, rate, low, high = (own[name].to_numpy() for name in ("score", "rate", "low", "high"))
        # a whole number of VPs is in the middle of its step
        ax.fill_between(x, low, high, step="mid", color=theme.series(j), alpha=0.25, linewidth=0)
        ax.step(x, rate, where="mid", color=theme.series(j), linewidth=1.4)
        top = max(top, float(own.filter(pl.col("score") >= shown[0])["high"].to_numpy().max(initial=0.0)))
    top = max(top, 1e-6)
    ax.set_ylim(0, top * 1.12)
    for mark in printed:
        colour = theme.series(mark.run)
        ax.vlines(mark.vp, 0, mark.rate, color=colour, linewidth=1.1, linestyle=(0, (4, 2)))
        ax.plot(mark.vp, mark.rate, theme.marker(mark.run), color=colour, markersize=5.5, zorder=4, clip_on=False)
        _write(ax, f"{mark.vp:g}", (mark.vp, mark.rate), (-5, -7 if mark.rate > 0.1 * top else 7))
    if equal is not None:
        ink = theme.colour("ink")
        ax.hlines(equal.rate, min(mark.vp for mark in printed), equal.vp, color=ink, linewidth=0.9, linestyle=":")
        ax.hlines(equal.rate, equal.low, equal.high, color=ink, linewidth=2.0, zorder=5)
        paper = theme.colour("paper")
        ax.plot(equal.vp, equal.rate, "d", color=ink, markerfacecolor=paper, markersize=5.5, zorder=5, clip_on=False)
        _write(ax, f"{equal.vp:.1f}", (equal.vp, equal.rate), (6, 8))
    ax.set_xlim(*shown)
    ax.margins(x=0)
    ax.yaxis.set_major_locator(MaxNLocator(4))
    ax.yaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    ax.grid(axis="y")
    return ax


def key(runs: Sequence[str], *, equal: bool) -> list[Line2D]:
    """Return what a legend explains: the runs, and the two kinds of mark."""
    ink, paper = theme.colour("ink"), theme.colour("paper")
    lines = [
        Line2D([], [], color=theme.series(j), marker=theme.marker(j), markersize=5.5, label=f"{run}, mark: {PRINTED}")
        for j, run in enumerate(runs)
    ]
    if equal:
        lines.append(Line2D([], [], color=ink, marker="d", markerfacecolor=paper, markersize=5.5, label=EQUAL))
    return lines


def _write(ax: Axes, text: str, at: tuple[float, float], shift: tuple[int, int]) -> None:
    ax.annotate(
        text, at, xytext=shift, textcoords="offset points", fontsize=8.8, va="center", zorder=6, annotation_clip=False,
        ha="left" if shift[0] > 0 else "right",
        bbox={"facecolor": theme.colour("paper"), "edgecolor": "none", "pad": 0.6, "alpha": 0.8},
    )  # fmt: skip
