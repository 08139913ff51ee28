"""Chunks of games: how a run is cut, the same whatever the number of threads, and how one is played.

A chunk is the unit of work, of writing and of resuming: its games become one part file per table.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.compiled.status import STATUS_LABELS
from nfsim.contract.rule_set import Engine, Policy, RuleSet
from nfsim.log.parts import PartFile, PartWriter, chunk_name, save_parts
from nfsim.log.records import ChunkRecord, save_record
from nfsim.log.schema import TablePlan, plan_table
from nfsim.run.worker_pool import engine_batches

FEWEST = 10_000  # below this files have too few rows for good compression
MOST = 20_000  # above this a chunk takes needless memory and is a long time to lose
CHUNKS = 8  # enough for progress and for several threads in a small run
FEWEST_SLOW, MOST_SLOW = 100, 1_000  # for slow policies: a chunk takes seconds


@dataclass(frozen=True)
class Chunk:
    """Games ``first`` … ``first + games - 1``."""

    first: int
    games: int

    @property
    def name(self) -> str:
        """Name of its part files."""
        return chunk_name(self.first)


def chunk_size(games: int, slow: bool = False) -> int:
    """Return the number of games per chunk; it depends on nothing else, so that an unfinished run can go on."""
    fewest, most = (FEWEST_SLOW, MOST_SLOW) if slow else (FEWEST, MOST)
    return min(most, max(fewest, -(-games // CHUNKS)))


def plan(games: int, slow: bool = False) -> list[Chunk]:
    """Cut games 0 … `games` - 1 into chunks, smaller ones for slow policies."""
    size = chunk_size(games, slow)
    return [Chunk(first, min(size, games - first)) for first in range(0, games, size)]


@dataclass(frozen=True)
class Job:
    """What all chunks of a run share.

    Attributes
    ----------
    rule_set : RuleSet
    prepared : Any
        The game ready to play.
    policies : tuple of Policy
        One per seat.
    level : str
        Log level.
    root : int
        Seed of the run.
    folder : Path
        Run folder; its table folders are made as needed.
    key : str
        `nfsim.log.records.run_key`. Different for jobs that differ in anything: engines are kept by it, and records
        say it.
    """

    rule_set: RuleSet
    prepared: Any = field(repr=False)
    policies: tuple[Policy, ...]
    level: str
    root: int
    folder: Path
    key: str


@dataclass(frozen=True)
class _Kept:
    key: str
    engine: Engine
    plans: list[TablePlan]


class _PerThread(threading.local):
    """What a thread keeps: it plays chunks of one job at a time, and engines are large and slow to make."""

    kept: _Kept | None = None


_thread = _PerThread()


def play_chunk(job: Job, chunk: Chunk, stop: threading.Event | None = None) -> ChunkRecord:
    """Play a chunk, write its parts into the run folder, and note there that it is complete; see `make_chunk`."""
    record, contents = make_chunk(job, chunk, stop)
    save_parts(job.folder, contents)
    save_record(job.folder, chunk.name, record)
    return record


def make_chunk(
    job: Job, chunk: Chunk, stop: threading.Event | None = None
) -> tuple[ChunkRecord, list[tuple[PartFile, Any]]]:
    """Play a chunk and return what its files hold; nothing is written.

    Parameters
    ----------
    job, chunk : Job, Chunk
        What to play.
    stop : threading.Event, optional
        Set from outside, it ends the chunk with `nfsim.run.worker_pool.ToldToStop` after the games being played at
        that moment.

    Returns
    -------
    record : ChunkRecord
    contents : list of (PartFile, bytes-like)
        As `nfsim.log.parts.save_parts` writes them.
    """
    started = time.thread_time()
    kept = _keep(job)
    kept.engine.reset()
    writer = PartWriter(kept.plans)
    statuses = np.zeros(len(STATUS_LABELS), np.int64)
    wins = 0.0
    for rows in engine_batches(kept.engine, job.root, chunk.first, chunk.games, stop):
        statuses += np.bincount(rows["games"]["status"], minlength=len(STATUS_LABELS))
        wins += _wins(rows["seats"])
        writer.add(rows)
    contents = writer.encode(chunk.name)
    record = ChunkRecord(
        first=chunk.first,
        games=chunk.games,
        parts=[part for part, _ in contents],
        statuses={STATUS_LABELS[code]: int(n) for code, n in enumerate(statuses) if n},
        asked=kept.engine.asked.tolist(),
        options_seen=kept.engine.options_seen.tolist(),
        cpu_seconds=time.thread_time() - started,
        wins=wins,
        run=job.key,
    )
    return record, contents


def _wins(seats: Any) -> float:
    """Count the games that seat 0 won, those it shared as a share: what `nfsim.run.until` counts, of the rows."""
    if len(seats) == 0:
        return 0.0
    game = seats["game"] - seats["game"].min()
    winners = np.bincount(game, weights=seats["won"])
    own = game[(seats["won"] == 1) & (seats["seat"] == 0)]
    return float((1.0 / winners[own]).sum())


def play_one(job: Job) -> None:
    """Play a game and throw it away: whatever it needs is compiled and loaded then."""
    _keep(job).engine.play(job.root, 0, 1)


def _keep(job: Job) -> _Kept:
    """Return the engine of this thread, a new one if its last chunk was of another job."""
    if _thread.kept is None or _thread.kept.key != job.key:
        lists = {"policy": list(dict.fromkeys(policy.name for policy in job.policies))}

        def labels(name: str) -> list[str]:
            return lists.get(name) or list(job.rule_set.labels(job.prepared, name))

        plans = [plan_table(table, labels) for table in job.rule_set.tables_at(job.level)]
        _thread.kept = _Kept(job.key, job.rule_set.engine(job.prepared, job.policies, job.level), plans)
    return _thread.kept
