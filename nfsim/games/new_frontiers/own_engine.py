"""Simulating games in which a user's own function decides for some seats: the other seats stay compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nfsim.compiled.jit import int64
from nfsim.games.new_frontiers import kernel, setup
from nfsim.games.new_frontiers.layout import quick
from nfsim.games.new_frontiers.playing import DECISION_EVENT, NO_CHOICE
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.ruleset import BATCH, CompiledEngine
from nfsim.games.new_frontiers.turn import Turn
from nfsim.policies.user_policy import UserPolicy


class OwnEngine(CompiledEngine):
    """As the compiled engine, and it asks the functions; see `nfsim.contract.rule_set.Engine`.

    Parameters
    ----------
    prepared : Prepared
        The game.
    policies : sequence of str, Preset or UserPolicy
        One per player.
    level : str
        Log level.
    """

    def __init__(self, prepared: Any, policies: Sequence[Any], level: str) -> None:
        super().__init__(prepared, policies, level)
        self._own = {seat: policy for seat, policy in enumerate(policies) if isinstance(policy, UserPolicy)}
        self._turn = Turn(prepared, self._states, self._options)
        self._quick_tables, self._quick_states = quick(prepared.tables)[0], quick(self._states)
        self._quick_policies, self._quick_options = quick(self._policies), quick(self._options)
        self._quick_rows = [quick(rows) for rows in self._rows.values()]

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and replace the rows held by theirs; return how many were played.

        Raises
        ------
        PolicyFailed
            If a function fails; the rows held are good for nothing then.
        """
        self._used[:] = 0
        get_ready(self._quick_tables, self._quick_policies)
        todo = min(count, BATCH)
        for number in range(todo):
            if not kernel.fits(self._quick_tables, self._level, self._used, *self._quick_rows):
                return number
            self._play_one(int64(root), int64(first + number))
        return todo

    def _play_one(self, root: int, game: int) -> None:
        tables, policies, states, options = (
            self._quick_tables, self._quick_policies, self._quick_states, self._quick_options,
        )  # fmt: skip
        games, seats, rounds, selections, goals, conditions, tiles = self._quick_rows
        setup.begin(tables, states[0], self._memory[0], root, game)
        choice = int64(NO_CHOICE)
        while (
            kernel.go_on(
                tables,
                policies,
                self._level,
                game,
                states,
                self._memory,
                options,
                rounds,
                selections,
                self._used,
                choice,
            )
            == DECISION_EVENT
        ):
            turn = self._turn.at(int(game))
            choice = int64(self._own[turn.seat].ask(turn))
        kernel.write_end(
            tables, policies, self._level, game, states[0], games, seats, goals, conditions, tiles, self._used,
            self.asked, self.options_seen,
        )  # fmt: skip
