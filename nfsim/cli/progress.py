"""Progress of a run on a terminal: a bar with games done, rate and time left; silence elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nfsim.cli.console import console, note
from nfsim.run import tune
from nfsim.run.about import policy_notes
from nfsim.run.execute import Watch

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID
    from rich.status import Status

    from nfsim.run.scenario import Scenario


class _Bar(Watch):
    """Shows a run as a bar."""

    def __init__(self, progress: Progress, title: str) -> None:
        self._progress = progress
        self._task: TaskID | None = None
        self._title = title
        self._played = 0
        self._began = 0.0

    def compiling(self, seconds: int) -> None:
        say_compiling(seconds)

    def started(self, games: int, done: int) -> None:
        self._task = self._progress.add_task(self._title, total=games, completed=done, rate="")
        self._began = time.monotonic()
        self._progress.start()

    def going_on(self, games: int) -> None:
        if self._task is not None:
            self._progress.update(self._task, total=games)

    def advanced(self, games: int) -> None:
        self._played += games
        if self._task is not None:
            rate = self._played / max(time.monotonic() - self._began, 1e-3)
            self._progress.update(self._task, advance=games, rate=f"{rate:,.0f}/s")


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
        Shown before the bar.
    quiet : bool
        Show no bar even on a terminal.
    unit : str
        What is counted.
    """
    if quiet or not console(stderr=True).is_terminal:
        yield _Quiet()
        return
    from rich import progress as bars

    progress = bars.Progress(
        bars.TextColumn("{task.description:.30}", markup=False),
        bars.BarColumn(bar_width=12),
        bars.TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {unit}"),
        bars.TextColumn("{task.fields[rate]}"),
        bars.TimeRemainingColumn(),
        console=console(stderr=True),
        transient=True,
    )
    try:
        yield _Bar(progress, title)
    finally:
        progress.stop()


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
    if quiet or not console(stderr=True).is_terminal:
        yield _QuietSearch()
        return
    with console(stderr=True).status("searching") as status:
        yield _SearchLines(status)
