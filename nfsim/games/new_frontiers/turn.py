"""What a user's own function sees when it must decide: a decision, the position as its seat may know it, advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from nfsim.compiled.jit import int64
from nfsim.compiled.rng import unit
from nfsim.games.new_frontiers import board, words
from nfsim.games.new_frontiers.codes import Good, TileKind, WorldType, label
from nfsim.games.new_frontiers.layout import quick
from nfsim.games.new_frontiers.playing import ASK_AGAIN, play_on
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.policies.shelf import RECORDS, SHELF
from nfsim.games.new_frontiers.position import Position, parts
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.thinking import consider, load_thinking


@dataclass(frozen=True)
class Tile:
    """What is printed on a world, home colony or development.

    Attributes
    ----------
    name : str
    kind : {"world", "home", "development"}
    vp : int
        Printed VPs; a 9-cost development scores more at the end.
    cost : int
        Printed credits; 0 for military worlds.
    defense : int
        0 unless it is a military world.
    colonists : int
        Colonists to settle it.
    type : {"gray", "production", "windfall", ""}
        '' for developments.
    good : {"none", "novelty", "rare", "genes", "alien", "any"}
    penalty : int
        VPs (0 or less) of an explored Xeno world until it is conquered.
    """

    name: str
    kind: str
    vp: int
    cost: int
    defense: int
    colonists: int
    type: str
    good: str
    penalty: int


class Turn(Position):
    """The game at a decision of one seat; good for that decision only, so keep nothing of it.

    Attributes
    ----------
    number : int
        Number of the game in the run.
    seat : int
        The seat that decides: yours.
    """

    def __init__(self, prepared: Prepared, states: Any, lists: Any) -> None:
        super().__init__(prepared, states, lists)
        self._memory = states.view(np.int64).reshape(len(states), -1)
        self._quick = (quick(prepared.tables)[0], quick(states), quick(lists))
        self._advisers: dict[str, Any] = {}
        self._tiles: dict[int, Tile] = {}
        self._fields = self._quick[1][0]  # the state again: reading its fields by name in brackets is faster
        self.number = self.seat = -1
        self._seen: Any = None
        self._offered: list[tuple[int, int, int]] | None = None

    def at(self, number: int) -> Self:
        """Turn to the decision at hand of game `number`."""
        self.number, self.seat = number, int(self._fields["actor"])
        self._seen = self._offered = None
        return self

    @property
    def options(self) -> list[tuple[int, int, int]]:
        """Legal choices as (kind, a, b), see `codes.Option`."""
        if self._offered is None:
            self._offered = super().options
        return self._offered

    @property
    def round(self) -> int:
        """Round being played; 0 during setup."""
        return int(self.state.round_no)

    @property
    def rounds(self) -> int:
        """Rounds after which the game ends; with other players only a safety limit."""
        return int(self._tables.round_limit)

    @property
    def credits(self) -> int:
        """Your credits."""
        return int(self._fields["credits"][self.seat])

    @property
    def colonists(self) -> int:
        """Your colonists that are not yet on a world."""
        return int(self._fields["colonists"][self.seat])

    @property
    def military(self) -> int:
        """Your Military against every world, without what helps against some only or for one action."""
        return int(self._fields["military"][self.seat])

    @property
    def goods(self) -> int:
        """Goods on your colonies."""
        return int(self._fields["colony_good"][self.seat].sum())

    @property
    def explored(self) -> list[Tile]:
        """Worlds that you have explored and not settled."""
        count = int(self._fields["n_explored"][self.seat])
        return [self._printed(number) for number in self._fields["explored"][self.seat, :count].tolist()]

    @property
    def seen(self) -> Any:
        """The position (record of STATE) as the seat may know it, scored as if the game ended now.

        Other seats' face-down goals, the goal stack, the bag's contents and the random streams are gone.
        """
        if self._seen is None:
            self._seen = board.seen_by(self.prepared, self.state, self.seat)
        return self._seen

    def tile(self, choice: int) -> Tile | None:
        """Return what is printed on the tile that an option is about; None if it is about none."""
        number = words.option_tile(self.state, *self.options[choice])
        return self._printed(number) if number >= 0 else None

    def _printed(self, number: int) -> Tile:
        if number not in self._tiles:
            self._tiles[number] = self._read(number)
        return self._tiles[number]

    def _read(self, number: int) -> Tile:
        printed = self._tables
        kind = TileKind(int(printed.kind[number]))
        return Tile(
            name=self.prepared.names.tile[number],
            kind=label(kind),
            vp=int(printed.vp[number]),
            cost=int(printed.cost[number]),
            defense=int(printed.defense[number]),
            colonists=int(printed.colonists[number]),
            type="" if kind == TileKind.DEVELOPMENT else label(WorldType(int(printed.type[number]))),
            good=label(Good(int(printed.good[number]))),
            penalty=int(printed.penalty[number]),
        )

    def describe(self) -> str:
        """Return the position in words, as the seat may know it."""
        return words.describe(self.prepared, self.seen)

    def scores(self) -> list[dict[str, int]]:
        """Return every player's score and its parts as if the game ended now, as far as the seat may know them."""
        return parts(self.prepared, self.seen)

    def suggest(self, policy: str = "balanced") -> int:
        """Return the option that a built-in policy would choose here.

        Raises
        ------
        BadInput
            If there is no such policy.
        """
        if policy not in self._advisers:
            adviser = RECORDS.load([SHELF.get(policy)] * int(self._tables.players), self.prepared)
            get_ready(self._tables, adviser)
            load_thinking(self._tables, self._states, self._memory, self._lists, adviser)
            self._advisers[policy] = quick(adviser)
        adviser = self._advisers[policy]
        tables, states, lists = self._quick
        # the decision stands: the adviser weighs its options, and thinks longer if it does so
        play_on(tables, states[0], lists[0], adviser, int64(0), int64(ASK_AGAIN), int64(1))
        return int(consider(tables, states, self._memory, lists, adviser))

    def random(self) -> float:
        """Return a random number from 0 to below 1, from the seat's own stream of the game.

        The same game gives the same numbers in the same order, whatever the number of processes. Bag, goals and
        other seats have streams of their own; only `suggest` with a policy that uses chance draws from this one too.
        """
        seat = self.seat
        found = float(unit(self.state.policy_key[seat], self.state.policy_counter[seat]))
        self.state.policy_counter[seat] += 1
        return found
