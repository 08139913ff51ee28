"""Records: what is printed on one card or tile, checked field by field, and what it rests on.

A game has a pydantic model for each kind of record. Field names and texts are the same in TOML and CSV. A record says
what it rests on: `status` (sourced, partly, reconstructed; `patched` when a scenario changed it), `source`, and in
`reconstructed` the fields that no source gives. Status and list must agree: a sourced record has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainValidator, field_validator, model_validator

from nfsim.validation import FieldError, one_printable_line, quoted, unknown

Status = Literal["sourced", "partly", "reconstructed", "patched"]
STATUSES: tuple[Status, ...] = ("sourced", "partly", "reconstructed", "patched")
LONGEST_NAME = 60
MOST_NAMES = 30  # fields that a record can list


def entries(value: Any, most: int, what: str) -> list[str]:
    """Accept a list of texts, or one text with semicolons as it stands in a CSV cell."""
    if isinstance(value, str):
        value = [part for part in value.split(";") if part.strip()]
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise ValueError(f"must be a list of texts, not {quoted(value)}")
    if len(value) > most:
        raise ValueError(f"at most {most} {what} fit, not {len(value)}")
    return [entry.strip() for entry in value]


def parsed(parse: Callable[[str], Any], kind: type, most: int, what: str) -> PlainValidator:
    """Return a validator of a field that is a tuple of `kind`, written as texts that `parse` reads."""

    def validate(value: Any) -> tuple[Any, ...]:
        if isinstance(value, tuple) and all(isinstance(entry, kind) for entry in value):
            return value
        return tuple(parse(entry) for entry in entries(value, most, what))

    return PlainValidator(validate)


def known_words(value: Any, known: Iterable[str], what: str) -> tuple[str, ...]:
    """Accept some of the known words, each once."""
    words = list(known)
    names = entries(value, len(words), f"{what}s")
    for name in names:
        if name not in words:
            raise ValueError(unknown(what, name, words))
    if len(set(names)) < len(names):
        raise ValueError(f"a {what} is given twice: {', '.join(names)}")
    return tuple(names)


def _name(text: str) -> str:
    text = one_printable_line(text)
    if not text or len(text) > LONGEST_NAME:
        raise ValueError(f"must be 1 to {LONGEST_NAME} characters, not {quoted(text)}")
    if '"' in text or ";" in text:
        raise ValueError(f"must not contain quotation marks or semicolons: {text}")
    if text[0] in "=+-@":  # names stand in the CSV files of reports
        raise ValueError(f"must not begin with =, +, - or @, which spreadsheets take for a formula, not {quoted(text)}")
    return text


Name = Annotated[str, AfterValidator(_name)]
Text = Annotated[str, AfterValidator(one_printable_line)]
Names = Annotated[tuple[str, ...], PlainValidator(lambda value: tuple(entries(value, MOST_NAMES, "names")))]


class Record(BaseModel):
    """What every record has; a game's kinds of record are its subclasses.

    Attributes
    ----------
    kind, plural : str
        Name of the kind, and of its files.
    words : str
        Plural of the kind in sentences, if that is not `plural`.
    toml : str
        File of the built-in set that has them, if that is not named by `plural`.
    columns : tuple of str
        Every field, in the order of the CSV file.
    optional : tuple of str
        Columns that a CSV file may lack.
    filled : tuple of str
        Columns that have a default, and yet no blank cell: a number that was forgotten must not pass for 0.
    names_with : str
        Kinds with the same one share their names: no two of their records have one name.
    told_apart_by : str
        Field that tells records of one name apart; '' if names do.
    both_sides : tuple of str
        Fields that are the same on both sides of a place.
    readings : mapping of str to sequence of str
        Readings that `when` may name, by the switch of their ruling.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    kind: ClassVar[str]
    plural: ClassVar[str]
    words: ClassVar[str] = ""
    toml: ClassVar[str] = ""
    columns: ClassVar[tuple[str, ...]]
    optional: ClassVar[tuple[str, ...]] = ("reconstructed", "when", "note", "source")
    filled: ClassVar[tuple[str, ...]] = ()
    names_with: ClassVar[str] = ""
    told_apart_by: ClassVar[str] = ""
    both_sides: ClassVar[tuple[str, ...]] = ()
    readings: ClassVar[Mapping[str, Sequence[str]]] = {}

    name: Name
    when: str = ""
    status: Status
    source: Text = ""
    reconstructed: Names = ()
    note: Text = ""

    @field_validator("when")
    @classmethod
    def _known_reading(cls, text: str) -> str:
        """Check `switch=choice` against the rulings."""
        text = one_printable_line(text)
        if not text:
            return ""
        switch, _, choice = (part.strip() for part in text.partition("="))
        if switch not in cls.readings:
            raise ValueError(unknown("switch", switch, cls.readings))
        if choice not in cls.readings[switch]:
            raise ValueError(unknown(f"reading of {switch}", choice, cls.readings[switch]))
        return f"{switch}={choice}"

    @field_validator("reconstructed")
    @classmethod
    def _known_fields(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in cls.model_fields:
                raise ValueError(unknown("field", name, cls.model_fields))
        return names

    @model_validator(mode="after")
    def _status_fits(self) -> Self:
        if self.status == "sourced" and self.reconstructed:
            listed = ", ".join(self.reconstructed)
            problem = f"is sourced, but reconstructed still lists {listed}: clear that, or write partly"
            raise FieldError("status", problem)
        if self.status in ("partly", "reconstructed") and not self.reconstructed:
            raise FieldError(
                "status", f"is {self.status}, but reconstructed lists no field: write sourced, or list what is not"
            )
        return self

    @classmethod
    def several(cls) -> str:
        """Return the kind's plural as it stands in sentences."""
        return cls.words or cls.plural

    @property
    def title(self) -> str:
        """How messages call the record."""
        return f'{self.kind} "{self.name}"'

    @property
    def key(self) -> tuple[object, ...]:
        """What must not occur twice among records that can be in force together."""
        apart = (getattr(self, self.told_apart_by),) if self.told_apart_by else ()
        return (*apart, self.name.casefold())

    @property
    def place(self) -> str:
        """What a two-sided record is a side of; '' for other records."""
        return ""

    @property
    def side_shown(self) -> str:
        """Which side of its place it is."""
        return ""

    def holds(self, readings: Mapping[str, str]) -> bool:
        """Tell whether the record is in the set under these readings of the rulings."""
        switch, _, choice = self.when.partition("=")
        return not self.when or readings[switch] == choice

    def fields(self) -> dict[str, Any]:
        """Return the record as it is written in TOML: texts, numbers, lists of texts, in the order of the CSV."""
        return {name: self.written(getattr(self, name)) for name in self.columns}

    @classmethod
    def written(cls, value: Any) -> Any:
        """Return a field's value as it is written; a game overrides it for values of its own."""
        return [str(entry) for entry in value] if isinstance(value, tuple) else value

    def summary(self) -> str:
        """Return the record in a few words; a game overrides it with better ones."""
        aside = ("name", "status", "source", "reconstructed", "note", "when")
        found = ((name, value) for name, value in self.fields().items() if name not in aside)
        return ", ".join(f"{name} {'; '.join(value) if isinstance(value, list) else value}" for name, value in found)

    def in_full(self) -> list[str]:
        """Return every field that says something, one a line, marked if it is reconstructed."""
        lines = [self.title]
        for name, value in self.fields().items():
            text = "; ".join(value) if isinstance(value, list) else str(value)
            mark = "   (reconstructed)" if name in self.reconstructed else ""
            if text and name not in ("name", "reconstructed"):
                lines.append(f"  {name:13}  {text}{mark}")
        if "name" in self.reconstructed:
            lines.append("  the name itself is reconstructed too")
        return lines
