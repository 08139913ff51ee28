"""Goals: who scores them, and what it is worth to have drawn one.

Who draws a goal keeps the one that fits (the policy chooses), so its value to the drawer is that of a choice and not
that of any goal.
"""

from collections.abc import Iterable, Sequence

import polars as pl

from nfsim.games.new_frontiers.analysis.multiplayer.seats import results
from nfsim.stats.equality import with_mean_test
from nfsim.stats.frames import Tables, blocks, label, moments, sums
from nfsim.stats.intervals import with_mean_bounds, with_rates
from nfsim.stats.many import with_adjusted

DRAWER, OTHERS = "Drawer", "Others"
ALL_GOALS = "All goals"


def rows_of(tables: Tables) -> pl.LazyFrame:
    """Return the goals that a seat drew: game, seat, goal (as stored), vp, scored (at least 1 VP), drew."""
    vp = pl.col("score").cast(pl.Float64)
    return tables["goals"].filter(pl.col("drawn_by") >= 0).select(
        "game", "seat", "goal", vp, (pl.col("score") > 0).cast(pl.Float64).alias("scored"),
        (pl.col("seat") == pl.col("drawn_by")).alias("drew"),
    )  # fmt: skip


def scored_by(tables: Tables) -> pl.DataFrame:
    """Return how often the drawer and the other seats score a goal, and their VPs for it.

    Returns
    -------
    DataFrame
        goal, who (Drawer, Others), n (games with the goal in play), k, rate, low, high (at least 1 VP; of the others
        the share of them, intervals are then on the wide side), vp, vp_low, vp_high (mean VPs, t interval).
    """
    who = pl.when("drew").then(pl.lit(DRAWER)).otherwise(pl.lit(OTHERS)).alias("who")
    return _scored((rows_of(block).with_columns(who) for block in blocks(tables)), "who")


def scored_by_policy(tables: Tables) -> pl.DataFrame:
    """Return the same by policy: goal, policy, n, …; a game counts by the mean over the policy's seats."""

    def named(block: Tables) -> pl.LazyFrame:
        return rows_of(block).join(results(block).select("game", "seat", "policy"), on=["game", "seat"])

    return _scored(map(named, blocks(tables)), "policy")


def _scored(blocks_of_rows: Iterable[pl.LazyFrame], who: str) -> pl.DataFrame:
    parts = [
        rows.group_by("goal", who, "game")
        .agg(pl.col("scored").mean(), pl.col("score").mean())
        .group_by("goal", who)
        .agg(pl.col("scored").sum().alias("k"), *sums("score"))
        .collect(engine="streaming")
        .with_columns(label("goal"), label(who))
        for rows in blocks_of_rows
    ]
    found = pl.concat(parts).group_by("goal", who).sum().sort("goal", who)
    bounds = with_mean_bounds(found.select("goal", who, "k", pl.col("score_n").alias("n"), *moments("score")))
    named = bounds.rename({"mean": "score", "low": "score_low", "high": "score_high"}).drop("sd")
    return with_rates(named).select("goal", who, "n", "k", "rate", "low", "high", "score", "score_low", "score_high")


def drawing_value(tables: Tables) -> pl.DataFrame:
    """Return what drawing a goal brings: paired within the game, drawer against the others.

    Returns
    -------
    DataFrame
        goal (`ALL_GOALS` in the first row: a game counts by the mean over its goals), n (games), vp, vp_low, vp_high
        (of the drawer for the goal), others, others_low, others_high (mean of the other seats), gain, gain_low,
        gain_high, gain_p, gain_p_adjusted: the first minus the second; edge, edge_low, edge_high, edge_p,
        edge_p_adjusted: the drawer's share of wins minus equal strength. Single goals by gain, highest first; adjusted
        p-values (Benjamini–Hochberg) allow for the number of goals, the row of all is not one of them.
    """
    values = ("score", "others", "gain", "edge")
    added = [expression for name in values for expression in sums(name)]
    totals, singles = [], []
    for block in blocks(tables):
        pairs = _pairs(block)
        games = pairs.lazy().group_by("game").agg(pl.col(name).mean() for name in values)
        totals.append(games.select(pl.lit(ALL_GOALS).alias("goal"), *added).collect(engine="streaming"))
        singles.append(pairs.group_by("goal").agg(added).with_columns(label("goal")))
    if all(single.is_empty() for single in singles):
        return pl.DataFrame()
    total, each = (_moments(parts, values) for parts in (totals, singles))
    frames = []
    for frame in (total, each):
        tested = frame
        for name in values:
            tested = with_mean_test(tested, name)
        for name in ("gain", "edge"):
            tested = with_adjusted(tested, f"{name}_p").rename({"p_adjusted": f"{name}_p_adjusted"})
        frames.append(tested.sort("gain", "goal", descending=[True, False]))
    return pl.concat(frames).select(
        "goal", "n", *(f"{name}{end}" for name in ("score", "others") for end in ("", "_low", "_high")),
        *(f"{name}{end}" for name in ("gain", "edge") for end in ("", "_low", "_high", "_p", "_p_adjusted")),
    )  # fmt: skip


def _pairs(tables: Tables) -> pl.DataFrame:
    """Return for each game and goal the VPs of its drawer and the mean of the others, and the drawer's edge."""
    vp, drew = pl.col("score"), pl.col("drew")
    own = (vp * drew).sum()
    edges = results(tables).select("game", "edge", drawer="seat")
    return (
        rows_of(tables)
        .group_by("game", "goal")
        .agg(
            own.alias("score"),
            ((vp.sum() - own) / (pl.len() - 1)).alias("others"),
            (pl.col("seat") * drew).sum().cast(pl.Int8).alias("drawer"),
        )
        .with_columns((vp - pl.col("others")).alias("gain"))
        .join(edges.with_columns(pl.col("drawer").cast(pl.Int8)), on=["game", "drawer"])
        .collect(engine="streaming")
    )


def _moments(parts: Sequence[pl.DataFrame], values: Sequence[str]) -> pl.DataFrame:
    """Add blocks up: goal, n, and of each value the mean (by its name) and the standard deviation."""
    added = pl.concat(parts).group_by("goal").sum()
    found = [pl.col(f"{values[0]}_n").alias("n")]
    for name in values:
        mean, sd = moments(name)
        found += [mean.alias(name), sd.alias(f"{name}_sd")]
    return added.select("goal", *found)
