"""Which step of its goal is reached: the shares of 0, 2, 3, 5, 8 VPs."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import categories_of, wrap
from nfsim.stats.intervals import ENOUGH

UPPER = (0, 2, 3, 5)  # highest VPs of each step's colour; more has the last one
ROOM = 0.05  # share of a bar that a digit of its number needs


def step_of(vp: int) -> int:
    """Return the number of the colour for a goal's VPs."""
    return next((step for step, most in enumerate(UPPER) if vp <= most), theme.STEPS - 1)


def draw(
    frame: pl.DataFrame, ax: Axes, goals: Sequence[str] = (), values: Sequence[int] = (), names: bool = True
) -> Axes:
    """Draw a bar for each goal, divided by the VPs it gave; only n where that is too small for shares.

    Parameters
    ----------
    frame : DataFrame
        goal, vp, n, rate of one run.
    ax : Axes
        Where to draw.
    goals : sequence of str
        Goals from top to bottom; those of the frame if empty.
    values : sequence of int
        All VPs that occur in the compared runs, for a common legend; those of the frame if empty.
    names : bool
        Write the goals' names at the left.
    """
    goals = goals or categories_of(frame, "goal")
    few = dict(frame.filter(pl.col("n") < ENOUGH).select("goal", "n").rows())
    frame = frame.filter(pl.col("n") >= ENOUGH)
    steps: dict[int, list[int]] = {}
    for vp in sorted(values or frame["score"].unique().to_list()):
        steps.setdefault(step_of(vp), []).append(vp)
    left = np.zeros(len(goals))
    places = np.arange(len(goals))
    for step, of_step in steps.items():
        own = frame.filter(pl.col("score").is_in(of_step)).group_by("goal").agg(pl.col("rate").sum())
        rates = dict(own.rows())
        share = np.array([rates.get(goal, 0.0) for goal in goals])
        label = str(of_step[0]) if len(of_step) == 1 else f"{of_step[0]}–{of_step[-1]}"
        ax.barh(
            places, share, left=left, height=0.72, color=theme.colour(f"step-{step}"), label=f"{label} VPs",
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
    for y, goal in enumerate(goals):
        if goal in few:
            ax.text(0.02, y, f"n = {few[goal]}", va="center", fontsize=8, color=theme.colour("muted"))
    ax.set_yticks(places, [wrap(goal) for goal in goals] if names else [""] * len(goals))
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(goals) - 0.5, -0.5)
    ax.set_xlim(0, 1)
    ax.set_xticks([0, 0.5, 1], ["0", "50", "100"])  # the unit would run into the next panel's numbers
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    return ax
