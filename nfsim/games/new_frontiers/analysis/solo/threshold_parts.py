"""What a report says about thresholds: the curves of both lengths, and the long threshold as hard as the short one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes

from nfsim.games.new_frontiers.analysis.solo import thresholds
from nfsim.games.new_frontiers.analysis.solo.thresholds import FEW, Pair
from nfsim.report import theme
from nfsim.report.charts import threshold_curve
from nfsim.report.charts.rows import RUN_WIDTH, wrap
from nfsim.report.charts.threshold_curve import Mark
from nfsim.report.formatting import change, integer, points, rate, value_interval
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, panels
from nfsim.report.source import Condition, Source
from nfsim.report.tables import Table

Row = dict[str, Any]

PANEL = 1.75  # inches of a condition's axes
CLEAR = 0.05  # an adjusted p below this is called a difference
WHAT_IT_IS = (
    "The curve of a condition is the share of games that end with at least x VPs and meet its other requirements. The "
    "equally hard threshold is where the long curve comes down to the short game's rate. Scores are whole numbers, so "
    "that in general no threshold is exactly as hard: the number with a decimal lies on a straight line between two "
    "whole ones. The CSV file has the whole one whose rate is nearest, with its rate."
)
AIMED = (
    "This policy plans for the printed thresholds, and unless it is told it chooses in each game what it aims at: its "
    "curves are not what it would reach if another threshold were printed. nfsim difficulty has rates for each "
    "condition aimed at."
)


def part(group: Group) -> Part:
    """Return the part about thresholds; empty unless the group has a short and a long run of one campaign."""
    found = thresholds.pairs(group)
    if not found:
        return Part("Thresholds, short and long")
    numbered = len(found) > 1
    text: list[str] = [WHAT_IT_IS]
    tables, pictures = [], []
    for place, pair in enumerate(found):
        frame = thresholds.equally_hard(pair)
        name = f"_{place + 1}" if numbered else ""
        title = f"{pair[0].policies}" if numbered else ""
        text += said(pair, frame)
        tables.append(table(pair, frame, name, title))
        drawn = picture(pair, frame, name, title)
        pictures += [] if drawn is None else [drawn]
    return Part("Thresholds, short and long", text, tables, pictures)


def said(pair: Pair, frame: pl.DataFrame) -> list[str]:
    """Return the answer in sentences."""
    short, long = pair
    names = thresholds.lengths(pair)
    who = " / ".join(dict.fromkeys(source.policies for source in pair))
    deals = (
        f"{names[0]} and {names[1]} on the same {integer(short.games)} deals, compared deal by deal"
        if thresholds.same_games(pair)
        else f"{integer(short.games)} games of {names[0]}, {integer(long.games)} other games of {names[1]}"
    )
    intro = (
        f"Played by {who}: {deals}. It holds for who played: a policy that collects VPs faster in late rounds needs a "
        "higher long threshold. Intervals of thresholds are bootstrap intervals over the games; whether a printed pair "
        f"of thresholds differs in difficulty is tested for {len(frame)} conditions at once (Benjamini–Hochberg)."
    )
    sentences = [sentence(row, pair) for row in frame.to_dicts()]
    return [intro, *sentences, *([AIMED] if plans(long) else [])]


def sentence(row: Row, pair: Pair) -> str:
    """Say of one condition how hard the printed long threshold is, and which would be as hard as the short one."""
    name, printed, short_games = row["objective"], row["score_long"], pair[0].games
    short, long = thresholds.lengths(pair)
    more = f", which also requires more ({needs(row['requires_long'])})" if other_requirements(row) else ""
    first = f"{name}: {short} {share(row, 'short')} with {row['score_short']} VPs,"
    second = f"{long} {share(row, 'long')} with the printed {printed}{more}"
    gap = points(row["difference"], row["low"], row["high"])
    if not math.isfinite(row["equal_vp"]):
        if row["met_short"] == 0:
            why = "the short condition was never met, so that no threshold can be named"
        elif math.isnan(row["equal_vp"]):
            met = row["met_short"]
            few = f"met it: {met}" if met < FEW else f"missed it: {short_games - met}"
            why = f"short games that {few}, too few to name a threshold"
        else:
            why = "the long requirement is met less often even without a threshold"
        return f"{first} {second}: {gap}; {why}."
    unclear = math.isnan(row["p_adjusted"]) or row["p_adjusted"] >= CLEAR
    verdict = "no clear difference" if unclear else "easier" if row["difference"] > 0 else "harder"
    none = " (0 stands for no threshold at all)" if row["equal_low"] == 0 else ""
    return f"{first} {second}: {verdict}, {gap}; equally hard: {equal_text(row)} VPs{none}."


def share(row: Row, which: str) -> str:
    """Write one of a condition's rates (short, long, nearest) with its interval."""
    return rate(*(row[f"{name}_{which}" if name == "rate" else f"{which}_{name}"] for name in ("rate", "low", "high")))


def equal_text(row: Row) -> str:
    """Write the equally hard threshold with its interval."""
    if not math.isfinite(row["equal_vp"]):
        return "–"
    return f"{row['equal_vp']:.1f} ({value_interval(row['equal_low'], row['equal_high'])})"


def needs(requires: str) -> str:
    """Write requirements as words."""
    return Condition("", 0, requires).needs


def other_requirements(row: Row) -> bool:
    """Return whether the long game requires something else besides its VPs."""
    return bool(row["requires"] != row["requires_long"])


def table(pair: Pair, frame: pl.DataFrame, name: str = "", who: str = "") -> Table:
    """Return printed and equally hard thresholds side by side."""
    short, long = thresholds.lengths(pair)
    rows, notes = [], []
    for r in frame.to_dicts():
        printed = f"{r['score_short']} → {r['score_long']}"
        cells = [
            share(r, "short"),
            share(r, "long"),
            change(*(100 * r[name] for name in ("difference", "low", "high"))),
            equal_text(r),
        ]
        rows.append([r["objective"], printed, *cells])
        changed = f" → {needs(r['requires_long'])}" if other_requirements(r) else ""
        notes.append(needs(r["requires"]) + changed)
    ns = [integer(source.games) for source in pair]
    n = f"n = {ns[0]} each" if ns[0] == ns[1] else f"n = {ns[0]} and {ns[1]}"
    head = ["Condition", "Printed", short, long, "Difference (points)", "Equally hard"]
    title = f"Printed and equally hard thresholds, 95 % intervals{f', {who}' if who else ''} ({n})"
    return Table(f"thresholds{name}", title, head, rows, "lrrrrr", frame, notes)


def curve_frame(pair: Pair) -> pl.DataFrame:
    """Return the curves of both runs below each other, the first column naming the run."""
    names = thresholds.lengths(pair)
    parts = [
        thresholds.curves(source).select(pl.lit(name).alias("run"), pl.all())
        for source, name in zip(pair, names, strict=True)
    ]
    return pl.concat(parts)


def picture(pair: Pair, frame: pl.DataFrame, name: str = "", who: str = "") -> Picture | None:
    """Return the curves of every condition that more than a few games came near, both lengths in one pair of axes."""
    found = curve_frame(pair)
    ever = found.filter(pl.col("k") >= min(FEW, min(source.games for source in pair)))["objective"].unique().to_list()
    listed = {row["objective"]: row for row in frame.to_dicts() if row["objective"] in ever}
    if not listed:
        return None
    left_out = [name for name in frame["objective"] if name not in listed]
    found = found.filter(pl.col("objective").is_in(list(listed)))
    ends = [row[key] for row in listed.values() for key in ("score_short", "score_long", "equal_vp")]
    shown = threshold_curve.span(found, [float(vp) for vp in ends if math.isfinite(vp)])

    def draw(own: pl.DataFrame, ax: Axes, _place: int) -> None:
        row = listed[own["run"][0]]
        printed, equal = marks(row)
        threshold_curve.draw(own.drop("run").rename({"length": "run"}), ax, printed, equal, shown)
        ax.set_title(wrap(row["objective"], RUN_WIDTH))

    # a pair of axes a condition: it takes the place that the run has elsewhere
    by_condition = found.rename({"run": "length", "objective": "run"}).sort(
        pl.col("run").replace_strict({c: i for i, c in enumerate(listed)}, return_dtype=pl.Int64), maintain_order=True
    )
    figure = panels(by_condition, draw, PANEL)
    some = any(math.isfinite(row["equal_vp"]) for row in listed.values())
    short, long = thresholds.lengths(pair)
    labels = [f"{name} (n = {integer(source.games)})" for name, source in zip((short, long), pair, strict=True)]
    with theme.style():
        lines = threshold_curve.key(labels, equal=some)
        figure.set_figheight(figure.get_figheight() + 0.2 * len(lines))
        figure.legend(handles=lines, loc="outside upper left", handlelength=1.8)
        figure.axes[-1].set_xlabel("share of games with at least so many VPs\nand all other requirements met")
    spoken = " ".join(f"{c}: {alt(row, pair)}." for c, row in listed.items())
    return Picture(
        f"threshold_curves{name}",
        "Chance of each threshold" + (f": {who}" if who else ""),
        "Share of games that reach at least so many VPs and meet the condition's other requirements; bands are 95 % "
        "intervals at each number of VPs. Dashed: the printed thresholds. The dotted line leads from the short game's "
        "rate to the long threshold that is as hard."
        + (
            f" Left out, for fewer than {FEW} games met what else it requires: {', '.join(left_out)}."
            if left_out
            else ""
        ),
        f"Falling curves of {short} and {long}. {spoken}",
        found,
        figure,
    )


def marks(row: Row) -> tuple[Sequence[Mark], Mark | None]:
    """Return the printed thresholds on the curves, and the equally hard one if there is one."""
    printed = [Mark(0, row["score_short"], row["rate_short"]), Mark(1, row["score_long"], row["rate_long"])]
    if not math.isfinite(row["equal_vp"]):
        return printed, None
    return printed, Mark(1, row["equal_vp"], row["rate_short"], row["equal_low"], row["equal_high"])


def alt(row: Row, pair: Pair) -> str:
    """Put a condition's marks into words."""
    short, long = thresholds.lengths(pair)
    at = (
        f"{name} {row[f'score_{which}']}+ VPs {share(row, which)}" for name, which in ((short, "short"), (long, "long"))
    )
    return f"{', '.join(at)}; equally hard {equal_text(row)}"


def plans(source: Source) -> bool:
    """Return whether the policy aimed at conditions."""
    table = source.tables["objectives"]
    if "aimed" not in table.collect_schema().names():
        return False
    return bool(table.select(pl.col("aimed").cast(pl.Boolean).any()).collect(engine="streaming").item())
