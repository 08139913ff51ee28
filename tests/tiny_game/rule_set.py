"""Islets as a rule set: settings, names, and what the shared layers ask for."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from nfsim import engine
from nfsim.contract.objectives import Campaign, Length, Objective, Words
from nfsim.contract.rule_set import RuleSet
from nfsim.contract.series import SeriesRules
from nfsim.contract.tuner import Aim
from nfsim.engine.records import new_record
from nfsim.policies.tuning import PresetTuner
from nfsim.validation import checked
from tiny_game import rules
from tiny_game.game import RULES, Game, SeatView
from tiny_game.policies import SHELF, find, tunable

NEED = {"short": (17, 3), "long": (26, 4)}
ROUNDS = {"short": 4, "long": 6}


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Setup(Part):
    players: Annotated[int, Field(ge=1, le=2)] = 1
    length: Literal["short", "long"] = "short"


class Readings(Part):
    bonus: Literal["three", "five"] = "three"


class Settings(Part):
    setup: Setup = Setup()
    rules: Readings = Readings()


@dataclass(frozen=True)
class Prepared:
    tables: Any
    tile_hash: str
    rulings: Mapping[str, str]
    settings: Settings


@dataclass(frozen=True)
class Ruling:
    cite: str
    switch: str
    question: str
    choices: tuple[str, ...]
    seed: str
    table: str
    sources: str


RULINGS = (Ruling("R1", "bonus", "How much are three cards of a suit?", ("three", "five"), "three", "five", "made up"),)


def read_settings(data: Mapping[str, Any], origin: object) -> Settings:
    return checked(Settings, data, origin)


def dump(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(mode="json")


def prepare(settings: Settings, origin: object) -> Prepared:
    tables = new_record(rules.TABLES)
    tables.players = settings.setup.players
    tables.n_objectives = 2 if settings.setup.players == 1 else 0
    tables.rounds = ROUNDS[settings.setup.length]
    tables.bonus = 5 if settings.rules.bonus == "five" else 3
    tables[0].need = NEED[settings.setup.length]
    return Prepared(tables, hashlib.sha256(b"islets").hexdigest(), {"bonus": settings.rules.bonus}, settings)


def players(prepared: Prepared) -> int:
    return int(prepared.tables[0].players)


def labels(prepared: Prepared, name: str) -> tuple[str, ...]:
    return {"objective": rules.OBJECTIVES}[name]


def provenance(prepared: Prepared) -> dict[str, Any]:
    return {"total": rules.CARDS, "text": "All cards are made up."}


def objectives(prepared: Prepared) -> list[Objective]:
    points, cards = map(int, prepared.tables[0].need)
    listed = [
        Objective("Rich", score=points, campaign="1"),
        Objective("One suit", requires=f"{cards} cards of one suit", campaign="1"),
    ]
    return listed if prepared.settings.setup.players == 1 else []


def facts(prepared: Prepared) -> dict[str, Any]:
    return {}


def policies() -> tuple[Any, ...]:
    return tuple(map(SHELF.get, SHELF.names))


def tuner(prepared: Prepared, aim: Aim) -> PresetTuner:
    return PresetTuner(tunable(RULE_SET.engine), prepared, aim)


def load() -> RuleSet:
    return RULE_SET


def load_rules() -> Any:
    return RULES


def game() -> Any:
    return Game


def claims(rows: Mapping[str, Any], count: int) -> Any:
    return rows["objectives"]["claim"].reshape(-1, count)


def weighing(policy: Any, worth: Any) -> Any:
    return replace(policy, worth=worth)


def together(campaigns: Sequence[Prepared]) -> dict[str, Any]:
    return provenance(campaigns[0])


def series() -> SeriesRules:
    return SeriesRules(
        rules.SERIES, rules.ENDS, claims, weighing, partial(engine.play_series, load_rules, rules.SERIES, rules.ENDS),
        together, chip="spare card", chip_name="spare card", sides={"one_short": "one more"},
    )  # fmt: skip


RULE_SET = RuleSet(
    name="tiny", title="Islets", version="1", section=("setup", "rules"), tables=rules.LOGGED,
    decisions=("take", "play"), rulings=RULINGS, read_settings=read_settings, dump=dump,
    prepare=prepare, players=players, labels=labels, provenance=provenance, objectives=objectives, facts=facts,
    policies=policies, policy=find, engine=partial(engine.simulate, load, load_rules, game),
    game=partial(engine.begin, game), view=SeatView, tuner=tuner,
    series=series, other_tables=(("campaign", rules.SERIES),),
    words=Words("points", "objective", "objectives", "Any objective"),
    campaigns=(Campaign("1", "Alone", {"setup.players": 1}),),
    lengths=tuple(
        Length(name, f"{rounds} rounds", rounds, {"setup.length": name}, {"tuned": "balanced"})
        for name, rounds in ROUNDS.items()
    ),
)  # fmt: skip
