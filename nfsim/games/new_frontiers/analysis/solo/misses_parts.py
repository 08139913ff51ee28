"""The part of a report about what misses lack: a table, a chart of the halves and one of the VPs that are missing."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nfsim.games.new_frontiers.analysis.solo import misses
from nfsim.games.new_frontiers.analysis.solo.misses import BOTH, HALVES, NEAR, REST_ONLY, VP_ONLY
from nfsim.report import theme
from nfsim.report.charts import blocks, shortfall
from nfsim.report.charts import halves as halves_chart
from nfsim.report.charts.rows import highest
from nfsim.report.formatting import integer, mean, rate, value_interval
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, spoken
from nfsim.report.tables import ReportTable, without_run

TITLE = "What misses lack"
HALF = 0.5
SHORTFALL = "VPs missing: median with 95 % interval,\nmiddle half (bar), what So Close mends (dashed)"
MANY = 30  # misses from which one may say what most of them lack
ABOUT = (
    "A game that misses a condition lacks VPs, or the rest of what it asks for (a count, a tile, no Military), "
    f"or both. So Close can mend up to {NEAR} VPs, or 1 of a count, where nothing else is missing."
)
Asked = Mapping[str, Sequence[str]]


def part(group: Group) -> Part:
    """Return the part about logged runs; empty where the log does not say what misses lack."""
    halves, shortfalls = misses.by_run(group)
    if halves.is_empty():
        return Part(TITLE)
    asked = misses.asked([condition for source in group for condition in source.conditions])
    found = table(halves, shortfalls, asked)
    return Part(TITLE, [ABOUT], [without_run(group, found)], pictures(halves, shortfalls))


def pictures(halves: pl.DataFrame, shortfalls: pl.DataFrame) -> list[Picture]:
    """Return the two charts; a column `panel` in both frames makes axes of their own."""
    return [halves_picture(halves), *([shortfall_picture(shortfalls)] if not shortfalls.is_empty() else [])]


def table(halves: pl.DataFrame, shortfalls: pl.DataFrame, asked: Asked) -> ReportTable:
    """Return all numbers of misses, a row for each condition and run.

    Parameters
    ----------
    halves, shortfalls : DataFrame
        See `misses`, with the column run, and panel where there are several.
    asked : mapping
        See `misses.asked`; what a condition does not ask for has a dash.
    """
    key = ["panel", "run", "objective"] if "panel" in halves.columns else ["run", "objective"]
    wide = halves.pivot("half", index=[*key, "games", "n"], values=["k", "rate", "low", "high"], maintain_order=True)
    wide = wide.rename({"n": "missed"}).join(
        shortfalls.drop("misses").rename({"n": "short"}), on=key, how="left", maintain_order="left"
    )
    rows = []
    for row in wide.to_dicts():
        shares = [_share(row, half, asked.get(row["objective"], HALVES)) for half in (VP_ONLY, REST_ONLY, BOTH)]
        rows.append([
            row["objective"], *([row["panel"]] if "panel" in row else []), row["run"], integer(row["missed"]),
            integer(row["games"]), *shares, _lacking(row),
            rate(*(row[f"near_{name}"] for name in ("rate", "low", "high"))) if row["missed"] else "–",
        ])  # fmt: skip
    lengths = ["Length"] if "panel" in wide.columns else []
    head = ["Condition", *lengths, "Run", "Missed", "n", "Only VPs", "Only the rest", "Both",
            "VPs missing: median (95 %), middle half", f"At most {NEAR} VPs, nothing else"]  # fmt: skip
    return ReportTable("misses", "Misses", head, rows, "l" * (2 + len(lengths)) + "rrrrrrr", wide)


def _share(row: Mapping[str, Any], half: str, asked: Sequence[str]) -> str:
    """Write the share of misses that lack a half; where a condition asks for nothing else there is no share."""
    if half not in asked or not row["missed"]:
        return "–"
    return "all" if len(asked) == 1 else rate(*(row[f"{name}_{half}"] for name in ("rate", "low", "high")))


def _lacking(row: Mapping[str, object]) -> str:
    """Write by how many VPs a condition is missed."""
    numbers = [row[name] for name in ("median", "low", "high", "q25", "q75")]
    if numbers[0] is None:
        return "–"
    median, low, high, q25, q75 = (float(str(number)) for number in numbers)
    return f"{vps(median, low, high)}, {value_interval(q25, q75, _decimals(q25, q75))}"


def vps(median: float, low: float, high: float) -> str:
    """Write a median of VPs with its interval: halves only where there are any."""
    return mean(median, low, high, _decimals(median, low, high))


def _decimals(*values: float) -> int:
    return 0 if all(value.is_integer() for value in values if not math.isnan(value)) else 1


def halves_picture(frame: pl.DataFrame) -> Picture:
    """Return the bars of what misses lack."""
    figure = paneled(frame, "objective", lambda own, ax: halves_chart.draw(own, ax, HALVES), "share of all games")
    halves_chart.write_key(figure, HALVES)
    widest = highest(frame["share_high"] - frame["share_low"])
    shares = frame.with_columns(
        pl.concat_str("objective", "half", separator=", ").alias("case"), pl.col("share").alias("value"),
        pl.col("share_low").alias("low"), pl.col("share_high").alias("high"),
    ).filter(pl.col("k") > 0)  # fmt: skip
    return Picture(
        "misses_halves",
        "Misses by what they lack",
        "Share of all games that missed each condition (whole bar, its number at the right), divided by what they "
        f"lacked; 95 % intervals of up to ±{50 * widest:.1f} points, each in the CSV file. The rest: the counts and "
        "tiles that a condition asks for besides VPs.",
        "Share of all games by what they lacked. " + spoken(_panel_in_run(shares), "case", "value", rate),
        frame,
        figure,
    )


def shortfall_picture(frame: pl.DataFrame) -> Picture:
    """Return the chart of the VPs that misses lack."""
    most = max(highest(frame["q75"], frame["high"]) * 1.06, NEAR + 1)
    figure = paneled(frame, "objective", lambda own, ax: shortfall.draw(own, ax, NEAR, most), SHORTFALL)

    known = frame.filter(pl.col("median").is_not_null())
    return Picture(
        "misses_vp",
        "VPs that misses lack",
        "Games that missed a condition and lacked VPs: the median with its 95 % bootstrap interval, and the middle "
        f"half of them (bar). The dashed line is at {NEAR} VPs, which So Close can mend.",
        "Median VPs missing. " + spoken(_panel_in_run(known), "objective", "median", vps),
        frame,
        figure,
    )


def paneled(frame: pl.DataFrame, column: str, draw: Callable[[pl.DataFrame, Axes], Axes], x: str) -> Figure:
    """Return a drawing in blocks, with axes for each value of `panel` where there is that column."""
    panels = frame["panel"].unique(maintain_order=True).to_list() if "panel" in frame.columns else [""]
    frames = [frame.filter(pl.col("panel") == panel) if panel else frame for panel in panels]
    heights = [blocks.places(own, column)[2] for own in frames]
    with theme.style():
        size = (theme.WIDTH, 0.4 + sum(height + 0.75 for height in heights))
        figure = Figure(figsize=size, layout="constrained")
        axes = figure.subplots(len(frames), 1, squeeze=False, height_ratios=heights)
        for panel, own, (ax,) in zip(panels, frames, axes, strict=True):
            draw(own, ax)
            ax.set_title(panel)
            ax.set_xlabel(x)
    return figure


def _panel_in_run(frame: pl.DataFrame) -> pl.DataFrame:
    if "panel" not in frame.columns:
        return frame
    return frame.with_columns(pl.concat_str("panel", "run", separator=", ").alias("run"))


def most_lack(halves: pl.DataFrame, asked: Asked) -> list[str]:
    """Say of each condition of one run what most misses lack, where the interval says so.

    Parameters
    ----------
    halves : DataFrame
        See `misses.halves`.
    asked : mapping
        See `misses.asked`: conditions that ask for one thing only are left out.
    """
    words = {VP_ONLY: "VPs alone", REST_ONLY: "only the rest of what it asks for", BOTH: "both"}
    said = []
    for condition in halves["objective"].unique(maintain_order=True):
        own = halves.filter(pl.col("objective") == condition)
        n = own["n"][0]
        if len(asked.get(condition, HALVES)) < len(HALVES):
            continue
        if n < MANY:
            said.append(f"{condition}: too few misses to tell (n = {integer(n)})")
            continue
        best = own.sort("k", descending=True).row(0, named=True)
        share = rate(best["rate"], best["low"], best["high"])
        most = f"most misses lack {words[best['half']]}" if best["low"] > HALF else "no part is lacking in most misses"
        said.append(f"{condition}: {most} ({best['half']}: {share}, n = {integer(n)})")
    return said
