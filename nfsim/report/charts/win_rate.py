"""Win rate per condition, the lengths side by side."""

import polars as pl
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report.charts.rows import draw_rows, from_zero, highest
from nfsim.report.formatting import percent_tick, rate

LEAST = 0.01  # end of the axis where all shares are nearly 0


def draw(frame: pl.DataFrame, ax: Axes) -> Axes:
    """Draw the share of games in which each condition was met.

    Parameters
    ----------
    frame : DataFrame
        run, condition, n, rate, low, high.
    ax : Axes
        Where to draw.
    """
    draw_rows(frame, ax, "objective", "rate", rate)
    percent_axis(ax, highest(frame["high"]))
    ax.set_xlabel("share of games, 95 % interval")
    return ax


def percent_axis(ax: Axes, most: float) -> None:
    """Show shares from 0 to a little more than the highest, and not beyond 100 %."""
    from_zero(ax, min(1.0, max(most * 1.08, LEAST)))
    ax.xaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(4, steps=(1, 2, 2.5, 5, 10)))
