"""Levers on a deck or bag: what a lever is set to becomes the patches of a scenario.

A deck is a list of records, one entry a copy. Levers exchange some of its records for others; with the same seed a
larger change begins with the records of a smaller one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from nfsim.catalogue import patches
from nfsim.catalogue.records import Record
from nfsim.errors import BadInput
from nfsim.validation import unknown

MOST_COPIES = 20
PERCENT = "percent"

Patch = dict[str, Any]
AnyRecord = TypeVar("AnyRecord", bound=Record)


@dataclass(frozen=True)
class Lever:
    """A lever on a deck.

    Attributes
    ----------
    summary : str
        What it sets.
    unit : str
        ``percent``, or what is counted; then values are whole.
    lowest, highest : int
        Values it takes.
    usual : tuple of int
        Values for a sweep.
    """

    summary: str
    unit: str
    lowest: int
    highest: int
    usual: tuple[int, ...]


def check_lever(levers: Mapping[str, Lever], name: str, value: float, seed: int) -> None:
    """Refuse an unknown lever, a value out of its range, and a negative seed."""
    if name not in levers:
        problem, _, remedy = unknown("lever", name, levers).partition("; ")
        raise BadInput("lever", "", problem, remedy)
    known = levers[name]
    if not known.lowest <= value <= known.highest:
        raise BadInput(f"lever {name}", "", f"must be {known.lowest} to {known.highest} {known.unit}, not {value:g}")
    if seed < 0:
        raise BadInput("seed", "", f"must not be negative, not {seed}")
    if known.unit != PERCENT and value != int(value):
        raise BadInput(f"lever {name}", "", f"must be a whole number of {known.unit}, not {value:g}")


def in_turn(
    records: Sequence[AnyRecord], key: Callable[[AnyRecord], object], rng: np.random.Generator
) -> list[AnyRecord]:
    """Put records in an order of which each beginning has every kind as often as the whole has it, as near as can be.

    Within a kind, and between kinds that are equally due, chance decides.
    """
    waiting: dict[object, list[AnyRecord]] = {}
    for place in rng.permutation(len(records)):
        waiting.setdefault(key(records[place]), []).append(records[place])
    kinds = list(waiting)
    sizes = {kind: len(waiting[kind]) for kind in kinds}
    order: list[AnyRecord] = []
    for number in range(1, len(records) + 1):
        due = {kind: sizes[kind] * number / len(records) - (sizes[kind] - len(waiting[kind])) for kind in kinds}
        kind = max((kind for kind in kinds if waiting[kind]), key=lambda kind: due[kind])
        order.append(waiting[kind].pop())
    return order


def exchanged(
    deck: Sequence[AnyRecord], leaving: Sequence[AnyRecord], coming: Sequence[AnyRecord], wanted: int
) -> tuple[list[AnyRecord], int]:
    """Return the deck with as many records exchanged as wanted, or as can be, and how many that is.

    Those that leave are taken in their order, and those that come again and again in theirs.
    """
    moved = min(wanted, len(leaving), (MOST_COPIES - 1) * len(coming))
    new = list(deck)
    for place in range(moved):
        new.remove(leaving[place])
        new.append(coming[place % len(coming)])
    return new, moved


def patches_between(before: Sequence[Record], after: Sequence[Record]) -> list[Patch]:
    """Return patches that lead from one deck of a kind to another, in the order of the set."""
    old, new = (Counter(record.name for record in records) for records in (before, after))
    found: list[Patch] = []
    for record in {record.name: record for record in before}.values():
        name = {"kind": record.kind, "name": record.name}
        if new[record.name] > old[record.name]:
            found.append({"do": "duplicate", **name, "copies": new[record.name]})
        elif 0 < new[record.name] < old[record.name]:
            found.append(patches.change(record, {patches.COPIES: new[record.name]}))
        elif not new[record.name]:
            found.append({"do": "remove", **name})
    return found
