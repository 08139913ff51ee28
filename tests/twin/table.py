"""One game of the twin with a dealer: ask what is to be decided, look at the position, choose, in words."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from twin.game import Twin
from twin.position import Ask, Draw, Setup, Words
from twin.tiles import TileSet, load

Deal = Callable[[Draw], list[Any]]


def readings(profile: str = "seed", **settings: str) -> dict[str, str]:
    """The reading of each ruling in force."""
    from nfsim.games.new_frontiers.rulings import in_force  # names only: the vocabulary of the scenario

    return in_force(profile, settings)


class Dealer:
    """Random outcomes for a twin that plays alone."""

    def __init__(self, twin: Twin, dice: random.Random) -> None:
        self.twin, self.dice = twin, dice

    def __call__(self, draw: Draw) -> list[Any]:
        if draw.kind == "seat":
            return self.dice.sample(range(draw.number), draw.number)
        if draw.kind == "mat":
            return self.dice.sample(sorted(self.twin.tileset.mats), draw.number)
        if draw.kind == "stack":
            stacks = [stack for stack in self.twin.tileset.stacks if len(stack.faces) > 1]
            return [self.dice.choice(stack.faces).name for stack in stacks]
        if draw.kind == "world":
            return self.dice.sample(list(self.twin.bag.elements()), draw.number)
        unseen = self.dice.sample(list(self.twin.goals_unseen), len(self.twin.goals_unseen))
        return (unseen + [goal.name for goal in self.twin.goals_bottom])[: draw.number]


class TwinTable:
    """A twin at a decision: `seat`, `kind` and `options` of it, or `over`."""

    def __init__(self, twin: Twin, deal: Deal) -> None:
        self.twin, self.deal = twin, deal
        self.game = twin.play()
        self.asked: Ask | None = None
        self.go_on(None)

    @classmethod
    def alone(
        cls, setup: Setup, seed: int, rulings: dict[str, str] | None = None, tiles: TileSet | None = None
    ) -> "TwinTable":
        """A game with the twin's own random draws."""
        rulings = rulings or readings()
        twin = Twin(tiles or load(setup.expansion, rulings), setup, rulings)
        return cls(twin, Dealer(twin, random.Random(seed)))

    @property
    def over(self) -> bool:
        return self.asked is None

    @property
    def seat(self) -> int:
        return self.asked.seat if self.asked else -1

    @property
    def kind(self) -> str:
        return self.asked.kind if self.asked else ""

    @property
    def options(self) -> list[Words]:
        return self.asked.options if self.asked else []

    def choose(self, choice: Words) -> None:
        self.go_on(choice)

    def go_on(self, answer: Any) -> None:
        """Play on until a seat must decide or the game is over."""
        try:
            request = self.game.send(answer)
            while isinstance(request, Draw):
                request = self.game.send(self.deal(request))
            self.asked = request
        except StopIteration:
            self.asked = None

    def position(self) -> dict[str, Any]:
        return self.twin.position()

    def scores(self) -> list[dict[str, int]]:
        """Scores as of the last round's end."""
        return [vars(score) for score in self.twin.round_scores]

    def result(self) -> dict[str, Any]:
        return self.twin.result()


def check_table(table: TwinTable) -> None:
    """What must hold at every decision: real choices, nothing negative, lost, or where it may not be."""
    twin, options = table.twin, table.options
    assert table.over or len(options) >= 2
    assert len(set(options)) == len(options), options
    total: Counter[str] = twin.bag + Counter(tile.name for tile in twin.shown)
    for seat in twin.seats:
        assert min(seat.credits, seat.colonists, seat.chips, *seat.stored.values()) >= 0
        total += Counter(colony.tile.name for colony in seat.colonies[1:])
        total += Counter(world.tile.name for world in seat.explored)
        total += Counter(tile.name for tile in seat.stored_worlds)
        assert len({id(built.tile) for built in seat.developments}) == len(seat.developments)
        assert len(seat.tiles) == len(seat.colonies) + len(seat.developments)
        assert not any(tile.xeno for tile in seat.stored_worlds)  # 000 p. 1
        assert not any(colony.good for colony in seat.colonies if colony.tile.type == "gray")
    every = Counter(world.name for world in twin.tileset.worlds)
    assert not total - every  # during an action some worlds are in a hand
    assert min(twin.copies.values()) >= 0
    if table.over:
        assert total == every
        assert twin.hand == []
        assert len(set(twin.space.values())) == len(twin.space)


def eager(dice: random.Random, options: list[Words]) -> Words:
    """A choice that lets empires grow: mostly settle, build, sell and keep, now and then anything."""
    idle = ("pass", "colonists", "return")
    active = [option for option in options if option[0] not in idle]
    return dice.choice(active if active and dice.random() < 0.8 else options)


def play_alone(table: TwinTable, seed: int, most: int = 20_000) -> int:
    """Play to the end, with odd seeds eagerly, else by any choice; returns the number of decisions."""
    dice, decisions = random.Random(seed), 0
    while not table.over:
        check_table(table)
        table.choose(eager(dice, table.options) if seed % 2 else dice.choice(table.options))
        decisions += 1
        assert decisions < most, "the game does not end"
    check_table(table)
    return decisions
