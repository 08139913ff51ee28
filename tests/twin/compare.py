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

from nfsim.games.new_frontiers import codes, scoring, solo
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.words import option_words
from twin.game import Twin
from twin.position import Draw, IllegalError, Setup, Words
from twin.score import goal_vp
from twin.settle import words as written
from twin.table import TwinTable, eager
from twin.tiles import DATA, TileSet, load, power

WITH_POWER = ("feed", "spend_good", "spend_credits")  # options with a power's text in the third place
PARTS = {"chips": "vp_chips", "worlds": "vp_worlds", "developments": "vp_developments",
         "nine_cost": "vp_nine_cost", "goals": "vp_goals", "penalty": "vp_penalty"}  # fmt: skip


class DifferenceError(AssertionError):
    """Engine and twin do not agree."""


def scenario(setup: Setup, rulings: dict[str, str], tiles: str = "reconstructed") -> Prepared:
    """Prepare the engine's tables for a setup."""
    part: dict[str, Any] = {"players": setup.players, "expansion": setup.expansion, "goals": setup.goals}
    part["rounds"] = setup.rounds
    if setup.players == 1:
        part |= {"campaign": setup.campaign, "length": setup.length}
    return prepare(read_settings({"setup": part, "rules": rulings, "tiles": tiles}, "twin"), "twin")


class EngineTable:
    """A game of the engine, with the same face as `TwinTable`."""

    def __init__(self, prepared: Prepared, setup: Setup, seed: int, number: int) -> None:
        self.setup, self.names = setup, prepared.names
        self.tables = prepared.tables[0]
        self.game = Game.new(prepared, seed, number)

    @property
    def over(self) -> bool:
        return self.game.finished

    @property
    def seat(self) -> int:
        return self.game.decision[0]

    @property
    def kind(self) -> str:
        return codes.label(self.game.decision[1])

    @property
    def options(self) -> list[Words]:
        game = self.game
        return [self.plain(option_words(game.prepared, game.state, *option)) for option in game.options]

    @staticmethod
    def plain(words: Words) -> Words:
        """Write the power of an option out as the twin does."""
        return (*words[:2], written(power(words[2])), *words[3:]) if words[0] in WITH_POWER else words

    def choose(self, choice: Words) -> None:
        self.game.choose(self.options.index(choice))

    # --- the position, in the twin's form

    def tile_names(self, ids: Any) -> list[str]:
        return [self.names.tile[int(tile)] for tile in ids]

    def position(self) -> dict[str, Any]:
        state = self.game.state
        goals = [(int(state.goal_where[goal]), name) for goal, name in enumerate(self.names.goal)]
        not_here = "retreat" if self.setup.goals else "chart"
        taken = [codes.label(action) for action in codes.Action if state.taken[action]]
        tops = [self.tables.stack_face[s, state.stack_side[s]] for s in range(int(self.tables.n_stacks))]
        return {
            "round": int(state.round_no),
            "space": {seat: int(state.space[seat]) for seat in range(int(state.n_seats))},
            "taken": sorted(set(taken) - {not_here}),
            "produce_credits": int(state.produce_credits),
            "supply_vp": int(state.supply_vp),
            "supply_colonists": int(state.supply_colonists),
            "bag": sorted(self.tile_names(state.bag[: state.bag_n])),
            "shown": self.tile_names(state.shown[: state.shown_n]),
            "stacks": list(zip(self.tile_names(tops), map(int, state.stack_left), strict=False)),
            "goals_up": sorted(name for where, name in goals if where == 2),
            "goals_deck": int(state.goal_deck_n),
            "hand": sorted(self.names.goal[int(goal)] for goal in state.goal_hand[: state.goal_hand_n]),
        } | {f"seat {n}": self.empire(n) for n in range(self.setup.players) if state.n_colonies[n]}

    def empire(self, seat: int) -> dict[str, Any]:
        state = self.game.state
        n, explored, devs = (int(count[seat]) for count in (state.n_colonies, state.n_explored, state.n_devs))
        store = [int(number) for number in state.stockpile[seat]]
        down = int(state.goal_down[seat])
        colonies = zip(
            self.tile_names(state.colony[seat, :n]),
            map(bool, state.colony_good[seat]),
            map(int, state.colony_explored[seat]),
            map(int, state.colony_settled[seat]),
            strict=False,
        )
        worlds, built = state.explored[seat, :explored], state.dev[seat, :devs]
        return {
            "home": (int(self.names.mat[int(state.mat[seat])]), "AB"[int(state.side[seat])]),
            "credits": int(state.credits[seat]),
            "colonists": int(state.colonists[seat]),
            "chips": int(state.chips[seat]),
            "colonies": list(colonies),
            "explored": list(zip(self.tile_names(worlds), map(int, state.explored_round[seat]), strict=False)),
            "developments": list(zip(self.tile_names(built), map(int, state.dev_round[seat]), strict=False)),
            "military": int(state.military[seat]),
            "stored_worlds": self.tile_names(state.stored[seat, : store[0]]),
            "stored": dict(zip(("colonists", "credits", "chips"), store[1:], strict=True)),
            "goal_down": self.names.goal[down] if down >= 0 else None,
        }

    def scores(self) -> list[dict[str, int]]:
        """Scores as of the last round's end."""
        return [{name: part[key] for key, name in PARTS.items()} for part in self.game.scores()]

    def goal_vps(self) -> dict[str, list[int]]:
        """VPs that each goal in play gives each seat."""
        state, seats = self.game.state, range(self.setup.players)
        found = [goal for goal, where in enumerate(state.goal_where[: len(self.names.goal)]) if where]
        return {
            self.names.goal[goal]: [int(scoring.goal_vps(self.tables, state, seat, goal)) for seat in seats]
            for goal in found
        }

    def met(self, prepared: Prepared) -> list[str]:
        """Conditions of a prepared campaign and length that the position meets."""
        names, tables = prepared.names.condition, prepared.tables[0]
        return [name for i, name in enumerate(names) if solo.condition_met(tables, self.game.state, 0, i)]

    def result(self) -> dict[str, Any]:
        state, seats = self.game.state, range(self.setup.players)
        mask = int(state.end_mask)
        ranks = [int(scoring.rank(self.tables, state, seat)) for seat in seats]
        return {
            "rounds": int(state.round_no),
            "triggers": [codes.label(reason) for reason in codes.EndReason if mask >> reason & 1],
            "ranks": ranks,
            "won": [bool(self.met(self.game.prepared))] if len(seats) == 1 else [place == 1 for place in ranks],
            "met": self.met(self.game.prepared) if len(seats) == 1 else [],
        }


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
