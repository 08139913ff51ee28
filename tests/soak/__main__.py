"""`python -m soak [PART …]` with tests/ on the path: all soaks one after the other, or those named.

On two cores that have nothing else to do: memory 3 minutes (9 if the first two tries do not hold), rules 10, twin 15,
kill 17, fuzz 13, tests 15. A part that fails does not stop the others; exit code 1 at the end.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
INPUTS, COMMANDS = 10_000, 50  # of the fuzz tests
OUTCOMES = ("ok", "refused", "damage")
SOAK = {
    "memory": (["-m", "soak.memory_soak"], {}),
    "rules": (["-m", "soak.rules_soak"], {"NUMBA_BOUNDSCHECK": "1"}),
    "twin": (["-m", "soak.twin_soak"], {}),
    "kill": (["-m", "soak.kill_soak"], {}),
    "fuzz": (["-m", "pytest", "-q", *sorted(map(str, HERE.parent.glob("test_fuzz*.py")))], {"NFSIM_FUZZ": str(INPUTS)}),
    "tests": (["-m", "pytest", "-q", "-m", "soak", "-n", "auto", "--maxprocesses", "4", "--dist", "loadfile"], {}),
}


def summary(lines: str) -> tuple[int, int]:
    """Print what the fuzz tests tried, by entry point and outcome; return how many inputs and whole commands."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for line in map(json.loads, lines.splitlines()):
        table[line["entry"]][line["outcome"]] += line["inputs"]
    print(f"{'entry point':<44}" + "".join(f"{outcome:>9}" for outcome in (*OUTCOMES, "n")))
    for entry, found in sorted(table.items()):
        numbers = [found[outcome] for outcome in OUTCOMES]
        print(f"{entry:<44}" + "".join(f"{number:9,}" for number in (*numbers, sum(numbers))))
    commands = sum(table.pop("whole command", Counter()).values())
    tried = sum(sum(found.values()) for found in table.values())
    print(f"in one process: n = {tried:,} (at least {INPUTS:,}); whole commands: n = {commands} (at least {COMMANDS})")
    return tried, commands


def main(wanted: list[str]) -> int:
    """Run the parts and print a line about each."""
    unknown = sorted(set(wanted) - set(SOAK))
    if unknown:
        sys.stderr.write(f"there is no soak {', '.join(unknown)}; there are {', '.join(SOAK)}\n")
        return 2
    lines, failed = [], False
    for name, (arguments, more) in SOAK.items():
        if wanted and name not in wanted:
            continue
        print(f"--- {name}", flush=True)
        began = time.perf_counter()
        environment = {**os.environ, **more, "PYTHONPATH": str(HERE.parent)}
        with tempfile.TemporaryDirectory() as folder:
            counts = Path(folder, "counts")
            environment |= {"NFSIM_FUZZ_COUNTS": str(counts)}
            code = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=False).returncode
            if name == "fuzz":
                tried, commands = summary(counts.read_text("utf-8") if counts.exists() else "")
                code = code or int(tried < INPUTS or commands < COMMANDS)
        failed = failed or code != 0
        lines.append(
            f"{name:<8} {'passed' if code == 0 else f'FAILED ({code})':<12} {time.perf_counter() - began:8,.0f} s"
        )
    print("\n".join(["---", *lines]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
