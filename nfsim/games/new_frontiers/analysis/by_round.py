"""VPs round by round, and what the last rounds of the longer solo game add, source by source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl

from nfsim.games.new_frontiers.analysis.outcomes import SOURCES
from nfsim.games.new_frontiers.analysis.solo.thresholds import Pair, same_games
from nfsim.report.source import Source
from nfsim.stats.intervals import with_mean_bounds
from nfsim.stats.paired import independent_means

COLUMNS = tuple(SOURCES.values())
GAIN = ("gain", "source", "n", "before", "after", "mean", "low", "high", "correlation")
PRODUCTS = ("x", "y", "xx", "xy", "yy")  # sums over games: before, after, and their products
LATE, LONGER, BEHIND = "late rounds", "long game minus short game", "long game then, minus end of the short game"


def logged(source: Source) -> bool:
    """Return whether a run says where VPs came from round by round."""
    return bool(source.games) and source.logs("rounds", *COLUMNS)


def by_round(source: Source) -> pl.DataFrame:
    """Return the mean VPs after each round, in all and from each source.

    Parameters
    ----------
    source : Source
        A run for which `logged` holds.

    Returns
    -------
    DataFrame
        round, source (a key of `SOURCES`), n (games), going (games that played the round), mean, sd, low, high (t).
        Every round counts every game: one that has ended counts with its final position, so that the means of two
        rounds are about the same games. With several players a game's value is the mean over them.
    """
    blocks = [_round_sums(block) for block in source.blocks()]
    played, over = (pl.concat(parts).group_by("round").sum().sort("round") for parts in zip(*blocks, strict=True))
    n = int(over["games"].sum())
    parts = []
    for row in played.to_dicts():
        before = over.filter(pl.col("round") < row["round"])  # those that end in a round have a row in it
        for name, column in SOURCES.items():
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
    tables = source.tables
    values = [pl.col(name).cast(pl.Float64) for name in COLUMNS]
    rounds = tables["rounds"].select("game", "round", *values)
    finals = tables["seats"].select("game", *values)
    if source.players > 1:
        means = [pl.col(name).mean() for name in COLUMNS]
        rounds = rounds.group_by("game", "round").agg(means)
        finals = finals.group_by("game").agg(means)
    sums = [
        *(pl.col(name).sum().alias(f"sum {name}") for name in COLUMNS),
        *((pl.col(name) ** 2).sum().alias(f"squares {name}") for name in COLUMNS),
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
        A short and a long solo run for which `logged` holds.

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
    if same_games(pair):
        both = (
            _long_positions(block, last).join(_positions(other.tables["seats"], "short"), on="game")
            for block, other in zip(long.blocks(), short.blocks(), strict=True)
        )
        return _paired(both, compared)
    alone = _paired((_long_positions(block, last) for block in long.blocks()), {LATE: compared.pop(LATE)})
    ends = pl.concat([_long_positions(block, last).collect() for block in long.blocks()])
    return pl.concat([alone, _apart(ends, _positions(short.tables["seats"], "short").collect(), compared)])


def _long_positions(source: Source, last: int) -> pl.LazyFrame:
    """Return the VPs of each long game after a round and at the end."""
    then = _positions(source.tables["rounds"].filter(pl.col("round") == last), "then")
    ends = _positions(source.tables["seats"], "long").join(then, on="game", how="left")
    # a game that ended sooner stands where it ended
    return ends.with_columns(pl.coalesce(f"then {name}", f"long {name}").alias(f"then {name}") for name in COLUMNS)


def _positions(table: pl.LazyFrame, when: str) -> pl.LazyFrame:
    """Return the VPs of each game by source, named by when that was."""
    return table.select("game", *(pl.col(name).alias(f"{when} {name}") for name in COLUMNS))


def last_round(source: Source) -> int:
    """Return the last round that any game of a run played."""
    return int(source.tables["games"].select(pl.col("rounds").max()).collect().item())


def _paired(blocks: Iterable[pl.LazyFrame], compared: Mapping[str, tuple[str, str]]) -> pl.DataFrame:
    """Return the mean differences of every source game by game, in one pass over blocks of games.

    Only whole numbers are summed up: sums of fractions would depend on the order in which threads deliver rows.
    """
    wanted = [pl.len().cast(pl.Int64).alias("n")]
    for gain, (before, after) in compared.items():
        for c in COLUMNS:
            first, second = (pl.col(f"{when} {c}").cast(pl.Int64) for when in (before, after))
            products = (first, second, first * first, first * second, second * second)
            wanted += [values.sum().alias(f"{key} {gain} {c}") for key, values in zip(PRODUCTS, products, strict=True)]
    sums = [block.select(wanted).collect(engine="streaming") for block in blocks]
    row = pl.concat(sums).sum().row(0, named=True)
    rows = [
        {"gain": gain, "source": source, **_moments(row["n"], *(int(row[f"{key} {gain} {c}"]) for key in PRODUCTS))}
        for gain in compared
        for source, c in SOURCES.items()
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


def _apart(long: pl.DataFrame, short: pl.DataFrame, compared: Mapping[str, tuple[str, str]]) -> pl.DataFrame:
    """Return the differences of every source between runs that did not play the same deals."""
    rows = []
    for gain, (before, after) in compared.items():
        for source, c in SOURCES.items():
            found = independent_means(short[f"{before} {c}"].to_numpy(), long[f"{after} {c}"].to_numpy())._asdict()
            rows.append({"gain": gain, "source": source, **found, "mean": found["difference"]})
    return pl.DataFrame(rows).select(GAIN)
