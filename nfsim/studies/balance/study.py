"""The study behind `nfsim balance`: its variants played, the numbers, the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.report.build import parts_of
from nfsim.report.page import Part, Section, try_folder, write_page
from nfsim.report.source import Source, read
from nfsim.run.execute import run
from nfsim.run.options import Options
from nfsim.run.scenario import Scenario
from nfsim.studies.balance import effects
from nfsim.studies.balance.effects import Changed, holdings_of, most_owned
from nfsim.studies.balance.page import answer, ratings_part, record_parts, variants_part
from nfsim.studies.balance.ratings import Player, player, ratings
from nfsim.studies.balance.variants import BASE, RECORD, record_variants
from nfsim.studies.results import plain
from nfsim.studies.study import RUNS, Variant, check_study, play_study

LONG = 120.0  # seconds from which it is said how long the variants will take


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    scenario : Scenario
    base : Source
        The games as they are.
    names : list of str
        Records looked at.
    frames : dict of str to DataFrame
    parts : sequence of Part
        About the games as they are.
    page : Path
    answer : sequence of str
        Sentences that the page begins with.
    """

    scenario: Scenario
    base: Source
    names: list[str]
    frames: dict[str, pl.DataFrame]
    parts: Sequence[Part]
    page: Path
    answer: Sequence[str]


def study_balance(
    scenario: Scenario,
    second: Scenario | None,
    wanted: list[str] | int,
    moves: Sequence[int],
    folder: Path,
    options: Options,
) -> Found:
    """Play the games as they are, choose the records to look at, play the other variants, and write the page.

    Parameters
    ----------
    scenario : Scenario
    second : Scenario or None
        The same with another player in all seats: a second column of the table.
    wanted : list of str or int
        Names of records, or how many of those that seats own most often.
    moves : sequence of int
        By how much costs are moved.
    folder : Path
        Of the study.
    options : Options
    """
    try_folder(folder)
    check_study([Variant(scenario, BASE)], folder, all_variants=False)
    base = _play_base(scenario, folder, options)
    level = holdings_of(base).level
    names = wanted if isinstance(wanted, list) else most_owned(base, wanted)
    variants, skipped = record_variants(scenario, names, moves)
    for text in skipped:
        options.note(text)
    others = _with_player(second, names)
    _say_time(base, len(variants) + len(others), options.note)
    as_they_are = [
        *variants[:1],
        *others[:1],
    ]  # in the others tiles are missing on purpose: that weights know them is clear
    base, *played = play_study([*variants, *others], folder, options, level=level, noted=as_they_are)
    changed = _changed(variants[1:], played)
    frames = numbers(base, changed)
    players = [Player(base.policies, base, frames["owned"])]
    if others:
        own = played[len(changed) :]
        players.append(player(own[0].policies, own[0], _changed(others[1:], own[1:])))
    records = scenario.rule_set.need_catalogue("SCENARIO").in_play(scenario.prepared)
    frames["ratings"] = ratings(players, {name: record.kind for name, record in records.items()}) if names else _NONE
    page, parts, said = _write(scenario, base, changed, frames, folder, chosen_how(names, wanted, base))
    return Found(scenario, base, names, frames, parts, page, said)


_NONE = pl.DataFrame()


def _with_player(second: Scenario | None, names: Sequence[str]) -> list[Variant]:
    """Return what a second player plays: the games as they are, and those without each record."""
    if second is None or not names:
        return []
    own, _ = record_variants(second, names, [])
    return [replace(each, factors={"player": second.policies[0], **each.factors}) for each in own]


def _changed(variants: Sequence[Variant], played: Sequence[Source]) -> list[Changed]:
    return [
        Changed(variant.factors[RECORD], variant.factors["change"], source)
        for variant, source in zip(variants, played, strict=False)
    ]


def _play_base(scenario: Scenario, out: Path, options: Options) -> Source:
    """Play the games as they are: which records are looked at depends on them."""
    level = scenario.rule_set.levels[-1]
    folder = out / RUNS / Variant(scenario, BASE).name
    with options.watching(scenario.shown_title, "games") as watch:
        run(scenario, folder, seed=options.seed, jobs=options.jobs, level=level, watch=watch, cluster=options.cluster)
    return read(folder)


def _say_time(base: Source, variants: int, note: Callable[[str], None]) -> None:
    """Say how long the variants take and how much room they need, if it is long."""
    seconds = float(base.say("wall_seconds", default=0.0)) * (variants - 1)
    if seconds < LONG:
        return
    size = sum(file.stat().st_size for file in base.folder.rglob("*") if file.is_file()) * variants
    note(f"{variants} variants of {base.games:,} games take about {seconds / 60:.0f} minutes and {size / 1e9:.1f} GB; "
         "Ctrl-C keeps what is complete")  # fmt: skip


def numbers(base: Source, changed: Sequence[Changed]) -> dict[str, pl.DataFrame]:
    """Return the frames of the study by name."""
    return {
        "owned": effects.owned(base, changed),
        "alike": effects.alike(base, changed),
        "differences": effects.differences(base, changed),
        "prices": effects.prices(base, changed),
    }


def chosen_how(names: Sequence[str], wanted: list[str] | int, base: Source) -> str:
    """Say which records are looked at."""
    records = base.words.records
    if isinstance(wanted, int):
        kinds = [f"the {wanted} {kind}s" if wanted > 1 else f"the {kind}" for kind in holdings_of(base).kinds]
        return (
            f"The {len(names)} {records} looked at are {' and '.join(kinds)} that seats own most often at the end "
            f"(--tiles top:{wanted}); other {records} may matter more or less."
        )
    return f"The {records} looked at are those asked for ({len(names)}, --tiles)."


def _write(
    scenario: Scenario,
    base: Source,
    changed: Sequence[Changed],
    frames: Mapping[str, pl.DataFrame],
    out: Path,
    how: str,
) -> tuple[Path, Sequence[Part], Sequence[str]]:
    """Write the page; return it, the parts about the games as they are, and the answer."""
    alone = replace(base, label="Games as they are")
    found = parts_of([alone])
    sections = [Section("Games as they are", found, "base_")]
    if changed:
        first, *more = record_parts(
            frames["owned"], frames["alike"], frames["differences"], frames["prices"], base
        )  # fmt: skip
        first = replace(first, text=[how, *first.text])
        # what was patched is long and read last
        records = base.words.records
        shown = [ratings_part(frames["ratings"], base), first, *more]
        sections = [Section(records.capitalize(), shown, "tiles_"), *sections,
                    Section(f"What was played for the {records}", [variants_part(changed)], "variants_")]  # fmt: skip
    about = answer(frames["ratings"], alone)
    return write_page(out, f"Balance: {scenario.shown_title}", about, [alone], sections), found, about.text


def numbers_of(found: Found) -> dict[str, Any]:
    """Return the numbers as one object for JSON."""
    base, names, frames = found.base, found.names, found.frames
    return {
        "scenario": base.title,
        "games": base.games,
        "seed": base.say("seed"),
        "policies": base.seat_policies,
        "tiles_changed": list(names),
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in frames.items()},
        "tiles": base.say("tiles"),
    }
