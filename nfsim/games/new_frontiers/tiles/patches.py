"""Patches: what a scenario changes in a tile set, one tile at a time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.read import record_from
from nfsim.games.new_frontiers.tiles.records import KINDS, Record
from nfsim.games.new_frontiers.tiles.tileset import FILES, TileSet, check_together
from nfsim.validation import FieldError, quoted, unknown

LOOKUP = "nfsim tiles list shows all"
Kind = Literal["world", "development", "empire", "goal", "condition"]


class Patch(BaseModel):
    """One change of the tile set.

    Attributes
    ----------
    do : {"change", "add", "remove", "duplicate"}
        `duplicate` gives a world one more copy in the bag (or `copies` copies in all); with a new
        `name` under `set` it makes another record like the first, of any kind.
    name : str
        The record; `add` may name it under `set` instead.
    campaign : int, optional
        For a condition whose name occurs in several campaigns.
    set : dict
        Fields and their new values, as in a tile file.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    do: Literal["change", "add", "remove", "duplicate"]
    kind: Kind
    name: str = ""
    campaign: Annotated[int, Field(ge=1, le=6)] | None = None
    set: dict[str, Any] = Field(default_factory=dict)
    copies: Annotated[int, Field(ge=0, le=20)] | None = None

    def __str__(self) -> str:
        """Return the patch in words: change world Gem World: cost = 5."""
        name = self.name or str(self.set.get("name", ""))
        campaign = f" (campaign {self.campaign})" if self.campaign is not None else ""
        copies = [f"{self.copies} copies"] if self.copies is not None else []
        fields = [f"{key} = {_written(value)}" for key, value in self.set.items() if value != name]
        details = ", ".join(copies + fields)
        return f"{self.do} {self.kind} {name}{campaign}{': ' if details else ''}{details}"

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if not self.name and not (self.do == "add" and "name" in self.set):
            raise FieldError("name", "is missing: which tile?")
        if self.do == "change" and not self.set:
            raise FieldError("set", "is missing: change what, as in set = { cost = 3 }?")
        if self.do == "add" and not self.set:
            raise FieldError("set", "is missing: it has the fields of the new tile")
        if self.do == "remove" and self.set:
            raise FieldError("set", "has no meaning with remove")
        if self.copies is not None and (self.do != "duplicate" or self.kind != "world"):
            raise FieldError("copies", "is for duplicate on worlds; to change it, set = { copies = n }")
        return self


def _written(value: Any) -> str:
    """Write a value as TOML does."""
    return json.dumps(value, ensure_ascii=False, default=str)


def apply(tiles: TileSet, patches: list[Patch], file: object) -> TileSet:
    """Return the tile set with patches applied in their order.

    Parameters
    ----------
    tiles : TileSet
        The set to start from; it is left as it is.
    patches : list of Patch
        Changes, in order.
    file : object
        The scenario file, for messages.

    Raises
    ------
    BadInput
        For a tile that does not exist, an unknown field or an impossible value.
    """
    if not patches:
        return tiles
    records = {kind: list(tiles.of_kind(kind)) for kind in FILES}
    for number, patch in enumerate(patches):
        records[patch.kind] = _patched(records[patch.kind], patch, file, f"patch.{number}")
    content: dict[str, Any] = {FILES[kind]: tuple(found) for kind, found in records.items()}
    patched = replace(tiles, **content)
    try:
        check_together(patched)
    except BadInput as error:  # the set was in order before, so the patches are the cause
        raise BadInput(file, f"patch, {error.key}", error.problem, error.remedy) from None
    return patched


def _patched(records: list[Record], patch: Patch, file: object, key: str) -> list[Record]:
    if patch.do == "add":
        fields = {"status": "patched", **patch.set}
        if patch.name:
            fields.setdefault("name", patch.name)
        return [*records, record_from(patch.kind, fields, file, f"{key}.set")]
    chosen = [record for record in records if _meant(record, patch)]
    if not chosen:
        names = [record.name for record in records]
        problem, _, remedy = unknown(patch.kind, patch.name, names, LOOKUP).partition("; ")
        raise BadInput(file, f"{key}.name", problem, remedy)
    if len({record.key for record in chosen}) > 1:
        raise BadInput(file, f"{key}.name", f"{quoted(patch.name)} occurs in several campaigns", "add campaign = n")
    if patch.do == "remove":
        return [record for record in records if record not in chosen]
    out = []
    for record in records:
        if record not in chosen:
            out.append(record)
        elif patch.do == "change":
            out.append(_changed(record, patch.set, file, f"{key}.set"))
        elif "name" in patch.set:
            out += [record, _changed(record, patch.set, file, f"{key}.set")]
        elif patch.kind == "world":
            copies = patch.copies if patch.copies is not None else getattr(record, "copies", 0) + 1
            out.append(_changed(record, {**patch.set, "copies": copies}, file, key))
        else:
            raise BadInput(
                file, key, f"only a world can have several copies, not {patch.kind} {quoted(patch.name)}",
                'give the second one a name: set = { name = "…" }',
            )  # fmt: skip
    return out


def _meant(record: Record, patch: Patch) -> bool:
    same = record.name.casefold() == patch.name.strip().casefold()
    return same and (patch.campaign is None or patch.campaign == getattr(record, "campaign", patch.campaign))


def _changed(record: Record, changes: dict[str, Any], file: object, key: str) -> Record:
    given = {name: value for name, value in record.fields().items() if name in record.model_fields_set}
    return record_from(record.kind, {**given, "status": "patched", **changes}, file, key)


assert tuple(KINDS) == tuple(FILES)
