"""The study behind `nfsim compare`: two runs or scenarios, opened or played, the numbers, the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.errors import BadInput
from nfsim.report.build import group_title, parts_of
from nfsim.report.naming import labelled
from nfsim.report.page import Answer, Section, try_folder, write_page
from nfsim.report.source import Source, read
from nfsim.run.options import Options
from nfsim.run.scenario import Scenario, read_scenario, scenario_from
from nfsim.studies.compare import usage
from nfsim.studies.compare.numbers import compare, paired, settings_that_differ
from nfsim.studies.compare.page import answer, comparison
from nfsim.studies.results import plain
from nfsim.studies.study import Variant, play_study


@dataclass(frozen=True)
class Sides:
    """What is compared.

    Attributes
    ----------
    first, second : Path
        Folder of a run, or a scenario.
    games, seed : int or None
        Of scenarios; None: as the other side, or as it says.
    policy : str or None
        Who plays scenarios.
    settings : sequence of str
        ``key=value`` for the second one.
    """

    first: Path
    second: Path
    games: int | None
    seed: int | None
    policy: str | None
    settings: Sequence[str]


@dataclass(frozen=True)
class Found:
    """What came out: both runs, how each figure differs, the page and its first sentences, use of changed records."""

    sources: list[Source]
    frame: pl.DataFrame
    page: Path
    answer: Sequence[str]
    use: Sequence[Mapping[str, Any]]


def study_comparison(sides: Sides, out: Path, options: Options) -> Found:
    """Open the runs, play the scenarios, compare them and write the page."""
    found = _sources(sides, out, options)
    if found[0].game != found[1].game:
        raise BadInput("B", "", f"plays {found[1].game}, A plays {found[0].game}", "compare runs of one game")
    try_folder(out)
    frame = compare(*found)
    said, use = _use(found, options)
    about = answer(found[0], found[1], frame, said)
    return Found(found, frame, _page(found, frame, about, out), about.text, use)


def _use(found: Sequence[Source], options: Options) -> tuple[list[str], list[dict[str, Any]]]:
    """Say whether records that were changed between the two were used, and by whom they would be."""
    scenarios = [source.say("scenario", default={}) for source in found]
    names = usage.changed(*scenarios)
    catalogue = found[1].rules.catalogue
    if not names or catalogue is None:
        return [], []
    try:
        scenario = scenario_from(scenarios[1], found[1].folder, found[1].folder.name)
    except BadInput:  # of a player or tiles that are not at hand here
        return [], []
    held = [name for name in names if name in catalogue().in_play(scenario.prepared)]
    used = usage.usage(found[1], held)
    who = usage.users(scenario, found[1], held, options.jobs) if used is not None else []
    own = [{**row, "policy": found[1].policies} for row in used or []]
    return usage.sentences(used, who, found[1], held), [*own, *who]


def _sources(sides: Sides, out: Path, options: Options) -> list[Source]:
    """Open the runs, play the scenarios, and label both."""
    named = (("A", sides.first), ("B", sides.second))
    opened = {option: read(file) for option, file in named if file.is_dir()}
    if len(opened) == 2 and any(value is not None for value in (sides.games, sides.seed, sides.policy)):
        raise BadInput("--games, --seed, --policy", "", "are for scenarios, and A and B are runs", "leave them out")
    if sides.settings and "B" in opened:
        raise BadInput("--set", "", "is for a scenario, and B is a run", "name a scenario as B, or leave it out")
    if sides.first.is_dir() and sides.first.resolve() == sides.second.resolve():
        raise BadInput("B", "", "is the same run as A", "name two runs, or a scenario to play")
    known = next(iter(opened.values()), None)
    games, seed = sides.games, sides.seed
    if known is not None:
        seed = int(known.say("seed")) if seed is None else seed
        games = known.games if games is None else games
    variants = {
        option: Variant(
            _scenario(file, sides.settings if option == "B" else [], games, sides.policy),
            {"side": f"{option}-{file.stem}"},
        )
        for option, file in named
        if option not in opened
    }
    if variants:
        seeded = options if seed is None else replace(options, seed=seed)
        level = _level([each.scenario for each in variants.values()], list(opened.values()))
        opened |= dict(zip(variants, play_study(list(variants.values()), out, seeded, level=level), strict=True))
    return labelled([opened[option] for option, _ in named])


def _level(scenarios: Sequence[Scenario], runs: Sequence[Source]) -> str:
    """Return how much is logged: who took which record, if records differ."""
    patches = [*(s.resolved.get("patch") or [] for s in scenarios), *(r.say("scenario", "patch") or [] for r in runs)]
    rule_set = scenarios[0].rule_set
    metrics = rule_set.metrics() if rule_set.metrics is not None else None
    if metrics is None or metrics.holdings is None or all(each == patches[0] for each in patches):
        return "rounds"
    return str(metrics.holdings.level)


def _scenario(file: Path, settings: Sequence[str], games: int | None, policy: str | None) -> Scenario:
    overrides = {"games": games, "policy": policy}
    return read_scenario(file, settings, {key: value for key, value in overrides.items() if value is not None})


def _page(found: list[Source], frame: pl.DataFrame, about: Answer, out: Path) -> Path:
    parts = comparison(found[0], found[1], frame)
    sections = [Section("Comparison", parts, "compare_")]
    title = f"{found[0].label} or {found[1].label}"
    if found[0].group == found[1].group:
        title = f"{group_title(found)}: {title}"
        sections.append(Section(group_title(found), parts_of(found), "both_"))
    return write_page(out, title, about, found, sections)


def numbers_of(found: Found) -> dict[str, Any]:
    """Return everything as one object for JSON."""
    sources = found.sources
    return {
        "runs": [{"label": source.label, "folder": str(source.folder), "games": source.games} for source in sources],
        "paired": paired(*sources),
        "settings": [
            dict(zip(("setting", "first", "second"), row, strict=True)) for row in settings_that_differ(*sources)
        ],
        "answer": list(found.answer),
        "use": [dict(row) for row in found.use],
        "differences": [plain(row) for row in found.frame.to_dicts()],
    }
