"""What everything that plays games shares: loading the compiled rules once, games batch by batch, threads.

Threads are enough for compiled policies: rules and the writing of Parquet let go of Python's lock. They start at
once, where worker processes each have to import and load everything again; those are for policies in Python.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy.rec  # noqa: F401 - records travel to worker processes by the name of their class, which needs its module

from nfsim.contract.rule_set import Engine, RuleSet
from nfsim.errors import PolicyFailed
from nfsim.run import provenance

COMPILE_SECONDS = 30  # what a first start takes on an ordinary machine, to say so beforehand
STEP_SECONDS = 10  # what games decision by decision take beyond that

PATIENCE = 0.2  # seconds that an engine plays before it looks whether it shall stop

WATCHER = "nfsim-watches-parent"

Item = TypeVar("Item")
Done = TypeVar("Done")

MOST_LOSSES = 3  # in a row: what ends workers will go on doing so


class WorkersLost(Exception):  # noqa: N818 - says what happened
    """Worker processes that are ended from outside again and again; its text is one sentence, the command exits with 1.

    Often the system ends them because there is too little memory.
    """

    exit_code = 1

    def __init__(self) -> None:
        super().__init__(
            f"a worker process was ended from outside, or crashed, {MOST_LOSSES} times in a row; "
            "if memory is short, fewer --jobs need less"
        )


class SourceChanged(PolicyFailed):
    """Worker processes that would play by another source than this one, whose files have changed since it began."""


class ToldToStop(Exception):  # noqa: N818 - says what happened
    """A worker that was told to stop; its unfinished work is dropped."""


def warm_up(
    rule_set: RuleSet,
    play_one: Callable[[], None],
    compiling: Callable[[int], None],
) -> None:
    """Compile or load the rules once, before any worker starts.

    Parameters
    ----------
    rule_set : RuleSet
        Of what is going to be played.
    play_one : callable
        Plays a game in the way that workers will.
    compiling : callable
        Hears beforehand that it takes so many seconds, if it does.
    """
    from nfsim.compiled import jit  # imports numba: not needed where a finished run is only reported

    provenance.program()  # as it is now, before anything takes long: workers are compared with it
    if not jit.is_warm(rule_set.name):
        compiling(COMPILE_SECONDS)
    with jit.warming(rule_set.name):
        play_one()


def warm_up_steps(
    rule_set: RuleSet,
    prepared: Any,
    policies: Sequence[Any],
    root: int,
    compiling: Callable[[int], None],
) -> None:
    """Compile what a game decision by decision needs, if no start has done so yet: replays and games with a person.

    Parameters
    ----------
    rule_set, prepared, policies, root : RuleSet, Any, sequence, int
        What is going to be played.
    compiling : callable
        Hears beforehand that it takes so many seconds, if it does.
    """
    from nfsim.compiled import jit

    part = f"{rule_set.name}:steps"
    if not jit.is_warm(part):
        compiling(STEP_SECONDS if jit.is_warm(rule_set.name) else COMPILE_SECONDS)
    with jit.warming(part, rule_set.name) as cold:
        if cold:
            known = [policy if getattr(policy, "compiled", True) else rule_set.policies()[0] for policy in policies]
            for _ in rule_set.game(prepared, known, root, 0).transcript():
                pass


def all_compiled(policies: Sequence[Any]) -> bool:
    """Tell whether no policy is written in Python; names are those of built-in ones."""
    return all(getattr(policy, "compiled", True) for policy in policies)


def engine_batches(
    engine: Engine, root: int, first: int, games: int, stop: threading.Event | None = None
) -> Iterator[Mapping[str, Any]]:
    """Play games ``first`` … ``first + games - 1`` and yield the rows of each batch, overwritten by the next one.

    Parameters
    ----------
    engine : Engine
        Of this thread.
    root, first, games : int
        Seed, number of the first game, number of games.
    stop : threading.Event, optional
        Set from outside, it ends the games with `ToldToStop` after the batch being played at that moment.

    Notes
    -----
    Batches get as large as fits into `PATIENCE`: a policy may need microseconds for a game, or a second, and nobody
    can stop an engine that is playing. That changes no game.
    """
    done, size = 0, 1
    while done < games:
        if stop is not None and stop.is_set():
            raise ToldToStop
        started = time.perf_counter()
        played = engine.play(root, first + done, min(size, games - done))
        seconds = time.perf_counter() - started
        if played < 1:
            raise RuntimeError(f"game {first + done} does not fit in empty row buffers")
        done += played
        size = max(1, int(played * PATIENCE / max(seconds, 1e-6)))
        yield engine.rows()


def workers_for(jobs: int | None, items: Sequence[Any]) -> int:
    """Choose the number of workers, by default one a core and never more than items; it changes no result."""
    if jobs is None and len(items) > 1:
        import joblib

        jobs = int(joblib.cpu_count())
    return max(1, min(jobs or 1, len(items)))


def in_threads(
    work: Callable[[Item, threading.Event], Done], items: Sequence[Item], workers: int
) -> Generator[Done, None, None]:
    """Yield ``work(item, stop)`` of each item as soon as it is there, in any order.

    Parameters
    ----------
    work : callable
        Looks at the event now and then and raises `ToldToStop` when it is set.
    items : sequence
        Taken as they are needed.
    workers : int
        Threads; one: this thread.

    Notes
    -----
    Close the generator (``contextlib.closing``) when an error or Ctrl-C ends the loop over it: that sets the
    event, and no thread goes on with what nobody waits for.
    """
    stop = threading.Event()
    if workers <= 1:
        yield from (work(item, stop) for item in items)
        return
    import joblib

    let_tasks_be_cancelled()
    parallel = joblib.Parallel(n_jobs=workers, backend="threading", return_as="generator_unordered")
    done = parallel(joblib.delayed(work)(item, stop) for item in items)
    try:
        yield from done
    finally:
        stop.set()
        done.close()


def let_tasks_be_cancelled() -> None:
    """Keep joblib from warning, from a thread of its own, of what Ctrl-C asks for."""
    warnings.filterwarnings("ignore", r"\d+ tasks (have been|which were)", UserWarning)


def in_processes(
    work: Callable[[Item, threading.Event | None], Done], items: Sequence[Item], workers: int
) -> Generator[Done, None, None]:
    """Do as `in_threads` with processes, for work that holds Python's lock.

    Raises
    ------
    WorkersLost
        If workers are ended from outside `MOST_LOSSES` times in a row without any item done in between. Before that
        the items that were lost are given to new ones.
    SourceChanged
        If a worker has imported another source than this process.

    Notes
    -----
    `work`, items and results travel between processes, and there is no event: a worker is ended by force. It ends
    by itself when this process is gone, however that came about.
    """
    if workers <= 1:
        yield from (work(item, None) for item in items)
        return
    from concurrent.futures.process import BrokenProcessPool

    import joblib

    left, losses = dict(enumerate(items)), 0
    asks = os.getpid(), provenance.program()
    while left:
        parallel = joblib.Parallel(n_jobs=workers, backend="loky", batch_size=1, return_as="generator_unordered")
        calls = (joblib.delayed(_work_for)(asks, work, place, item) for place, item in tuple(left.items()))
        done = parallel(calls)
        try:
            for place, result in done:
                del left[place]
                losses = 0
                yield result
        except BrokenProcessPool:
            losses += 1
            if losses == MOST_LOSSES:
                raise WorkersLost from None
        finally:
            done.close()


def _work_for(
    asks: tuple[int, str], work: Callable[[Item, threading.Event | None], Done], place: int, item: Item
) -> tuple[int, Done]:
    """Do a piece of work in a worker process, which leaves Ctrl-C to its parent and does not outlive it.

    Parameters
    ----------
    asks : tuple of int and str
        The parent: number of its process, and its `nfsim.run.provenance.program`.
    work, place, item : callable, int, Any
    """
    parent, program = asks
    if provenance.program() != program:
        raise SourceChanged("the source of nfsim has changed since this command began; a new worker would play by it")
    if all(thread.name != WATCHER for thread in threading.enumerate()):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_end_with, args=(parent,), name=WATCHER, daemon=True).start()
    return place, work(item, None)


def _end_with(parent: int) -> None:
    import psutil

    while psutil.pid_exists(parent) and os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
