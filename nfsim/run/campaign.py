"""A campaign that a person plays: games in a row, each won by claiming another objective. It prints nothing.

How an objective is claimed, and what a chip mends, is the game's: see `nfsim.contract.series`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from nfsim.contract.series import MET, MISSED, SeriesRules
from nfsim.errors import BadInput
from nfsim.run.scenario import LARGEST_SEED, Scenario
from nfsim.run.session import Session

USE = "chip_used"  # column of `SeriesRules.table` whose labels name the sides of the chip


@dataclass(frozen=True)
class Claim:
    """An objective claimed, or that can be.

    Attributes
    ----------
    objective : str
    side : str
        Side of the chip that it takes, as ``chip_used`` has it; '' if the objective is met.
    """

    objective: str
    side: str = ""


@dataclass(frozen=True)
class Won:
    """A game that was won: what plays it again, and what was claimed."""

    choices: tuple[int, ...]
    fingerprint: str
    claim: Claim


@dataclass(frozen=True)
class Campaign:
    """A campaign as far as it has come, with the game at hand.

    Attributes
    ----------
    session : Session
        The game at hand, or the last one.
    number : int
        Of the campaign: its games have the numbers ``games * number`` and on, as in ``nfsim campaign`` with that seed.
    chip : bool
        Begun with what mends a near miss.
    won : tuple of Won
        Games won so far; the game at hand is among them only if it was the last of the campaign.
    """

    session: Session
    number: int
    chip: bool
    won: tuple[Won, ...] = ()

    @classmethod
    def begin(cls, scenario: Scenario, seed: int, number: int, *, chip: bool) -> Campaign:
        """Begin with the first game.

        Raises
        ------
        BadInput
            If the game has no campaigns, or no chip.
        """
        if scenario.rule_set.series is None:
            raise BadInput("--campaign", "", f"{scenario.rule_set.title} has no campaigns to be played")
        if chip and not scenario.rule_set.series().chip:
            title = scenario.rule_set.title
            raise BadInput("--so-close", "", f"{title} has nothing that mends a near miss", "leave it out")
        games = len(scenario.rule_set.objectives(scenario.prepared))
        if games * (number + 1) > LARGEST_SEED:
            raise BadInput("--game", "", f"must be below {LARGEST_SEED // games} in a campaign, not {number}")
        return cls(Session(scenario, seed, games * number), number, chip)

    @property
    def rules(self) -> SeriesRules:
        """How the game is played in a series."""
        assert self.session.scenario.rule_set.series is not None
        return self.session.scenario.rule_set.series()

    @property
    def objectives(self) -> list[str]:
        """Names of all objectives of the campaign."""
        scenario = self.session.scenario
        return [objective.name for objective in scenario.rule_set.objectives(scenario.prepared)]

    @property
    def open(self) -> list[str]:
        """Objectives that have not been claimed."""
        claimed = {won.claim.objective for won in self.won}
        return [name for name in self.objectives if name not in claimed]

    @property
    def has_chip(self) -> bool:
        """Whether the chip is there and not spent."""
        return self.chip and not any(won.claim.side for won in self.won)

    @property
    def claims(self) -> list[Claim]:
        """What can be claimed now; none before the game at hand is over."""
        if not self.session.game.finished or not self.open:
            return []
        labels = next(column.labels for column in self.rules.table.columns if column.name == USE)
        codes = dict(zip(self.objectives, self.session.game.claims(), strict=True))
        met = [Claim(name) for name in self.open if codes[name] == MET]
        if not self.has_chip or (met and self.session.scenario.prepared.tables[0].chip_last):
            return met
        return [
            Claim(name, "" if codes[name] == MET else labels[codes[name]])
            for name in self.open
            if codes[name] != MISSED
        ]

    @property
    def is_won(self) -> bool:
        """Whether every objective has been claimed."""
        return not self.open

    @property
    def is_lost(self) -> bool:
        """Whether the game at hand is over and allows no claim."""
        return self.session.game.finished and not self.is_won and not self.claims

    def claim(self, claim: Claim) -> Campaign:
        """Return the campaign after one of `claims`: with the next game, if there is one.

        Raises
        ------
        ValueError
            If it cannot be claimed.
        """
        if claim not in self.claims:
            raise ValueError(f"cannot be claimed: {claim.objective}")
        old = self.session
        after = replace(self, won=(*self.won, Won(tuple(old.choices), old.fingerprint, claim)))
        if after.is_won:
            return after
        return replace(after, session=Session(old.scenario, old.seed, old.number + 1))
