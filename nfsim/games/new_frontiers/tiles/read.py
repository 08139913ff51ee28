"""Reads a tile set: a built-in one (TOML in `data/`), or a folder of CSV files."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput, nearest
from nfsim.games.new_frontiers.tiles import csv_files
from nfsim.games.new_frontiers.tiles.numbers import Numbers
from nfsim.games.new_frontiers.tiles.records import KINDS, Record
from nfsim.games.new_frontiers.tiles.tileset import FILES, TileSet, check_together
from nfsim.validation import checked, quoted

BUILT_IN = "reconstructed"
TOML_FILES = {kind: "campaigns.toml" if kind == "condition" else f"{name}.toml" for kind, name in FILES.items()}
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
    folder = (base or Path()) / Path(name).expanduser()
    if folder.is_dir():
        return load_folder(folder)
    problem = (
        "is a file, not a folder of CSV files" if folder.exists() else "is neither a built-in tile set nor a folder"
    )
    raise BadInput(folder, "", problem, nearest(name, [BUILT_IN]))


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
    numbers = read_numbers(setup, csv_files.read_text(setup)) if setup.exists() else built_in().numbers
    return build(rows, numbers, str(folder), ".csv")


def read_numbers(file: object, text: str) -> Numbers:
    """Read `setup.toml`."""
    return checked(Numbers, parse_toml(file, text), file)


def parse_toml(file: object, text: str) -> dict[str, Any]:
    """Parse TOML; a mistake becomes a `BadInput` with its line."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(file, "", f"is not valid TOML: {error}") from None


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
    content = parse_toml(file, text)
    known = (kind, FILES[kind])
    for key in content:
        if key not in known:
            raise BadInput(file, key, f"unknown table, expected [[{kind}]]", nearest(key, known))
    records = [record for key in known for record in content.get(key, [])]
    if not all(isinstance(record, dict) for record in records):
        raise BadInput(file, kind, f"must be a list of tables: [[{kind}]]")
    return [("", record) for record in records]
