"""A study: several variants, each a scenario played on the same seed, in run folders side by side.

A variant differs from the others in the levels of named factors (who plays, how many rounds, which patch). All
variants play the same games as far as they can: game 17 of one variant has the same random streams as game 17 of
another, so that they can be compared game by game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput
from nfsim.files import read_text, write_atomic
from nfsim.log.check import MANIFEST
from nfsim.log.folder import cannot_write, check_identity, identity_in
from nfsim.log.read import Run, load
from nfsim.log.records import run_key
from nfsim.log.verify import is_run, was_run
from nfsim.report.source import Source, read
from nfsim.run.execute import run
from nfsim.run.options import Options
from nfsim.run.progress import Stopped
from nfsim.run.provenance import policy_notes, run_identity
from nfsim.run.scenario import Scenario

STUDY = "study.json"
RUNS = "runs"
LONGEST_NAME = 100  # bytes of a folder's name: with a number behind it, and more before it, systems take 255
MOST_NAMED = 3  # variants that an error or a note names
MOST_BYTES = 10_000_000  # of a list of variants
SWAPPED = "give the folders of the runs their names back, or remove them and run the study again"


@dataclass(frozen=True)
class Variant:
    """One variant of a study.

    Attributes
    ----------
    scenario : Scenario
        What it plays.
    factors : mapping of str to str
        Level of each factor, as a reader sees it: ``{"policy": "balanced", "length": "10 rounds"}``. No two variants of
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
    """A variant that was played: its factors, the folder of its run, and the run's `run_key`, '' in older lists."""

    factors: Mapping[str, str]
    folder: Path
    key: str = ""

    @property
    def holds_another(self) -> bool:
        """Whether another run lies in its folder now, for example that of another variant."""
        try:
            there = identity_in(self.folder)
        except BadInput:  # damaged: whose run it is cannot be told
            return False
        return there is not None and self.key not in ("", run_key(there))


def folder_name(words: Iterable[str], joined: str = "_") -> str:
    """Return words as the name of a folder: what files are not named by is replaced, what is too long is cut."""
    name = joined.join(re.sub(r"[^\w.+-]+", "_", word).strip("_") for word in words)
    return name.encode()[:LONGEST_NAME].decode(errors="ignore")  # no half letter at the end


def play_variants(
    variants: Sequence[Variant],
    out: Path,
    options: Options,
    level: str = "rounds",
    each: Callable[[Played], None] = lambda _: None,
) -> list[Played]:
    """Play all variants of a study, or what is missing of them.

    Parameters
    ----------
    variants : sequence of Variant
        In the order in which they are played and reported.
    out : Path
        Folder of the study: a run folder for each variant in ``runs``, and ``study.json``, which lists them. A study
        that is there may be extended, not replaced: all its variants must be among `variants`.
    options : Options
        The same for all variants. A study that was begun on this machine goes on with a cluster, and the other way
        round.
    level : str
        As for `nfsim.run.execute.run`.
    each : callable
        Hears of each variant that has been played.

    Returns
    -------
    list of Played
        In the order of `variants`.

    Raises
    ------
    BadInput
        If the folder holds another study or another run, or a file ``study.json`` of something else, before anything
        is played; or it cannot be written.
    Stopped
        If the study was interrupted; what is complete is kept, and the same command goes on from there.
    """
    seed, jobs, cluster = options.seed, options.jobs, options.cluster
    names = _names(variants)
    check_study(variants, out)
    for variant, name in zip(variants, names, strict=True):
        if (out / RUNS / name).exists():
            check_identity(out / RUNS / name, run_identity(variant.scenario, seed, level))
    played = []
    for place, (variant, name) in enumerate(zip(variants, names, strict=True)):
        folder = out / RUNS / name
        try:
            with options.watching(f"{place + 1}/{len(variants)} {variant.label}", "games") as watch:
                run(variant.scenario, folder, seed=seed, jobs=jobs, level=level, watch=watch, cluster=cluster)
        except Stopped as stop:
            raise Stopped(stop.reason, out, place, len(variants), stop.exit_code, "variants", stop.goes_on) from None
        key = run_key(run_identity(variant.scenario, seed, level))
        played.append(Played(dict(variant.factors), folder, key))
        each(played[-1])
    _note(out, played)
    return played


def play_study(
    variants: Sequence[Variant],
    out: Path,
    options: Options,
    level: str = "rounds",
    each: Callable[[Source], None] | None = None,
    noted: Sequence[Variant] | None = None,
) -> list[Source]:
    """Play the variants of a study and open their runs, each labelled by its levels; see `play_variants`.

    Notes about policies are said of the variants `noted`: of all, if none are given.
    """
    for text in notes(variants if noted is None else noted, policy_notes):
        options.note(text)

    def opened(played: Played) -> Source:
        return replace(read(played.folder), label=", ".join(played.factors.values()))

    def hear(played: Played) -> None:
        if each is not None:
            each(opened(played))

    return [opened(played) for played in play_variants(variants, out, options, level, hear)]


def notes(variants: Sequence[Variant], of: Callable[[Any, Sequence[Any]], Sequence[str]]) -> list[str]:
    """Return the notes of all variants, each once, with the variants in which it holds if it does not hold in all.

    Parameters
    ----------
    variants : sequence of Variant
    of : callable
        Notes of a scenario and its policies, as `nfsim.run.provenance.policy_notes`.
    """
    found: dict[str, list[str]] = {}
    for variant in variants:
        for text in of(variant.scenario, variant.scenario.seated):
            found.setdefault(text, []).append(variant.label)
    said = []
    for text, labels in found.items():
        named = f" ({'; '.join(labels)})" if len(labels) <= MOST_NAMED else ""
        where = f"in {len(labels):,} of {len(variants):,} variants{named}: " if len(labels) < len(variants) else ""
        said.append(where + text)
    return said


def default_folder(kind: str, *words: str) -> Path:
    """Return the folder of a study that is given none: its name says what was asked for, so that others differ."""
    return Path("runs", folder_name([kind, *words]))


def read_study(out: Path) -> list[Played]:
    """Return the variants that a study's folder lists.

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
                {str(k): str(v) for k, v in variant["factors"].items()},
                _inside(out, str(variant["folder"])),
                str(variant.get("run", "")),
            )
            for variant in listed["variants"]
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
        By the levels of the variant, for example ``"10 rounds, balanced"``, in the order in which they were played.

    Raises
    ------
    BadInput
        If it is not the folder of a finished study, or runs in it are damaged or lie under the name of another variant.
    """
    runs = {}
    for variant in read_study(Path(out)):
        label = ", ".join(variant.factors.values())
        runs[label] = load(variant.folder)
        if variant.holds_another:
            raise BadInput(variant.folder, "", f'is not the run of the variant "{label}"', SWAPPED)
    return runs


def _inside(out: Path, name: str) -> Path:
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(name)
    return out / RUNS / name


def _names(variants: Sequence[Variant]) -> list[str]:
    """Return a folder name for each variant; those that would be the same get a number."""
    if len({tuple(variant.factors.items()) for variant in variants}) < len(variants):
        raise ValueError("two variants of a study have the same levels")
    names: list[str] = []
    for variant in variants:
        name, number = variant.name, 2
        while name.lower() in (other.lower() for other in names):
            name, number = f"{variant.name}-{number}", number + 1
        names.append(name)
    return names


def check_study(variants: Sequence[Variant], out: Path, *, all_variants: bool = True) -> None:
    """Refuse to replace the list and the page of another study: its variants would be left without any.

    Parameters
    ----------
    variants : sequence of Variant
        What is going to be played.
    out : Path
        Folder of the study, which need not exist.
    all_variants : bool
        Whether these are all; if not, it is enough that the study that is there has one of them.

    Raises
    ------
    BadInput
        If there is another study, or a file of something else that has the name of a study's list. A list that is
        damaged, beside runs, is written again.
    """
    listed = _listed(out)
    new = {tuple(variant.factors.items()) for variant in variants}
    lost = [", ".join(variant.factors.values()) for variant in listed if tuple(variant.factors.items()) not in new]
    if not all_variants and len(lost) < len(listed):
        return
    if lost:
        count = f"{len(lost):,}" if len(lost) < len(listed) else "all"
        named = "; ".join(f'"{label}"' for label in lost[:MOST_NAMED])
        more = f" and {len(lost) - MOST_NAMED:,} more" if len(lost) > MOST_NAMED else ""
        problem = f"holds another study: {count} of its variants would be left out ({named}{more})"
        raise BadInput(out, "", problem, "name another folder with --out")


def _listed(out: Path) -> list[Played]:
    """Return the variants that are listed; none without a list, or if it is damaged and can be written again."""
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
    """Write the list of variants."""
    listed = {
        "variants": [
            {"factors": dict(variant.factors), "folder": variant.folder.name, "run": variant.key} for variant in played
        ]
    }
    try:
        write_atomic(out / STUDY, (json.dumps(listed, indent=1) + "\n").encode())
    except OSError as error:
        raise cannot_write(out, error) from None


@dataclass(frozen=True)
class Problem:
    """What is wrong with a folder that is no run.

    Attributes
    ----------
    folder : Path
    text, remedy : str
    """

    folder: Path
    text: str
    remedy: str


def runs_in(place: Path, remedy: str) -> tuple[list[Path], list[Problem]]:
    """Return the runs that are meant by a folder, however deep they lie, and what is wrong around them.

    Parameters
    ----------
    place : Path
        Folder of a run, a study, or any folder of runs.
    remedy : str
        What to do where the same command helps.
    """
    if is_run(place):
        return [place], []
    if not place.is_dir():
        raise BadInput(place, "", "there is no such folder", "name the folder of a run, for example runs/demo_short")
    if (place / STUDY).is_file() or (place / RUNS).is_dir():
        return _of_study(place, remedy)
    runs, problems = _below(place, remedy)
    if not runs and not problems:
        raise BadInput(place, "", "is not the folder of a run (no manifest.json)", "name one that nfsim run wrote")
    return runs, problems


def _of_study(place: Path, remedy: str) -> tuple[list[Path], list[Problem]]:
    beside, problems = _below(place / RUNS, remedy) if (place / RUNS).is_dir() else ([], [])
    if not (place / STUDY).is_file():
        if beside:
            problems.append(Problem(place, f"the study is not finished: there is no {STUDY}", remedy))
        return beside, problems
    try:
        variants = read_study(place)
    except BadInput as error:
        if not beside:
            raise
        return beside, [*problems, Problem(place, f"{STUDY} {error.problem}", remedy)]
    there = [variant for variant in variants if is_run(variant.folder)]
    gone = [variant.folder.name for variant in variants if variant not in there]
    other = [variant.folder.name for variant in there if variant.holds_another]
    if gone:
        problems.append(Problem(place, f"these variants of the study are missing: {', '.join(gone)}", remedy))
    if other:
        text = f"these are not the runs of their variants: {', '.join(other)}"
        problems.append(Problem(place, text, f"{SWAPPED.capitalize()}."))
    return [variant.folder for variant in there], problems


def _below(place: Path, remedy: str) -> tuple[list[Path], list[Problem]]:
    """Return the runs in a folder, those of studies and of folders in it too."""
    found: list[Path] = []
    problems: list[Problem] = []
    for folder in sorted(entry for entry in place.iterdir() if entry.is_dir() and not entry.is_symlink()):
        if is_run(folder):
            found.append(folder)
            continue
        if was_run(folder):
            problems.append(Problem(folder, f"holds tables of a run, but its {MANIFEST} is missing", remedy))
            continue
        inside = _of_study if (folder / STUDY).is_file() or (folder / RUNS).is_dir() else _below
        runs, wrong = inside(folder, remedy)
        found += runs
        problems += wrong
    return found, problems
