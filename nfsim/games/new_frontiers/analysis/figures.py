"""The figures about results, one function each: from the runs compared to a picture, or None.

Those about what the VPs are made of are in `scoring.py`; `results_parts.py` calls both.
"""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.games.new_frontiers.analysis import outcomes
from nfsim.report.charts import seat_points, vp_distribution, win_rate, win_shares
from nfsim.report.charts.rows import RUN_WIDTH, wrap
from nfsim.report.charts.vp_distribution import Threshold
from nfsim.report.formatting import integer, mean, rate, signed
from nfsim.report.picture import Group, Picture, in_order, one_axes, panels, pooled, spoken, stack
from nfsim.report.source import Source
from nfsim.stats.intervals import ENOUGH, reliable, wilson


def condition_frame(group: Group) -> pl.DataFrame:
    """Return the rates of all conditions in the order of the campaign, with what each needs."""
    frame = stack(group, outcomes.condition_rates)
    listed = {(source.label, c.name): c for source in group for c in source.conditions}
    printed = list(dict.fromkeys(name for _, name in listed))
    order = {name: i for i, name in enumerate(printed)} | {outcomes.ANY_CONDITION: len(printed)}
    found = [listed.get(key) for key in frame.select("run", "objective").rows()]
    return in_order(
        frame.with_columns(
            pl.Series("score", [c.vp if c else None for c in found], pl.Int64),
            pl.Series("requires", [c.requires if c else "" for c in found], pl.String),
            pl.Series("doubt", [c.doubt if c else "" for c in found], pl.String),
            pl.Series("place", [order.get(name, -1) for name in frame["objective"]], pl.Int64),
        ),
        group, "place", "objective",
    ).drop("place")  # fmt: skip


def conditions(frame: pl.DataFrame) -> Picture | None:
    """Win rate per condition; see `condition_frame`."""
    if frame.is_empty():
        return None
    return Picture(
        "win_rate",
        "Win rate per condition",
        "Share of games that met the condition. A game can meet several; in a campaign it claims one.",
        "Win rate per condition with 95 % intervals. " + spoken(frame, "objective", "rate", rate),
        frame,
        one_axes(win_rate.draw, frame, "objective"),
    )


def thresholds(source: Source, distribution: pl.DataFrame) -> list[Threshold]:
    """Return the thresholds of a run's conditions, equal ones together, with the share that reaches each."""
    names: dict[int, list[str]] = {}
    for condition in source.conditions:
        if condition.vp:
            names.setdefault(condition.vp, []).append(condition.name)
    found = []
    for vp, of_vp in names.items():
        k = float(distribution.filter(pl.col("score") >= vp)["k"].sum())
        low, high = wilson(k, source.games)
        reached = rate(k / source.games, float(low), float(high))
        found.append(Threshold(vp, reached, ", ".join(of_vp)))
    return found


def distribution(group: Group) -> Picture | None:
    """Distribution of VPs with the thresholds."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = stack(played, outcomes.vp_distribution)
    said = []
    marked = [c.vp for source in played for c in source.conditions if c.vp]
    span = (min([*frame["score"], *marked]), max([*frame["score"], *marked]))

    lines_of = [thresholds(source, frame.filter(pl.col("run") == source.label)) for source in played]

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        lines = lines_of[i]
        width = step(played[i].games)
        vp_distribution.draw(outcomes.binned(own, width), ax, lines, i, span, width)
        ax.set_title(wrap(played[i].label, RUN_WIDTH))
        n, average, low, high = outcomes.vp_mean(played[i].tables)
        # the same number as the total of the sources; players of one game are one value there too
        bounds = (low, high) if n >= ENOUGH else (float("nan"), float("nan"))
        text = f"mean {mean(average, *bounds)}, median {signed(median(own))}, n = {integer(n)}"
        ax.set_xlabel(f"VPs{'' if width == 1 else f' in steps of {width}'} ({text})")
        reached = (f"{line.vp}+ VPs ({line.names}) in {line.reached}" for line in lines)
        said.append("; ".join([f"{played[i].label}: {text}", *reached]))

    figure = panels(frame, draw, max(map(vp_distribution.height, lines_of)), share_x=True)
    return Picture(
        "vp_distribution",
        "Distribution of victory points",
        "Share of games with each final number of VPs; bars end at the estimate, thin lines are "
        "95 % intervals."
        + (" Dashed lines are the conditions' VP thresholds; a condition may require more than VPs." if marked else "")
        + pooled(group),
        "Histograms of final VPs. " + ". ".join(said) + ".",
        frame,
        figure,
    )


def step(n: int) -> int:
    """Return the VPs of a bar: few games in narrow bars would show nothing but their intervals."""
    return 1 if n >= 1000 else 2 if n >= 300 else 5


def median(counts: pl.DataFrame) -> float:
    """Return the median of a distribution given as vp and k of n."""
    return float(counts["score"].filter(counts["k"].cast(pl.Float64).cum_sum() >= counts["n"][0] / 2 - 1e-9)[0])


def with_seat_names(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Add to a frame of seats who played them (policy), and the name of each seat that says so."""
    played = {source.label: source.seat_policies for source in group}
    names = [played[run][seat] if seat < len(played[run]) else "" for run, seat in frame.select("run", "seat").rows()]
    policies = pl.col("policy").unique(maintain_order=True).str.join(" / ").over("seat")
    name = pl.format("Seat {}: {}", "seat", policies).str.strip_suffix(": ")
    return frame.with_columns(pl.Series("policy", names, pl.String)).with_columns(name.alias("name"))


def win_frame(group: Group) -> pl.DataFrame:
    """Return the wins of each seat with its policy, the runs side by side; nothing of solo runs."""
    if group[0].players < 2:
        return pl.DataFrame()
    frame = in_order(stack(group, outcomes.seat_wins), group, "seat")
    return with_seat_names(frame, group).with_columns(pl.lit(1 / group[0].players).alias("expected"))


def wins(frame: pl.DataFrame) -> Picture | None:
    """Share of wins by seat; see `win_frame`."""
    if frame.is_empty():
        return None
    return Picture(
        "seat_wins",
        "Wins by seat",
        "Share of games won; a shared win counts in equal parts. Seats count from 0; who starts is random.",
        "Share of wins by seat. " + spoken(frame, "name", "rate", rate),
        frame.drop("name"),
        one_axes(partial(win_shares.draw, category="name"), frame, "name"),
    )


def seats(group: Group) -> Picture | None:
    """VPs by seat; only with several players."""
    if group[0].players < 2:
        return None
    frame = with_seat_names(in_order(stack(group, outcomes.vp_summary), group, "seat"), group)
    return Picture(
        "seat_vp",
        "Victory points by seat",
        "Final VPs of each seat: the mean with its 95 % interval, the middle half and the middle 80 %.",
        "VPs by seat. " + spoken(reliable(frame), "name", "mean", mean),
        frame.drop("name"),
        one_axes(seat_points.draw, reliable(frame), "name"),
    )
