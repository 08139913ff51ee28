"""A real Dask cluster on this machine, and what tests ask of it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from nfsim.log.read import Run, load
from nfsim.run.cluster import Cluster
from nfsim.run.execute import run
from nfsim.run.progress import Watch
from nfsim.run.scenario import Scenario, read_scenario

GAMES = 80_000  # eight chunks
SHORT = "setup.rounds=2"  # so that most of the time is what is tested: chunks that travel

Command = Callable[..., tuple[int, str, str]]


class Dask:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self.file),
            **environment,
        )  # fmt: skip

    def add_worker(self, *, before: tuple[str, ...] = (), **environment: str) -> None:
        self.workers.append(
            self._start(
                "dask_worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny",
                "--local-directory", str(self.folder), before=before, **environment,
            )
        )  # fmt: skip

    def wait_for(self, workers: int) -> None:
        with self.client() as client:
            client.wait_for_workers(workers, timeout=60)

    def client(self) -> Any:
        import distributed

        deadline = time.monotonic() + 60
        while not self.file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        return distributed.Client(scheduler_file=str(self.file), set_as_default=False, timeout=60)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _start(
        self, module: str, *arguments: str, before: tuple[str, ...] = (), **environment: str
    ) -> subprocess.Popen[bytes]:
        line = [*before, sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"]
        with (self.folder / f"{module}{len(self.workers)}.log").open("wb") as log:
            return subprocess.Popen(line, stdout=log, stderr=log, cwd=self.folder, env=os.environ | environment)


@pytest.fixture(name="solo", scope="module")
def solo_scenario() -> Scenario:
    """What a test module plays on a cluster."""
    return read_scenario("solo_campaign1_short", [SHORT], {"games": GAMES, "policy": "uniform"})


@pytest.fixture(name="here", scope="module")
def run_here(solo: Scenario, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same run on this machine."""
    folder = tmp_path_factory.mktemp("here") / "run"
    run(solo, folder)
    return load(folder)


def same_rows(one: Run, other: Run) -> bool:
    return set(one) == set(other) and all(one[name].collect().equals(other[name].collect()) for name in one)


class After(Watch):
    """Does something when so many chunks are there."""

    def __init__(self, act: Callable[[], object], chunks: int = 1) -> None:
        self.act = act
        self.left = chunks

    def advanced(self, games: int) -> None:
        self.left -= 1
        if self.left == 0:
            self.act()


def interrupt() -> None:
    raise KeyboardInterrupt


def on(dask: Dask, solo: Scenario, out: Path | str, act: Callable[[], object] | None = None) -> int:
    """Run on a cluster; return the games played."""
    with Cluster(str(dask.file)) as cluster:
        return run(solo, out, watch=After(act) if act else None, cluster=cluster).played
