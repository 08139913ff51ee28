"""The numbers of a ladder of several players: small frames of its raw results, and the printed tables of those."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.report import formatting
from nfsim.stats.intervals import ENOUGH, mean_interval
from nfsim.stats.tournament import ahead_of_others, clustered_rate, ratings, win_shares
from nfsim.studies.ladder import Ladder

Frames = dict[str, pl.DataFrame]

NOTHING = float("nan")


def standings(ladder: Ladder, seed: int) -> Frames:
    """Return the frames of a ladder of several players by name.

    Parameters
    ----------
    ladder : Ladder
        What was played; at least one deal.
    seed : int
        Of the bootstrap.

    Returns
    -------
    dict
        `pairs` (both directions; one, others, n, games, rate, low, high, equal, worth) and `ratings` (policy, n,
        rating, vp, rounds, each with low and high).
    """
    return {"pairs": _pairs(ladder), "ratings": _ratings(ladder, seed)}


def _pairs(ladder: Ladder) -> pl.DataFrame:
    rows = []
    for one, others in itertools.permutations(range(len(ladder.policies)), 2):
        scores = [win_shares(result.won)[:, seat] for seat, result in ladder.seatings(one, others)]
        found = clustered_rate(np.stack(scores, axis=1))
        names = {"one": ladder.policies[one], "others": ladder.policies[others]}
        rows.append(names | found._asdict() | {"equal": 1 / ladder.seats})
    return pl.DataFrame(rows)


def _ratings(ladder: Ladder, seed: int) -> pl.DataFrame:
    count = len(ladder.policies)
    scores = {}
    for i, j in itertools.combinations(range(count), 2):
        ahead = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(i, j)]
        behind = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(j, i)]
        scores[i, j] = (np.mean(ahead, axis=0) + 1 - np.mean(behind, axis=0)) / 2
    rated = ratings(count, scores, seed=seed)
    rows = []
    for i, name in enumerate(ladder.policies):
        own = ladder.games[(i,) * ladder.seats]
        row = {"policy": name, "n": ladder.deals, "rating": float(rated.rating[i])}
        row |= {"rating_low": float(rated.low[i]), "rating_high": float(rated.high[i])}
        # the players of one game are not independent: its mean is one value
        for what, values in (("score", own.vp.mean(axis=1)), ("rounds", own.rounds)):
            mean, low, high = mean_of(values)
            row |= {what: mean, f"{what}_low": low, f"{what}_high": high}
        rows.append(row)
    return pl.DataFrame(rows)


def mean_of(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean of independent values and its interval; NaN for the bounds where there are too few."""
    n, mean, low, high = mean_interval(values)
    return (mean, low, high) if n >= ENOUGH else (mean, NOTHING, NOTHING)


def print_tournament(frames: Frames, seats: int) -> None:
    """Print who beats whom, the ratings, and what each policy does among its like."""
    pairs = frames["pairs"]
    if seats == 2:  # the other direction is the same games
        place = {name: i for i, name in enumerate(frames["ratings"]["policy"])}
        pairs = pairs.filter(
            pl.col("one").replace_strict(place, return_dtype=pl.Int64)
            < pl.col("others").replace_strict(place, return_dtype=pl.Int64)
        )
    equal = formatting.percent(1 / seats, 0 if 100 % seats == 0 else 1)
    others = "against" if seats == 2 else f"against {seats - 1} of"
    rows = [
        [r["one"], r["others"], formatting.rate(r["rate"], r["low"], r["high"]), formatting.integer(r["n"]),
         formatting.integer(r["games"]), formatting.signed(r["worth"], 2)]
        for r in pairs.to_dicts()
    ]  # fmt: skip
    heads = ["one", others, f"wins (95 % interval; equal: {equal})", "deals", "games", "worth"]
    print_table(heads, rows, title="Every seating of every pair on the same deals", right=[2, 3, 4, 5])
    say("worth: independent games that one of these games is worth; above 1, seatings of one deal evened out its luck")
    say()
    rows = [
        [r["policy"], _rating(r), formatting.mean(r["score"], r["score_low"], r["score_high"]),
         formatting.mean(r["rounds"], r["rounds_low"], r["rounds_high"])]
        for r in frames["ratings"].to_dicts()
    ]  # fmt: skip
    heads = ["policy", "rating (95 % interval)", "mean VPs, all seats this policy", "rounds, all seats this policy"]
    print_table(heads, rows, title="Ratings: who ends ahead of whom; 400 points are odds of 10 to 1", right=[1, 2, 3])


def _rating(row: dict[str, float]) -> str:
    low, high = row["rating_low"], row["rating_high"]
    if low == high == 0:
        return "0 (fixed)"
    bounds = "interval unknown" if np.isnan(low) else formatting.value_interval(low, high, 0)
    return f"{formatting.signed(row['rating'])} ({bounds})"
