"""What the commands share that play several arms and report on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nfsim.report.source import Source
    from nfsim.run.arms import Arm


def play_study(
    arms: Sequence[Arm], out: Path, *, seed: int, jobs: int | None, level: str = "rounds", quiet: bool
) -> list[Source]:
    """Play the arms of a study and open their runs, each labelled by its levels.

    Parameters
    ----------
    arms : sequence of Arm
        At least one.
    out : Path
        Folder of the study.
    seed, jobs, level : int, int or None, str
        As for `nfsim.run.arms.play_arms`.
    quiet : bool
        Show no progress even on a terminal.

    Returns
    -------
    list of Source
        In the order of `arms`.
    """
    from dataclasses import replace

    from nfsim.cli.progress import say_notes, watch_run
    from nfsim.report.source import read
    from nfsim.run.arms import play_arms
    from nfsim.run.execute import check_options

    check_options(seed, jobs, level)
    say_notes(arms[0].scenario, list({policy.name: policy for arm in arms for policy in arm.scenario.seated}.values()))
    played = play_arms(
        arms, out, seed=seed, jobs=jobs, level=level, watching=lambda title: watch_run(title, quiet=quiet)
    )
    return [replace(read(each.folder), label=", ".join(each.factors.values())) for each in played]
