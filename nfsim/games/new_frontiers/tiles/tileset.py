"""A tile set: its records, what must hold between them, and its hash."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.numbers import Numbers
from nfsim.games.new_frontiers.tiles.records import Condition, Development, Empire, Goal, Record, World

FILES = {"world": "worlds", "development": "developments", "empire": "empires", "goal": "goals",
         "condition": "conditions"}  # fmt: skip
TOML_FILES = {kind: "campaigns.toml" if kind == "condition" else f"{name}.toml" for kind, name in FILES.items()}


@dataclass(frozen=True)
class TileSet:
    """All records of a set, for base and Rift, under every reading of the rulings.

    Attributes
    ----------
    name : str
        Name of the built-in set, or the folder.
    suffix : str
        Ending of its files' names, for messages.
    """

    worlds: tuple[World, ...]
    developments: tuple[Development, ...]
    empires: tuple[Empire, ...]
    goals: tuple[Goal, ...]
    conditions: tuple[Condition, ...]
    numbers: Numbers
    name: str = ""
    suffix: str = ".toml"

    def of_kind(self, kind: str) -> tuple[Record, ...]:
        """Return the records of one kind."""
        return tuple(getattr(self, FILES[kind]))

    def __iter__(self) -> Iterator[Record]:
        """Iterate over all records, kind by kind, in the order of the files."""
        for kind in FILES:
            yield from self.of_kind(kind)

    def same_tiles(self, other: TileSet) -> bool:
        """Tell whether two sets have equal records and numbers, wherever they come from."""
        return canonical(self) == canonical(other)

    @functools.cached_property
    def hash(self) -> str:
        """SHA-256 (hex) of all records in their canonical form and order."""
        return hashlib.sha256(canonical(self).encode()).hexdigest()

    def file(self, kind: str) -> str:
        """Name of the file that a kind's records stand in, for messages."""
        return f"{self.name}/{FILES[kind]}.csv" if self.suffix == ".csv" else TOML_FILES[kind]


def canonical(tiles: TileSet) -> str:
    """Return everything in a set as one text: equal sets, and only those, have equal texts.

    The order of the records counts, since it is the order in which options are listed.
    """
    content = {kind: [record.fields() for record in tiles.of_kind(kind)] for kind in FILES}
    return json.dumps([content, tiles.numbers.model_dump()], sort_keys=True, ensure_ascii=False)


def check_together(tiles: TileSet) -> None:
    """Check what must hold between records.

    Raises
    ------
    BadInput
        For a name used twice, a mat side or stack face given twice, faces of a stack that do not fit.
    """
    tile_names: dict[object, list[Record]] = {}
    for kind in FILES:
        names = tile_names if kind in ("world", "development", "empire") else {}
        sides: dict[object, list[Record]] = {}
        for record in tiles.of_kind(kind):
            _add_unique(tiles, names, record.key, record, "its name is used twice")
            if record.place:
                _add_unique(
                    tiles, sides, (record.place, record.side_shown), record, f"{record.place} has this side twice"
                )
        _check_sides(tiles, sides)


def exclusive(first: str, second: str) -> bool:
    """Tell whether two `when` texts can never hold together."""
    switch, _, choice = first.partition("=")
    other_switch, _, other_choice = second.partition("=")
    return switch == other_switch and choice != other_choice


def _add_unique(tiles: TileSet, seen: dict[object, list[Record]], key: object, record: Record, problem: str) -> None:
    beside = seen.setdefault(key, [])
    for other in beside:
        if not exclusive(other.when, record.when):
            raise BadInput(tiles.file(record.kind), record.title, f"{problem}; the other is {other.title}")
    beside.append(record)


def _check_sides(tiles: TileSet, sides: dict[object, list[Record]]) -> None:
    """Check that both sides of a mat or stack are of the same box and group."""
    first: dict[str, Record] = {}
    for record in (record for found in sides.values() for record in found):
        other = first.setdefault(record.place, record)
        for field in ("rift", "group"):
            if getattr(other, field, None) != getattr(record, field, None):
                problem = f"differs from {other.title}, the other side of {record.place}"
                raise BadInput(tiles.file(record.kind), f"{record.title}, {field}", problem)
