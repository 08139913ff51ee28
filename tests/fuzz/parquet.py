"""Mutations of Parquet parts: other values, nulls, labels, types, columns, rows, codecs."""

import io
from collections.abc import Callable
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from fuzz.values import NAMES

Draw = Callable[..., Any]
CODECS = ("none", "snappy", "gzip", "brotli", "lz4", "zstd")
EDGES = (-1, 0, 1, 2, 100, 127, -128, 32767, -32768, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63))
HOWS = ("value", "value", "value", "null", "label", "type", "drop", "add", "rename", "double", "rows", "order", "empty")
TYPES = (pa.int8(), pa.int64(), pa.uint64(), pa.float64(), pa.string(), pa.binary(), pa.bool_(), pa.null(), pa.date32(),
         pa.list_(pa.int64()), pa.struct([("a", pa.int64())]), pa.decimal128(38, 2), pa.timestamp("ns"),
         pa.large_string(), pa.dictionary(pa.int32(), pa.string()))  # fmt: skip


@st.composite
def parts(draw: Draw, good: bytes, most: int = 2) -> bytes:
    """Draw a Parquet file like a good one."""
    table = pq.read_table(io.BytesIO(good))
    for _ in range(draw(st.integers(1, most))):
        how = draw(st.sampled_from(HOWS))
        if not table.num_columns:
            break
        place = draw(st.integers(0, table.num_columns - 1))
        name, column = table.column_names[place], table.column(place)
        if how == "drop":
            table = table.remove_column(place)
        elif how == "add":
            table = table.append_column(draw(st.sampled_from(NAMES)), column)
        elif how == "double":
            table = table.append_column(name, column)
        elif how == "rename":
            table = table.rename_columns([draw(st.sampled_from(NAMES)) if n == name else n for n in table.column_names])
        elif how == "rows":
            table = pa.concat_tables([table, table.slice(draw(st.integers(0, max(0, len(table) - 1))))])
        elif how == "order":
            table = table.take(pa.array(reversed(range(len(table))), pa.int64()))
        elif how == "empty":
            table = table.slice(0, draw(st.integers(0, 1)))
        elif how == "type":
            table = table.set_column(place, name, pa.nulls(len(table), draw(st.sampled_from(TYPES))))
        else:
            table = table.set_column(place, name, draw(_columns(column, how)))
    sink = io.BytesIO()
    pq.write_table(
        table, sink, compression=draw(st.sampled_from(CODECS)), version=draw(st.sampled_from(["1.0", "2.6"]))
    )
    return sink.getvalue()


@st.composite
def _columns(draw: Draw, column: Any, how: str) -> Any:
    """Draw a column of the same type with other values in one place or in all."""
    values = column.to_pylist()
    first = draw(st.integers(0, max(0, len(values) - 1)))
    last = len(values) if draw(st.booleans()) else first + 1
    kind = column.type
    if not values:
        return column
    if how == "null":
        new: Any = None
    elif pa.types.is_dictionary(kind):
        new = draw(st.sampled_from([*NAMES, *values[:3]]) if values else st.sampled_from(NAMES))
    elif pa.types.is_boolean(kind):
        new = draw(st.booleans())
    elif not pa.types.is_integer(kind):  # it was given another type before
        return column
    else:
        new = draw(st.sampled_from([n for n in EDGES if abs(n + (n < 0)) < 2 ** (kind.bit_width - 1)]))
    values[first:last] = [new] * (last - first)
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode().cast(pa.dictionary(kind.index_type, pa.string()))
    return pa.array(values, kind)


def bomb(rows: int) -> bytes:
    """Return a small Parquet file of a great many rows: all the same, so that next to nothing is stored."""
    sink = io.BytesIO()
    pl.select(game=pl.repeat(7, rows, dtype=pl.Int64)).write_parquet(sink, row_group_size=rows)
    return sink.getvalue()
