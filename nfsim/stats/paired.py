"""Differences between two things measured on the same units (paired) or on different ones.

Two runs with the same seed play the same deals: unit by unit, what one deal gave here is compared with what it gave
there, and its luck cancels out. Where a deal is played several times in each variant, the deal is the unit
(`cluster_means`). Everything here is a function of arrays and knows no game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import LEVEL, Floats


class Difference(NamedTuple):
    """A rate or mean before and after, and how far apart they are.

    Attributes
    ----------
    n : int
        Units: pairs, or the smaller of two independent samples.
    before, after, difference : float
        `difference` is after minus before. NaN without units.
    low, high : float
        Interval of the difference; NaN where there are too few units.
    p : float
        Two-sided p-value of no difference; NaN where there are too few units.
    correlation : float
        Of before and after over the units: what pairing bought. NaN if either is constant or nothing was paired.
    replaces : float
        Unpaired units (of each variant) that one pair replaces: the variance of an unpaired difference over that of the
        paired one. Below 1 where pairing harmed; NaN if either is 0 or nothing was paired.
    """

    n: int
    before: float
    after: float
    difference: float
    low: float
    high: float
    p: float
    correlation: float
    replaces: float

    @property
    def interval(self) -> tuple[float, float, float]:
        """The difference with its bounds."""
        return self.difference, self.low, self.high


NOTHING = Difference(0, *([np.nan] * 8))


def paired_rates(before: npt.ArrayLike, after: npt.ArrayLike, level: float = LEVEL) -> Difference:
    """Compare two rates measured on the same units.

    Parameters
    ----------
    before, after : array_like of bool, shape (units,)
        Whether it happened, unit by unit. Shares between 0 and 1 (split ties) are for `paired_means`.
    level : float
        Coverage.

    Notes
    -----
    See `paired_counts`.
    """
    a, b = _pairs(before, after, bool)
    kept, gained, lost = int((a & b).sum()), int((~a & b).sum()), int((a & ~b).sum())
    return paired_counts(a.size - kept - gained - lost, gained, lost, kept, level)


def paired_counts(neither: int, gained: int, lost: int, kept: int, level: float = LEVEL) -> Difference:
    """Compare two rates measured on the same units, known by how often each pair of answers came up.

    Parameters
    ----------
    neither, gained, lost, kept : int
        Units in which it never happened, only after, only before, and both times.
    level : float
        Coverage.

    Notes
    -----
    The interval is the adjusted Wald interval of Agresti and Min (2005): half a unit is added to each of the four
    cells, which keeps its coverage where the two hardly ever differ. So it is not centred on the difference. The
    p-value is McNemar's mid-p: exact binomial, with the observed split counted half.
    """
    from scipy import stats

    n = neither + gained + lost + kept
    if n == 0:
        return NOTHING
    up, down, total = gained + 0.5, lost + 0.5, n + 2.0
    centre = (up - down) / total
    reach = float(stats.norm.isf((1 - level) / 2)) * np.sqrt((up + down) - (up - down) ** 2 / total) / total
    less, split = min(gained, lost), gained + lost
    p = min(float(2 * stats.binom.cdf(less, split, 0.5) - stats.binom.pmf(less, split, 0.5)), 1.0) if split else 1.0
    before, after = kept + lost, kept + gained
    product = before * (n - before) * after * (n - after)  # of whole numbers without end: no rounding
    apart = before * (n - before) + after * (n - after)
    together = n * (gained + lost) - (gained - lost) ** 2
    return Difference(
        n, before / n, after / n, (gained - lost) / n,
        float(max(centre - reach, -1.0)), float(min(centre + reach, 1.0)), p,
        (kept * neither - gained * lost) / product**0.5 if product else np.nan,
        apart / together if apart and together else np.nan,
    )  # fmt: skip


def paired_means(before: npt.ArrayLike, after: npt.ArrayLike, level: float = LEVEL) -> Difference:
    """Compare two means measured on the same units, by the paired t test.

    Parameters
    ----------
    before, after : array_like of float, shape (units,)
        Values unit by unit: VPs, shares of a win with ties split, means of a deal's games.
    level : float
        Coverage.

    Notes
    -----
    Where all units differ by the same amount there is no spread for a t test: the interval is that point, and p is
    the exact sign test's.
    """
    from scipy import stats

    a, b = _pairs(before, after, np.float64)
    n = a.size
    if n == 0:
        return NOTHING
    means = float(a.mean()), float(b.mean())
    gap = b - a
    difference = float(gap.mean())
    if n == 1:
        return Difference(1, *means, difference, *([np.nan] * 5))
    if (gap == gap[0]).all():
        p = 1.0 if gap[0] == 0 else 0.5 ** (n - 1)
        return Difference(n, *means, difference, difference, difference, p, *_bought(a, b))
    test = stats.ttest_rel(b, a)
    low, high = test.confidence_interval(level)
    return Difference(n, *means, difference, float(low), float(high), float(test.pvalue), *_bought(a, b))


def cluster_means(unit_ids: npt.ArrayLike, values: npt.ArrayLike) -> Floats:
    """Return one value per unit: the mean of the values that belong to it.

    Parameters
    ----------
    unit_ids, values : array_like, shape (values,)
        For example the number of the deal, and what a game of it gave.

    Returns
    -------
    ndarray, shape (units,)
        In ascending order of `unit_ids`: two variants that played the same units can be paired as they are.
    """
    ids, numbers = np.asarray(unit_ids), np.asarray(values, np.float64)
    if ids.shape != numbers.shape:
        raise ValueError(f"{ids.shape} units for {numbers.shape} values")
    places, counts = np.unique(ids, return_inverse=True, return_counts=True)[1:]
    return np.asarray(np.bincount(places, weights=numbers) / counts, np.float64)


def independent_rates(before: npt.ArrayLike, after: npt.ArrayLike, level: float = LEVEL) -> Difference:
    """Compare two rates measured on different units.

    Parameters
    ----------
    before, after : array_like, shape (units,)
        Whether it happened; shares between 0 and 1 where ties are split. They need not be equally many.
    level : float
        Coverage.
    """
    a, b = np.asarray(before, np.float64), np.asarray(after, np.float64)
    return independent_counts(float(a.sum()), a.size, float(b.sum()), b.size, level)


def independent_counts(
    k_before: float, n_before: int, k_after: float, n_after: int, level: float = LEVEL
) -> Difference:
    """Compare two rates known by their counts: Newcombe's interval from two of Wilson's, p by the score test.

    Parameters
    ----------
    k_before, n_before, k_after, n_after : float, int, float, int
        Successes (ties may be split) and trials.
    level : float
        Coverage.
    """
    from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

    if min(n_before, n_after) == 0:
        return NOTHING
    before, after = k_before / n_before, k_after / n_after
    counts = k_after, n_after, k_before, n_before
    low, high = confint_proportions_2indep(*counts, method="newcomb", compare="diff", alpha=1 - level)
    # where everything or nothing succeeded on both sides the pooled variance is 0
    same = k_before + k_after in (0, n_before + n_after)
    p = 1.0 if same else float(proportions_ztest([k_after, k_before], [n_after, n_before])[1])
    n = min(n_before, n_after)
    return Difference(n, before, after, after - before, float(low), float(high), p, np.nan, np.nan)


def independent_means(before: npt.ArrayLike, after: npt.ArrayLike, level: float = LEVEL) -> Difference:
    """Compare two means measured on different units, by Welch's t test.

    Parameters
    ----------
    before, after : array_like of float, shape (units,)
        They need not be equally many.
    level : float
        Coverage.

    Notes
    -----
    Where neither sample varies the interval is a point and p is 1 if they are equal, else NaN.
    """
    from scipy import stats

    a, b = np.asarray(before, np.float64), np.asarray(after, np.float64)
    n = min(a.size, b.size)
    if n == 0:
        return NOTHING
    means = float(a.mean()), float(b.mean())
    difference = means[1] - means[0]
    if n == 1:
        return Difference(1, *means, difference, *([np.nan] * 5))
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        p = 1.0 if difference == 0 else np.nan
        return Difference(n, *means, difference, difference, difference, p, np.nan, np.nan)
    test = stats.ttest_ind(b, a, equal_var=False)
    low, high = test.confidence_interval(level)
    return Difference(n, *means, difference, float(low), float(high), float(test.pvalue), np.nan, np.nan)


def _pairs(before: npt.ArrayLike, after: npt.ArrayLike, kind: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    a, b = np.asarray(before, kind), np.asarray(after, kind)
    if a.shape != b.shape or a.ndim != 1:
        raise ValueError(f"not pairs: {a.shape} and {b.shape}")
    return a, b


def _bought(a: Floats, b: Floats) -> tuple[float, float]:
    """Return what pairing bought: the correlation, and unpaired units that a pair replaces."""
    if a.size < 2:
        return np.nan, np.nan
    apart, together = float(a.var() + b.var()), float((b - a).var())
    constant = np.ptp(a) == 0 or np.ptp(b) == 0
    correlation = np.nan if constant else float(np.corrcoef(a, b)[0, 1])
    return correlation, apart / together if apart > 0 and together > 0 else np.nan
