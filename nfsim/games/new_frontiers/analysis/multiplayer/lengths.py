"""How long games last and why they end."""

import math
from typing import Any

import numpy as np
import polars as pl

from nfsim.stats.frames import Tables, games, label
from nfsim.stats.intervals import with_mean_bounds, with_rates

ALL_GAMES = "All games"
QUANTILES = {"median": 0.5, "q10": 0.1, "q90": 0.9}
MOMENTS = {"end_reason": pl.String, "k": pl.Int64, "mean": pl.Float64, "sd": pl.Float64} | dict.fromkeys(
    QUANTILES, pl.Float64
)


def round_distribution(tables: Tables) -> pl.DataFrame:
    """Return how often games lasted each number of rounds: rounds, n (games), k, rate, low, high.

    Numbers between those seen are there with k = 0.
    """
    counts = tables["games"].group_by(pl.col("rounds").cast(pl.Int64)).agg(pl.len().cast(pl.Int64).alias("k")).collect()
    if counts.is_empty():
        return with_rates(counts.with_columns(pl.lit(0, pl.Int64).alias("n")))
    first, last = (int(x) for x in counts.select(a=pl.col("rounds").min(), b=pl.col("rounds").max()).row(0))
    every = pl.DataFrame({"rounds": pl.int_range(first, last + 1, eager=True, dtype=pl.Int64)})
    full = every.join(counts, on="rounds", how="left", maintain_order="left").with_columns(pl.col("k").fill_null(0))
    return with_rates(full.with_columns(pl.lit(games(tables), pl.Int64).alias("n")).select("rounds", "n", "k"))


def endings(tables: Tables) -> pl.DataFrame:
    """Return why games ended and how long they were.

    Returns
    -------
    DataFrame
        end_reason (most frequent first, `ALL_GAMES` last), n (games), k (that ended so), rate, low, high; rounds
        (mean), rounds_low, rounds_high (t interval), median, q10, q90 (between them are 80 % of the games). Empty
        without games.
    """
    counts = (
        tables["games"]
        .group_by("end_reason", pl.col("rounds").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .collect(engine="streaming")  # a few rows, however many games there are
        .with_columns(label("end_reason"))
        .sort("rounds")
    )
    each = [_moments(reason, own) for (reason,), own in counts.group_by("end_reason")]
    each.sort(key=lambda row: (-row["k"], row["end_reason"] or ""))
    rows = [*each, *([_moments(ALL_GAMES, counts)] if each else [])]
    found = pl.DataFrame(rows, schema=MOMENTS)
    bounds = with_mean_bounds(found.with_columns(pl.col("k").alias("n"))).rename(
        {"mean": "rounds", "low": "rounds_low", "high": "rounds_high"}
    )
    counted = with_rates(bounds.with_columns(pl.lit(int(counts["k"].sum()), pl.Int64).alias("n")))
    return counted.select(
        "end_reason", "n", "k", "rate", "low", "high", "rounds", "rounds_low", "rounds_high", "median", "q10", "q90"
    )


def _moments(reason: object, counts: pl.DataFrame) -> dict[str, Any]:
    """Return games, mean, standard deviation and quantiles of lengths that are counted: rounds (rising), k (games)."""
    rounds, k = counts["rounds"].to_numpy(), counts["k"].to_numpy()
    n, mean = int(k.sum()), float(np.average(rounds, weights=k))
    squares = float((k * (rounds - mean) ** 2).sum())
    # the game nearest to the quantile's place, games being numbered from 0 in order of their length
    places = [math.floor(q * (n - 1) + 0.5) for q in QUANTILES.values()]
    at = dict(zip(QUANTILES, rounds[np.searchsorted(k.cumsum(), places, side="right")].tolist(), strict=True))
    return {"end_reason": reason, "k": n, "mean": mean, "sd": math.sqrt(squares / (n - 1)) if n > 1 else None} | at
