"""Playing on the workers of a Dask cluster, through joblib: which workers, what they are asked, how it ends."""

from __future__ import annotations

import contextlib
import logging
import pickle
import secrets
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from nfsim.errors import BadInput, nearest, one_line
from nfsim.log.folder import RunFolder
from nfsim.log.parts import save_parts
from nfsim.log.records import ChunkRecord, save_record
from nfsim.run.chunks import Chunk, Job
from nfsim.run.part_store import INSTALL, AddressFolder, store_of
from nfsim.run.worker_pool import COMPILE_SECONDS, let_tasks_be_cancelled
from nfsim.run.worker_task import (
    WorkerFailed,
    WorkerTask,
    about_worker,
    pack,
    play_there,
    stop_there,
    unlike,
    versions_here,
)


class Dropped(Exception):  # noqa: N818 - says what happened
    """A chunk that Dask gave up; errors of a worker's own come as they are."""


@dataclass(frozen=True)
class _GivenUp:
    """What Dask says of a chunk that it gave up: set apart from what a worker raised, which comes as a result."""

    error: BaseException


def _why(error: BaseException) -> str:
    if type(error).__name__ == "KilledWorker":
        return "the cluster gave a chunk up, as every worker that played it ended; perhaps they have too little memory"
    return one_line(f"the cluster did not play a chunk ({type(error).__name__}: {error})")


def backend_of(client: Any) -> Any:
    """Make joblib's backend for Dask.

    Notes
    -----
    Joblib waits for ever for what Dask itself gives up: a chunk whose workers died again and again, or that is
    cancelled as the scheduler is gone. Here that is an error of the chunk. And joblib plays everything in this process
    where there is one thread only, which need not be a thread of this machine.
    """
    from joblib._dask import DaskDistributedBackend

    class Backend(DaskDistributedBackend):  # type: ignore[misc] # no types published
        def effective_n_jobs(self, n_jobs: int) -> int:
            return max(2, int(super().effective_n_jobs(n_jobs)))

        def submit(self, func: Any, callback: Any = None) -> Any:
            future = super().submit(func, callback)
            future.add_done_callback(lambda done: callback(_GivenUp(done.exception())) if done.exception() else None)
            return future

        def retrieve_result_callback(self, out: Any) -> Any:
            if isinstance(out, CancelledError):  # comes as a result, but is Dask's
                out = _GivenUp(out)
            if isinstance(out, _GivenUp):
                raise Dropped(_why(out.error))
            return super().retrieve_result_callback(out)

    return Backend(client=client)


@contextlib.contextmanager
def in_silence() -> Iterator[None]:
    """Keep the log of Dask and what it is built on from the terminal: what matters is said in a sentence."""
    # also those below: Dask's configuration gives some a level of their own, distributed.client for one
    names = [name for name in logging.root.manager.loggerDict if name.startswith("distributed.")]
    logs = [logging.getLogger(name) for name in ("distributed", *names, "tornado.application", "asyncio")]
    before = [log.level for log in logs]
    for log in logs:
        log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for log, level in zip(logs, before, strict=True):
            log.setLevel(level)


BACKENDS = ("local", "dask")
REACH_SECONDS = 10  # for a scheduler to answer
WORKERS_SECONDS = 60  # for the first worker to come
STOP_SECONDS = 3  # for workers to hear that nobody waits for them
AHEAD = 1_000  # chunks that the scheduler knows beforehand: work for workers that come later


class ClusterFailed(Exception):  # noqa: N818 - says what happened
    """A cluster that broke off a run; its text is one sentence, and the command exits with 1."""

    exit_code = 1


class Cluster:
    """The workers that a scheduler knows; use it in a ``with`` block.

    Parameters
    ----------
    scheduler : str
        Address such as ``tcp://10.0.0.1:8786``, or the scheduler's JSON file.

    Raises
    ------
    BadInput
        When entered, if the extra is not installed, or the scheduler or its workers cannot be used.
    """

    def __init__(self, scheduler: str) -> None:
        self.scheduler = scheduler
        self._client: Any = None
        self._task: WorkerTask | None = None
        self._folder: Path | None = None
        self._looked_at: set[tuple[str, str, bytes]] = set()  # worker, game, policies
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Cluster:
        """Connect to the scheduler and wait for a first worker."""
        try:
            from distributed import Client
        except ImportError:
            raise BadInput("--backend", "", "dask needs the package distributed", INSTALL) from None
        by_file = self.scheduler.endswith(".json")
        if by_file and not Path(self.scheduler).is_file():
            raise BadInput("--scheduler", "", f"there is no file {self.scheduler}", "start the scheduler first")
        address = {"scheduler_file": self.scheduler} if by_file else {"address": self.scheduler}
        with contextlib.ExitStack() as opening:
            opening.enter_context(in_silence())
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of versions that differ: what matters of that is said later
                    connect: Any = Client  # has no types
                    self._client = connect(**address, timeout=REACH_SECONDS, set_as_default=False, name="nfsim")
            except (OSError, ValueError, TypeError, KeyError) as error:  # also TimeoutError, and no JSON in the file
                raise BadInput(
                    "--scheduler", "", f"{self.scheduler} does not answer ({type(error).__name__})",
                    "is dask scheduler running there, and may this machine connect?",
                ) from None  # fmt: skip
            opening.callback(self._close)
            try:
                self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
            except TimeoutError:
                raise BadInput(
                    "--scheduler", "", f"{self.scheduler} has no workers ({WORKERS_SECONDS} s waited)",
                    f"start some: dask worker {self.scheduler}",
                ) from None  # fmt: skip
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the cluster; it drops what is still asked for."""
        self._end_task()
        self._open.close()

    @property
    def threads(self) -> int:
        """Threads of all workers, as far as the scheduler is known to have them."""
        return sum(self._client.ncores().values()) if self._client.status == "running" else 0

    def begin(self, job: Job, run: RunFolder | AddressFolder, compiling: Callable[[int], None]) -> None:
        """Look at all workers and get ready to play; a cluster plays one run after another.

        Workers that were looked at for an earlier run are not asked again. One that joins afterwards, or is another
        program under the same address, is refused with its first chunk.

        Parameters
        ----------
        job : Job
            What is going to be played.
        run : RunFolder or AddressFolder
            Started; where the rows go.
        compiling : callable
            Hears that workers compile first, and how long that takes.

        Raises
        ------
        BadInput
            Naming a worker that is another program, and what differs.
        """
        self._end_task()
        game = job.rule_set.name
        wanted = versions_here(game)
        self._check_workers(game, wanted, job, compiling)
        self._task = WorkerTask(game, wanted, secrets.token_hex(16), pack(job), store_of(run))
        self._folder = run.path if isinstance(run, RunFolder) else None

    def play(self, chunks: Sequence[Chunk]) -> Generator[ChunkRecord, None, None]:
        """Yield the records of chunks as they are complete, in any order; close it to stop the workers."""
        if not chunks:
            return
        import joblib

        task = self._task
        assert task is not None  # begin() comes first
        threads = self.threads
        let_tasks_be_cancelled()
        parallel = joblib.Parallel(
            n_jobs=-1,
            backend=backend_of(self._client),
            batch_size=1,
            pre_dispatch=max(AHEAD, 4 * threads),
            return_as="generator_unordered",
        )
        done = parallel(joblib.delayed(play_there)(task, chunk) for chunk in chunks)
        left = len(chunks)
        try:
            for record, contents in done:
                if contents:
                    assert self._folder is not None  # an address is written by workers
                    save_parts(self._folder, contents)
                    save_record(self._folder, Chunk(record.first, record.games).name, record)
                left -= 1
                yield record
        except WorkerFailed as error:
            raise ClusterFailed(str(error)) from None
        except Dropped as error:
            lost = self._client.status != "running"
            raise ClusterFailed(f"the scheduler {self.scheduler} is gone" if lost else str(error)) from None
        finally:
            if left:
                self._stop(task.key)
            done.close()

    def _check_workers(self, game: str, wanted: Mapping[str, str], job: Job, compiling: Callable[[int], None]) -> None:
        policies = [policy for policy in job.policies if not policy.compiled]
        own = pickle.dumps(policies) if policies else b""
        new = [address for address in self._client.ncores() if (address, game, own) not in self._looked_at]
        told = self._client.run(about_worker, game, own, workers=new, on_error="return") if new else {}
        cold = False
        for address, found in told.items():
            if isinstance(found, BaseException):
                if address not in self._client.ncores():  # it ended meanwhile
                    continue
                said = one_line(f"{type(found).__name__}: {found}")
                raise _wrong(address, f"cannot run this nfsim ({said})")
            differs = unlike(wanted, found[0])
            if differs:
                raise _wrong(address, f"has {differs}")
            if found[2]:
                raise BadInput("--policy", "", f"worker {address}: {found[2]}", "put its module on the workers' path")
            cold = cold or not found[1]
        self._looked_at |= {(address, game, own) for address in told}
        if cold:
            compiling(COMPILE_SECONDS)

    def _end_task(self) -> None:
        if self._task is not None:
            self._task.store.close()
            self._task = None

    def _stop(self, key: str) -> None:
        """Tell workers that nobody waits; in a thread, as nobody waits for a worker that is gone either."""

        def tell() -> None:
            with contextlib.suppress(Exception):
                self._client.run(stop_there, key, on_error="ignore")

        if self._client.status == "running":
            teller = threading.Thread(target=tell, daemon=True)
            teller.start()
            teller.join(STOP_SECONDS)

    def _close(self) -> None:
        with contextlib.suppress(Exception):
            try:
                self._client.close(timeout=STOP_SECONDS)
            except KeyboardInterrupt:  # left to the end of the process, Dask would have its say there
                self._client.close(timeout=STOP_SECONDS)
                raise


def named_cluster(backend: str, scheduler: str | None, jobs: int | None) -> Cluster | None:
    """Return the cluster that ``--backend`` and ``--scheduler`` name, not yet entered; None for this machine.

    Raises
    ------
    BadInput
        If these options do not go together, or with ``--jobs``.
    """
    if backend not in BACKENDS:
        raise BadInput("--backend", "", f'unknown backend "{backend}"', nearest(backend, BACKENDS))
    if backend == "local":
        if scheduler is not None:
            raise BadInput("--scheduler", "", "is for a cluster", "add --backend dask")
        return None
    if not scheduler:
        raise BadInput("--backend", "", "dask needs the address of a scheduler", "--scheduler tcp://HOST:8786")
    if jobs is not None:
        raise BadInput("--jobs", "", "is for this machine", "with --backend dask all workers play")
    return Cluster(scheduler)


def _wrong(address: str, what: str) -> BadInput:
    return BadInput("--scheduler", "", f"worker {address} {what}", "install there what is installed here")
