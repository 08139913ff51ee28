"""Stacked bars: a whole divided into shares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter

from nfsim.report import theme
from nfsim.report.charts.rates import percent_axis
from nfsim.report.charts.rows import CAP, beside, categories_of, lay_out_blocks, wrap
from nfsim.report.formatting import integer, percent, percent_tick
from nfsim.stats.intervals import ENOUGH

ROOM = 0.05  # share of a bar that a digit of its number needs
HALF_STEPS = (1, 2, 4)  # colours of the divisions, from left to right: pale to dark
DIGIT = 0.055  # share of the axis that a digit of a number in a bar needs
HALF_BAR = 0.17  # inches
BAR = 0.5  # of a line
SOURCE_STEPS = (4, 3, 2, 0)  # colours of the sources
NARROW = 0.09  # shares below are not written into the bar
ROW = 0.62  # inches of a line


def step_of(value: int, upper: Sequence[int]) -> int:
    """Return the number of the colour of a value; `upper` has the highest value of each colour but the last."""
    return next((step for step, most in enumerate(upper) if value <= most), theme.STEPS - 1)


def draw_values(
    frame: pl.DataFrame,
    ax: Axes,
    categories: Sequence[str],
    values: Sequence[int],
    upper: Sequence[int],
    unit: str,
    *,
    names: bool = True,
) -> Axes:
    """Draw a bar for each category, divided by values; only n where that is too small for shares.

    Parameters
    ----------
    frame : DataFrame
        category, value, n, rate of one run.
    ax : Axes
        Where to draw.
    categories : sequence of str
        From top to bottom.
    values : sequence of int
        All values that occur in the compared runs, for a common legend.
    upper : sequence of int
        Highest value of each colour but the last.
    unit : str
        Of the values.
    names : bool
        Write the categories' names at the left.
    """  # fmt: skip
    few = dict(frame.filter(pl.col("n") < ENOUGH).select("category", "n").rows())
    frame = frame.filter(pl.col("n") >= ENOUGH)
    steps: dict[int, list[int]] = {}
    for value in sorted(values):
        steps.setdefault(step_of(value, upper), []).append(value)
    left = np.zeros(len(categories))
    places = np.arange(len(categories))
    for step, of_step in steps.items():
        own = frame.filter(pl.col("value").is_in(of_step)).group_by("category").agg(pl.col("rate").sum())
        rates = dict(own.rows())
        share = np.array([rates.get(category, 0.0) for category in categories])
        label = str(of_step[0]) if len(of_step) == 1 else f"{of_step[0]}–{of_step[-1]}"
        ax.barh(
            places, share, left=left, height=0.72, color=theme.colour(f"step-{step}"), label=f"{label} {unit}",
            edgecolor=theme.colour("paper"), linewidth=0.8,
        )  # fmt: skip
        for y, x, part in zip(places.tolist(), (left + share / 2).tolist(), share.tolist(), strict=True):
            number = f"{100 * part:.0f}"
            if part >= ROOM * len(number):
                ax.text(
                    x,
                    y,
                    number,
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=theme.colour(f"on-step-{step}"),
                )
        left += share
    for y, category in enumerate(categories):
        if category in few:
            ax.text(0.02, y, f"n = {few[category]}", va="center", fontsize=8, color=theme.colour("muted"))
    ax.set_yticks(places, [wrap(category) for category in categories] if names else [""] * len(categories))
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(categories) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.5, 1], ["0", "50", "100"])  # the unit would run into the next panel's numbers
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return ax


def draw_halves(frame: pl.DataFrame, ax: Axes, halves: Sequence[str]) -> Axes:
    """Draw a bar for each objective and run.

    Parameters
    ----------
    frame : DataFrame
        run, objective, half, n (misses), share, share_low, share_high (of all games).
    ax : Axes
        Where to draw.
    halves : sequence of str
        The divisions from left to right.
    """
    places = lay_out_blocks(frame, ax, "objective")
    left = dict.fromkeys(places, 0.0)
    for half, step in zip(halves, HALF_STEPS, strict=True):
        own = frame.filter(pl.col("half") == half)
        for objective, run, share in own.select("objective", "run", "share").rows():
            place = objective, run
            _bar(ax, places[place], left[place], share, step)
            left[place] += share
    for objective, run, n, games in frame.select("objective", "run", "n", "games").unique(maintain_order=True).rows():
        beside(ax, places[objective, run], f"{integer(n)} of {integer(games)}")
    percent_axis(ax, 1.0)
    ax.grid(axis="x")
    return ax


def _bar(ax: Axes, y: float, left: float, share: float, step: int) -> None:
    ax.barh(
        y, share, left=left, height=HALF_BAR, color=theme.colour(f"step-{step}"), edgecolor=theme.colour("paper"),
        linewidth=0.6,
    )  # fmt: skip
    number = f"{100 * share:.0f}"
    if share >= DIGIT * len(number):
        ax.text(
            left + share / 2, y + CAP / 6, number, ha="center", va="center", fontsize=7.6,
            color=theme.colour(f"on-step-{step}"),
        )  # fmt: skip


def write_halves_key(figure: Figure, halves: Sequence[str]) -> None:
    """Say above all axes what the colours are."""
    marks = [
        Patch(color=theme.colour(f"step-{step}"), label=half) for half, step in zip(halves, HALF_STEPS, strict=True)
    ]
    with theme.style():
        figure.legend(handles=marks, loc="outside upper left", ncols=3, handlelength=1, columnspacing=1.2, fontsize=9)


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
        step = SOURCE_STEPS[place]
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
