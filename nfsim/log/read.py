"""Reading a finished run: its manifest, and its tables as polars LazyFrames."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.errors import BadInput
from nfsim.log.addresses import local
from nfsim.log.check import damaged_parts, part_path, trusted_manifest
from nfsim.log.contents import cannot_be_opened
from nfsim.log.parts import READERS

AGAIN = "run the scenario again"

_TYPES: dict[str, Any] = {
    "bool": pl.Boolean,
    "int8": pl.Int8,
    "int16": pl.Int16,
    "int32": pl.Int32,
    "int64": pl.Int64,
    "label": pl.Categorical,
}


class Run(Mapping[str, pl.LazyFrame]):
    """A finished run; its tables are items and attributes.

    Attributes
    ----------
    folder : Path
        Where it lies.
    manifest : dict
        Scenario, seed, versions, rulings, share of reconstructed records, counts.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest

    def __getitem__(self, name: str) -> pl.LazyFrame:
        """Return one table; nothing is read before ``.collect()``."""
        table = self.manifest["tables"][name]
        files = [scannable(part_path(self.folder, part["file"])) for part in table["parts"]]
        if files:
            return pl.scan_parquet(files, glob=False)  # a folder's name may have brackets
        return pl.LazyFrame(schema={column: _TYPES[kind] for column, kind in table["columns"].items()})

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the tables."""
        return iter(self.manifest["tables"])

    def __len__(self) -> int:
        """Count the tables."""
        return len(self.manifest["tables"])

    def __getattr__(self, name: str) -> pl.LazyFrame:
        """Return a table as an attribute: ``run.seats``."""
        if name.startswith("_") or name not in self.__dict__.get("manifest", {}).get("tables", {}):
            raise AttributeError(f"this run has no table {name!r}")
        return self[name]

    def __repr__(self) -> str:
        """Show folder, games and tables."""
        return f"Run({str(self.folder)!r}, games={self.manifest['games']}, tables={list(self)})"


def scannable(path: Path) -> Path:
    """Return a path that holds wherever the program goes, or as it is if only so it can be written in UTF-8."""
    for each in (path.absolute(), path):
        with contextlib.suppress(UnicodeEncodeError):
            os.fspath(each).encode()  # as polars wants it
            return each
    raise BadInput(path, "", "cannot be read: the name is not UTF-8", "rename the folder")


def load(folder: Path | str, *, content: bool = True) -> Run:
    """Open a finished run.

    Parameters
    ----------
    folder : path
        Folder that ``nfsim run`` wrote.
    content : bool
        Compare every part with its checksum, which takes a second per gigabyte, and look whether it can be opened; else
        only their sizes are looked at, which is enough for what this process has just written.

    Returns
    -------
    Run
        Mapping of table name to polars LazyFrame, with the manifest beside it.

    Raises
    ------
    BadInput
        If there is no finished run in the folder, or its manifest or a part is missing, damaged or was changed.
    """
    path = local(folder)
    manifest = trusted_manifest(path)
    damaged = damaged_parts(path, manifest, content=content)
    if damaged:
        name, words = next(iter(damaged.items()))
        raise BadInput(path / name, "", f"this part {words}", AGAIN)
    if content:
        _look_into(path, manifest)
    return Run(path, manifest)


def _look_into(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a part that cannot be opened without harm, or is not as listed; its footer says."""

    def wrong(listed: tuple[Path, Mapping[str, str], int | None]) -> str:
        return cannot_be_opened(*listed)

    parts = [
        (part_path(folder, part["file"]), table["columns"], part.get("rows"))
        for table in manifest["tables"].values()
        for part in table["parts"]
    ]
    with ThreadPoolExecutor(READERS) as readers:
        for (file, _, _), problem in zip(parts, readers.map(wrong, parts), strict=True):
            if problem:
                raise BadInput(file, "", problem, AGAIN)
