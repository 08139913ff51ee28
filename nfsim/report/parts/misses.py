"""What games lack that miss an objective: score, something else it asks for, or both, and how much score.

Every pipeline here goes over the table `objectives` once, however many games it holds.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nfsim.contract.objectives import Objective, Words
from nfsim.report import theme
from nfsim.report.charts.distributions import draw_shortfall
from nfsim.report.charts.rows import block_places, highest
from nfsim.report.charts.stacked import draw_halves, write_halves_key
from nfsim.report.formatting import integer, mean, rate, value_interval, with_article
from nfsim.report.metrics import Metrics
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, spoken
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.bootstrap import Estimate, count_interval, quantile_of
from nfsim.stats.frames import Tables, label
from nfsim.stats.intervals import with_rates

SCORE_ONLY, REST_ONLY, BOTH = "only score", "only what else it asks for", "both"
HALVES = (SCORE_ONLY, BOTH, REST_ONLY)  # what touches each other in a bar: what lacks score, what lacks something else
MOST_LACKING = (
    1_000  # of a score; more, which no game lacks by the rules, counts as so many: every number up to it is counted
)
COLUMNS = ("met", "margin", "requires_met")
QUARTILES = {"q25": 0.25, "median": 0.5, "q75": 0.75}
SCHEMA: dict[str, type[pl.DataType]] = {
    "objective": pl.String, "misses": pl.Int64, "n": pl.Int64, "near": pl.Int64,
    "q25": pl.Float64, "median": pl.Float64, "q75": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


def logged(source: Source) -> bool:
    """Tell whether a run has objectives and its log says what misses lack."""
    return bool(source.objectives) and source.logs("objectives", *COLUMNS)


def halves(tables: Tables, only: str | None = None) -> pl.DataFrame:
    """Return what misses lack.

    Parameters
    ----------
    tables : mapping
        Of one run.
    only : str, optional
        The one objective wanted.

    Returns
    -------
    DataFrame
        objective, half (of `HALVES`), games, n (games that missed it), k, rate, low, high: share of the misses; and
        share, share_low, share_high: of all games. Games that broke off count as missed only if they lacked something.
    """
    short, rest = pl.col("margin") < 0, ~pl.col("requires_met").cast(pl.Boolean)
    missed = ~pl.col("met").cast(pl.Boolean)
    cases = {SCORE_ONLY: short & ~rest, BOTH: short & rest, REST_ONLY: ~short & rest}
    counts = (
        _rows(tables, only)
        .group_by(label("objective"))
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            *((missed & case).sum().cast(pl.Int64).alias(name) for name, case in cases.items()),
        )
        .sort("objective")
        .collect(engine="streaming")
    )
    each = counts.unpivot(HALVES, index=["objective", "games"], variable_name="half", value_name="k")
    each = each.with_columns(pl.col("k").sum().over("objective").alias("n"))
    names = {"rate": "share", "low": "share_low", "high": "share_high"}
    of_games = with_rates(each.select("k", pl.col("games").alias("n"))).select(
        pl.col(*names).name.map(names.__getitem__)
    )
    found = with_rates(each.select("objective", "half", "games", "n", "k"))
    return pl.concat([found, of_games], how="horizontal").sort("objective", maintain_order=True)


def shortfalls(tables: Tables, near: int = 0, only: str | None = None) -> pl.DataFrame:
    """Return how much score games lack that miss an objective.

    Parameters
    ----------
    tables : mapping
        Of one run.
    near : int
        Score that can be made up for; see `nfsim.report.metrics.Mending`.
    only : str, optional
        The one objective wanted.

    Returns
    -------
    DataFrame
        objective, misses; n (misses that lack score), q25, median, q75 of what they lack of it, low, high (of the
        median); and near, near_rate, near_low, near_high: misses that lack at most `near` and nothing else, as a share
        of all misses. Quantiles are null where no game lacks score.
    """
    short, rest = pl.col("margin") < 0, ~pl.col("requires_met").cast(pl.Boolean)
    counts = (
        _rows(tables, only)
        .filter(~pl.col("met").cast(pl.Boolean) & (short | rest))
        .group_by(
            label("objective"),
            (-pl.col("margin").cast(pl.Int64)).clip(0, MOST_LACKING).alias("lacks"),
            rest.alias("rest"),
        )
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .sort("objective", "lacks")
        .collect(engine="streaming")
    )
    rows = [_shortfall(name, own, near) for (name,), own in counts.group_by("objective", maintain_order=True)]
    found = pl.DataFrame(rows, schema=SCHEMA)
    rates = with_rates(found.select(pl.col("near").alias("k"), pl.col("misses").alias("n")))
    return found.with_columns(rates[name].alias(f"near_{name}") for name in ("rate", "low", "high"))


def _rows(tables: Tables, only: str | None) -> pl.LazyFrame:
    rows = tables["objectives"].select("objective", *COLUMNS)
    return rows if only is None else rows.filter(label("objective") == only)


def _shortfall(name: object, counts: pl.DataFrame, near: int) -> dict[str, object]:
    """Sum up the counted shortfalls of one objective."""
    lacking = counts.filter(pl.col("lacks") > 0)
    mended = lacking.filter((pl.col("lacks") <= near) & ~pl.col("rest"))["k"].sum()
    row: dict[str, object] = {"objective": name, "misses": counts["k"].sum(), "n": 0, "near": mended}
    if not lacking.is_empty():
        times = np.bincount(lacking["lacks"].to_numpy(), weights=lacking["k"].to_numpy()).astype(np.int64)
        found = median(times)
        row |= {"n": found.n, "low": found.low, "high": found.high}
        row |= {quartile: float(quantile_of(times, 0, q)) for quartile, q in QUARTILES.items()}
    return row


def median(times: npt.ArrayLike, first: int = 0) -> Estimate:
    """Return the median of a score with its bootstrap interval, from how often each number from `first` on occurred."""
    return count_interval([times], lambda counts: quantile_of(counts, first))


def asked(objectives: Sequence[Objective]) -> Mapping[str, tuple[str, ...]]:
    """Return the halves of its requirement that a miss of each objective can lack, by the objective's name."""
    return {
        each.name: HALVES if each.score and each.requires else (SCORE_ONLY,) if each.score else (REST_ONLY,)
        for each in objectives
    }


def by_run(group: Group) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return `halves` and `shortfalls` of all runs whose log has them, with the column run; objectives in order."""
    found: list[list[pl.DataFrame]] = [[], []]
    for source in group:
        if logged(source) and source.games:
            place = {objective.name: i for i, objective in enumerate(source.objectives)}
            near = mended(source.metrics)
            for frames, frame in zip(found, (halves(source.tables), shortfalls(source.tables, near)), strict=True):
                order = pl.col("objective").replace_strict(place, default=len(place), return_dtype=pl.Int64)
                frames.append(
                    frame.sort(order, maintain_order=True).select(pl.lit(source.label).alias("run"), pl.all())
                )
    both = [pl.concat(frames) if frames else pl.DataFrame() for frames in found]
    return both[0], both[1]


TITLE = "What misses lack"
HALF = 0.5
MANY = 30  # misses from which one may say what most of them lack
Asked = Mapping[str, Sequence[str]]


def mended(metrics: Metrics) -> int:
    """Return the score that can be made up for; 0 where none can."""
    return metrics.mending.score if metrics.mending is not None else 0


def about(words: Words, metrics: Metrics) -> str:
    """Say what a miss can lack, and what can be mended."""
    rest = f" ({metrics.rest})" if metrics.rest else ""
    text = (
        f"A game that misses {with_article(words.objective)} lacks {words.score}, or something else that it asks "
        f"for{rest}, or both."
    )
    return f"{text} {metrics.mending.text}" if metrics.mending is not None else text


def half_name(half: str, unit: str) -> str:
    """Return what a reader calls a half: the score goes by its unit."""
    return f"only {unit}" if half == SCORE_ONLY else half


def part(group: Group) -> Part:
    """Return the part about logged runs; empty where the log does not say what misses lack."""
    lacking, shortfall = by_run(group)
    if lacking.is_empty():
        return Part(TITLE)
    words, metrics = group[0].words, group[0].metrics
    wanted = asked([objective for source in group for objective in source.objectives])
    found = table(lacking, shortfall, wanted, words, metrics)
    drawn = pictures(lacking, shortfall, words, metrics)
    return Part(TITLE, [about(words, metrics)], [without_run(group, found)], drawn)


def pictures(halves: pl.DataFrame, shortfalls: pl.DataFrame, words: Words, metrics: Metrics) -> list[Picture]:
    """Return the two charts; a column `panel` in both frames makes axes of their own."""
    bars = halves_picture(halves, words)
    return [bars, *([shortfall_picture(shortfalls, words, metrics)] if not shortfalls.is_empty() else [])]


def table(halves: pl.DataFrame, shortfalls: pl.DataFrame, asked: Asked, words: Words, metrics: Metrics) -> ReportTable:
    """Return all numbers of misses, a row for each objective and run.

    Parameters
    ----------
    halves, shortfalls : DataFrame
        See the functions of these names; with the column run, and panel where there are several.
    asked : mapping
        See `asked`; what an objective does not ask for has a dash.
    words : Words
    metrics : Metrics
        Of the game.
    """
    key = ["panel", "run", "objective"] if "panel" in halves.columns else ["run", "objective"]
    wide = halves.pivot("half", index=[*key, "games", "n"], values=["k", "rate", "low", "high"], maintain_order=True)
    wide = wide.rename({"n": "missed"}).join(
        shortfalls.drop("misses").rename({"n": "short"}), on=key, how="left", maintain_order="left"
    )
    rows, near = [], mended(metrics)
    for row in wide.to_dicts():
        shares = [_share(row, half, asked.get(row["objective"], HALVES)) for half in (SCORE_ONLY, REST_ONLY, BOTH)]
        rows.append([
            row["objective"], *([row["panel"]] if "panel" in row else []), row["run"], integer(row["missed"]),
            integer(row["games"]), *shares, _lacking(row), *([_near(row)] if near else []),
        ])  # fmt: skip
    lengths = ["Length"] if "panel" in wide.columns else []
    head = [words.objective.capitalize(), *lengths, "Run", "Missed", "n", f"Only {words.score}",
            "Only what else it asks for", "Both",
            f"{words.score} missing: median (95 %), middle half",
            *([f"At most {near} {words.score}, nothing else"] if near else [])]  # fmt: skip
    return ReportTable(
        "misses", "Misses", head, rows, "l" * (2 + len(lengths)) + "r" * (len(head) - 2 - len(lengths)), wide
    )


def _near(row: Mapping[str, Any]) -> str:
    """Write the share of misses that can be mended."""
    return rate(*(row[f"near_{name}"] for name in ("rate", "low", "high"))) if row["missed"] else "–"


def _share(row: Mapping[str, Any], half: str, asked: Sequence[str]) -> str:
    """Write the share of misses that lack a half; where an objective asks for nothing else there is no share."""
    if half not in asked or not row["missed"]:
        return "–"
    return "all" if len(asked) == 1 else rate(*(row[f"{name}_{half}"] for name in ("rate", "low", "high")))


def _lacking(row: Mapping[str, object]) -> str:
    """Write by how much score an objective is missed."""
    numbers = [row[name] for name in ("median", "low", "high", "q25", "q75")]
    if numbers[0] is None:
        return "–"
    median, low, high, q25, q75 = (float(str(number)) for number in numbers)
    return f"{score_text(median, low, high)}, {value_interval(q25, q75, _decimals(q25, q75))}"


def score_text(median: float, low: float, high: float) -> str:
    """Write a median of scores with its interval: halves only where there are any."""
    return mean(median, low, high, _decimals(median, low, high))


def _decimals(*values: float) -> int:
    return 0 if all(value.is_integer() for value in values if not math.isnan(value)) else 1


def halves_picture(frame: pl.DataFrame, words: Words) -> Picture:
    """Return the bars of what misses lack."""
    figure = paneled(frame, "objective", lambda own, ax: draw_halves(own, ax, HALVES), "share of all games")
    write_halves_key(figure, [half_name(half, words.score) for half in HALVES])
    widest = highest(frame["share_high"] - frame["share_low"])
    shares = frame.with_columns(
        pl.concat_str("objective", pl.col("half").replace({SCORE_ONLY: half_name(SCORE_ONLY, words.score)}),
                      separator=", ").alias("case"), pl.col("share").alias("value"),
        pl.col("share_low").alias("low"), pl.col("share_high").alias("high"),
    ).filter(pl.col("k") > 0)  # fmt: skip
    return Picture(
        "misses_halves",
        "Misses by what they lack",
        f"Share of all games that missed each {words.objective} (whole bar, its number at the right), divided by "
        "what they "
        f"lacked; 95 % intervals of up to ±{50 * widest:.1f} points, each in the CSV file.",
        "Share of all games by what they lacked. " + spoken(_panel_in_run(shares), "case", "value", rate),
        frame,
        figure,
    )


def shortfall_picture(frame: pl.DataFrame, words: Words, metrics: Metrics) -> Picture:
    """Return the chart of the score that misses lack."""
    near, unit, mending = mended(metrics), words.score, metrics.mending
    most = max(highest(frame["q75"], frame["high"]) * 1.06, near + 1)
    mends = f", what {mending.name} mends (dashed)" if mending is not None else ""
    label = f"{unit} missing: median with 95 % interval,\nmiddle half (bar){mends}"
    figure = paneled(frame, "objective", lambda own, ax: draw_shortfall(own, ax, near, most), label)
    dashed = f" The dashed line is at {near} {unit}, which {mending.name} can mend." if mending is not None else ""
    known = frame.filter(pl.col("median").is_not_null())
    return Picture(
        "misses_score",
        f"{unit} that misses lack",
        f"Games that missed {with_article(words.objective)} and lacked {unit}: the median with its 95 % bootstrap "
        "interval, and the "
        f"middle half of them (bar).{dashed}",
        f"Median {unit} missing. " + spoken(_panel_in_run(known), "objective", "median", score_text),
        frame,
        figure,
    )


def paneled(frame: pl.DataFrame, column: str, draw: Callable[[pl.DataFrame, Axes], Axes], x: str) -> Figure:
    """Return a drawing in blocks, with axes for each value of `panel` where there is that column."""
    panels = frame["panel"].unique(maintain_order=True).to_list() if "panel" in frame.columns else [""]
    frames = [frame.filter(pl.col("panel") == panel) if panel else frame for panel in panels]
    heights = [block_places(own, column)[2] for own in frames]
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


def most_lack(halves: pl.DataFrame, asked: Asked, unit: str) -> list[str]:
    """Say of each objective of one run what most misses lack, where the interval says so.

    Parameters
    ----------
    halves : DataFrame
        See `halves`.
    asked : mapping
        See `misses.asked`: objectives that ask for one thing only are left out.
    unit : str
        Of the score.
    """
    words = {SCORE_ONLY: f"{unit} alone", REST_ONLY: "only what else it asks for", BOTH: "both"}
    said = []
    for objective in halves["objective"].unique(maintain_order=True):
        own = halves.filter(pl.col("objective") == objective)
        n = own["n"][0]
        if len(asked.get(objective, HALVES)) < len(HALVES):
            continue
        if n < MANY:
            said.append(f"{objective}: too few misses for an answer (n = {integer(n)})")
            continue
        best = own.sort("k", descending=True).row(0, named=True)
        share = rate(best["rate"], best["low"], best["high"])
        most = f"most misses lack {words[best['half']]}" if best["low"] > HALF else "no part is lacking in most misses"
        said.append(f"{objective}: {most} ({half_name(best['half'], unit)}: {share}, n = {integer(n)})")
    return said
