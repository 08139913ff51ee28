"""Campaigns as a series of games, each won by claiming another objective; a game offers it through `RuleSet.series`.

Between two games a campaign stands in a position (mask, chip): bit c of `mask` is set while objective c is open, `chip`
is 1 while there is something that mends one near miss, if the game has such a thing. What a game's end allows to claim
is the game's to say; what claims are worth is computed from that, the same for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.tables import Table

Floats = NDArray[np.float64]
Position = tuple[int, int]
"""Mask of open objectives, and 1 with the chip, 0 without."""

MET, MISSED = 0, 3
"""How an objective can be claimed at a game's end: as it is, or not at all; codes between: with the chip."""


@dataclass(frozen=True)
class Series:
    """Campaigns to be won one after the other without a game lost.

    Attributes
    ----------
    campaigns : tuple of Prepared
        In order; each is the game with the objectives of one campaign.
    objectives : tuple of tuple of str
        By campaign: the names of its objectives, one for each of its games.
    numbers : tuple of int
        By campaign: its place in `RuleSet.campaigns`, from 1; as the column ``campaign`` has it.
    policy : Policy
        Compiled.
    chip : bool
        With one chip for all of them.
    worth : tuple of ndarray of float64, shape (mask, chip, objective, 2)
        By campaign, once it is known: what claiming an objective is worth in each position, without and with the chip.
    """

    campaigns: tuple[Any, ...] = field(repr=False)
    objectives: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]
    policy: Any
    chip: bool = False
    worth: tuple[Floats, ...] = field(default=(), repr=False)

    @property
    def plans(self) -> bool:
        """Whether the policy aims at objectives, and so plays otherwise in every position."""
        return self.policy.aiming(0, len(self.objectives[0])) is not None

    @property
    def sizes(self) -> tuple[int, ...]:
        """Games of each campaign: one for each of its objectives."""
        return tuple(map(len, self.objectives))

    @property
    def games(self) -> int:
        """Games of a whole run."""
        return sum(self.sizes)

    @property
    def names(self) -> list[str]:
        """Names of the objectives, campaign by campaign: labels of the columns `target` and `claimed`."""
        return [name for names in self.objectives for name in names]

    @property
    def tile_hash(self) -> str:
        """SHA-256 of what is played with: see `nfsim.contract.rule_set.Prepared`."""
        return str(self.campaigns[0].tile_hash)

    @property
    def rulings(self) -> Mapping[str, str]:
        """Reading in force for every ruling, by switch."""
        found: Mapping[str, str] = self.campaigns[0].rulings
        return found


@dataclass(frozen=True)
class SeriesRules:
    """How a game is played in a series.

    Attributes
    ----------
    table : Table
        Rows of ``nfsim campaign``, one a game: ``campaign_run``, ``campaign`` (its number), ``game_in_run``, ``game``,
        ``target`` and ``claimed`` (objectives or null), ``chip_used`` (``none``, or a side of the chip), ``won``. Its
        label columns without labels of their own name `Series.names`.
    ends : Table
        One row a run with the ``status`` of its last game; not written.
    claims : callable
        ``(rows, objectives) -> codes``, shape (game, objective): how each game could claim each objective, from the
        rows of its tables ``games`` and ``objectives``: `MET` … `MISSED`.
    weighing : callable
        ``(policy, worth) -> policy`` that plays by what claims are worth, shape (objective, 2).
    engine : callable
        ``series -> Engine`` that plays runs through a series whose worth is known.
    provenance : callable
        ``campaigns -> dict``: as `RuleSet.provenance`, of several campaigns together.
    chip : str
        What mends a near miss, as texts say it: ``So Close chip``; '' if there is no such thing.
    chip_name : str
        The same by its name alone: ``So Close``.
    sides : mapping of str to str
        How each side of the chip mends a miss, in words, by its label in ``chip_used``.
    all_title, all_name : str
        What all campaigns in a row are called, and the folder of their run.
    """

    table: Table
    ends: Table
    claims: Callable[[Mapping[str, Any], int], NDArray[np.int64]]
    weighing: Callable[[Any, Floats], Any]
    engine: Callable[[Series], Any]
    provenance: Callable[[Sequence[Any]], dict[str, Any]]
    chip: str = ""
    chip_name: str = ""
    sides: Mapping[str, str] = field(default_factory=dict)
    all_title: str = "All campaigns"
    all_name: str = "all"
