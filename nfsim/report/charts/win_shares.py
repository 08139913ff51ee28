"""Share of wins by seat, empire, policy …, with what equal strength would give."""

import polars as pl
from matplotlib.axes import Axes

from nfsim.report import theme
from nfsim.report.charts.rows import CAP, draw_rows, highest
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import rate

DASHES = (0, (4, 2))


def draw(frame: pl.DataFrame, ax: Axes, category: str, *, show_n: bool = False) -> Axes:
    """Draw each category's share of wins, dashed where it would be if all were equal.

    Parameters
    ----------
    frame : DataFrame
        run, `category`, n, rate, low, high, expected (with equal strength).
    ax : Axes
        Where to draw.
    category : str
        Column of the categories.
    show_n : bool
        Write n at every row, for categories that are not there in all games.
    """
    place = draw_rows(frame, ax, category, "rate", rate, show_n=show_n)
    percent_axis(ax, max(highest(frame["high"]), highest(frame["expected"]) * 1.1))
    ink = theme.colour("ink")
    if frame["expected"].n_unique() == 1:
        ax.axvline(frame["expected"][0], color=ink, linewidth=1.1, linestyle=DASHES)
    else:
        for run, name, expected in frame.select("run", pl.col(category).cast(pl.String), "expected").rows():
            y = place[name, run]
            ax.vlines(expected, y - 2 * CAP, y + 2 * CAP, color=ink, linewidth=1.1, linestyle=DASHES)
    ax.set_xlabel("share of wins, 95 % interval;\ndashed: equal strength")
    return ax
