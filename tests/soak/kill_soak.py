"""Runs of the real game killed with SIGKILL at random moments, then resumed: the same rows as undisturbed ones.

`python -m soak.kill_soak [--tries N] [--seed S]` with tests/ on the path. N tries each of killing the process that
plays on threads, the one that has worker processes, a worker, and a study of several runs. One line a try; exit code 1
if anything differs.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from killing import differences, kill, kill_worker

ROOT = Path(__file__).resolve().parents[2]
KINDS = {
    "parent, threads": ["run", "solo_campaign1_short", "--games", "60000", "--seed", "5"],
    "parent, processes": ["run", "solo_campaign1_short", "--games", "1200", "--seed", "5", "--policy", "dawdle:choose"],
    "worker": ["run", "solo_campaign1_short", "--games", "1200", "--seed", "5", "--policy", "dawdle:choose"],
    "study": ["sweep", "solo_campaign1_short", "--vary", "bag.xeno=1..4", "--games", "40000", "--seed", "5"],
}
POLICY = '''"""Takes the first option."""


def choose(game):
    return 0
'''


def main() -> int:
    """Run all tries and print a line about each, then a summary."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--tries", type=int, default=30, help="of each kind")
    reader.add_argument("--seed", type=int, default=2026, help="of the moments")
    wanted = reader.parse_args()
    chance, bad = random.Random(wanted.seed), 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "dawdle.py").write_text(POLICY, "utf-8")
        for kind, arguments in KINDS.items():
            whole = folder / "whole"
            shutil.rmtree(whole, ignore_errors=True)
            finish(folder, arguments, whole)  # so that the rules are compiled when the clock runs
            shutil.rmtree(whole)
            began = time.monotonic()
            finish(folder, arguments, whole)
            seconds = time.monotonic() - began
            for number in range(wanted.tries):
                out = folder / "out"
                shutil.rmtree(out, ignore_errors=True)
                did, problem = attempt(kind, folder, arguments, out, whole, seconds, chance)
                bad += bool(problem)
                print(f"{kind} {number + 1}: {did}: {problem or 'the same tables and manifest'}", flush=True)
    print(f"{len(KINDS) * wanted.tries} tries, {bad} with a difference")
    return 1 if bad else 0


def attempt(
    kind: str, folder: Path, arguments: list[str], out: Path, whole: Path, seconds: float, chance: random.Random
) -> tuple[str, str]:
    """Kill a run once, and now and then again while it goes on; return what was done, and what is wrong afterwards."""
    moments = []
    while True:
        process = play(folder, arguments, out)
        moment = chance.uniform(0.0, seconds)
        if kind == "worker":
            hit = kill_worker(process, chance, seconds)
            code = process.wait()
            if code != 0 or process.stderr.read():
                return f"a worker killed: {hit}", f"exit code {code}"
            did = f"a worker {'killed' if hit else 'not killed: the run was faster'}"
            return did, difference(out, whole)
        time.sleep(moment)
        kill(process)
        moments.append(f"{moment:.1f} s")
        if chance.random() < 0.7:
            break
    manifests, chunks = (sum(1 for _ in out.rglob(name)) for name in ("manifest.json", "chunks/*.json"))
    finish(folder, arguments, out)
    return f"killed after {', '.join(moments)} with {manifests} runs and {chunks} more chunks complete", difference(
        out, whole
    )


def difference(out: Path, whole: Path) -> str:
    """Say where the runs under two folders differ, '' if nowhere."""
    runs = sorted(manifest.parent.relative_to(whole) for manifest in whole.rglob("manifest.json"))
    if runs != sorted(manifest.parent.relative_to(out) for manifest in out.rglob("manifest.json")):
        return "other runs"
    return "; ".join(f"{run}: {words}" for run in runs if (words := differences(out / run, whole / run)))


def play(folder: Path, arguments: list[str], out: Path) -> "subprocess.Popen[str]":
    """Start a command."""
    command = [sys.executable, "-m", "nfsim", *arguments, "--jobs", "2", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def finish(folder: Path, arguments: list[str], out: Path) -> None:
    """Let a command come to its end."""
    process = play(folder, arguments, out)
    _, error = process.communicate()
    if process.returncode != 0:
        raise SystemExit(f"a run that nobody disturbed ended with {process.returncode}: {error}")


if __name__ == "__main__":
    sys.exit(main())
