"""CSV files of records, as spreadsheets read and write them.

Accepted are a byte order mark, any line ends, comma, semicolon or tab between cells, blank lines,
`yes`/`no`/`TRUE`/`FALSE`; blank cells mean the field's default, but for columns that must be filled in. A file is UTF-8
with a header line. An apostrophe before what a spreadsheet would compute is no part of the text.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nfsim.catalogue.records import Record
from nfsim.errors import BadInput
from nfsim.files import csv_cell, csv_text, read_text
from nfsim.validation import quoted, unknown

REMEDY = "nfsim tiles export --out DIR writes complete files to start from"
YES_NO = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}
LIMIT = 5_000_000  # bytes; no such file is anywhere near it


def read_rows(folder: Path, model: type[Record], thing: str) -> list[tuple[str, dict[str, Any]]]:
    """Read a kind's CSV file into the fields of its records, blank cells left out.

    Parameters
    ----------
    folder : Path
        Where the file stands.
    model : type of Record
        The kind.
    thing : str
        What a record is about, for messages.

    Returns
    -------
    list of (str, dict)
        Where each record stands (`line 12`) and its fields.
    """
    path = folder / f"{model.plural}.csv"
    text = read_text(path, LIMIT, f"a {thing} file", REMEDY)
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
            stripped = [csv_text(cell.strip()) for cell in cells]
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
    for place, column in enumerate(header, 1):
        if not column or re.fullmatch(r"unnamed:_\d+", column):
            named = "no name" if not column else f"the name {quoted(cells[place - 1])}"
            problem = f"has a column {place} with {named}, as pandas writes an index"
            raise BadInput(path, "header", problem, "delete that column, or write with to_csv(index=False)")
        if column not in model.model_fields:
            raise BadInput(path, "header", unknown("column", column, model.model_fields))
        if header.count(column) > 1:
            raise BadInput(path, "header", f"has the column {column} twice")
    missing = [column for column in model.columns if column not in header and column not in model.optional]
    if missing:
        raise BadInput(path, "header", f"has no column {missing[0]}", f"columns are {', '.join(model.columns)}")
    return header


def _fields(path: Path, where: str, cells: dict[str, str], model: type[Record]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    named = f', {model.kind} "{cells["name"]}"' if cells.get("name") else ""
    for column, cell in cells.items():
        key, kind = f"{where}{named}, {column}", model.model_fields[column].annotation
        if cell == "":
            if column in model.filled:
                raise BadInput(path, key, "is blank", "write 0 if none is printed")
        elif kind is int:
            if not re.fullmatch(r"[-+−]?[0-9]{1,9}", cell):
                whole = re.fullmatch(r"([-+−]?[0-9]{1,9})[.,]0+", cell)
                remedy = f"write {whole[1]}" if whole else ""
                raise BadInput(path, key, f"must be a whole number, not {quoted(cell)}", remedy)
            fields[column] = int(cell.replace("−", "-"))
        elif kind is bool:
            if cell.casefold() not in YES_NO:
                raise BadInput(path, key, f"must be yes or no, not {quoted(cell)}")
            fields[column] = YES_NO[cell.casefold()]
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
    return csv_cell("; ".join(value) if isinstance(value, list) else str(value))
