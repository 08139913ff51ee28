"""Outcomes of one run: lazy pipelines from its tables to small frames with n and 95 % intervals.

Every function takes the run's tables (a mapping of polars LazyFrames, as `nfsim.load` gives them) and
returns a DataFrame in a fixed order of rows. Rates come as `k`, `n`, `rate`, `low`, `high`, means as
`n`, `mean`, `sd`, `low`, `high`. Where several seats are pooled the game is the unit, see `nfsim.stats.frames`.
"""

from collections.abc import Mapping

import polars as pl

from nfsim.report.metrics import TOTAL
from nfsim.stats.frames import Tables, games, label, means, players, results
from nfsim.stats.intervals import MeanInterval, with_mean_bounds, with_rates, within_sign


def objective_rates(tables: Tables, any_objective: str) -> pl.DataFrame:
    """Return how often each objective was met, and last how often any of them was.

    Parameters
    ----------
    tables : Tables
    any_objective : str
        What the last row is called.

    Returns
    -------
    DataFrame
        objective, n, k, rate, low, high; objectives by name. Empty without games.
    """
    each = (
        tables["objectives"]
        .group_by(label("objective"))
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("met").cast(pl.Boolean).sum().cast(pl.Int64).alias("k"))
        .sort("objective")
        .collect()
    )
    if each.is_empty():
        return with_rates(each)
    won = (
        tables["seats"]
        .select(
            pl.lit(any_objective).alias("objective"),
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("won").cast(pl.Boolean).sum().cast(pl.Int64).alias("k"),
        )
        .collect()
    )
    return with_rates(pl.concat([each, won.head(1)]))


def score_distribution(tables: Tables) -> pl.DataFrame:
    """Return how often each final score was reached: score, n (games), k, rate, low, high."""
    counts = tables["seats"].group_by("score").agg(results(players(tables)).alias("k")).sort("score").collect()
    return with_rates(counts.with_columns(pl.lit(games(tables), pl.Int64).alias("n")))


def binned(distribution: pl.DataFrame, width: int) -> pl.DataFrame:
    """Return a distribution of scores in steps of `width`: score is then the lowest of each step."""
    if width == 1:
        return distribution
    step = (pl.col("score").cast(pl.Int64) // width * width).alias("score")
    return with_rates(distribution.group_by(step).agg(pl.col("n").first(), pl.col("k").sum()).sort("score"))


def score_summary(tables: Tables) -> pl.DataFrame:
    """Return scores by seat: seat, n, mean, sd, low, high and the quantiles q10, q25, median, q75, q90."""
    quantiles = {"q10": 0.10, "q25": 0.25, "median": 0.50, "q75": 0.75, "q90": 0.90}
    return with_mean_bounds(
        tables["seats"]
        .group_by("seat")
        .agg(*means("score"), *(pl.col("score").quantile(q, "nearest").alias(name) for name, q in quantiles.items()))
        .sort("seat")
        .collect()
    )


def seat_wins(tables: Tables) -> pl.DataFrame:
    """Return each seat's share of wins, a shared win split among those who share it.

    Returns
    -------
    DataFrame
        seat, n, k (wins, ties split), shared (wins shared with others), rate, low, high.
    """
    won = pl.col("won").cast(pl.Float64)
    per_game = tables["seats"].group_by("game").agg(won.sum().alias("winners"))
    return with_rates(
        tables["seats"]
        .select("game", "seat", won.alias("won"))
        .join(per_game, on="game")
        .group_by("seat")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            (pl.col("won") / pl.max_horizontal(pl.col("winners"), pl.lit(1.0))).sum().alias("k"),
            ((pl.col("won") > 0) & (pl.col("winners") > 1)).sum().cast(pl.Int64).alias("shared"),
        )
        .sort("seat")
        .collect()
    )


def score_sources(tables: Tables, sources: Mapping[str, str]) -> pl.DataFrame:
    """Return the mean that a player's score has from each source.

    Parameters
    ----------
    tables : Tables
    sources : mapping of str to str
        Columns of ``seats`` by name, the whole under `TOTAL`; see `nfsim.report.metrics.Metrics.sources`.

    Returns
    -------
    DataFrame
        source, n (games), mean, sd, low, high.
    """
    columns = list(sources.values())
    scores = tables["seats"].select("game", *(pl.col(name).cast(pl.Float64) for name in columns))
    if players(tables) > 1:
        scores = scores.group_by("game").agg(pl.col(name).mean() for name in columns)
    row = scores.select(pl.struct(means(column)).alias(column) for column in columns).collect()
    rows = pl.concat(
        [
            row.select(pl.lit(source).alias("source"), pl.col(column)).unnest(column)
            for source, column in sources.items()
        ]
    )
    bounds = with_mean_bounds(rows)
    total = pl.col("source") == TOTAL
    return pl.concat([within_sign(bounds.filter(~total)), bounds.filter(total)])


def score_mean(tables: Tables) -> MeanInterval:
    """Return the mean score of a player with its interval, as the total in `score_sources`."""
    n, *rest = score_sources(tables, {TOTAL: "score"}).select("n", "mean", "low", "high").row(0)
    return MeanInterval(int(n), *(float("nan") if x is None else float(x) for x in rest))
