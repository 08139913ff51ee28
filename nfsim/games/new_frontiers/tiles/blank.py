"""Patches that make a tile one nobody can have, without moving any other.

Taking a tile out changes more than that tile: without a world the bag is one smaller and every later draw is another
one; without one face of a stack no coin is flipped for it, and what is shuffled after it comes out differently. A blank
keeps its place, so that a game with the tile and one without it are the same until somebody would take it.
"""

from __future__ import annotations

from typing import Any

from nfsim.games.new_frontiers.tiles.records import Development, World

DEAREST = 30  # the highest cost a record may have: more than anybody gathers
MOST_COLONISTS = 4

Patch = dict[str, Any]


def blank(record: World | Development) -> Patch:
    """Return the patch that leaves of a tile only its name and place: out of reach, and worth nothing.

    Notes
    -----
    A blank world can still be shown and taken; it is no Xeno world, so nobody is penalised for it.
    """
    nothing: Patch = {"cost": DEAREST, "vp": 0, "keywords": [], "powers": [], "scoring": []}
    if isinstance(record, World):
        nothing |= {
            "military": False, "defense": 0, "penalty": 0, "colonists": MOST_COLONISTS, "type": "gray", "good": "none"
        }  # fmt: skip
    return _change(record, nothing)


def dearer(record: World | Development, by: int) -> Patch | None:
    """Return the patch that moves a tile's cost (a military world's defense); None where it cannot go there."""
    if isinstance(record, World) and record.military:
        moved, field, bounds = record.defense + by, "defense", range(1, 21)
    else:
        moved, field, bounds = record.cost + by, "cost", range(DEAREST + 1)
    return _change(record, {field: moved}) if moved in bounds else None


def _change(record: World | Development, fields: Patch) -> Patch:
    return {"do": "change", "kind": record.kind, "name": record.name, "set": fields}
