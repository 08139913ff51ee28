"""An agent in every seat, as PettingZoo's AEC has it."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from nfsim.compiled.status import Status
from nfsim.engine.game import Game
from nfsim.engine.observed import Entry
from nfsim.engine.observing import Bools
from nfsim.env.table import Table

LARGEST_ROOT = 2**62


class SeveralAgents(AECEnv):  # type: ignore[misc]
    """An agent in each seat: `nfsim.env.aec` makes one.

    Agents are called ``seat_0``, ``seat_1`` … An observation is a dict of ``observation``, the vector, and
    ``action_mask``, which is all 0 for an agent that does not decide now. ``reset(seed=s)`` begins game 0 of a run
    with seed `s`, and each further ``reset()`` the next one. An action that is not offered raises IndexError.

    Parameters
    ----------
    table : Table

    Attributes
    ----------
    game : Game
        The game being played.
    """

    metadata = {"name": "nfsim", "is_parallelizable": False, "render_modes": []}  # noqa: RUF012 - as PettingZoo declares it

    def __init__(self, table: Table) -> None:
        super().__init__()
        self._table = table
        self.possible_agents = [f"seat_{seat}" for seat in range(table.players)]
        self.agents: list[str] = []
        self.render_mode = None
        actions = table.observer.actions
        spaces = gymnasium.spaces
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(table.low, table.high, dtype=np.float32),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._root, self._number = -1, -1
        self.game: Game = table.begin(0, 0)

    def observation_entries(self) -> tuple[Entry, ...]:
        """Return name, lowest and highest value, and meaning of every entry of the vector, in order."""
        return self._table.observer.entries

    def observation_space(self, agent: str) -> Any:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return what an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game, or game 0 of another seed."""
        if seed is not None or self._root < 0:
            self._root = int(np.random.default_rng().integers(LARGEST_ROOT)) if seed is None else int(seed)
            self._number = -1
        self._number += 1
        self.game = self._table.begin(self._root, self._number)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._earned = np.zeros(len(self.agents))
        self.agent_selection = self.possible_agents[self.game.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees."""
        seat = self.possible_agents.index(agent)
        return {"observation": self.game.observe(seat), "action_mask": self._mask(seat).astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Carry out an action of the agent that must decide."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < min(len(self.game.options), self._table.observer.actions):
            raise IndexError(f"action {action} of {agent} is not legal: choose one whose action_mask is 1")
        self._cumulative_rewards[agent] = 0.0
        self.game.choose(int(action))
        earned = self._table.so_far(self.game)
        self.rewards = dict(zip(self.possible_agents, (earned - self._earned).tolist(), strict=True))
        self._earned = earned
        if self.game.finished:
            self._end()
        else:
            self.agent_selection = self.possible_agents[self.game.seat]
        self._accumulate_rewards()

    def _end(self) -> None:
        fair = bool(self.game.state.status == Status.FINISHED)
        for seat, agent in enumerate(self.agents):
            self.terminations[agent], self.truncations[agent] = fair, not fair
            score, won = self._table.result(self.game, seat)
            self.infos[agent] = {"score": score, "won": won}

    def _mask(self, seat: int) -> Bools:
        return self.game.action_mask(seat)

    def render(self) -> None:
        """Show nothing; `game.describe()` says the position in words."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
