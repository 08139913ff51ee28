"""The presets of the game: what their numbers are called, which of them a search moves, and which play which game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nfsim.games.new_frontiers.codes import Class, Effect, label
from nfsim.games.new_frontiers.layout import CLASSES, SEATS
from nfsim.games.new_frontiers.policies.kinds import PARAMS, POLICY
from nfsim.games.new_frontiers.policies.nearness import nearness
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.tiles.tile_set import conditions_in_play
from nfsim.policies import records
from nfsim.policies.presets import Preset, Section, Shelf, file_name
from nfsim.policies.records import PolicyRecords, Situation
from nfsim.policies.tuning import Engine, Scale, Tunable

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.tables import Prepared

SHELF = Shelf(
    module=__name__,
    constant="SHELF",
    vectors={"params": PARAMS, "likes": CLASSES},
    sections={
        "effects": Section("params", {label(effect): int(effect) for effect in Effect}),
        "params": Section("params", {label(param): int(param) for param in Param}),
        "likes": Section("likes", {label(class_): int(class_) for class_ in Class}),
    },
    forms=("solo_short", "solo_long", "players_2", "players"),
    order=("uniform", "balanced", "military", "xeno_hunter", "consumer", "trader", "colonizer", "builder",
           "goal_chaser"),
    least={("params", "explore_bonus"): 0.0},  # -1 would divide by 0
    groups=("short", "long"),
)  # fmt: skip

STEP, LIKE_STEP = 0.15, 0.5
STEPS: dict[int, float] = {
    Param.VP: 0.3,
    Param.CREDIT: 0.3,
    Param.CREDIT_ROUNDS: 2.0,
    Param.COLONIST: 0.5,
    Param.EXPLORE: 1.0,
    Param.REACH: 0.5,
    Param.REACH_MOST: 1.0,
    Param.CHART_ENOUGH: 1.0,
    Param.ROUNDS_GUESS: 3.0,
    Param.ENVOYS: 1.0,
    Param.AIM_TILE: 1.0,
    Param.AIM_CHIP: 0.3,
    Param.AIM_MILITARY: 1.0,
    Param.AIM_OWN: 3.0,
    Param.AIM_GOAL: 1.0,
    Param.AIM_CHART: 0.5,
}
LEAST: dict[int, float] = {  # all others: 0
    Effect.TRADE_NO_SALE: -np.inf,
    Param.ENVOYS: -np.inf,
    Param.CREDIT_ROUNDS: 0.5,  # it divides
    Param.ROUNDS_GUESS: 1.0,
    Param.XENO_RISK: 0.3,  # below that it gambles on conquering them later, and loses with other tiles
    Param.FEED: 0.5,  # a good that is fed is worth at least half of what it brings
}
MOST: dict[int, float] = {Effect.TRADE_NO_SALE: 0.0}
MARGIN = 6.0  # VPs behind the best other player that halve the odds, in a search


def _scale(place: Effect | Param) -> Scale:
    return Scale(STEPS.get(place, STEP), LEAST.get(place, 0.0), MOST.get(place, np.inf))


SCALES: Mapping[str, Mapping[str, Scale]] = {
    # no weight is asked for the good that a world comes with
    "effects": {label(effect): _scale(effect) for effect in Effect if effect != Effect.SETTLE_PLACE_GOOD},
    "params": {label(param): _scale(param) for param in Param},
    "likes": {label(class_): Scale(LIKE_STEP, -np.inf) for class_ in Class},
}


def situation(prepared: Prepared) -> Situation:
    """Return what policies must know of a game: in solo a length has weights of its own, and so has each condition."""
    setup = prepared.settings.setup
    if not setup.solo:
        return Situation(setup.players, "players_2" if setup.players == 2 else "players")
    length, conditions = setup.thresholds, prepared.names.condition
    asked = [condition.asks(length) for condition in conditions_in_play(prepared)]

    def aimed(place: int) -> Preset:
        first = asked.index(asked[place])  # one that asks the same is aimed at in the same way
        made = SHELF.aimed(length).get(aim_name(setup.campaign_played, conditions[first]))
        return made or SHELF.aimed_else(length)

    return Situation(1, f"solo_{length}", conditions, aimed)


def aim_name(campaign: int, condition: str) -> str:
    """Return the name of the preset that aims at a condition."""
    return f"{campaign}_{file_name(condition)}"


RECORDS = PolicyRecords(SHELF, POLICY, SEATS, situation)


def notes(prepared: Prepared, policies: Sequence[Any]) -> list[str]:
    """Return a sentence for each policy whose weights were tuned on other tiles than those of a game."""
    return records.notes(SHELF, policies, situation(prepared), prepared.tile_hash, "tiles")


def tunable(engine: Callable[[Any, Sequence[Preset], str], Engine]) -> Tunable:
    """Return what a search for better weights must know of the game; `engine` plays it."""

    def about(prepared: Prepared) -> dict[str, str]:
        return {"tiles": prepared.settings.tiles, "tile_hash": prepared.tile_hash}

    return Tunable(
        SHELF,
        SCALES,
        engine,
        situation,
        unit=("params", label(Param.CHIP)),  # all worths are relative to each other
        only_aiming=frozenset(label(param) for param in Param if label(param).startswith("aim_")),
        margin=MARGIN,
        words={"score": "mean VPs", "met": "rate of claims"},
        nearness=nearness,
        about=about,
    )
