"""Playing games in memory: their rows as arrays, without a run folder.

For whoever plays games in small batches and looks at a few numbers of each: comparing policies, tuning one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.rule_set import Engine, RuleSet
from nfsim.errors import BadInput, nearest
from nfsim.run.progress import Watch
from nfsim.run.worker_pool import all_compiled, engine_batches, in_processes, in_threads, warm_up, workers_for

LARGEST, SMALLEST = 500, 10  # games of one piece of work
PIECES = 40  # as many as make threads end together, also where few games take long

Rows = dict[str, NDArray[Any]]


def sample(
    rule_set: RuleSet,
    prepared: Any,
    policies: Sequence[Any],
    *,
    root: int,
    games: int | range,
    tables: Sequence[str] = ("seats",),
    jobs: int | None = None,
    watch: Watch | None = None,
) -> Rows:
    """Play games and return their rows.

    Parameters
    ----------
    rule_set : RuleSet
        Whose rules.
    prepared : Any
        The game ready to play, see `nfsim.contract.rule_set.Prepared`.
    policies : sequence
        One entry per seat, as the rule set's ``engine`` takes them.
    root : int
        Seed.
    games : int or range
        How many games, from number 0 on, or their numbers: the same games that a run with this seed plays under these
        numbers.
    tables : sequence of str
        Tables wanted. Games are logged at the lowest level that writes all of them.
    jobs : int, optional
        Threads, or processes if a policy is written in Python; by default as many as there are cores. The rows do
        not depend on it.
    watch : Watch, optional
        Hears, in this thread, of every few games that they are complete, and that the rules are being compiled.

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
    numbers = games if isinstance(games, range) else range(games)
    if numbers.start < 0 or numbers.stop < numbers.start or numbers.step != 1 or (jobs is not None and jobs < 1):
        raise ValueError(f"games {games} must be from 0 on, one after the other, jobs {jobs} not below 1")
    dtypes = {table.name: table.dtype for table in rule_set.tables}
    level = _level(rule_set, tables)
    if not numbers:
        return {name: np.zeros(0, dtypes[name]) for name in tables}
    watch = watch or Watch()
    size = chunk_size(len(numbers))
    work = _Work(rule_set, prepared, tuple(policies), level, root, numbers, size, tuple(tables))
    warm_up(rule_set, work.play_one, watch.compiling)
    starts = numbers[::size]
    side_by_side = in_threads if all_compiled(policies) else in_processes
    found: dict[int, Rows] = {}
    with contextlib.closing(side_by_side(work, starts, workers_for(jobs, starts))) as played:
        for start, rows in played:
            found[start] = rows
            watch.advanced(min(size, numbers.stop - start))
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
            for rows in engine_batches(self._engine(), self.root, start, count, stop)
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
    return max((levels[name] for name in tables), key=rule_set.levels.index, default=rule_set.levels[0])


def _copy(rows: Mapping[str, Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Copy the rows of one table out of the engine's buffer, as a plain array."""
    copied: NDArray[Any] = np.array(rows[name], copy=True).view(dtype, np.ndarray)
    return copied


def _joined(parts: Sequence[Rows], tables: Sequence[str]) -> Rows:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in tables}
