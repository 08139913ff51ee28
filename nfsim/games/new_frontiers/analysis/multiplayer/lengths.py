"""How long games last and why they end."""

import polars as pl

from nfsim.stats.frames import Tables, games, label
from nfsim.stats.intervals import with_mean_bounds, with_rates

ALL_GAMES = "All games"


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
    rounds = pl.col("rounds")
    moments = [
        pl.len().cast(pl.Int64).alias("k"),
        rounds.mean().alias("mean"),
        rounds.std().alias("sd"),
        *(rounds.quantile(q, "nearest").alias(name) for q, name in ((0.5, "median"), (0.1, "q10"), (0.9, "q90"))),
    ]
    each = (
        tables["games"]
        .group_by(label("end_reason").alias("end_reason"))
        .agg(moments)
        .sort("k", "end_reason", descending=[True, False])
        .collect()
    )
    total = tables["games"].select(pl.lit(ALL_GAMES).alias("end_reason"), *moments).collect()
    found = pl.concat([each, total.filter(pl.col("k") > 0)])
    bounds = with_mean_bounds(found.with_columns(pl.col("k").alias("n"))).rename(
        {"mean": "rounds", "low": "rounds_low", "high": "rounds_high"}
    )
    counted = with_rates(bounds.with_columns(pl.lit(total["k"][0], pl.Int64).alias("n")))
    return counted.select(
        "end_reason", "n", "k", "rate", "low", "high", "rounds", "rounds_low", "rounds_high", "median", "q10", "q90"
    )
