"""What people who write players call: one game from Python, numbers of numpy, functions as policies, types."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import nfsim
from nfsim.engine import position
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.codes import Option, Verb
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.turn import Turn
from nfsim.policies.functions import named
from nfsim.run.scenario import read_scenario

ROOT = Path(__file__).parents[1]


def first(game: position.Turn) -> int:
    """Takes the first option."""
    return 0


def test_a_game_from_a_scenario_is_the_game_of_that_number_of_a_run() -> None:
    game = nfsim.Game.from_scenario("rift_2p", seed=4, number=2, policy="uniform", settings=["setup.goals=false"])
    chosen = read_scenario("rift_2p", ["setup.goals=false"], {"policy": "uniform"})
    again = chosen.rule_set.game(chosen.prepared, chosen.seated, 4, 2)
    assert isinstance(game, nfsim.Game)
    assert list(game.transcript()) == list(again.transcript())


def test_a_game_takes_a_path_and_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    game = nfsim.Game.from_scenario(ROOT / "scenarios" / "rift_2p.toml", policy=[first, "balanced"])
    while game.seat != 0:
        game.choose(game.suggest())
    assert game.suggest() == 0
    assert 0 <= game.suggest("balanced") < len(game.options)


def test_what_a_function_gets_has_the_names_of_a_game() -> None:
    public = {name for name in dir(Turn) if not name.startswith("_")}
    assert public - set(dir(Game)) == {"at"}  # what the engine turns it with
    game = nfsim.Game.from_scenario("solo_campaign1_short", seed=1)
    turn = game._at_turn()
    for name in (
        "seat",
        "round",
        "rounds",
        "credits",
        "colonists",
        "military",
        "goods",
        "explored",
        "options",
        "decision",
    ):
        assert getattr(turn, name) == getattr(game, name), name
    assert turn.number == game.number
    assert turn.tile(0) == game.tile(0)
    assert turn.seen.tobytes() == game.seen.tobytes()
    assert turn.observe().tolist() == game.observe().tolist()
    with pytest.raises(IndexError, match="you are seat 0"):
        turn.observe(1)


def test_a_word_that_is_no_verb_is_refused() -> None:
    assert Verb("buy") == "buy"
    with pytest.raises(ValueError, match="bye"):
        Verb("bye")
    assert len(Verb) == len(Option)


def test_the_page_about_own_players_lists_every_verb() -> None:
    text = (ROOT / "docs" / "own-player.md").read_text("utf-8")
    table = text.split("| verb |")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == [str(verb) for verb in Verb]


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    run = nfsim.play("rift_2p", tmp_path / "a", games=np.int64(3), seed=np.int32(3), jobs=np.int8(1), policy="uniform")
    assert run.manifest["seed"] == 3
    assert run.games.collect().height == 3
    with pytest.raises(BadInput, match=r"--games: must be a whole number, not 2\.5"):
        nfsim.play("rift_2p", tmp_path / "b", games=2.5)  # type: ignore[arg-type]


def test_a_function_is_a_policy_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    from examples.greedy import choose

    run = nfsim.play("rift_2p", tmp_path / "run", games=2, jobs=1, policy=[choose, "uniform"])
    assert run.manifest["policies"][0] == "examples.greedy:choose"


def test_a_function_that_other_processes_cannot_find_is_refused_in_one_sentence() -> None:
    with pytest.raises(BadInput, match="<lambda> cannot be found by other processes; write it at the top level of a"):
        named(["balanced", lambda game: 0])


def test_types_of_the_package_are_found_where_it_is_installed() -> None:
    package_data = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    assert "py.typed" in package_data["nfsim"]
    assert (ROOT / "nfsim" / "py.typed").is_file()
