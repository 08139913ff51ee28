"""The figures about what VPs are made of: Xeno penalties, goals, sources."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.games.new_frontiers.analysis import outcomes
from nfsim.report import theme
from nfsim.report.charts import goal_points, goal_steps, penalties, vp_sources
from nfsim.report.charts.rows import RUN_WIDTH, lines_of, span, wrap
from nfsim.report.formatting import integer, mean, percent, rate
from nfsim.report.picture import Group, Picture, in_order, one_axes, panels, pooled, spoken, stack
from nfsim.stats.intervals import ENOUGH, reliable, with_rates


def xeno(group: Group) -> Picture | None:
    """How often Xeno penalties are taken."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = in_order(same_cases(stack(played, outcomes.penalty_frequencies)), played, "penalty", "taken")
    return Picture(
        "xeno_penalties",
        "Xeno penalties",
        "How many unconquered Xeno worlds of each penalty (−3, −6, −8 VPs) an empire holds at the end; "
        "numbers that no run reached are left out." + pooled(group),
        "Share of games by number of Xeno penalties. " + spoken(penalties.with_names(frame), "case", "rate", rate),
        frame,
        one_axes(penalties.draw, penalties.with_names(frame), "case"),
    )


def same_cases(frame: pl.DataFrame) -> pl.DataFrame:
    """Give every run all numbers of penalties that any run reached: not reached is 0 of n, not unknown."""
    cases = frame.select("penalty", "taken").unique()
    runs = frame.select("run", "n").unique()
    counted = runs.join(cases, how="cross").join(
        frame.select("run", "penalty", "taken", "k"), how="left", on=["run", "penalty", "taken"]
    )
    return with_rates(counted.select("run", "penalty", "taken", "n", pl.col("k").fill_null(0)))


def goals(group: Group) -> Picture | None:
    """Mean VPs per goal, best first."""
    frame = stack(group, outcomes.goal_points)
    if frame.is_empty():
        return None
    worth = -pl.col("mean").mean().over("goal")
    frame = in_order(frame.with_columns(worth.alias("worth")), group, "worth", "goal").drop("worth")
    return Picture(
        "goal_vp",
        "Victory points per goal",
        "Mean VPs a player scores for a goal in the games in which it is in play. The policies choose which goals "
        "come into play, so the means are selective: what a goal gave where it was chosen, not what it would give "
        f"in any game.{small(frame)}" + pooled(group),
        "Mean VPs per goal in play. " + spoken(reliable(frame), "goal", "mean", partial(mean, decimals=2)),
        frame,
        one_axes(goal_points.draw, reliable(frame), "goal"),
    )


def small(frame: pl.DataFrame) -> str:
    """Say that some means have no interval, if so."""
    few = (frame["n"] < ENOUGH).any()
    return f" Below n = {ENOUGH} n is too small for an interval; the CSV file has a rough one." if few else ""


def steps(group: Group) -> Picture | None:
    """Which steps of the goals are reached, the best goal first."""
    frame = stack(group, outcomes.goal_steps)
    if frame.is_empty():
        return None
    worth = -(pl.col("score") * pl.col("rate")).sum().over("goal")
    frame = frame.with_columns(worth.alias("worth"))
    frame = in_order(frame, group, "worth", "goal", "score", run_first=True).drop("worth")
    goal_order = frame["goal"].unique(maintain_order=True).to_list()
    values = sorted(frame["score"].unique().to_list())
    columns = min(2, frame["run"].n_unique())

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        goal_steps.draw(own, ax, goal_order, values, names=i % columns == 0)
        ax.set_title(wrap(own["run"][0], RUN_WIDTH // columns))
        ax.set_xlabel(f"percent of games\nn = {span(own['n'])}")

    row = max(0.3, 0.16 * max(lines_of(wrap(goal)) for goal in goal_order))
    figure = panels(frame, draw, 0.8 + row * len(goal_order), columns)
    with theme.style():
        figure.legend(
            *figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=5, handlelength=1,
            columnspacing=1, fontsize=9,
        )  # fmt: skip
    drawn = frame.filter(pl.col("n") >= ENOUGH)
    few = "" if len(drawn) == len(frame) else f" Below n = {ENOUGH} only n is shown."
    widest = frame if drawn.is_empty() else drawn
    half = widest.select("n", half=(pl.col("high") - pl.col("low")) * 50).sort("half", descending=True).row(0)

    def share_only(share: float, _low: float, _high: float) -> str:
        return percent(share, 0)

    cases = drawn.with_columns(pl.format("{} {} VPs", "goal", "score").alias("case"))
    return Picture(
        "goal_steps",
        "Steps of the goals",
        "Share of games in which a goal in play gives each number of VPs, in percent, with 95 % "
        f"intervals of up to ±{half[1]:.1f} points, where n is {integer(half[0])}; the CSV file has each of them. Like "
        f"the means, the shares hold for games in which the policies chose the goal.{few}" + pooled(group),
        "Share of games by VPs of each goal. " + spoken(cases, "case", "rate", share_only),
        frame,
        figure,
    )


def sources(group: Group) -> Picture | None:
    """Where VPs come from."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = stack(played, outcomes.vp_sources).with_row_index("place")
    frame = in_order(frame.with_columns(pl.col("place").min().over("source")), played, "place").drop("place")
    return Picture(
        "vp_sources",
        "Sources of victory points",
        "Mean VPs from each source. Developments count with their printed VPs; 9-cost scoring is what 9-cost "
        f"developments score besides.{small(frame)}" + pooled(group),
        "Mean VPs by source. " + spoken(reliable(frame), "source", "mean", mean),
        frame,
        one_axes(vp_sources.draw, reliable(frame), "source"),
    )
