"""What a part holds, compared with what is said of it: rows, columns, games."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from nfsim.log.schema import arrow_type

# of a part, which holds at most 20,000 games: equal rows take no room in a file, so a tiny one could fill the memory
MOST_ROWS = 2 * 10**7
MOST_FOOTER = 10**7  # bytes of what a part says about itself: one has some 10,000; reading it takes many times as much
FOOTER_END = 8  # bytes at the end of a part: the length of the footer before it, and PAR1
ROWS_READ = 10**6  # at a time


@dataclass(frozen=True)
class Expected:
    """What is said of a part; None where nothing is.

    Attributes
    ----------
    table, file : str
    first, games : int
        Of its chunk.
    rows, bytes, sha256 : int, int, str
    columns : mapping of str to str, optional
        How each column is stored.
    numbered : bool
        Whether its games are the chunk's by number, so that the table ``games`` has each of them once.
    """

    table: str
    file: str
    first: int
    games: int
    rows: int | None
    bytes: int | None
    sha256: str | None
    columns: Mapping[str, str] | None = None
    numbered: bool = False


def wrong_inside(path: Path, part: Expected) -> str:
    """Say what is wrong with the contents of a part; '' if nothing is."""
    try:
        if problem := _footer_too_large(path):
            return problem
        file = pq.ParquetFile(path)
        return _wrong_columns(file, part) or _wrong_rows(file, part)
    except Exception as error:  # whatever the reader makes of a file that is none
        return f"cannot be read as Parquet ({' '.join(str(error).split())[:100]})"


def cannot_be_opened(path: Path, columns: Iterable[str], rows: int | None) -> str:
    """Say why a part cannot be read without harm, or is not as listed, from its footer; '' if it can be, and is."""
    try:
        if problem := _footer_too_large(path):
            return problem
        footer = pq.read_metadata(path)
        names = footer.schema.to_arrow_schema().names
    except Exception as error:  # whatever the reader makes of a file that is none
        return f"cannot be read as Parquet ({' '.join(str(error).split())[:100]})"
    if footer.num_rows > MOST_ROWS:
        return f"says that it has {footer.num_rows:,} rows, more than a part can have"
    if rows is not None and footer.num_rows != rows:
        return f"has {footer.num_rows:,} rows, not {rows:,}"
    return "" if names == list(columns) else "has other columns than its manifest lists"


def rows_in(path: Path) -> int | None:
    """Return the rows of a part as its footer says; None if it cannot be read."""
    try:
        return None if _footer_too_large(path) else int(pq.read_metadata(path).num_rows)
    except Exception:  # whatever the reader makes of a file that is none
        return None


def _footer_too_large(path: Path) -> str:
    """Look at the length of a footer before anything reads it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(-min(FOOTER_END, size), os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
    # what is no Parquet at all, its length being nonsense, is said by its reader
    return f"has a footer of {length:,} bytes, more than a part can have" if MOST_FOOTER < length < size else ""


def _wrong_columns(file: Any, part: Expected) -> str:
    rows, schema = file.metadata.num_rows, file.schema_arrow
    if rows > MOST_ROWS:
        return f"says that it has {rows:,} rows, more than a part can have"
    if part.rows is not None and rows != part.rows:
        return f"has {rows:,} rows, not {part.rows:,}"
    if part.columns is None:
        return ""
    if schema.names != list(part.columns):
        strange = sorted({*schema.names} ^ {*part.columns})
        return f"has other columns: {', '.join(strange)[:100]}" if strange else "has its columns in another order"
    for name, kind in part.columns.items():
        if schema.field(name).type != arrow_type(kind):
            return f"has {name} as {schema.field(name).type}, not as {kind}"
    return ""


def _wrong_rows(file: Any, part: Expected) -> str:
    """Read a row of all columns, which fails on what is encrypted or cut, and compare the numbers of the games."""
    import pyarrow.compute as pc  # takes a while, and only a check needs it

    for _ in file.iter_batches(batch_size=1, use_threads=False):
        break
    if not part.numbered or "game" not in file.schema_arrow.names:
        return ""
    last = part.first + part.games - 1
    if part.table == "games":
        if file.metadata.num_rows != part.games:
            return f"holds {file.metadata.num_rows:,} games, not {part.games:,}"
        pieces = file.read(columns=["game"], use_threads=False).column(0).chunks
        found = np.concatenate([np.zeros(0, np.int64), *(piece.to_numpy(zero_copy_only=False) for piece in pieces)])
        if not np.array_equal(found, np.arange(part.first, last + 1)):
            return f"does not hold games {part.first:,} to {last:,}, each once and in order"
        return ""
    # the column itself: its statistics may lie, and asking for those of an encrypted one ends the process
    for batch in file.iter_batches(ROWS_READ, columns=["game"], use_threads=False):
        ends = pc.min_max(batch.column(0)).as_py()
        if batch.column(0).null_count:
            return "has rows without the number of their game"
        if batch.num_rows and not part.first <= ends["min"] <= ends["max"] <= last:
            return f"holds games {ends['min']:,} to {ends['max']:,}, not {part.first:,} to {last:,}"
    return ""
