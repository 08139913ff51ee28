"""Many games stepped together in compiled code, an agent in the same seat of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import entry, int64
from nfsim.engine import stepping
from nfsim.engine.observed import Entry
from nfsim.engine.observing import Bools, Floats32, Sight
from nfsim.engine.playing import get_ready
from nfsim.engine.records import Ints, new_record, quick
from nfsim.engine.stepping import ALL_LEGAL, Batch
from nfsim.env.table import ORIGIN, Table
from nfsim.errors import BadInput
from nfsim.policies.kinds import Kind
from nfsim.run.scenario import DEFAULT_SEED

MOST_AT_ONCE = 65_536


class Vector:
    """Games side by side: `nfsim.env.vector` makes one.

    Place `p` plays the games `p`, `p + n`, `p + 2 n` … of a run with the seed given to `reset`. Arrays that `reset` and
    `step` return are written anew by the next `step`: copy what is to be kept.

    Parameters
    ----------
    table : Table
    n : int
        Games at the same time.
    seat : int
        The agent's.

    Attributes
    ----------
    n, seat, players : int
    actions : int
        Size of the action space.
    position : int
        Entries of an observation that are about the position; options follow.
    scores : ndarray of int64, shape (game,)
        Final score of the game that ended last in each place.
    won, fair : ndarrays of bool, shape (game,)
        Whether the agent won it, and whether it ended by the rules, not by a limit of the program.
    """

    def __init__(self, table: Table, n: int, seat: int) -> None:
        if not 1 <= n <= MOST_AT_ONCE:
            raise BadInput(ORIGIN, "n", f"must be from 1 to {MOST_AT_ONCE}, not {n}")
        self.n, self.seat, self.players = n, table.check_seat(seat), table.players
        self._rules = table.observer.rules
        sight, log = table.observer.sight, table.log
        self._tables = quick(table.scenario.prepared.tables)[0]
        self._sight = sight._replace(scratch=quick(sight.scratch))
        self._log = log._replace(rows=log.rows._make(map(quick, log.rows)))
        self.actions, self.position = table.observer.actions, table.observer.position
        self._entries = table.observer.entries
        self._options = table.observer.option_entries
        self._policies = quick(self._load(table))
        states = new_record(self._rules.state, n)
        self._batch = Batch(
            root=int64(DEFAULT_SEED),
            seat=int64(self.seat),
            wins=int64(table.wins),
            states=quick(states),
            memory=states.view(np.int64).reshape(n, -1),
            lists=quick(new_record(self._rules.option_list, n)),
            numbers=np.arange(n),
            before=np.zeros(n, np.int64),
            observed=np.zeros((n, len(self._entries)), np.float32),
            masks=np.zeros((n, self.actions), np.bool_),
            rewards=np.zeros(n, np.float32),
            done=np.zeros(n, np.bool_),
            scores=np.zeros(n, np.int64),
            won=np.zeros(n, np.bool_),
            fair=np.zeros(n, np.bool_),
        )
        chosen = np.zeros(n, np.int64)
        self._step = entry(stepping.step, self._tables, self._policies, self._batch, self._sight, self._log, chosen)
        self.scores, self.won, self.fair = self._batch.scores, self._batch.won, self._batch.fair

    def _load(self, table: Table) -> Any:
        seated = table.scenario.seated
        policies = self._rules.load_policies(seated, table.scenario.prepared)
        for seat in range(self.players):
            if seat == self.seat:
                policies[seat].kind, policies[seat].plans, policies[seat].use = Kind.OWN, 0, seat
            elif policies[seat].kind not in (Kind.UNIFORM, Kind.WEIGHTS):
                name = seated[seat].name
                raise BadInput(
                    ORIGIN,
                    "others",
                    f"{name} looks ahead or is a function in Python, which is too slow for many games at once",
                    "choose a policy of weights such as balanced, or an environment of one agent",
                )
        get_ready(self._tables, policies)
        return policies

    @property
    def parts(self) -> tuple[Any, Batch, Sight]:
        """Tables, games, and how observations are written: what compiled functions take."""
        return self._tables, self._batch, self._sight

    def observation_entries(self) -> tuple[Entry, ...]:
        """Return name, lowest and highest value, and meaning of every entry of an observation, in order."""
        return self._entries

    def option_entries(self) -> tuple[Entry, ...]:
        """Return what is said of each option."""
        return self._options

    def options(self, observations: Floats32) -> Floats32:
        """Return the part of observations that is about options, shape (game, action, entry): a view."""
        return observations[:, self.position :].reshape(-1, self.actions, len(self._options))

    def reset(self, seed: int = DEFAULT_SEED) -> tuple[Floats32, Bools]:
        """Begin all games.

        Parameters
        ----------
        seed : int
            Of the run whose games are played.

        Returns
        -------
        observations : float32 array, shape (game, entry)
        masks : bool array, shape (game, action)
            The legal actions.
        """
        self._batch = self._batch._replace(root=int64(seed))
        self._batch.numbers[:] = np.arange(self.n)
        self._batch.rewards[:], self._batch.done[:] = 0, False
        stepping.start(self._tables, self._policies, self._batch, self._sight, self._log)
        return self._batch.observed, self._batch.masks

    def step(self, actions: NDArray[Any]) -> tuple[Floats32, Bools, Floats32, Bools]:
        """Carry out an action in each game; where a game ends the next one begins at once.

        Parameters
        ----------
        actions : int array, shape (game,)

        Returns
        -------
        observations, masks
            As `reset`; where a game ended, of the next one.
        rewards : float32 array, shape (game,)
        done : bool array, shape (game,)
            Where a game ended; `scores` and `won` say how.

        Raises
        ------
        IndexError
            If an action is not legal; nothing has been done then.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.n,):
            raise IndexError(f"actions of shape {chosen.shape}: give one for each of the {self.n} games")
        batch = self._batch
        wrong = int(self._step(self._tables, self._policies, batch, self._sight, self._log, chosen))
        if wrong != ALL_LEGAL:
            raise IndexError(f"action {chosen[wrong]} in game {wrong} is not legal: choose one whose mask is true")
        return batch.observed, batch.masks, batch.rewards, batch.done

    def any_actions(self, key: int) -> Ints:
        """Return a legal action for each game, each as likely as another; the same `key` chooses the same ones."""
        found = np.empty(self.n, np.int64)
        stepping.any_actions(self._batch.masks, int64(key), found)
        return found
