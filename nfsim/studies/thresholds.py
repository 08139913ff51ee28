"""The study behind `nfsim thresholds`: each campaign in its shortest and its next length, on the same deals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.contract.objectives import Campaign, Length, together
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.report.answers import aims, doubts
from nfsim.report.page import Answer, Part, Section, try_folder, write_page
from nfsim.report.parts import by_round, moved_thresholds, thresholds
from nfsim.report.picture import stack_runs
from nfsim.report.source import Source
from nfsim.run.options import Options
from nfsim.run.scenario import DEFAULT_GAMES, Scenario
from nfsim.stats.frames import label
from nfsim.studies.difficulty.variants import SLOW_GAMES
from nfsim.studies.forms import form_scenario, read_lengths
from nfsim.studies.study import Variant, play_study

AIMING = "aiming"  # each objective by the player that aims at it
IDLE = "tuned"  # who plays where nobody can aim
AIMED_GAMES = 10_000  # of each objective and length
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
        Who plays: a name, one that stands for another policy in each length, or `AIMING`.
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
    whole : dict of str to Pair
        Runs with all their tables: where each objective was played for, those of the first.
    page : Path
    answer : sequence of str
        Sentences that the page begins with.
    """

    pairs: dict[str, Pair]
    whole: dict[str, Pair]
    page: Path
    answer: Sequence[str]

    @property
    def first(self) -> Source:
        """The first run."""
        return next(iter(self.pairs.values()))[0]


def study_thresholds(asked: Asked, folder: Path, options: Options) -> Found:
    """Play what is asked for, or what is missing of it, and write the page."""
    lengths = read_lengths(asked.rule_set, None)[:2]
    if len(lengths) < 2:
        raise BadInput("--game", "", f"{asked.rule_set.title} has one length", "name a game that has two")
    planned = {campaign.name: _planned(asked, campaign, lengths) for campaign in asked.campaigns}
    try_folder(folder)
    variants = [variant for pairs in planned.values() for pair in pairs.values() for variant in pair]
    sources = play_study(variants, folder, options)
    played = iter(zip(sources[::2], sources[1::2], strict=True))
    by_aim = {name: {aim: next(played) for aim in pairs} for name, pairs in planned.items()}
    pairs = {name: _together(own) for name, own in by_aim.items()}
    sections = [
        Section(
            campaign.title,
            [thresholds.part(pair), moved_thresholds.part(pair), _by_round(by_aim[campaign.name])],
            f"campaign{campaign.name}_" if len(pairs) > 1 else "",
            pair,
        )
        for campaign, pair in zip(asked.campaigns, pairs.values(), strict=True)
    ]
    title = f"Thresholds, {lengths[0].title} against {lengths[1].rounds}: {players(next(iter(pairs.values())))}"
    first = {name: next(iter(own.values())) for name, own in by_aim.items()}
    about = answer(asked.campaigns, pairs)
    page = write_page(folder, title, about, sources, sections)
    return Found(pairs, first, page, about.text)


def _planned(asked: Asked, campaign: Campaign, lengths: Sequence[Length]) -> dict[str, tuple[Variant, Variant]]:
    """Return what is played in both lengths, by what is aimed at; one pair under '' where nobody aims."""
    who, aims_at = _who(asked, campaign, lengths[0])
    short, long = lengths
    return {
        aim: (_variant(asked, who, campaign, short, aim), _variant(asked, who, campaign, long, aim)) for aim in aims_at
    }


def _who(asked: Asked, campaign: Campaign, length: Length) -> tuple[str, Sequence[str]]:
    """Return who plays, and what is aimed at in turn: of objectives that ask for the same, the first."""
    if asked.policy != AIMING:
        return asked.policy, ("",)
    objectives = asked.rule_set.objectives(_scenario(asked, IDLE, campaign, length, {}).prepared)
    able = [
        policy.name
        for policy in asked.rule_set.policies()
        if policy.aiming(0, len(objectives)) is not None and policy.details()["kind"] != "search"
    ]
    if not able:
        return IDLE, ("",)
    chosen = any(text.partition("=")[0].strip() == "aim" for text in asked.settings)
    return able[0], ("",) if chosen else [names[0] for names in together(objectives).values()]


def _together(by_aim: Mapping[str, Pair]) -> Pair:
    """Return one pair in which each objective comes from the games that were played for it."""
    if len(by_aim) == 1:
        return next(iter(by_aim.values()))
    short, long = ([pair[side] for pair in by_aim.values()] for side in (0, 1))
    return _merged(short), _merged(long)


def _merged(sources: Sequence[Source]) -> Source:
    first = sources[0]
    own = [  # one run for each objective, in their order; those that ask for the same go together here and there
        source.tables["objectives"].filter(label("objective") == objective.name)
        for source, objective in zip(sources, first.objectives, strict=True)
    ]
    seats = [source.tables["seats"] for source in sources]
    who = first.seat_policies[0].partition("@")[0]
    return replace(
        first,
        tables={"objectives": pl.concat(own), "seats": pl.concat(seats)},
        manifest={**first.manifest, "policies": [f"{who}, going for each {first.words.objective} in turn"]},
    )


def _by_round(by_aim: Mapping[str, Pair]) -> Part:
    """Return the part about scores by round, of the games played for the first objective."""
    aim, pair = next(iter(by_aim.items()))
    part = by_round.part(pair)
    return replace(part, text=[f"These are the games played for {aim}.", *part.text]) if aim else part


def players(pair: Pair) -> str:
    """Say who plays both lengths."""
    return " / ".join(dict.fromkeys(source.policies for source in pair))


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
    who = f"Played by {players(next(iter(pairs.values())))}. Another player has other thresholds that are as hard."
    return Answer([*text, who, *aims(sources[0], names), *doubts(sources)], picture)


def _scenario(asked: Asked, who: str, campaign: Campaign, length: Length, more: Mapping[str, Any]) -> Scenario:
    overrides = {"policy": length.policies.get(who, who), **more}
    return form_scenario(asked.rule_set, campaign, length, asked.settings, overrides, ELSEWHERE)


def _variant(asked: Asked, who: str, campaign: Campaign, length: Length, aim: str) -> Variant:
    """Return a campaign in one length, played for one objective if there is an aim."""
    aimed = {"aim": aim} if aim else {}
    games = asked.games
    if games is None:
        first = _scenario(asked, who, campaign, length, aimed)
        (policy,) = first.seated
        weighs = policy.slow and "aim" not in first.resolved  # with one objective open there is nothing to plan
        games = SLOW_GAMES if weighs or not policy.compiled else AIMED_GAMES if aim else DEFAULT_GAMES
    factors = {"campaign": campaign.title, "length": length.title} | ({"aim": f"aimed at {aim}"} if aim else {})
    return Variant(_scenario(asked, who, campaign, length, {"games": games, **aimed}), factors)


def numbers_of(pair: Pair, whole: Pair) -> dict[str, list[dict[str, Any]]]:
    """Return the numbers of a campaign, ready for JSON: infinite and missing ones are null.

    Parameters
    ----------
    pair, whole : (Source, Source)
        Of `Found.pairs` and `Found.whole`.
    """
    frames = {
        "thresholds": thresholds.equally_hard(pair),
        "curves": thresholds.curve_frame(pair),
        "by_round": stack_runs(whole, by_round.by_round),
        "late_gains": by_round.late_gains(whole),
    }

    def known(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return {
        name: [{key: known(value) for key, value in row.items()} for row in frame.to_dicts()]
        for name, frame in frames.items()
    }
