"""Records of a tile set: one pydantic model per kind, checked field by field and against itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field, PlainValidator, model_validator

from nfsim.catalogue.records import Record, Text, known_words, parsed
from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.codes import Effect, Keyword, Measure, label
from nfsim.games.new_frontiers.layout import MATS, POWERS, REQUIREMENTS, SCORINGS, STEPS
from nfsim.games.new_frontiers.tiles import grammar
from nfsim.games.new_frontiers.tiles.grammar import (
    MEASURE_BY_NAME,
    MEASURE_NAME,
    Power,
    Requirement,
    Scoring,
    Step,
)
from nfsim.validation import FieldError, quoted, unknown

WorldTypeName = Literal["production", "windfall", "gray"]
GoodName = Literal["novelty", "rare", "genes", "alien", "any", "none"]
StockpileName = Literal["none", "worlds", "colonists", "credits", "chips"]
KEYWORDS = {label(keyword): keyword for keyword in Keyword}
RULING = re.compile(r"\bR\d+\b")
# powers about the tile itself make sense only where a good can lie
NEEDS_GOOD = (Effect.PRODUCE_CREDITS_THIS, Effect.TRADE_BONUS_THIS, Effect.TRADE_NO_SALE, Effect.SETTLE_PLACE_GOOD)


def _keywords(value: Any) -> tuple[str, ...]:
    return known_words(value, KEYWORDS, "keyword")


def _steps(value: Any) -> tuple[Step, ...]:
    if isinstance(value, tuple) and all(isinstance(entry, Step) for entry in value):
        return value
    if not isinstance(value, str):
        raise ValueError(f"must be text such as 3:2 5:5 6+:8, not {quoted(value)}")
    steps = grammar.parse_steps(value)
    if len(steps) > STEPS:
        raise ValueError(f"at most {STEPS} steps fit, not {len(steps)}")
    return steps


def _measure(value: Any) -> str:
    if value not in MEASURE_BY_NAME:
        raise ValueError(unknown("measure", value, MEASURE_BY_NAME))
    return str(value)


KeywordList = Annotated[tuple[str, ...], PlainValidator(_keywords)]
PowerList = Annotated[tuple[Power, ...], parsed(grammar.parse_power, Power, POWERS, "powers")]
ScoringList = Annotated[tuple[Scoring, ...], parsed(grammar.parse_scoring, Scoring, SCORINGS, "scoring lines")]
RequirementList = Annotated[
    tuple[Requirement, ...], parsed(grammar.parse_requirement, Requirement, REQUIREMENTS, "requirements")
]
VP = Annotated[int, Field(ge=-10, le=30)]
MeasureName = Annotated[str, PlainValidator(_measure)]
Steps = Annotated[tuple[Step, ...], PlainValidator(_steps)]


class TileRecord(Record):
    """What all records of this game have in common."""

    optional: ClassVar[tuple[str, ...]] = (*Record.optional, "rift", "copies", "scoring", "campaign_name")
    both_sides: ClassVar[tuple[str, ...]] = ("rift",)
    readings: ClassVar[Mapping[str, Sequence[str]]] = {ruling.switch: ruling.choices for ruling in rulings.RULINGS}

    @classmethod
    def written(cls, value: Any) -> Any:
        """Return a field's value as it is written: steps are one text."""
        if isinstance(value, tuple) and value and isinstance(value[0], Step):
            return " ".join(map(str, value))
        return super().written(value)

    def summary(self) -> str:
        """Return the record in a few words."""
        fields = self.fields()
        parts = [f"{name} {fields[name]}" for name in ("mat", "side", "stack", "face", "campaign") if fields.get(name)]
        parts += [fields[name] for name in ("type", "good", "measure", "steps") if fields.get(name, "none") != "none"]
        if self.kind == "world" and fields["military"]:
            parts.append(f"defense {fields['defense']}")
        elif "cost" in fields:
            parts.append(f"cost {fields['cost']}")
        if "vp" in fields:
            parts.append(f"{fields['vp']} VP")
        if "short_vp" in fields:
            for length in ("short", "long"):
                asked = [f"{fields[f'{length}_vp']} VP", *fields[f"{length}_requires"]]
                parts.append(f"{length}: {'; '.join(asked)}")
        for name in ("keywords", "powers", "scoring"):
            parts += fields.get(name, [])
        return ", ".join(parts)


class Colony(TileRecord):
    """What worlds and homes share."""

    names_with = "tile"
    filled = ("vp",)

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

    kind, plural = "world", "worlds"
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

    kind, plural, words = "empire", "empires", "home colonies"
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


class Development(TileRecord):
    """One face of a development stack."""

    kind, plural = "development", "developments"
    names_with = "tile"
    filled = ("vp",)
    both_sides = ("rift", "group")
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


class Goal(TileRecord):
    """A goal tile."""

    kind, plural = "goal", "goals"
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


class Condition(TileRecord):
    """A condition of a solo campaign, for short and long games."""

    kind, plural, toml = "condition", "conditions", "campaigns.toml"
    told_apart_by = "campaign"  # a campaign has no two conditions of the same name
    columns = ("campaign", "campaign_name", "name", "short_vp", "long_vp", "short_requires", "long_requires",
                 "status", "source", "reconstructed", "when", "note")  # fmt: skip

    campaign: Annotated[int, Field(ge=1, le=6)]
    campaign_name: Text = ""
    short_vp: Annotated[int, Field(ge=0, le=300)]
    long_vp: Annotated[int, Field(ge=0, le=300)]
    short_requires: RequirementList = ()
    long_requires: RequirementList = ()

    def asks(self, length: str) -> tuple[int, RequirementList]:
        """Return the VPs and requirements of games of a length (short, long)."""
        return getattr(self, f"{length}_vp"), getattr(self, f"{length}_requires")

    def doubt(self, length: str) -> str:
        """Say what of it is a guess for games of a length (short, long), and by which ruling; '' if nothing."""
        parts = {f"{length}_vp": "VPs", f"{length}_requires": "requirement"}
        missing = [word for name, word in parts.items() if name in self.reconstructed or self.status == "reconstructed"]
        cited = ", ".join(dict.fromkeys(RULING.findall(self.note)))
        see = f", see {cited}" if cited else ""
        return f"{' and '.join(missing)}: our guess; your card may differ{see}" if missing else ""


def _scoring_fits(lines: tuple[Scoring, ...]) -> None:
    for line in lines:
        if line.measure in (Measure.TOTAL_VP, Measure.GOALS_SCORED):
            raise FieldError("scoring", f"a tile cannot count {MEASURE_NAME[line.measure]}, which may count the tile")
