"""The numbers of a ladder of several players: small frames of its raw results."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from nfsim.stats.intervals import ENOUGH, mean_interval
from nfsim.stats.tournament import ahead_of_others, clustered_rate, ratings, win_shares
from nfsim.studies.ladder.games import Ladder

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
        rating, score, rounds, each with low and high).
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
        for what, values in (("score", own.score.mean(axis=1)), ("rounds", own.rounds)):
            mean, low, high = mean_of(values)
            row |= {what: mean, f"{what}_low": low, f"{what}_high": high}
        rows.append(row)
    return pl.DataFrame(rows)


def mean_of(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean of independent values and its interval; NaN for the bounds where there are too few."""
    n, mean, low, high = mean_interval(values)
    return (mean, low, high) if n >= ENOUGH else (mean, NOTHING, NOTHING)
