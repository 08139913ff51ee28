"""What a game tells reports and studies about its figures: names, units, words, and parts of reports of its own.

A rule set offers it as `RuleSet.metrics`. A game without it has every part that rests on the standard columns
(`nfsim.contract.tables.STANDARD`); what stands here adds what only that game knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

    from nfsim.report.page import Part
    from nfsim.report.source import Source
    from nfsim.stats.frames import Tables

TOTAL = "Total"
RESULTS, START, POLICIES, THRESHOLDS, MOVED, MISSES, SCORE, BY_ROUND, OWNED, LENGTHS = (
    "results", "start order", "policies", "thresholds", "moved thresholds", "misses", "score", "by round", "owned",
    "lengths",
)  # fmt: skip
ORDER = (RESULTS, START, POLICIES, THRESHOLDS, MOVED, MISSES, SCORE, BY_ROUND, OWNED, LENGTHS)
"""Parts that every report has, in the order in which they are read; empty ones are left out."""


@dataclass(frozen=True)
class Figure:
    """Something that a player has at the end of a game, which comparisons show game by game.

    Attributes
    ----------
    name : str
        As tables and charts call it.
    column : str
        Of the table ``seats``; with several players a game counts by their mean.
    unit : str
        What it counts.
    swept : bool
        Whether sweeps show it too.
    """

    name: str
    column: str
    unit: str
    swept: bool = False


@dataclass(frozen=True)
class OwnPart:
    """A part of a report that only this game has.

    Attributes
    ----------
    after : str
        One of `ORDER`: the part it stands behind.
    part : callable
        ``runs that can be compared -> Part``.
    """

    after: str
    part: Callable[[Sequence[Source]], Part]


@dataclass(frozen=True)
class Mending:
    """What can be made up for after a game, so that a near miss counts.

    Attributes
    ----------
    score : int
        Score that may be missing.
    name : str
        What mends it: ``So Close``.
    text : str
        What it can do, in a sentence.
    """

    score: int
    name: str
    text: str


@dataclass(frozen=True)
class Holdings:
    """Who held which record of the catalogue.

    Attributes
    ----------
    rows : callable
        ``tables -> LazyFrame`` with a row for each record that a seat of a game held: game, seat, record (as stored),
        kind, round (in which the seat came to it), owned (whether it counts at the end), owned_round (in which it was
        paid for).
    table, level : str
        The table it is made from, and the log level that writes it.
    kinds : tuple of str
        Kinds of record, in order.
    title : str
        Heading of what is said about owners.
    in_place : str
        How a record that cannot be had keeps its place, in a phrase.
    verbs : tuple of str
        What a seat did with a record that it came to, and with one that counts at the end.
    about_effects, about_cost : str
        What a reader must know of effects of records, and of what moves with a cost, in sentences.
    """

    rows: Callable[[Tables], pl.LazyFrame]
    table: str
    level: str
    kinds: tuple[str, ...]
    title: str
    in_place: str = "without it, nobody can have it"
    verbs: tuple[str, str] = ("taken", "owned at the end")
    about_effects: str = ""
    about_cost: str = ""


def _no_rows(_scenario: Mapping[str, Any], _players: int) -> None:
    return None


@dataclass(frozen=True)
class Metrics:
    """What a game tells about its figures.

    Attributes
    ----------
    score : str
        What the score is called in headings, in the plural: ``victory points``.
    score_parts : mapping of str to str
        Names of the parts that a score is the sum of, with their columns in ``seats`` and ``rounds``.
    about_parts : str
        What a reader must know of them.
    figures : sequence of Figure
        What comparisons show besides the standard columns.
    also_swept : tuple of str
        Names of `score_parts` that sweeps show too.
    about_start : str
        What the share of wins by start order is, in a sentence.
    headline : str
        Name of a score part that sentences about sweeps name besides the score; '' for none.
    parts : sequence of OwnPart
        Parts of reports of its own.
    chances : callable, optional
        ``run -> {question: frame}``: categories dealt at random whose chances should be equal, each as
        `nfsim.report.parts.seats.estimates` gives them.
    about_drawn : str
        What numbers about sets of records drawn at random rest on, in a sentence.
    dealt : callable, optional
        ``run -> frame``: records that are dealt or drawn and cannot be left out one by one, with the columns record,
        kind, games (in which a seat could take it), taken (in which one did), n, effect (share of the win, one player:
        score; of the seats that took it, less the average seat of the same policy), low, high, p.
    holdings : Holdings, optional
        Who held what; without it nothing is said about records, and none can be taken out of games one by one.
    mending : Mending, optional
        What mends a near miss.
    about_series : str
        What the chance of a whole campaign is, and how it is computed, in sentences.
    rest : str
        What an objective may ask for besides a score, in brackets: ``a count, a tile``.
    claims : sequence of str
        What numbers about objectives cannot claim, in sentences.
    setup : callable
        ``(scenario, players) -> [(name, text)]``: the settings of a run, for the head of a page; None to list them as
        they are.
    """

    score: str = "scores"
    score_parts: Mapping[str, str] = field(default_factory=dict)
    about_parts: str = ""
    figures: Sequence[Figure] = ()
    also_swept: tuple[str, ...] = ()
    about_start: str = "Share of games won by place in the start order."
    headline: str = ""
    parts: Sequence[OwnPart] = ()
    chances: Callable[[Source], Mapping[str, pl.DataFrame]] | None = None
    about_drawn: str = ""
    dealt: Callable[[Source], pl.DataFrame] | None = None
    holdings: Holdings | None = None
    mending: Mending | None = None
    about_series: str = ""
    rest: str = ""
    claims: Sequence[str] = ()
    setup: Callable[[Mapping[str, Any], int], Sequence[tuple[str, str]] | None] = _no_rows

    @property
    def sources(self) -> dict[str, str]:
        """Names and columns of the parts of a score, and last of the whole."""
        return {**self.score_parts, TOTAL: "score"}


DEFAULT = Metrics()
