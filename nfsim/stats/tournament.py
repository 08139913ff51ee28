"""Comparing policies that played the same deals: win rates and ratings (differences: `nfsim.stats.paired`).

The deal is the independent unit. The games of one deal (the same empires, goals and bag, in several seatings) are
correlated, so the spread is taken between the deals' means and never between games. Everything here is a function of
arrays of scores and knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import ENOUGH, LEVEL, Floats, mean_bounds, wilson

ELO = 400 / np.log(10)  # points of a rating a unit of strength: 400 points are odds of 10 to 1
HALF_WIN = 0.5  # added each way to each pair: a policy that never won is then far below and not infinitely far
BLOCKS = 5_000  # the bootstrap draws single deals up to so many; more are put together into so many blocks
REPEATS = 1_000
FEW = 10
EQUAL = 1e-12  # a spread that is nothing but rounding

Pair = tuple[int, int]


class Rate(NamedTuple):
    """A rate over games of which several belong to one deal.

    Attributes
    ----------
    n, games : int
        Deals, and games in all.
    rate, low, high : float
        Mean of the deals' means and its interval; NaN without deals.
    worth : float
        Independent games (another deal for each) that one of these games is worth: above 1 where playing every
        seating of a deal evened out its luck. NaN where it cannot be told: a single deal, or all games alike.
    """

    n: int
    games: int
    rate: float
    low: float
    high: float
    worth: float


def expected_score(points: float) -> float:
    """Return the chance to end ahead of somebody who is so many points weaker."""
    return float(1 / (1 + np.exp(-points / ELO)))


def win_shares(won: npt.NDArray[Any]) -> Floats:
    """Return what every seat has of its game's win: 1, or equal parts among those who share it.

    Parameters
    ----------
    won : ndarray, shape (games, seats)
        1 or True for the winners, at least one a game.
    """
    return np.asarray(won / won.sum(axis=1, keepdims=True), np.float64)


def ahead_of_others(rank: npt.NDArray[Any], seat: int) -> Floats:
    """Return the share of the other seats that a seat ended ahead of, a tie counting one half.

    Parameters
    ----------
    rank : ndarray, shape (games, seats)
        Place in the final ranking, 1 = first, equal for ties.
    seat : int
        Whose share.

    Returns
    -------
    ndarray, shape (games,)
    """
    others = np.delete(rank, seat, axis=1)
    own = rank[:, [seat]]
    return np.asarray(((own < others) + 0.5 * (own == others)).mean(axis=1), np.float64)


def clustered_rate(scores: npt.ArrayLike, level: float = LEVEL) -> Rate:
    """Return the mean of scores between 0 and 1 with an interval that respects that games share deals.

    Parameters
    ----------
    scores : array_like, shape (deals, games of a deal)
        The deals are independent of each other, the games of one are not.
    level : float
        Coverage.

    Returns
    -------
    Rate

    Notes
    -----
    A t interval over the deals' means, kept between 0 and 1. It cannot be relied on where wins (or losses) are few,
    and there is none where all games ended alike; with less than `FEW` deals' worth of either it is Wilson's, for
    as many trials as there are deals: on the wide side, since a deal's mean varies less than one game.
    """
    values = np.asarray(scores, np.float64)
    deals, each = values.shape
    if deals == 0:
        return Rate(0, 0, np.nan, np.nan, np.nan, np.nan)
    means = values.mean(axis=1)
    rate = float(means.mean())
    spread = float(means.std(ddof=1)) if deals > 1 else np.nan
    worth = float(values.var(ddof=1) / each / spread**2) if spread > EQUAL else np.nan
    if spread <= EQUAL and 0 < rate < 1:  # a deal's games cancel out, as where a policy plays against itself
        return Rate(deals, values.size, rate, rate, rate, worth)
    if min(rate, 1 - rate) * deals < FEW:
        low, high = wilson(rate * deals, deals, level)
    else:
        low, high = np.clip(mean_bounds(deals, rate, spread, level), 0.0, 1.0)
    return Rate(deals, values.size, rate, float(low), float(high), worth)


class Ratings(NamedTuple):
    """Strengths of policies on Elo's scale.

    Attributes
    ----------
    rating, low, high : ndarray, shape (policies,)
        Points above the first policy (whose three are 0), and the bootstrap's interval. Both bounds are NaN with
        fewer than `ENOUGH` deals, and for a policy whose distance from the first rests on pairs in which one side
        won everything: a bootstrap cannot tell how much stronger it may be.
    """

    rating: Floats
    low: Floats
    high: Floats


def ratings(
    policies: int,
    scores: Mapping[Pair, npt.NDArray[Any]],
    *,
    seed: int = 0,
    repeats: int = REPEATS,
    level: float = LEVEL,
) -> Ratings:
    """Fit the Bradley–Terry model by maximum likelihood, with bootstrap intervals over the deals.

    Parameters
    ----------
    policies : int
        How many.
    scores : mapping of (int, int) to ndarray, shape (deals,)
        For each pair ``(i, j)``, once, what `i` scored against `j` on every deal, from 0 to 1. All pairs have
        played the same deals: the bootstrap draws them for all pairs together.
    seed : int
        Of the bootstrap.
    repeats : int
        Bootstrap samples.
    level : float
        Coverage.

    Notes
    -----
    A deal counts as one comparison. `HALF_WIN` is added each way to each pair, which with two policies is Firth's
    correction of the likelihood; with thousands of deals it moves nothing that the interval would not hold.
    """
    pairs = list(scores)
    wins = np.stack([np.asarray(scores[pair], np.float64) for pair in pairs])  # (pairs, deals)
    deals = wins.shape[1]
    edges = np.linspace(0, deals, min(deals, BLOCKS) + 1).astype(int)[:-1]
    blocks, sizes = np.add.reduceat(wins, edges, axis=1), np.diff([*edges, deals])
    rating = _fit(policies, pairs, wins.sum(axis=1), deals)
    rng = np.random.default_rng(seed)
    drawn = np.empty((repeats, policies))
    for i in range(repeats):
        chosen = rng.integers(0, len(sizes), len(sizes))
        drawn[i] = _fit(policies, pairs, blocks[:, chosen].sum(axis=1), int(sizes[chosen].sum()))
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    unknown = _one_sided(policies, pairs, wins.mean(axis=1)) | (deals < ENOUGH)
    low[unknown], high[unknown] = np.nan, np.nan
    low[0] = high[0] = 0.0
    return Ratings(rating, low, high)


def _fit(policies: int, pairs: list[Pair], wins: Floats, deals: int) -> Floats:
    """Return ratings, the first 0, from the sums of scores of each pair."""
    import choix  # takes half a second, and only here it is needed

    counts = np.zeros((policies, policies))
    for (i, j), won in zip(pairs, wins, strict=True):
        counts[i, j], counts[j, i] = won + HALF_WIN, deals - won + HALF_WIN
    strengths = choix.ilsr_pairwise_dense(counts, max_iter=10_000)
    return np.asarray(ELO * (strengths - strengths[0]), np.float64)


def _one_sided(policies: int, pairs: list[Pair], rate: Floats) -> npt.NDArray[np.bool_]:
    """Tell of each policy whether it hangs together with the first one only by pairs in which one won everything."""
    known, group = [pair for pair, r in zip(pairs, rate, strict=True) if 0 < r < 1], {0}
    for _ in range(policies):
        group |= {k for pair in known for k in pair if set(pair) & group}
    return np.array([k not in group for k in range(policies)])
