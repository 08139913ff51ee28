"""What the games of a ladder came to: raw results, deal by deal; `nfsim.run.ladder` plays them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.run.ladder_lots import Table

Array = NDArray[Any]
Players = tuple[int, ...]
"""Places of the policies in the seats."""
Aim = tuple[int, int]
"""Place of a policy, and condition that it is told is the only one open."""


@dataclass(frozen=True)
class Results:
    """What every game of some players came to, deal by deal.

    Attributes
    ----------
    won, rank, vp : ndarray of int64, shape (deals, seats)
    met : ndarray of int64, shape (deals, conditions)
        Solo: conditions met; no columns otherwise.
    rounds, status : ndarray of int64, shape (deals,)
    """

    won: Array
    rank: Array
    vp: Array
    met: Array
    rounds: Array
    status: Array

    @classmethod
    def of(cls, table: Table, seats: int) -> Results:
        """Return the results that a table holds, a line a deal, its columns as `_table` puts them side by side."""
        won, rank, vp, met, ends = np.split(table, [seats, 2 * seats, 3 * seats, table.shape[1] - 2], axis=1)
        return cls(won, rank, vp, met, ends[:, 0], ends[:, 1])

    def only(self, deals: Array) -> Results:
        """Return the results of some deals, by their places."""
        return Results(*(column[deals] for column in self.columns()))

    def columns(self) -> tuple[Array, ...]:
        """Return all arrays, in order."""
        return tuple(getattr(self, each.name) for each in fields(self))


@dataclass(frozen=True)
class Ladder:
    """Results of all games of a ladder.

    Attributes
    ----------
    policies : tuple of str
        What they are called, in the order given; everything else speaks of their places.
    seats : int
        Seats of a game; 1: solo.
    games : dict
        By the places of the policies in the seats, for example ``(0, 1, 1)``. Only deals of which every game was
        finished by the rules.
    deals : int
        Deals kept.
    unfinished : dict of str to int
        Games that were not finished by the rules, by status; their deals are left out everywhere.
    aimed : dict
        Solo: games on the same deals with one condition open, by `Aim`; policies that cannot aim have none.
    """

    policies: tuple[str, ...]
    seats: int
    games: dict[Players, Results] = field(repr=False)
    deals: int
    unfinished: dict[str, int]
    aimed: dict[Aim, Results] = field(default_factory=dict, repr=False)

    def aims(self, policy: int) -> bool:
        """Return whether a policy played games in which it was told what to aim at."""
        return (policy, 0) in self.aimed

    def met(self, policy: int, condition: int) -> Array:
        """Return whether a policy met a condition when told to aim at it, or as it plays anyway if it cannot aim.

        Returns
        -------
        ndarray of int64, shape (deals,)
        """
        found: Array = self.aimed.get((policy, condition), self.games[policy,]).met[:, condition]
        return found

    def seatings(self, one: int, others: int) -> list[tuple[int, Results]]:
        """Return the games of one seat against the others: the seat that is alone in each, and their results."""
        return [(seat, self.games[seated_alone(one, others, seat, self.seats)]) for seat in range(self.seats)]


def seated_alone(one: int, others: int, seat: int, seats: int) -> Players:
    """Return who sits where if one policy sits in a seat and another in all others."""
    return tuple(one if place == seat else others for place in range(seats))
