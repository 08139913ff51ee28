"""Share of wins by seat."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import draw_rows, highest
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.numbers import rate


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw each seat's share of wins, with a line where all seats would be equal.

    Parameters
    ----------
    frame : DataFrame
        run, seat, n, rate, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame.with_columns(seat_name("seat")), ax, "seat", "rate", rate)
    equal = 1 / max(frame["seat"].n_unique(), 1)
    most = highest(frame["high"])
    percent_axis(ax, max(most, equal * 1.1))
    ax.axvline(equal, color=theme.colour("ink"), linewidth=1.1, linestyle=(0, (4, 2)))
    ax.set_xlabel("share of wins, 95 % interval;\ndashed: equal seats")
    return ax


def seat_name(column: str) -> pl.Expr:
    """Return the name of a seat."""
    return (pl.lit("Seat ") + pl.col(column).cast(pl.String)).alias(column)
