"""Measuring a case in this process, between runs of the yardstick."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from nfsim.log.records import CHUNKS
from nfsim.run import execute, worker_pool
from nfsim.run.bench import calibration
from nfsim.run.bench.cases import CPU_SECONDS, GAME, TIMES, Case
from nfsim.run.chunks import Chunk, Job, play_chunk, play_one
from nfsim.run.scenario import Scenario, scenario_from

MID_GAMES = 20  # positions from which rollouts are measured

Figure = dict[str, Any]
Try = tuple[float, Figure]
"""A value in the case's unit, and what else was seen."""


def measure(case: Case, tries: int) -> Figure:
    """Measure a case.

    Returns
    -------
    dict
        ``case``, ``unit``, ``value``: the median of the tries; ``tries``; ``yardstick``: median speed of the
        calibration loop before, between and after them, in million steps a CPU-second; ``relative``: the value
        in units of the yardstick, higher is better (of `TIMES`: of what two yardsticks at once reach); ``peak_mb``;
        and what else the kind of case shows.
    """
    kinds: dict[str, Callable[[Case, Path], Generator[Try, None, None]]] = {
        "play": partial(_play, 1), "many": partial(_play, 2), "rollouts": _rollouts,
        "start": _start, "report": _report, "cold": _cold,
        "threads": partial(_scaling, worker_pool.in_threads), "processes": partial(_scaling, worker_pool.in_processes),
    }  # fmt: skip
    values: list[float] = []
    shares: list[float] = []
    more: Figure = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(kinds[case.kind](case, Path(folder))) as found:
        speeds = [calibration.speed()]
        for _ in range(min(tries, case.tries)):
            value, more = next(found)
            values.append(value)
            shares.append(value / float(more.get("machine_times", 1)))
            speeds.append(calibration.speed())
    value, yardstick = median(values), median(speeds)
    relative = {TIMES: median(shares), CPU_SECONDS: 1e3 / (value * yardstick)}.get(case.unit, value / yardstick)
    return {
        "case": case.name,
        "unit": case.unit,
        "value": _short(value),
        "relative": _short(relative),
        "yardstick": _short(yardstick),
        "tries": list(map(_short, values)),
        "games": case.games,
        "peak_mb": peak_mb(),
        **more,
    }


def _short(value: float) -> float:
    return float(f"{value:.5g}")


def _scenario(case: Case) -> Scenario:
    data = {"game": GAME, "games": case.games, "policy": case.policy, "setup": case.setup}
    return scenario_from(data, "bench", "bench")


def _play(jobs: int, case: Case, folder: Path) -> Generator[Try, None, None]:
    """Play and write."""
    scenario, seed = _scenario(case), 0
    execute.run(_scenario(case._replace(games=1)), folder / "warm", jobs=1, level=case.log)
    while True:
        seed += 1
        out = folder / str(seed)
        manifest = execute.run(scenario, out, seed=seed, jobs=jobs, level=case.log).manifest
        seconds, tables = float(manifest["cpu_seconds"]), manifest["tables"].values()
        decisions = sum(float(kind["per_game"]) for kind in manifest["decisions"].values())
        yield (
            case.games / seconds,
            {
                "decisions_per_cpu_second": round(decisions * case.games / seconds),
                "rows_per_cpu_second": round(sum(int(table["rows"]) for table in tables) / seconds),
                "bytes_per_game": round(sum(int(table["bytes"]) for table in tables) / case.games, 1),
            },
        )


def _rollouts(case: Case, _: Path) -> Generator[Try, None, None]:
    """Play on from the middle of solo games, as a search does."""
    scenario = _scenario(case)
    first = True
    while True:
        played, used = 0, 0.0
        for deal in range(MID_GAMES):
            game = scenario.rule_set.game(scenario.prepared, scenario.seated, 1, deal)
            while game.rounds_ended < int(case.setup["rounds"]) // 2:
                game.choose(game.suggest())
            started = time.process_time()
            hint = game.advice(case.games)
            used += time.process_time() - started
            played += hint.n * (len(hint.options) + len(hint.aims))
        if not first:  # that one loads what is compiled
            yield played / used, {"rollouts": played}
        first = False


def _scaling(side_by_side: Any, case: Case, folder: Path) -> Generator[Try, None, None]:
    """Play the same games by one worker and by two, which are there already; wall time decides."""
    scenario, size = _scenario(case), max(1, case.games // 20)
    chunks = [Chunk(first, min(size, case.games - first)) for first in range(0, case.games, size)]
    number = 0

    def seconds(workers: int, todo: list[Chunk]) -> float:
        nonlocal number
        number += 1
        where = folder / str(number)
        (where / CHUNKS).mkdir(parents=True)
        job = Job(scenario.rule_set, scenario.prepared, scenario.seated, case.log, 1, where, str(where))
        play_one(job)
        started = time.perf_counter()
        with contextlib.closing(side_by_side(partial(play_chunk, job), todo, workers)) as done:
            games = sum(record.games for record in done)
        assert games == sum(chunk.games for chunk in todo)
        return time.perf_counter() - started

    seconds(2, chunks[:2] * 2)  # the workers start and load what is compiled
    while True:
        one, two = seconds(1, chunks), seconds(2, chunks)
        again = seconds(1, chunks)  # before and after, so that a machine that becomes busier does not decide
        yield (
            (one + again) / 2 / two,
            {
                "machine_times": round(calibration.two_at_once(), 3),
                "one_seconds": round(one, 2),
                "two_seconds": round(two, 2),
                "cores": psutil.cpu_count(),
            },
        )


def _start(case: Case, folder: Path) -> Generator[Try, None, None]:
    """Start the command anew, until its table is printed."""
    scenario = folder / "start.toml"
    scenario.write_text(f'game = "{GAME}"\n[setup]\nplayers = 1\n', "utf-8")
    number = 0
    while True:
        number += 1
        found = _command("run", scenario, "--games", case.games, "--jobs", 1, "--out", folder / str(number))
        if number > 1:  # the first start reads everything from disk
            yield found


def _report(case: Case, folder: Path) -> Generator[Try, None, None]:
    """Write a report over many games with every round logged; the games are played in a process of their own."""
    run = folder / "run"
    data = f'game = "{GAME}"\npolicy = "{case.policy}"\n[setup]\nplayers = 1\ncampaign = 1\nrounds = 12\n'
    (folder / "many.toml").write_text(data, "utf-8")
    _command("run", folder / "many.toml", "--games", case.games, "--jobs", 2, "--log", case.log, "--out", run)
    number = 0
    while True:
        number += 1
        yield _command("report", run, "--out", folder / f"report{number}")


def _cold(case: Case, folder: Path) -> Generator[Try, None, None]:
    """Start with an empty cache folder: everything is compiled, and one game played."""
    scenario = folder / "start.toml"
    scenario.write_text(f'game = "{GAME}"\n[setup]\nplayers = 1\n', "utf-8")
    while True:
        where = {"NFSIM_CACHE_DIR": str(folder / "cache")}
        yield _command("run", scenario, "--games", case.games, "--out", folder / "run", **where)


def _command(*arguments: object, **environment: str) -> Try:
    """Run the command; its CPU-seconds, and its wall time and largest memory."""
    command = [sys.executable, "-m", "nfsim", *map(str, arguments)]
    began, before = time.perf_counter(), os.times()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **environment}) as running:
        peak = _watched(running)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    wall, after = time.perf_counter() - began, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used or wall, {"wall_seconds": round(wall, 2), "peak_mb": peak}  # Windows does not tell what a child used


def _watched(running: subprocess.Popen[bytes]) -> float:
    """Wait for a command and return the largest memory it was seen to use, in megabytes."""
    peak, process = 0, psutil.Process(running.pid)
    while running.poll() is None:
        with contextlib.suppress(psutil.Error):
            peak = max(peak, process.memory_info().rss)
        time.sleep(0.02)
    return round(peak / 1e6, 1)


def peak_mb() -> float:
    """Return the largest memory this process has used, in megabytes."""
    info = psutil.Process().memory_info()
    if hasattr(info, "peak_wset"):  # Windows
        return round(float(info.peak_wset) / 1e6, 1)
    import resource

    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(size * (1 if sys.platform == "darwin" else 1024) / 1e6, 1)  # bytes there, kibibytes elsewhere
