"""Runs of the real game killed with SIGKILL at random moments, then resumed: the same rows as undisturbed ones.

`python -m soak.kill_soak [--tries N] [--seed S]` with tests/ on the path. N tries each of killing the process that
plays on threads, the one that has worker processes, a worker, and a study of several runs. One line a try and one a
kind; exit code 1 if anything differs, fails or is said, or if fewer than half of a kind's tries killed anything.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from killing import differences, kill, kill_worker

from nfsim.errors import BadInput

ROOT = Path(__file__).resolve().parents[2]
LEAST_HITS = 0.5  # of a kind's tries
AGAIN = 0.3  # of the killed: killed once more while they go on
MOST_SECONDS = 600.0  # of a command that takes a few seconds: more is a hang
KINDS = {
    "parent, threads": ["run", "solo_campaign1_short", "--games", "60000", "--seed", "5"],
    "parent, processes": ["run", "solo_campaign1_short", "--games", "1200", "--seed", "5", "--policy", "dawdle:choose"],
    "worker": ["run", "solo_campaign1_short", "--games", "1200", "--seed", "5", "--policy", "dawdle:choose"],
    "study": ["sweep", "solo_campaign1_short", "--vary", "bag.xeno=1..4", "--games", "40000", "--seed", "5"],
}
NOTHING_LEFT = "nothing was played"  # end of what a command says that comes to a finished run: nothing is wrong
POLICY = '''"""Takes the first option."""


def choose(game):
    return 0
'''


class Try(NamedTuple):
    """What was done, whether it killed anything, and what is wrong afterwards: '' if nothing."""

    did: str
    hit: bool
    problem: str


class Play:
    """A command under way; what it says goes to a file, so that nobody has to read it for it to go on."""

    def __init__(self, folder: Path, arguments: list[str], out: Path) -> None:
        self._said = folder / "said.txt"
        self._said.unlink(missing_ok=True)  # a worker that outlives a killed parent may still hold the old one
        command = [sys.executable, "-m", "nfsim", *arguments, "--jobs", "2", "--out", str(out)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(folder)])}
        with self._said.open("w", encoding="utf-8") as said:
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=said
            )

    def end(self) -> str:
        """Let it come to its end; say what is wrong with that, '' if nothing."""
        try:
            code = self.process.wait(MOST_SECONDS)
        except subprocess.TimeoutExpired:
            kill(self.process)
            return f"not at its end after {MOST_SECONDS:.0f} s; {self._text()}"
        wrong = code or any(not line.endswith(NOTHING_LEFT) for line in self._lines())
        return f"exit code {code}; {self._text()}" if wrong else ""

    def kill(self) -> tuple[bool, str]:
        """Kill it; return whether it was still at work, and what is wrong if it had ended by itself."""
        kill(self.process)
        return (True, "") if self.process.returncode == -signal.SIGKILL else (False, self.end())

    def _text(self) -> str:
        return f"standard error: {' '.join(self._lines()) or 'nothing'}"

    def _lines(self) -> list[str]:
        return [line.rstrip() for line in self._said.read_text("utf-8", "replace").splitlines() if line.strip()]


def main() -> int:
    """Run all tries and print a line about each, then a summary."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--tries", type=int, default=30, help="of each kind")
    reader.add_argument("--seed", type=int, default=2026, help="of the moments")
    wanted = reader.parse_args()
    chance, bad, summary = random.Random(wanted.seed), 0, []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "dawdle.py").write_text(POLICY, "utf-8")
        for kind, arguments in KINDS.items():
            whole, hits = folder / "whole", 0
            undisturbed(folder, arguments, whole)  # so that the rules are compiled when the clock runs
            began = time.monotonic()
            undisturbed(folder, arguments, whole)
            seconds = time.monotonic() - began
            for number in range(wanted.tries):
                out = folder / "out"
                shutil.rmtree(out, ignore_errors=True)
                attempt = attempt_worker if kind == "worker" else attempt_parent
                did, hit, problem = attempt(folder, arguments, out, seconds, chance)
                problem = problem or difference(out, whole)
                bad += bool(problem)
                hits += hit
                print(f"{kind} {number + 1}: {did}: {problem or 'the same tables and manifest'}", flush=True)
            few = hits < LEAST_HITS * wanted.tries
            bad += few
            summary.append(f"{kind}: {hits} of {wanted.tries} tries killed something{', TOO FEW' if few else ''}")
    print("\n".join([*summary, f"{len(KINDS) * wanted.tries} tries, {bad} problems"]))
    return 1 if bad else 0


def undisturbed(folder: Path, arguments: list[str], out: Path) -> None:
    """Let a command play into a new folder; without that there is nothing to compare with."""
    shutil.rmtree(out, ignore_errors=True)
    if problem := Play(folder, arguments, out).end():
        raise SystemExit(f"a run that nobody disturbed: {problem}")


def attempt_worker(folder: Path, arguments: list[str], out: Path, seconds: float, chance: random.Random) -> Try:
    """Kill a worker of a run, which goes on without."""
    run = Play(folder, arguments, out)
    hit = kill_worker(run.process, chance, seconds)
    return Try(f"a worker {'killed' if hit else 'not killed: the run was faster'}", hit, run.end())


def attempt_parent(folder: Path, arguments: list[str], out: Path, seconds: float, chance: random.Random) -> Try:
    """Kill a run once, and now and then again while it goes on; then let it come to its end."""
    moments: list[str] = []
    hit, problem = True, ""
    while hit and (not moments or chance.random() < AGAIN):
        run = Play(folder, arguments, out)
        moment = chance.uniform(0.0, seconds)
        time.sleep(moment)
        hit, problem = run.kill()
        moments.append(f"{moment:.1f} s{'' if hit else ' (not killed: the run had ended)'}")
    manifests, chunks = (sum(1 for _ in out.rglob(name)) for name in ("manifest.json", "chunks/*.json"))
    did = f"killed after {', '.join(moments)} with {manifests} runs and {chunks} more chunks complete"
    return Try(did, hit or len(moments) > 1, problem or Play(folder, arguments, out).end())


def difference(out: Path, whole: Path) -> str:
    """Say where the runs under two folders differ, '' if nowhere."""
    runs = sorted(manifest.parent.relative_to(whole) for manifest in whole.rglob("manifest.json"))
    if runs != sorted(manifest.parent.relative_to(out) for manifest in out.rglob("manifest.json")):
        return "other runs"
    try:
        return "; ".join(f"{run}: {words}" for run in runs if (words := differences(out / run, whole / run)))
    except BadInput as error:  # a folder that cannot be read
        return str(error)


if __name__ == "__main__":
    sys.exit(main())
