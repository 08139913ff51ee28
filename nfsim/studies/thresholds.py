"""The study behind `nfsim thresholds`: each campaign in its shortest and its next length, on the same deals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nfsim.contract.objectives import Campaign, Length
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.report.answers import aims, doubts
from nfsim.report.page import Answer, Section, try_folder, write_page
from nfsim.report.parts import by_round, moved_thresholds, thresholds
from nfsim.report.picture import stack_runs
from nfsim.report.source import Source
from nfsim.run.options import Options
from nfsim.run.scenario import DEFAULT_GAMES
from nfsim.studies.difficulty.variants import SLOW_GAMES
from nfsim.studies.forms import form_scenario, read_lengths
from nfsim.studies.study import Variant, play_study

ELSEWHERE = {"policy": "--policy says that", "games": "--games says that"}
Pair = tuple[Source, Source]
"""The runs of the shorter and the longer game."""


@dataclass(frozen=True)
class Asked:
    """What was asked for.

    Attributes
    ----------
    rule_set : RuleSet
    campaigns : sequence of Campaign
    policy : str
        Who plays, or a name that stands for another policy in each length.
    games : int or None
        Of each length; None: as many as are usual for the policy.
    settings : sequence of str
        ``key=value`` of ``--set``.
    """

    rule_set: RuleSet
    campaigns: Sequence[Campaign]
    policy: str
    games: int | None
    settings: Sequence[str]


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    pairs : dict of str to Pair
        By name of the campaign.
    page : Path
    """

    pairs: dict[str, Pair]
    page: Path

    @property
    def first(self) -> Source:
        """The first run."""
        return next(iter(self.pairs.values()))[0]


def study_thresholds(asked: Asked, folder: Path, options: Options) -> Found:
    """Play what is asked for, or what is missing of it, and write the page."""
    lengths = read_lengths(asked.rule_set, None)[:2]
    if len(lengths) < 2:
        raise BadInput("--game", "", f"{asked.rule_set.title} has one length", "name a game that has two")
    variants = [_variant(asked, campaign, length) for campaign in asked.campaigns for length in lengths]
    try_folder(folder)
    sources = play_study(variants, folder, options)
    pairs = {
        campaign.name: (sources[2 * place], sources[2 * place + 1]) for place, campaign in enumerate(asked.campaigns)
    }
    sections = [
        Section(
            campaign.title,
            [thresholds.part(pair), moved_thresholds.part(pair), by_round.part(pair)],
            f"campaign{campaign.name}_" if len(pairs) > 1 else "",
            pair,
        )
        for campaign, pair in zip(asked.campaigns, pairs.values(), strict=True)
    ]
    title = f"Thresholds, {lengths[0].title} against {lengths[1].rounds}: {asked.policy}"
    return Found(pairs, write_page(folder, title, answer(asked.campaigns, pairs), sources, sections))


def answer(campaigns: Sequence[Campaign], pairs: Mapping[str, Pair]) -> Answer:
    """Return which threshold of the longer game is as hard as that of the shorter one, and the picture of the first."""
    text, picture = [], None
    for campaign in campaigns:
        pair = pairs[campaign.name]
        frame = thresholds.equally_hard(pair)
        name = f"{campaign.title}: " if len(campaigns) > 1 else ""
        text += [f"{name}{sentence}" for sentence in thresholds.verdict(pair, frame)]
        picture = picture or thresholds.picture(pair, frame, "answer")
    sources = [source for pair in pairs.values() for source in pair]
    names = [name for source in sources for name in source.seat_policies]
    return Answer([*text, *aims(sources[0], names), *doubts(sources)], picture)


def _variant(asked: Asked, campaign: Campaign, length: Length) -> Variant:
    """Return a campaign in one length."""
    overrides: dict[str, Any] = {"policy": length.policies.get(asked.policy, asked.policy)}

    def scenario(more: dict[str, Any]) -> Any:
        return form_scenario(asked.rule_set, campaign, length, asked.settings, overrides | more, ELSEWHERE)

    games = asked.games
    if games is None:
        (who,) = scenario({}).seated
        games = SLOW_GAMES if who.slow or not who.compiled else DEFAULT_GAMES
    return Variant(scenario({"games": games}), {"campaign": campaign.title, "length": length.title})


def numbers_of(pair: Pair) -> dict[str, list[dict[str, Any]]]:
    """Return the numbers of a campaign, ready for JSON: infinite and missing ones are null."""
    frames = {
        "thresholds": thresholds.equally_hard(pair),
        "curves": thresholds.curve_frame(pair),
        "by_round": stack_runs(pair, by_round.by_round),
        "late_gains": by_round.late_gains(pair),
    }

    def known(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return {
        name: [{key: known(value) for key, value in row.items()} for row in frame.to_dicts()]
        for name, frame in frames.items()
    }
