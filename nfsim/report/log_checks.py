"""Whether a run folder holds what a report needs: a checksum that fits says only that nothing was changed since."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from nfsim.contract.rule_set import NAMES, load_rule_set
from nfsim.contract.tables import Column
from nfsim.errors import BadInput
from nfsim.log.check import MANIFEST, part_path
from nfsim.log.read import AGAIN, Run, scannable
from nfsim.validation import checked, quoted

if TYPE_CHECKING:
    from nfsim.report.source import Source

MOST_SCORE = 1_000_000  # no objective asks for so much
FILLED = ("games", "seats", "rounds", "objectives")  # tables with rows of every game, where they are written


class _Told(BaseModel):
    """Base: what a manifest holds besides is nobody's business; what older versions did not write may be missing."""

    model_config = ConfigDict(strict=True, frozen=True)


class _Scenario(_Told):
    title: str = ""
    game: str = ""
    setup: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    patch: list[dict[str, Any]] = []


class _Share(_Told):
    text: str


class _Records(_Told):
    set: str = ""
    hash: str = ""
    share: _Share


class _Changed(_Told):
    text: str = ""
    patches: list[str] = []


class _Objective(_Told):
    name: str
    score: Annotated[int, Field(ge=-MOST_SCORE, le=MOST_SCORE)]


class _Manifest(_Told):
    """What reports, comparisons and their tables say of a run."""

    game: str = ""
    scenario: _Scenario = _Scenario()
    changes: list[str] = []
    policies: list[str]
    versions: dict[str, Any] = {}
    rulings: dict[str, Any] = {}
    tiles: _Records
    tile_changes: _Changed | None = None
    objectives: list[_Objective] = []
    notes: list[str] = []


def check_sound(folder: Path, run: Run) -> None:
    """Refuse a run whose manifest or tables are not as a report needs them.

    Parameters
    ----------
    folder : Path
        Named in errors.
    run : Run
        As `nfsim.log.read.load` returns it: its parts are there.

    Raises
    ------
    BadInput
        Naming the manifest and its key, or the part.
    """
    file = folder / MANIFEST
    checked(_Manifest, run.manifest, file)
    for name in _needed(run.manifest, file):
        if name not in run:
            raise BadInput(file, "tables", f'"{name}" is missing', AGAIN)
    if name := _repeated(each["name"] for each in run.manifest.get("objectives", [])):
        raise BadInput(file, "objectives", f"{quoted(name)} is listed twice", AGAIN)
    for name, table in run.manifest["tables"].items():
        if part := _repeated(part["file"] for part in table["parts"]):
            raise BadInput(file, f"tables.{name}", f"{quoted(part)} is listed twice", AGAIN)
        rows = sum(_rows(folder, part, table["columns"]) for part in table["parts"])
        if not rows and run.manifest.get("games") and name in _filled(run.manifest):
            raise BadInput(file, f"tables.{name}", "has no rows", AGAIN)


def _repeated(names: Iterable[str]) -> str:
    """Return a name that occurs more than once; '' if none does."""
    name, times = next(iter(Counter(names).most_common(1)), ("", 0))
    return name if times > 1 else ""


def _needed(manifest: Mapping[str, Any], file: Path) -> Iterable[str]:
    """Return the tables that every run of the game has, whatever was logged."""
    game = str(manifest.get("game") or manifest.get("scenario", {}).get("game") or NAMES[0])
    return [table.name for table in load_rule_set(game, file).tables_at("games")]


def _filled(manifest: Mapping[str, Any]) -> Iterable[str]:
    return FILLED if manifest.get("objectives") else [name for name in FILLED if name != "objectives"]


def _rows(folder: Path, part: Mapping[str, Any], columns: Mapping[str, str]) -> int:
    """Return the rows of a part; it must be a Parquet file with the columns and rows listed."""
    file = part_path(folder, part["file"])
    try:
        frame = pl.scan_parquet(scannable(file), glob=False)
        there = frame.collect_schema()
        rows = int(frame.select(pl.len()).collect().item())
    except (pl.exceptions.PolarsError, OSError):
        raise BadInput(file, "", "cannot be read as Parquet", AGAIN) from None
    if list(there) != list(columns):
        raise BadInput(file, "", "does not have the columns that the manifest lists", AGAIN)
    for column, kind in columns.items():
        if not _fits(there[column], kind):
            raise BadInput(file, column, f"holds {there[column]}, not {kind}", AGAIN)
    if part.get("rows", rows) != rows:
        raise BadInput(file, "", f"does not have the rows that the manifest lists but {rows:,}", AGAIN)
    return rows


def _fits(kind: pl.DataType, wanted: str) -> bool:
    if wanted == "label":
        return isinstance(kind, pl.String | pl.Categorical | pl.Enum)
    return kind == pl.Boolean if wanted == "bool" else kind.is_integer()


@contextlib.contextmanager
def blaming_tables(sources: Sequence[Source]) -> Iterator[None]:
    """Turn a failure into a `BadInput` if a table holds what no game can write; others are raised as they are."""
    try:
        yield
    except BadInput:
        raise
    except Exception:
        for source in sources:
            check_values(source)
        raise


def check_values(source: Source) -> None:
    """Refuse tables with values that no game can write.

    Raises
    ------
    BadInput
        Naming the table and column.
    """
    labels = {"policy": tuple(dict.fromkeys(source.seat_policies))}
    for table in load_rule_set(source.game, source.folder).tables:
        if table.name not in source.tables:
            continue
        frame = source.tables[table.name]
        there = [column for column in table.columns if column.name in frame.collect_schema()]
        try:
            found = frame.select(_looks(column, labels, source) for column in there).collect(engine="streaming")
        except pl.exceptions.PolarsError as error:
            problem = f"the table {table.name} cannot be read ({' '.join(str(error).split())[:100]})"
            raise BadInput(source.folder, "", problem, AGAIN) from None
        for column, wrong in zip(there, found.row(0), strict=True):
            if wrong:
                problem = f"the table {table.name} holds what no game can write in {wrong:,} rows"
                raise BadInput(source.folder, f"{table.name}.{column.name}", problem, AGAIN)
    _check_keys(source)


def _looks(column: Column, labels: dict[str, tuple[str, ...]], source: Source) -> pl.Expr:
    """Return how many values of a column are wrong."""
    value = pl.col(column.name)
    wrong = value.is_null() & pl.lit("null" not in column.sentinel)
    if column.storage == "label":
        known = labels.get(column.labels, ()) if isinstance(column.labels, str) else column.labels
        words = [word for word in known if word]
        if words:
            wrong = wrong | ~value.cast(pl.String).is_in(words)
    elif column.storage != "bool":
        if column.unit != source.words.score and "-1" not in column.sentinel:
            wrong = wrong | (value < 0)
        if column.name == "game":
            wrong = wrong | (value >= source.games)
    return wrong.fill_null(value=False).sum().alias(column.name)


def _check_keys(source: Source) -> None:
    """Refuse games that are there twice, and seats that are not there once in each game."""
    for name, keys in (("games", ["game"]), ("seats", ["game", "seat"])):
        counts = source.tables[name].select(pl.len(), once=pl.struct(keys).n_unique()).collect(engine="streaming")
        rows, once = counts.row(0)
        if rows != once or (name == "seats" and rows != source.games * source.players):
            problem = f"the table {name} does not hold every {' and '.join(keys)} once"
            raise BadInput(source.folder, name, problem, AGAIN)
