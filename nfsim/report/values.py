"""What a run's tables must hold, column by column, by the declarations of its game; looked at when numbers fail.

A checksum that fits says only that nothing was changed since somebody wrote the manifest. Looking at every value would
cost more than the report itself, so it is done when the report has failed: bad input is then named, a mistake of this
program is not.
"""

import contextlib
from collections.abc import Iterator, Sequence

import polars as pl

from nfsim.contract.rule_set import load_rule_set
from nfsim.contract.tables import Column
from nfsim.errors import BadInput
from nfsim.log.read import AGAIN
from nfsim.report.source import Source

SIGNED = "VPs"  # the only unit that may be below 0 without a word


@contextlib.contextmanager
def blaming_tables(sources: Sequence[Source]) -> Iterator[None]:
    """Turn a failure into a `BadInput` if a table holds what no game can write; others are raised as they are."""
    try:
        yield
    except BadInput:
        raise
    except Exception:
        for source in sources:
            check_values(source)
        raise


def check_values(source: Source) -> None:
    """Refuse tables with values that no game can write.

    Raises
    ------
    BadInput
        Naming the table and column.
    """
    labels = {"policy": tuple(dict.fromkeys(source.seat_policies))}
    for table in load_rule_set(source.game, source.folder).tables:
        if table.name not in source.tables:
            continue
        frame = source.tables[table.name]
        there = [column for column in table.columns if column.name in frame.collect_schema()]
        try:
            found = frame.select(_looks(column, labels, source) for column in there).collect(engine="streaming")
        except pl.exceptions.PolarsError as error:
            problem = f"the table {table.name} cannot be read ({' '.join(str(error).split())[:100]})"
            raise BadInput(source.folder, "", problem, AGAIN) from None
        for column, wrong in zip(there, found.row(0), strict=True):
            if wrong:
                problem = f"the table {table.name} holds what no game can write in {wrong:,} rows"
                raise BadInput(source.folder, f"{table.name}.{column.name}", problem, AGAIN)
    _check_keys(source)


def _looks(column: Column, labels: dict[str, tuple[str, ...]], source: Source) -> pl.Expr:
    """Return how many values of a column are wrong."""
    value = pl.col(column.name)
    wrong = value.is_null() & pl.lit("null" not in column.sentinel)
    if column.storage == "label":
        known = labels.get(column.labels, ()) if isinstance(column.labels, str) else column.labels
        words = [word for word in known if word]
        if words:
            wrong = wrong | ~value.cast(pl.String).is_in(words)
    elif column.storage != "bool":
        if column.unit != SIGNED and "-1" not in column.sentinel:
            wrong = wrong | (value < 0)
        if column.name == "game":
            wrong = wrong | (value >= source.games)
    return wrong.fill_null(value=False).sum().alias(column.name)


def _check_keys(source: Source) -> None:
    """Refuse games that are there twice, and seats that are not there once in each game."""
    for name, keys in (("games", ["game"]), ("seats", ["game", "seat"])):
        counts = source.tables[name].select(pl.len(), once=pl.struct(keys).n_unique()).collect(engine="streaming")
        rows, once = counts.row(0)
        if rows != once or (name == "seats" and rows != source.games * source.players):
            problem = f"the table {name} does not hold every {' and '.join(keys)} once"
            raise BadInput(source.folder, name, problem, AGAIN)
