"""What all environments are made of: a scenario, who plays the other seats, what is rewarded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.compiled.jit import int64
from nfsim.engine.game import Game
from nfsim.engine.observing import Observer
from nfsim.engine.records import Floats
from nfsim.engine.stepping import ending
from nfsim.engine.workspace import GAME, Log, new_log
from nfsim.errors import BadInput, nearest
from nfsim.policies.functions import named
from nfsim.run.scenario import Scenario, read_scenario

ORIGIN = "nfsim.env"
ANYBODY = "uniform"  # plays seats whose policy is never asked
REWARDS = ("score", "won")


@dataclass(frozen=True)
class Table:
    """A game ready to be played by agents.

    Attributes
    ----------
    scenario : Scenario
        Its policies play the seats without an agent.
    wins : bool
        Whether only winning is rewarded.
    observer : Observer
        What agents see.
    log : Log
        Room for the rows of one game: they say who won.
    """

    scenario: Scenario
    wins: bool
    observer: Observer
    log: Log

    @property
    def players(self) -> int:
        """Seats that somebody decides for."""
        return int(self.observer.tables.players)

    @property
    def low(self) -> Any:
        """Lowest values of an observation."""
        return self.observer.sight.low

    @property
    def high(self) -> Any:
        """Highest values of an observation."""
        return self.observer.sight.high

    def check_seat(self, seat: int) -> int:
        """Return a seat that there is; `BadInput` for any other."""
        if not 0 <= seat < self.players:
            raise BadInput(ORIGIN, "seat", f"{seat} is none of the seats 0 to {self.players - 1}")
        return int(seat)

    def begin(self, root: int, number: int) -> Game:
        """Begin a game."""
        return begin(self.scenario, root, number)

    def result(self, game: Game, seat: int) -> tuple[int, bool]:
        """Return the score of a seat in a game that is over, and whether it won."""
        state = game.room.states[GAME]
        score, won = ending(game.tables, game.policies, int64(seat), state, int64(game.number), self.log)
        return int(score), bool(won)

    def so_far(self, game: Game) -> Floats:
        """Return what each seat has earned up to now: what a reward adds to."""
        if game.finished:
            found = [self.result(game, seat) for seat in range(self.players)]
            return np.array([won if self.wins else score for score, won in found], np.float64)
        if self.wins or self.players > 1:
            return np.zeros(self.players)
        return np.array(game.state.score[:1, 0], np.float64)


def lay(scenario: Path | str, others: Any, settings: Sequence[str], reward: str) -> Table:
    """Read a scenario for agents; parameters as `nfsim.env.solo`."""
    if reward not in REWARDS:
        raise BadInput(ORIGIN, "reward", f'unknown reward "{reward}"', nearest(reward, REWARDS))
    chosen = read_scenario(scenario, settings, {"policy": named(others)})
    game = begin(chosen, 1, 0)
    rule_set, tables = chosen.rule_set, game.tables
    level = rule_set.levels[0]
    written = [table.name for table in rule_set.tables_at(level)]
    log = new_log(game.rules, tables, rule_set.levels.index(level), written, 1)
    return Table(chosen, reward == "won", game.observer, log)


def begin(scenario: Scenario, root: int, number: int) -> Game:
    """Begin a game of a scenario."""
    rule_set = scenario.rule_set
    game = rule_set.game(scenario.prepared, scenario.seated, root, number)
    if not isinstance(game, Game):
        raise BadInput(ORIGIN, "game", f"{rule_set.title} is not played by nfsim.engine, so agents cannot play it")
    return game
