"""Outcomes of one run: lazy pipelines from its tables to small frames with n and 95 % intervals.

Every function takes the run's tables (a mapping of polars LazyFrames, as `nfsim.load` gives them) and
returns a DataFrame in a fixed order of rows. Rates come as `k`, `n`, `rate`, `low`, `high`, means as
`n`, `mean`, `sd`, `low`, `high`. Where several seats are pooled the game is the unit, see `nfsim.stats.frames`.
"""

import polars as pl

from nfsim.stats.frames import Tables, blocks, games, label, means, moments, players, results, sums
from nfsim.stats.intervals import MeanInterval, with_mean_bounds, with_rates, within_sign

ANY_CONDITION = "Any condition"
PENALTIES = (3, 6, 8)  # VPs an unconquered Xeno world can cost (seed 000)
TOTAL = "Total"
SOURCES = {
    "VP chips": "vp_chips",
    "Worlds": "vp_worlds",
    "Developments": "vp_developments",
    "9-cost scoring": "vp_nine_cost",
    "Goals": "vp_goals",
    "Xeno penalties": "vp_penalty",
    TOTAL: "score",
}


def condition_rates(tables: Tables) -> pl.DataFrame:
    """Return how often each solo condition was met, and last how often any of them was.

    Returns
    -------
    DataFrame
        campaign, condition, n, k, rate, low, high; conditions by name. Empty without games.
    """
    each = (
        tables["objectives"]
        .group_by(pl.col("campaign"), label("objective"))
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("met").cast(pl.Boolean).sum().cast(pl.Int64).alias("k"))
        .sort("campaign", "objective")
        .collect()
    )
    if each.is_empty():
        return with_rates(each)
    won = (
        tables["seats"]
        .select(
            pl.lit(each["campaign"][0], each.schema["campaign"]).alias("campaign"),
            pl.lit(ANY_CONDITION).alias("objective"),
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("won").cast(pl.Boolean).sum().cast(pl.Int64).alias("k"),
        )
        .collect()
    )
    return with_rates(pl.concat([each, won.head(1)]))


def vp_distribution(tables: Tables) -> pl.DataFrame:
    """Return how often each final number of VPs was reached: vp, n (games), k, rate, low, high."""
    counts = tables["seats"].group_by("score").agg(results(players(tables)).alias("k")).sort("score").collect()
    return with_rates(counts.with_columns(pl.lit(games(tables), pl.Int64).alias("n")))


def binned(distribution: pl.DataFrame, width: int) -> pl.DataFrame:
    """Return a VP distribution in steps of `width` VPs: vp is then the lowest of each step."""
    if width == 1:
        return distribution
    step = (pl.col("score").cast(pl.Int64) // width * width).alias("score")
    return with_rates(distribution.group_by(step).agg(pl.col("n").first(), pl.col("k").sum()).sort("score"))


def vp_summary(tables: Tables) -> pl.DataFrame:
    """Return VPs by seat: seat, n, mean, sd, low, high and the quantiles q10, q25, median, q75, q90."""
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


def penalty_frequencies(tables: Tables) -> pl.DataFrame:
    """Return how often a player ended with 0, 1, 2 … Xeno penalties of each size.

    Returns
    -------
    DataFrame
        penalty (3, 6, 8), taken, n (games), k (games, a game counting by the share of its players),
        rate, low, high. Numbers between those seen are there with k = 0.
    """
    seats = players(tables)
    n = games(tables)
    parts = []
    for penalty in PENALTIES:
        seen = (
            tables["seats"]
            .group_by(pl.col(f"penalty_{penalty}").cast(pl.Int64).alias("taken"))
            .agg(results(seats).alias("k"))
            .collect()
        )
        most = seen["taken"].max() if not seen.is_empty() else -1
        every = pl.DataFrame({"taken": pl.int_range(0, int(str(most)) + 1, eager=True, dtype=pl.Int64)})
        parts.append(
            every.join(seen, on="taken", how="left").select(
                pl.lit(penalty, pl.Int64).alias("penalty"),
                "taken",
                pl.lit(n, pl.Int64).alias("n"),
                pl.col("k").fill_null(0),
            )
        )
    return with_rates(pl.concat(parts).sort("penalty", "taken"))


def goal_points(tables: Tables) -> pl.DataFrame:
    """Return the VPs each goal gave a player when it was in play: goal, n (games), mean, sd, low, high."""
    found, several = [], players(tables) > 1
    for block in blocks(tables):
        goals = block["goals"].select("game", "goal", pl.col("score").cast(pl.Float64))
        if several:
            goals = goals.group_by("goal", "game").agg(pl.col("score").mean())
        found.append(goals.group_by("goal").agg(sums("score")).with_columns(label("goal")).collect(engine="streaming"))
    added = pl.concat(found).group_by("goal").sum().sort("goal")
    return within_sign(with_mean_bounds(added.select("goal", pl.col("score_n").alias("n"), *moments("score"))))


def goal_steps(tables: Tables) -> pl.DataFrame:
    """Return how often each goal in play gave each number of VPs.

    Returns
    -------
    DataFrame
        goal, vp, n (games with the goal), k (as in `penalty_frequencies`), rate, low, high.
    """
    counts = (
        tables["goals"]
        .group_by(label("goal").alias("goal"), pl.col("score").cast(pl.Int64))
        .agg(results(players(tables)).alias("k"))
        .sort("goal", "score")
        .collect()
    )
    return with_rates(counts.with_columns(pl.col("k").sum().over("goal").round().cast(pl.Int64).alias("n")))


def vp_sources(tables: Tables) -> pl.DataFrame:
    """Return the mean VPs of a player from each source: source, n (games), mean, sd, low, high."""
    columns = list(SOURCES.values())
    scores = tables["seats"].select("game", *(pl.col(name).cast(pl.Float64) for name in columns))
    if players(tables) > 1:
        scores = scores.group_by("game").agg(pl.col(name).mean() for name in columns)
    row = scores.select(pl.struct(means(column)).alias(column) for column in columns).collect()
    rows = pl.concat(
        [
            row.select(pl.lit(source).alias("source"), pl.col(column)).unnest(column)
            for source, column in SOURCES.items()
        ]
    )
    bounds = with_mean_bounds(rows)
    total = pl.col("source") == TOTAL
    return pl.concat([within_sign(bounds.filter(~total)), bounds.filter(total)])


def vp_mean(tables: Tables) -> MeanInterval:
    """Return the mean VPs of a player with its interval, as the total in `vp_sources`."""
    total = vp_sources(tables).filter(pl.col("source") == TOTAL).select("n", "mean", "low", "high")
    n, *rest = total.row(0)
    return MeanInterval(int(n), *(float("nan") if x is None else float(x) for x in rest))
