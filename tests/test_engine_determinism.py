"""Policies and what is drawn do not touch each other, and nothing ever compiles twice; the rest is in `conformance`."""

import importlib
import pkgutil
from typing import Any

import numpy as np
import play_some
import pytest
from lab_tiles import development, prepared, producer, world

import nfsim.engine
import nfsim.games.new_frontiers
from nfsim.compiled.jit import JIT_ENABLED
from nfsim.games.new_frontiers.codes import Action, Decision
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.ruleset import RULE_SET


def policies(made: Any, name: str = "uniform") -> list[str]:
    """The same policy for every player."""
    return [name] * int(made.tables[0].players)


@pytest.mark.skipif(not JIT_ENABLED, reason="300 games take minutes uncompiled")
def test_games_that_do_not_fit_into_the_buffers_at_once_are_all_there() -> None:
    made = prepared(players=5)
    found = play_some.rows(made, policies(made), 0, 300)
    assert [row[0] for row in found["games"]] == list(range(300))
    assert len(found["seats"]) == 300 * 5


def explore_at_once(names: list[str]) -> Game:
    """Choose sides with these policies, then explore."""
    game = Game.new(prepared(players=2), 11, 5, names)
    while game.decision[1] == Decision.CHOOSE_SIDE:
        game.choose(game.suggest())
    game.choose([a for _, a, _ in game.options].index(Action.EXPLORE))
    return game


@pytest.mark.parametrize("field", ["mat", "stack_side", "goal_deck", "start_order", "shown", "draw_counter"])
def test_another_policy_of_one_seat_changes_neither_setup_nor_the_bag(field: str) -> None:
    one, other = explore_at_once(["uniform", "uniform"]), explore_at_once(["uniform", "balanced"])
    assert np.array_equal(one.state[field], other.state[field])


def test_another_policy_of_one_seat_leaves_the_others_stream_as_it_is() -> None:
    keys = {tuple(explore_at_once(["uniform", policy]).state.policy_key) for policy in ("uniform", "balanced")}
    assert len(keys) == 1


# --- nothing compiles twice


def signatures() -> dict[str, int]:
    """Compiled variants of every compiled function."""
    found = {}
    for package in (nfsim.engine, nfsim.games.new_frontiers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, member in vars(importlib.import_module(module.name)).items():
                if hasattr(member, "signatures"):
                    found[f"{member.__module__}.{name}"] = len(member.signatures)
    return found


OTHERS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("another policy", {"players": 4}, ["uniform", "balanced", "uniform", "balanced"]),
    ("another scenario", {"players": 1, "campaign": 6, "rounds": 12}, ["balanced"]),
    ("without goals", {"players": 2, "goals": False}, ["uniform"] * 2),
    ("the base game", {"players": 5, "expansion": "base"}, ["balanced"] * 5),
    ("other rulings", {"players": 2, "rules": {"profile": "table"}}, ["uniform"] * 2),
    (
        "patched tiles",
        {
            "players": 3,
            "tiles": [world("Rock"), producer("Bazaar", "any"), development("Bank", 1, "develop.credits 2")],
        },
        ["uniform"] * 3,
    ),
]


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize(("setup", "names"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
@pytest.mark.parametrize("level", ["games", "rounds", "tiles"])
def test_nothing_is_compiled_anew_for(setup: dict[str, Any], names: list[str], level: str) -> None:
    play_some.rows(prepared(players=4), ["uniform"] * 4, 0, 1)
    before = signatures()
    RULE_SET.engine(prepared(**setup), names, level).play(1, 0, 3)
    assert {name: count for name, count in signatures().items() if count != before[name]} == {}
