"""What lies on the table besides the empires, and the whole position as plain values."""

from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from twin.score import Score
from twin.seat import Seat
from twin.tiles import Goal, Rulings, Stack, Tile, TileSet

Words = tuple[Any, ...]  # an option: ("take", "Gem World"), ("pass",)
Play = Generator["Ask | Draw", Any, Any]
STORED_WORLDS = 16  # no rule: the engine's records have no room for more; no goal pays for so many
ACTIONS = ("explore", "develop", "settle", "produce", "trade_consume", "envoys")


class IllegalError(Exception):
    """The engine did something the rules do not allow."""


@dataclass
class Setup:
    """What a scenario says under [setup]."""

    players: int
    expansion: str  # base, starry_rift
    goals: bool
    campaign: int = 0  # solo only
    rounds: int = 60
    length: str = "short"  # solo: which thresholds hold


@dataclass
class Ask:
    """A seat must decide."""

    seat: int
    kind: str
    options: list[Words]


@dataclass
class Draw:
    """A random outcome is needed: `number` of a kind (seat, mat, stack, world, goal)."""

    kind: str
    number: int


class Board:
    """The shared things of a game."""

    def __init__(self, tiles: TileSet, setup: Setup, rulings: Rulings) -> None:
        self.tileset, self.setup, self.rulings = tiles, setup, rulings
        self.rift = setup.expansion == "starry_rift"
        self.solo = setup.players == 1
        self.seats = [Seat(number, rulings) for number in range(setup.players)]  # dummies have only a disk
        self.round = 0
        self.end_triggers: list[str] = []
        self.round_scores: list[Score] = []  # of each seat at the last round's end
        self.start_order: list[int] = []
        self.turns: list[int] = []  # seats in the order in which they select in this round
        self.taken: dict[str, int] = {}  # action tiles selected in this round, by whom
        self.space: dict[int, int] = {}  # priority track: space of each seat's disk, 1 = top
        self.chart_pending: int | None = None  # R7 round_end: whose disk still moves up
        self.produce_credits = 0
        self.supply_vp = self.supply_colonists = 0
        self.bag: Counter[str] = Counter()
        self.shown: list[Tile] = []  # worlds open in an Explore action
        self.copies: dict[str, int] = {}  # developments left, by stack
        self.face: dict[str, int] = {}
        self.goals_unseen: dict[str, Goal] = {}  # goals nobody has seen yet, in unknown order
        self.goals_bottom: list[Goal] = []  # goals returned below them, in known order
        self.goals_up: list[Goal] = []
        self.hand: list[Goal] = []  # goals drawn, while one is chosen

    # --- asking and drawing

    def ask(self, seat: int, kind: str, options: list[Words]) -> Play:
        """Ask a seat; a forced decision is carried out without asking."""
        if len(options) == 1:
            return options[0]
        choice = yield Ask(seat, kind, options)
        if choice not in options:
            raise IllegalError(f"seat {seat} {kind}: {choice} is not among {options}")
        return choice

    def draw(self, kind: str, number: int) -> Play:
        if number == 0:
            return []
        return (yield Draw(kind, number))

    def draw_worlds(self, number: int) -> Play:
        """Worlds from the bag, as far as there are any."""
        names = yield from self.draw("world", min(number, self.bag.total()))
        tiles = []
        for name in names:
            if not self.bag[name]:
                raise IllegalError(f"{name} is not in the bag")
            self.bag[name] -= 1
            tiles.append(next(tile for tile in self.tileset.worlds if tile.name == name))
        return tiles

    # --- the priority track

    def track(self) -> list[int]:
        """Seats from the top of the track."""
        return sorted(self.space, key=lambda seat: self.space[seat])

    def close_gaps(self) -> None:
        if self.rulings["priority_gaps"] == "closed":  # R8
            self.space = {seat: place for place, seat in enumerate(self.track(), 1)}

    def to_front(self, seat: int) -> None:
        """Envoys: to the first space, the others make room downwards; or the first and it change places (R6)."""
        here = self.space[seat]
        if self.rulings["envoys_shift"] == "swap":
            on = {space: other for other, space in self.space.items()}
            if 1 in on:
                self.space[on[1]] = here
            self.space[seat] = 1  # top priority (000 p. 2), also when the first space was empty
        else:
            on = {space: other for other, space in self.space.items()}
            pushed = 1
            while pushed < here and pushed in on:  # up to the first empty space, at the latest its own
                self.space[on[pushed]] = pushed + 1
                pushed += 1
            self.space[seat] = 1
        self.close_gaps()

    def move_up(self, seat: int) -> None:
        """One space up, changing places with a disk there."""
        here = self.space[seat]
        if here > 1:
            for other, space in self.space.items():
                if space == here - 1:
                    self.space[other] = here
            self.space[seat] = here - 1
        self.close_gaps()

    def chart_move(self, seat: int) -> None:
        if self.rulings["chart_priority"] == "immediate":  # R7
            self.move_up(seat)
        else:
            self.chart_pending = seat

    def available(self) -> list[str]:
        """Action tiles not selected in this round; with goals the Isolation tile shows Chart (000, 001)."""
        tiles = (*ACTIONS, "chart" if self.setup.goals else "retreat")
        return [name for name in tiles if name not in self.taken]

    # --- supplies: always granted (001), however little is left; R23

    def gain_chips(self, seat: Seat, number: int) -> None:
        seat.chips += number
        self.supply_vp = max(0, self.supply_vp - number)

    def gain_colonists(self, seat: Seat, number: int) -> int:
        if self.rulings["supply_short"] == "what_is_left":
            number = min(number, self.supply_colonists)
        seat.colonists += number
        self.supply_colonists = max(0, self.supply_colonists - number)
        return number

    def stockpile(self, seat: Seat, kind: str, gained: int) -> Play:
        """Some or all of a gain may go to a stockpile (000 p. 4); returns how much does."""
        most = int(min(gained, self.stockpile_room(seat, kind)))
        options = [("amount", number) for number in range(most + 1)]
        _, amount = yield from self.ask(seat.number, "stockpile", options)
        seat.stored[kind] += amount
        return amount

    # --- goals

    def goals_in_play(self) -> list[Goal]:
        return self.goals_up + [seat.goal_down for seat in self.seats if seat.goal_down]

    def stockpile_room(self, seat: Seat, kind: str) -> float:
        """How many more of a kind a seat may stockpile; 0 without such a goal (001; R16, R15)."""
        goals = [goal for goal in self.goals_up if goal.stockpile == kind]
        if self.rulings["stockpile_access"] == "face_up_or_own" and seat.goal_down:
            goals += [seat.goal_down] if seat.goal_down.stockpile == kind else []
        if not goals:
            return 0
        if self.rulings["stockpile_beyond"] == "unlimited":
            return STORED_WORLDS - len(seat.stored_worlds) if kind == "worlds" else float("inf")
        last = max(goal.steps[-1][0] for goal in goals)
        return max(0, last - seat.measure(f"stockpiled_{kind}"))

    # --- developments

    def shown_face(self, stack: Stack) -> Tile:
        return stack.faces[self.face[stack.name]]

    # --- the position as plain values, for the comparison

    def position(self) -> dict[str, Any]:
        stacks = self.tileset.stacks
        return {
            "round": self.round,
            "space": dict(sorted(self.space.items())),
            "taken": sorted(self.taken),
            "produce_credits": self.produce_credits,
            "supply_vp": self.supply_vp,
            "supply_colonists": self.supply_colonists,
            "bag": sorted(self.bag.elements()),
            "shown": [tile.name for tile in self.shown],
            "stacks": [(self.shown_face(stack).name, self.copies[stack.name]) for stack in stacks],
            "goals_up": sorted(goal.name for goal in self.goals_up),
            "goals_deck": len(self.goals_unseen) + len(self.goals_bottom),
            "hand": sorted(goal.name for goal in self.hand),
        } | {f"seat {seat.number}": self.empire(seat) for seat in self.seats if seat.colonies}

    def empire(self, seat: Seat) -> dict[str, Any]:
        return {
            "home": (seat.mat, seat.side),
            "credits": seat.credits,
            "colonists": seat.colonists,
            "chips": seat.chips,
            "colonies": [(c.tile.name, c.good, c.explored, c.settled) for c in seat.colonies],
            "explored": [(world.tile.name, world.round) for world in seat.explored],
            "developments": [(built.tile.name, built.round) for built in seat.developments],
            "military": seat.military(),
            "stored_worlds": [tile.name for tile in seat.stored_worlds],
            "stored": dict(seat.stored),
            "goal_down": seat.goal_down.name if seat.goal_down else None,
        }
