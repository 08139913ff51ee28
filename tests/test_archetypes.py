"""Archetypes: each one is recognisable in the log, against `balanced` in the same games."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import play_some
import pytest
from lab_tiles import prepared

from nfsim.games.new_frontiers.codes import Action, Class
from nfsim.games.new_frontiers.columns import ROW_DTYPES
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.policies.kinds import Kind
from nfsim.stats.intervals import mean_interval

GAMES = 400
ARCHETYPES = ("military", "xeno_hunter", "consumer", "trader", "colonizer", "builder", "goal_chaser")
Rows = dict[str, Any]
Floats = np.ndarray[Any, Any]


@cache
def solo() -> Any:
    return prepared(players=1, campaign=1, rounds=12)


@cache
def rows(policy: str) -> Rows:
    """Rows of the same solo games under a policy, as structured arrays."""
    found = play_some.rows(solo(), [policy], 0, GAMES)
    return {name: np.array(table, ROW_DTYPES[name]) for name, table in found.items()}


def per_game(games: Any, weights: Any = None) -> Floats:
    return np.bincount(games, weights, minlength=GAMES)


def column(name: str) -> Callable[[Rows], Floats]:
    return lambda found: found["seats"][name].astype(float)


def settled(found: Rows, class_: int) -> Floats:
    """Worlds settled that are in a class."""
    tiles = found["tiles"][found["tiles"]["round_settled"] > 0]
    return per_game(tiles["game"], (solo().tables[0].mask[tiles["tile"]] >> int(class_)) & 1)


def military_share(found: Rows) -> Floats:
    """Share of the worlds settled that are military; of none, none."""
    military, others = settled(found, Class.MILITARY), settled(found, Class.NON_MILITARY)
    return military / np.maximum(1, military + others)


def selected(action: Action) -> Callable[[Rows], Floats]:
    """How often the player selected an action itself."""

    def count(found: Rows) -> Floats:
        taken = found["selections"]
        return per_game(taken["game"][(taken["seat"] == 0) & (taken["action"] == int(action))])

    return count


def goals_drawn(found: Rows) -> Floats:
    """Goals that the player charted."""
    return per_game(found["goals"]["game"][found["goals"]["drawn_by"] == 0])


SIGNS: list[tuple[str, str, Callable[[Rows], Floats]]] = [
    ("military", "a larger share of its worlds is military", military_share),
    ("military", "it has more Military", column("military")),
    ("xeno_hunter", "it conquers more Xeno worlds", column("xeno_conquered")),
    ("consumer", "it ends with more VP chips", column("vp_chips")),
    ("trader", "it selects Trade, Consume more often", selected(Action.TRADE_CONSUME)),
    ("trader", "it settles more worlds with a good", lambda found: settled(found, Class.HAS_GOOD)),
    ("colonizer", "it has more colonies", column("colonies")),
    ("builder", "it has more developments", column("developments")),
    ("goal_chaser", "it charts more goals", goals_drawn),
    ("goal_chaser", "more goals give it VPs", column("goals_scored")),
]


@pytest.mark.parametrize(
    ("name", "sign"), [(name, sign) for name, _, sign in SIGNS], ids=[f"{n}: {t}" for n, t, _ in SIGNS]
)
def test_an_archetype_shows_in_the_log(name: str, sign: Callable[[Rows], Floats]) -> None:
    assert mean_interval(sign(rows(name)) - sign(rows("balanced"))).low > 0


def test_the_military_player_settles_mostly_military_worlds() -> None:
    assert mean_interval(military_share(rows("military"))).low > 0.5


@pytest.mark.parametrize("name", ARCHETYPES)
def test_an_archetype_is_still_a_player(name: str) -> None:
    """It scores more than twice as much as taking any option does."""
    assert mean_interval(rows(name)["seats"]["score"] - 2.0 * rows("uniform")["seats"]["score"]).low > 0


@pytest.mark.parametrize("name", ARCHETYPES)
def test_an_archetype_is_a_preset_of_weights_with_a_plan(name: str) -> None:
    preset = SHELF.get(name)
    assert preset.kind == Kind.WEIGHTS
    assert preset.plan != SHELF.get("balanced").plan
