"""A study: several arms, each a scenario played on the same seed, in run folders side by side.

An arm differs from the others in the levels of named factors (who plays, how many rounds, which patch). All arms play
the same games as far as they can: game 17 of one arm has the same random streams as game 17 of another, so that they
can be compared game by game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput
from nfsim.files import read_text, write_atomic
from nfsim.log.folder import cannot_write, check_identity, identity_in
from nfsim.log.read import Run, load
from nfsim.log.records import run_key
from nfsim.log.verify import is_run
from nfsim.run.cluster import Cluster
from nfsim.run.execute import run
from nfsim.run.progress import Stopped, Watch
from nfsim.run.provenance import run_identity
from nfsim.run.scenario import Scenario

STUDY = "study.json"
RUNS = "runs"
LONGEST_NAME = 100  # bytes of a folder's name: with a number behind it, and more before it, systems take 255
MOST_NAMED = 3  # arms that an error names
MOST_BYTES = 10_000_000  # of a list of arms
SWAPPED = "give the folders of the runs their names back, or remove them and run the study again"

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
        return folder_name(self.factors.values(), "-") or "all"

    @property
    def label(self) -> str:
        """The levels as text."""
        return ", ".join(self.factors.values())


@dataclass(frozen=True)
class Played:
    """An arm that was played: its factors, the folder of its run, and the run's `run_key`, '' in older lists."""

    factors: Mapping[str, str]
    folder: Path
    key: str = ""

    @property
    def holds_another(self) -> bool:
        """Whether another run lies in its folder now, for example that of another arm."""
        try:
            there = identity_in(self.folder)
        except BadInput:  # damaged: whose run it is cannot be told
            return False
        return there is not None and self.key not in ("", run_key(there))


def folder_name(words: Iterable[str], joined: str = "_") -> str:
    """Return words as the name of a folder: what files are not named by is replaced, what is too long is cut."""
    name = joined.join(re.sub(r"[^\w.+-]+", "_", word).strip("_") for word in words)
    return name.encode()[:LONGEST_NAME].decode(errors="ignore")  # no half letter at the end


def play_arms(
    arms: Sequence[Arm],
    out: Path,
    *,
    seed: int,
    jobs: int | None = None,
    level: str = "rounds",
    watching: Watching,
    cluster: Cluster | None = None,
) -> list[Played]:
    """Play all arms of a study, or what is missing of them.

    Parameters
    ----------
    arms : sequence of Arm
        In the order in which they are played and reported.
    out : Path
        Folder of the study: a run folder for each arm in ``runs``, and ``study.json``, which lists them. A study that
        is there may be extended, not replaced: all its arms must be among `arms`.
    seed : int
        Seed of all arms.
    jobs, level : int, str
        As for `nfsim.run.execute.run`.
    watching : callable
        ``(title) -> context manager of a Watch`` for one arm.
    cluster : Cluster, optional
        Entered; its workers play all arms, one after the other, and `jobs` says nothing. The rows are the same, and a
        study that was begun on this machine goes on there, and the other way round.

    Returns
    -------
    list of Played
        In the order of `arms`.

    Raises
    ------
    BadInput
        If the folder holds another study or another run, or a file ``study.json`` of something else, before anything
        is played; or it cannot be written.
    Stopped
        If the study was interrupted; what is complete is kept, and the same command goes on from there.
    """
    names = _names(arms)
    check_study(arms, out)
    for arm, name in zip(arms, names, strict=True):
        if (out / RUNS / name).exists():
            check_identity(out / RUNS / name, run_identity(arm.scenario, seed, level))
    played = []
    for place, (arm, name) in enumerate(zip(arms, names, strict=True)):
        folder = out / RUNS / name
        try:
            with watching(f"{place + 1}/{len(arms)} {arm.label}") as watch:
                run(arm.scenario, folder, seed=seed, jobs=jobs, level=level, watch=watch, cluster=cluster)
        except Stopped as stop:
            raise Stopped(stop.reason, out, place, len(arms), stop.exit_code, "arms", stop.goes_on) from None
        key = run_key(run_identity(arm.scenario, seed, level))
        played.append(Played(dict(arm.factors), folder, key))
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
    text = read_text(file, MOST_BYTES, "the list of a study", "name the folder of a finished study")
    try:
        listed: Any = json.loads(text)
        return [
            Played(
                {str(k): str(v) for k, v in arm["factors"].items()},
                _inside(out, str(arm["folder"])),
                str(arm.get("run", "")),
            )
            for arm in listed["arms"]
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
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
        If it is not the folder of a finished study, or runs in it are damaged or lie under the name of another arm.
    """
    runs = {}
    for arm in read_study(Path(out)):
        label = ", ".join(arm.factors.values())
        runs[label] = load(arm.folder)
        if arm.holds_another:
            raise BadInput(arm.folder, "", f'is not the run of the arm "{label}"', SWAPPED)
    return runs


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


def check_study(arms: Sequence[Arm], out: Path, *, all_arms: bool = True) -> None:
    """Refuse to replace the list and the page of another study: its arms would be left without any.

    Parameters
    ----------
    arms : sequence of Arm
        What is going to be played.
    out : Path
        Folder of the study, which need not exist.
    all_arms : bool
        Whether these are all; if not, it is enough that the study that is there has one of them.

    Raises
    ------
    BadInput
        If there is another study, or a file of something else that has the name of a study's list. A list that is
        damaged, beside runs, is written again.
    """
    listed = _listed(out)
    new = {tuple(arm.factors.items()) for arm in arms}
    lost = [", ".join(arm.factors.values()) for arm in listed if tuple(arm.factors.items()) not in new]
    if not all_arms and len(lost) < len(listed):
        return
    if lost:
        count = f"{len(lost):,}" if len(lost) < len(listed) else "all"
        named = "; ".join(f'"{label}"' for label in lost[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED:,} more" if len(lost) > MOST_NAMED else ""
        problem = f"holds another study: {count} of its arms would be left out ({named}{more})"
        raise BadInput(out, "", problem, "name another folder with --out")


def _listed(out: Path) -> list[Played]:
    """Return the arms that are listed; none if there is no list, or one that is damaged and can be written again."""
    file = out / STUDY
    try:
        return read_study(out)
    except BadInput as error:
        if not (file.exists() or file.is_symlink()):
            return []
        runs = (out / RUNS).iterdir() if (out / RUNS).is_dir() else ()
        if file.is_file() and any(is_run(folder) for folder in runs):
            return []
        problem = "is no list of a study, and it would be replaced"
        raise BadInput(file, "", problem, "move it away, or name another folder with --out") from error


def _note(out: Path, played: Sequence[Played]) -> None:
    """Write the list of arms."""
    listed = {"arms": [{"factors": dict(arm.factors), "folder": arm.folder.name, "run": arm.key} for arm in played]}
    try:
        write_atomic(out / STUDY, (json.dumps(listed, indent=1) + "\n").encode())
    except OSError as error:
        raise cannot_write(out, error) from None
