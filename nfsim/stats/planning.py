"""How many games it takes: for an interval of a given width, and to detect a difference.

Everything is two-sided. A width is the whole interval, high - low. Power is the probability that a true difference of
the given size is found (its p-value is below 1 - level). Paired means that both variants play the same deals: the
correlation is then that of what one deal gives in both variants, and the number is of deals, each played in both.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable

from nfsim.stats.intervals import LEVEL, mean_bounds, wilson

POWER = 0.8
MOST = 10**15  # beyond that nobody plays


def games_for_rate(rate: float, width: float, level: float = LEVEL) -> int:
    """Return the games after which Wilson's interval of a rate is at most so wide.

    Parameters
    ----------
    rate : float
        Expected, from 0 to 1; 0.5 is the worst case.
    width : float
        high - low, above 0 and below 1.
    level : float
        Coverage.
    """

    def too_wide(n: int) -> float:
        low, high = wilson(rate * n, n, level)
        return float(high - low) - width

    return _fewest(too_wide, 1)


def games_for_mean(sd: float, width: float, level: float = LEVEL) -> int:
    """Return the games after which the t interval of a mean is at most so wide, for values with that sd."""

    def too_wide(n: int) -> float:
        low, high = mean_bounds(n, 0.0, sd, level)
        return float(high - low) - width

    return _fewest(too_wide, 2)


def games_for_rate_difference(
    before: float, after: float, *, power: float = POWER, correlation: float | None = None, level: float = LEVEL
) -> int:
    """Return the games of each variant to detect that a rate goes from `before` to `after`.

    Parameters
    ----------
    before, after : float
        Rates, from 0 to 1.
    power : float
        Probability to detect it.
    correlation : float, optional
        Paired on deals; without it the variants play different ones.
    level : float
        1 - the error of the first kind.

    Raises
    ------
    ValueError
        If such rates cannot have such a correlation, or are equal.

    Notes
    -----
    Normal approximation with the null's and the alternative's own spread: for pairs this is McNemar's test as in
    Connor (1987).
    """
    from statsmodels.stats import power as powers
    from statsmodels.stats import proportion

    gap = after - before
    if gap == 0:
        raise ValueError("there is no difference to detect")
    if correlation is None:
        n = proportion.samplesize_proportions_2indep_onetail(gap, before, power, alpha=1 - level)
        return max(1, math.ceil(float(n)))
    low, high = correlations(before, after)
    if not low - 1e-9 <= correlation <= high + 1e-9:
        rates = f"rates of {before:g} and {after:g}"
        raise ValueError(f"{rates} cannot have a correlation of {correlation:g} (from {low:.3f} to {high:.3f})")
    product = before * (1 - before) * after * (1 - after)
    differ = before * (1 - after) + after * (1 - before) - 2 * correlation * math.sqrt(product)
    null, alternative = math.sqrt(max(differ, abs(gap))), math.sqrt(max(differ - gap**2, 0.0))
    n = powers.normal_sample_size_one_tail(abs(gap), power, (1 - level) / 2, std_null=null, std_alternative=alternative)
    return max(1, math.ceil(float(n)))


def correlations(before: float, after: float) -> tuple[float, float]:
    """Return the least and greatest correlation that two yes/no values with such rates can have (Fréchet)."""
    spread = math.sqrt(before * (1 - before) * after * (1 - after))
    if spread == 0:
        return 0.0, 0.0
    both = max(0.0, before + after - 1), min(before, after)
    return (both[0] - before * after) / spread, (both[1] - before * after) / spread


def games_for_mean_difference(
    difference: float, sd: float, *, power: float = POWER, correlation: float | None = None, level: float = LEVEL
) -> int:
    """Return the games of each variant to detect that a mean moves by `difference`.

    Parameters
    ----------
    difference : float
        Of the means; its sign does not matter.
    sd : float
        Standard deviation of single values, the same in both variants.
    power, correlation, level
        As for rates; a correlation below 1.
    """
    from statsmodels.stats.power import TTestIndPower, TTestPower

    if difference == 0:
        raise ValueError("there is no difference to detect")
    if correlation is None:
        solver, effect = TTestIndPower(), abs(difference) / sd
    else:
        if not -1 <= correlation < 1:
            raise ValueError(f"a correlation must be from -1 to below 1, not {correlation:g}")
        solver, effect = TTestPower(), abs(difference) / (sd * math.sqrt(2 * (1 - correlation)))

    def too_weak(n: int) -> float:
        return power - float(solver.power(effect, n, 1 - level))

    return _fewest(too_weak, 2)


def _fewest(excess: Callable[[int], float], least: int) -> int:
    """Return the smallest whole number from `least` on at which a falling function is no more above 0."""
    above = least
    while excess(above) > 0:
        above *= 2
        if above > MOST:
            raise ValueError(f"takes more than {MOST:.0e} games")
    numbers = range(max(least, above // 2), above + 1)
    return numbers[bisect.bisect_left(numbers, True, key=lambda n: not excess(n) > 0)]
