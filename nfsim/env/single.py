"""One agent at a table, as Gymnasium has it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from nfsim.compiled.status import Status
from nfsim.engine.game import Game
from nfsim.engine.observed import Entry
from nfsim.engine.observing import Bools, Floats32
from nfsim.env.table import Table

LARGEST_ROOT = 2**62
RUNNING, FINISHED = int(Status.RUNNING), int(Status.FINISHED)


class OneAgent(gymnasium.Env[Floats32, int]):
    """An agent in a seat, policies in the others: `nfsim.env.solo` makes one.

    ``reset(seed=s)`` begins game 0 of a run with seed `s`, and each further ``reset()`` the next one. An action is the
    place of an option in `game.options`. One that is not offered forfeits the game: it ends, and all rewards add up
    to 0.

    Parameters
    ----------
    table : Table
    seat : int
        The agent's.

    Attributes
    ----------
    game : Game
        The game being played.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, table: Table, seat: int) -> None:
        self._table, self._seat = table, table.check_seat(seat)
        self.observation_space = gymnasium.spaces.Box(table.low, table.high, dtype=np.float32)
        self.action_space = gymnasium.spaces.Discrete(table.observer.actions)  # type: ignore[assignment]
        self._root, self._number = -1, -1
        self._earned = 0.0
        self._forfeited = False
        self.game: Game = table.begin(0, 0)

    def observation_entries(self) -> tuple[Entry, ...]:
        """Return name, lowest and highest value, and meaning of every entry of an observation, in order."""
        return self._table.observer.entries

    def action_masks(self) -> Bools:
        """Return which actions are legal, as sb3-contrib asks; `info["action_mask"]` has the same."""
        return self.game.action_mask(self._seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats32, dict[str, Any]]:
        """Begin the next game, or game 0 of another seed."""
        super().reset(seed=seed)
        if seed is not None or self._root < 0:
            self._root = int(self.np_random.integers(LARGEST_ROOT)) if seed is None else int(seed)
            self._number = -1
        while True:
            self._number += 1
            self.game = self._table.begin(self._root, self._number)
            self._others()
            if not self.game.finished:
                break
        self._earned, self._forfeited = 0.0, False
        return self._seen(), self._info()

    def step(self, action: int) -> tuple[Floats32, float, bool, bool, dict[str, Any]]:
        """Carry out an action, and let the others play on to the agent's next decision."""
        if self.game.finished or self._forfeited:
            raise IndexError("the game is over: call reset()")
        self._forfeited = not 0 <= int(action) < min(len(self.game.options), self._table.observer.actions)
        if self._forfeited:
            return self._seen(), -self._earned, True, False, self._info() | {"forfeited": True}
        self.game.choose(int(action))
        self._others()
        before, self._earned = self._earned, float(self._table.so_far(self.game)[self._seat])
        info = self._info()
        if int(self.game.state.status) != RUNNING:
            info["score"], info["won"] = self._table.result(self.game, self._seat)
        ended, fair = int(self.game.state.status) != RUNNING, int(self.game.state.status) in (RUNNING, FINISHED)
        return self._seen(), self._earned - before, ended and fair, ended and not fair, info

    def _others(self) -> None:
        while not self.game.finished and self.game.seat != self._seat:
            self.game.choose(self.game.suggest())

    def _seen(self) -> Floats32:
        return self.game.observe(self._seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}
