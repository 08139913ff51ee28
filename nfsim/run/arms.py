"""A study: several arms, each a scenario played on the same seed, in run folders side by side.

An arm differs from the others in the levels of named factors (who plays, how many rounds, which patch). All arms play
the same games as far as they can: game 17 of one arm has the same random streams as game 17 of another, so that they
can be compared game by game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.log.folder import cannot_write
from nfsim.log.read import Run, load
from nfsim.run.execute import Stopped, Watch, run
from nfsim.run.scenario import Scenario

STUDY = "study.json"
RUNS = "runs"
LONGEST_NAME = 100  # characters of a folder's name

Watching = Callable[[str], AbstractContextManager[Watch]]


@dataclass(frozen=True)
class Arm:
    """One arm of a study.

    Attributes
    ----------
    scenario : Scenario
        What it plays.
    factors : mapping of str to str
        Level of each factor, as a reader sees it: ``{"policy": "balanced", "length": "10 rounds"}``. No two arms of
        a study have the same.
    """

    scenario: Scenario = field(repr=False)
    factors: Mapping[str, str]

    @property
    def name(self) -> str:
        """Name of its run folder: the levels, in order."""
        words = "-".join(re.sub(r"[^\w.+-]+", "_", level).strip("_") for level in self.factors.values())
        return words[:LONGEST_NAME] or "all"

    @property
    def label(self) -> str:
        """The levels as text."""
        return ", ".join(self.factors.values())


@dataclass(frozen=True)
class Played:
    """An arm that was played: its factors and the folder of its run."""

    factors: Mapping[str, str]
    folder: Path


def play_arms(
    arms: Sequence[Arm],
    out: Path,
    *,
    seed: int,
    jobs: int | None = None,
    level: str = "rounds",
    watching: Watching,
) -> list[Played]:
    """Play all arms of a study, or what is missing of them.

    Parameters
    ----------
    arms : sequence of Arm
        In the order in which they are played and reported.
    out : Path
        Folder of the study: a run folder for each arm in ``runs``, and ``study.json``, which lists them.
    seed : int
        Seed of all arms.
    jobs, level : int, str
        As for `nfsim.run.execute.run`.
    watching : callable
        ``(title) -> context manager of a Watch`` for one arm.

    Returns
    -------
    list of Played
        In the order of `arms`.

    Raises
    ------
    BadInput
        If a folder holds another run or cannot be written, or two arms have the same levels.
    Stopped
        If the study was interrupted; what is complete is kept, and the same command goes on from there.
    """
    names = _names(arms)
    played = []
    for place, (arm, name) in enumerate(zip(arms, names, strict=True)):
        folder = out / RUNS / name
        try:
            with watching(f"{place + 1}/{len(arms)} {arm.label}") as watch:
                run(arm.scenario, folder, seed=seed, jobs=jobs, level=level, watch=watch)
        except Stopped as stop:
            reason = str(stop).partition(":")[0]
            raise Stopped(reason, out, place, len(arms), stop.exit_code, unit="arms") from None
        played.append(Played(dict(arm.factors), folder))
    _note(out, played)
    return played


def read_study(out: Path) -> list[Played]:
    """Return the arms that a study's folder lists.

    Raises
    ------
    BadInput
        If there is no list, or it cannot be understood.
    """
    file = out / STUDY
    try:
        listed: Any = json.loads(file.read_text("utf-8"))
        return [
            Played({str(k): str(v) for k, v in arm["factors"].items()}, _inside(out, str(arm["folder"])))
            for arm in listed["arms"]
        ]
    except FileNotFoundError:
        raise BadInput(file, "", "is missing", "name the folder of a finished study") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(file, "", "cannot be read as the list of a study", "run the study again") from None


def study(out: Path | str) -> dict[str, Run]:
    """Open the runs of a study.

    Parameters
    ----------
    out : path
        Its folder, as ``nfsim difficulty``, ``sweep`` and the like write it.

    Returns
    -------
    dict of str to Run
        By the levels of the arm, for example ``"10 rounds, balanced"``, in the order in which they were played.

    Raises
    ------
    BadInput
        If it is not the folder of a finished study.
    """
    return {", ".join(arm.factors.values()): load(arm.folder) for arm in read_study(Path(out))}


def _inside(out: Path, name: str) -> Path:
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(name)
    return out / RUNS / name


def _names(arms: Sequence[Arm]) -> list[str]:
    """Return a folder name for each arm; those that would be the same get a number."""
    if len({tuple(arm.factors.items()) for arm in arms}) < len(arms):
        raise ValueError("two arms of a study have the same levels")
    names: list[str] = []
    for arm in arms:
        name, number = arm.name, 2
        while name.lower() in (other.lower() for other in names):
            name, number = f"{arm.name}-{number}", number + 1
        names.append(name)
    return names


def _note(out: Path, played: Sequence[Played]) -> None:
    """Write the list of arms."""
    listed = {"arms": [{"factors": dict(arm.factors), "folder": arm.folder.name} for arm in played]}
    try:
        write_atomic(out / STUDY, (json.dumps(listed, indent=1) + "\n").encode())
    except OSError as error:
        raise cannot_write(out, error) from None
