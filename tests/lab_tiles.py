"""Tiles made for the question a test asks, and scenarios prepared with them added to the built-in set."""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from nfsim.games.new_frontiers.rulings import RULINGS
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare

Tile = dict[str, Any]
HOME_MAT = 31  # the lab's own homes lie on mats that the box does not have


def world(name: str, **fields: Any) -> Tile:
    """A world: gray, free and for one colonist unless `fields` say otherwise; `defense` makes it military."""
    plain: Tile = {"military": "defense" in fields, "colonists": 1, "type": "gray", "good": "none"}
    if "defense" not in fields:
        plain["cost"] = 0
    return {"do": "add", "kind": "world", "set": {"name": name, **plain, **fields}}


def producer(name: str, good: str, **fields: Any) -> Tile:
    """A production world."""
    return world(name, type="production", good=good, **fields)


def windfall(name: str, good: str, **fields: Any) -> Tile:
    """A windfall world."""
    return world(name, type="windfall", good=good, **fields)


def xeno(name: str, defense: int, penalty: int = -3, **fields: Any) -> Tile:
    """A Xeno military world."""
    return world(name, defense=defense, penalty=penalty, keywords=["xeno"], **fields)


def development(name: str, cost: int = 1, *powers: str, **fields: Any) -> Tile:
    """A development in a stack of its own."""
    return {"do": "add", "kind": "development", "set": {"name": name, "group": "always", "cost": cost,
                                                        "powers": list(powers), **fields}}  # fmt: skip


def goal(name: str, measure: str, steps: str, **fields: Any) -> Tile:
    """A goal."""
    return {"do": "add", "kind": "goal", "set": {"name": name, "measure": measure, "steps": steps, **fields}}


def home(mat: int = HOME_MAT, side: str = "A", **fields: Any) -> Tile:
    """One side of a mat of the lab."""
    plain = {"name": f"Lab Home {side}", "mat": mat, "side": side, "type": "gray", "good": "none"}
    return {"do": "add", "kind": "empire", "set": {**plain, **fields}}


@lru_cache(maxsize=256)
def _prepared(text: str) -> Prepared:
    return prepare(read_settings(json.loads(text), "lab"), "lab")


def prepared(rules: dict[str, str] | None = None, tiles: Iterable[Tile] = (), **setup: Any) -> Prepared:
    """A prepared scenario, kept for the whole session."""
    data = {"setup": setup, "rules": dict(rules or {}), "patch": list(tiles)}
    return _prepared(json.dumps(data, sort_keys=True))


def reading(switch: str) -> dict[str, str]:
    """The reading that is not the default."""
    info = next(info for info in RULINGS if info.switch == switch)
    return {switch: next(choice for choice in info.choices if choice != info.seed)}


def both(switch: str) -> list[dict[str, str]]:
    """Rules without and with the other reading."""
    return [{}, reading(switch)]
