"""What a part holds, compared with what is said of it: rows, columns, games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from nfsim.log.schema import arrow_type

MOST_ROWS = 10**8  # of a part: equal rows take no room in a file, so a tiny one could fill the memory


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
        file = pq.ParquetFile(path)
        return _wrong_columns(file, part) or (_wrong_games(file, part) if part.numbered else "")
    except Exception as error:  # whatever the reader makes of a file that is none
        return f"cannot be read as Parquet ({' '.join(str(error).split())[:100]})"


def cannot_be_opened(path: Path, columns: Iterable[str]) -> str:
    """Say why a part cannot be read without harm, or under its table's columns, from its footer; '' if it can."""
    try:
        footer = pq.read_metadata(path)
        names = footer.schema.to_arrow_schema().names
    except Exception as error:  # whatever the reader makes of a file that is none
        return f"cannot be read as Parquet ({' '.join(str(error).split())[:100]})"
    if footer.num_rows > MOST_ROWS:
        return f"says that it has {footer.num_rows:,} rows, more than a part can have"
    return "" if names == list(columns) else "has other columns than its manifest lists"


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


def _wrong_games(file: Any, part: Expected) -> str:
    """Compare the numbers of the games with those of the chunk: all of the table of games, the ends of others."""
    if part.columns is None or "game" not in part.columns:
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
    place = file.schema_arrow.names.index("game")
    for group in range(file.metadata.num_row_groups):
        ends = file.metadata.row_group(group).column(place).statistics
        if ends is not None and ends.has_min_max and not part.first <= ends.min <= ends.max <= last:
            return f"holds games {ends.min:,} to {ends.max:,}, not {part.first:,} to {last:,}"
    return ""
