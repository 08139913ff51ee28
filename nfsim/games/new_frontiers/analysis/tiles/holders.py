"""Who holds which tile in the arms of a study of single tiles, how the seats fared, and how far the arms are alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import polars as pl

from nfsim.report.source import Source
from nfsim.stats.frames import Tables, label, players

OFF = "not to be had"
WINS, VPS = "wins", "VPs"
DEVELOPMENT = -1  # what `round_explored` is for developments


@dataclass(frozen=True)
class Changed:
    """An arm in which one tile is changed.

    Attributes
    ----------
    tile : str
        Its name.
    change : str
        `OFF`, or how its cost moved: ``cost +1``.
    source : Source
        The arm's run.
    """

    tile: str
    change: str
    source: Source = field(repr=False)


class Seats(NamedTuple):
    """Results seat by seat: game, seat, wins (the share of the win), VPs; and how many seats a game has."""

    frame: pl.DataFrame
    players: int


def seats(tables: Tables) -> Seats:
    """Return what each seat of each game got; a shared win is split."""
    won = pl.col("won").cast(pl.Float64)
    several = players(tables)
    share = won / pl.max_horizontal(won.sum().over("game"), pl.lit(1.0)) if several > 1 else won
    frame = tables["seats"].select("game", "seat", share.alias(WINS), pl.col("score").cast(pl.Float64).alias(VPS))
    return Seats(frame.collect(), several)


def most_owned(tables: Tables, top: int) -> list[str]:
    """Return the developments, then the worlds, that seats own most often at the end, `top` of each."""
    counts = (
        tables["tiles"]
        .filter(pl.col("round_settled") > 0)
        .group_by(label("tile").alias("tile"), (pl.col("round_explored") == DEVELOPMENT).alias("development"))
        .agg(pl.len().alias("n"))
        .sort("development", "n", "tile", descending=[True, True, False])
        .collect()
    )
    return counts.group_by("development", maintain_order=True).head(top)["tile"].to_list()


def holders(tables: Tables, tile: str) -> pl.DataFrame:
    """Return who has a tile: game, seat, owned (settled or built), first (nobody took it in an earlier round), round.

    A world is taken when it is explored, a development when it is built.
    """
    explored, settled = pl.col("round_explored"), pl.col("round_settled")
    taken = pl.when(explored == DEVELOPMENT).then(settled).otherwise(explored)
    return (
        tables["tiles"]
        .filter(label("tile") == tile)
        .select("game", "seat", (settled > 0).alias("owned"), taken.cast(pl.Int64).alias("round"))
        .filter(pl.col("round") > 0)
        .group_by("game", "seat")
        .agg(pl.col("owned").any(), pl.col("round").min())
        .with_columns((pl.col("round") == pl.col("round").min().over("game")).alias("first"))
        .sort("game", "seat")
        .collect()
    )


def alike(base: Source, arms: Sequence[Changed]) -> pl.DataFrame:
    """Return how far games without a tile are the games with it until it is first taken.

    Returns
    -------
    DataFrame
        tile, n (games in which it was taken in the base arm), alike (share of them whose positions after every round
        before that one are the same in both arms), leaked (games of the arm without it in which somebody owns it:
        nobody should). Without the table `rounds` alike is NaN.
    """
    rows = []
    logged = "rounds" in base.tables
    one = _positions(base) if logged else None
    for arm in arms:
        if arm.change != OFF:
            continue
        taken = holders(base.tables, arm.tile).group_by("game").agg(pl.col("round").min().alias("taken"))
        share = np.nan
        if one is not None and "rounds" in arm.source.tables and len(taken):
            both = one.join(_positions(arm.source), on=["game", "round"], how="left")
            differ = (pl.col("position") != pl.col("position_right")).fill_null(True)
            until = both.join(taken, on="game").filter(pl.col("round") < pl.col("taken"))
            broken = until.group_by("game").agg(differ.any().alias("broken")).filter("broken")
            share = 1 - len(broken) / len(taken)
        leaked = holders(arm.source.tables, arm.tile).filter("owned")["game"].n_unique()
        rows.append({"tile": arm.tile, "n": len(taken), "alike": share, "leaked": leaked})
    return pl.DataFrame(rows, {"tile": pl.String, "n": pl.Int64, "alike": pl.Float64, "leaked": pl.Int64})


def _positions(source: Source) -> pl.DataFrame:
    """Return one number for the position of all seats after each round: game, round, position."""
    rounds = source.tables["rounds"]
    names = [name for name in rounds.collect_schema().names() if name not in ("game", "round")]
    return (
        rounds.select("game", "round", pl.struct(names).hash().alias("position"))
        .group_by("game", "round")
        .agg(pl.col("position").bitwise_xor())
        .collect(engine="streaming")
    )


def same_results(one: pl.DataFrame, two: pl.DataFrame) -> float:
    """Return the share of games in which every seat has the same VPs in both arms."""
    both = one.join(two, on=["game", "seat"])
    equal = both.group_by("game").agg((pl.col(VPS) == pl.col(f"{VPS}_right")).all().alias("equal"))
    return float(equal["equal"].to_numpy().mean()) if len(equal) else float("nan")
