"""Scores round by round, and what the last rounds of the longer game add, source by source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np
import polars as pl

from nfsim.report.charts.curves import rounds_figure
from nfsim.report.charts.means import draw_means
from nfsim.report.formatting import change, integer, mean
from nfsim.report.metrics import TOTAL
from nfsim.report.page import Part
from nfsim.report.parts import thresholds
from nfsim.report.parts.thresholds import Pair, same_games
from nfsim.report.picture import Group, Picture, one_axes, pooled, spoken, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import reliable, with_mean_bounds
from nfsim.stats.paired import independent_means

GAIN = ("gain", "source", "n", "before", "after", "mean", "low", "high", "correlation")
PRODUCTS = ("x", "y", "xx", "xy", "yy")  # sums over games: before, after, and their products
LATE, LONGER, BEHIND = "late rounds", "long game minus short game", "long game then, minus end of the short game"


def logged(source: Source) -> bool:
    """Return whether a run says where scores came from round by round."""
    columns = source.metrics.sources.values()
    return bool(source.games) and source.logs("rounds", *columns) and source.logs("seats", *columns)


def by_round(source: Source) -> pl.DataFrame:
    """Return the mean score after each round, in all and from each source.

    Parameters
    ----------
    source : Source
        A run for which `logged` holds.

    Returns
    -------
    DataFrame
        round, source (a name in `Metrics.sources`), n (games), going (games that played the round), mean, sd, low,
        high (t).
        Every round counts every game: one that has ended counts with its final position, so that the means of two
        rounds are about the same games. With several players a game's value is the mean over them.
    """
    blocks = [_round_sums(block) for block in source.blocks()]
    played, over = (pl.concat(parts).group_by("round").sum().sort("round") for parts in zip(*blocks, strict=True))
    n = int(over["games"].sum())
    parts = []
    for row in played.to_dicts():
        before = over.filter(pl.col("round") < row["round"])  # those that end in a round have a row in it
        for name, column in source.metrics.sources.items():
            total = row[f"sum {column}"] + before[f"sum {column}"].sum()
            squares = row[f"squares {column}"] + before[f"squares {column}"].sum()
            spread = max(squares - total**2 / n, 0.0) / (n - 1) if n > 1 else float("nan")
            parts.append({
                "round": int(row["round"]), "source": name, "n": n, "going": int(row["games"]), "mean": total / n,
                "sd": float(np.sqrt(spread)),
            })  # fmt: skip
    return with_mean_bounds(pl.DataFrame(parts))


def _round_sums(source: Source) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return games, sums and sums of squares by round: of the games that played it, and of those that ended in it."""
    tables, columns = source.tables, list(source.metrics.sources.values())
    values = [pl.col(name).cast(pl.Float64) for name in columns]
    rounds = tables["rounds"].select("game", "round", *values)
    finals = tables["seats"].select("game", *values)
    if source.players > 1:
        means = [pl.col(name).mean() for name in columns]
        rounds = rounds.group_by("game", "round").agg(means)
        finals = finals.group_by("game").agg(means)
    sums = [
        *(pl.col(name).sum().alias(f"sum {name}") for name in columns),
        *((pl.col(name) ** 2).sum().alias(f"squares {name}") for name in columns),
    ]
    going = rounds.group_by("round").agg(pl.len().alias("games"), *sums)
    lengths = tables["games"].select("game", pl.col("rounds").cast(pl.Int64).alias("round"))
    ended = finals.join(lengths, on="game").group_by("round").agg(pl.len().alias("games"), *sums)
    played, over = pl.collect_all([going, ended], engine="streaming")
    return played, over


def late_gains(pair: Pair) -> pl.DataFrame:
    """Return what the rounds add that only the longer game has, and what the longer game ends with more.

    Parameters
    ----------
    pair : (Source, Source)
        A short and a long run with one player for which `logged` holds.

    Returns
    -------
    DataFrame
        gain, source, n, before, after, mean (after minus before), low, high, correlation (of before and after over
        the games; NaN if they are not the same games). Three gains: `LATE`, the end of each long game minus its
        position after the short game's last round; `LONGER`, the end of a long game minus the end of the short game
        of the same number (the same deal, if both runs have the same seed); `BEHIND`, a long game after the short
        game's last round minus the end of the short game. `LONGER` is the sum of the other two.
    """
    short, long = pair
    last = last_round(short)
    compared = {LATE: ("then", "long"), LONGER: ("short", "long"), BEHIND: ("short", "then")}
    sources = short.metrics.sources
    if same_games(pair):
        both = (
            _long_positions(block, last).join(_positions(other.tables["seats"], "short", sources), on="game")
            for block, other in zip(long.blocks(), short.blocks(), strict=True)
        )
        return _paired(both, compared, sources)
    alone = _paired((_long_positions(block, last) for block in long.blocks()), {LATE: compared.pop(LATE)}, sources)
    ends = pl.concat([_long_positions(block, last).collect() for block in long.blocks()])
    return pl.concat(
        [alone, _apart(ends, _positions(short.tables["seats"], "short", sources).collect(), compared, sources)]
    )


def _long_positions(source: Source, last: int) -> pl.LazyFrame:
    """Return the scores of each long game after a round and at the end."""
    sources = source.metrics.sources
    then = _positions(source.tables["rounds"].filter(pl.col("round") == last), "then", sources)
    ends = _positions(source.tables["seats"], "long", sources).join(then, on="game", how="left")
    # a game that ended sooner stands where it ended
    return ends.with_columns(
        pl.coalesce(f"then {name}", f"long {name}").alias(f"then {name}") for name in sources.values()
    )


def _positions(table: pl.LazyFrame, when: str, sources: Mapping[str, str]) -> pl.LazyFrame:
    """Return the score of each game by source, named by when that was."""
    return table.select("game", *(pl.col(name).alias(f"{when} {name}") for name in sources.values()))


def last_round(source: Source) -> int:
    """Return the last round that any game of a run played."""
    return int(source.tables["games"].select(pl.col("rounds").max()).collect().item())


def _paired(
    blocks: Iterable[pl.LazyFrame], compared: Mapping[str, tuple[str, str]], sources: Mapping[str, str]
) -> pl.DataFrame:
    """Return the mean differences of every source game by game, in one pass over blocks of games.

    Only whole numbers are summed up: sums of fractions would depend on the order in which threads deliver rows.
    """
    wanted = [pl.len().cast(pl.Int64).alias("n")]
    for gain, (before, after) in compared.items():
        for c in sources.values():
            first, second = (pl.col(f"{when} {c}").cast(pl.Int64) for when in (before, after))
            products = (first, second, first * first, first * second, second * second)
            wanted += [values.sum().alias(f"{key} {gain} {c}") for key, values in zip(PRODUCTS, products, strict=True)]
    sums = [block.select(wanted).collect(engine="streaming") for block in blocks]
    row = pl.concat(sums).sum().row(0, named=True)
    rows = [
        {"gain": gain, "source": source, **_moments(row["n"], *(int(row[f"{key} {gain} {c}"]) for key in PRODUCTS))}
        for gain in compared
        for source, c in sources.items()
    ]
    return with_mean_bounds(pl.DataFrame(rows)).select(GAIN)


def _moments(n: int, x: int, y: int, xx: int, xy: int, yy: int) -> dict[str, float]:
    """Return means, standard deviation of the difference and correlation of n pairs, from their exact sums."""
    if n == 0:
        return {"n": 0, **dict.fromkeys(("before", "after", "mean", "sd", "correlation"), float("nan"))}
    squares, spread, other = n * (xx - 2 * xy + yy) - (y - x) ** 2, n * xx - x**2, n * yy - y**2
    return {
        "n": n,
        "before": x / n,
        "after": y / n,
        "mean": (y - x) / n,
        "sd": math.sqrt(squares / (n * (n - 1))) if n > 1 else float("nan"),
        "correlation": (n * xy - x * y) / math.sqrt(spread * other) if spread * other else float("nan"),
    }


def _apart(
    long: pl.DataFrame, short: pl.DataFrame, compared: Mapping[str, tuple[str, str]], sources: Mapping[str, str]
) -> pl.DataFrame:
    """Return the differences of every source between runs that did not play the same deals."""
    rows = []
    for gain, (before, after) in compared.items():
        for source, c in sources.items():
            found = independent_means(short[f"{before} {c}"].to_numpy(), long[f"{after} {c}"].to_numpy())._asdict()
            rows.append({"gain": gain, "source": source, **found, "mean": found["difference"]})
    return pl.DataFrame(rows).select(GAIN)


RARE = 0.01  # rounds that a smaller share of the games plays are not drawn


def part(group: Group) -> Part:
    """Return the part about scores by round; empty for runs that were logged without rounds."""
    title = f"{group[0].metrics.score.capitalize()} by round"
    usable = [source for source in group if logged(source)]
    if not usable:
        return Part(title)
    frame = stack_runs(usable, by_round)
    pairs = [pair for pair in thresholds.pairs(usable) if pair[0].players == 1]
    text, tables, pictures = [], [totals(frame, group[0].words.score)], [lines(usable, frame)]
    for place, pair in enumerate(pairs):
        gains = late_gains(pair)
        name = f"_{place + 1}" if len(pairs) > 1 else ""
        who = pair[0].policies if len(pairs) > 1 else ""
        text += said(pair, gains)
        tables.append(gain_table(pair, gains, name, who))
        pictures.append(gain_picture(pair, gains, name, who))
    return Part(title, text, tables, pictures)


def shown(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rounds that are not too rare, without intervals where n is too small for them."""
    return reliable(frame.filter(pl.col("going") >= RARE * pl.col("n")))


def totals(frame: pl.DataFrame, unit: str) -> ReportTable:
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
        "score_total_by_round",
        f"Mean {unit} after each round (95 % interval)",
        head,
        rows,
        "l" + "r" * len(runs),
        whole,
    )


def lines(group: Group, frame: pl.DataFrame) -> Picture:
    """Return the chart of scores over the rounds."""
    unit = group[0].words.score
    drawn = shown(frame)
    own = drawn.filter(pl.col("source") == TOTAL).with_columns(pl.format("round {}", "round").alias("after"))
    return Picture(
        "score_by_round",
        f"{group[0].metrics.score.capitalize()} round by round",
        "Mean score if the game ended after the round, in all and by source; each source has its own scale; bands are "
        "95 % intervals. A game that has ended counts on with its final position, so that all rounds are about the "
        "same games." + pooled(group),
        f"Mean {unit} after each round. " + spoken(own, "after", "mean", mean),
        frame,
        rounds_figure(drawn, TOTAL, unit),
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
    unit = pair[0].words.score
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
        f"{late_name(pair)} add {added} {unit} to a long game (n = {integer(late['n'])}; games that ended sooner add "
        f"nothing)" + (f", most of it from {sources}." if sources else "."),
        f"{long} end with {more} {unit} compared with {short}, {how}. The two answers differ because who knows "
        "when the "
        f"game ends plans for it: after round {number} a long game stands at {gap} {unit} compared with a game "
        "that ends "
        "there" + (", for it still invests where the short game already scores." if behind["high"] < 0 else "."),
    ]
    if len({source.policies for source in pair}) > 1:
        sentences[-1] += " Here the two lengths were also played with different weights, which adds to it."
    return sentences


def gain_table(pair: Pair, gains: pl.DataFrame, name: str = "", who: str = "") -> ReportTable:
    """Return the gains by source, a column for each way of asking."""
    called = names(pair)
    cells = {(r["gain"], r["source"]): change(r["mean"], r["low"], r["high"]) for r in gains.to_dicts()}
    rows = [[source, *(cells[gain, source] for gain in called)] for source in pair[0].metrics.sources]
    title = f"What the longer game adds, in {pair[0].words.score} (95 % interval)" + (f": {who}" if who else "")
    n = f"n = {integer(min(gains['n'].to_list()))}"
    return ReportTable(f"late_gains{name}", title, ["Source", *called.values()], rows, "lrrr", gains, [n] * len(rows))


def gain_picture(pair: Pair, gains: pl.DataFrame, name: str = "", who: str = "") -> Picture:
    """Return the chart of what the late rounds add, and of what the longer game ends with more."""
    called, unit = names(pair), pair[0].words.score
    place = {source: i for i, source in enumerate(pair[0].metrics.sources)}
    frame = (
        reliable(gains.filter(pl.col("gain") != BEHIND))
        .with_columns(pl.col("gain").replace_strict(called).alias("run"))
        .sort(pl.col("source").replace_strict(place, return_dtype=pl.Int64), maintain_order=True)
    )
    return Picture(
        f"late_gains{name}",
        f"What {late_name(pair).lower()} add" + (f": {who}" if who else ""),
        f"Mean {unit} by source: what {late_name(pair).lower()} add within a long game, and what the long game "
        "ends with "
        "more than a short one, whose player knew that it would end sooner.",
        f"Mean gain in {unit} by source. " + spoken(frame, "source", "mean", change),
        gains,
        one_axes(partial(draw_means, column="source", label=f"mean {unit}, 95 % interval"), frame, "source"),
    )
