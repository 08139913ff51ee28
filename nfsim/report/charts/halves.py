"""What misses lack: bars of the share of games that missed a condition, divided by what they lacked."""

from collections.abc import Sequence

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from nfsim.report import theme
from nfsim.report.charts.blocks import beside, lay_out
from nfsim.report.charts.rows import CAP
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import integer

STEPS = (1, 2, 4)  # colours of the divisions, from left to right: pale to dark
DIGIT = 0.055  # share of the axis that a digit of a number in a bar needs
BAR = 0.17  # inches


def draw(frame: pl.DataFrame, ax: Axes, halves: Sequence[str]) -> Axes:
    """Draw a bar for each condition and run.

    Parameters
    ----------
    frame : DataFrame
        run, condition, half, n (misses), share, share_low, share_high (of all games).
    ax : Axes
        Where to draw.
    halves : sequence of str
        The divisions from left to right.
    """
    places = lay_out(frame, ax, "objective")
    left = dict.fromkeys(places, 0.0)
    for half, step in zip(halves, STEPS, strict=True):
        own = frame.filter(pl.col("half") == half)
        for condition, run, share in own.select("objective", "run", "share").rows():
            place = condition, run
            _bar(ax, places[place], left[place], share, step)
            left[place] += share
    for condition, run, n, games in frame.select("objective", "run", "n", "games").unique(maintain_order=True).rows():
        beside(ax, places[condition, run], f"{integer(n)} of {integer(games)}")
    percent_axis(ax, 1.0)
    ax.grid(axis="x")
    return ax


def _bar(ax: Axes, y: float, left: float, share: float, step: int) -> None:
    ax.barh(
        y, share, left=left, height=BAR, color=theme.colour(f"step-{step}"), edgecolor=theme.colour("paper"),
        linewidth=0.6,
    )  # fmt: skip
    number = f"{100 * share:.0f}"
    if share >= DIGIT * len(number):
        ax.text(
            left + share / 2, y + CAP / 6, number, ha="center", va="center", fontsize=7.6,
            color=theme.colour(f"on-step-{step}"),
        )  # fmt: skip


def write_key(figure: Figure, halves: Sequence[str]) -> None:
    """Say above all axes what the colours are."""
    marks = [Patch(color=theme.colour(f"step-{step}"), label=half) for half, step in zip(halves, STEPS, strict=True)]
    with theme.style():
        figure.legend(handles=marks, loc="outside upper left", ncols=3, handlelength=1, columnspacing=1.2, fontsize=9)
