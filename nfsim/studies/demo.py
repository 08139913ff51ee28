"""The study behind `nfsim demo`: the first campaign of the first game in its lengths, from games to a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nfsim.contract.objectives import Length
from nfsim.contract.rule_set import NAMES, load_rule_set
from nfsim.log.folder import remove_run
from nfsim.log.read import Run, load
from nfsim.report.build import build_report
from nfsim.report.page import try_folder
from nfsim.run.execute import holds_another, run
from nfsim.run.options import Options
from nfsim.run.scenario import built_scenario
from nfsim.studies.forms import TITLE, nested, settings_of


@dataclass(frozen=True)
class Found:
    """What came out: the game's title, what it calls an objective, its lengths, their runs, and the report."""

    title: str
    objective: str
    lengths: Sequence[Length]
    runs: list[Run]
    page: Path


def play_demo(games: int, under: Path, report: Path, options: Options) -> Found:
    """Play a run of each length, and write the report.

    Parameters
    ----------
    games : int
        Of each length.
    under : Path
        Folder of the runs; a run there that is another is replaced.
    report : Path
        Folder of the report.
    options : Options
    """
    rule_set = load_rule_set(NAMES[0])
    campaign, lengths = rule_set.campaigns[0], rule_set.lengths
    try_folder(report)
    folders, title = [], ""
    for length in lengths:
        settings = settings_of(campaign, length)
        data = {"game": rule_set.name, TITLE: campaign.settings[TITLE], "games": games, **nested(settings)}
        name = f"demo_{length.name}"
        scenario = built_scenario(data, "--games", name, (), {})
        title, _, _ = scenario.title.rpartition(", ")
        folder = under / name
        if holds_another(folder, scenario):
            remove_run(folder, [table.name for table in rule_set.tables])
            options.note(f"{folder}: held a run of an older version or other size; replacing it")
        with options.watching(scenario.title, "games") as watch:
            run(scenario, folder, jobs=options.jobs, watch=watch)
        folders.append(folder)
    found = [load(folder, content=False) for folder in folders]
    return Found(title, rule_set.words.objective, lengths, found, build_report(folders, report))
