"""Intervals for rates and means, vectorised.

A rate gets Wilson's score interval (it stays inside 0–1 and is right for rates near 0 and 1, where
many objectives are); a mean gets Student's t interval. Both are computed as statsmodels and scipy.stats do, to the
last digit, from the quantiles of `scipy.special`: those packages take most of a second to import, and every run prints
such intervals.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

LEVEL = 0.95
ENOUGH = 30  # values from which a mean's t interval can be relied on, however skewed they are

Floats = npt.NDArray[np.float64]


class MeanInterval(NamedTuple):
    """A mean with its interval.

    Attributes
    ----------
    n : int
        Independent values.
    mean, low, high : float
        NaN where there are too few values (no value: all three; one value: `low` and `high`).
    """

    n: int
    mean: float
    low: float
    high: float


def wilson(k: npt.ArrayLike, n: npt.ArrayLike, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return Wilson's interval for k successes in n trials.

    Parameters
    ----------
    k, n : array_like
        Broadcast against each other. `k` may be a sum of shares between 0 and 1 (split ties, the
        share of a game's players): such values vary less than yes/no ones, so the interval is then
        on the wide side, never too narrow.
    level : float
        Coverage.

    Returns
    -------
    low, high : ndarray
        Between 0 and 1; NaN where n is 0.
    """
    count, trials = np.broadcast_arrays(np.asarray(k, np.float64), np.asarray(n, np.float64))
    low, high = np.full(count.shape, np.nan), np.full(count.shape, np.nan)
    some = trials > 0
    if some.any():
        from scipy.special import ndtri

        n = trials[some]
        rate = count[some] / n
        quantile = -ndtri((1 - level) / 2.0)
        square = quantile**2
        scale = 1 + square / n
        centre = (rate + square / (2 * n)) / scale
        reach = quantile * np.sqrt(rate * (1.0 - rate) / n + square / (4.0 * n**2)) / scale
        low[some], high[some] = np.clip(centre - reach, 0, 1), np.clip(centre + reach, 0, 1)
    return low, high


def mean_bounds(
    n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike, level: float = LEVEL
) -> tuple[Floats, Floats]:
    """Return the t interval of means known by their number, mean and standard deviation.

    Parameters
    ----------
    n, mean, sd : array_like
        Broadcast against each other; `sd` with n - 1 in the denominator (NaN for one value).
    level : float
        Coverage.

    Returns
    -------
    low, high : ndarray
        NaN where n < 2; equal to the mean where all values are equal.
    """
    count, centre, spread = np.broadcast_arrays(
        np.asarray(n, np.float64), np.asarray(mean, np.float64), np.asarray(sd, np.float64)
    )
    low, high = np.full(count.shape, np.nan), np.full(count.shape, np.nan)
    # the interval of equal values is a point
    same = (count >= 2) & (spread == 0)
    low[same], high[same] = centre[same], centre[same]
    some = (count >= 2) & (spread > 0)
    if some.any():
        from scipy.special import stdtrit

        error = spread[some] / np.sqrt(count[some])
        ends = (stdtrit(count[some] - 1, q) for q in ((1.0 - level) / 2, (1.0 + level) / 2))
        low[some], high[some] = (centre[some] + quantile * error for quantile in ends)
    return low, high


def mean_interval(x: npt.ArrayLike, level: float = LEVEL) -> MeanInterval:
    """Return the mean of independent values with its t interval.

    Parameters
    ----------
    x : array_like
        Values, one axis.
    level : float
        Coverage.

    Returns
    -------
    MeanInterval
    """
    values = np.asarray(x, np.float64)
    n = int(values.size)
    if n == 0:
        return MeanInterval(0, np.nan, np.nan, np.nan)
    mean = float(values.mean())
    low, high = mean_bounds(n, mean, values.std(ddof=1) if n > 1 else np.nan, level)
    return MeanInterval(n, mean, float(low), float(high))


def with_rates(frame: pl.DataFrame) -> pl.DataFrame:
    """Add `rate`, `low` and `high` (Wilson) to a frame with the columns `k` and `n`."""
    low, high = wilson(frame["k"].to_numpy(), frame["n"].to_numpy())
    rate: Any = pl.when(pl.col("n") > 0).then(pl.col("k") / pl.col("n"))
    return frame.with_columns(rate.alias("rate"), pl.Series("low", low), pl.Series("high", high))


def with_mean_bounds(frame: pl.DataFrame) -> pl.DataFrame:
    """Add `low` and `high` (t) to a frame with the columns `n`, `mean` and `sd`."""
    n, mean, sd = (frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in ("n", "mean", "sd"))
    low, high = mean_bounds(n, mean, sd)
    return frame.with_columns(pl.Series("low", low), pl.Series("high", high))


def within_sign(frame: pl.DataFrame) -> pl.DataFrame:
    """Cut `low` and `high` at 0 for quantities that have one sign: the mean cannot lie beyond it."""
    low: Any = pl.when(pl.col("mean") >= 0).then(pl.max_horizontal("low", pl.lit(0.0))).otherwise("low")
    high: Any = pl.when(pl.col("mean") <= 0).then(pl.min_horizontal("high", pl.lit(0.0))).otherwise("high")
    nothing = pl.col("low").is_nan()
    return frame.with_columns(
        pl.when(nothing).then("low").otherwise(low).alias("low"),
        pl.when(nothing).then("high").otherwise(high).alias("high"),
    )


def reliable(frame: pl.DataFrame) -> pl.DataFrame:
    """Return estimates of means without `low` and `high` where n is too small for them."""
    few = pl.col("n") < ENOUGH
    return frame.with_columns(
        pl.when(few).then(pl.lit(float("nan"))).otherwise(pl.col(name)).alias(name) for name in ("low", "high")
    )
