"""The study behind `nfsim difficulty`: its variants played, the numbers, the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.report.page import Answer, Section, try_folder, write_page
from nfsim.report.parts.misses import asked as asked_of
from nfsim.report.source import Source
from nfsim.run.options import Options
from nfsim.studies.difficulty import numbers, page
from nfsim.studies.difficulty.answer import difficulty_answer, first_answer
from nfsim.studies.difficulty.chances import all_chances
from nfsim.studies.difficulty.numbers import Variant
from nfsim.studies.difficulty.variants import Asked, Planned, plan_bags, plan_variants
from nfsim.studies.study import play_study

BAGS = "bags"  # folder of other sets of records


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    answer : Answer
    on_page : dict of str to DataFrame
        `frames` without the players that stand in files alone.
    frames : dict of str to DataFrame
        rates, comparisons, misses, shortfalls, bags, and campaigns if their chances were asked for.
    left_out : list of str
        Players without chances of campaigns.
    sources : list of Source
        The runs.
    page : Path
    """

    answer: Answer
    on_page: dict[str, pl.DataFrame]
    frames: dict[str, pl.DataFrame]
    left_out: list[str]
    sources: list[Source]
    page: Path


def study_difficulty(asked: Asked, folder: Path, options: Options, *, campaigns: bool = True) -> Found:
    """Play what is asked for, or what is missing of it, and write the page.

    Parameters
    ----------
    asked : Asked
    folder : Path
        Of the study.
    options : Options
        Chances of campaigns are computed from games that this machine plays.
    campaigns : bool
        Whether to compute the chances of whole campaigns; a game without series has none.
    """
    planned = plan_variants(asked)
    try_folder(folder)
    other = plan_bags(asked, planned, folder / BAGS, options.seed)
    every = _play([*planned, *other], folder, options)
    played = [numbers.variant_of(each, source) for each, source in zip((*planned, *other), every, strict=True)]
    variants, sources = played[: len(planned)], every[: len(planned)]
    halves, shortfalls = numbers.missing(variants)
    frames = {
        "rates": numbers.rates(variants),
        "comparisons": numbers.comparisons(variants),
        "misses": halves,
        "shortfalls": shortfalls,
    }
    bags = list(zip((each.bag for each in other), played[len(planned) :], strict=True))
    frames["bags"] = numbers.bag_rates(bags, frames["rates"])
    left_out: list[str] = []
    if campaigns and asked.rule_set.series is not None:
        frames["campaigns"], left_out = all_chances(planned, asked, options)
    titles = {campaign.name: campaign.title for campaign in asked.campaigns}
    sections = [
        _section(
            name,
            titles[name],
            variants,
            on_page(frames, asked.in_files_only),
            left_out,
            f"campaign{name}_" if len(titles) > 1 else "",
        )
        for name in titles
    ]
    heading = f"How hard the {asked.rule_set.words.objectives} are"
    kinds = {each.player: str(each.variant.scenario.seated[0].details()["kind"]) for each in planned}
    about = difficulty_answer(frames["rates"], frames["comparisons"], frames["bags"], kinds, titles, sources)
    return Found(
        about,
        on_page(frames, asked.in_files_only),
        frames,
        left_out,
        sources,
        write_page(folder, heading, about, sources, sections),
    )


def _play(planned: Sequence[Planned], folder: Path, options: Options) -> list[Source]:
    """Play all variants, first those of a quick answer, which is said as soon as they are there."""
    quick = _quick(planned)
    order = [*quick, *(place for place in range(len(planned)) if place not in quick)]
    heard: list[Variant] = []

    def each(source: Source) -> None:
        heard.append(numbers.variant_of(planned[order[len(heard)]], source))
        if len(heard) == len(quick):
            options.note(first_answer(numbers.rates(heard), source.words))

    found = play_study([planned[place].variant for place in order], folder, options, level="games", each=each)
    sources = dict(zip(order, found, strict=True))
    return [sources[place] for place in range(len(planned))]


def _quick(planned: Sequence[Planned]) -> list[int]:
    """Return the places of what the fastest player that aims plays in the first campaign and its shortest length."""
    aimed = [
        place
        for place, each in enumerate(planned)
        if each.aim
        and not each.bag
        and not each.reading
        and each.variant.scenario.seated[0].details()["kind"] != "search"
    ]
    if not aimed:
        return []
    one = planned[aimed[0]]
    key = one.campaign.name, one.length.name, one.player
    return [place for place in aimed if (planned[place].campaign.name, planned[place].length.name,
                                         planned[place].player) == key]  # fmt: skip


def on_page(frames: dict[str, pl.DataFrame], hidden: Sequence[str]) -> dict[str, pl.DataFrame]:
    """Return frames without the players whose numbers stand in the files alone."""

    def kept(frame: pl.DataFrame) -> pl.DataFrame:
        names = [name for name in ("player", "run") if name in frame.columns]
        return frame.filter(~pl.col(names[0]).is_in(list(hidden))) if names and len(frame) else frame

    return {name: kept(frame) for name, frame in frames.items()}


def _section(
    name: str,
    title: str,
    variants: Sequence[Variant],
    frames: dict[str, pl.DataFrame],
    left_out: Sequence[str],
    prefix: str,
) -> Section:
    """Return the section about a campaign."""
    own = {key: frame.filter(pl.col("campaign") == name) for key, frame in frames.items() if len(frame)}
    here = [variant for variant in variants if variant.campaign == name]
    words, metrics = here[0].source.words, here[0].source.metrics
    objectives = [objective for variant in here for objective in variant.source.objectives]
    needs = {
        (variant.rounds, objective.name): objective.needs(words.score)
        for variant in here
        for objective in variant.source.objectives
    }
    empty = pl.DataFrame()
    compared = own.get("comparisons", empty)
    missing: Any = (own["misses"], own["shortfalls"], asked_of(objectives), words, metrics)
    found = [
        page.hard(own["rates"], words),
        page.easiest_and_hardest(own["rates"], compared, words),
        page.campaign(own.get("campaigns", empty), left_out, metrics),
        page.lacking(*missing),
        page.everything(own["rates"], compared, page.misses_table(*missing), needs, words),
    ]
    return Section(title, found, prefix)
