"""The part of a scenario that belongs to this game: setup, rulings, tile set, patches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.tiles.tile_set import Patch, TileSet
from nfsim.validation import FieldError, checked, quoted, unknown

SHORT_ROUNDS = 10  # 000 p. 2: up to so many rounds a solo game counts as short
SAFETY_ROUNDS = 60  # with other players the ends of the game come long before


class Part(BaseModel):
    """Base: unknown keys and values of another type are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Setup(Part):
    """`[setup]`: who plays what.

    Attributes
    ----------
    players : int
        1 is solo (with two dummies), 2 to 5.
    expansion : {"starry_rift", "base"}
    goals : bool
        With goals, and Chart Galactic Goals instead of Retreat into Isolation.
    campaign : int, optional
        Solo only: whose four conditions are evaluated, 1 to 6; 1 if not set.
    rounds : int, optional
        Solo: the game ends after so many (10 if not set). With others: a safety limit (60).
    length : {"short", "long"}, optional
        Solo only: which thresholds hold; if not set, short up to 10 rounds.
    """

    players: Annotated[int, Field(ge=1, le=5)] = 1
    expansion: Literal["starry_rift", "base"] = "starry_rift"
    goals: bool = True
    campaign: Annotated[int, Field(ge=1, le=6)] | None = None
    rounds: Annotated[int, Field(ge=1, le=60)] | None = None
    length: Literal["short", "long"] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.players == 1 and self.expansion == "base":
            raise FieldError("expansion", 'solo is played with the expansion; set expansion = "starry_rift"')
        if self.players == 1 and not self.goals:
            raise FieldError("goals", "solo is played with goals; set goals = true")
        if self.players > 1:
            for key in ("campaign", "length"):
                if getattr(self, key) is not None:
                    raise FieldError(key, f"is for solo (players = 1), not for {self.players} players")
        return self

    @property
    def solo(self) -> bool:
        """Tell whether one player plays with two dummies."""
        return self.players == 1

    @property
    def round_limit(self) -> int:
        """Rounds after which the game ends."""
        return self.rounds or (SHORT_ROUNDS if self.solo else SAFETY_ROUNDS)

    @property
    def campaign_played(self) -> int:
        """The campaign, 0 if none."""
        return (self.campaign or 1) if self.solo else 0

    @property
    def thresholds(self) -> Literal["short", "long"]:
        """Which thresholds of the conditions hold."""
        return self.length or ("short" if self.round_limit <= SHORT_ROUNDS else "long")


class Settings(Part):
    """The part of a scenario that belongs to this game.

    Attributes
    ----------
    setup : Setup
    rules : dict of str to str
        `profile` ("seed" or "table") and any switch of `rulings`.
    patch : list of Patch
    tiles : str
        A built-in tile set, or a folder of CSV files.
    """

    setup: Setup = Field(default_factory=Setup)
    rules: dict[str, str] = Field(default_factory=dict)
    patch: list[Patch] = Field(default_factory=list)
    tiles: Annotated[str, Field(min_length=1)] = TileSet.built_in_name

    @field_validator("rules", mode="before")
    @classmethod
    def _known_switches(cls, rules: object) -> object:
        """Name an unknown switch before the type of its value is looked at."""
        known = ["profile", *rulings.BY_SWITCH]
        for switch in rules if isinstance(rules, dict) else ():
            if switch not in known:
                raise FieldError(str(switch), unknown("switch", switch, known, "nfsim rules lists them"))
        return rules

    @field_validator("rules")
    @classmethod
    def _known_rulings(cls, rules: dict[str, str]) -> dict[str, str]:
        for switch, choice in rules.items():
            choices = ("seed", "table") if switch == "profile" else rulings.BY_SWITCH[switch].choices
            if choice not in choices:
                raise FieldError(switch, f"must be {' or '.join(quoted(c) for c in choices)}, not {quoted(choice)}")
        return rules

    @property
    def readings(self) -> dict[str, str]:
        """The reading in force for each ruling."""
        chosen = {switch: choice for switch, choice in self.rules.items() if switch != "profile"}
        return rulings.in_force(self.rules.get("profile", "seed"), chosen)


def read_settings(data: Mapping[str, Any], origin: object) -> Settings:
    """Validate this game's part of a scenario; an error names the file, the dotted key and a near key."""
    return checked(Settings, data, origin)
