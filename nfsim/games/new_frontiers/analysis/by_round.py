"""VPs round by round, and what the last rounds of the longer solo game add, source by source."""

from __future__ import annotations

import numpy as np
import polars as pl

from nfsim.games.new_frontiers.analysis.outcomes import SOURCES
from nfsim.games.new_frontiers.analysis.thresholds import Pair, same_games
from nfsim.report.source import Source
from nfsim.stats.intervals import with_mean_bounds
from nfsim.stats.paired import independent_means

COLUMNS = tuple(SOURCES.values())
LATE, LONGER, BEHIND = "late rounds", "long game minus short game", "long game then, minus end of the short game"


def logged(source: Source) -> bool:
    """Return whether a run says where VPs came from round by round."""
    if not source.games or "rounds" not in source.tables:
        return False
    return set(COLUMNS) <= set(source.tables["rounds"].collect_schema().names())


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
    played, over = (frame.collect(engine="streaming").sort("round") for frame in (going, ended))
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


def positions_after(source: Source, number: int) -> pl.LazyFrame:
    """Return each solo game's VPs after a round by source; the final ones of a game that ended sooner."""
    after = source.tables["rounds"].filter(pl.col("round") == number).select("game", *COLUMNS)
    final = source.tables["seats"].select("game", *(pl.col(name).alias(f"final {name}") for name in COLUMNS))
    found = final.join(after, on="game", how="left")
    return found.select("game", *(pl.coalesce(name, f"final {name}").cast(pl.Float64).alias(name) for name in COLUMNS))


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
    values = [pl.col(name).cast(pl.Float64) for name in COLUMNS]
    end_short, end_long = (source.tables["seats"].select("game", *values) for source in pair)
    then = positions_after(long, last_round(short))
    parts = [_gain(LATE, then, end_long, paired=True)]
    parts += [_gain(LONGER, end_short, end_long, paired=same_games(pair))]
    parts += [_gain(BEHIND, end_short, then, paired=same_games(pair))]
    return pl.concat(parts)


def last_round(source: Source) -> int:
    """Return the last round that any game of a run played."""
    return int(source.tables["games"].select(pl.col("rounds").max()).collect().item())


def _gain(name: str, before: pl.LazyFrame, after: pl.LazyFrame, *, paired: bool) -> pl.DataFrame:
    """Return the mean difference of every source."""
    rows = []
    if not paired:
        first, second = (frame.collect(engine="streaming") for frame in (before, after))
        for source, column in SOURCES.items():
            apart = independent_means(first[column].to_numpy(), second[column].to_numpy())._asdict()
            rows.append({"source": source, **apart, "mean": apart["difference"]})
        wanted = ("n", "before", "after", "mean", "low", "high", "correlation")
        return pl.DataFrame(rows).select(pl.lit(name).alias("gain"), "source", *wanted)
    both = before.join(after, on="game", suffix=" after")
    pieces = {
        "n": pl.len().cast(pl.Int64),
        **{f"before {c}": pl.col(c).mean() for c in COLUMNS},
        **{f"after {c}": pl.col(f"{c} after").mean() for c in COLUMNS},
        **{f"mean {c}": (pl.col(f"{c} after") - pl.col(c)).mean() for c in COLUMNS},
        **{f"sd {c}": (pl.col(f"{c} after") - pl.col(c)).std() for c in COLUMNS},
        **{f"correlation {c}": pl.corr(c, f"{c} after") for c in COLUMNS},
    }
    found = both.select(expression.alias(key) for key, expression in pieces.items()).collect(engine="streaming")
    row = found.row(0, named=True)
    for source, column in SOURCES.items():
        numbers = {key: row[f"{key} {column}"] for key in ("before", "after", "mean", "sd", "correlation")}
        rows.append({"gain": name, "source": source, "n": row["n"], **numbers})
    bounds = with_mean_bounds(pl.DataFrame(rows))
    return bounds.select("gain", "source", "n", "before", "after", "mean", "low", "high", "correlation")
