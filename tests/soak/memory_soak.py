"""Ten million solo games with the per-round log: flat memory, steady speed.

`python -m soak.memory_soak [--games N] [--tries T]` with tests/ on the path. It plays them with `nfsim run` into a
temporary folder (about 1 GB, removed), looks at the memory of the command and all its children ten times a second,
and compares the rate of the last tenth of the games with that of the first, and the memory with that of the second
(the first begins with the loading of the rules). The worst of the tries counts for the most memory; both ratios have to
be as promised in one and the same try. Exit code 1 if anything is not.
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

MOST_BYTES = 1.5e9
LEAST_RATIO = 0.95
MOST_GROWTH = 1.25
PAUSE = 0.1  # seconds between two looks at the memory
TENTHS = 10


@dataclass(frozen=True)
class Found:
    """What one try has shown.

    Attributes
    ----------
    games, seconds : float
        Played, and how long it took.
    peak : float
        Most bytes in use, the summing up after the last game included.
    sizes : list of float
        Most bytes in use in each tenth of the games.
    rates : list of float
        Games a second in each tenth of the games.
    cpu_rates : list of float
        The same per CPU-second, which others at work on the machine hardly disturb.
    disk : int
        Bytes of the tables.
    """

    games: int
    seconds: float
    peak: float
    sizes: list[float]
    rates: list[float]
    cpu_rates: list[float]
    disk: int

    @property
    def ratio(self) -> float:
        """The last tenth's rate, the first's being 1."""
        return self.rates[-1] / self.rates[0]

    @property
    def growth(self) -> float:
        """The last tenth's memory, the second's being 1."""
        return self.sizes[-1] / self.sizes[1]

    @property
    def steady(self) -> bool:
        """Whether speed and memory stay what they are."""
        return self.ratio >= LEAST_RATIO and self.growth <= MOST_GROWTH

    @property
    def cpu_ratio(self) -> float:
        """The same of the rates per CPU-second."""
        return self.cpu_rates[-1] / self.cpu_rates[0]


def tree_bytes(process: psutil.Process) -> int:
    """Memory of a process and all its children; what several share counts for each."""
    total = 0
    try:
        everyone = [process, *process.children(recursive=True)]
    except psutil.Error:
        return 0
    for each in everyone:
        try:
            total += each.memory_info().rss
        except psutil.Error:  # it has just ended
            continue
    return total


def play(games: int, jobs: int, policy: str, folder: Path) -> Found:
    """Play once and look on."""
    command = [sys.executable, "-m", "nfsim", "run", "solo_campaign1_long", "--games", str(games), "--jobs", str(jobs)]
    command += ["--policy", policy, "--log", "rounds", "--out", str(folder), "--json"]
    began = time.perf_counter()
    looks: list[tuple[float, int]] = []
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as run:
        process = psutil.Process(run.pid)
        while run.poll() is None:
            looks.append((time.time(), tree_bytes(process)))
            time.sleep(PAUSE)
        if run.returncode:
            raise SystemExit(f"nfsim run ended with exit code {run.returncode}")
    seconds = time.perf_counter() - began
    when, size = np.array(looks).T
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    chunks = sorted(manifest["chunks"], key=lambda chunk: chunk["first"])
    # when each chunk was complete; the first ones of the threads began with the loading of the rules and are left out
    ends = np.array([(folder / "games" / f"{chunk['first']:012d}.parquet").stat().st_mtime for chunk in chunks])
    size_of, cpu = (np.array([chunk[key] for chunk in chunks]) for key in ("games", "cpu_seconds"))
    order = np.argsort(ends)
    cut = np.linspace(jobs - 1, len(chunks) - 1, TENTHS + 1).astype(int)
    spans = [order[low + 1 : high + 1] for low, high in itertools.pairwise(cut)]
    starts = [ends[order[low]] for low in cut[:-1]]
    return Found(
        games,
        seconds,
        float(size.max()),
        [
            float(size[(when > low) & (when <= high)].max())
            for low, high in itertools.pairwise([0.0, *ends[order[cut[1:]]]])
        ],
        [size_of[s].sum() / (ends[s].max() - start) for s, start in zip(spans, starts, strict=True)],
        [size_of[s].sum() / cpu[s].sum() for s in spans],
        sum(file.stat().st_size for file in folder.rglob("*.parquet")),
    )


def main() -> int:
    """Run the soak and print a line per try."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--tries", type=int, default=3, help="at most; one that holds is enough")
    given = parser.parse_args()
    tries: list[Found] = []
    for _ in range(given.tries):
        with tempfile.TemporaryDirectory() as folder:
            found = play(given.games, given.jobs, given.policy, Path(folder, "run"))
        tries.append(found)
        print(
            f"{found.games:,} games in {found.seconds:,.0f} s, {found.disk / 1e9:.2f} GB; memory at most "
            f"{found.peak / 1e6:,.0f} MB; last tenth at {found.ratio:.3f} of the first's rate, per CPU-second "
            f"{found.cpu_ratio:.3f}"
        )
        print(f"memory in MB by tenths: {' '.join(f'{size / 1e6:,.0f}' for size in found.sizes)}")
        print(f"games a second by tenths: {' '.join(f'{rate:,.0f}' for rate in found.rates)}", flush=True)
        if found.steady:
            break
    fine, words = judged(tries)
    print(words)
    return 0 if fine else 1


def judged(tries: list[Found]) -> tuple[bool, str]:
    """Return whether memory and speed were as promised, and a line that says so."""
    peak, best = max(found.peak for found in tries), max(tries, key=lambda found: (found.steady, found.ratio))
    fine = peak < MOST_BYTES and best.steady
    return fine, (
        f"memory: {'flat and steady' if fine else 'NOT AS PROMISED'}: {peak / 1e6:,.0f} MB of at most "
        f"{MOST_BYTES / 1e6:,.0f}, in the last tenth {best.growth:.2f} of the second's, at most {MOST_GROWTH}; rate "
        f"of the last tenth {best.ratio:.3f} of the first's, at least {LEAST_RATIO}"
    )


if __name__ == "__main__":
    sys.exit(main())
