"""Patches: what a scenario changes in a set, one record at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nfsim.catalogue.record_set import RecordSet
from nfsim.catalogue.records import Record
from nfsim.errors import BadInput
from nfsim.validation import FieldError, quoted, unknown

COPIES = "copies"  # field of records of which a game has several

Sets = TypeVar("Sets", bound=RecordSet)


class Patch(BaseModel):
    """One change of a set; a game's patches are a subclass that names its set.

    A field that tells records of one name apart (`Record.told_apart_by`) is a further key of the subclass.

    Attributes
    ----------
    do : {"change", "add", "remove", "duplicate"}
        `duplicate` gives a record one more copy (or `copies` copies in all), where there can be several; with a new
        `name` under `set` it makes another record like the first, of any kind.
    kind : str
        Kind of the record.
    name : str
        The record; `add` may name it under `set` instead.
    set : dict
        Fields and their new values, as in the set's files.
    copies : int, optional
    sets : type of RecordSet
        What the patches of the game change.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    do: Literal["change", "add", "remove", "duplicate"]
    kind: str
    name: str = ""
    set: dict[str, Any] = Field(default_factory=dict)
    copies: Annotated[int, Field(ge=0, le=20)] | None = None

    sets: ClassVar[type[RecordSet]]

    def __str__(self) -> str:
        """Return the patch in words: change world Gem World: cost = 5."""
        name = self.name or str(self.set.get("name", ""))
        key, told = self.told_apart
        apart = f" ({key} {told})" if told is not None else ""
        copies = [f"{self.copies} copies"] if self.copies is not None else []
        fields = [f"{key} = {_written(value)}" for key, value in self.set.items() if value != name]
        details = ", ".join(copies + fields)
        return f"{self.do} {self.kind} {name}{apart}{': ' if details else ''}{details}"

    @property
    def told_apart(self) -> tuple[str, Any]:
        """Field that tells records of one name apart, and its value; '' and None if that is not needed."""
        model = self.sets.models().get(self.kind)
        key = model.told_apart_by if model is not None else ""
        return key, getattr(self, key, None) if key else None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not self.name and not (self.do == "add" and "name" in self.set):
            raise FieldError("name", f"is missing: which {self.sets.thing}?")
        if self.do == "change" and not self.set:
            raise FieldError("set", "is missing: change what, as in set = { cost = 3 }?")
        if self.do == "add" and not self.set:
            raise FieldError("set", f"is missing: it has the fields of the new {self.sets.thing}")
        if self.do == "remove" and self.set:
            raise FieldError("set", "has no meaning with remove")
        if self.copies is not None and (self.do != "duplicate" or self.kind not in _copied(self.sets)):
            kinds = " and ".join(model.several() for model in _copied(self.sets).values())
            raise FieldError("copies", f"is for duplicate on {kinds}; to change it, set = {{ copies = n }}")
        return self


def _written(value: Any) -> str:
    """Write a value as TOML does."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _copied(sets: type[RecordSet]) -> dict[str, type[Record]]:
    """Return the kinds of record that a game can have several copies of."""
    return {kind: model for kind, model in sets.models().items() if COPIES in model.model_fields}


def apply(records: Sets, patches: Sequence[Patch], file: object) -> Sets:
    """Return the set with patches applied in their order.

    Parameters
    ----------
    records : RecordSet
        The set to start from; it is left as it is.
    patches : sequence of Patch
        Changes, in order.
    file : object
        The scenario file, for messages.

    Raises
    ------
    BadInput
        For a record that does not exist, an unknown field or an impossible value.
    """
    if not patches:
        return records
    content = {model.kind: list(records.of_kind(model.kind)) for model in records.kinds}
    for number, patch in enumerate(patches):
        content[patch.kind] = _patched(content[patch.kind], patch, file, f"patch.{number}")
    patched = records.replacing(content)
    try:
        patched.check_together()
    except BadInput as error:  # the set was in order before, so the patches are the cause
        raise BadInput(file, f"patch, {error.key}", error.problem, error.remedy) from None
    return patched


def _patched(records: list[Record], patch: Patch, file: object, key: str) -> list[Record]:
    sets = patch.sets
    if patch.do == "add":
        fields = {"status": "patched", **patch.set}
        if patch.name:
            fields.setdefault("name", patch.name)
        return [*records, sets.record(patch.kind, fields, file, f"{key}.set")]
    chosen = [record for record in records if _meant(record, patch)]
    if not chosen:
        names = [record.name for record in records]
        problem, _, remedy = unknown(patch.kind, patch.name, names, sets.lookup).partition("; ")
        raise BadInput(file, f"{key}.name", problem, remedy)
    if len({record.key for record in chosen}) > 1:
        apart = patch.told_apart[0]
        raise BadInput(file, f"{key}.name", f"{quoted(patch.name)} occurs in several {apart}s", f"add {apart} = n")
    if patch.do == "remove":
        return [record for record in records if record not in chosen]
    out = []
    for record in records:
        if record not in chosen:
            out.append(record)
        elif patch.do == "change":
            out.append(_changed(sets, record, patch.set, file, f"{key}.set"))
        elif "name" in patch.set:
            out += [record, _changed(sets, record, patch.set, file, f"{key}.set")]
        elif patch.kind in _copied(sets):
            copies = patch.copies if patch.copies is not None else getattr(record, COPIES) + 1
            out.append(_changed(sets, record, {**patch.set, COPIES: copies}, file, key))
        else:
            kinds = " or ".join(f"a {kind}" for kind in _copied(sets)) or "nothing"
            raise BadInput(
                file, key, f"only {kinds} can have several copies, not {patch.kind} {quoted(patch.name)}",
                'give the second one a name: set = { name = "…" }',
            )  # fmt: skip
    return out


def _meant(record: Record, patch: Patch) -> bool:
    same = record.name.casefold() == patch.name.strip().casefold()
    key, told = patch.told_apart
    return same and (told is None or told == getattr(record, key))


def _changed(sets: type[RecordSet], record: Record, changes: Mapping[str, Any], file: object, key: str) -> Record:
    given = {name: value for name, value in record.fields().items() if name in record.model_fields_set}
    changed: Record = sets.record(record.kind, {**given, "status": "patched", **changes}, file, key)
    return changed


def change(record: Record, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the patch that gives a record other values, as a scenario has it under `[[patch]]`."""
    return {"do": "change", "kind": record.kind, "name": record.name, "set": dict(fields)}
