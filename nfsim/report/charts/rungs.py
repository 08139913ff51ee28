"""How far each policy of a solo ladder gets: one condition, a line for each policy."""

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nfsim.report import theme
from nfsim.report.charts.rows import CAP, draw_rows, legend
from nfsim.report.charts.win_rate import percent_axis
from nfsim.report.formatting import rate

ESTIMATE = ("rate", "low", "high")
BELOW = 0.145  # inches from a policy's line to that of its games as played
AIMED, PLAYED = "aimed at: only this one open", "as played: any one open"


def aimed(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rates with those of conditions aimed at in place of those as played, where there are any."""
    if "aims" not in frame.columns:
        return frame
    return frame.with_columns(pl.coalesce(f"aimed_{name}", name).alias(name) for name in ESTIMATE)


def draw(frame: pl.DataFrame, ax: Axes, most: float) -> Axes:
    """Draw the share of games in which each policy met a condition.

    Parameters
    ----------
    frame : DataFrame
        run (the condition), policy, n, rate, low, high. Where policies were told what to aim at, also aims and
        aimed_rate, aimed_low, aimed_high, missing for any condition.
    ax : Axes
        Where to draw.
    most : float
        Highest rate of the whole ladder: all conditions have one scale.
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


def write_key(figure: Figure) -> None:
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
