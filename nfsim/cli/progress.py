"""Progress on a terminal: games done, speed, time left, the rate so far with its interval; silence elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nfsim.cli.console import console, note, on_terminal
from nfsim.errors import visible
from nfsim.run.progress import Watch
from nfsim.run.provenance import policy_notes
from nfsim.studies import tune

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.live import Live
    from rich.status import Status
    from rich.text import Text

    from nfsim.run.scenario import Scenario


RECENT = 100  # pieces of work over which the speed is taken
LONGEST_TITLE = 30
BAR = 12  # characters


class _Live(Watch):
    """Shows a run as a few pieces on one line, on several where the terminal is narrow."""

    def __init__(self, live: Live, title: str, unit: str) -> None:
        self._live, self._title, self._unit = live, title, unit
        self._done = self._games = 0
        self._rate = ""
        self._times: deque[tuple[float, int]] = deque(maxlen=RECENT)  # when so many games were complete

    def compiling(self, seconds: int) -> None:
        say_compiling(seconds)

    def started(self, games: int, done: int) -> None:
        self._games, self._done = games, done
        self._times.append((time.monotonic(), done))
        self._live.start()

    def going_on(self, games: int) -> None:
        self._games = games

    def advanced(self, games: int) -> None:
        self._done += games
        self._times.append((time.monotonic(), self._done))

    def rate(self, name: str, k: float, n: int, bounds: tuple[float, float] | None = None) -> None:
        self._rate = rate_so_far(name, k, n, bounds)  # here: what it imports would hold up the thread that draws

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        from rich.text import Text

        if self._times:
            for line in packed(self._pieces(), options.max_width):
                yield Text(line, no_wrap=True, overflow="crop")

    def _pieces(self) -> list[str]:
        (began, before), (last, done) = self._times[0], self._times[-1]
        speed = (done - before) / max(last - began, 1e-3)
        pieces = [
            visible(self._title)[:LONGEST_TITLE],
            bar(self._done, self._games),
            f"{self._done:,} of {self._games:,} {self._unit}",
        ]
        if speed > 0:
            left = (self._games - self._done) / speed - (time.monotonic() - last)
            pieces += [f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.2g}/s", f"{duration(left)} left"]
        return [*pieces, self._rate]


def packed(pieces: Sequence[str], width: int) -> list[str]:
    """Put pieces on as few lines as have room for them; one that is longer than a line is cut."""
    lines: list[str] = []
    for piece in (piece[:width] for piece in pieces if piece):
        if lines and len(lines[-1]) + 2 + len(piece) <= width:
            lines[-1] += f"  {piece}"
        else:
            lines.append(piece)
    return lines


def bar(done: int, games: int) -> str:
    """Draw how far a run has come, in characters that every terminal has."""
    full = BAR * min(done, games) // max(games, 1)
    return f"[{'=' * full}{' ' * (BAR - full)}]"


def duration(seconds: float) -> str:
    """Write a time that is left: 0:07, 12:30, 3:05:00, 2 days 3:05:00."""
    whole = max(0, round(seconds))
    days, hours, minutes = whole // 86_400, whole // 3_600 % 24, whole // 60 % 60
    clock = f"{hours}:{minutes:02}:{whole % 60:02}" if days or hours else f"{minutes}:{whole % 60:02}"
    return f"{days} day{'s' if days > 1 else ''} {clock}" if days else clock


def rate_so_far(name: str, k: float, n: int, bounds: tuple[float, float] | None) -> str:
    """Write a running rate with its interval, Wilson's unless bounds are given; see `Watch.rate`."""
    from nfsim.report import formatting
    from nfsim.stats.intervals import wilson

    if n == 0:
        return ""
    low, high = wilson(k, n) if bounds is None else bounds
    named = name if bounds is not None or not name.startswith("seat ") else f"{name} wins"
    return f"{named} {formatting.rate(k / n, float(low), float(high))}"


class _Quiet(Watch):
    """Says only what takes long."""

    def compiling(self, seconds: int) -> None:
        say_compiling(seconds)


def say_compiling(seconds: int) -> None:
    """Say why nothing happens for a while."""
    note(f"compiling the rules, once (about {seconds} s) ...")


def say_notes(scenario: Scenario, policies: Sequence[Any]) -> None:
    """Say what a reader of results should know about policies, for example that they were tuned on other tiles."""
    for text in policy_notes(scenario, policies):
        note(text)


@contextlib.contextmanager
def watch_run(title: str, *, quiet: bool = False, unit: str = "games") -> Iterator[Watch]:
    """Give what shows a run's progress.

    Parameters
    ----------
    title : str
        Shown first.
    quiet : bool
        Show nothing even on a terminal.
    unit : str
        What is counted.
    """
    if quiet or not on_terminal(stderr=True):
        yield _Quiet()
        return
    from rich.live import Live

    live = Live(console=console(stderr=True), transient=True, refresh_per_second=4)
    shown = _Live(live, title, unit)
    live.update(shown)
    try:
        yield shown
    finally:
        with contextlib.suppress(OSError):  # the terminal may be gone
            live.stop()


class _SearchLines(tune.Watch):
    """Shows a search as one line that changes."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def compiling(self, seconds: int) -> None:
        say_compiling(seconds)

    def generation(self, done: int, of: int, best: float, mean: float) -> None:
        self._status.update(f"generation {done} of {of}: best {best:.4g}, mean {mean:.4g}")

    def measuring(self, deals: int) -> None:
        self._status.update(f"measuring start and result on {deals:,} other deals")


class _QuietSearch(tune.Watch):
    """Says only what takes long."""

    def compiling(self, seconds: int) -> None:
        say_compiling(seconds)


@contextlib.contextmanager
def watch_search(*, quiet: bool = False) -> Iterator[tune.Watch]:
    """Give what shows a search's progress; on a terminal only, and not with `quiet`."""
    if quiet or not on_terminal(stderr=True):
        yield _QuietSearch()
        return
    with console(stderr=True).status("searching") as status:
        yield _SearchLines(status)
