"""Campaigns of four solo games: claiming conditions, the So Close chip, and the Gauntlet (000 p. 2-3).

Plain Python over final positions: the kernel only says which conditions a game met. Whoever plays a
campaign keeps a `Campaign` and claims one condition after each game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nfsim.games.new_frontiers.codes import Class, Measure, RequirementKind
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.scoring import Part, goal_vps, measure
from nfsim.games.new_frontiers.tiles.grammar import Requirement

ChipUse = Literal["none", "vp", "count"]
SO_CLOSE_VPS = 3  # the chip's -3VPs side
SO_CLOSE_COUNT = 1  # its -1# side
IN_VPS = (Measure.CHIPS_HELD, Measure.CHIPS_ALL, Measure.STOCKPILED_CHIPS, Measure.TOTAL_VP)
"""Measures that are VPs or VP chips, so that the -3VPs side lowers them."""


@dataclass(frozen=True)
class Target:
    """A win condition for the length played: `vp` VPs and every one of `requires`."""

    name: str
    vp: int
    requires: tuple[Requirement, ...] = ()


@dataclass(frozen=True)
class Position:
    """What a final position has of everything a condition can list.

    Attributes
    ----------
    vp : int
        Final score.
    measures : mapping of int to int
        By number of `Class` or `Measure`; what is missing counts as 0.
    goals : tuple of int
        VPs that each goal in play gives.
    tiles : frozenset of str
        Names of the developments and colonies owned.
    """

    vp: int
    measures: Mapping[int, int] = field(default_factory=dict)
    goals: tuple[int, ...] = ()
    tiles: frozenset[str] = frozenset()

    @classmethod
    def of(cls, game: Game) -> "Position":
        """Read the player's position in a solo game."""
        state, tables, tile = game.state, game.prepared.tables[0], game.prepared.names.tile
        owned = [int(state.colony[0, slot]) for slot in range(int(state.n_colonies[0]))]
        owned += [int(state.dev[0, place]) for place in range(int(state.n_devs[0]))]
        numbers = [*map(int, Class), *map(int, Measure)]
        goals = [goal for goal in range(int(tables.n_goals)) if state.goal_where[goal] > 0]
        return cls(
            vp=int(state.score[0, Part.TOTAL]),
            measures={number: int(measure(tables, state, 0, number)) for number in numbers},
            goals=tuple(int(goal_vps(tables, state, 0, goal)) for goal in goals),
            tiles=frozenset(tile[number] for number in owned),
        )


def _goals_giving(position: Position, least: int) -> int:
    return sum(vps >= max(least, 1) for vps in position.goals)


def shortfall(requirement: Requirement, position: Position, readings: Mapping[str, str]) -> tuple[ChipUse, int]:
    """Return by how much a requirement is missed, and which side of the chip could lower it.

    Parameters
    ----------
    requirement : Requirement
    position : Position
    readings : mapping
        Rulings in force; R17 (No Military) and R26 (a listed Military) matter here.

    Returns
    -------
    side : {"none", "vp", "count"}
        "none": the chip cannot lower it.
    missing : int
        0 if it is met.
    """
    if requirement.kind == RequirementKind.OWNS:
        return "none", 0 if requirement.tile in position.tiles else 1
    if requirement.kind == RequirementKind.NO_MILITARY:
        by_total = readings["no_military"] == "total_zero"
        number = Measure.MILITARY_STRENGTH if by_total else Class.MILITARY
        return "none", int(position.measures.get(int(number), 0) != 0)
    if requirement.measure == Measure.GOALS_SCORED:
        missing = max(0, requirement.need - _goals_giving(position, requirement.least))
        if requirement.least <= 1:
            return "count", missing
        # of several goals that must each give so many VPs the number of goals stands; one goal's VPs may drop (p. 3)
        short = [requirement.least - vps for vps in position.goals if vps < requirement.least]
        return "vp", 0 if missing == 0 else min(short, default=99) if missing == 1 else 99
    have = position.vp if requirement.measure == Measure.TOTAL_VP else position.measures.get(requirement.measure, 0)
    missing = max(0, requirement.need - have)
    if requirement.measure in IN_VPS:
        return "vp", missing
    if requirement.measure == Measure.MILITARY_STRENGTH and readings["so_close_military"] == "no":
        return "none", missing
    return "count", missing


def claim_with(target: Target, position: Position, readings: Mapping[str, str], chip: bool) -> ChipUse | None:
    """Return how a condition can be claimed: "none" without the chip, "vp" or "count" with it, None not at all.

    The chip mends one miss: up to 3 VPs, or exactly 1 of a count; never a requirement that is not a number
    (000 p. 3).
    """
    misses: list[tuple[ChipUse, int]] = [("vp", max(0, target.vp - position.vp))]
    misses += [shortfall(requirement, position, readings) for requirement in target.requires]
    missed = [(side, by) for side, by in misses if by > 0]
    if not missed:
        return "none"
    if not chip or len(missed) > 1:
        return None
    side, by = missed[0]
    allowed = {"vp": SO_CLOSE_VPS, "count": SO_CLOSE_COUNT, "none": 0}[side]
    return side if by <= allowed else None


@dataclass
class Campaign:
    """One campaign in progress: each game claims another condition, in any order (000 p. 2).

    Attributes
    ----------
    open : list of Target
        Conditions not yet claimed.
    readings : mapping
        Rulings in force.
    chip : bool
        Whether the So Close chip can still be spent.
    lost : bool
        Set when a game ended without a claim.
    """

    open: list[Target]
    readings: Mapping[str, str]
    chip: bool = False
    lost: bool = False

    @property
    def won(self) -> bool:
        """Whether every condition has been claimed."""
        return not self.open and not self.lost

    def claimable(self, position: Position) -> dict[str, ChipUse]:
        """Return the open conditions that the position can claim, and how."""
        found = {target.name: claim_with(target, position, self.readings, self.chip) for target in self.open}
        return {name: use for name, use in found.items() if use is not None}

    def claim(self, position: Position, name: str | None) -> None:
        """Mark the condition `name` for a game that ended so; None: no claim, and the campaign is lost.

        Raises
        ------
        ValueError
            If the position cannot claim it.
        """
        if name is None:
            self.lost = True
            return
        use = self.claimable(position).get(name)
        if use is None:
            raise ValueError(f"{name} cannot be claimed in this position")
        self.chip = self.chip and use == "none"
        self.open = [target for target in self.open if target.name != name]


@dataclass
class Gauntlet:
    """All campaigns in order without ever failing, with one So Close chip for the whole series (000 p. 3)."""

    campaigns: Sequence[Sequence[Target]]
    readings: Mapping[str, str]
    chip: bool = True
    place: int = 0
    current: Campaign | None = None

    def campaign(self) -> Campaign | None:
        """Return the campaign being played, the next one when it is won, or None when the series is over."""
        if self.current is not None and self.current.lost:
            return None
        if self.current is not None and self.current.won:
            self.chip, self.current, self.place = self.current.chip, None, self.place + 1
        if self.current is None and self.place < len(self.campaigns):
            self.current = Campaign(list(self.campaigns[self.place]), self.readings, self.chip)
        return self.current

    @property
    def won(self) -> bool:
        """Whether every campaign has been won."""
        return self.campaign() is None and self.place == len(self.campaigns)
