"""Environments for agents: what Gymnasium and PettingZoo check, and that their games are those of the engine."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_game  # registers the tiny game

import nfsim
import nfsim.env
from nfsim.engine.observing import MOST_ACTIONS
from nfsim.errors import BadInput

check_env = pytest.importorskip("gymnasium.utils.env_checker", reason="the extra env is not installed").check_env
zoo = pytest.importorskip("pettingzoo.test", reason="the extra env is not installed")

TINY = f'game = "{tiny_game.RULE_SET.name}"\npolicy = "balanced"\n[setup]\nplayers = '


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Scenarios of the tiny game, by number of players."""
    folder = tmp_path_factory.mktemp("tiny")
    found = {}
    for players in (1, 2):
        found[players] = folder / f"tiny_{players}.toml"
        found[players].write_text(f"{TINY}{players}\n", "utf-8")
    return found


@pytest.fixture(params=["tiny 1", "tiny 2", "solo_campaign1_short", "rift_2p"])
def scenario(request: pytest.FixtureRequest, tiny: dict[int, Path]) -> Path | str:
    """A scenario of either game, alone and with others."""
    name: str = request.param
    return tiny[int(name[-1])] if name.startswith("tiny") else name


def played(env: Any, seed: int) -> list[tuple[int, float]]:
    """Score and sum of rewards of the first three games of a seed, played by the first legal action."""
    found = []
    for game in range(3):
        env.reset(seed=seed) if game == 0 else env.reset()
        total, over, info = 0.0, False, {}
        while not over:
            _, reward, ended, stopped, info = env.step(int(np.flatnonzero(env.action_masks())[-1]))
            total, over = total + reward, ended or stopped
        found.append((info["score"], total))
    return found


def test_one_agent_passes_the_checks_of_gymnasium(scenario: Path | str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of ranges as wide as a game that names none has
        check_env(nfsim.env.solo(scenario, others="uniform"), skip_render_check=True)


def test_several_agents_pass_the_checks_of_pettingzoo(
    tiny: dict[int, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for chosen in (tiny[2], "rift_2p"):
        zoo.api_test(nfsim.env.aec(chosen), num_cycles=100)
        zoo.seed_test(lambda chosen=chosen: nfsim.env.aec(chosen), num_cycles=30)
    assert "Passed" in capsys.readouterr().out


def test_rewards_of_a_game_add_up_to_its_score(scenario: Path | str) -> None:
    for score, total in played(nfsim.env.solo(scenario, others="uniform"), seed=5):
        assert total == score


def test_games_stepped_together_are_those_that_one_agent_plays_alone(scenario: Path | str) -> None:
    alone = [score for score, _ in played(nfsim.env.solo(scenario, others="uniform"), seed=5)]
    together = nfsim.env.vector(3, scenario, others="uniform")
    _, masks = together.reset(seed=5)
    ended = np.zeros(3, bool)
    while not ended.all():
        last = together.actions - 1 - masks[:, ::-1].argmax(axis=1)
        _, masks, _, done = together.step(last)
        for place in np.flatnonzero(done & ~ended):
            assert together.scores[place] == alone[place]
            assert together.fair[place]
        ended |= done


def test_what_is_stepped_together_shows_what_a_game_shows(scenario: Path | str) -> None:
    together = nfsim.env.vector(2, scenario, others="uniform", reward="won")
    seen, masks = together.reset(seed=3)
    games = [nfsim.Game.from_scenario(scenario, seed=3, number=number, policy="uniform") for number in range(2)]
    for step in range(12):
        for place, game in enumerate(games):
            while game.seat != 0:
                game.choose(game.suggest())
            np.testing.assert_array_equal(seen[place], game.observe())
            np.testing.assert_array_equal(masks[place], game.action_mask())
        actions = together.any_actions(step)
        seen, masks, _, done = together.step(actions)
        if done.any():
            return
        for game, action in zip(games, actions, strict=True):
            game.choose(int(action))


def test_numbers_stay_in_the_ranges_that_are_said_and_every_entry_has_a_name(scenario: Path | str) -> None:
    together = nfsim.env.vector(16, scenario, others="uniform")
    entries = together.observation_entries()
    low, high = np.array([(each.low, each.high) for each in entries]).T
    seen, _ = together.reset()
    assert len({each.name for each in entries}) == len(entries) == seen.shape[1]
    assert all(each.meaning for each in entries)
    for step in range(150):
        assert ((seen >= low) & (seen <= high)).all()
        seen, masks, _, _ = together.step(together.any_actions(step))
        assert masks.any(axis=1).all()
        assert not together.options(seen)[~masks].any()


def test_an_action_that_is_not_legal_is_refused_and_changes_nothing(tiny: dict[int, Path]) -> None:
    together = nfsim.env.vector(2, tiny[1])
    seen, _ = together.reset()
    before = seen.copy()
    for wrong in (-1, together.actions):
        with pytest.raises(IndexError, match="in game 1 is not legal"):
            together.step(np.array([0, wrong]))
    np.testing.assert_array_equal(before, seen)
    several = nfsim.env.aec(tiny[2])
    several.reset(seed=1)
    with pytest.raises(IndexError, match="of seat_0 is not legal"):
        several.step(7)


def test_one_agent_forfeits_a_game_with_an_action_that_is_not_legal(tiny: dict[int, Path]) -> None:
    env = nfsim.env.solo(tiny[1])
    env.reset(seed=1)
    rewards = [env.step(0)[1] for _ in range(2)]
    _, last, ended, _, info = env.step(9)
    assert (sum(rewards) + last, ended, info["forfeited"]) == (0, True, True)


def test_winning_alone_is_rewarded_where_that_is_asked_for(tiny: dict[int, Path]) -> None:
    together = nfsim.env.vector(8, tiny[2], others="uniform", reward="won")
    together.reset()
    paid = set()
    for step in range(40):
        _, _, rewards, done = together.step(together.any_actions(step))
        assert not rewards[~done].any()
        np.testing.assert_array_equal(rewards[done], together.won[done])
        paid |= set(rewards[done].tolist())
    assert paid == {0.0, 1.0}


def test_one_agent_may_play_against_a_policy_that_looks_ahead_and_many_games_may_not(tiny: dict[int, Path]) -> None:
    env = nfsim.env.solo(tiny[2], seat=1, others=["search", "uniform"])
    env.reset(seed=1)
    assert env.game.seat == 1
    with pytest.raises(BadInput, match=r"search looks ahead .* an environment of one agent"):
        nfsim.env.vector(2, tiny[2], others="search")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seat": 3}, "seat: 3 is none of the seats 0 to 1"),
        ({"reward": "scor"}, 'unknown reward "scor"; did you mean "score"'),
        ({"others": "balancd"}, "balancd"),
    ],
)
def test_a_mistake_is_said_in_one_sentence(tiny: dict[int, Path], wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        nfsim.env.solo(tiny[2], **wrong)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    for make, package in ((nfsim.env.solo, "gymnasium"), (nfsim.env.aec, "pettingzoo")):
        with pytest.raises(BadInput, match=rf"needs {package}, which is not installed; pip install 'nfsim\[env\]'"):
            make("rift_2p")


def test_many_games_need_neither_gymnasium_nor_pettingzoo() -> None:
    code = "import sys, nfsim.env.many; sys.exit(bool({'gymnasium', 'pettingzoo'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_all_options_of_random_games_can_be_chosen() -> None:
    game = nfsim.Game.from_scenario("rift_4p", seed=2, policy="uniform")
    most = 0
    while not game.finished:
        most = max(most, len(game.options))
        game.choose(game.suggest())
    assert 10 < most < MOST_ACTIONS
