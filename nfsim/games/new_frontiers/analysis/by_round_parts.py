"""What a report says about VPs round by round, and about what the longer solo game's last rounds add."""

from __future__ import annotations

import polars as pl

from nfsim.games.new_frontiers.analysis import by_round
from nfsim.games.new_frontiers.analysis.by_round import BEHIND, LATE, LONGER, last_round
from nfsim.games.new_frontiers.analysis.outcomes import SOURCES, TOTAL
from nfsim.games.new_frontiers.analysis.solo import thresholds
from nfsim.games.new_frontiers.analysis.solo.thresholds import Pair
from nfsim.report.charts import vp_by_round, vp_sources
from nfsim.report.formatting import change, integer, mean
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, one_axes, pooled, spoken, stack_runs
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import reliable

TITLE = "Victory points by round"
RARE = 0.01  # rounds that a smaller share of the games plays are not drawn


def part(group: Group) -> Part:
    """Return the part about VPs by round; empty for runs that were logged without rounds."""
    usable = [source for source in group if by_round.logged(source)]
    if not usable:
        return Part(TITLE)
    frame = stack_runs(usable, by_round.by_round)
    pairs = [pair for pair in thresholds.pairs(usable) if pair[0].players == 1]
    text, tables, pictures = [], [totals(frame)], [lines(usable, frame)]
    for place, pair in enumerate(pairs):
        gains = by_round.late_gains(pair)
        name = f"_{place + 1}" if len(pairs) > 1 else ""
        who = pair[0].policies if len(pairs) > 1 else ""
        text += said(pair, gains)
        tables.append(gain_table(pair, gains, name, who))
        pictures.append(gain_picture(pair, gains, name, who))
    return Part(TITLE, text, tables, pictures)


def shown(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rounds that are not too rare, without intervals where n is too small for them."""
    return reliable(frame.filter(pl.col("going") >= RARE * pl.col("n")))


def totals(frame: pl.DataFrame) -> ReportTable:
    """Return the mean score after each round, a column for each run."""
    own = shown(frame).filter(pl.col("source") == TOTAL)
    runs = own["run"].unique(maintain_order=True).to_list()
    cells = {(r["run"], r["round"]): mean(r["mean"], r["low"], r["high"]) for r in own.to_dicts()}
    rounds = sorted(own["round"].unique())
    rows = [[str(number), *(cells.get((run, number), "") for run in runs)] for number in rounds]
    n = dict(own.select("run", "n").rows())
    head = ["After round", *(f"{run}, n = {integer(n[run])}" for run in runs)]
    whole = frame.filter(pl.col("source") == TOTAL)
    return ReportTable(
        "vp_total_by_round", "Mean VPs after each round (95 % interval)", head, rows, "l" + "r" * len(runs), whole
    )


def lines(group: Group, frame: pl.DataFrame) -> Picture:
    """Return the chart of VPs over the rounds."""
    drawn = shown(frame)
    own = drawn.filter(pl.col("source") == TOTAL).with_columns(pl.format("round {}", "round").alias("after"))
    return Picture(
        "vp_by_round",
        "Victory points round by round",
        "Mean score if the game ended after the round, in all and by source; each source has its own scale; bands are "
        "95 % intervals. A game that has ended counts on with its final position, so that all rounds are about the "
        "same games." + pooled(group),
        "Mean VPs after each round. " + spoken(own, "after", "mean", mean),
        frame,
        vp_by_round.figure(drawn, TOTAL),
    )


def late_name(pair: Pair) -> str:
    """Name the rounds that only the longer game has."""
    first, last = last_round(pair[0]) + 1, last_round(pair[1])
    return f"Round {first}" if first == last else f"Rounds {first} {'and' if last == first + 1 else 'to'} {last}"


def names(pair: Pair) -> dict[str, str]:
    """Return what tables and charts call the three gains."""
    short, long = thresholds.lengths(pair)
    return {
        LATE: f"{late_name(pair)} of a long game",
        LONGER: f"End of {long} minus end of {short}",
        BEHIND: f"{long} after round {last_round(pair[0])}, minus end of {short}",
    }


def said(pair: Pair, gains: pl.DataFrame) -> list[str]:
    """Return what the late rounds add, and why the two ways of asking differ."""
    short, long = thresholds.lengths(pair)
    total = {row["gain"]: row for row in gains.filter(pl.col("source") == TOTAL).to_dicts()}
    late, longer, behind = (total[name] for name in (LATE, LONGER, BEHIND))
    most = gains.filter((pl.col("gain") == LATE) & (pl.col("source") != TOTAL)).sort("mean", descending=True).head(2)
    sources = " and ".join(f"{r['source']} {change(r['mean'], r['low'], r['high'])}" for r in most.to_dicts())
    number = last_round(pair[0])
    paired = thresholds.same_games(pair)
    how = f"on the same {integer(longer['n'])} deals" if paired else f"on other deals, n = {integer(longer['n'])}"
    added = change(late["mean"], late["low"], late["high"])
    more = change(longer["mean"], longer["low"], longer["high"])
    gap = change(behind["mean"], behind["low"], behind["high"])
    sentences = [
        f"{late_name(pair)} add {added} VPs to a long game (n = {integer(late['n'])}; games that ended sooner add "
        f"nothing), most of it from {sources}.",
        f"{long} end with {more} VPs compared with {short}, {how}. The two answers differ because who knows when the "
        f"game ends plans for it: after round {number} a long game stands at {gap} VPs compared with a game that ends "
        "there" + (", for it still invests where the short game already scores." if behind["high"] < 0 else "."),
    ]
    if len({source.policies for source in pair}) > 1:
        sentences[-1] += " Here the two lengths were also played with different weights, which adds to it."
    return sentences


def gain_table(pair: Pair, gains: pl.DataFrame, name: str = "", who: str = "") -> ReportTable:
    """Return the gains by source, a column for each way of asking."""
    called = names(pair)
    cells = {(r["gain"], r["source"]): change(r["mean"], r["low"], r["high"]) for r in gains.to_dicts()}
    rows = [[source, *(cells[gain, source] for gain in called)] for source in SOURCES]
    title = "What the longer game adds, in VPs (95 % interval)" + (f": {who}" if who else "")
    n = f"n = {integer(min(gains['n'].to_list()))}"
    return ReportTable(f"late_gains{name}", title, ["Source", *called.values()], rows, "lrrr", gains, [n] * len(rows))


def gain_picture(pair: Pair, gains: pl.DataFrame, name: str = "", who: str = "") -> Picture:
    """Return the chart of what the late rounds add, and of what the longer game ends with more."""
    called = names(pair)
    place = {source: i for i, source in enumerate(SOURCES)}
    frame = (
        reliable(gains.filter(pl.col("gain") != BEHIND))
        .with_columns(pl.col("gain").replace_strict(called).alias("run"))
        .sort(pl.col("source").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)
    )
    return Picture(
        f"late_gains{name}",
        f"What {late_name(pair).lower()} add" + (f": {who}" if who else ""),
        f"Mean VPs by source: what {late_name(pair).lower()} add within a long game, and what the long game ends with "
        "more than a short one, whose player knew that it would end sooner.",
        "Mean gain in VPs by source. " + spoken(frame, "source", "mean", change),
        gains,
        one_axes(vp_sources.draw, frame, "source"),
    )
