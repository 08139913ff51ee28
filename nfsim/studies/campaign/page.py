"""The chart of several campaigns: how often each is won, the lengths side by side."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.report import svg, theme
from nfsim.report.charts.rates import draw_rates
from nfsim.report.formatting import csv_of, rate
from nfsim.report.page import write
from nfsim.report.picture import Picture, one_axes, spoken, write_note

NAME = "campaigns"


def campaigns_picture(frame: pl.DataFrame, about: str) -> Picture:
    """Return how often each campaign is won.

    Parameters
    ----------
    frame : DataFrame
        run (the length), campaign, n, k, rate, low, high.
    about : str
        What was played by whom, for the line under the chart.
    """
    label = "share of campaigns won, 95 % interval"
    draw = partial(draw_rates, column="campaign", label=label, bars=False)
    figure = one_axes(draw, frame, "campaign")

    title = "Campaigns won"
    figure.set_figheight(figure.get_figheight() + 0.9)
    with theme.style():
        figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold")
        write_note(figure, about)
    return Picture(NAME, title, about, f"{about}. {spoken(frame, 'campaign', 'rate', rate)}", frame, figure)


def write_files(out: Path, numbers: Any, pictures: Sequence[Picture]) -> list[Path]:
    """Write the numbers as JSON and each chart with its numbers as CSV, PNG and SVG.

    Raises
    ------
    BadInput
        If the folder cannot be written.
    """
    files = {f"{NAME}.json": (json.dumps(numbers, indent=1) + "\n").encode()}
    for picture in pictures:
        files[f"{picture.name}.csv"] = csv_of(picture.frame)
        files[f"{picture.name}.png"] = svg.png(picture.figure)
        files[f"{picture.name}.svg"] = svg.file(svg.raw(picture.figure), picture.title, picture.alt)
    write(files, out)
    return [out / name for name in files]
