"""Plays the twin alone: random choices and its own random draws, with what must always hold checked."""

import random
from collections import Counter
from typing import Any

from twin.game import Twin
from twin.position import Ask, Draw


class Dealer:
    """Random outcomes of a twin that plays alone."""

    def __init__(self, twin: Twin, dice: random.Random) -> None:
        self.twin, self.dice = twin, dice
        self.goals: list[str] = []

    def deal(self, draw: Draw) -> list[Any]:
        if draw.kind == "seat":
            return self.dice.sample(range(draw.number), draw.number)
        if draw.kind == "mat":
            return self.dice.sample(sorted(self.twin.tileset.mats), draw.number)
        if draw.kind == "face":
            return [self.dice.randrange(2) for _ in range(draw.number)]
        if draw.kind == "world":
            return self.dice.sample(list(self.twin.bag.elements()), draw.number)
        unseen = self.dice.sample(list(self.twin.goals_unseen), len(self.twin.goals_unseen))
        return (unseen + [goal.name for goal in self.twin.goals_bottom])[: draw.number]


def play_alone(twin: Twin, seed: int, most: int = 20_000) -> int:
    """Play one game to its end; returns the number of decisions."""
    dice = random.Random(seed)
    dealer, game, answer, decisions = Dealer(twin, dice), twin.play(), None, 0
    try:
        while decisions < most:
            request = game.send(answer)
            if isinstance(request, Draw):
                answer = dealer.deal(request)
                continue
            check_request(request)
            check_position(twin)
            answer = dice.choice(request.options)
            decisions += 1
    except StopIteration:
        check_position(twin, end=True)
        return decisions
    raise AssertionError("the game does not end")


def check_request(request: Ask) -> None:
    """A decision has at least two options, all different."""
    assert len(request.options) >= 2, request
    assert len(set(request.options)) == len(request.options), request


def check_position(twin: Twin, end: bool = False) -> None:
    """Nothing is negative, nothing is lost, nothing lies where it may not."""
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
    assert not total - every  # during an action worlds may be in a hand
    assert min(twin.copies.values()) >= 0
    if end:
        assert total == every
        assert twin.hand == []
        assert len(set(twin.space.values())) == len(twin.space)
