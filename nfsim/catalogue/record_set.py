"""A set of records with the numbers that stand on none of them: read, put together, checked, hashed."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Self

import tomli_w
from pydantic import BaseModel, ConfigDict

from nfsim.catalogue import csv_files
from nfsim.catalogue.records import Record, Text
from nfsim.errors import BadInput, nearest
from nfsim.files import find_folder, parse_toml, read_text, write_atomic
from nfsim.validation import checked, quoted, unknown

NUMBERS = "setup.toml"
SAID = ("note", "source")  # fields that tell people something, and change nothing
Rows = Mapping[str, list[tuple[str, dict[str, Any]]]]  # by kind: (where the record stands, its fields)


class NumberTable(BaseModel):
    """One table of `setup.toml`; `source` says where its numbers come from."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    source: Text = ""
    note: Text = ""


class NoNumbers(BaseModel):
    """The numbers of a game that has none but those on its records."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


@dataclass(frozen=True)
class RecordSet:
    """All records of a set, under every reading of the rulings; a game's sets are a subclass.

    Attributes
    ----------
    records : mapping of str to tuple of Record
        By kind, in the order of the files.
    numbers : pydantic.BaseModel
        What stands on no record.
    name : str
        Name of the built-in set, or the folder.
    suffix : str
        Ending of its files' names, for messages.
    kinds : tuple of type
        Kinds of record, in the order of the files.
    numbers_model : type
        What `setup.toml` must be.
    numbers_head : str
        First line of that file.
    package, built_in_name : str
        Where the folder `data` with the built-in set stands, and what the set is called.
    thing, things : str
        What one record is about, and several.
    lookup : str
        Where messages send people who look for a name.
    readme : str
        What a folder of CSV files says of itself.
    """

    records: Mapping[str, tuple[Any, ...]]
    numbers: Any
    name: str = ""
    suffix: str = ".toml"

    kinds: ClassVar[tuple[type[Record], ...]]
    numbers_model: ClassVar[type[BaseModel]] = NoNumbers
    numbers_head: ClassVar[str] = "# The numbers that stand on no record."
    package: ClassVar[str]
    built_in_name: ClassVar[str]
    thing: ClassVar[str] = "record"
    things: ClassVar[str] = "records"
    lookup: ClassVar[str] = ""
    readme: ClassVar[str] = ""

    @classmethod
    def models(cls) -> dict[str, type[Record]]:
        """Return the kinds of record by name."""
        return {model.kind: model for model in cls.kinds}

    @classmethod
    def load(cls, name: str, base: Path | None = None) -> Self:
        """Load a set by name.

        Parameters
        ----------
        name : str
            Name of the built-in set, or a folder with CSV files.
        base : Path, optional
            Folder that a relative folder is looked up from; the current one if none is given.

        Raises
        ------
        BadInput
            Naming file, record and field.
        """
        if name == cls.built_in_name:
            return cls.built_in()
        folder = find_folder(name, base or Path())
        if folder is None:
            raise BadInput(name, "", f"is neither a built-in {cls.thing} set nor a folder",
                           nearest(name, [cls.built_in_name]))  # fmt: skip
        return cls.load_folder(folder)

    @classmethod
    @functools.cache
    def built_in(cls) -> Self:
        """Return the set that comes with the game."""
        data = resources.files(cls.package) / "data"
        rows = {}
        for model in cls.kinds:
            file = _toml_file(model)
            rows[model.kind] = _toml_rows(model, file, (data / file).read_text("utf-8"))
        written = data / NUMBERS
        text = written.read_text("utf-8") if written.is_file() else ""
        return cls.build(rows, cls.read_numbers(NUMBERS, text), cls.built_in_name, ".toml")

    @classmethod
    def load_folder(cls, folder: Path) -> Self:
        """Load a folder as `export` writes it; without `setup.toml` the built-in numbers hold."""
        rows = {model.kind: csv_files.read_rows(folder, model, cls.thing) for model in cls.kinds}
        setup = folder / NUMBERS
        if setup.exists() or setup.is_symlink():  # a link to nowhere is a mistake, not a missing file
            numbers = cls.read_numbers(setup, read_text(setup, csv_files.LIMIT, f"a {cls.thing} file"))
        else:
            numbers = cls.built_in().numbers
        return cls.build(rows, numbers, str(folder), ".csv")

    @classmethod
    def read_numbers(cls, file: object, text: str) -> Any:
        """Read `setup.toml`."""
        return checked(cls.numbers_model, parse_toml(text, file), file)

    @classmethod
    def build(cls, rows: Rows, numbers: Any, name: str, suffix: str) -> Self:
        """Validate rows and put them together."""
        records, places = {}, {}
        for model in cls.kinds:
            file = _toml_file(model) if suffix == ".toml" else f"{name}/{model.plural}.csv"
            records[model.kind] = tuple(
                cls.record(model.kind, fields, file, where) for where, fields in rows[model.kind]
            )
            wheres = (where for where, _ in rows[model.kind])
            places.update({id(record): where for record, where in zip(records[model.kind], wheres, strict=True)})
        found = cls(records, numbers, name, suffix)
        found.check_together(places)
        return found

    @classmethod
    def record(cls, kind: str, fields: Mapping[str, Any], file: object, where: str = "") -> Any:
        """Validate one record; an error names it by its name, or by where it stands."""
        name = fields.get("name")
        title = f"{kind} {quoted(name)}" if isinstance(name, str) and name.strip() else f"{kind} without a name"
        key = ", ".join(part for part in (where, title) if part)
        return checked(cls.models()[kind], fields, file, key)

    def replacing(self, records: Mapping[str, Iterable[Any]]) -> Self:
        """Return the set with other records of some kinds; what must hold between records is not checked."""
        changed = {kind: tuple(found) for kind, found in records.items()}
        return replace(self, records={**self.records, **changed})

    def of_kind(self, kind: str) -> tuple[Any, ...]:
        """Return the records of one kind."""
        return self.records[kind]

    def __iter__(self) -> Iterator[Record]:
        """Iterate over all records, kind by kind, in the order of the files."""
        for model in self.kinds:
            yield from self.records[model.kind]

    def named(self, name: str) -> list[Record]:
        """Return the records of a name, of any kind.

        Raises
        ------
        BadInput
            With the nearest name, if there is none.
        """
        found = [record for record in self if record.name.casefold() == name.strip().casefold()]
        if not found:
            names = [record.name for record in self]
            problem, _, remedy = unknown(self.thing, name, names, self.lookup).partition("; ")
            raise BadInput("NAME", "", problem, remedy)
        return found

    def same_content(self, other: RecordSet) -> bool:
        """Tell whether two sets play alike and know as much of themselves, whatever their notes and sources say."""
        return self.canonical() == other.canonical()

    @functools.cached_property
    def hash(self) -> str:
        """SHA-256 (hex) of `canonical`."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()

    def canonical(self) -> str:
        """Return a set as one text, without what its files only say: notes, and the names of sources.

        What is played counts, and the order of the records, since it is the order in which options are listed. What is
        known counts as well (`status`, `reconstructed`): it decides which sets can be drawn from this one, and the
        share that every result states.
        """
        content = {model.kind: [_unsaid(each.fields()) for each in self.of_kind(model.kind)] for model in self.kinds}
        return json.dumps([content, _unsaid(self.numbers.model_dump())], sort_keys=True, ensure_ascii=False)

    def file(self, kind: str) -> str:
        """Name of the file that a kind's records stand in, for messages."""
        model = self.models()[kind]
        return f"{self.name}/{model.plural}.csv" if self.suffix == ".csv" else _toml_file(model)

    def check_together(self, places: Mapping[int, str] | None = None) -> None:
        """Check what must hold between records.

        Parameters
        ----------
        places : mapping of int to str, optional
            Where records stand in their files (`line 12`), by their `id`.

        Raises
        ------
        BadInput
            For a name used twice, a side of a place given twice, sides that do not fit.
        """
        places = places or {}
        names: dict[str, dict[object, list[Record]]] = {}
        for model in self.kinds:
            known = names.setdefault(model.names_with or model.kind, {})
            sides: dict[object, list[Record]] = {}
            for record in self.of_kind(model.kind):
                self._add_unique(known, record.key, record, "its name is used twice", places)
                if record.place:
                    side, problem = (record.place, record.side_shown), f"{record.place} has this side twice"
                    self._add_unique(sides, side, record, problem, places)
            self._check_sides(sides)

    def _add_unique(
        self, seen: dict[object, list[Record]], key: object, record: Record, problem: str, places: Mapping[int, str]
    ) -> None:
        beside = seen.setdefault(key, [])
        for other in beside:
            if not exclusive(other.when, record.when):
                mine, its = places.get(id(record), ""), places.get(id(other), "")
                elsewhere = Path(self.file(other.kind)).name if its and other.kind != record.kind else ""
                there = ", ".join(part for part in (elsewhere, its) if part)
                title = ", ".join(part for part in (mine, record.title) if part)
                also = f"{other.title} ({there})" if there else other.title
                raise BadInput(self.file(record.kind), title, f"{problem}; the other is {also}")
        beside.append(record)

    def _check_sides(self, sides: Mapping[object, list[Record]]) -> None:
        """Check that both sides of a place are alike in what belongs to the place."""
        first: dict[str, Record] = {}
        for record in (record for found in sides.values() for record in found):
            other = first.setdefault(record.place, record)
            for field in record.both_sides:
                if getattr(other, field) != getattr(record, field):
                    problem = f"differs from {other.title}, the other side of {record.place}"
                    raise BadInput(self.file(record.kind), f"{record.title}, {field}", problem)

    def export(self, folder: Path, *, force: bool = False) -> list[Path]:
        """Write the set as a folder of CSV files with a README.

        Parameters
        ----------
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
        texts = {f"{model.plural}.csv": csv_files.to_csv(self.of_kind(model.kind), model) for model in self.kinds}
        texts |= {NUMBERS: self.numbers_text(), "README.txt": self.readme}
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

    def numbers_text(self) -> str:
        """Return the numbers as TOML that reads back equal; empty texts are left out."""
        tables = {
            name: {key: value for key, value in table.items() if value != ""}
            for name, table in self.numbers.model_dump().items()
        }
        return f"{self.numbers_head}\n\n{tomli_w.dumps(tables)}"


def exclusive(first: str, second: str) -> bool:
    """Tell whether two `when` texts can never hold together."""
    switch, _, choice = first.partition("=")
    other_switch, _, other_choice = second.partition("=")
    return switch == other_switch and choice != other_choice


def _unsaid(fields: dict[str, Any]) -> dict[str, Any]:
    """Return fields, or tables of them, without notes and sources."""
    return {
        key: _unsaid(value) if isinstance(value, dict) else value for key, value in fields.items() if key not in SAID
    }


def _toml_file(model: type[Record]) -> str:
    return model.toml or f"{model.plural}.toml"


def _toml_rows(model: type[Record], file: str, text: str) -> list[tuple[str, dict[str, Any]]]:
    content = parse_toml(text, file)
    known = (model.kind, model.plural)
    for key in content:
        if key not in known:
            raise BadInput(file, key, f"unknown table, expected [[{model.kind}]]", nearest(key, known))
    records = [record for key in known for record in content.get(key, [])]
    if not all(isinstance(record, dict) for record in records):
        raise BadInput(file, model.kind, f"must be a list of tables: [[{model.kind}]]")
    return [("", record) for record in records]
