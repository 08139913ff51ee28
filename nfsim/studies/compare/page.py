"""What a comparison says: what sets two runs apart, the differences in words, a table, charts."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from nfsim.report.answers import doubts, named
from nfsim.report.charts.differences import draw_differences, in_points, in_units
from nfsim.report.charts.rows import highest
from nfsim.report.formatting import change, integer, mean, p_value, plus, points, rate, signed
from nfsim.report.page import Answer, Part
from nfsim.report.picture import Picture, one_axes, spoken
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import ENOUGH
from nfsim.studies.compare.numbers import RATE, SURE, open_figures, paired, settings_that_differ, shown

SAID = 6  # differences put into words; all are in the table
YARDSTICK = "In deviations"
LARGEST_FIRST = "largest first by standard deviations of a game"
WORTH_SAYING = 1.05  # times as many games from which pairing is worth a sentence

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
    """Return the differences, largest first: in words, as a table and as charts."""
    heads = ["Figure", "Difference (95 % interval)", YARDSTICK, f"{before.label} (95 % interval)",
             f"{after.label} (95 % interval)", "Adjusted p", "n"]  # fmt: skip
    rows = [
        [r["figure"], written(r), effect(r), level(r, "before"), level(r, "after"), p_value(r["p_adjusted"]),
         integer(r["n"])]
        for r in frame.to_dicts()
    ]  # fmt: skip
    table = ReportTable("differences", f"All figures, {LARGEST_FIRST}", heads, rows, "lrrrrrr", frame)
    charts = [_picture(before, after, frame, rates) for rates in (True, False)]
    return Part(f"Differences, {LARGEST_FIRST}", sentences(before, after, frame), [table],
                [chart for chart in charts if chart is not None])  # fmt: skip


def sentences(before: Source, after: Source, frame: pl.DataFrame) -> list[str]:
    """Return the comparison in plain words."""
    return [text for text in (_how(before, after, frame), _most(before, after, frame), _rest(frame)) if text]


def _how(before: Source, after: Source, frame: pl.DataFrame) -> str:
    n = int(highest(frame["n"]))
    if not paired(before, after):
        return (
            f"The seeds differ, so the two are independent samples (at least {integer(n)} games each); with one seed "
            "the same games could be compared one by one."
        )
    said = f"Both played the same {integer(n)} games of seed {before.say('seed')}, which are compared one by one."
    unit = before.words.score
    gain = frame.filter(pl.col("figure") == unit)["worth"].fill_nan(None).drop_nulls().to_list()
    if gain and gain[0] >= WORTH_SAYING:
        said += f" For {unit} this makes each game worth {signed(gain[0], 1)} games with seeds of their own."
    return said


def _most(before: Source, after: Source, frame: pl.DataFrame) -> str:
    found = shown(frame)
    if found.is_empty():
        return ""
    listed = [
        f"{r['figure']} {written(r)}, from {level(r, 'before')} to {level(r, 'after')}"
        for r in found.head(SAID).to_dicts()
    ]
    rest = len(found) - len(listed)
    more = f" {rest} more differ." if rest else ""
    return (
        f"From {before.label} to {after.label}, the largest first (measured in standard deviations of a game): "
        f"{'; '.join(listed)}.{more}"
    )


def _rest(frame: pl.DataFrame) -> str:
    names = open_figures(frame)
    if not names:
        return ""
    rates = frame.filter(pl.col("figure").is_in(names), pl.col("unit") == RATE)
    widest = rates.select(((pl.col("high") - pl.col("low")) / 2).max()).item() if len(rates) else None
    within = f"; differences of rates are known to ±{100 * widest:.1f} points there" if widest else ""
    return (
        f"No difference could be shown in {', '.join(names)} (adjusted p of {SURE} or more, Benjamini–Hochberg over "
        f"{len(frame)} figures{within}). That is not proof that there is none."
    )


def effect(row: Row) -> str:
    """Write a difference in standard deviations of a game: what the figures are sorted by."""
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
        "games vary (standard deviations of a game).",
        f"{name}. {spoken(own, 'figure', 'difference', write)}",
        own,
        one_axes(draw, own, "figure"),
    )


MOST_DRAWN = 8  # differences in the picture of the answer


def answer(before: Source, after: Source, frame: pl.DataFrame) -> Answer:
    """Return the verdict: what the second run changes, and whether it is more than chance."""
    found, words = shown(frame), before.words
    one, other = before.label, after.label
    if found.is_empty():
        widest = frame.filter(pl.col("unit") == RATE).select(((pl.col("high") - pl.col("low")) / 2).max()).item()
        within = f" Rates differ by at most {100 * widest:.1f} points or so." if widest else ""
        none = f"none of {len(frame)} figures differs by more than chance"
        text = [f"{other} and {one} cannot be told apart: {none}.{within}"]
    else:
        heads = [name for name in (words.any_objective, words.score) if name in found["figure"]]
        first = [found.filter(pl.col("figure") == name).to_dicts()[0] for name in heads]
        rest = found.filter(~pl.col("figure").is_in(heads)).head(2 if first else 3).to_dicts()
        text = [
            f"Yes, they differ: {len(found)} of {len(frame)} figures change by more than chance from {one} to {other}.",
            " ".join(_told(row) for row in [*first, *rest]),
        ]
        if not first:
            text.append(f"{words.any_objective} and {words.score} show no difference that is more than chance.")
    n = integer(int(highest(frame["n"])))
    how = f"Both played the same {n} games." if paired(before, after) else f"They played different games, {n} at least."
    drawn = found if len(found) else frame
    kind = RATE if (drawn["unit"] == RATE).any() else words.score
    picture = _picture(before, after, drawn.filter(pl.col("unit") == kind).head(MOST_DRAWN), kind == RATE)
    return Answer([*text, how, *doubts([before, after])], named(picture))


def _told(row: Row) -> str:
    return f"{row['figure']}: {written(row)}, from {level(row, 'before')} to {level(row, 'after')}."


def comparison(before: Source, after: Source, frame: pl.DataFrame) -> Sequence[Part]:
    """Return all parts of a comparison."""
    return [what_differs(before, after), differences_part(before, after, frame)]
