"""Many comparisons at once: p-values that allow for how many there are."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from nfsim.stats.intervals import Floats

Method = Literal["fdr_bh", "holm"]


def adjusted(p: npt.ArrayLike, method: Method = "fdr_bh") -> Floats:
    """Return p-values adjusted for their number.

    Parameters
    ----------
    p : array_like, shape (comparisons,)
        NaN where there was nothing to compare: stays NaN and is not counted.
    method : {"fdr_bh", "holm"}
        Benjamini and Hochberg: of those that are at most q a share of q is expected to be chance. Holm: with
        probability 1 - q not a single one is.

    Returns
    -------
    ndarray, shape (comparisons,)
    """
    values = np.asarray(p, np.float64)
    found = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    if known.any():
        from statsmodels.stats.multitest import multipletests

        found[known] = multipletests(values[known], method=method)[1]
    return found


def with_adjusted(frame: pl.DataFrame, p: str = "p", method: Method = "fdr_bh") -> pl.DataFrame:
    """Add `p_adjusted` to a frame of comparisons: all its rows count as one family.

    Parameters
    ----------
    frame : DataFrame
        A null p is taken as NaN.
    p : str
        Its column of p-values.
    method : {"fdr_bh", "holm"}
        See `adjusted`.
    """
    values = frame[p].cast(pl.Float64).fill_null(np.nan).to_numpy()
    return frame.with_columns(pl.Series("p_adjusted", adjusted(values, method)))
