"""What a worker of a cluster does: show that it is the same program, warm up once, play chunks, hand over parts."""

from __future__ import annotations

import functools
import pickle
import threading
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import nfsim
from nfsim.contract.rule_set import load_rule_set
from nfsim.errors import BadInput, PolicyFailed, one_line
from nfsim.log.parts import PartFile
from nfsim.log.records import ChunkRecord
from nfsim.run import worker_pool
from nfsim.run.chunks import Chunk, Job, make_chunk, play_one
from nfsim.run.part_store import PartStore
from nfsim.run.provenance import hash_sources, source_hash, versions

Versions = Mapping[str, str]


class WorkerFailed(Exception):  # noqa: N818 - says what happened
    """A worker that cannot play a chunk, or not this program's; its text is one sentence that names it."""


@dataclass(frozen=True)
class WorkerTask:
    """What all chunks of a call of `run` share; it travels with each of them.

    Attributes
    ----------
    game : str
        Name of the rule set.
    wanted : mapping
        What `versions_here` must say on the worker.
    key : str
        Different for each call of `run`.
    packed : bytes
        The `Job`, pickled and compressed: opened only by a worker that is the same program.
    store : PartStore
        Where parts go.
    """

    game: str
    wanted: Versions
    key: str
    packed: bytes
    store: PartStore


def pack(job: Job) -> bytes:
    """Make a job small enough to travel with every chunk (some 30 kB): no worker then depends on another one."""
    return zlib.compress(pickle.dumps(job))  # everything in it is known by name: the worker is the same program


@functools.cache
def versions_here(game: str) -> Versions:
    """Return everything that must be the same for equal rows in equal files.

    Notes
    -----
    Kept for as long as the process lives, as the modules are that it has imported: a worker that was started before
    the source changed stays the old program.
    """
    rule_set = load_rule_set(game)
    found = versions(rule_set)
    package = Path(nfsim.__file__).parent
    return found | {
        "python": ".".join(found["python"].split(".")[:2]),  # the third number brings repairs only
        "source of the rules": source_hash(rule_set),
        "source of the log": hash_sources(package / "log", package / "run"),
    }


def unlike(wanted: Versions, there: Versions) -> str:
    """Say what differs on a worker; '' if nothing does."""
    found = []
    for key in {**wanted, **there}:
        here, other = wanted.get(key, "none"), there.get(key, "none")
        if here != other:
            short = [text[:8] if len(text) == 64 else text for text in (other, here)]
            found.append(f"{key} {short[0]} instead of {short[1]}")
    return ", ".join(found)


def about_worker(game: str, policies: bytes) -> tuple[Versions, bool, str]:
    """Tell what a worker is before anything is played.

    Parameters
    ----------
    game : str
    policies : bytes
        Details of Python policies are asked for, which imports them; pickled, as another program might not know them.

    Returns
    -------
    versions : mapping
    warm : bool
        Whether it finds the rules compiled.
    problem : str
        Why a policy cannot be used there; '' if all can.
    """
    from nfsim.compiled import jit

    problem = ""
    found = versions_here(game)
    if policies:
        try:
            for policy in pickle.loads(policies):
                if not policy.compiled:
                    policy.details()
        except (BadInput, PolicyFailed) as error:
            problem = str(error)
    return found, jit.is_warm(game), problem


_lock = threading.Lock()
_ready: dict[str, Job] = {}  # the last job, opened and warmed up
_stops: dict[str, threading.Event] = {}  # of the last tasks
_stops_lock = threading.Lock()
MOST_STOPS = 100  # a worker may live for thousands of them


def stop_there(key: str) -> None:
    """Let a worker drop what it plays of a task, and not begin anything more of it."""
    _stop_of(key).set()


def play_there(task: WorkerTask, chunk: Chunk) -> tuple[ChunkRecord, list[tuple[PartFile, bytes]]]:
    """Play a chunk on a worker.

    Returns
    -------
    record : ChunkRecord
    contents : list of (PartFile, bytes)
        What the one who asked has to write; empty if the worker has written it.

    Raises
    ------
    WorkerFailed
        If this worker is another program, as it may have joined later than those that were looked at; or if it cannot
        read or write, has too little memory, or whatever else went wrong here.
    PolicyFailed, ToldToStop
        As on the machine that asks.
    """
    differs = unlike(task.wanted, versions_here(task.game))
    if differs:
        raise WorkerFailed(f"worker {_my_name()} has {differs}")
    try:
        job = _open(task)
        record, contents = make_chunk(job, chunk, _stop_of(task.key))
        if task.store.put(chunk.name, record, contents):
            return record, []
        return record, [(part, bytes(content)) for part, content in contents]
    except (PolicyFailed, worker_pool.ToldToStop):
        raise
    except Exception as error:  # said here: who asked knows neither the worker, nor perhaps the error's class
        raise WorkerFailed(f"worker {_my_name()}{_trouble(error)}") from error


def _trouble(error: Exception) -> str:
    if isinstance(error, BadInput):
        return f": {error}"
    if isinstance(error, OSError):
        return f" cannot read or write ({one_line(error.strerror or str(error))})"
    if isinstance(error, MemoryError):
        return " has too little memory"
    return one_line(f" broke off a chunk ({type(error).__name__}: {error})")


def _stop_of(key: str) -> threading.Event:
    """Return what tells chunks of a task to stop; the oldest tasks are forgotten."""
    with _stops_lock:  # not the other one: whoever compiles holds that for minutes
        while len(_stops) >= MOST_STOPS and key not in _stops:
            del _stops[next(iter(_stops))]
        return _stops.setdefault(key, threading.Event())


def _open(task: WorkerTask) -> Job:
    """Open a job and warm up, once a process; workers on one host wait for the one that compiles."""
    with _lock:
        if task.key not in _ready:
            job: Job = pickle.loads(zlib.decompress(task.packed))
            worker_pool.warm_up(job.rule_set, partial(play_one, job), _silent)
            _ready.clear()
            _ready[task.key] = job
        return _ready[task.key]


def _silent(seconds: int) -> None:
    """Say nothing: who asked has said that workers compile."""


def _my_name() -> Any:
    from distributed import get_worker

    return get_worker().address
