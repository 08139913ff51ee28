"""Simulating games: the compiled kernel with its buffers, and the one that stops for functions of the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nfsim.compiled.jit import entry, int64
from nfsim.contract.rule_set import RuleSet
from nfsim.engine import kernel
from nfsim.engine.playing import DECISION_EVENT, NO_CHOICE, begin, get_ready
from nfsim.engine.position import Turn
from nfsim.engine.records import quick
from nfsim.engine.rules import Rules
from nfsim.engine.search import load_thinking
from nfsim.engine.workspace import GAME, check_rows, new_log, new_workspace, quick_workspace

BATCH = 512  # games between two hand-overs of rows: small enough that their buffers stay in the cache


class CompiledEngine:
    """The compiled kernel with its buffers; see `nfsim.contract.rule_set.Engine`.

    Parameters
    ----------
    rules : Rules
    rule_set : RuleSet
        Says which tables a level writes.
    prepared : Prepared
        The game.
    policies : sequence of Policy or str
        One per player.
    level : str
        Log level.
    """

    def __init__(self, rules: Rules, rule_set: RuleSet, prepared: Any, policies: Sequence[Any], level: str) -> None:
        self._rules, self._prepared = rules, prepared
        self._tables = prepared.tables[0]
        self._policies = rules.load_policies(policies, prepared)
        self._room = new_workspace(rules)
        load_thinking(self._tables, self._room, self._policies)
        written = [table.name for table in rule_set.tables_at(level)]
        self._log = new_log(rules, self._tables, rule_set.levels.index(level), written, BATCH)
        self.asked, self.options_seen = self._log.asked, self._log.options_seen

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and replace the rows held by theirs; return how many were played."""
        self._log.used[:] = 0
        numbers = int64(root), int64(first), int64(min(count, BATCH))
        played = int(kernel.play_games(self._tables, self._policies, *numbers, self._room, self._log))
        check_rows(self._rules, self._log)
        return played

    def rows(self) -> Mapping[str, Any]:
        """Return the rows of the last call by table."""
        return {
            name: rows[:used]
            for name, rows, used in zip(self._rules.row_types, self._log.rows, self._log.used, strict=True)
        }

    def replace(self, seat: int, policy: Any) -> None:
        """Let another policy decide for a seat from the next game on; neither it nor the old one may look ahead."""
        self._rules.fill_policy(self._policies[seat], policy, self._prepared)

    def reset(self) -> None:
        """Set the counts of decisions to zero."""
        self.asked[:] = 0
        self.options_seen[:] = 0


class AskingEngine(CompiledEngine):
    """As the compiled engine, and it asks functions of the user's for their seats; the other seats stay compiled.

    Parameters
    ----------
    rules, rule_set, prepared, level
        As above.
    policies : sequence of Policy or str
        One per player; those that are not compiled are asked.
    turn : type of Turn
        What they see of a game.
    """

    def __init__(
        self,
        rules: Rules,
        rule_set: RuleSet,
        prepared: Any,
        policies: Sequence[Any],
        level: str,
        turn: type[Turn],
    ) -> None:
        super().__init__(rules, rule_set, prepared, policies, level)
        self._asked = {seat: each for seat, each in enumerate(policies) if not getattr(each, "compiled", True)}
        self._turn = turn(rules, prepared, self._room)
        self._quick = quick(prepared.tables)[0], quick(self._policies)
        self._quick_room = quick_workspace(self._room)
        self._quick_log = self._log._replace(rows=self._log.rows._make(map(quick, self._log.rows)))
        load_thinking(self._quick[0], self._quick_room, self._quick[1])

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and replace the rows held by theirs; return how many were played.

        Raises
        ------
        PolicyFailed
            If a function fails; the rows held are good for nothing then.
        """
        self._log.used[:] = 0
        tables, policies = self._quick
        room, log = self._quick_room, self._quick_log
        state = room.states[GAME]
        get_ready(tables, policies)
        go_on = entry(kernel.go_on, tables, policies, int64(first), room, log, int64(NO_CHOICE))
        todo = min(count, BATCH)
        for number in range(todo):
            if (log.used > log.room).any():
                return number
            game, choice = int64(first + number), int64(NO_CHOICE)
            begin(tables, state, room.memory[GAME], int64(root), game)
            while go_on(tables, policies, game, room, log, choice) == DECISION_EVENT:
                turn = self._turn.at(int(game))
                choice = int64(self._asked[turn.seat].ask(turn))
            kernel.write_end(tables, policies, game, state, log)
            check_rows(self._rules, log)
        return todo
