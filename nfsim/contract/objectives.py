"""What a game is played for, and how a game calls what every game has: objectives, campaigns, lengths, words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Objective:
    """Something to be reached in a game: met or not, and by how much.

    A solo condition, beating a robot, surviving an invasion are objectives. Policies can aim at one, studies say how
    often it is met.

    Attributes
    ----------
    name : str
        Its label in the table ``objectives``.
    score : int
        Score that it asks for; 0 if it asks for none. The column ``margin`` is the score less this.
    requires : str
        What else it asks for, in words; '' for nothing.
    doubt : str
        What of it no source gives, in words; '' if all is known.
    campaign : str
        `Campaign.name` of the campaign that it belongs to; '' if it stands alone.
    """

    name: str
    score: int = 0
    requires: str = ""
    doubt: str = ""
    campaign: str = ""

    def same_as(self, other: Objective) -> bool:
        """Whether another one asks for the same: both are met, or none."""
        return (self.score, self.requires, self.campaign) == (other.score, other.requires, other.campaign)

    def needs(self, unit: str) -> str:
        """Return all that it asks for in words; `unit` is `Words.score`."""
        parts = (f"{self.score}+ {unit}" if self.score else "", self.requires)
        return "; ".join(filter(None, parts)) + (f" ({self.doubt})" if self.doubt else "")


def together(objectives: Sequence[Objective]) -> dict[Objective, list[str]]:
    """Put objectives that ask for the same together, under all their names: both are met, or none.

    Returns
    -------
    dict of Objective to list of str
        In order; the names that each stands for.
    """
    groups: list[list[Objective]] = []
    for objective in objectives:
        same = next((group for group in groups if objective.same_as(group[0])), None)
        if same is None:
            groups.append([objective])
        else:
            same.append(objective)
    names = [[objective.name for objective in group] for group in groups]
    return {
        replace(group[0], name=" and ".join(filter(None, (", ".join(each[:-1]), each[-1])))): each
        for group, each in zip(groups, names, strict=True)
    }


@dataclass(frozen=True)
class Reading:
    """Another reading of one objective of a campaign, shown beside the one that is played.

    Attributes
    ----------
    objective : str
        Its name.
    title : str
        What pages call it; it says that this is a guess.
    settings : mapping of str to value
        Keys of a scenario under which it is read so.
    """

    objective: str
    title: str
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class Campaign:
    """Objectives that are set together in one form of a game: what ``nfsim difficulty`` and ``thresholds`` ask about.

    Attributes
    ----------
    name : str
        As given on the command line: ``1``, ``hard`` ….
    title : str
        As said in texts: ``Campaign 1``.
    settings : mapping of str to value
        Keys of a scenario (``setup.campaign``) that make it this one, and the ``title`` of such a scenario.
    readings : tuple of Reading
        Other readings of its objectives that are worth a line.
    """

    name: str
    title: str
    settings: Mapping[str, Any]
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True)
class Length:
    """A length of a game that can be chosen.

    Attributes
    ----------
    name : str
        As given on the command line and in file names: ``short``.
    title : str
        As said in texts: ``10 rounds``.
    rounds : int
        Rounds that it has.
    settings : mapping of str to value
        Keys of a scenario that make a game this long.
    policies : mapping of str to str
        Names that stand for another policy in each length, for example ``tuned``.
    """

    name: str
    title: str
    rounds: int
    settings: Mapping[str, Any]
    policies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """What a game calls what every game has; texts use these.

    Attributes
    ----------
    score : str
        Unit of the score, in the plural: ``VPs``.
    objective, objectives : str
        One, and several.
    any_objective : str
        At least one of them, at the beginning of a line: ``Any condition``.
    alone : str
        A game with one seat, in headings: ``Solo``.
    record, records : str
        What its catalogue holds, one and several: ``tile``, ``tiles``.
    """

    score: str = "points"
    objective: str = "objective"
    objectives: str = "objectives"
    any_objective: str = "Any objective"
    record: str = "card"
    records: str = "cards"
    alone: str = "One player"

    @property
    def any(self) -> str:
        """At least one objective, inside a sentence and as the name of a rate."""
        return self.any_objective[:1].lower() + self.any_objective[1:]


DEFAULT_WORDS = Words()
