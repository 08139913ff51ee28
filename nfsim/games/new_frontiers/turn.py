"""What a function of the user's sees of New Frontiers, beside what `nfsim.engine.position.Turn` shows of any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nfsim.engine import position
from nfsim.engine.rules import Rules
from nfsim.engine.workspace import Workspace
from nfsim.games.new_frontiers import words
from nfsim.games.new_frontiers.codes import Good, TileKind, WorldType, label
from nfsim.games.new_frontiers.position import InWords


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


class Turn(InWords, position.Turn):
    """The game at a decision of one seat; good for that decision only, so keep nothing of it.

    In `seen` other seats' face-down goals, the goal stack, the bag's contents and the random streams are gone; it is
    scored as if the game ended now.
    """

    def __init__(self, rules: Rules, prepared: Any, room: Workspace) -> None:
        super().__init__(rules, prepared, room)
        self._tiles: dict[int, Tile] = {}

    @property
    def rounds(self) -> int:
        """Rounds after which the game ends; with other players only a safety limit."""
        return int(self.tables.round_limit)

    @property
    def credits(self) -> int:
        """Your credits."""
        return int(self.fields["credits"][self.seat])

    @property
    def colonists(self) -> int:
        """Your colonists that are not yet on a world."""
        return int(self.fields["colonists"][self.seat])

    @property
    def military(self) -> int:
        """Your Military against every world, without what helps against some only or for one action."""
        return int(self.fields["military"][self.seat])

    @property
    def goods(self) -> int:
        """Goods on your colonies."""
        return int(self.fields["colony_good"][self.seat].sum())

    @property
    def explored(self) -> list[Tile]:
        """Worlds that you have explored and not settled."""
        count = int(self.fields["n_explored"][self.seat])
        return [self._printed(number) for number in self.fields["explored"][self.seat, :count].tolist()]

    def tile(self, choice: int) -> Tile | None:
        """Return what is printed on the tile that an option is about; None if it is about none."""
        number = words.option_tile(self.state, *self.options[choice])
        return self._printed(number) if number >= 0 else None

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

    def describe(self) -> str:
        """Return the position in words, as the seat may know it."""
        return words.describe(self.prepared, self.seen)
