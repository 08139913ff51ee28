"""Reading a finished run: its manifest, and its tables as polars LazyFrames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from nfsim.errors import BadInput
from nfsim.log.folder import MANIFEST, RUN, read_json

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
        files = [_inside(self.folder, part["file"]) for part in table["parts"]]
        if files:
            return pl.scan_parquet(files)
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


def load(folder: Path | str) -> Run:
    """Open a finished run.

    Parameters
    ----------
    folder : path
        Folder that ``nfsim run`` wrote.

    Returns
    -------
    Run
        Mapping of table name to polars LazyFrame, with the manifest beside it.

    Raises
    ------
    BadInput
        If there is no finished run in the folder.
    """
    path = Path(folder)
    manifest = read_manifest(path)
    tables = manifest.get("tables")
    if not isinstance(tables, dict) or not all(_is_table(table) for table in tables.values()):
        raise BadInput(path / MANIFEST, "tables", "is missing or damaged")
    for table in tables.values():
        for part in table["parts"]:
            if not _inside(path, part["file"]).is_file():
                raise BadInput(path / part["file"], "", "this part is missing", "run the scenario again")
    return Run(path, manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run."""
    if not folder.is_dir():
        raise BadInput(folder, "", "there is no such folder", "name the folder of a run, for example runs/demo_short")
    if not (folder / MANIFEST).is_file():
        if (folder / RUN).is_file():
            raise BadInput(folder, "", "the run is not finished", "go on with the same nfsim run command")
        raise BadInput(folder, "", "is not the folder of a run (no manifest.json)")
    return read_json(folder / MANIFEST)


def _is_table(table: Any) -> bool:
    if not isinstance(table, dict) or not isinstance(table.get("parts"), list):
        return False
    columns = table.get("columns")
    if not isinstance(columns, dict) or not all(kind in _TYPES for kind in columns.values()):
        return False
    return all(isinstance(part, dict) and isinstance(part.get("file"), str) for part in table["parts"])


def _inside(folder: Path, name: str) -> Path:
    """Return the path of a part, which must lie in the run's folder."""
    parts = PurePosixPath(name).parts
    if PurePosixPath(name).is_absolute() or ".." in parts or "\\" in name or "\0" in name:
        raise BadInput(folder / MANIFEST, "tables", "names a file outside the folder")
    return folder.joinpath(*parts)
