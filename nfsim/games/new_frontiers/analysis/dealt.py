"""Home colonies and goals beside the tiles that are bought: how the seats that took them did.

Both are dealt or drawn at random, and then chosen: which side of a mat, which of the goals drawn. So this is what goes
with them and not an effect alone.
"""

import numpy as np
import polars as pl
from scipy import stats

from nfsim.games.new_frontiers.analysis import empires, goals
from nfsim.report.parts.seats import results
from nfsim.report.source import Source
from nfsim.stats.equality import with_mean_test
from nfsim.stats.frames import Tables, label
from nfsim.stats.intervals import LEVEL

HOME, GOAL = "home colony", "goal"
COLUMNS = ("record", "kind", "games", "taken", "n", "effect", "low", "high", "p")


def ratings(source: Source) -> pl.DataFrame:
    """Return home colonies and, with several players, goals: see `nfsim.report.metrics.Metrics.dealt`."""
    frames = [homes(source), goals_drawn(source) if source.players > 1 else pl.DataFrame()]
    known = [frame for frame in frames if len(frame)]
    return pl.concat(known, how="vertical_relaxed") if known else pl.DataFrame()


def homes(source: Source) -> pl.DataFrame:
    """Return each side of each mat that was dealt, once, also a side that nobody chose."""
    sides = empires.sides(source.tables, empires.mats_of(source)) if source.players > 1 else alone(source)
    if sides.is_empty():
        return pl.DataFrame()
    found = with_mean_test(values(source.tables, source.players), "effect").rename(
        {"effect_low": "low", "effect_high": "high", "effect_p": "p"}
    )
    named = pl.format("{} ({}{})", "empire", "mat", "side").alias("record")
    return (
        sides.select(named, "empire", games="n", taken="k")
        .join(found, on="empire", how="left", maintain_order="left")
        .with_columns(pl.lit(HOME).alias("kind"), pl.col("n").fill_null(0))
        .select(COLUMNS)
    )


def alone(source: Source) -> pl.DataFrame:
    """Return how often each side of a mat was chosen by one player, whose games need not have a winner."""
    mats = empires.mats_of(source)
    chosen = source.tables["seats"].group_by(label("empire")).agg(pl.len().cast(pl.Int64).alias("k")).collect()
    counted = mats.join(chosen, on="empire", how="left", maintain_order="left").with_columns(pl.col("k").fill_null(0))
    return counted.with_columns(pl.col("k").sum().over("mat").alias("n")).filter(pl.col("n") > 0)


def values(tables: Tables, players: int) -> pl.DataFrame:
    """Return by home how its seats did, less the average seat of the same policy: empire, n, effect, effect_sd."""
    if players > 1:
        rows = results(tables, "empire").with_columns(pl.col("edge").alias("value"))
    else:
        score = pl.col("score").cast(pl.Float64)
        rows = tables["seats"].select(label("empire"), label("policy"), score.alias("value"))
    beyond = pl.col("value") - pl.col("value").mean().over("policy")
    return (
        rows.with_columns(beyond.alias("effect"))
        .group_by("empire")
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("effect").mean(), pl.col("effect").std().alias("effect_sd"))
        .collect()
    )


def goals_drawn(source: Source) -> pl.DataFrame:
    """Return each goal: the share of wins of the seats that drew it, less that of the seats that drew any goal.

    Who draws a goal spends an action on it, whichever it is: against the seats that drew none every goal would be weak.
    """
    found = goals.drawing_value(source.tables) if "goals" in source.tables else pl.DataFrame()
    if found.is_empty():
        return found
    each = found.filter(pl.col("goal") != goals.ALL_GOALS)
    n, edge = pl.col("n"), pl.col("edge")
    # the t interval gives back the spread that it was made from
    half = pl.Series(stats.t.ppf(0.5 + LEVEL / 2, np.maximum(each["n"].to_numpy() - 1, 1)))
    tested = each.select(
        pl.col("goal").alias("record"), n, (edge - (edge * n).sum() / n.sum()).alias("effect"),
        ((pl.col("edge_high") - pl.col("edge_low")) / 2 / half * n.sqrt()).alias("effect_sd"),
    )  # fmt: skip
    return with_mean_test(tested, "effect").select(
        "record", pl.lit(GOAL).alias("kind"), pl.lit(source.games, pl.Int64).alias("games"), n.alias("taken"), "n",
        "effect", low="effect_low", high="effect_high", p="effect_p",
    )  # fmt: skip
