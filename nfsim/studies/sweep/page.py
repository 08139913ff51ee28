"""The page of a sweep: pictures, tables and sentences about its variants."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from nfsim.report import theme
from nfsim.report.answers import doubts
from nfsim.report.charts.levels import draw_levels
from nfsim.report.charts.rows import NAME_WIDTH, RUN_WIDTH, legend_label, lines_of, runs_of, span, wrap
from nfsim.report.formatting import change, integer, mean, p_value, percent, points, rate, signed
from nfsim.report.page import Answer, Part
from nfsim.report.picture import Picture, spoken
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.studies.compare.numbers import RATE, SURE
from nfsim.studies.sweep.numbers import Axis, Swept, over_bags, variants

LINES = len(theme.SERIES)  # series that one picture can tell apart
PANEL = 1.55  # inches of a row of axes
MOST_ROWS = 60  # of a table on the page; the CSV file has all
MOST_SAID = 6  # sentences about differences
ALL = "all variants"
BY_VARIANT = "Outcomes by variant"
ONE_CHANGED = "Differences where one level is another and all else the same"


def main_axis(swept: Swept) -> Axis | None:
    """Return the axis that charts are drawn along: the first of numbers, else the first that is not drawn bags."""
    numeric = [axis for axis in swept.fixed if axis.values is not None]
    return next(iter([*numeric, *swept.fixed]), None)


def level_parts(swept: Swept, changed: pl.DataFrame, chosen: str) -> list[Part]:
    """Return the parts about the levels of all factors but drawn bags."""
    axis = main_axis(swept)
    if axis is None:
        return []
    figures = list(dict.fromkeys([chosen, *swept.headlines]))
    named = [figure for figure in figures if figure in swept.units]
    return [
        Part("What the levels change", effects(swept, changed, named), [changes_table(swept, changed, chosen)]),
        Part("Outcomes by level", pictures=pictures(swept, axis)),
    ]


def answer(swept: Swept, chosen: str, sources: Sequence[Source]) -> Answer:
    """Return what the levels do to the rate that was looked at, and its picture."""
    axis = main_axis(swept)
    if axis is None:
        return Answer(doubts(sources))
    write = rate if swept.units[chosen] == RATE else partial(mean, decimals=2)
    frame = _lines(swept, axis).filter(pl.col("figure") == chosen)
    text = []
    for run in runs_of(frame)[:MOST_SAID]:
        own = frame.filter(pl.col("run") == run)
        # numbers are said from the first to the last, everything else from the lowest rate to the highest
        ends = own.sort("x" if axis.values is not None else "value")
        first, last = ends.row(0, named=True), ends.row(-1, named=True)
        low, high = sorted((first, last), key=lambda row: float(row["value"]))
        who = "" if run == ALL else f"{run}: "
        least, most = (f"{write(row['value'], row['low'], row['high'])} at {row['level']}" for row in (first, last))
        apart = low["high"] < high["low"]
        end = "" if apart else " The intervals meet: this alone shows no difference between two levels."
        text.append(f"{who}{chosen} goes from {least} to {most}.{end}")
    text[0] = f"{text[0]} The picture shows every level of {axis.title}."
    runs = runs_of(frame)[:LINES]
    drawn, title = frame.filter(pl.col("run").is_in(runs)), f"{chosen} by {axis.title}"
    picture = _picture(swept, axis, drawn, [chosen], ("answer", title), swept.units[chosen] == RATE)
    return Answer([*text, *doubts(sources)], picture)


def largest(frame: pl.DataFrame, figures: Sequence[str]) -> pl.DataFrame:
    """Return the largest difference of each factor and figure, of those that are more than chance, factor by factor."""
    if frame.is_empty():
        return frame
    sure = frame.filter(pl.col("figure").is_in(list(figures)) & (pl.col("p_adjusted").fill_nan(None) < SURE))
    size = pl.col("effect").abs()
    order = {name: place for place, name in enumerate(frame["factor"].unique(maintain_order=True))}
    factor = pl.col("factor").replace_strict(order, return_dtype=pl.Int64)
    ordered = sure.sort(factor, -size)
    return ordered.unique(["factor", "figure"], keep="first", maintain_order=True)


def effects(swept: Swept, frame: pl.DataFrame, figures: Sequence[str]) -> list[str]:
    """Say in sentences what the levels change most."""
    if frame.is_empty():
        return []
    count = f"{integer(len(frame))} comparison{'s' if len(frame) > 1 else ''}"
    found = largest(frame, figures).head(MOST_SAID)
    if found.is_empty():
        return [f"Of {count} none shows a difference that is more than chance (Benjamini–Hochberg, 5 %)."]
    unit = "games" if swept.bags is None else "bags"
    return [
        f"The largest difference of each factor and figure, of {count} adjusted by Benjamini and Hochberg:",
        *(_sentence(_in_order(swept, row), unit) for row in found.to_dicts()),
    ]


def _in_order(swept: Swept, row: dict[str, Any]) -> dict[str, Any]:
    """Turn a difference around whose level comes before the usual one, so that it is read in the order of levels."""
    (labels,) = (axis.labels for axis in swept.axes if axis.name == row["factor"])
    if labels.index(row["level"]) > labels.index(row["against"]):
        return row
    turned = {"level": row["against"], "against": row["level"], "before": row["after"], "after": row["before"]}
    return {**row, **turned, "difference": -row["difference"], "low": -row["high"], "high": -row["low"]}


def _sentence(row: dict[str, Any], unit: str) -> str:
    where = f" ({row['others']})" if row["others"] else ""
    values_ = ("after", "before", "difference", "low", "high")
    after, before, difference, low, high = (row[name] for name in values_)
    if row["unit"] == RATE:
        values = percent(before), percent(after)
        gap = points(difference, low, high)
    else:
        values = signed(before, 2), signed(after, 2)
        gap = change(difference, low, high, 2)
    return (
        f"{row['figure']}: {values[0]} with {row['against']}, {values[1]} with {row['level']}{where}, a difference of "
        f"{gap}, n = {integer(row['n'])} {unit}."
    )


def pictures(swept: Swept, axis: Axis) -> list[Picture]:
    """Return every figure against the levels of an axis; a line for each combination of the others."""
    frame = _lines(swept, axis)
    series = runs_of(frame)
    chunks = [series[i : i + LINES] for i in range(0, len(series), LINES)]
    found = []
    for kind, title in (("rate", "Rates"), ("mean", "Means")):
        chosen = [figure for figure, unit in swept.units.items() if (unit == RATE) == (kind == "rate")]
        if not chosen:
            continue
        for number, runs in enumerate(chunks):
            own = frame.filter(pl.col("run").is_in(runs) & pl.col("figure").is_in(chosen))
            name = f"sweep_{kind}" + (f"_{number + 1}" if len(chunks) > 1 else "")
            found.append(_picture(swept, axis, own, chosen, (name, f"{title} by {axis.title}"), kind == "rate"))
    return found


def _lines(swept: Swept, axis: Axis) -> pl.DataFrame:
    """Return estimates with the columns that charts want: run, level, x."""
    frame = variants(swept) if swept.bags is None else over_bags(swept)
    others = [other.name for other in swept.fixed if other.name != axis.name]
    place = axis.values or tuple(map(float, range(len(axis.labels))))
    run = pl.concat_str(others, separator=", ") if others else pl.lit(ALL)
    x = pl.col(axis.name).replace_strict(dict(zip(axis.labels, place, strict=True)), return_dtype=pl.Float64)
    return frame.select(
        run.alias("run"), pl.col(axis.name).alias("level"), x.alias("x"), "figure", "unit", "n", "value", "low", "high"
    )


def _picture(
    swept: Swept, axis: Axis, frame: pl.DataFrame, figures: Sequence[str], named: tuple[str, str], is_rate: bool
) -> Picture:
    unit = "games in each variant" if swept.bags is None else "bags drawn; the interval is over bags"
    spoken_frame = frame.with_columns(pl.format("{} at {}", "figure", "level").alias("case"))
    write = rate if is_rate else partial(mean, decimals=2)
    note = f"{'Share of games' if is_rate else 'Means'} with 95 % intervals, n = {span(frame['n'])} {unit}."
    if len(runs_of(frame)) > 1:
        note += (
            " The variants play the same deals, so the difference between two lines is known more precisely than their "
            "bands suggest."
        )
    alt = f"{named[1]}. {spoken(spoken_frame, 'case', 'value', write)}"
    return Picture(
        *named, note, alt, frame, _panels(axis, frame, figures, is_rate=is_rate, bags=swept.bags is not None)
    )


def _panels(axis: Axis, frame: pl.DataFrame, figures: Sequence[str], *, is_rate: bool, bags: bool) -> Figure:
    """Draw small axes for each figure, two side by side."""
    runs = runs_of(frame)
    names = []
    if len(runs) > 1:
        names = [
            wrap(run, RUN_WIDTH) if bags else legend_label(run, frame.filter(pl.col("run") == run)["n"]) for run in runs
        ]
    lines = math.ceil(len(figures) / 2)
    above = sum(map(lines_of, names)) * 0.2
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, 0.5 + above + lines * PANEL), layout="constrained")
        grid = figure.subplots(lines, min(2, len(figures)), squeeze=False)
        for ax, name in zip(grid.flat, figures, strict=False):
            own = frame.filter(pl.col("figure") == name)
            draw_levels(own, ax, axis.labels, numeric=axis.values is not None, rate=is_rate)
            ax.set_title(name, fontsize=9.5)
        for ax in list(grid.flat)[len(figures) :]:
            ax.set_visible(False)
        marks, unit = "bands" if axis.values is not None else "lines", "bags" if bags else "games"
        about = f"{axis.title}; {marks}: 95 % intervals, n = {span(frame['n'])} {unit}"
        figure.supxlabel(wrap(about, RUN_WIDTH + NAME_WIDTH), fontsize=9.5)
        if names:
            figure.legend(grid.flat[0].lines, names, loc="outside upper left", handlelength=1.2)
    return figure


def variants_table(swept: Swept, chosen: str) -> ReportTable:
    """Return the variants with the chosen rate and the score."""
    frame = variants(swept)
    names = [axis.name for axis in swept.axes]
    figures = [figure for figure in dict.fromkeys([chosen, *swept.headlines]) if figure in swept.units]
    cells: dict[tuple[str, ...], list[str]] = {}
    for row in frame.filter(pl.col("figure").is_in(figures)).to_dicts():
        write = rate if row["unit"] == RATE else partial(mean, decimals=1 if row["figure"] == swept.words.score else 2)
        key = tuple(row[name] for name in names)
        cells.setdefault(key, [*key, integer(row["n"])]).append(write(row["value"], row["low"], row["high"]))
    rows = list(cells.values())[:MOST_ROWS]
    shown = [figure for figure in swept.units if figure in figures]
    more = "" if len(cells) <= MOST_ROWS else f" (the first {MOST_ROWS} of {len(cells)})"
    head = [*(axis.title for axis in swept.axes), "n", *(f"{figure} (95 % interval)" for figure in shown)]
    return ReportTable("variants", f"{BY_VARIANT}{more}", head, rows, "l" * len(names) + "r" * (1 + len(shown)), frame)


def changes_table(swept: Swept, frame: pl.DataFrame, chosen: str) -> ReportTable:
    """Return what levels change in the chosen rate and the score, each against the usual level of the same factor."""
    shown = frame.filter(pl.col("figure").is_in([chosen, swept.words.score])) if len(frame) else frame
    single = len(swept.fixed) == 1  # the heading then says what all rows are compared with
    rows = []
    for row in shown.head(MOST_ROWS).to_dicts():
        gap = (points if row["unit"] == RATE else change)(row["difference"], row["low"], row["high"])
        p = math.nan if row["p_adjusted"] is None else row["p_adjusted"]
        about = [row["level"]] if single else [row["level"], row["against"], row["others"]]
        rows.append([*about, row["figure"], gap, p_value(p), integer(row["n"])])
    against = f"Differences from {swept.fixed[0].labels[swept.fixed[0].usual]}" if single else ONE_CHANGED
    more = "" if len(shown) <= MOST_ROWS else f" (the first {MOST_ROWS} of {len(shown)})"
    about = ["Level"] if single else ["Level", "Against", "Both with"]
    head = [*about, "Figure", "Difference (95 % interval)", "Adjusted p", "n"]
    return ReportTable("differences", f"{against}{more}", head, rows, "l" * (len(about) + 1) + "rrr", frame)
