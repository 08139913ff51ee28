"""New Frontiers as a rule set: what `nfsim.contract.rule_set` asks for, bound to this game's modules.

Modules that import the compiled rules are imported inside the functions that need them: listing columns,
rulings or policies then costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.contract import tables as contract_tables
from nfsim.contract.catalogue import Catalogue
from nfsim.contract.objectives import Campaign, Length, Objective, Words
from nfsim.contract.rule_set import Engine, Game, Policy, RuleSet
from nfsim.contract.series import SeriesRules
from nfsim.contract.tuner import Aim, Tuner
from nfsim.contract.view import View
from nfsim.games.new_frontiers.codes import Decision, label
from nfsim.games.new_frontiers.columns import CAMPAIGNS, ROW_DTYPES, TABLE_NAMES, TABLES
from nfsim.games.new_frontiers.rulings import RULINGS

VERSION = "2"
"""Raised with every change that changes results; the changelog says what changed."""

LEVELS = (*contract_tables.LEVELS, "tiles")
CAMPAIGN_COUNT = 6
BATCH = 512  # games between two hand-overs of rows: small enough that their buffers stay in the cache
USUAL_ROUNDS = 14
TITLE = "Solo {setup.campaign}, {setup.rounds}"


class CompiledEngine:
    """The compiled kernel with its buffers; see `nfsim.contract.rule_set.Engine`.

    Parameters
    ----------
    prepared : Prepared
        The game.
    policies : sequence of str or Preset
        One per player.
    level : str
        Log level.
    """

    def __init__(self, prepared: Any, policies: Sequence[Any], level: str) -> None:
        from nfsim.games.new_frontiers import kernel, layout
        from nfsim.games.new_frontiers.desk import new_desk
        from nfsim.games.new_frontiers.policies.shelf import RECORDS
        from nfsim.games.new_frontiers.thinking import load_thinking

        self._play: Any = kernel.play_games
        self._prepared = prepared
        self._tables = prepared.tables[0]
        self._policies = RECORDS.load(policies, prepared)
        self._level: Any = np.int64(LEVELS.index(level))
        self._states, self._memory, self._options = desk = new_desk()
        load_thinking(self._tables, *desk, self._policies)
        sizes = _capacities(self._tables)
        self._rows = {name: layout.new_record(ROW_DTYPES[name], sizes[name]) for name in TABLE_NAMES}
        self._used = np.zeros(len(TABLE_NAMES), np.int64)
        self.asked = np.zeros(len(Decision), np.int64)
        self.options_seen = np.zeros(len(Decision), np.int64)

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and replace the rows held by theirs; return how many were played."""
        self._used[:] = 0
        return int(
            self._play(
                self._tables,
                self._policies,
                np.int64(root),
                np.int64(first),
                np.int64(min(count, BATCH)),
                self._level,
                self._states,
                self._memory,
                self._options,
                *self._rows.values(),
                self._used,
                self.asked,
                self.options_seen,
            )
        )

    def rows(self) -> Mapping[str, Any]:
        """Return the rows of the last call by table."""
        return {name: self._rows[name][: self._used[place]] for place, name in enumerate(TABLE_NAMES)}

    def replace(self, seat: int, preset: Any) -> None:
        """Let another preset decide for a seat from the next game on; neither it nor the old one may look ahead."""
        from nfsim.games.new_frontiers.policies.shelf import RECORDS

        RECORDS.fill(self._policies[seat], preset, self._prepared)

    def reset(self) -> None:
        """Set the counts of decisions to zero."""
        self.asked[:] = 0
        self.options_seen[:] = 0


def _capacities(tables: Any) -> dict[str, int]:
    """Rows that the buffers hold: a batch of usual games, and always one game of any length."""
    from nfsim.games.new_frontiers import kernel

    players, limit = int(tables.players), int(tables.round_limit)
    rounds = BATCH * min(limit, USUAL_ROUNDS) + limit
    return {
        "games": BATCH,
        "seats": BATCH * players,
        "rounds": rounds * players,
        "selections": rounds * (players + int(tables.dummies)) * int(tables.selections),
        "goals": (BATCH // 2 + 1) * players * max(1, int(tables.n_goals)),
        "objectives": BATCH * max(1, int(tables.n_conditions)),
        "tiles": (BATCH // 2 + 1) * players * kernel.TILES_A_SEAT,
    }


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


def _engine(prepared: Any, policies: Sequence[Any], level: str) -> Engine:
    if all(getattr(policy, "compiled", True) for policy in policies):
        return CompiledEngine(prepared, policies, level)
    from nfsim.games.new_frontiers.own_engine import OwnEngine

    return OwnEngine(prepared, policies, level)


def _game(prepared: Any, policies: Sequence[Any], root: int, number: int) -> Game:
    from nfsim.games.new_frontiers.game import Game as PlayedGame

    game: Game = PlayedGame.new(prepared, root, number, policies)
    return game


def _view(game: Any, seat: int) -> View:
    from nfsim.games.new_frontiers.view import SeatView

    return SeatView(game, seat)


def _tuner(prepared: Any, aim: Aim) -> Tuner:
    from nfsim.games.new_frontiers.policies.shelf import tunable
    from nfsim.policies.tuning import PresetTuner

    return PresetTuner(tunable(CompiledEngine), prepared, aim)


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
    engine=_engine,
    game=_game,
    view=_view,
    tuner=_tuner,
    notes=_notes,
    levels=LEVELS,
    words=Words("VPs", "condition", "conditions", "Any condition", "tile", "tiles", "Solo"),
    setting=_setting,
    campaigns=tuple(
        Campaign(str(number), f"Campaign {number}", {"title": TITLE, "setup.players": 1, "setup.campaign": number})
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
)
