"""Figures of a machine: measured, kept in a file, compared with those of a file."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import psutil

from nfsim.errors import BadInput
from nfsim.files import parse_json, read_text, write_atomic
from nfsim.run.bench.cases import Case

FALLEN = 0.85  # of the kept speed: twice the spread between runs of the same source on a busy machine
GROWN = 1.15  # memory
LONGER = 1.02  # bytes a game: they hardly depend on chance, and not at all on the machine

MOST_BYTES = 1_000_000
REMEDY = "write one with nfsim bench --keep FILE"

Figure = dict[str, Any]


class CaseFailed(Exception):  # noqa: N818 - says what happened
    """A case that could not be measured; its process has said why."""

    exit_code = 1

    def __init__(self, name: str) -> None:
        super().__init__(f"the case could not be measured: {name}")


@dataclass(frozen=True)
class Compared:
    """A case beside what was kept of it.

    Attributes
    ----------
    figure : dict
        As measured now.
    kept : dict or None
        As kept; None for a new case.
    ratio : float or None
        Speed now in units of the speed kept, each in units of the yardstick run beside it.
    problems : list of str
        What has become worse, in words; empty if nothing has.
    """

    figure: Figure
    kept: Figure | None
    ratio: float | None
    problems: list[str]

    @property
    def verdict(self) -> str:
        """In a few words."""
        if self.kept is None:
            return "new"
        return "; ".join(self.problems) or "holds"


def measured(case: Case, tries: int) -> Figure:
    """Measure a case in a fresh process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "case.json")
        file.write_text(json.dumps({"case": case._asdict(), "tries": tries}), "utf-8")
        command = [sys.executable, "-m", "nfsim.run.bench", str(file)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise CaseFailed(case.name)
    found: Figure = json.loads(done.stdout)
    return found


def compare(figure: Figure, kept: Iterable[Figure]) -> Compared:
    """Set a figure beside the one kept of the same case with as many games."""
    same = (each for each in kept if (each["case"], each["games"]) == (figure["case"], figure["games"]))
    before = next(same, None)
    if before is None:
        return Compared(figure, None, None, [])
    ratio = float(figure["relative"]) / float(before["relative"])
    problems = []
    if ratio < FALLEN:
        problems.append(f"fell by {100 * (1 - ratio):.0f} %")
    for key, most, what in (("peak_mb", GROWN, "memory"), ("bytes_per_game", LONGER, "bytes a game")):
        if key in figure and key in before and figure[key] > most * before[key]:
            problems.append(f"{what} grew by {100 * (figure[key] / before[key] - 1):.0f} %")
    return Compared(figure, before, ratio, problems)


def machine() -> dict[str, Any]:
    """Say what the figures were measured on, and how busy it was."""
    name = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").is_file():  # Linux tells the model only there
        lines = Path("/proc/cpuinfo").read_text("utf-8", errors="replace").splitlines()
        name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), name)
    return {
        "processor": name,
        "cores": psutil.cpu_count(),
        "memory_gb": round(psutil.virtual_memory().total / 1e9, 1),
        "system": platform.system(),
        "python": platform.python_version(),
        **{library: metadata.version(library) for library in ("numba", "numpy", "pyarrow", "polars")},
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }


def keep(file: Path, figures: list[Figure], about: dict[str, Any]) -> None:
    """Write figures into a file, one case a line."""
    head = json.dumps({"made": datetime.now(UTC).date().isoformat(), **about}, indent=None)
    lines = ",\n  ".join(json.dumps(figure) for figure in figures)
    write_atomic(file, f'{{"machine": {head},\n "cases": [\n  {lines}\n]}}\n'.encode())


def read(file: Path) -> tuple[dict[str, Any], list[Figure]]:
    """Return the machine and the figures that `keep` wrote; `BadInput` if the file is something else."""
    text = read_text(file, MOST_BYTES, "a file of figures", REMEDY)
    try:
        data = parse_json(text)
    except ValueError:
        raise BadInput(file, "", "is no JSON object", REMEDY) from None
    machine, figures = data.get("machine"), data.get("cases")
    if not isinstance(machine, dict):
        raise BadInput(file, "machine", "must say what the figures were measured on", REMEDY)
    if not isinstance(figures, list):
        raise BadInput(file, "cases", "must be a list of figures", REMEDY)
    for place, figure in enumerate(figures):
        if not _is_figure(figure):
            raise BadInput(file, f"cases[{place}]", "is no figure", REMEDY)
    return machine, figures


def _is_figure(figure: object) -> bool:
    if not isinstance(figure, dict) or not isinstance(figure.get("case"), str):
        return False
    there = [figure.get(key) for key in ("games", "value", "relative")]
    return all(map(_is_positive, there + [figure[key] for key in ("peak_mb", "bytes_per_game") if key in figure]))


def _is_positive(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")
