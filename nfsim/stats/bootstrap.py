"""Bootstrap intervals, for statistics that have no formula: of values, and of how often each whole number occurred.

Percentile intervals: the statistic of as many games drawn anew, with replacement, again and again. Games of a large
run that only differ in a whole number (VPs) are drawn as counts, from a multinomial distribution, which is the same
and takes no longer for a million games than for a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import LEVEL, Floats

REPEATS = 2_000
AT_ONCE = 5_000_000  # values drawn at a time

Statistic = Callable[..., Floats]


class Estimate(NamedTuple):
    """A statistic with its interval.

    Attributes
    ----------
    n : int
        Independent units; of several samples the smallest.
    value, low, high : float
        NaN without units; low and high NaN for a single one.
    """

    n: int
    value: float
    low: float
    high: float


def value_interval(
    values: npt.ArrayLike, statistic: Statistic, *, seed: int = 0, repeats: int = REPEATS, level: float = LEVEL
) -> Estimate:
    """Return a statistic of independent values with its interval (scipy.stats.bootstrap).

    Parameters
    ----------
    values : array_like, shape (units,)
    statistic : callable
        ``statistic(values, axis=-1)``, vectorised, such as numpy.median.
    seed, repeats, level : int, int, float
        Of the draws, how many, coverage.
    """
    x = np.asarray(values, np.float64)
    if x.size == 0:
        return Estimate(0, np.nan, np.nan, np.nan)
    value = float(statistic(x, axis=-1))
    if x.size == 1:
        return Estimate(1, value, np.nan, np.nan)
    from scipy import stats

    found = stats.bootstrap(
        (x,), statistic, n_resamples=repeats, batch=max(1, AT_ONCE // x.size), vectorized=True,
        confidence_level=level, method="percentile", rng=np.random.default_rng(seed),
    ).confidence_interval  # fmt: skip
    return Estimate(x.size, value, float(found.low), float(found.high))


def count_interval(
    samples: Sequence[npt.ArrayLike],
    statistic: Statistic,
    *,
    seed: int | Sequence[int] = 0,
    repeats: int = REPEATS,
    level: float = LEVEL,
) -> Estimate:
    """Return a statistic of how often each outcome occurred, in one sample or several independent ones.

    Parameters
    ----------
    samples : sequence of array_like of int, each of any shape
        Units by outcome. Two things known of the same units are one sample with two axes (a joint table).
    statistic : callable
        ``statistic(*counts)`` with arrays of shape ``(draws, *outcomes)``, one per sample, gives shape ``(draws,)``.
        Infinite values are allowed: they say that the statistic lies beyond what occurred.
    seed, repeats, level : int or sequence of int, int, float
        Of the draws, how many, coverage.
    """
    tables = [np.asarray(sample, np.int64) for sample in samples]
    sizes = [int(table.sum()) for table in tables]
    if min(sizes) == 0:
        return Estimate(0, np.nan, np.nan, np.nan)
    value = float(statistic(*(table[None] for table in tables))[0])
    if min(sizes) == 1:
        return Estimate(1, value, np.nan, np.nan)
    rng = np.random.default_rng(seed)
    drawn = [
        rng.multinomial(size, table.ravel() / size, repeats).reshape(repeats, *table.shape)
        for table, size in zip(tables, sizes, strict=True)
    ]
    found = statistic(*drawn)
    # values that were drawn, and none between them: the mean of a number and infinity says nothing
    low = np.quantile(found, (1 - level) / 2, method="lower")
    high = np.quantile(found, (1 + level) / 2, method="higher")
    return Estimate(min(sizes), value, float(low), float(high))


def quantile_of(counts: npt.ArrayLike, first: int = 0, q: float = 0.5) -> Floats:
    """Return a quantile of whole numbers known by their counts, for use with `count_interval`.

    Parameters
    ----------
    counts : array_like, shape (..., values)
        How often `first`, `first` + 1, … occurred; not all 0.
    first : int
        The value of the first count.
    q : float
        0.5: the median, which is the middle of two values where exactly half lie below.

    Returns
    -------
    ndarray, shape (...)
    """
    below = np.cumsum(np.asarray(counts, np.int64), axis=-1)
    wanted = q * below[..., -1:]
    low = (below < wanted).sum(axis=-1)
    high = (below <= wanted).sum(axis=-1)
    return np.asarray(first + (low + np.minimum(high, below.shape[-1] - 1)) / 2, np.float64)
