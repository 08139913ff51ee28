"""Simulating games in which a user's own function decides for some seats: the other seats stay compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nfsim.core.jit import int64
from nfsim.games.new_frontiers import kernel, setup
from nfsim.games.new_frontiers.playing import DECISION_EVENT, NO_CHOICE
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.policies.own import OwnPolicy
from nfsim.games.new_frontiers.ruleset import BATCH, CompiledEngine
from nfsim.games.new_frontiers.turn import Turn


class OwnEngine(CompiledEngine):
    """As the compiled engine, and it asks the functions; see `nfsim.ruleset.Engine`.

    Parameters
    ----------
    prepared : Prepared
        The game.
    policies : sequence of str, Preset or OwnPolicy
        One per player.
    level : str
        Log level.
    """

    def __init__(self, prepared: Any, policies: Sequence[Any], level: str) -> None:
        super().__init__(prepared, policies, level)
        self._own = {seat: policy for seat, policy in enumerate(policies) if isinstance(policy, OwnPolicy)}
        self._turn = Turn(prepared, self._states, self._options)

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and replace the rows held by theirs; return how many were played.

        Raises
        ------
        PolicyFailed
            If a function fails; the rows held are good for nothing then.
        """
        self._used[:] = 0
        get_ready(self._tables, self._policies)
        todo = min(count, BATCH)
        for number in range(todo):
            if not kernel.fits(self._tables, self._level, self._used, *self._rows.values()):
                return number
            self._play_one(int64(root), int64(first + number))
        return todo

    def _play_one(self, root: int, game: int) -> None:
        rows = self._rows
        setup.begin(self._tables, self._states[0], self._memory[0], root, game)
        choice = int64(NO_CHOICE)
        while self._go_on(game, choice) == DECISION_EVENT:
            turn = self._turn.at(int(game))
            choice = int64(self._own[turn.seat].ask(turn))
        kernel.write_end(
            self._tables, self._policies, self._level, game, self._states[0], rows["games"], rows["seats"],
            rows["goals"], rows["conditions"], rows["tiles"], self._used, self.asked, self.options_seen,
        )  # fmt: skip

    def _go_on(self, game: int, choice: int) -> int:
        return kernel.go_on(
            self._tables, self._policies, self._level, game, self._states, self._memory, self._options,
            self._rows["rounds"], self._rows["selections"], self._used, choice,
        )  # fmt: skip
