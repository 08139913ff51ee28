"""Curves: how likely each threshold is, and a score round by round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import legend_label, lines_of, runs_of
from nfsim.report.formatting import percent_tick

PRINTED, EQUAL = "printed threshold", "equally hard long threshold, 95 % interval"
FLAT = 0.002  # rates nearer to 0 or to the highest are not shown

TOTAL, SMALL = 2.1, 1.25  # inches of the total's axes, and of a source's
COLUMNS = 2
ALONE = 25  # rounds up to which every one has its marker


class Mark(NamedTuple):
    """A threshold at a curve: the run's place, the score, the rate there; bounds of the score (NaN: none)."""

    run: int
    score: float
    rate: float
    low: float = float("nan")
    high: float = float("nan")


def span(frame: pl.DataFrame, marks: Sequence[float]) -> tuple[float, float]:
    """Return the scores worth showing: where any curve still falls, and all marks."""
    first = frame.filter(pl.col("rate") < pl.col("rate").max().over("objective", "run") - FLAT)["score"].min()
    last = frame.filter(pl.col("rate") > FLAT)["score"].max()
    ends = [float(str(end)) for end in (first, last) if end is not None]
    shown = [*ends, *marks] or [0.0, 1.0]
    return min(shown) - 2, max(shown) + 2


def draw_thresholds(
    frame: pl.DataFrame, ax: Axes, printed: Sequence[Mark], equal: Mark | None, shown: tuple[float, float]
) -> Axes:
    """Draw the curves of one objective as steps, each with its band, and the thresholds on them.

    Parameters
    ----------
    frame : DataFrame
        run, score, rate, low, high.
    ax : Axes
        Where to draw.
    printed : sequence of Mark
        Printed thresholds.
    equal : Mark, optional
        The long threshold that is as hard as the short one.
    shown : (float, float)
        Ends of the axis of scores.
    """
    top = 0.0
    for j, run in enumerate(runs_of(frame)):
        own = frame.filter(pl.col("run") == run)
        x, rate, low, high = (own[name].to_numpy() for name in ("score", "rate", "low", "high"))
        # a whole number is in the middle of its step
        ax.fill_between(x, low, high, step="mid", color=theme.series(j), alpha=0.25, linewidth=0)
        ax.step(x, rate, where="mid", color=theme.series(j), linewidth=1.4)
        top = max(top, float(own.filter(pl.col("score") >= shown[0])["high"].to_numpy().max(initial=0.0)))
    top = max(top, 1e-6)
    ax.set_ylim(0, top * 1.12)
    for mark in printed:
        colour = theme.series(mark.run)
        ax.vlines(mark.score, 0, mark.rate, color=colour, linewidth=1.1, linestyle=(0, (4, 2)))
        ax.plot(mark.score, mark.rate, theme.marker(mark.run), color=colour, markersize=5.5, zorder=4, clip_on=False)
        _write(ax, f"{mark.score:g}", (mark.score, mark.rate), (-5, -7 if mark.rate > 0.1 * top else 7))
    if equal is not None:
        ink = theme.colour("ink")
        ax.hlines(equal.rate, min(mark.score for mark in printed), equal.score, color=ink, linewidth=0.9, linestyle=":")
        ax.hlines(equal.rate, equal.low, equal.high, color=ink, linewidth=2.0, zorder=5)
        paper = theme.colour("paper")
        ax.plot(equal.score, equal.rate, "d", color=ink, markerfacecolor=paper, markersize=5.5, zorder=5, clip_on=False)
        _write(ax, f"{equal.score:.1f}", (equal.score, equal.rate), (6, 8))
    ax.set_xlim(*shown)
    ax.margins(x=0)
    ax.yaxis.set_major_locator(MaxNLocator(4))
    ax.yaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    ax.grid(axis="y")
    return ax


def thresholds_key(runs: Sequence[str], *, equal: bool) -> list[Line2D]:
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


def draw_rounds(frame: pl.DataFrame, ax: Axes, order: Sequence[str]) -> Axes:
    """Draw the means of one source over the rounds, the 95 % intervals as bands.

    Parameters
    ----------
    frame : DataFrame
        run, round, mean, low, high; NaN bounds are left out.
    ax : Axes
        Where to draw.
    order : sequence of str
        All runs of the chart: a run's colour is its place there.
    """
    for j, run in enumerate(order):
        own = frame.filter(pl.col("run") == run)
        x, mean, low, high = (own[name].to_numpy() for name in ("round", "mean", "low", "high"))
        ax.fill_between(x, low, high, color=theme.series(j), alpha=0.3, linewidth=0)
        marker = theme.marker(j) if len(own) <= ALONE else ""
        ax.plot(x, mean, marker=marker, color=theme.series(j), linewidth=1.2, markersize=3.6)
    ax.xaxis.set_major_locator(MaxNLocator(7, integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(4))
    if not (frame["mean"] != 0).any():
        ax.set_ylim(-0.05, 1)  # nothing at all: not a scale of hundredths
    ax.grid(axis="y")
    return ax


def rounds_figure(frame: pl.DataFrame, total: str, unit: str) -> Figure:
    """Return the chart of all sources: the total over the whole width, the others in two columns.

    Parameters
    ----------
    frame : DataFrame
        run, source, round, n, mean, low, high.
    total : str
        The source that is the sum of the others.
    unit : str
        Of the score.
    """
    runs = runs_of(frame)
    sources = [name for name in frame["source"].unique(maintain_order=True) if name != total]
    sources += [""] * (-len(sources) % COLUMNS)
    lines = [sources[i : i + COLUMNS] for i in range(0, len(sources), COLUMNS)]
    labels = [legend_label(run, frame.filter(pl.col("run") == run)["n"]) for run in runs]
    high = TOTAL + SMALL * len(lines) + 0.3 + 0.2 * sum(map(lines_of, labels))
    with theme.style():
        drawn = Figure(figsize=(theme.WIDTH, high), layout="constrained")
        axes = drawn.subplot_mosaic(
            [[total] * COLUMNS, *lines], empty_sentinel="", height_ratios=[TOTAL, *[SMALL] * len(lines)]
        )
        for name, ax in axes.items():
            draw_rounds(frame.filter(pl.col("source") == name), ax, runs)
            ax.set_title(f"{name}: mean {unit}, 95 % bands" if name == total else name)
        for name in [*(lines[-1] if lines else []), total]:
            if name:
                axes[name].set_xlabel("after round")
        keys = [
            Line2D([], [], color=theme.series(j), marker=theme.marker(j), markersize=4, label=label)
            for j, label in enumerate(labels)
        ]
        drawn.legend(handles=keys, loc="outside upper left", handlelength=1.8)
    return drawn
