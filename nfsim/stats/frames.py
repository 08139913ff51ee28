"""Small pieces of the pipelines that turn a run's tables into frames of estimates, the same for every game.

Every game's log has a table ``games`` with one row a game and a table ``seats`` with one row a game and player.
Players of one game are not independent of each other, so wherever several seats are pooled the game is the unit:
its value is the mean (or share) over its seats, and n counts games.
"""

from collections.abc import Iterator, Mapping

import polars as pl

Tables = Mapping[str, pl.LazyFrame]

BLOCK = 1_000_000  # solo games whose rows are held at once where a question needs them side by side


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


def blocks(tables: Tables, size: int | None = None) -> Iterator[Tables]:
    """Cut a run into pieces of so many games, for questions that need all rows of a game side by side.

    A run without games is one piece, so that what is made of the pieces has its columns.

    Parameters
    ----------
    tables : Tables
        Each with a column ``game``.
    size : int, optional
        Games of a piece; by default as many as keep memory small.
    """
    last, seat = tables["seats"].select(pl.col("game").max(), pl.col("seat").max()).collect().row(0)
    size = size or (BLOCK if not seat else BLOCK // (2 * (int(seat) + 1)))
    for first in range(0, int(last or 0) + 1, size):
        own = pl.col("game").is_between(first, first + size, closed="left")
        yield {name: table.filter(own) for name, table in tables.items()}


def sums(name: str) -> list[pl.Expr]:
    """Return the aggregates of a column that can be added up over `blocks`; see `moments`."""
    value = pl.col(name).cast(pl.Float64)
    return [
        value.count().cast(pl.Int64).alias(f"{name}_n"),
        value.sum().alias(f"{name}_sum"),
        (value * value).sum().alias(f"{name}_squares"),
    ]


def moments(name: str) -> tuple[pl.Expr, pl.Expr]:
    """Return mean and sd, named ``mean`` and ``sd``, from `sums`; null where there are too few values."""
    n, total, squares = (pl.col(f"{name}_{end}") for end in ("n", "sum", "squares"))
    variance = (squares - total * total / n).clip(0) / (n - 1)
    return (
        pl.when(n > 0).then(total / n).alias("mean"),
        pl.when(n > 1).then(variance.sqrt()).alias("sd"),
    )
