"""A figure of a report: its numbers, its drawing, and the words that go with it."""

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from nfsim.report import theme
from nfsim.report.charts import rows
from nfsim.report.source import Source
from nfsim.stats.frames import Tables

Group = Sequence[Source]

CHARACTERS = 13.5  # of a note, an inch
SPOKEN = 60  # estimates a drawing's description lists at most; all are in its CSV file


@dataclass(frozen=True)
class Picture:
    """A figure ready to be put on a page.

    Attributes
    ----------
    name : str
        Name of its files.
    title, note, alt : str
        Heading, caption, and the drawing in words.
    frame : DataFrame
        The numbers behind it.
    figure : Figure
        The drawing.
    """

    name: str
    title: str
    note: str
    alt: str
    frame: pl.DataFrame
    figure: Figure


def stack(group: Group, numbers: Callable[[Tables], pl.DataFrame]) -> pl.DataFrame:
    """Return what all runs of a group have in their tables, as `stack_runs` does."""
    return stack_runs(group, lambda source: numbers(source.tables))


def stack_runs(group: Group, numbers: Callable[[Source], pl.DataFrame]) -> pl.DataFrame:
    """Return the numbers of all runs of a group, the first column naming the run.

    A run that has none (a frame without columns) is left out; a column that some runs lack is null for them.
    """
    found = [(source.label, numbers(source)) for source in group]
    parts = [frame.select(pl.lit(label).alias("run"), pl.all()) for label, frame in found if frame.columns]
    return pl.concat(parts, how="diagonal_relaxed") if parts else pl.DataFrame()


def pooled(group: Group) -> str:
    """Say how the players of one game are counted, if there are several."""
    if group[0].players < 2:
        return ""
    return (
        " Players of one game are not independent: a game counts by the mean (or share) of its players; "
        "intervals of such shares are on the wide side."
    )


def in_order(frame: pl.DataFrame, group: Group, *by: str, run_first: bool = False) -> pl.DataFrame:
    """Sort rows by columns and, before or after them, by the order of the runs."""
    runs = {source.label: i for i, source in enumerate(group)}
    run = pl.col("run").replace_strict(runs, return_dtype=pl.Int64)
    return frame.sort([run, *by] if run_first else [*by, run])


def one_axes(draw: Callable[[pl.DataFrame, Axes], Axes], frame: pl.DataFrame, category: str) -> Figure:
    """Return a drawing of rows on one pair of axes, as high as its rows need."""
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, rows.height(frame, category)), layout="constrained")
        draw(frame, figure.subplots())
    return figure


def panels(
    frame: pl.DataFrame,
    draw: Callable[[pl.DataFrame, Axes, int], None],
    height: float,
    columns: int = 1,
    *,
    share_x: bool = False,
) -> Figure:
    """Return a drawing with small axes for each run, its label above each.

    Parameters
    ----------
    frame : DataFrame
        With the column run.
    draw : callable
        Draws (the run's rows, the axes, the run's place).
    height : float
        Inches of a row of axes.
    columns : int
        Axes side by side.
    share_x : bool
        The same x scale everywhere.
    """
    runs = rows.runs_of(frame)
    lines = -(-len(runs) // columns)
    with theme.style():
        layout = ConstrainedLayoutEngine(wspace=0.06)
        figure = Figure(figsize=(theme.WIDTH, 0.5 + lines * height), layout=layout)
        grid = figure.subplots(lines, columns, squeeze=False, sharex=share_x)
        for i, ax in enumerate(grid.flat):
            if i >= len(runs):
                ax.set_visible(False)
                continue
            draw(frame.filter(pl.col("run") == runs[i]), ax, i)
            ax.tick_params(labelbottom=True)
    return figure


def spoken(frame: pl.DataFrame, category: str, value: str, write: rows.Estimate) -> str:
    """Put a frame of estimates into words, run by run."""
    said = frame.head(SPOKEN)
    sentences = []
    for run in rows.runs_of(said):
        own = said.filter(pl.col("run") == run).select(pl.col(category).cast(pl.String), value, "low", "high")
        sentences.append(f"{run}: " + "; ".join(f"{name} {write(*numbers)}" for name, *numbers in own.rows()))
    rest = "" if len(said) == len(frame) else f" And {len(frame) - len(said)} more."
    return ". ".join(sentences) + "." + rest


def write_note(figure: Figure, note: str) -> None:
    """Write a line under a chart, on as many lines as it needs."""
    lines = textwrap.wrap(note, int(figure.get_figwidth() * CHARACTERS))
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8.5)
