"""The study behind `nfsim sweep`: its variants played, the numbers, the page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.report.formatting import integer
from nfsim.report.page import Part, Section, try_folder, write_page
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.run.options import Options
from nfsim.studies.results import plain
from nfsim.studies.study import play_study
from nfsim.studies.sweep import page as sweep_page
from nfsim.studies.sweep import variance
from nfsim.studies.sweep.numbers import Axis, Swept, chosen_rate, differences, figures, gather, named_figure
from nfsim.studies.sweep.variants import BAGS, Factor, Sweep

MANY = 12  # variants that the head of a page names one by one


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    title : str
    swept : Swept
    sources : list of Source
        The runs, in the order of the variants.
    rate : str
        The rate that was looked at.
    table : ReportTable
        Of the variants.
    frames : dict of str to DataFrame
    sentences : list of str
        What the page says.
    page : Path
    """

    title: str
    swept: Swept
    sources: list[Source]
    rate: str
    table: ReportTable
    frames: dict[str, pl.DataFrame]
    sentences: list[str]
    page: Path


def study_sweep(sweep: Sweep, folder: Path, options: Options, rate: str | None = None) -> Found:
    """Play the variants of a sweep, or what is missing of them, and write the page.

    Parameters
    ----------
    sweep : Sweep
    folder : Path
        Of the study.
    options : Options
    rate : str, optional
        The rate to look at.
    """
    if rate is not None:  # before anything is played
        named_figure(rate, common_figures(sweep))
    try_folder(folder)
    sources = play_study(sweep.variants, folder, options, level="games")
    swept = gather(axes_of(sweep), sources)
    chosen = chosen_rate(swept, rate)
    title = f"{sweep.base.shown_title}: sweep of {' × '.join(axis.title for axis in swept.axes)}"
    found, changed = variance.study(swept, chosen), differences(swept)
    parts = [*sweep_page.level_parts(swept, changed, chosen), *variance.parts(swept, found)]
    table = sweep_page.variants_table(swept, chosen)
    variants_part = Part(sweep_page.BY_VARIANT, about_variants(sweep), [table])
    section = Section(f"{integer(len(sweep.variants))} variants on the same deals", [variants_part, *parts])
    page = write_page(folder, title, sweep_page.answer(swept, chosen, sources), _named(sweep, sources), [section])
    sentences = [text for part in parts for text in part.text]
    frames = {"variants": table.frame, "differences": changed, **variance.frames(found)}
    return Found(title, swept, sources, chosen, table, frames, sentences, page)


def common_figures(sweep: Sweep) -> list[str]:
    """Return the figures that all variants will have."""
    scenarios = [variant.scenario for variant in sweep.variants]
    found = [figures(scenario.rule_set, scenario.prepared) for scenario in scenarios]
    return [figure for figure in found[0] if all(figure in other for other in found)]


def axes_of(sweep: Sweep) -> list[Axis]:
    """Return the factors of a sweep as its analysis wants them."""
    return [
        Axis(
            factor.name,
            tuple(level.label for level in factor.levels),
            _scale(sweep, factor),
            usual,
            factor.sampled,
            _heading(sweep, factor),
        )
        for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
    ]


def _heading(sweep: Sweep, factor: Factor) -> str:
    """Return what a heading calls a lever; '' for other factors."""
    if not any((factor.name, level.label) in sweep.turned for level in factor.levels):
        return ""
    catalogue = sweep.base.rule_set.catalogue
    return catalogue().lever_title(factor.name) if catalogue is not None else ""


def _scale(sweep: Sweep, factor: Factor) -> tuple[float, ...] | None:
    """Return the places of a factor's levels on a scale: where a lever missed its value, what it reached."""
    if not factor.numeric:
        return None
    reached = [sweep.turned.get((factor.name, level.label)) for level in factor.levels]
    return tuple(
        turned.reached if turned is not None else float(level.value or 0)
        for level, turned in zip(factor.levels, reached, strict=True)
    )


def about_variants(sweep: Sweep) -> list[str]:
    """Say what the variants are and what levers did."""
    counts = " × ".join(f"{len(factor.levels)} of {factor.name}" for factor in sweep.factors)
    text = f"{integer(len(sweep.variants))} variants ({counts}), {integer(sweep.base.games)} games each, same deals."
    levels = [(factor.name, level.label) for factor in sweep.factors for level in factor.levels]
    others = [
        factor.levels[usual].label
        for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
        if factor.name == "tiles"
    ]
    where = f" ({others[0]})" if others else ""
    drawn = ["What a lever on the bag takes out or doubles is drawn: another --seed chooses others."]
    return [
        text,
        *(f"{at[1]}{where}: {sweep.turned[at].text}." for at in levels if at in sweep.turned),
        *(drawn if any(name.startswith("bag.") for name, _ in sweep.turned) else []),
    ]


def drawn_bags(sweep: Sweep, folder: Path) -> str:
    """Say which bags were drawn."""
    number = next(len(factor.levels) for factor in sweep.factors if factor.sampled)
    drawn_from, seed = sweep.base.resolved.get("tiles"), sweep.seed
    records = sweep.base.rule_set.words.records.capitalize()
    return f"{records}: {number} bags drawn from {drawn_from} with seed {seed}, in {folder / BAGS}"


def usual_variant(sweep: Sweep) -> int:
    """Return the place of the variant in which all levels are as usual."""
    place = 0
    for factor, usual in zip(sweep.factors, sweep.usual, strict=True):
        place = place * len(factor.levels) + usual
    return place


def _named(sweep: Sweep, sources: list[Source]) -> list[Source]:
    """Return the runs that the head of the page names: all, or of many one for each level, the rest as usual."""
    if len(sources) <= MANY:
        return sources
    usual = [factor.levels[place] for factor, place in zip(sweep.factors, sweep.usual, strict=True)]
    bags = [factor.sampled for factor in sweep.factors]
    named = []
    for levels, source in zip(sweep.levels, sources, strict=True):
        off = [level is not common for level, common in zip(levels, usual, strict=True)]
        if sum(off) <= 1 and not any(o and b for o, b in zip(off, bags, strict=True)):
            named.append(source)
    return named


def numbers_of(sweep: Sweep, found: Found, folder: Path) -> dict[str, Any]:
    """Return everything as one object for JSON."""
    return {
        "title": found.title,
        "scenario": sweep.base.resolved,
        "factors": [
            {"name": factor.name, "levels": [level.label for level in factor.levels], "sampled": factor.sampled,
             "values": [level.value for level in factor.levels], "usual": factor.levels[usual].label}
            for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
        ],
        "levers": [{"factor": name, "level": level, "reached": turned.reached, "text": turned.text}
            for (name, level), turned in sweep.turned.items()],
        "rate": found.rate,
        "text": found.sentences,
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in found.frames.items()},
        "folder": str(folder),
        "page": str(found.page),
    }  # fmt: skip
