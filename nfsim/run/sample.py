"""Playing games in memory: their rows as arrays, without a run folder.

For whoever plays many small lots of games and looks at a few numbers of each: comparing policies, tuning one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.core.columns import LEVELS
from nfsim.errors import BadInput, nearest
from nfsim.ruleset import Engine, RuleSet
from nfsim.run.playing import all_compiled, batches, in_processes, in_threads, warm_up, workers_for

LARGEST, SMALLEST = 500, 10  # games of one piece of work
PIECES = 40  # as many as make threads end together, also where few games take long

Rows = dict[str, NDArray[Any]]


def sample(
    rule_set: RuleSet,
    prepared: Any,
    policies: Sequence[Any],
    *,
    root: int,
    first: int = 0,
    games: int,
    tables: Sequence[str] = ("seats",),
    jobs: int | None = None,
    on_games: Callable[[int], None] | None = None,
    compiling: Callable[[int], None] | None = None,
) -> Rows:
    """Play games and return their rows.

    Parameters
    ----------
    rule_set : RuleSet
        Whose rules.
    prepared : Any
        The game ready to play, see `nfsim.ruleset.Prepared`.
    policies : sequence
        One entry per seat, as the rule set's ``engine`` takes them.
    root : int
        Seed.
    first, games : int
        Games ``first`` … ``first + games - 1``: the same ones that a run with this seed plays under these numbers.
    tables : sequence of str
        Tables wanted. Games are logged at the lowest level that writes all of them.
    jobs : int, optional
        Threads, or processes if a policy is written in Python; by default as many as there are cores. The rows do
        not depend on it.
    on_games : callable, optional
        Hears, in this thread, of every few games that they are complete.
    compiling : callable, optional
        Hears that the rules are being compiled, and how many seconds that takes.

    Returns
    -------
    dict of str to ndarray, shape (rows,)
        Structured arrays by table, in the order of `tables`: rows in the order of the games, every column int64,
        codes instead of labels. Games that were not finished by the rules are among them: ask for the table
        ``games`` to see their status.

    Raises
    ------
    BadInput
        If there is no such table.
    ValueError
        If numbers are impossible.
    """
    if first < 0 or games < 0 or (jobs is not None and jobs < 1):
        raise ValueError(f"first {first} and games {games} must not be below 0, jobs {jobs} not below 1")
    dtypes = {table.name: table.dtype for table in rule_set.tables}
    level = _level(rule_set, tables)
    if games == 0:
        return {name: np.zeros(0, dtypes[name]) for name in tables}
    size = chunk_size(games)
    work = _Work(rule_set, prepared, tuple(policies), level, root, range(first, first + games), size, tuple(tables))
    warm_up(rule_set, work.play_one, compiling or (lambda _: None))
    starts = work.games[::size]
    side_by_side = in_threads if all_compiled(policies) else in_processes
    found: dict[int, Rows] = {}
    with contextlib.closing(side_by_side(work, starts, workers_for(jobs, starts))) as played:
        for start, rows in played:
            found[start] = rows
            if on_games is not None:
                on_games(min(size, first + games - start))
    return _joined([found[start] for start in starts], tables)


@dataclass
class _Work:
    """Plays the games from one number on; it travels to other processes, its engines do not."""

    rule_set: RuleSet
    prepared: Any
    policies: tuple[Any, ...]
    level: str
    root: int
    games: range
    size: int
    tables: tuple[str, ...]

    def __post_init__(self) -> None:
        self._mine = threading.local()  # engines are large and slow to make: one a thread

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_mine"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.__post_init__()

    def _engine(self) -> Engine:
        if not hasattr(self._mine, "engine"):
            self._mine.engine = self.rule_set.engine(self.prepared, self.policies, self.level)
        kept: Engine = self._mine.engine
        return kept

    def play_one(self) -> None:
        self._engine().play(self.root, self.games.start, 1)

    def __call__(self, start: int, stop: threading.Event | None) -> tuple[int, Rows]:
        dtypes = {table.name: table.dtype for table in self.rule_set.tables}
        count = min(self.size, self.games.stop - start)
        parts: list[Rows] = [
            {name: _copy(rows, name, dtypes[name]) for name in self.tables}
            for rows in batches(self._engine(), self.root, start, count, stop)
        ]
        return start, _joined(parts, self.tables)


def chunk_size(games: int) -> int:
    """Return the games of one piece of work; it depends on the number of games and nothing else."""
    return min(LARGEST, max(SMALLEST, games // PIECES))


def _level(rule_set: RuleSet, tables: Sequence[str]) -> str:
    """Return the lowest log level that writes all of some tables."""
    levels = {table.name: table.level for table in rule_set.tables}
    for name in tables:
        if name not in levels:
            raise BadInput("", "tables", f'unknown table "{name}"', nearest(name, levels))
    return max((levels[name] for name in tables), key=LEVELS.index, default=LEVELS[0])


def _copy(rows: Mapping[str, Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Copy the rows of one table out of the engine's buffer, as a plain array."""
    copied: NDArray[Any] = np.array(rows[name], copy=True).view(dtype, np.ndarray)
    return copied


def _joined(parts: Sequence[Rows], tables: Sequence[str]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in tables}
