"""The files of a ladder: its tables as CSV, its numbers as JSON, and one chart as PNG and SVG."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nfsim.contract.objectives import Words
from nfsim.report import svg, theme
from nfsim.report.charts import heat_map
from nfsim.report.charts.rates import aimed, draw_rungs, write_rungs_key
from nfsim.report.charts.rows import block_of, highest
from nfsim.report.formatting import csv_of, percent, rate
from nfsim.report.page import write
from nfsim.report.picture import Picture, panels, spoken, write_note

NAME = "ladder"
TABLES = {"pairs", "ratings", "rungs", "steps", "score", "looks"}  # what a ladder of either kind may write


def win_matrix_picture(pairs: pl.DataFrame, names: Sequence[str], about: str) -> Picture:
    """Return who beats whom.

    Parameters
    ----------
    pairs : DataFrame
        one, others, n, rate, low, high, equal: both directions of every pair.
    names : sequence of str
        Policies in order.
    about : str
        What was played, for the line under the chart.
    """
    equal = float(pairs["equal"][0])
    players = round(1 / equal)
    title = "Wins of the row against the column"
    if players > 2:
        title = f"Wins of one of the row against {players - 1} of the column"
    even = percent(equal, 0 if 100 % players == 0 else 1)
    note = f"{about}; small: 95\N{NO-BREAK SPACE}% interval; equal strength: {even}"
    with theme.style():
        figure = Figure(figsize=heat_map.size(names), layout="constrained")
        heat_map.draw_matrix(pairs, figure.subplots(), names)
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold")
        write_note(figure, note)
    said = (f"{r['one']} against {r['others']}: {rate(r['rate'], r['low'], r['high'])}" for r in pairs.to_dicts())
    return Picture(NAME, title, note, f"{note}. {'; '.join(said)}.", pairs, figure)


def rungs_picture(rates: pl.DataFrame, about: str, words: Words) -> Picture:
    """Return how far each policy gets with every objective.

    Parameters
    ----------
    rates : DataFrame
        policy, objective, n, rate, low, high; where policies were told what to aim at, also aims and aimed_rate,
        aimed_low, aimed_high.
    about : str
        What was played, for the line under the chart.
    words : Words
        Of the game.
    """
    frame = rates.rename({"objective": "run"})
    aims = "aims" in frame.columns
    most = highest(*(frame[name] for name in ("high", "aimed_high") if name in frame.columns))
    first = frame.filter(pl.col("run") == frame["run"][0])

    def draw(own: pl.DataFrame, ax: Axes, _place: int) -> None:
        draw_rungs(own, ax, most)

    height = 0.62 + len(first) * block_of(first, "policy")
    figure = panels(frame, draw, height, share_x=True)
    note = f"{about}; share of games that met the {words.objective}, 95\N{NO-BREAK SPACE}% interval"
    said = spoken(frame, "policy", "rate", rate)
    if aims:
        note += "; policies that cannot aim play as always, whatever is open"
        only = aimed(frame.filter(pl.col("aimed_rate").is_not_null()))
        said = f"Aimed at: {spoken(only, 'policy', 'rate', rate)} As played: {said}"
    with theme.style():
        write_note(figure, note)
        if aims:
            write_rungs_key(figure)
    return Picture(NAME, f"{words.objectives.capitalize()} met", note, f"{note}. {said}", rates, figure)


def write_files(
    out: Path, frames: Mapping[str, pl.DataFrame], numbers: Any, picture: Picture, below: str = ""
) -> list[Path]:
    """Write everything a ladder found out.

    Parameters
    ----------
    out : Path
        Folder; made if it is not there, earlier files of the same names are replaced.
    frames : mapping of str to DataFrame
        Tables by name: written as ``ladder_<name>.csv``.
    numbers : object
        What ``--json`` prints.
    picture : Picture
        The chart.
    below : str
        Written below it in its files.

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    BadInput
        If the folder cannot be written.
    """
    files = {f"{NAME}_{name}.csv": csv_of(frame) for name, frame in frames.items()}
    files[f"{NAME}.json"] = (json.dumps(numbers, indent=1) + "\n").encode()
    files[f"{NAME}.png"] = svg.png(picture.figure, below)
    files[f"{NAME}.svg"] = svg.file(svg.raw(picture.figure), picture.title, picture.alt, below)
    write(files, out)
    for name in TABLES - set(frames):  # of a ladder that was here before
        (out / f"{NAME}_{name}.csv").unlink(missing_ok=True)
    return [out / name for name in files]


def write_test(out: Path, looks: pl.DataFrame, numbers: Any) -> list[Path]:
    """Write what a test of two policies found: its numbers, and the evidence as it grew; as `write_files`."""
    files = {f"{NAME}_looks.csv": csv_of(looks), f"{NAME}.json": (json.dumps(numbers, indent=1) + "\n").encode()}
    write(files, out)
    for name in (*(f"{NAME}_{table}.csv" for table in TABLES), f"{NAME}.png", f"{NAME}.svg"):
        if name not in files:  # of a ladder that was here before
            (out / name).unlink(missing_ok=True)
    return [out / name for name in files]
