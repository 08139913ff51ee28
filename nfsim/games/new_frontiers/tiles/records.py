"""Records of a tile set: one pydantic model per kind, checked field by field and against itself.

Field names and texts are the same in TOML and CSV. A record says what it rests on: `status`
(sourced, partly, reconstructed; `patched` when a scenario changed it), `source`, and in
`reconstructed` the fields that no source gives.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from nfsim.games.new_frontiers.codes import Effect, Measure
from nfsim.games.new_frontiers.layout import MATS
from nfsim.games.new_frontiers.tiles.fields import (
    VP,
    GoodName,
    KeywordList,
    MeasureName,
    Name,
    Names,
    PowerList,
    RequirementList,
    ScoringList,
    Status,
    Steps,
    StockpileName,
    Text,
    When,
    WorldTypeName,
)  # fmt: skip
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_NAME, Scoring, Step
from nfsim.validation import FieldError, unknown

RULING = re.compile(r"\bR\d+\b")
# powers about the tile itself make sense only where a good can lie
NEEDS_GOOD = (Effect.PRODUCE_CREDITS_THIS, Effect.TRADE_BONUS_THIS, Effect.TRADE_NO_SALE, Effect.SETTLE_PLACE_GOOD)


class Record(BaseModel):
    """What every record has."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    kind: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]  # every field, in the order of the CSV file

    name: Name
    when: When = ""
    status: Status
    source: Text = ""
    reconstructed: Names = ()
    note: Text = ""

    @field_validator("reconstructed")
    @classmethod
    def _known_fields(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in cls.model_fields:
                raise ValueError(unknown("field", name, cls.model_fields))
        return names

    @property
    def title(self) -> str:
        """How messages call the record."""
        return f'{self.kind} "{self.name}"'

    @property
    def key(self) -> tuple[object, ...]:
        """What must not occur twice among records that can be in force together."""
        return (self.name.casefold(),)

    @property
    def place(self) -> str:
        """The mat or stack a two-sided record belongs to; '' for other records."""
        return ""

    @property
    def side_shown(self) -> str:
        """Which side of its place it is."""
        return ""

    def holds(self, readings: dict[str, str]) -> bool:
        """Tell whether the record is in the set under these readings of the rulings."""
        switch, _, choice = self.when.partition("=")
        return not self.when or readings[switch] == choice

    def fields(self) -> dict[str, Any]:
        """Return the record as it is written in TOML: texts, numbers, lists of texts, in the order of the CSV."""
        return {name: self._written(getattr(self, name)) for name in self.columns}

    @staticmethod
    def _written(value: Any) -> Any:
        if isinstance(value, tuple):
            if value and isinstance(value[0], Step):
                return " ".join(map(str, value))
            return [str(entry) for entry in value]
        return value


class Colony(Record):
    """What worlds and homes share."""

    rift: bool = False
    military: bool = False
    type: WorldTypeName
    good: GoodName
    keywords: KeywordList = ()
    vp: VP = 0
    scoring: ScoringList = ()
    powers: PowerList = ()

    @model_validator(mode="after")
    def _goods_fit(self) -> Self:
        if (self.type == "gray") != (self.good == "none"):
            raise FieldError("good", f"only gray worlds have good none; here type is {self.type} and good {self.good}")
        for power in self.powers:
            if power.effect in NEEDS_GOOD and self.type == "gray":
                raise FieldError("powers", f"{power} has no meaning on a gray world")
            if power.effect == Effect.SETTLE_PLACE_GOOD and self.type != "production":
                raise FieldError("powers", f"{power} is for production worlds; a {self.type} world needs none")
        _scoring_fits(self.scoring)
        return self


class World(Colony):
    """A world tile of the bag."""

    kind = "world"
    columns = ("name", "military", "cost", "defense", "colonists", "type", "good", "keywords", "vp", "penalty",
                 "powers", "status", "source", "reconstructed", "rift", "copies", "scoring", "when",
                 "note")  # fmt: skip

    military: bool
    cost: Annotated[int, Field(ge=0, le=30)] = 0
    defense: Annotated[int, Field(ge=0, le=20)] = 0
    colonists: Annotated[int, Field(ge=1, le=4)]
    penalty: Annotated[int, Field(ge=-20, le=0)] = 0
    copies: Annotated[int, Field(ge=0, le=20)] = 1

    @model_validator(mode="after")
    def _world_fits(self) -> Self:
        if self.military and self.defense < 1:
            raise FieldError("defense", "is missing: a military world has a defense of 1 to 20")
        if self.military and self.cost:
            raise FieldError("cost", f"a military world has a defense and costs no credits, not {self.cost}")
        if not self.military and self.defense:
            raise FieldError("defense", f"a non-military world has a cost and no defense, not {self.defense}")
        if not self.military and "cost" not in self.model_fields_set:
            raise FieldError("cost", "is missing: a non-military world costs 0 to 30 credits")
        if "xeno" in self.keywords and not self.military:
            raise FieldError("keywords", "a xeno world must be military")
        if self.penalty and "xeno" not in self.keywords:
            raise FieldError("penalty", f"only xeno worlds have one, not {self.penalty}")
        return self


class Empire(Colony):
    """One side of an empire mat: a home colony."""

    kind = "empire"
    columns = ("mat", "side", "name", "military", "type", "good", "keywords", "vp", "powers", "status", "source",
                 "reconstructed", "rift", "scoring", "when", "note")  # fmt: skip

    mat: Annotated[int, Field(ge=1, le=MATS)]
    side: Literal["A", "B"]

    @model_validator(mode="after")
    def _home_fits(self) -> Self:
        if "xeno" in self.keywords:
            raise FieldError("keywords", "a home is never xeno")
        if any(power.effect == Effect.SETTLE_PLACE_GOOD for power in self.powers):
            raise FieldError("powers", "a home is not settled, so it has no settle.place_good")
        return self

    @property
    def place(self) -> str:
        """Its mat."""
        return f"mat {self.mat}"

    @property
    def side_shown(self) -> str:
        """Its side."""
        return self.side


class Development(Record):
    """One face of a development stack."""

    kind = "development"
    columns = ("name", "group", "stack", "face", "cost", "vp", "keywords", "powers", "scoring", "status", "source",
                 "reconstructed", "rift", "when", "note")  # fmt: skip

    group: Literal["always", "small", "large"]
    rift: bool = False
    stack: Text = ""
    face: Literal["A", "B"] = "A"
    cost: Annotated[int, Field(ge=0, le=30)]
    vp: VP = 0
    keywords: KeywordList = ()
    powers: PowerList = ()
    scoring: ScoringList = ()

    @model_validator(mode="after")
    def _development_fits(self) -> Self:
        if not self.stack and self.group != "always":
            raise FieldError("stack", "a two-sided development names its stack, the same on both faces")
        for power in self.powers:
            if power.effect in NEEDS_GOOD:
                raise FieldError("powers", f"{power} has no meaning on a development")
        _scoring_fits(self.scoring)
        return self

    @property
    def stack_id(self) -> str:
        """The stack's id; an always-in-play development without one is a stack of its own."""
        return self.stack or self.name

    @property
    def place(self) -> str:
        """Its stack."""
        return f"stack {self.stack_id}"

    @property
    def side_shown(self) -> str:
        """Its face."""
        return self.face


class Goal(Record):
    """A goal tile."""

    kind = "goal"
    columns = ("name", "measure", "stockpile", "steps", "status", "source", "reconstructed", "rift", "when", "note")

    rift: bool = False
    measure: MeasureName
    stockpile: StockpileName = "none"
    steps: Steps

    @model_validator(mode="after")
    def _goal_fits(self) -> Self:
        measured = self.measure.removeprefix("stockpiled_") if self.measure.startswith("stockpiled_") else "none"
        if measured != self.stockpile:
            raise FieldError("stockpile", f"measure {self.measure} goes with {measured}, not {self.stockpile}")
        if self.measure in ("total_vp", "goals_scored"):
            raise FieldError("measure", f"a goal cannot count {self.measure}, which counts goals")
        return self


class Condition(Record):
    """A condition of a solo campaign, for short and long games."""

    kind = "condition"
    columns = ("campaign", "campaign_name", "name", "short_vp", "long_vp", "short_requires", "long_requires",
                 "status", "source", "reconstructed", "when", "note")  # fmt: skip

    campaign: Annotated[int, Field(ge=1, le=6)]
    campaign_name: Text = ""
    short_vp: Annotated[int, Field(ge=0, le=300)]
    long_vp: Annotated[int, Field(ge=0, le=300)]
    short_requires: RequirementList = ()
    long_requires: RequirementList = ()

    def doubt(self, length: str) -> str:
        """Say what of it is reconstructed for games of a length (short, long), and by which ruling; '' if nothing."""
        parts = {f"{length}_vp": "VPs", f"{length}_requires": "requirement"}
        missing = [word for name, word in parts.items() if name in self.reconstructed or self.status == "reconstructed"]
        cited = [ruling for ruling in dict.fromkeys(RULING.findall(self.note)) if missing]
        return ", ".join([f"{' and '.join(missing)} reconstructed", *cited]) if missing else ""

    @property
    def key(self) -> tuple[object, ...]:
        """A campaign has no two conditions of the same name."""
        return (self.campaign, self.name.casefold())


def _scoring_fits(lines: tuple[Scoring, ...]) -> None:
    for line in lines:
        if line.measure in (Measure.TOTAL_VP, Measure.GOALS_SCORED):
            raise FieldError("scoring", f"a tile cannot count {MEASURE_NAME[line.measure]}, which may count the tile")


KINDS: dict[str, type[Record]] = {model.kind: model for model in (World, Development, Empire, Goal, Condition)}
