"""What is measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

GAME = "new_frontiers"
SOLO: dict[str, Any] = {"players": 1, "campaign": 1, "rounds": 12}
FOUR: dict[str, Any] = {"players": 4}
SETUPS = (("solo, 12 rounds", SOLO, 40_000), ("4 players", FOUR, 15_000))  # games: about a second's worth
POLICIES = ("uniform", "balanced")
LOGS = ("games", "rounds")
MANY = 1_000_000  # games of the run whose memory is measured and that a report is measured over
SCALED = 200_000
STARTED = 1_000

PER_CPU_SECOND = "games/CPU-s"
CPU_SECONDS = "CPU-s"
TIMES = "times"


class Case(NamedTuple):
    """One case.

    Attributes
    ----------
    name : str
        What figures are kept under.
    kind : {"play", "many", "rollouts", "start", "threads", "processes", "report", "cold"}
        How it is measured.
    unit : str
        Of its value: `PER_CPU_SECOND` and `TIMES` are better high, `CPU_SECONDS` low.
    games : int
        Games of a try.
    setup, policy, log
        What is played.
    tries : int
        At most so many.
    """

    name: str
    kind: str
    unit: str
    games: int
    setup: dict[str, Any] = SOLO
    policy: str = "balanced"
    log: str = "rounds"
    tries: int = 100


def cases(games: int | None = None, *, cold: bool = False) -> Iterator[Case]:
    """Yield every case.

    Parameters
    ----------
    games : int, optional
        Games of each case instead of the usual ones.
    cold : bool
        Also a start with everything to compile.
    """
    for name, setup, usual in SETUPS:
        for policy in POLICIES:
            for log in LOGS:
                shown = f"{name}, {policy}, log {log}"
                yield Case(shown, "play", PER_CPU_SECOND, games or usual, setup, policy, log)
    yield Case("rollouts, solo, rounds 7-12", "rollouts", "rollouts/CPU-s", 400)
    yield Case(f"start, {STARTED:,} games, table", "start", CPU_SECONDS, STARTED)
    yield Case("two threads against one", "threads", TIMES, games or SCALED, tries=3)
    yield Case("two processes against one", "processes", TIMES, games or SCALED, tries=3)
    many = games or MANY
    yield Case(f"{many:,} solo games, two threads", "many", PER_CPU_SECOND, many, tries=1)
    yield Case(f"report over {many:,} solo games", "report", CPU_SECONDS, many, tries=3)
    if cold:
        yield Case("cold start", "cold", CPU_SECONDS, 1, tries=1)
