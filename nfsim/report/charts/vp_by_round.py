"""VPs round by round: the total above, its sources below, a line for each run."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import legend_label, lines_of, runs_of

TOTAL, SMALL = 2.1, 1.25  # inches of the total's axes, and of a source's
COLUMNS = 2
ALONE = 25  # rounds up to which every one has its marker


def draw(frame: pl.DataFrame, ax: Axes, order: Sequence[str]) -> Axes:
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


def figure(frame: pl.DataFrame, total: str) -> Figure:
    """Return the chart of all sources: the total over the whole width, the others in two columns.

    Parameters
    ----------
    frame : DataFrame
        run, source, round, n, mean, low, high.
    total : str
        The source that is the sum of the others.
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
            draw(frame.filter(pl.col("source") == name), ax, runs)
            ax.set_title(f"{name}: mean VPs, 95 % bands" if name == total else name)
        for name in [*lines[-1], total]:
            if name:
                axes[name].set_xlabel("after round")
        keys = [
            Line2D([], [], color=theme.series(j), marker=theme.marker(j), markersize=4, label=label)
            for j, label in enumerate(labels)
        ]
        drawn.legend(handles=keys, loc="outside upper left", handlelength=1.8)
    return drawn
