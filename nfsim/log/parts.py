"""Writing the rows of one chunk of games: one Parquet part per table, complete or not there at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from nfsim.files import write_atomic
from nfsim.log.schema import TablePlan

READERS = 8  # threads that read parts to check them: hashing lets go of Python's lock


@dataclass(frozen=True)
class PartFile:
    """One part file as the manifest lists it."""

    table: str
    file: str  # relative to the run folder, with forward slashes
    rows: int
    bytes: int
    sha256: str


def chunk_name(first: int) -> str:
    """Return the name of a chunk's files: sorted by name means sorted by game."""
    return f"{first:012d}"


class RowOutOfRange(Exception):  # noqa: N818 - says what happened
    """A value that its column cannot hold: a mistake in a rule set, never cut off silently."""


class PartWriter:
    """Collects the rows of a chunk in narrow columns and writes them as parts.

    Parameters
    ----------
    plans : sequence of TablePlan
        Tables to write.
    """

    def __init__(self, plans: Sequence[TablePlan]) -> None:
        self._plans = plans
        # by table, then by column: pieces still to be joined
        self._pieces: list[list[list[NDArray[Any]]]] = [[[] for _ in plan.columns] for plan in plans]

    def add(self, rows: Mapping[str, Any]) -> None:
        """Take over rows from the engine's buffers, which may be overwritten afterwards.

        Parameters
        ----------
        rows : mapping of table to recarray
            Rows with one int64 field per column.
        """
        for plan, pieces in zip(self._plans, self._pieces, strict=True):
            records = rows[plan.table.name]
            if len(records) == 0:
                continue
            # one column after the other in memory: ten times faster to look through than row by row
            matrix = np.ascontiguousarray(records.view(np.int64).reshape(len(records), len(plan.columns)).T)
            low, high = matrix.min(axis=1), matrix.max(axis=1)
            if (low < plan.lows).any() or (high > plan.highs).any():
                raise RowOutOfRange(_out_of_range(plan, low, high))
            for column, values, piece in zip(plan.columns, matrix, pieces, strict=True):
                piece.append(values.astype(column.narrow))

    def write(self, folder: Path, name: str) -> list[PartFile]:
        """Write the rows collected as ``folder/<table>/<name>.parquet`` and forget them; see `encode`."""
        contents = self.encode(name)
        save_parts(folder, contents)
        return [part for part, _ in contents]

    def encode(self, name: str) -> list[tuple[PartFile, Any]]:
        """Turn the rows collected into the contents of files, and forget them.

        Returns
        -------
        list of (PartFile, bytes-like)
            One per table, for ``<table>/<name>.parquet``. A table without rows gets none.
        """
        contents = []
        for plan, pieces in zip(self._plans, self._pieces, strict=True):
            if not pieces[0]:
                continue
            arrays = [
                column.to_arrow(np.concatenate(piece)) for column, piece in zip(plan.columns, pieces, strict=True)
            ]
            table = pa.Table.from_arrays(arrays, schema=plan.schema)
            sink = pa.BufferOutputStream()
            pq.write_table(table, sink, **plan.write_options())
            content = sink.getvalue()
            digest = hashlib.sha256(content).hexdigest()
            part = PartFile(plan.table.name, f"{plan.table.name}/{name}.parquet", len(table), content.size, digest)
            contents.append((part, content))
        self._pieces = [[[] for _ in plan.columns] for plan in self._plans]
        return contents


def save_parts(folder: Path, contents: Sequence[tuple[PartFile, Any]]) -> None:
    """Write parts, each under a temporary name in its folder and renamed when it is complete."""
    for part, content in contents:
        path = folder / part.file
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, content)


def _out_of_range(plan: TablePlan, low: NDArray[np.int64], high: NDArray[np.int64]) -> str:
    place = int(np.argmax((low < plan.lows) | (high > plan.highs)))
    value = low[place] if low[place] < plan.lows[place] else high[place]
    column = plan.columns[place].column
    return f"{plan.table.name}.{column.name}: {value} does not fit in {column.storage}"


def is_whole(path: Path, size: int | None, digest: str | None) -> bool:
    """Tell whether a part is there with its size and its SHA-256, as far as these are known."""
    return what_is_wrong(path, size, digest) == ""


def what_is_wrong(path: Path, size: int | None, digest: str | None) -> str:
    """Say in a few words how a part differs from what was written, as far as size and SHA-256 are known; '' if not."""
    try:
        if not path.is_file():
            return "is missing" if not path.exists() else "is no file"
        found = path.stat().st_size
        if size is not None and found < size:
            return f"is cut off: {found:,} of {size:,} bytes"
        if size not in (None, found):
            return f"has {found:,} bytes, not {size:,}"
        if digest is not None and sha256(path) != digest:
            return "was changed: its checksum is another"
    except OSError as error:
        return f"cannot be read ({error.strerror or error})"
    return ""


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
