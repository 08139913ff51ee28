"""Small pieces of the pipelines that turn a run's tables into frames of estimates, the same for every game.

Every game's log has a table ``games`` with one row a game and a table ``seats`` with one row a game and player.
Players of one game are not independent of each other, so wherever several seats are pooled the game is the unit:
its value is the mean (or share) over its seats, and n counts games.
"""

from collections.abc import Mapping

import polars as pl

Tables = Mapping[str, pl.LazyFrame]


def label(name: str) -> pl.Expr:
    """Return a label column as text, however it is stored (dictionary, enum or string)."""
    return pl.col(name).cast(pl.String)


def players(tables: Tables) -> int:
    """Return the number of seats with an empire (0 for a run without games)."""
    highest = tables["seats"].select(pl.col("seat").max()).collect().item()
    return 0 if highest is None else int(highest) + 1


def games(tables: Tables) -> int:
    """Return the number of games logged."""
    return int(tables["games"].select(pl.len()).collect().item())


def results(seats: int) -> pl.Expr:
    """Return the count of rows of the `seats` table in games: each row is one of so many players."""
    return pl.len().cast(pl.Int64) if seats <= 1 else (pl.len() / seats).cast(pl.Float64)


def means(name: str) -> list[pl.Expr]:
    """Return the aggregates n, mean and sd of a column, as `nfsim.stats.intervals.with_mean_bounds` wants them."""
    value = pl.col(name)
    return [value.count().alias("n"), value.mean().alias("mean"), value.std().alias("sd")]
