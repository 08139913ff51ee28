"""How often Xeno penalties are taken, by size and number."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.rows import draw_rows, highest
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import MINUS, rate


def with_names(frame: pl.DataFrame) -> pl.DataFrame:
    """Add the column `case`: the size of the penalty and how many unconquered worlds have it."""
    taken = (
        pl.when(pl.col("taken") == 0).then(pl.lit("none")).otherwise(pl.col("taken").cast(pl.String) + " unconquered")
    )
    return frame.with_columns((pl.lit(MINUS) + pl.col("penalty").cast(pl.String) + ": " + taken).alias("case"))


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the share of games with 0, 1, 2 … penalties of each size.

    Parameters
    ----------
    frame : DataFrame
        run, penalty, taken, n, rate, low, high.
    ax : Axes
        Where to draw.
    """
    named = with_names(frame.sort("penalty", "taken", maintain_order=True))
    # sorting brings the runs out of order when one has more cases than another
    order = frame["run"].unique(maintain_order=True).to_list()
    named = named.with_columns(pl.col("run").cast(pl.Enum(order)).alias("order")).sort("penalty", "taken", "order")
    draw_rows(named, ax, "case", "rate", rate)
    percent_axis(ax, highest(frame["high"]))
    ax.set_xlabel("share of games, 95 % interval")
    return ax
