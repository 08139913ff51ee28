"""What the commands share that play several arms and report on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nfsim.errors import BadInput

if TYPE_CHECKING:
    from nfsim.report.source import Source
    from nfsim.run.cluster import Cluster
    from nfsim.studies.study import Arm

MOST_NAMED = 3  # arms that a note names


def default_folder(kind: str, *words: str) -> Path:
    """Return the folder of a study that is given none: its name says what was asked for, so that others differ."""
    from nfsim.studies.study import folder_name

    return Path("runs", folder_name([kind, *words]))


def study_folder(out: str | None, usual: Path) -> Path:
    """Return the folder that ``--out`` names, or the usual one; `BadInput` if it is an address."""
    from nfsim.cli.options import path
    from nfsim.log.addresses import is_address, without_file

    if out is not None and is_address(without_file(out)):
        problem = f"{out} is an address, and the page is made from the rows of all arms"
        raise BadInput(
            "--out", "", problem, "name a folder of this machine; workers that do not see it send their rows"
        )
    return usual if out is None else path("--out", out)


def notes(arms: Sequence[Arm], of: Callable[[Any, Sequence[Any]], Sequence[str]]) -> list[str]:
    """Return the notes of all arms, each once, with the arms in which it holds if it does not hold in all.

    Parameters
    ----------
    arms : sequence of Arm
    of : callable
        Notes of a scenario and its policies, as `nfsim.run.provenance.policy_notes`.
    """
    found: dict[str, list[str]] = {}
    for arm in arms:
        for text in of(arm.scenario, arm.scenario.seated):
            found.setdefault(text, []).append(arm.label)
    said = []
    for text, labels in found.items():
        named = f" ({'; '.join(labels)})" if len(labels) <= MOST_NAMED else ""
        where = f"in {len(labels):,} of {len(arms):,} arms{named}: " if len(labels) < len(arms) else ""
        said.append(where + text)
    return said


def play_study(
    arms: Sequence[Arm],
    out: Path,
    *,
    seed: int,
    jobs: int | None,
    level: str = "rounds",
    quiet: bool,
    cluster: Cluster | None = None,
) -> list[Source]:
    """Play the arms of a study and open their runs, each labelled by its levels.

    Parameters
    ----------
    arms : sequence of Arm
        At least one.
    out : Path
        Folder of the study.
    seed, jobs, level, cluster : int, int or None, str, Cluster or None
        As for `nfsim.studies.study.play_arms`.
    quiet : bool
        Show no progress even on a terminal.

    Returns
    -------
    list of Source
        In the order of `arms`.
    """
    from dataclasses import replace

    from nfsim.cli.console import note
    from nfsim.cli.progress import watch_run
    from nfsim.report.source import read
    from nfsim.run.execute import check_options
    from nfsim.run.provenance import policy_notes
    from nfsim.studies.study import play_arms

    check_options(seed, jobs)
    for text in notes(arms, policy_notes):
        note(text)
    played = play_arms(
        arms,
        out,
        seed=seed,
        jobs=jobs,
        level=level,
        watching=lambda title: watch_run(title, quiet=quiet),
        cluster=cluster,
    )
    return [replace(read(each.folder), label=", ".join(each.factors.values())) for each in played]
