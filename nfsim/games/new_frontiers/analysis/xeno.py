"""The fate of Xeno worlds: drawn from the bag, taken, placed, conquered or penalised, by policy, and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from nfsim.report.charts.means import draw_amounts
from nfsim.report.charts.rates import draw_rates
from nfsim.report.formatting import MINUS, integer, mean, rate
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, in_order, one_axes, pooled, spoken, stack, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.bootstrap import count_interval
from nfsim.stats.frames import Tables, games, label, players, results
from nfsim.stats.intervals import reliable, wilson, with_mean_bounds, with_rates, within_sign

PENALTIES = (3, 6, 8)  # VPs an unconquered Xeno world can cost (seed 000)
FEW = 10  # worlds on either side of a share before a bootstrap can be relied on
DRAWN = "Drawn from the bag"
STEPS = {  # what happens to a Xeno world: for each seat, worlds
    "Taken or drawn by the player": pl.col("xeno_taken"),
    "Not kept": pl.col("xeno_taken") - pl.col("xeno_conquered") - pl.col("xeno_unconquered"),
    "Placed": pl.col("xeno_conquered") + pl.col("xeno_unconquered"),
    "Conquered": pl.col("xeno_conquered"),
    "Penalised": pl.sum_horizontal(f"penalty_{size}" for size in PENALTIES),
}
LOST = "VPs lost"
KEPT, BEATEN, ANY = "Of those taken: placed", "Of those placed: conquered", "Games with a penalty"
SHARES: dict[str, type[pl.DataType]] = {
    "policy": pl.String, "share": pl.String, "n": pl.Int64, "k": pl.Float64, "of": pl.Int64, "rate": pl.Float64,
    "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip
NEEDED = {"xeno_taken", "xeno_conquered", "xeno_unconquered"}


def logged(source: Source) -> bool:
    """Return whether a run says what happened to Xeno worlds, and has any."""
    return bool(source.games) and source.logs("seats", *NEEDED) and source.logs("games", "xeno_drawn")


def fates(source: Source) -> pl.DataFrame:
    """Return how many Xeno worlds a game brings, and what a player does with them, by policy.

    Parameters
    ----------
    source : Source
        A run for which `logged` holds.

    Returns
    -------
    DataFrame
        policy, step (`DRAWN`, the keys of `STEPS`, `LOST`), n (games), mean, sd, low, high (t). `DRAWN` counts worlds
        per game and not per player, the same for all policies of a game; all else is per player, a game counting by
        the mean of the seats that the policy plays in it. `LOST` is in VPs, positive.
    """
    names = {name: f"step {place}" for place, name in enumerate([*STEPS, LOST])}
    each = [*STEPS.items(), (LOST, -pl.col("vp_penalty"))]
    seats = source.tables["seats"].select(
        "game", label("policy").alias("policy"), *(value.cast(pl.Float64).alias(names[name]) for name, value in each)
    )
    if source.players > 1:
        seats = seats.group_by("game", "policy").agg(pl.all().mean())
    found = (
        seats.group_by("policy")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            *(pl.col(column).mean().alias(f"mean {column}") for column in names.values()),
            *(pl.col(column).std().alias(f"sd {column}") for column in names.values()),
        )
        .collect(engine="streaming")
    )
    drawn = pl.col("xeno_drawn").cast(pl.Float64)
    bag = source.tables["games"].select(
        pl.len().cast(pl.Int64).alias("n"), drawn.mean().alias("mean"), drawn.std().alias("sd")
    ).collect(engine="streaming").row(0, named=True)  # fmt: skip
    rows: list[dict[str, Any]] = []
    for row in sorted(found.to_dicts(), key=lambda row: place_of(source, row["policy"])):
        rows.append({"policy": row["policy"], "step": DRAWN, **bag})
        rows += [
            {"policy": row["policy"], "step": name, "n": row["n"], "mean": row[f"mean {c}"], "sd": row[f"sd {c}"]}
            for name, c in names.items()
        ]
    return within_sign(with_mean_bounds(pl.DataFrame(rows)))


def shares(source: Source, seed: int = 0) -> pl.DataFrame:
    """Return which share of the Xeno worlds is placed and conquered, and of the games brings a penalty, by policy.

    Parameters
    ----------
    source : Source
        A run for which `logged` holds.
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        policy, share (`KEPT`, `BEATEN`, `ANY`), n (games), k and of (worlds; for `ANY` games, in a game with several
        seats of the policy by share), rate, low, high. The worlds of one game are not independent, so the interval of
        the first two is a bootstrap over games (Wilson's, with games for trials, where fewer than `FEW` worlds are on
        either side); the last one's is Wilson's. Null where there is nothing to divide by.
    """
    of = {KEPT: ("taken", "placed"), BEATEN: ("placed", "conquered")}
    penalised = pl.sum_horizontal(pl.col(f"penalty_{size}").cast(pl.Int64) for size in PENALTIES)
    values = {
        "taken": STEPS["Taken or drawn by the player"], "placed": STEPS["Placed"], "conquered": STEPS["Conquered"],
    }  # fmt: skip
    seats = source.tables["seats"].select(
        "game", label("policy").alias("policy"), *(value.cast(pl.Int64).alias(name) for name, value in values.items()),
        (penalised > 0).cast(pl.Float64).alias("any"),
    )  # fmt: skip
    if source.players > 1:
        seats = seats.group_by("game", "policy").agg(*(pl.col(name).sum() for name in values), pl.col("any").mean())
    # games that are alike in all of this count together: the bootstrap draws from a few kinds of game
    kinds = (
        seats.group_by("policy", *values, "any").agg(pl.len().alias("games")).sort("policy", *values, "any")
    ).collect(engine="streaming")
    rows: list[dict[str, Any]] = []
    for place, policy in enumerate(sorted(kinds["policy"].unique(), key=lambda name: place_of(source, name))):
        own = kinds.filter(pl.col("policy") == policy)
        games = own["games"].to_numpy()
        n = int(games.sum())
        for name, (whole, part_of_it) in of.items():
            whole_of, some_of = own[whole].to_numpy(), own[part_of_it].to_numpy()
            total, some = int(games @ whole_of), int(games @ some_of)
            row: dict[str, Any] = {"policy": policy, "share": name, "n": n, "k": float(some), "of": total}
            if total:
                low, high = _bounds(games, whole_of, some_of, [seed, place])
                row |= {"rate": some / total, "low": low, "high": high}
            rows.append(row)
        k = float(games @ own["any"].to_numpy())
        low, high = (float(bound) for bound in wilson(k, n))
        rows.append({"policy": policy, "share": ANY, "n": n, "k": k, "of": n, "rate": k / n, "low": low, "high": high})
    return pl.DataFrame(rows, schema=SHARES)


def place_of(source: Source, policy: str) -> int:
    """Return the place of a policy: the first seat it has."""
    names = source.seat_policies
    return names.index(policy) if policy in names else len(names)


def _bounds(games: NDArray[Any], whole: NDArray[Any], some: NDArray[Any], seed: Sequence[int]) -> tuple[float, float]:
    """Return the interval of a share of worlds; all arrays have shape (kinds of game,)."""
    total, part = int(games @ whole), int(games @ some)
    if min(part, total - part) >= FEW:
        # a draw without any world says nothing
        found = count_interval([games], lambda drawn: (drawn @ some) / np.maximum(drawn @ whole, 1), seed=seed)
        return found.low, found.high
    # too few for a bootstrap: Wilson's, for as many trials as there are games with such a world
    trials = int(games[whole > 0].sum())
    low, high = wilson(part / total * trials, trials)
    return float(low), float(high)


TITLE = "Xeno worlds"


def part(group: Group) -> Part:
    """Return the part about Xeno worlds."""
    penalties = penalties_picture(group)
    pictures = [] if penalties is None else [penalties]
    usable = [source for source in group if logged(source)]
    if not usable:
        return Part(TITLE, pictures=pictures)
    worlds, rates = (by_policy(stack_runs(usable, numbers), usable) for numbers in (fates, shares))
    text = [
        "A Xeno world that is taken may be placed or put back; a placed one is conquered later, or costs VPs at the "
        f"end. {DRAWN}, worlds are counted per game, everything else per player; a world put back and drawn again "
        "counts again. Shares count worlds, their intervals games: the worlds of one game are not independent."
        + pooled(usable)
    ]
    return Part(TITLE, text, [table(usable, worlds, rates)], [picture(worlds, usable), *pictures])


def table(group: Group, worlds: pl.DataFrame, rates: pl.DataFrame) -> ReportTable:
    """Return worlds per game, shares and VPs lost, the runs and policies below each other."""
    cells = {(r["run"], r["step"]): (mean(r["mean"], r["low"], r["high"], 2), r["n"]) for r in
             reliable(worlds).to_dicts()}  # fmt: skip
    cells |= {
        (r["run"], r["share"]): ("–" if r["rate"] is None else rate(r["rate"], r["low"], r["high"]), r["n"])
        for r in rates.to_dicts()
    }
    runs = worlds["run"].unique(maintain_order=True).to_list()
    rows, notes = [], []
    for name in (DRAWN, *STEPS, KEPT, BEATEN, ANY, LOST):
        for run in runs:
            value, n = cells[run, name]
            rows.append([name, run, value, integer(n)])
            notes.append({DRAWN: "per game", LOST: "per player"}.get(name, "per player" if name in STEPS else ""))
    named = (worlds.rename({"step": "figure", "mean": "value"}), rates.rename({"share": "figure", "rate": "value"}))
    frame = pl.concat(
        [one.select("run", "policy", "figure", "n", "value", "low", "high") for one in named], how="vertical_relaxed"
    )
    several = len(group) == 1 and len(runs) > 1
    head = ["Xeno worlds", "Policy" if several else "Run", "Mean or share (95 % interval)", "n"]
    made = ReportTable("xeno_worlds", "What becomes of Xeno worlds", head, rows, "llrr", frame, notes)
    return made if several else without_run(group, made)


def picture(worlds: pl.DataFrame, group: Group) -> Picture:
    """Return the chart of what becomes of Xeno worlds."""
    order = {name: place for place, name in enumerate([DRAWN, *STEPS])}
    frame = (
        reliable(worlds.filter(pl.col("step") != LOST))
        .sort(pl.col("step").replace_strict(order, return_dtype=pl.Int64), maintain_order=True)
    )  # fmt: skip
    write = partial(mean, decimals=2)
    draw = partial(draw_amounts, column="step", label="mean number of Xeno worlds, 95 % interval", write=write)
    return Picture(
        "xeno_fate",
        "What becomes of Xeno worlds",
        "Mean number of Xeno worlds: drawn from the bag per game, then per player. Not kept: put back when they were "
        "taken. Penalised: placed and not conquered at the end." + pooled(group),
        "Mean number of Xeno worlds. " + spoken(frame, "step", "mean", write),
        worlds,
        one_axes(draw, frame, "step"),
    )


def by_policy(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Let the column run name the policy too where a run has several, and nothing else if there is one run."""
    name = pl.concat_str("run", "policy", separator=", ") if len(group) > 1 else pl.col("policy")
    several = pl.col("policy").n_unique().over("run") > 1
    return frame.with_columns(pl.when(several).then(name).otherwise("run").alias("run"))


def penalty_frequencies(tables: Tables) -> pl.DataFrame:
    """Return how often a player ended with 0, 1, 2 … Xeno penalties of each size.

    Returns
    -------
    DataFrame
        penalty (3, 6, 8), taken, n (games), k (games, a game counting by the share of its players),
        rate, low, high. Numbers between those seen are there with k = 0.
    """
    seats = players(tables)
    n = games(tables)
    parts = []
    for penalty in PENALTIES:
        seen = (
            tables["seats"]
            .group_by(pl.col(f"penalty_{penalty}").cast(pl.Int64).alias("taken"))
            .agg(results(seats).alias("k"))
            .collect()
        )
        most = seen["taken"].max() if not seen.is_empty() else -1
        every = pl.DataFrame({"taken": pl.int_range(0, int(str(most)) + 1, eager=True, dtype=pl.Int64)})
        parts.append(
            every.join(seen, on="taken", how="left").select(
                pl.lit(penalty, pl.Int64).alias("penalty"),
                "taken",
                pl.lit(n, pl.Int64).alias("n"),
                pl.col("k").fill_null(0),
            )
        )
    return with_rates(pl.concat(parts).sort("penalty", "taken"))


def penalties_picture(group: Group) -> Picture | None:
    """Return how often Xeno penalties are taken."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = in_order(same_cases(stack(played, penalty_frequencies)), played, "penalty", "taken")
    return Picture(
        "xeno_penalties",
        "Xeno penalties",
        "How many unconquered Xeno worlds of each penalty (−3, −6, −8 VPs) an empire holds at the end; "
        "numbers that no run reached are left out." + pooled(group),
        "Share of games by number of Xeno penalties. " + spoken(with_names(frame), "case", "rate", rate),
        frame,
        one_axes(partial(draw_rates, column="case"), with_names(frame), "case"),
    )


def same_cases(frame: pl.DataFrame) -> pl.DataFrame:
    """Give every run all numbers of penalties that any run reached: not reached is 0 of n, not unknown."""
    cases = frame.select("penalty", "taken").unique()
    runs = frame.select("run", "n").unique()
    counted = runs.join(cases, how="cross").join(
        frame.select("run", "penalty", "taken", "k"), how="left", on=["run", "penalty", "taken"]
    )
    return with_rates(counted.select("run", "penalty", "taken", "n", pl.col("k").fill_null(0)))


def with_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the column `case`: the size of the penalty and how many unconquered worlds have it."""
    taken = (
        pl.when(pl.col("taken") == 0).then(pl.lit("none")).otherwise(pl.col("taken").cast(pl.String) + " unconquered")
    )
    return frame.with_columns((pl.lit(MINUS) + pl.col("penalty").cast(pl.String) + ": " + taken).alias("case"))
