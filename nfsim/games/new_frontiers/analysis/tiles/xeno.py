"""The fate of Xeno worlds: drawn from the bag, taken, placed, conquered or penalised, by policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from nfsim.games.new_frontiers.analysis.outcomes import PENALTIES
from nfsim.report.source import Source
from nfsim.stats.bootstrap import count_interval
from nfsim.stats.frames import label
from nfsim.stats.intervals import wilson, with_mean_bounds, within_sign

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
