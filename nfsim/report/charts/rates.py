"""Rates: how often something was met or won, in rows with intervals."""

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from nfsim.report import theme
from nfsim.report.charts.rows import CAP, draw_rows, from_zero, highest, legend
from nfsim.report.formatting import percent_tick, rate

OF_GAMES = "share of games, 95 % interval"
LEAST = 0.01  # end of the axis where all shares are nearly 0
DASHES = (0, (4, 2))
ESTIMATE = ("rate", "low", "high")
BELOW = 0.145  # inches from a policy's line to that of its games as played
AIMED, PLAYED = "aimed at: only this one open", "as played: any one open"


def draw_rates(
    frame: pl.DataFrame, ax: Axes, column: str, label: str = OF_GAMES, *, bars: bool = True, most: float | None = None
) -> Axes:
    """Draw the rate of each category.

    Parameters
    ----------
    frame : DataFrame
        run, `column`, n, rate, low, high.
    ax : Axes
        Where to draw.
    column : str
        Of the categories.
    label : str
        What the axis counts.
    bars : bool
        Draw a pale bar from 0 to the estimate.
    most : float, optional
        Highest rate of several axes of one scale; that of the frame if None.
    """
    draw_rows(frame, ax, column, "rate", rate, bars=bars)
    percent_axis(ax, highest(frame["high"]) if most is None else most)
    ax.set_xlabel(label)
    return ax


def percent_axis(ax: Axes, most: float) -> None:
    """Show shares from 0 to a little more than the highest, and not beyond 100 %."""
    from_zero(ax, min(1.0, max(most * 1.08, LEAST)))
    ax.xaxis.set_major_formatter(FuncFormatter(percent_tick))
    ax.xaxis.set_major_locator(MaxNLocator(4, steps=(1, 2, 2.5, 5, 10)))


def draw_wins(frame: pl.DataFrame, ax: Axes, category: str, *, show_n: bool = False) -> Axes:
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


def aimed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rates with those of objectives aimed at in place of those as played, where there are any."""
    if "aims" not in frame.columns:
        return frame
    return frame.with_columns(pl.coalesce(f"aimed_{name}", name).alias(name) for name in ESTIMATE)


def draw_rungs(frame: pl.DataFrame, ax: Axes, most: float) -> Axes:
    """Draw the share of games in which each policy met an objective.

    Parameters
    ----------
    frame : DataFrame
        run (the objective), policy, n, rate, low, high. Where policies were told what to aim at, also aims and
        aimed_rate, aimed_low, aimed_high, missing for any objective.
    ax : Axes
        Where to draw.
    most : float
        Highest rate of the whole ladder: all objectives have one scale.
    """
    place = draw_rows(aimed(frame), ax, "policy", "rate", rate)
    if "aims" in frame.columns:
        paper = theme.colour("paper")
        if frame["aimed_rate"].null_count():
            for line in ax.lines:
                line.set_markerfacecolor(paper)
            legend(ax)
        for row in frame.filter(pl.col("aims") & pl.col("aimed_rate").is_not_null()).to_dicts():
            _draw_played(ax, place[row["policy"], row["run"]] + BELOW, *(row[name] for name in ESTIMATE))
    percent_axis(ax, most)
    ax.tick_params(axis="y", pad=7)  # a marker at 0 stands half outside the axes
    return ax


def write_rungs_key(figure: Figure) -> None:
    """Say above all axes what filled and hollow markers are."""
    colour = theme.series(0)
    marks = [
        Line2D([], [], marker=theme.marker(0), color=colour, markerfacecolor=face, linewidth=0, label=label)
        for face, label in ((colour, AIMED), (theme.colour("paper"), PLAYED))
    ]
    figure.legend(handles=marks, loc="outside upper left", ncols=2, handletextpad=0.1, columnspacing=1.0)


def _draw_played(ax: Axes, y: float, value: float, low: float, high: float) -> None:
    """Draw a rate as played below the one aimed at."""
    colour = theme.series(0)
    ax.hlines(y, low, high, color=colour, linewidth=1.0)
    ax.vlines([low, high], y - 0.7 * CAP, y + 0.7 * CAP, color=colour, linewidth=1.0)
    ax.plot(
        value, y, theme.marker(0), color=colour, markerfacecolor=theme.colour("paper"), markersize=4.2, clip_on=False,
        zorder=3,
    )  # fmt: skip
    ax.annotate(
        rate(value, low, high), (1, y), xycoords=("axes fraction", "data"), xytext=(6, 0), textcoords="offset points",
        va="center", annotation_clip=False, fontsize=7.6, color=theme.colour("muted"),
    )  # fmt: skip
