"""Parquet types and encodings of the tables that a rule set declares.

Measured on rows of real games: grouping the bytes of small integers (BYTE_STREAM_SPLIT) before zstd takes
about 5 ns a value, half of what dictionaries take, and fewer bytes; the sorted game numbers shrink to
nothing as differences; labels are dictionaries, which every reader turns back into words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from nfsim.contract.tables import Column, Table

LEVEL = 3  # of zstd: higher ones cost more time than they save bytes on these tables

_TYPES: dict[str, tuple[Any, Any]] = {
    "bool": (np.int8, pa.bool_()),
    "int8": (np.int8, pa.int8()),
    "int16": (np.int16, pa.int16()),
    "int32": (np.int32, pa.int32()),
    "int64": (np.int64, pa.int64()),
    "label": (np.int16, pa.dictionary(pa.int16(), pa.string())),
}


def arrow_type(storage: str) -> Any:
    """Return the type in files of a column stored in this way, see `nfsim.contract.tables.Column`."""
    return _TYPES[storage][1]


Labels = Callable[[str], Sequence[str]]
"""Gives the labels of a list named by columns (``tile``, ``goal`` …), by code."""


@dataclass(frozen=True)
class ColumnPlan:
    """How one column is stored.

    Attributes
    ----------
    column : Column
        Its declaration.
    narrow : numpy type
        Type in memory between the row buffers and the file.
    low, high : int
        Smallest and largest value allowed.
    arrow : pyarrow.DataType
        Type in the file.
    words : list of str
        Labels without gaps and doubles; empty for numbers.
    places : ndarray of int16 or None, axis code
        Place of each code in `words`, -1 where a code is unused.
    """

    column: Column
    narrow: Any
    low: int
    high: int
    arrow: Any
    words: list[str]
    places: NDArray[np.int16] | None

    def to_arrow(self, values: NDArray[Any]) -> Any:
        """Turn values of type `narrow` into an Arrow array.

        Arrays are put together from their memory: `pyarrow.array` would import pandas first, which takes a
        third of a second in every process.
        """
        if self.column.storage == "bool":
            bits = np.packbits(values.view(np.bool_), bitorder="little")
            return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
        if self.places is None:
            return pa.Array.from_buffers(self.arrow, len(values), [None, pa.py_buffer(values)])
        # code -1 stays -1: the last place is that of "no label"
        places = self.places[values]
        known = places >= 0
        valid = None if known.all() else pa.py_buffer(np.packbits(known, bitorder="little"))
        indices = pa.Array.from_buffers(pa.int16(), len(values), [valid, pa.py_buffer(places)])
        return pa.DictionaryArray.from_arrays(indices, _strings(self.words))


def _strings(words: Sequence[str]) -> Any:
    content = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, content)], dtype=np.int32)
    return pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(content)))


@dataclass(frozen=True)
class TablePlan:
    """How one table is stored: its columns and the writer's options."""

    table: Table
    columns: tuple[ColumnPlan, ...]
    lows: NDArray[np.int64]
    highs: NDArray[np.int64]

    @property
    def schema(self) -> Any:
        """Arrow schema of the files."""
        return pa.schema([(plan.column.name, plan.arrow) for plan in self.columns])

    def write_options(self) -> dict[str, Any]:
        """Keyword arguments of `pyarrow.parquet.write_table`."""
        encodings = {
            plan.column.name: "DELTA_BINARY_PACKED" if plan.column.encoding == "delta" else "BYTE_STREAM_SPLIT"
            for plan in self.columns
            if plan.column.storage.startswith("int")
        }
        return {
            "compression": "zstd",
            "compression_level": LEVEL,
            "use_dictionary": [p.column.name for p in self.columns if p.places is not None],
            "column_encoding": encodings,
            "write_statistics": ["game"],  # enough to skip parts that do not hold a game
        }


def plan_table(table: Table, labels: Labels) -> TablePlan:
    """Plan how a table is stored.

    Parameters
    ----------
    table : Table
        Its declaration.
    labels : callable
        Labels of the lists its columns name.
    """
    plans = tuple(_plan_column(column, labels) for column in table.columns)
    lows = np.array([plan.low for plan in plans], np.int64)
    highs = np.array([plan.high for plan in plans], np.int64)
    return TablePlan(table, plans, lows, highs)


def _plan_column(column: Column, labels: Labels) -> ColumnPlan:
    narrow, arrow = _TYPES[column.storage]
    if column.storage == "bool":
        return ColumnPlan(column, narrow, 0, 1, arrow, [], None)
    if column.storage == "label":
        by_code = labels(column.labels) if isinstance(column.labels, str) else column.labels
        words = list(dict.fromkeys(word for word in by_code if word))
        place = {word: i for i, word in enumerate(words)}
        places = np.array([*(place.get(word, -1) for word in by_code), -1], np.int16)
        return ColumnPlan(column, narrow, -1, len(by_code) - 1, arrow, words, places)
    limits = np.iinfo(narrow)
    return ColumnPlan(column, narrow, int(limits.min), int(limits.max), arrow, [], None)
