"""One player's empire: what lies there, and what it can do.

Tiles are in the order in which they were placed. Worlds settled in the Settle action under way count as
tiles at once, but their powers start only when the action is over (001): `asleep` holds them until then.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from twin.classes import PHASES, classes, good_classes
from twin.tiles import Goal, Power, Rulings, Tile


@dataclass
class Colony:
    tile: Tile
    explored: int  # round; 0: the home
    settled: int
    good: bool = False


def kinds_in(colonies: list[Colony]) -> int:
    """Different kinds of goods that these can be; one of any kind is a kind not there yet (000 p. 3)."""
    kinds = [colony.tile.good for colony in colonies if colony.tile.good != "none"]
    return min(4, len(set(kinds) - {"any"}) + kinds.count("any"))


@dataclass
class Explored:
    """A world in the empire that is not settled yet: no power, no VP."""

    tile: Tile
    round: int


@dataclass
class Development:
    tile: Tile
    round: int


@dataclass
class Seat:
    number: int
    rulings: Rulings
    credits: int = 0
    colonists: int = 0
    chips: int = 0  # VPs of VP chips held, without stockpiled ones
    colonies: list[Colony] = field(default_factory=list)  # the home first
    explored: list[Explored] = field(default_factory=list)
    developments: list[Development] = field(default_factory=list)
    tiles: list[Tile] = field(default_factory=list)  # home, settled worlds, developments, as placed
    asleep: list[Tile] = field(default_factory=list)
    stored_worlds: list[Tile] = field(default_factory=list)
    stored: dict[str, int] = field(default_factory=lambda: {"colonists": 0, "credits": 0, "chips": 0})
    goal_down: Goal | None = None
    mat: int = 0
    side: str = ""

    # --- tiles and powers

    def count(self, name: str) -> int:
        """How many own tiles (home, colonies, developments) are in a class."""
        every = self.rulings["any_good_counts"] == "every"
        return sum(name in classes(tile, every) for tile in self.tiles)

    def in_class(self, tile: Tile, name: str) -> bool:
        return name in classes(tile, self.rulings["any_good_counts"] == "every")

    def powers(self, *effects: str, asleep_too: bool = False) -> Iterator[tuple[Tile, Power]]:
        """Powers at work with one of these effects, in the order the tiles were placed."""
        for tile in self.tiles:
            if asleep_too or tile not in self.asleep:
                for power in tile.powers:
                    if power.effect in effects:
                        yield tile, power

    def total(self, effect: str, about: Tile | None = None, asleep_too: bool = False) -> int:
        """Sum of an effect; with a tile: of the powers without a filter or with one that it matches."""
        return sum(
            power.amount
            for _, power in self.powers(effect, asleep_too=asleep_too)
            if power.filter == "any" or (about is not None and self.in_class(about, power.filter))
        )

    # --- Military

    def military(self) -> int:
        """Permanent Military: neither temporary nor specialised (000 p. 4)."""
        per = 0
        for _, power in self.powers("settle.military_per"):
            early = [tile for tile in self.asleep if self.in_class(tile, power.filter)]  # settled in this action: R29
            count = self.count(power.filter) - (len(early) if self.rulings["settle_counts"] == "at_end" else 0)
            per += power.amount * count
        return self.total("settle.military") + per

    def military_against(self, world: Tile) -> int:
        """Permanent and matching specialised Military, e.g. +3 vs Xeno worlds (000 p. 1)."""
        special = sum(
            power.amount
            for _, power in self.powers("settle.military")
            if power.filter != "any" and self.in_class(world, power.filter)
        )
        return self.military() + special

    # --- costs

    def development_cost(self, tile: Tile, bonus: bool) -> int:
        return max(0, tile.cost - self.total("develop.discount", tile) - (1 if bonus else 0))

    def credits_for(self, world: Tile) -> int | None:
        """Credits to settle a world by paying; None: it cannot be paid for."""
        if not world.military:
            return max(0, world.cost - self.total("settle.discount", world))
        if world.xeno:  # 000 p. 1: not with pay-for-military powers
            return None
        powers = [
            power.amount
            for _, power in self.powers("settle.pay_military")
            if power.filter == "any" or self.in_class(world, power.filter)
        ]
        return max(0, world.defense - max(powers)) if powers else None

    # --- goods

    def goods(self, name: str = "any") -> list[Colony]:
        """Colonies with a good that matches a class, in the order settled."""
        return [colony for colony in self.colonies if colony.good and name in good_classes(colony.tile)]

    def empty_windfalls(self, name: str = "any") -> list[Colony]:
        """Windfall colonies of a class without a good."""
        return [
            colony
            for colony in self.colonies
            if colony.tile.type == "windfall" and not colony.good and name in good_classes(colony.tile)
        ]

    # --- what scoring lines, goals and conditions measure

    def measure(self, name: str) -> int:
        """A measure, or else the number of tiles in a class."""
        match name:
            case "military_strength":
                return self.military()
            case "chips_held":
                return self.chips
            case "chips_all":
                return self.chips + self.stored["chips"]
            case "keywords":
                return len(frozenset().union(*(tile.keywords for tile in self.tiles)))
            case "good_kinds":
                every = self.rulings["any_good_counts"] == "every"  # R22
                return kinds_in([colony for colony in self.colonies if every or colony.tile.good != "any"])
            case "goods":
                return len(self.goods())
            case "stockpiled_worlds":
                return len(self.stored_worlds)
            case "stockpiled_colonists" | "stockpiled_credits" | "stockpiled_chips":
                return self.stored[name.removeprefix("stockpiled_")]
            case "credits":
                return self.credits
            case "colonists":
                return self.colonists
            case "different_powers":
                return sum(self.count(f"{phase}_power") > 0 for phase in PHASES)
            case _:
                return self.count(name)

    def placed_xeno(self) -> list[Explored]:
        """Explored Xeno worlds: once placed they can never be discarded or returned (000 p. 1)."""
        return [world for world in self.explored if world.tile.xeno]
