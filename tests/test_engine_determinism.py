"""The same game is the same alone, in any chunk, replayed, compiled or not; and nothing ever compiles twice."""

import importlib
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import play_some
import pytest
from lab_tiles import development, prepared, producer, world

import nfsim.games.new_frontiers
from nfsim.compiled.jit import JIT_ENABLED
from nfsim.engine import kernel
from nfsim.games.new_frontiers.codes import Action, Decision
from nfsim.games.new_frontiers.columns import ROW_DTYPES
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.ruleset import RULE_SET

SETUPS = pytest.mark.parametrize("setup", play_some.SETUPS, ids=["solo", "rift 4p", "base 3p"])


def policies(made: Any, name: str = "uniform") -> list[str]:
    """The same policy for every player."""
    return [name] * int(made.tables[0].players)


def of_game(found: dict[str, list[Any]], number: int) -> dict[str, list[Any]]:
    """Rows of one game."""
    place = {name: (ROW_DTYPES[name].names or ()).index("game") for name in found}
    return {name: [row for row in table if row[place[name]] == number] for name, table in found.items()}


@SETUPS
def test_a_game_is_the_same_alone_as_among_others(setup: dict[str, Any]) -> None:
    made = prepared(**setup)
    together = play_some.rows(made, policies(made), 0, 20)
    for number in (0, 13, 19):
        assert of_game(together, number) == play_some.rows(made, policies(made), number, 1)


@SETUPS
def test_games_are_the_same_in_chunks_of_any_size(setup: dict[str, Any]) -> None:
    made = prepared(**setup)
    together = play_some.rows(made, policies(made), 0, 12)
    apart: dict[str, list[Any]] = {name: [] for name in together}
    for first, count in ((0, 1), (1, 7), (8, 4)):
        for name, table in play_some.rows(made, policies(made), first, count).items():
            apart[name] += table
    assert apart == together


@pytest.mark.skipif(not JIT_ENABLED, reason="300 games take minutes uncompiled")
def test_games_that_do_not_fit_into_the_buffers_at_once_are_all_there() -> None:
    made = prepared(players=5)
    found = play_some.rows(made, policies(made), 0, 300)
    assert [row[0] for row in found["games"]] == list(range(300))
    assert len(found["seats"]) == 300 * 5


@SETUPS
@pytest.mark.parametrize("policy", ["uniform", "balanced"])
def test_a_game_from_python_is_the_game_of_the_simulation(setup: dict[str, Any], policy: str) -> None:
    made = prepared(**setup)
    game = Game.new(made, 7, 3, policies(made, policy))
    while not game.finished:
        game.choose(game.suggest())
    seats = of_game(play_some.rows(made, policies(made, policy), 3, 1), 3)["seats"]
    place = (ROW_DTYPES["seats"].names or ()).index("score")
    assert [row[place] for row in seats] == [score["total"] for score in game.scores()]


@SETUPS
def test_choices_replay_a_game(setup: dict[str, Any]) -> None:
    game = Game.new(prepared(**setup), 7, 3, ["uniform"])
    while not game.finished:
        game.choose(game.suggest())
    again = Game.replay(prepared(**setup), 7, 3, game.choices)
    streams = ["policy_counter"]  # only the policy's own counter is not part of the choices
    same = [name for name in game.state.dtype.names if name not in streams]
    assert [name for name in same if not np.array_equal(game.state[name], again.state[name])] == []


@SETUPS
def test_only_decisions_with_a_choice_are_asked_and_counted(setup: dict[str, Any]) -> None:
    game = Game.new(prepared(**setup), 7, 3, ["uniform"])
    offered = 0
    while not game.finished:
        offered += len(game.options)
        game.choose(game.suggest())
    assert (int(game.state.asked.sum()), int(game.state.options_seen.sum())) == (len(game.choices), offered)


def test_other_games_and_other_seeds_are_other_games() -> None:
    made = prepared(players=4)
    games = [play_some.rows(made, policies(made), number, 1, root)["seats"] for root in (7, 8) for number in (0, 1)]
    assert len({repr([row[2:] for row in seats]) for seats in games}) == 4


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


def test_compiled_and_uncompiled_games_are_the_same() -> None:
    folder = Path(__file__).parent
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "play_some.py"], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == play_some.digests()


# --- nothing compiles twice


def signatures() -> dict[str, int]:
    """Compiled variants of every compiled function."""
    found = {}
    for module in pkgutil.walk_packages(nfsim.games.new_frontiers.__path__, "nfsim.games.new_frontiers."):
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


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
def test_the_kernel_has_one_compiled_variant() -> None:
    play_some.rows(prepared(players=4), ["uniform"] * 4, 0, 1)
    play: Any = kernel.play_games
    assert len(play.signatures) == 1
