"""CSV files of a tile set, as spreadsheets read and write them.

Accepted are a byte order mark, any line ends, comma, semicolon or tab between cells, blank lines,
`yes`/`no`/`TRUE`/`FALSE`; blank cells mean the field's default. A file is UTF-8 with a header line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput
from nfsim.files import read_text, write_atomic
from nfsim.games.new_frontiers.tiles.numbers import to_toml
from nfsim.games.new_frontiers.tiles.records import KINDS, Record
from nfsim.games.new_frontiers.tiles.tileset import FILES, TileSet
from nfsim.validation import quoted, unknown

REMEDY = "nfsim tiles export --out DIR writes complete files to start from"
YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
LIMIT = 5_000_000  # bytes; no tile file is anywhere near it

README = """\
A tile set for nfsim: New Frontiers with The Starry Rift
========================================================
One CSV file (UTF-8) per kind: worlds, developments, empires, goals, conditions; setup.toml has the numbers
that stand on no tile. Edit them in a spreadsheet or an editor and save them as "CSV UTF-8".

Use it:     nfsim run SCENARIO.toml --set tiles=DIR
Check it:   nfsim tiles check DIR     (says what cannot be played, and what differs from the manual's table)

powers      phase.effect(filter) amount key=value; several are joined by "; ". Examples:
            settle.military(rebel) 2; trade.bonus(genes) 1; consume.goods(novelty) 1 vp=1 times=2
scoring     2 per rebel_military; 1 per imperium max 8
steps       3:2 5:5 6+:8     (from 3 on 2 VPs, from 5 on 5, from 6 on 8)
requires    7 colony; 2 goals_scored at_least=8; owns "Contact Specialist"; no_military
yes/no      military, rift
status      sourced, partly, reconstructed or patched: set it to sourced, say where the value comes from in source,
            and clear reconstructed (the fields that are not sourced) when you have typed in what a tile really shows:
            every result states the share that is not sourced
when        switch=choice: the record is in the set only under that reading of a ruling (nfsim rules lists them)
copies      how many of the world lie in the bag
A wrong name or number stops the load with file, line, record and column named.
"""


def read_rows(path: Path, model: type[Record]) -> list[tuple[str, dict[str, Any]]]:
    """Read a CSV file into the fields of its records, blank cells left out.

    Returns
    -------
    list of (str, dict)
        Where each record stands (`line 12`) and its fields.
    """
    text = read_text(path, LIMIT, "a tile file", REMEDY)
    if text[:4].lower() == "sep=":  # a line some spreadsheets put first
        text = text.partition("\n")[2]
    lines = _cells(path, text)
    if not lines:
        raise BadInput(path, "", "is empty", REMEDY)
    header = _header(path, lines[0][1], model)
    rows = []
    for number, cells in lines[1:]:
        where = f"line {number}"
        beyond = [cell for cell in cells[len(header) :] if cell]
        if beyond:
            raise BadInput(path, where, f"has more cells than the header; the first is {quoted(beyond[0])}")
        rows.append((where, _fields(path, where, dict(zip(header, cells, strict=False)), model)))
    if not rows:
        raise BadInput(path, "", "has a header but no records", REMEDY)
    return rows


def _cells(path: Path, text: str) -> list[tuple[int, list[str]]]:
    """Split into lines that hold something, with their numbers."""
    first = next((line for line in text.splitlines() if line.strip(" ,;\t")), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    lines, start = [], 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                lines.append((start, stripped))
            start = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(path, f"line {start}", f"is not valid CSV: {error}", "check its quotation marks") from None
    return lines


def _header(path: Path, cells: list[str], model: type[Record]) -> list[str]:
    header = [cell.casefold().replace(" ", "_") for cell in cells]
    while header and not header[-1]:
        header.pop()
    for column in header:
        if column not in model.model_fields:
            raise BadInput(path, "header", unknown("column", column, model.model_fields))
        if header.count(column) > 1:
            raise BadInput(path, "header", f"has the column {column} twice")
    optional = ("reconstructed", "rift", "copies", "scoring", "when", "note", "campaign_name", "source")
    missing = [column for column in model.columns if column not in header and column not in optional]
    if missing:
        raise BadInput(path, "header", f"has no column {missing[0]}", f"columns are {', '.join(model.columns)}")
    return header


def _fields(path: Path, where: str, cells: dict[str, str], model: type[Record]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for column, cell in cells.items():
        if cell == "":
            continue
        kind = model.model_fields[column].annotation
        if kind is int:
            if not re.fullmatch(r"[-+−]?[0-9]{1,9}", cell):
                name = f', {model.kind} "{cells["name"]}"' if cells.get("name") else ""
                raise BadInput(path, f"{where}{name}, {column}", f"must be a whole number, not {quoted(cell)}")
            fields[column] = int(cell.replace("−", "-"))
        elif kind is bool:
            fields[column] = YES_NO.get(cell.casefold(), cell)  # the model refuses what is neither
        else:
            fields[column] = cell
    return fields


def to_csv(records: Iterable[Record], model: type[Record]) -> str:
    """Write records as CSV text; reading it gives equal records."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(model.columns)
    for record in records:
        fields = record.fields()
        writer.writerow([_cell(fields[column]) for column in model.columns])
    return out.getvalue()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"  # TRUE is translated by some spreadsheets
    return "; ".join(value) if isinstance(value, list) else str(value)


def export(tiles: TileSet, folder: Path, *, force: bool = False) -> list[Path]:
    """Write a tile set as a folder of CSV files with a README.

    Parameters
    ----------
    tiles : TileSet
        The set.
    folder : Path
        Where to write; it must be new or empty unless `force`.
    force : bool
        Replace files of the same names.

    Returns
    -------
    list of Path
        The files written.

    Raises
    ------
    BadInput
        If the folder holds files already or cannot be written.
    """
    texts = {f"{FILES[kind]}.csv": to_csv(tiles.of_kind(kind), model) for kind, model in KINDS.items()}
    texts |= {"setup.toml": to_toml(tiles.numbers), "README.txt": README}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()) and not force:
            raise BadInput(folder, "", "already holds files", "name another folder, or add --force to replace them")
        for name, text in texts.items():
            encoding = "utf-8-sig" if name.endswith(".csv") else "utf-8"  # the mark tells spreadsheets it is UTF-8
            write_atomic(folder / name, text.encode(encoding))
    except OSError as error:
        raise BadInput(folder, "", f"cannot be written: {error.strerror or error}") from error
    return [folder / name for name in texts]
