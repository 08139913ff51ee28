"""The study behind `nfsim demo`: how hard the objectives of the first campaign are, with all its charts.

What fits in a minute is played: games of a player that does not aim, and of one that aims at each objective. The
strongest player is too slow for that; its rates are those that were stored, if the game has some.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.contract.objectives import Length
from nfsim.contract.rule_set import NAMES, RuleSet, load_rule_set
from nfsim.log.folder import remove_run
from nfsim.log.read import Run, load
from nfsim.report.build import build_report, read_all
from nfsim.report.page import Answer, try_folder
from nfsim.report.source import Source
from nfsim.run.execute import holds_another, run
from nfsim.run.options import Options
from nfsim.run.scenario import Scenario, built_scenario
from nfsim.studies.difficulty import numbers
from nfsim.studies.difficulty.answer import difficulty_answer
from nfsim.studies.difficulty.numbers import Variant
from nfsim.studies.difficulty.variants import Asked, plan_variants
from nfsim.studies.forms import TITLE, nested, settings_of
from nfsim.studies.stored import Stored, read_stored
from nfsim.studies.study import play_study

AIMED_GAMES = 2_000  # of each objective and length, at most


@dataclass(frozen=True)
class Found:
    """What came out: the game's title, what it calls an objective, its lengths, their runs, the answer, the report."""

    title: str
    objective: str
    lengths: Sequence[Length]
    runs: list[Run]
    answer: Answer
    page: Path


def play_demo(games: int, under: Path, report: Path, options: Options) -> Found:
    """Play a run of each length and what aims at each objective, and write the report.

    Parameters
    ----------
    games : int
        Of each length; of each objective at most `AIMED_GAMES`.
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
        _make_room(folder, scenario, rule_set, options)
        with options.watching(scenario.title, "games") as watch:
            run(scenario, folder, jobs=options.jobs, watch=watch)
        folders.append(folder)
    found = [load(folder, content=False) for folder in folders]
    (group,) = read_all(folders)
    about = _answer(rule_set, group, min(games, AIMED_GAMES), under / "demo_aimed", options)
    return Found(title, rule_set.words.objective, lengths, found, about, build_report(folders, report, about))


def _make_room(folder: Path, scenario: Scenario, rule_set: RuleSet, options: Options) -> None:
    """Remove what another version, or another number of games, has left in a folder of the demo."""
    if holds_another(folder, scenario):
        remove_run(folder, [table.name for table in rule_set.tables])
        options.note(f"{folder}: held a run of an older version or other size; replacing it")


def _answer(rule_set: RuleSet, group: Sequence[Source], games: int, folder: Path, options: Options) -> Answer:
    """Play what aims at each objective, and say how hard each is."""
    campaign, lengths = rule_set.campaigns[0], rule_set.lengths
    aiming = [policy.name for policy in rule_set.policies() if _aims(policy)]
    asked = Asked(rule_set, [campaign], lengths, aiming[:1], games)
    planned = [each for each in plan_variants(asked) if each.aim] if aiming else []
    for each in planned:
        _make_room(folder / "runs" / each.variant.name, each.variant.scenario, rule_set, options)
    sources = play_study([each.variant for each in planned], folder, options, level="games") if planned else []
    variants = [
        *(
            Variant(campaign.name, length.rounds, source.policies, "", source)
            for length, source in zip(lengths, group, strict=True)
        ),
        *(numbers.variant_of(each, source) for each, source in zip(planned, sources, strict=True)),
    ]
    found, kinds = numbers.rates(variants), {each.player: "planner" for each in planned}
    stored = _stored(rule_set, group[0])
    text = []
    if stored is not None:
        found = pl.concat([found, stored.frame(campaign.name)], how="diagonal_relaxed")
        kinds[stored.policy] = "search"
        text = [
            f"{stored.policy} is too slow for a demo: its numbers were measured on {stored.date} with {stored.command}."
        ]
    titles = {campaign.name: campaign.title}
    about = difficulty_answer(found, numbers.comparisons(variants), pl.DataFrame(), kinds, titles, group)
    return Answer([*about.text, *text], about.picture)


def _aims(policy: Any) -> bool:
    """Tell whether a policy aims at objectives, quickly enough for a demo."""
    return bool(policy.details()["kind"] != "search" and policy.aiming(0, 1) is not None)


def _stored(rule_set: RuleSet, source: Source) -> Stored | None:
    """Return the stored rates of the strongest player, if they are about the records that were played with."""
    if rule_set.stored is None:
        return None
    found = read_stored(rule_set.stored)
    return found if found.records == source.catalogue("hash") else None
