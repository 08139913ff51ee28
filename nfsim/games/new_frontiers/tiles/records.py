"""Records of a tile set: one pydantic model per kind, checked field by field and against itself.

Field names and texts are the same in TOML and CSV. A record says what it rests on: `status`
(sourced, partly, reconstructed; `patched` when a scenario changed it), `source`, and in
`reconstructed` the fields that no source gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainValidator, field_validator, model_validator

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
from nfsim.validation import quoted, unknown

Status = Literal["sourced", "partly", "reconstructed", "patched"]
WorldTypeName = Literal["production", "windfall", "gray"]
GoodName = Literal["novelty", "rare", "genes", "alien", "any", "none"]
StockpileName = Literal["none", "worlds", "colonists", "credits", "chips"]
KEYWORDS = {label(keyword): keyword for keyword in Keyword}
# powers about the tile itself make sense only where a good can lie
NEEDS_GOOD = (Effect.PRODUCE_CREDITS_THIS, Effect.TRADE_BONUS_THIS, Effect.TRADE_NO_SALE, Effect.SETTLE_PLACE_GOOD)


def _entries(value: Any, most: int, what: str) -> list[str]:
    """Accept a list of texts, or one text with semicolons as it stands in a CSV cell."""
    if isinstance(value, str):
        value = grammar.split(value)
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise ValueError(f"must be a list of texts, not {quoted(value)}")
    if len(value) > most:
        raise ValueError(f"at most {most} {what} fit, not {len(value)}")
    return [entry.strip() for entry in value]


def _parsed(parse: Callable[[str], Any], kind: type, most: int, what: str) -> PlainValidator:
    def validate(value: Any) -> tuple[Any, ...]:
        if isinstance(value, tuple) and all(isinstance(entry, kind) for entry in value):
            return value
        return tuple(parse(entry) for entry in _entries(value, most, what))

    return PlainValidator(validate)


def _keywords(value: Any) -> tuple[str, ...]:
    names = _entries(value, len(KEYWORDS), "keywords")
    for name in names:
        if name not in KEYWORDS:
            raise ValueError(unknown("keyword", name, KEYWORDS))
    if len(set(names)) < len(names):
        raise ValueError(f"a keyword is given twice: {', '.join(names)}")
    return tuple(names)


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


def _plain(text: str) -> str:
    if not text.isprintable():
        raise ValueError(f"must be printable text on one line, not {text!r}")
    return text.strip()


def _name(text: str) -> str:
    text = _plain(text)
    if not text or len(text) > 60:
        raise ValueError(f"must be 1 to 60 characters, not {quoted(text)}")
    if '"' in text or ";" in text:
        raise ValueError(f"must not contain quotation marks or semicolons: {text}")
    return text


def _when(text: str) -> str:
    """Check `switch=choice` against the rulings."""
    text = _plain(text)
    if not text:
        return ""
    switch, _, choice = (part.strip() for part in text.partition("="))
    if switch not in rulings.BY_SWITCH:
        raise ValueError(unknown("switch", switch, rulings.BY_SWITCH))
    choices = rulings.BY_SWITCH[switch].choices
    if choice not in choices:
        raise ValueError(unknown(f"reading of {switch}", choice, choices))
    return f"{switch}={choice}"


Name = Annotated[str, AfterValidator(_name)]
Text = Annotated[str, AfterValidator(_plain)]
KeywordList = Annotated[tuple[str, ...], PlainValidator(_keywords)]
PowerList = Annotated[tuple[Power, ...], _parsed(grammar.parse_power, Power, POWERS, "powers")]
ScoringList = Annotated[tuple[Scoring, ...], _parsed(grammar.parse_scoring, Scoring, SCORINGS, "scoring lines")]
RequirementList = Annotated[
    tuple[Requirement, ...], _parsed(grammar.parse_requirement, Requirement, REQUIREMENTS, "requirements")
]
Names = Annotated[tuple[str, ...], PlainValidator(lambda value: tuple(_entries(value, 30, "names")))]
VP = Annotated[int, Field(ge=-10, le=30)]


class Record(BaseModel):
    """What every record has."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    kind: ClassVar[str]
    csv_first: ClassVar[tuple[str, ...]]  # columns of the CSV file before the rest

    name: Name
    when: Annotated[str, AfterValidator(_when)] = ""
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
        """Return the record as it is written in TOML: texts, numbers, lists of texts."""
        return {name: self._written(getattr(self, name)) for name in type(self).model_fields}

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
            raise ValueError(f"a gray world has good none and no other has; type is {self.type}, good {self.good}")
        for power in self.powers:
            if power.effect in NEEDS_GOOD and self.type == "gray":
                raise ValueError(f"powers: {power} has no meaning on a gray world")
            if power.effect == Effect.SETTLE_PLACE_GOOD and self.type != "production":
                raise ValueError(f"powers: {power} is for production worlds; a {self.type} world needs none")
        _scoring_fits(self.scoring)
        return self


class World(Colony):
    """A world tile of the bag."""

    kind = "world"
    csv_first = ("name", "military", "cost", "defense", "colonists", "type", "good", "keywords", "vp", "penalty",
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
        given = self.model_fields_set
        if self.military and (self.defense < 1 or self.cost):
            raise ValueError(
                f"a military world has a defense of 1 to 20 and no cost, not {self.defense} and {self.cost}"
            )
        if not self.military and (self.defense or "cost" not in given):
            raise ValueError("a non-military world has a cost and no defense")
        if "xeno" in self.keywords and not self.military:
            raise ValueError("keywords: a xeno world must be military")
        if self.penalty and "xeno" not in self.keywords:
            raise ValueError(f"penalty: only xeno worlds have one, not {self.penalty}")
        return self


class Empire(Colony):
    """One side of an empire mat: a home colony."""

    kind = "empire"
    csv_first = ("mat", "side", "name", "military", "type", "good", "keywords", "vp", "powers", "status", "source",
                 "reconstructed", "rift", "scoring", "when", "note")  # fmt: skip

    mat: Annotated[int, Field(ge=1, le=MATS)]
    side: Literal["A", "B"]

    @model_validator(mode="after")
    def _home_fits(self) -> Self:
        if "xeno" in self.keywords:
            raise ValueError("keywords: a home is never xeno")
        if any(power.effect == Effect.SETTLE_PLACE_GOOD for power in self.powers):
            raise ValueError("powers: a home is not settled, so it has no settle.place_good")
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
    csv_first = ("name", "group", "stack", "face", "cost", "vp", "keywords", "powers", "scoring", "status", "source",
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
            raise ValueError("stack: a two-sided development names its stack, the same on both faces")
        for power in self.powers:
            if power.effect in NEEDS_GOOD:
                raise ValueError(f"powers: {power} has no meaning on a development")
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
    csv_first = ("name", "measure", "stockpile", "steps", "status", "source", "reconstructed", "rift", "when", "note")

    rift: bool = False
    measure: Annotated[str, PlainValidator(_measure)]
    stockpile: StockpileName = "none"
    steps: Annotated[tuple[Step, ...], PlainValidator(_steps)]

    @model_validator(mode="after")
    def _goal_fits(self) -> Self:
        measured = self.measure.removeprefix("stockpiled_") if self.measure.startswith("stockpiled_") else "none"
        if measured != self.stockpile:
            raise ValueError(f"stockpile: measure {self.measure} goes with {measured}, not {self.stockpile}")
        if self.measure in ("total_vp", "goals_scored"):
            raise ValueError(f"measure: a goal cannot count {self.measure}, which counts goals")
        return self


class Condition(Record):
    """A condition of a solo campaign, for short and long games."""

    kind = "condition"
    csv_first = ("campaign", "campaign_name", "name", "short_vp", "long_vp", "short_requires", "long_requires",
                 "status", "source", "reconstructed", "when", "note")  # fmt: skip

    campaign: Annotated[int, Field(ge=1, le=6)]
    campaign_name: Text = ""
    short_vp: Annotated[int, Field(ge=0, le=300)]
    long_vp: Annotated[int, Field(ge=0, le=300)]
    short_requires: RequirementList = ()
    long_requires: RequirementList = ()

    @property
    def key(self) -> tuple[object, ...]:
        """A campaign has no two conditions of the same name."""
        return (self.campaign, self.name.casefold())


def _scoring_fits(lines: tuple[Scoring, ...]) -> None:
    for line in lines:
        if line.measure in (Measure.TOTAL_VP, Measure.GOALS_SCORED):
            raise ValueError(f"scoring: a tile cannot count {MEASURE_NAME[line.measure]}, which may count the tile")


KINDS: dict[str, type[Record]] = {model.kind: model for model in (World, Development, Empire, Goal, Condition)}
