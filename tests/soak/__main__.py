"""`python -m soak [PART …]` with tests/ on the path: all soaks one after the other, or those named.

On two cores that have nothing else to do: memory 5 minutes (15 if the first two tries do not hold), rules 25, twin 20,
and what kill and fuzz say. A part that fails does not stop the others; exit code 1 at the end.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOAK = {
    "memory": (["-m", "soak.memory_soak"], {}),
    "rules": (["-m", "soak.rules_soak"], {"NUMBA_BOUNDSCHECK": "1"}),
    "twin": (["-m", "soak.twin_soak"], {}),
    "kill": (["-m", "soak.kill_soak"], {}),
    "fuzz": (["-m", "pytest", "-q", *sorted(map(str, HERE.parent.glob("test_fuzz*.py")))], {"NFSIM_FUZZ": "10000"}),
}


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
        code = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, check=False).returncode
        failed = failed or code != 0
        lines.append(
            f"{name:<8} {'passed' if code == 0 else f'FAILED ({code})':<12} {time.perf_counter() - began:8,.0f} s"
        )
    print("\n".join(["---", *lines]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
