"""How games are played, whatever they are: the options that many commands share."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from nfsim.run.cluster import Cluster
from nfsim.run.progress import Watch
from nfsim.run.scenario import DEFAULT_SEED

Watching = Callable[[str, str], AbstractContextManager[Watch]]
"""``(title, unit) -> context manager of a Watch`` that shows one stretch of work."""


def in_silence(_title: str, _unit: str) -> AbstractContextManager[Watch]:
    """Show nothing."""
    return nullcontext(Watch())


@dataclass(frozen=True)
class Options:
    """Options of a study.

    Attributes
    ----------
    seed : int
        Root seed of all that is played.
    jobs : int or None
        Threads, or processes if a policy is written in Python; None: as many as there are cores.
    cluster : Cluster or None
        Entered; its workers play instead of this machine, and `jobs` says nothing.
    watching : callable
        Shows progress.
    note : callable
        Hears a sentence about what is going on.
    """

    seed: int = DEFAULT_SEED
    jobs: int | None = None
    cluster: Cluster | None = None
    watching: Watching = in_silence
    note: Callable[[str], None] = lambda _: None
