"""Drives the engine and the twin in lockstep and reports the first difference readably.

At every decision the seat, the kind of decision, the options in words and the whole position must agree; at
the end the triggers, scores with their parts, ranks, winners and the solo conditions. The twin is fed the
engine's random outcomes and its choices, in words.
"""

import random
from collections import Counter, deque
from dataclasses import replace
from pathlib import Path
from typing import Any

from nfsim.games.new_frontiers.tables import Prepared
from twin.engine_table import EngineTable, scenario
from twin.game import Twin
from twin.position import Draw, IllegalError, Setup, Words
from twin.score import goal_vp
from twin.table import TwinTable, eager
from twin.tiles import DATA, TileSet, load


class DifferenceError(AssertionError):
    """Engine and twin do not agree."""


class EngineDeal:
    """Hands the engine's random outcomes to the twin, kind by kind."""

    def __init__(self) -> None:
        self.waiting: dict[str, deque[Any]] = {}

    def take_over(self, draws: list[tuple[str, Any]]) -> None:
        for kind, name in draws:
            self.waiting.setdefault(kind, deque()).append(int(name) if kind in ("seat", "mat") else name)

    def __call__(self, draw: Draw) -> list[Any]:
        queue = self.waiting.get(draw.kind, deque())
        if len(queue) < draw.number:
            raise IllegalError(f"the twin draws {draw.number} {draw.kind}, the engine only {list(queue)}")
        return [queue.popleft() for _ in range(draw.number)]

    def left(self) -> dict[str, list[Any]]:
        return {kind: list(queue) for kind, queue in self.waiting.items() if queue}


class Lockstep:
    """One game, played by both."""

    def __init__(
        self,
        prepared: Prepared,
        setup: Setup,
        seed: int,
        number: int,
        tiles: TileSet,
        campaigns: dict[tuple[str, int], Prepared] | None = None,
    ) -> None:
        self.where = f"seed {seed}, game {number}, {setup}"
        self.dice = random.Random(f"{seed} {number}")
        self.engine = EngineTable(prepared, setup, seed, number)
        self.deal = EngineDeal()
        self.deal.take_over(self.engine.game.draws())
        twin = Twin(tiles, setup, prepared.rulings)
        self.campaigns = campaigns or {}
        self.decisions = 0
        self.last: Any = "setup"
        try:
            self.twin = TwinTable(twin, self.deal)
        except IllegalError as error:
            self.differ("setup", "", error)

    def play(self, is_eager: bool) -> int:
        """Play with random choices; returns the number of decisions, raises the first difference."""
        while not self.engine.over:
            options = self.engine.options
            self.compare_decision(options)
            choice = eager(self.dice, options) if is_eager else self.dice.choice(options)
            self.last = choice
            self.engine.choose(choice)
            self.deal.take_over(self.engine.game.draws())
            try:
                self.twin.choose(choice)
            except IllegalError as error:
                self.differ("rules broken", "", error)
            self.decisions += 1
        self.compare_end()
        return self.decisions

    def compare_decision(self, options: list[Words]) -> None:
        engine, twin = self.engine, self.twin
        self.same("decision", (engine.seat, engine.kind), (twin.seat, twin.kind) if not twin.over else "game over")
        self.same("options", Counter(options), Counter(twin.options))
        self.same("order of options", options, twin.options)
        self.same_position(goals_apart=engine.kind not in ("keep_goal", "return_goal"))

    def compare_end(self) -> None:
        self.same("game over", True, self.twin.over)
        self.same_position(goals_apart=False)
        goals, seats = self.twin.twin.goals_in_play(), self.twin.twin.seats
        vps = {goal.name: [goal_vp(seat, goal) for seat in seats] for goal in goals}
        self.same("VPs of goals", self.engine.goal_vps(), vps)
        engine, twin = self.engine.result(), self.twin.result()
        self.same("result", engine, {key: twin[key] for key in engine})
        for (length, campaign), prepared in self.campaigns.items():  # every condition there is
            mine = [name for (*of, name), met in twin["conditions"].items() if met and of == [length, campaign]]
            self.same(f"conditions of campaign {campaign}, {length}", self.engine.met(prepared), mine)

    def same_position(self, goals_apart: bool) -> None:
        engine, twin = self.engine.position(), self.twin.position()
        if not goals_apart:  # when exactly face-down goals are turned up, in Chart and at the end, is all the same
            for position in (engine, twin):
                downs = [empire.pop("goal_down") for key, empire in position.items() if "seat" in key]
                position["goals_up"] = sorted(position["goals_up"] + [goal for goal in downs if goal])
        self.same("draws not asked for", {}, self.deal.left())
        for key in sorted(engine.keys() | twin.keys()):
            self.same(key, engine.get(key), twin.get(key))
        if self.twin.twin.round_scores:
            self.same("scores", self.engine.scores(), self.twin.scores())

    def same(self, what: str, engine: Any, twin: Any) -> None:
        if engine != twin:
            if isinstance(engine, Counter):
                engine, twin = dict(engine - twin), dict(twin - engine)
                what += " of one only"
            elif isinstance(engine, dict) and isinstance(twin, dict):
                keys = [key for key in engine.keys() | twin.keys() if engine.get(key) != twin.get(key)]
                engine, twin = {k: engine.get(k) for k in keys}, {k: twin.get(k) for k in keys}
            self.differ(what, engine, twin)

    def differ(self, what: str, engine: Any, twin: Any) -> None:
        place = f"round {self.engine.game.state.round_no}, decision {self.decisions}, after {self.last}"
        raise DifferenceError(f"{what}\n  {self.where}\n  {place}\n  engine: {engine}\n  twin:   {twin}")


def play_games(
    setup: Setup, games: int, rulings: dict[str, str], folder: Path | None = None, seed: int = 1, first: int = 0
) -> int:
    """Play games in lockstep, every second one eagerly; returns the number of decisions compared."""
    where = str(folder or "reconstructed")
    prepared = scenario(setup, rulings, where)
    tiles = load(setup.expansion, rulings, folder or DATA)
    campaigns = {
        (length, campaign): scenario(replace(setup, campaign=campaign, length=length), rulings, where)
        for length in ("short", "long")
        for campaign in range(1, 7)
        if setup.players == 1
    }
    return sum(
        Lockstep(prepared, setup, seed, number, tiles, campaigns).play(is_eager=number % 2 == 1)
        for number in range(first, first + games)
    )
