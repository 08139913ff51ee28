"""The numbers of a ladder of several players: small frames of its raw results."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from nfsim.stats.intervals import ENOUGH, Floats, mean_interval
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


def deal_scores(ladder: Ladder, one: int, other: int) -> Floats:
    """Return what a policy scores against another on every deal, from 0 to 1: one half if they are equally strong.

    It is the share of the others that one of it ends ahead of, over all seatings both ways. Alone it is one half plus
    half of what it wins more.
    """
    if ladder.seats == 1:
        won, lost = (ladder.games[policy,].won[:, 0] for policy in (one, other))
        return np.asarray((1 + won - lost) / 2, np.float64)
    ahead = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(one, other)]
    behind = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(other, one)]
    return np.asarray((np.mean(ahead, axis=0) + 1 - np.mean(behind, axis=0)) / 2, np.float64)


def identical(ladder: Ladder, one: int, other: int) -> bool:
    """Tell whether two policies played every deal alike: in all seatings of both the same scores, ranks and rounds."""
    sets = [result for players, result in ladder.games.items() if set(players) <= {one, other}]
    return all(
        bool(np.array_equal(first, column))
        for result in sets[1:]
        for first, column in zip(sets[0].columns(), result.columns(), strict=True)
    )


def alike(ladder: Ladder) -> list[tuple[str, str]]:
    """Return the pairs of policies that played every deal alike."""
    pairs = itertools.combinations(range(len(ladder.policies)), 2)
    return [(ladder.policies[i], ladder.policies[j]) for i, j in pairs if identical(ladder, i, j)]


def _ratings(ladder: Ladder, seed: int) -> pl.DataFrame:
    count = len(ladder.policies)
    scores = {(i, j): deal_scores(ladder, i, j) for i, j in itertools.combinations(range(count), 2)}
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
