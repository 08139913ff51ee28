"""What a comparison says: what sets two runs apart, the differences in words, a table, charts."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.answers import doubts, named
from nfsim.report.charts.differences import draw_differences, in_points, in_units
from nfsim.report.charts.rows import highest
from nfsim.report.formatting import change, integer, mean, p_value, plus, points, rate
from nfsim.report.page import Answer, Part
from nfsim.report.picture import Picture, one_axes, spoken
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import ENOUGH
from nfsim.studies.compare.numbers import RATE, SURE, open_figures, paired, settings_that_differ, shown

SIZE = "Size"

Row = dict[str, Any]


def what_differs(before: Source, after: Source) -> Part:
    """Return what sets the two runs apart."""
    found = settings_that_differ(before, after)
    text = [] if found else ["Nothing that is recorded sets the two runs apart."]
    frame = pl.DataFrame(found, schema=["setting", "first", "second"], orient="row")
    rows = [[setting_name(name), *values] for name, *values in found]
    table = ReportTable("settings", "What differs", ["Setting", before.label, after.label], rows, "lll", frame)
    return Part("What sets the two apart", text, [table] if found else [])


def setting_name(key: str) -> str:
    """Return what a table calls a setting: Rounds for setup.rounds, Ruling colonist end for rules.colonist_end."""
    table, _, name = key.rpartition(".")
    words = name.replace("_", " ")
    if table == "rules":
        return f"Ruling {words}"
    return words[0].upper() + words[1:] if table == "setup" or key == name else key


def differences_part(before: Source, after: Source, frame: pl.DataFrame) -> Part:
    """Return the differences that are more than chance, as a table and as charts."""
    found = shown(frame)
    if found.is_empty():
        return Part("")
    text = [f"{SIZE}: the difference divided by how much single games vary. The largest stand first."]
    return Part("What differs by more than chance", text, [table(before, after, found, "differences")],
                opened=True)  # fmt: skip


def charts_part(before: Source, after: Source, frame: pl.DataFrame) -> Part:
    """Return the differences that are more than chance as charts."""
    found = shown(frame)
    charts = [] if found.is_empty() else [_picture(before, after, found, rates) for rates in (True, False)]
    return Part("The same as charts", [], [], [chart for chart in charts if chart is not None])


def others_part(before: Source, after: Source, frame: pl.DataFrame) -> Part:
    """Return the figures for which no difference is shown."""
    names = open_figures(frame)
    if not names:
        return Part("")
    own = frame.filter(pl.col("figure").is_in(names))
    return Part("What shows no difference", [no_difference(frame)], [table(before, after, own, "no_difference")])


def table(before: Source, after: Source, frame: pl.DataFrame, name: str) -> ReportTable:
    """Return a row for each figure."""
    heads = ["Figure", "Difference (95 % interval)", SIZE, f"{before.label} (95 % interval)",
             f"{after.label} (95 % interval)", "Adjusted p", "n"]  # fmt: skip
    rows = [
        [r["figure"], written(r), effect(r), level(r, "before"), level(r, "after"), p_value(r["p_adjusted"]),
         integer(r["n"])]
        for r in frame.to_dicts()
    ]  # fmt: skip
    return ReportTable(name, "Figures", heads, rows, "lrrrrrr", frame)


def how_compared(before: Source, after: Source, frame: pl.DataFrame) -> str:
    """Say whether games are compared one by one."""
    n = int(highest(frame["n"]))
    if not paired(before, after):
        return (
            f"The seeds differ, so the two are independent samples (at least {integer(n)} games each); with one seed "
            "the same games could be compared one by one."
        )
    return f"Both played the same {integer(n)} games of seed {before.say('seed')}, which are compared one by one."


def no_difference(frame: pl.DataFrame) -> str:
    """Say which figures show no difference, and how small one would have been found; '' if all do."""
    names = open_figures(frame)
    if not names:
        return ""
    rates = frame.filter(pl.col("figure").is_in(names), pl.col("unit") == RATE)
    widest = rates.select(((pl.col("high") - pl.col("low")) / 2).max()).item() if len(rates) else None
    within = f"; differences of rates are known to ±{100 * widest:.1f} points there" if widest else ""
    return (
        f"No difference is shown in {', '.join(names)} (adjusted p of {SURE} or more, Benjamini–Hochberg over "
        f"{len(frame)} figures{within}). That is not proof that there is none."
    )


def effect(row: Row) -> str:
    """Write a difference by how much single games vary: what the figures are sorted by."""
    return plus(row["effect"], 2)


def level(row: Row, which: str) -> str:
    """Write a figure of one of the runs with its interval."""
    value, low, high = (row[f"{which}{end}"] for end in ("", "_low", "_high"))
    if row["unit"] == RATE:
        return rate(value, low, high)
    return mean(value, low, high, 2) if row["n"] >= ENOUGH else mean(value, float("nan"), float("nan"), 2)


def written(row: Row) -> str:
    """Write a difference with its interval."""
    bounds = row["difference"], row["low"], row["high"]
    return points(*bounds) if row["unit"] == RATE else change(*bounds, decimals=2)


def _picture(before: Source, after: Source, frame: pl.DataFrame, rates: bool) -> Picture | None:
    """Draw the rates, or the score and its sources."""
    kind = RATE if rates else before.words.score
    own = frame.filter(pl.col("unit") == kind)
    if own.is_empty():
        return None
    name = f"{after.label} less {before.label}"
    own = own.select(pl.lit(name).alias("run"), pl.all())
    write = in_points if rates else in_units
    unit, factor = ("percentage points", 100.0) if rates else (kind, 1.0)

    def draw(numbers: pl.DataFrame, ax: Axes) -> Axes:
        return draw_differences(numbers, ax, write, unit, factor)

    return Picture(
        "differences_rates" if rates else "differences_score",
        f"Differences of {'rates' if rates else kind}",
        f"{name}: what lies to the right of zero is more with the second. Largest first, measured by how much single "
        "games vary.",
        f"{name}. {spoken(own, 'figure', 'difference', write)}",
        own,
        one_axes(draw, own, "figure"),
    )


MOST_DRAWN = 8  # differences in the picture of the answer


def answer(before: Source, after: Source, frame: pl.DataFrame, use: Sequence[str] = ()) -> Answer:
    """Return the verdict: what the second run changes, and whether it is more than chance.

    Parameters
    ----------
    before, after : Source
    frame : DataFrame
        As `compare` returns it.
    use : sequence of str
        What is said of records that were changed, see `nfsim.studies.compare.usage`.
    """
    found, words = shown(frame), before.words
    one, other = before.label, after.label
    if found.is_empty():
        widest = frame.filter(pl.col("unit") == RATE).select(((pl.col("high") - pl.col("low")) / 2).max()).item()
        within = f" Rates differ by at most {100 * widest:.1f} points or so." if widest else ""
        none = f"none of {len(frame)} figures differs by more than chance"
        text = [f"{other} and {one} show no difference: {none}.{within}"]
    else:
        heads = [name for name in (words.any_objective, words.score) if name in found["figure"]]
        first = [found.filter(pl.col("figure") == name).to_dicts()[0] for name in heads]
        more = found.filter(~pl.col("figure").is_in(heads)).head(2 if first else 3).to_dicts()
        text = [
            f"Yes, they differ: {len(found)} of {len(frame)} figures change by more than chance from {one} to {other}.",
            " ".join(_figure(row) for row in [*first, *more]),
        ]
        if not first:
            text.append(f"{words.any_objective} and {words.score} show no difference that is more than chance.")
    drawn = found if len(found) else frame
    kind = RATE if (drawn["unit"] == RATE).any() else words.score
    picture = _picture(before, after, drawn.filter(pl.col("unit") == kind).head(MOST_DRAWN), kind == RATE)
    how = how_compared(before, after, frame)
    return Answer([*text, *use, how, *doubts([before, after])], named(picture))


def _figure(row: Row) -> str:
    return f"{row['figure']}: {written(row)}, from {level(row, 'before')} to {level(row, 'after')}."


def comparison(before: Source, after: Source, frame: pl.DataFrame) -> Sequence[Part]:
    """Return all parts of a comparison."""
    both = before, after, frame
    return [differences_part(*both), charts_part(*both), others_part(*both), what_differs(before, after)]
