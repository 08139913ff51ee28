"""Reads a tile set: a built-in one (TOML in `data/`), or a folder of CSV files."""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput, nearest
from nfsim.files import find_folder, parse_toml, read_text
from nfsim.games.new_frontiers.tiles import csv_files
from nfsim.games.new_frontiers.tiles.numbers import Numbers
from nfsim.games.new_frontiers.tiles.records import KINDS, Record
from nfsim.games.new_frontiers.tiles.tileset import FILES, TOML_FILES, TileSet, check_together
from nfsim.validation import checked, quoted

BUILT_IN = "reconstructed"
Rows = dict[str, list[tuple[str, dict[str, Any]]]]  # by kind: (where the record stands, its fields)


def load(name: str, base: Path | None = None) -> TileSet:
    """Load a tile set by name.

    Parameters
    ----------
    name : str
        Name of a built-in set, or a folder with CSV files.
    base : Path, optional
        Folder that a relative folder is looked up from; the current one if none is given.

    Raises
    ------
    BadInput
        Naming file, record and field.
    """
    if name == BUILT_IN:
        return built_in()
    folder = find_folder(name, base or Path())
    if folder is None:
        raise BadInput(name, "", "is neither a built-in tile set nor a folder", nearest(name, [BUILT_IN]))
    return load_folder(folder)


@functools.cache
def built_in() -> TileSet:
    """Return the set that comes with nfsim."""
    data = resources.files("nfsim.games.new_frontiers") / "data"
    rows: Rows = {}
    for kind, file in TOML_FILES.items():
        rows[kind] = _toml_rows(kind, file, (data / file).read_text("utf-8"))
    numbers = read_numbers("setup.toml", (data / "setup.toml").read_text("utf-8"))
    return build(rows, numbers, BUILT_IN, ".toml")


def load_folder(folder: Path) -> TileSet:
    """Load a folder as `nfsim tiles export` writes it; without `setup.toml` the built-in numbers hold."""
    rows = {kind: csv_files.read_rows(folder / f"{name}.csv", KINDS[kind]) for kind, name in FILES.items()}
    setup = folder / "setup.toml"
    if setup.exists() or setup.is_symlink():  # a link to nowhere is a mistake, not a missing file
        numbers = read_numbers(setup, read_text(setup, csv_files.LIMIT, "a tile file"))
    else:
        numbers = built_in().numbers
    return build(rows, numbers, str(folder), ".csv")


def read_numbers(file: object, text: str) -> Numbers:
    """Read `setup.toml`."""
    return checked(Numbers, parse_toml(text, file), file)


def build(rows: Rows, numbers: Numbers, name: str, suffix: str) -> TileSet:
    """Validate rows and put them together."""
    records: dict[str, Any] = {}
    for kind, plural in FILES.items():
        file = TOML_FILES[kind] if suffix == ".toml" else f"{name}/{plural}.csv"
        records[plural] = tuple(record_from(kind, fields, file, where) for where, fields in rows[kind])
    tiles = TileSet(**records, numbers=numbers, name=name, suffix=suffix)
    check_together(tiles)
    return tiles


def record_from(kind: str, fields: dict[str, Any], file: object, where: str = "") -> Record:
    """Validate one record; an error names it by its name, or by where it stands."""
    name = fields.get("name")
    title = f"{kind} {quoted(name)}" if isinstance(name, str) and name.strip() else f"{kind} without a name"
    return checked(KINDS[kind], fields, file, ", ".join(part for part in (where, title) if part))


def _toml_rows(kind: str, file: str, text: str) -> list[tuple[str, dict[str, Any]]]:
    content = parse_toml(text, file)
    known = (kind, FILES[kind])
    for key in content:
        if key not in known:
            raise BadInput(file, key, f"unknown table, expected [[{kind}]]", nearest(key, known))
    records = [record for key in known for record in content.get(key, [])]
    if not all(isinstance(record, dict) for record in records):
        raise BadInput(file, kind, f"must be a list of tables: [[{kind}]]")
    return [("", record) for record in records]
