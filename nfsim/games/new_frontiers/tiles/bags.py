"""Bags as lists of worlds, one entry a copy: an order in which each beginning is like the whole, and patches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nfsim.games.new_frontiers.tiles.records import World

Patch = dict[str, Any]


def in_turn(worlds: Sequence[World], key: Callable[[World], object], rng: np.random.Generator) -> list[World]:
    """Put worlds in an order of which each beginning has every kind as often as the whole has it, as nearly as can be.

    Within a kind, and between kinds that are equally due, chance decides.
    """
    waiting: dict[object, list[World]] = {}
    for place in rng.permutation(len(worlds)):
        waiting.setdefault(key(worlds[place]), []).append(worlds[place])
    kinds = list(waiting)
    sizes = {kind: len(waiting[kind]) for kind in kinds}
    order: list[World] = []
    for number in range(1, len(worlds) + 1):
        due = {kind: sizes[kind] * number / len(worlds) - (sizes[kind] - len(waiting[kind])) for kind in kinds}
        kind = max((kind for kind in kinds if waiting[kind]), key=lambda kind: due[kind])
        order.append(waiting[kind].pop())
    return order


def patches_between(before: list[World], after: list[World]) -> list[Patch]:
    """Return patches that lead from one bag to another, in the order of the tile set."""
    old, new = (Counter(world.name for world in worlds) for worlds in (before, after))
    found = []
    for name in dict.fromkeys(world.name for world in before):
        if new[name] > old[name]:
            found.append({"do": "duplicate", "kind": "world", "name": name, "copies": new[name]})
        elif 0 < new[name] < old[name]:
            found.append({"do": "change", "kind": "world", "name": name, "set": {"copies": new[name]}})
        elif not new[name]:
            found.append({"do": "remove", "kind": "world", "name": name})
    return found
