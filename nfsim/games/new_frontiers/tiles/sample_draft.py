"""What drawing a bag works with: the mood of a whole set, and worlds being drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nfsim.games.new_frontiers.tiles.grammar import Power
from nfsim.games.new_frontiers.tiles.records import World
from nfsim.games.new_frontiers.tiles.worth import good_worth, powers_worth, price, scoring_worth

COUNTED = ("type", "good", "colonists")  # fields that the manual's table counts and that are exchanged
RNG = np.random.Generator


class Unlucky(Exception):  # noqa: N818 - says what happened
    """A draw that cannot be finished; the next one may."""


@dataclass(frozen=True)
class Mood:
    """What is drawn once for a whole set.

    Attributes
    ----------
    loose : float
        How far the set departs from the built-in one: chance of a tile to give up what it has, 0.2 to 1.
    worlds : float
        Credits by which worlds are worth more than their price on average.
    developments : float
        VPs by which small developments are better than in the built-in set.
    """

    loose: float
    worlds: float
    developments: float


@dataclass(eq=False)
class Draft:
    """A world being drawn: its record, the fields that are free, and their values so far."""

    record: World
    free: frozenset[str]
    new: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """Return a field as it is now."""
        return self.new[name] if name in self.new else getattr(self.record, name)

    @property
    def size(self) -> str:
        """The field that says how hard it is to settle."""
        return "defense" if self.record.military else "cost"

    def off(self, powers: tuple[Power, ...], level: float) -> float:
        """Return how far the world would be from its price with these powers and no printed VPs, in credits."""
        worth = good_worth(self.type, self.good) + powers_worth(powers) + scoring_worth(self.scoring)
        return worth - level - price(self.record.military, getattr(self, self.size), self.colonists)


def free_fields(record: World) -> frozenset[str]:
    """Return the fields of a world that no source gives and that may be drawn."""
    if record.status not in ("partly", "reconstructed"):
        return frozenset()
    fixed = {"name", "rift", "military", "keywords", *(COUNTED if record.when or record.copies != 1 else ())}
    return frozenset(record.reconstructed) - fixed
