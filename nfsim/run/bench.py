"""Measuring speed, memory and size; each case in a process of its own, so that its peak memory is its own.

Run as ``python -m nfsim.run.bench CASE.json`` this module plays one case and prints its line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from nfsim.run.execute import run
from nfsim.run.scenario import scenario_from

GAME = "new_frontiers"
SOLO = {"players": 1, "campaign": 1, "rounds": 12}
FOUR = {"players": 4}
CASES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("solo, 12 rounds", SOLO, 40_000),
    ("4 players", FOUR, 15_000),
)
POLICIES = ("uniform", "balanced")
LOGS = ("games", "rounds")
MID_GAMES = 20  # positions from which rollouts are measured
REPORTED = 1_000_000  # games of the run that a report is measured over

Line = dict[str, Any]


def speed_lines(repeat: int, games: int | None) -> Iterator[Line]:
    """Measure every case: games, decisions and log rows per CPU-second, memory, bytes per game."""
    for name, setup, usual in CASES:
        for policy in POLICIES:
            for log in LOGS:
                case = {"case": name, "policy": policy, "log": log, "setup": setup}
                yield _in_process({**case, "games": games or usual, "repeat": repeat, "jobs": 1})


def rollout_line(repeat: int) -> Line:
    """Measure how many games a search plays on, from the middle of solo games to their end."""
    case = {"case": "rollouts, solo from round 7 of 12", "setup": SOLO, "repeat": repeat, "jobs": 1, "rollouts": 400}
    return _in_process(case)


def start_line() -> Line:
    """Measure a second start of the command: until its table for 1,000 games is printed."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder, "start.toml")
        scenario.write_text(f'game = "{GAME}"\n[setup]\nplayers = 1\n', "utf-8")
        for number in range(4):
            command = [sys.executable, "-m", "nfsim", "run", str(scenario), "--games", "1000"]
            started = time.perf_counter()
            subprocess.run([*command, "--out", str(Path(folder, str(number)))], check=True, capture_output=True)
            seconds.append(time.perf_counter() - started)
    return {"case": "start to first result, 1000 games", "seconds": round(min(seconds[1:]), 2)}


def scaling_line(repeat: int, games: int | None) -> Line:
    """Measure how much faster two threads are than one, the best of several tries."""
    case = {"case": "two threads against one", "policy": "balanced", "log": "rounds", "setup": SOLO}
    return _in_process({**case, "games": games or 200_000, "repeat": repeat, "jobs": 2})


def report_line(repeat: int, games: int | None) -> Line:
    """Measure a report over many solo games with every round logged: seconds from start to end, and memory."""
    case = {"case": "report over solo games, 12 rounds", "policy": "balanced", "log": "rounds", "setup": SOLO}
    with tempfile.TemporaryDirectory() as folder:
        run_folder = str(Path(folder, "run"))
        # in processes of their own: the report's memory is its own, not that of the games
        played = _in_process({**case, "games": games or REPORTED, "repeat": 1, "jobs": 2, "out": run_folder})
        return _in_process({**played, "report": run_folder, "repeat": repeat})


def cold_line() -> Line:
    """Measure a first start, with an empty cache folder: compiling everything, and one game."""
    with tempfile.TemporaryDirectory() as folder:
        case = {"case": "cold start", "policy": "balanced", "log": "rounds", "setup": SOLO}
        started = time.perf_counter()
        line = _in_process({**case, "games": 1, "repeat": 1, "jobs": 1}, NFSIM_CACHE_DIR=folder)
        return {"case": line["case"], "seconds": round(time.perf_counter() - started, 1), "peak_mb": line["peak_mb"]}


def _in_process(case: Line, **environment: str) -> Line:
    """Measure a case in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "case.json")
        file.write_text(json.dumps(case), "utf-8")
        command = [sys.executable, "-m", "nfsim.run.bench", str(file)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env={**os.environ, **environment})
    line: Line = json.loads(done.stdout)
    return line


def measure(case: Line) -> Line:
    """Play a case in this process, as often as it says; the best of the tries counts."""
    if "rollouts" in case:
        return _rollouts(case)
    if "report" in case:
        return _report(case)
    jobs = int(case["jobs"])
    if "out" in case:
        _play_into(Path(case["out"]), case, 1, jobs)
        return case
    if jobs > 1:
        return _scaling(case, jobs)
    manifest = min(_tries(case, jobs), key=lambda found: float(found["cpu_seconds"]))
    seconds, games = float(manifest["cpu_seconds"]), int(manifest["games"])
    rows = sum(int(table["rows"]) for table in manifest["tables"].values())
    size = sum(int(table["bytes"]) for table in manifest["tables"].values())
    decisions = sum(float(kind["per_game"]) for kind in manifest["decisions"].values())
    return {
        "case": case["case"],
        "policy": case["policy"],
        "log": case["log"],
        "games": games,
        "games_per_cpu_second": round(games / seconds),
        "decisions_per_cpu_second": round(decisions * games / seconds),
        "rows_per_cpu_second": round(rows / seconds),
        "bytes_per_game": round(size / games, 1),
        "peak_mb": peak_mb(),
    }


def _rollouts(case: Line) -> Line:
    scenario = scenario_from({"game": GAME, "setup": case["setup"]}, "bench", "bench")
    count = 0
    seconds: list[float] = []
    for number in range(int(case["repeat"]) + 1):  # the first one loads what is compiled
        played, used = 0, 0.0
        for deal in range(MID_GAMES):
            game = scenario.rule_set.game(scenario.prepared, scenario.seated, 1, deal)
            while len(game.selections) < int(case["setup"]["rounds"]) // 2:
                game.choose(game.suggest())
            started = time.process_time()
            hint = game.advice(int(case["rollouts"]))
            used += time.process_time() - started
            played += hint.n * (len(hint.options) + len(hint.aims))
        if number:
            count, seconds = played, [*seconds, used]
    best = min(seconds)
    return {
        "case": case["case"],
        "rollouts": count,
        "rollouts_per_cpu_second": round(count / best),
        "peak_mb": peak_mb(),
    }


def _scaling(case: Line, jobs: int) -> Line:
    one, many = (min(float(found["wall_seconds"]) for found in _tries(case, n)) for n in (1, jobs))
    return {
        "case": case["case"],
        "games": case["games"],
        "one_seconds": round(one, 2),
        "two_seconds": round(many, 2),
        "times_as_fast": round(one / many, 2),
        "cores": psutil.cpu_count(),
    }


def _tries(case: Line, jobs: int) -> list[dict[str, Any]]:
    return [_play(case, seed, jobs) for seed in range(1, int(case["repeat"]) + 1)]


def _play(case: Line, seed: int, jobs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return _play_into(Path(folder, "run"), case, seed, jobs)


def _play_into(folder: Path, case: Line, seed: int, jobs: int) -> dict[str, Any]:
    data = {"game": GAME, "games": case["games"], "policy": case["policy"], "setup": case["setup"]}
    return run(scenario_from(data, "bench", "bench"), folder, seed=seed, jobs=jobs, level=case["log"]).manifest


def _report(case: Line) -> Line:
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(int(case["repeat"])):
            command = [sys.executable, "-m", "nfsim", "report", case["report"], "--out", str(Path(folder, str(number)))]
            started = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            seconds.append(time.perf_counter() - started)
    line = {"case": case["case"], "games": case["games"], "seconds": round(min(seconds), 2)}
    peak = children_peak_mb()
    return line if peak is None else {**line, "peak_mb": peak}


def children_peak_mb() -> float | None:
    """Return the largest memory a finished child process has used, in megabytes; None where nobody counts it."""
    if sys.platform == "win32":
        return None
    import resource

    return _maxrss_mb(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)


def peak_mb() -> float:
    """Return the largest memory this process has used, in megabytes."""
    info = psutil.Process().memory_info()
    if hasattr(info, "peak_wset"):  # Windows
        return round(float(info.peak_wset) / 1e6, 1)
    import resource

    return _maxrss_mb(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _maxrss_mb(size: int) -> float:
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    return round(size * unit / 1e6, 1)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(json.loads(Path(sys.argv[1]).read_text("utf-8")))) + "\n")
