"""What becomes of Xeno worlds: drawn, taken, placed, conquered, penalised."""

from functools import partial

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows, from_zero, highest
from nfsim.report.formatting import mean

write = partial(mean, decimals=2)


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the mean number of worlds at each step.

    Parameters
    ----------
    frame : DataFrame
        run, step, n, mean, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "step", "mean", write)
    from_zero(ax, highest(frame["mean"], frame["high"]) * 1.04)
    ax.locator_params(axis="x", nbins=6)
    ax.set_xlabel("mean number of Xeno worlds, 95 % interval")
    return ax
