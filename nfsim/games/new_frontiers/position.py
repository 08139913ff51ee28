"""What a position of New Frontiers says of itself in words: people, functions of users and transcripts share it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nfsim.engine.position import Position
from nfsim.games.new_frontiers import board, words
from nfsim.games.new_frontiers.codes import Decision, Good, TileKind, WorldType, label
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.games.new_frontiers.scoring import Part


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


class InWords(Position):
    """A position with this game's names.

    What is said of a seat is said of the one that must decide; in a function of the user's that is yours.
    """

    @property
    def decision(self) -> tuple[int, Decision]:
        """Seat that must decide, and what."""
        return int(self.state.actor), Decision(int(self.state.decision))

    @property
    def decision_label(self) -> str:
        """What must be decided, as the log names it."""
        return label(self.decision[1])

    def words(self, choice: int) -> tuple[str | int, ...]:
        """Return an option in words, for example `("take", "Gem World")`."""
        return words.option_words(self.prepared, self.state, *self.options[choice])

    def option_text(self, choice: int) -> str:
        """Return an option as a line of a transcript says it."""
        return words.option_text(self.prepared, self.state, *self.options[choice])

    def describe(self) -> str:
        """Return the position in words."""
        return words.describe(self.prepared, self.state)

    def parts(self, state: Any) -> list[dict[str, int]]:
        """Return every player's score and its parts, as a state has them."""
        return [{label(part): int(state.score[seat, part]) for part in Part} for seat in range(self.players)]

    def look(self, seat: int) -> Any:
        """Return a copy of the state as a seat may know it, scored as if the game ended now."""
        return board.seen_by(self.prepared, self.state, seat)

    def preset(self, name: str) -> Any:
        """Return the built-in policy of a name."""
        return SHELF.get(name)

    @property
    def rounds(self) -> int:
        """Rounds after which the game ends; with other players only a safety limit."""
        return int(self.tables.round_limit)

    @property
    def credits(self) -> int:
        """Credits of the seat."""
        return int(self.fields["credits"][self.seat])

    @property
    def colonists(self) -> int:
        """Its colonists that are not yet on a world."""
        return int(self.fields["colonists"][self.seat])

    @property
    def military(self) -> int:
        """Its Military against every world, without what helps against some only or for one action."""
        return int(self.fields["military"][self.seat])

    @property
    def goods(self) -> int:
        """Goods on its colonies."""
        return int(self.fields["colony_good"][self.seat].sum())

    @property
    def explored(self) -> list[Tile]:
        """Worlds that it has explored and not settled."""
        count = int(self.fields["n_explored"][self.seat])
        return [self._printed(number) for number in self.fields["explored"][self.seat, :count].tolist()]

    def tile(self, choice: int) -> Tile | None:
        """Return what is printed on the tile that an option is about; None if it is about none."""
        number = words.option_tile(self.state, *self.options[choice])
        return self._printed(number) if number >= 0 else None

    @cached_property
    def _tiles(self) -> dict[int, Tile]:
        """Tiles that have been asked for."""
        return {}

    def _printed(self, number: int) -> Tile:
        if number not in self._tiles:
            self._tiles[number] = self._read(number)
        return self._tiles[number]

    def _read(self, number: int) -> Tile:
        printed = self.tables
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
