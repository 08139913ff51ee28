"""Intervals of a rate that stay valid however often one looks, and whenever one stops.

A plain interval covers the truth with 95 % at one number of games fixed beforehand. Who looks again and again, and
stops when it looks good, has a worse one. A confidence sequence covers at all numbers of games together with 95 %.

The method is the mixture martingale of Robbins (1970), with a beta distribution for binomial data. For a rate p

    M(p) = ∫ q^k (1 - q)^(n-k) dBeta(q; m p, m (1 - p)) / (p^k (1 - p)^(n-k))

is 1 without games and, if p is the true rate, a martingale: by Ville's inequality it then ever reaches 1 / (1 - level)
with probability at most 1 - level. The interval is all p for which it has not. Any weight m > 0 is valid that is chosen
before the games that count; it decides at how many games the interval is as narrow as it can be. It is taken from
a pilot: games played first, which then do not count.

Values between 0 and 1 (shares of a win, ties split) may stand for successes. Each factor of M is convex in the value,
so it is at most the mixture of the factors for 0 and 1, whose mean is 1: M is then a supermartingale, and the
interval valid, if wider than it need be.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import LEVEL, Floats
from nfsim.stats.planning import games_for_rate

SOONEST = 8.0  # an interval is as narrow as it can be at so many times the weight
LONGER = 2.4  # so many times the games of a plan fixed beforehand are needed then
EDGE = 1e-12  # how near to 0 and 1 bounds are searched; nearer, they are 0 and 1


def weight_for(k: float, n: int, width: float, first_look: int, level: float = LEVEL) -> float:
    """Return the weight with which an interval gets narrow soonest, as far as a pilot can tell.

    Parameters
    ----------
    k : float
        Successes in the pilot.
    n : int
        Games of the pilot.
    width : float
        That the interval shall have at the end.
    first_look : int
        Games that are played in any case.
    level : float
        Coverage.
    """
    rate = (k + 0.5) / (n + 1)  # a pilot without successes does not mean that there are none
    return max(1.0, max(LONGER * games_for_rate(rate, width, level), first_look) / SOONEST)


def sequence_bounds(k: npt.ArrayLike, n: npt.ArrayLike, weight: float, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the confidence sequence's interval after n games that count, for many pairs of k and n at once.

    Parameters
    ----------
    k, n : array_like
        Successes and games, without the pilot's; broadcast against each other. `k` may be a sum of shares.
    weight : float
        Chosen before these games, see `weight_for`.
    level : float
        With this probability the intervals for *all* n cover the true rate.

    Returns
    -------
    low, high : ndarray
        0 and 1 without games.
    """
    from scipy.optimize import elementwise

    count, games = np.broadcast_arrays(np.asarray(k, np.float64), np.asarray(n, np.float64))
    middle = np.clip(count / np.maximum(games, 1.0), EDGE, 1 - EDGE)

    def excess(p: Floats, k: Floats, n: Floats) -> Floats:
        return np.asarray(_log_martingale(p, k, n, weight) + np.log(1 - level), np.float64)

    def bound(edge: float) -> Floats:
        found = np.full(count.shape, np.round(edge))
        inside = excess(np.full(count.shape, edge), count, games) > 0  # else no rate up to the edge is excluded
        if inside.any():
            ends = np.minimum(middle, edge)[inside], np.maximum(middle, edge)[inside]
            found[inside] = elementwise.find_root(excess, ends, args=(count[inside], games[inside])).x
        return found

    return bound(EDGE), bound(1 - EDGE)


def _log_martingale(p: Floats, k: Floats, n: Floats, weight: float) -> Floats:
    """Return log M(p)."""
    from scipy.special import betaln, xlog1py, xlogy

    a, b = weight * p, weight * (1 - p)
    mixed = betaln(a + k, b + n - k) - betaln(a, b)
    return np.asarray(mixed - xlogy(k, p) - xlog1py(n - k, -p), np.float64)
