"""Holds the worlds of a tile set against the manual's table (`data/manual_table.toml`)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from nfsim.catalogue.catalogue import Difference
from nfsim.catalogue.records import Text
from nfsim.files import parse_toml
from nfsim.games.new_frontiers.codes import Effect
from nfsim.games.new_frontiers.tiles.records import World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.validation import checked

FILE = "manual_table.toml"
SECOND_KEYWORDS = ("imperium", "rebel", "uplift")  # what Xeno worlds have besides (R19)


class Row(BaseModel):
    """One row: which worlds, and what the manual says about them; the file's head explains the keys."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    says: Text
    where: list[str]
    count: Annotated[int, Field(ge=0)] | None = None
    most: Annotated[int, Field(ge=0)] | None = None
    field: str = ""
    min: int | None = None
    max: int | None = None
    keywords: list[str] | None = None
    second_keywords: bool = False
    marked: bool = False
    source: Text


class Rows(BaseModel):
    """The file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    row: list[Row]


@functools.cache
def rows() -> list[Row]:
    """Read the table."""
    text = (resources.files("nfsim.games.new_frontiers") / "data" / FILE).read_text("utf-8")
    return checked(Rows, parse_toml(text, FILE), FILE).row


def differences(tiles: TileSet, readings: Mapping[str, str]) -> list[Difference]:
    """List every difference of a tile set from the manual's table.

    Parameters
    ----------
    tiles : TileSet
        The set; worlds of base and Rift, as many as there are copies.
    readings : mapping of str to str
        Readings of the rulings: R19 and R20 say how is counted, others which records are in the set.
    """
    worlds = [world for world in tiles.worlds if world.holds(readings) for _ in range(world.copies)]
    found = []
    for row in rows():
        chosen = [world for world in worlds if _fits(world, row, readings)]
        has = _compare(row, chosen)
        if has:
            found.append(Difference(row.says, has, row.source))
    return found


def _compare(row: Row, worlds: list[World]) -> str:
    """Return what the set has if that differs from the row, else ''."""
    if row.count is not None and len(worlds) != row.count:
        return f"{len(worlds)}"
    if row.most is not None and len(worlds) > row.most:
        return f"{len(worlds)}"
    if row.field:
        values = [getattr(world, row.field) for world in worlds]
        if not values or (min(values), max(values)) != (row.min, row.max):
            return f"{min(values)} to {max(values)}" if values else "none"
    if row.keywords is not None:
        has = {word for world in worlds for word in world.keywords}
        if has != set(row.keywords) or any(not world.keywords for world in worlds):
            return ", ".join(sorted(has)) or "none"
    return ""


def _fits(world: World, row: Row, readings: Mapping[str, str]) -> bool:
    terms = list(row.where)
    if row.second_keywords and readings["table_keywords"] == "excluded":
        terms.append("!keyword:xeno")
    return all(_holds(world, term.lstrip("!"), row, readings) != term.startswith("!") for term in terms)


def _places_good(world: World) -> bool:
    return any(power.effect == Effect.SETTLE_PLACE_GOOD for power in world.powers)


def _type(world: World, row: Row, readings: Mapping[str, str]) -> str:
    """Return the type under which a row counts a world (R20)."""
    if row.marked and readings["rare_good_world"] == "windfall" and world.good == "rare" and _places_good(world):
        return "windfall"
    return world.type


_FACTS: dict[str, Callable[[World], bool]] = {
    "military": lambda world: world.military,
    "rift": lambda world: world.rift,
    "variable_vp": lambda world: bool(world.scoring),
    "place_good": _places_good,
}


def _holds(world: World, term: str, row: Row, readings: Mapping[str, str]) -> bool:
    name, _, value = term.partition(":")
    if name in _FACTS:
        return _FACTS[name](world)
    if name == "keyword":
        return value in world.keywords
    if name == "type":
        return _type(world, row, readings) == value
    field: Any = getattr(world, name)
    return str(field) == value
