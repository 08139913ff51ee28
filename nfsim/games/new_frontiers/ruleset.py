"""New Frontiers as a rule set: what `nfsim.contract.rule_set` asks for, bound to this game's modules.

Modules that import the compiled rules are imported inside the functions that need them: listing columns,
rulings or policies then costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from nfsim import engine
from nfsim.contract import tables as contract_tables
from nfsim.contract.catalogue import Catalogue
from nfsim.contract.objectives import Campaign, Length, Objective, Reading, Words
from nfsim.contract.rule_set import Policy, RuleSet
from nfsim.contract.series import SeriesRules
from nfsim.contract.tuner import Aim, Tuner
from nfsim.contract.view import View
from nfsim.games.new_frontiers.codes import Decision, label
from nfsim.games.new_frontiers.columns import CAMPAIGNS, TABLES
from nfsim.games.new_frontiers.rulings import RULINGS

VERSION = "3"
"""Raised with every change that changes results; the changelog says what changed."""

LEVELS = (*contract_tables.LEVELS, "tiles")
CAMPAIGN_COUNT = 6
TITLE = "Solo {setup.campaign}, {setup.rounds}"
READINGS = {  # R18
    1: (
        Reading(
            "Satisfied Populace",
            "Satisfied Populace with 12 VP chips (our guess)",
            {"rules.satisfied_populace": "vp_chips"},
        ),
    )
}
"""By number of the campaign."""


def _read_settings(data: Mapping[str, Any], file: object) -> Any:
    from nfsim.games.new_frontiers.settings import read_settings

    return read_settings(data, file)


def _dump(settings: Any) -> dict[str, Any]:
    found: dict[str, Any] = settings.model_dump(mode="json", exclude_none=True)
    found["setup"]["rounds"] = settings.setup.round_limit
    if settings.setup.solo:
        found["setup"] |= {"campaign": settings.setup.campaign_played, "length": settings.setup.thresholds}
    return found


def _prepare(settings: Any, origin: object) -> Any:
    from nfsim.games.new_frontiers.tables import prepare

    return prepare(settings, origin)


def _players(prepared: Any) -> int:
    return int(prepared.tables[0].players)


def _labels(prepared: Any, name: str) -> Sequence[str]:
    from nfsim.games.new_frontiers.layout import HOME0, HOMES

    names = prepared.names
    lists = {
        "tile": names.tile,
        "home": names.tile[HOME0 : HOME0 + HOMES],
        "goal": names.goal,
        "objective": names.condition,
    }
    found: Sequence[str] = lists[name]
    return found


def _provenance(prepared: Any) -> dict[str, Any]:
    from nfsim.games.new_frontiers.tiles.tile_set import doubts

    return {**prepared.share.counts(), "text": " ".join(filter(None, (prepared.share.describe(), doubts([prepared]))))}


def _objectives(prepared: Any) -> Sequence[Objective]:
    from nfsim.games.new_frontiers.tiles.grammar import requirement_phrase
    from nfsim.games.new_frontiers.tiles.tile_set import conditions_in_play

    length = prepared.settings.setup.thresholds
    known = {condition.name: condition for condition in conditions_in_play(prepared)}
    tables = prepared.tables[0]
    return [
        Objective(
            name,
            score=int(tables.condition_vp[place]),
            requires="; ".join(map(requirement_phrase, getattr(known[name], f"{length}_requires")))
            if name in known
            else "",
            doubt=known[name].doubt(length) if name in known else "",
            campaign=str(int(tables.campaign)),
        )
        for place, name in enumerate(prepared.names.condition)
    ]


def _tuned(prepared: Any) -> str:
    setup = prepared.settings.setup
    return f"tuned_solo_{setup.thresholds}" if setup.players == 1 else f"tuned_{'2p' if setup.players == 2 else '4p'}"


def _facts(prepared: Any) -> dict[str, Any]:
    from nfsim.catalogue import compare
    from nfsim.games.new_frontiers.tiles.tile_set import TileSet

    built_in = TileSet.built_in()
    differences = [] if prepared.tile_set is built_in else compare.compare(prepared.tile_set, built_in)
    return {
        "tile_changes": {
            **compare.counts(differences),
            "text": "" if prepared.settings.tiles == TileSet.built_in_name else compare.summary(differences),
            "patches": [str(patch) for patch in prepared.settings.patch],
        },
    }


def _policies() -> Sequence[Policy]:
    from nfsim.games.new_frontiers.policies.shelf import SHELF

    return tuple(map(SHELF.get, SHELF.names))


def _policy(spec: str, origin: object, base: Path) -> Policy:
    from nfsim.games.new_frontiers.policies.shelf import SHELF
    from nfsim.policies.user_policy import find

    return find(SHELF, spec, origin, base)


def _rules() -> Any:
    from nfsim.games.new_frontiers.rules import RULES

    return RULES


def _rule_set() -> RuleSet:
    return RULE_SET


def _game() -> Any:
    from nfsim.games.new_frontiers.game import Game

    return Game


def _view(game: Any, seat: int) -> View:
    from nfsim.games.new_frontiers.view import SeatView

    return SeatView(game, seat)


def _tuner(prepared: Any, aim: Aim) -> Tuner:
    from nfsim.games.new_frontiers.policies.shelf import tunable
    from nfsim.policies.tuning import PresetTuner

    play: Any = RULE_SET.engine  # its engines can exchange policies, which the contract does not ask for
    return PresetTuner(tunable(play), prepared, aim)


def _notes(prepared: Any, policies: Sequence[Any]) -> Sequence[str]:
    from nfsim.games.new_frontiers.policies import shelf

    return shelf.notes(prepared, policies)


def _metrics() -> Any:
    from nfsim.games.new_frontiers.metrics import METRICS

    return METRICS


def _catalogue() -> Catalogue:
    from nfsim.games.new_frontiers.tiles.catalogue import TileCatalogue

    return TileCatalogue()


def _setting(key: str, value: str) -> str:
    """Say a setting as titles do."""
    if key == "setup.goals":
        return {"true": "with goals", "false": "without goals"}.get(value, "")
    if key == "setup.campaign":
        return f"campaign {value}"
    unit = {"setup.players": "player", "setup.rounds": "round"}.get(key)
    return f"{value} {unit}{'' if value == '1' else 's'}" if unit else ""


def _series() -> SeriesRules:
    from nfsim.games.new_frontiers.campaign_rules import SERIES

    return SERIES


RULE_SET = RuleSet(
    name="new_frontiers",
    title="New Frontiers with The Starry Rift",
    version=VERSION,
    section=("setup", "rules", "patch", "tiles"),
    tables=TABLES,
    decisions=tuple(map(label, Decision)),
    rulings=RULINGS,
    read_settings=_read_settings,
    dump=_dump,
    prepare=_prepare,
    players=_players,
    labels=_labels,
    provenance=_provenance,
    objectives=_objectives,
    facts=_facts,
    policies=_policies,
    policy=_policy,
    engine=partial(engine.simulate, _rule_set, _rules, _game),
    game=partial(engine.begin, _game),
    view=_view,
    tuner=_tuner,
    notes=_notes,
    levels=LEVELS,
    words=Words("VPs", "condition", "conditions", "Any condition", "tile", "tiles", "Solo"),
    setting=_setting,
    campaigns=tuple(
        Campaign(
            str(number),
            f"Campaign {number}",
            {"title": TITLE, "setup.players": 1, "setup.campaign": number},
            READINGS.get(number, ()),
        )
        for number in range(1, CAMPAIGN_COUNT + 1)
    ),
    lengths=(
        Length("short", "10 rounds", 10, {"setup.rounds": 10, "setup.length": "short"}, {"tuned": "tuned_solo_short"}),
        Length("long", "12 rounds", 12, {"setup.rounds": 12, "setup.length": "long"}, {"tuned": "tuned_solo_long"}),
    ),
    other_tables=(("campaign", CAMPAIGNS),),
    catalogue=_catalogue,
    series=_series,
    metrics=_metrics,
    tuned=_tuned,
    stored=Path(__file__).parent / "data" / "strong_player.toml",
)
