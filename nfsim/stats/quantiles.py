"""An interval for a median that assumes nothing about how the values are distributed."""

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import LEVEL


def median_bounds(values: npt.ArrayLike, level: float = LEVEL) -> tuple[float, float]:
    """Return the exact interval of a median, from order statistics and the binomial distribution.

    Parameters
    ----------
    values : array_like, one axis
        Independent values. With many equal ones, such as VPs, the interval is on the wide side.
    level : float
        Least coverage.

    Returns
    -------
    low, high : float
        Two of the values; NaN where there are too few of them for an interval.
    """
    from scipy import stats

    array = np.asarray(values, np.float64)
    if array.size == 0:
        return np.nan, np.nan
    low, high = stats.quantile_test(array, p=0.5).confidence_interval(level)
    return float(low), float(high)
