"""Joblib's backend for Dask, with what it lacks, and without what Dask writes on the terminal."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any

from nfsim.errors import one_line


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
