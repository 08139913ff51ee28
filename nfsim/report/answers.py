"""The answer that a page begins with: sentences that all pages share, and the answer of a report about runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from nfsim.report.formatting import integer, percent, rate
from nfsim.report.naming import title
from nfsim.report.page import Answer
from nfsim.report.parts import results
from nfsim.report.picture import Group, Picture
from nfsim.report.source import Source

NAMED = 3  # runs that an answer puts into words; all are in the picture


def report_answer(groups: Sequence[Group]) -> Answer:
    """Return what a report says first about its first group of runs.

    Parameters
    ----------
    groups : sequence of groups
        As `nfsim.report.build.read_all` returns them.
    """
    group = groups[0]
    met, won = results.objective_frame(group), results.win_frame(group)
    if not met.is_empty():
        text, picture = _alone(group, met), results.objectives_picture(met, group)
    elif not won.is_empty():
        text, picture = _together(group, won), results.wins_picture(won)
    else:
        text, picture = [f"There is nothing to count: {title(group)} has no finished games."], None
    more = [] if len(groups) == 1 else [f"{len(groups)} groups of runs cannot be compared; this is about the first."]
    sources = [source for each in groups for source in each]
    return Answer([*text, *more, *doubts(sources)], named(picture))


def _alone(group: Group, met: pl.DataFrame) -> list[str]:
    """Return how often objectives were met, run by run, the one met most often first."""
    words = group[0].words
    text = []
    for source in group[:NAMED]:
        own = met.filter(pl.col("run") == source.label)
        if own.is_empty():
            continue
        whole = own.filter(pl.col("objective") == words.any_objective).to_dicts()
        each = own.filter(pl.col("objective") != words.any_objective).sort("rate", descending=True).to_dicts()
        listed = ", ".join(f"{row['objective']} in {percent(row['rate'])}" for row in each)
        at_least = f" At least one was met in {_rate(whole[0])}." if whole and len(each) > 1 else ""
        name = f"{source.label}: " if len(group) > 1 else ""
        text.append(f"{name}{source.policies} met {listed} of {integer(source.games)} games.{at_least}")
    if len(group) > NAMED:
        text.append(f"The picture shows {len(group) - NAMED} more runs.")
    names = [name for source in group for name in source.seat_policies]
    return [*text, *aims(group[0], names)]


def _together(group: Group, won: pl.DataFrame) -> list[str]:
    """Return how often seats won, run by run."""
    text = []
    for source in group[:NAMED]:
        own = won.filter(pl.col("run") == source.label).sort("rate", descending=True).to_dicts()
        if not own:
            continue
        best, worst = own[0], own[-1]
        name = f"{source.label}: " if len(group) > 1 else ""
        sure = best["low"] > best["expected"] or worst["high"] < worst["expected"]
        seats = f"{best['name']} won most often, {_rate(best)} of {integer(source.games)} games"
        end = f"; {worst['name']} least, {_rate(worst)}."
        equal = f" Equal chances would be {percent(best['expected'])}"
        verdict = f"{equal}, and the difference is more than chance." if sure else f"{equal}; no seat is apart from it."
        text.append(f"{name}{seats}{end}{verdict}")
    if len(group) > NAMED:
        text.append(f"The picture shows {len(group) - NAMED} more runs.")
    return text


def named(picture: Picture | None) -> Picture | None:
    """Return a picture under the name of the answer's files: the same may stand among the details."""
    return None if picture is None else replace(picture, name="answer")


def aims(source: Source, names: Sequence[str]) -> list[str]:
    """Say of policies that do not aim at objectives that someone who aims meets more.

    Parameters
    ----------
    source : Source
        A run of the game.
    names : sequence of str
        Who played. Nothing is said of a policy that is not built in: nobody knows what it does.
    """
    count = len(source.objectives)
    known = {policy.name: policy.aiming(0, count) is not None for policy in source.rules.policies()} if count else {}
    idle = [name for name in dict.fromkeys(names) if known.get(name) is False]
    if not idle:
        return []
    words = source.words
    return [
        f"{_and(idle)} {'does' if len(idle) == 1 else 'do'} not aim at any {words.objective}: someone who goes for one "
        f"meets it more often. How hard each {words.objective} is, nfsim difficulty says."
    ]


def doubts(sources: Sequence[Source]) -> list[str]:
    """Say what the numbers leave open: chance, and records that nobody knows."""
    games = sorted({source.games for source in sources})
    n = integer(games[0]) if len(games) == 1 else f"{integer(games[0])} to {integer(games[-1])}"
    return [f"Brackets hold 95 % intervals: they cover the luck of {n} games. {unknown(sources[0])}".strip()]


def unknown(source: Source) -> str:
    """Say how many records are a guess; '' if all are known."""
    share: Mapping[str, Any] = source.catalogue("share", default={})
    total, guessed = share.get("total", 0), share.get("reconstructed", 0)
    if not guessed:
        return ""
    return (
        f"{guessed} of the {total} {source.words.records} are our guess; yours may differ, and no interval here covers "
        "that."
    )


def _rate(row: Mapping[str, Any]) -> str:
    return rate(row["rate"], row["low"], row["high"])


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
