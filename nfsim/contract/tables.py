"""How a rule set declares the tables it writes: every column once, with meaning, unit and sentinel.

One declaration gives the dtype of the rows the compiled code writes (one int64 field per column, codes
instead of labels), the types and encodings of the Parquet files, and what ``nfsim schema`` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

Storage = Literal["bool", "int8", "int16", "int32", "int64", "label"]
Encoding = Literal["split", "delta"]

LEVELS = ("games", "rounds")
"""Log levels that every game has. A game may add finer ones behind them: `RuleSet.levels`."""

STANDARD = {
    "games": ("game", "rounds", "status"),
    "seats": ("game", "seat", "policy", "score", "rank", "won"),
    "rounds": ("game", "round", "seat", "score"),
    "objectives": ("game", "objective", "met", "margin", "requires_met", "aimed"),
}
"""Columns that every game fills, by table; `objectives` only if it has some. Studies rest on these alone."""


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        Name in the row dtype, in the Parquet files and everywhere else.
    meaning : str
        What it says, as a phrase.
    storage : {"bool", "int8", "int16", "int32", "int64", "label"}
        Type in the files. A value that does not fit stops the run; it is never cut off.
    unit : str
        ``VPs``, ``credits`` …; '' for labels and numbers without one.
    sentinel : str
        What a special value means, for example ``-1 = nobody``; '' if there is none.
    labels : tuple of str or str
        For ``label``: the labels in the order of their codes, or the name of a list that belongs to a
        prepared game (``tile``, ``goal`` …). Code -1 becomes null.
    encoding : {"split", "delta"}
        For numbers: ``split`` groups their bytes (small numbers take one byte and compress well), ``delta``
        stores differences, for numbers that rise steadily from row to row.
    """

    name: str
    meaning: str
    storage: Storage = "int16"
    unit: str = ""
    sentinel: str = ""
    labels: tuple[str, ...] | str = ()
    encoding: Encoding = "split"


@dataclass(frozen=True)
class Table:
    """One table: a folder of Parquet files, sorted by its first columns.

    Attributes
    ----------
    name : str
        Name of the folder.
    meaning : str
        What one row is.
    level : str
        The lowest log level that writes it.
    columns : tuple of Column
        In order; the first is always ``game``.
    """

    name: str
    meaning: str
    level: str
    columns: tuple[Column, ...] = field(repr=False)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the rows in memory. Build it once and share it: see `nfsim.contract.rule_set`."""
        return np.dtype([(column.name, np.int64) for column in self.columns])
