"""Looking ahead in New Frontiers: what is dealt anew, and that it pays; `conformance` has what holds for every game."""

from dataclasses import replace
from typing import Any

import numpy as np
import play_some
import pytest
from conformance.games import NEW_FRONTIERS, hidden_goals
from lab_tiles import prepared
from scipy import stats

from nfsim.compiled.jit import int64
from nfsim.engine.records import new_record
from nfsim.engine.search import drop_behind
from nfsim.games.new_frontiers.codes import Decision
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.layout import STATE
from nfsim.games.new_frontiers.policies.hidden import deal_anew, forget_hidden
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.games.new_frontiers.rules import matters
from nfsim.policies.presets import Preset
from nfsim.stats.intervals import mean_interval

SETUPS: dict[str, dict[str, Any]] = {
    "solo": {"players": 1, "campaign": 3, "rounds": 10},
    "2 players": {"players": 2},
    "4 players": {"players": 4},
}
each_setup = pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS.keys())


def thinker(name: str, **changes: Any) -> Preset:
    """A built-in preset that thinks less, so that tests are quick."""
    preset = SHELF.get(name)
    assert preset.thinking is not None
    return replace(preset, thinking=preset.thinking.model_copy(update=changes))


def positions(setup: dict[str, Any], policy: str | Preset = "balanced", every: int = 7) -> list[Game]:
    """The same game at several of its decisions, played by `balanced`; `policy` is asked there."""
    ready = prepared(**setup)
    game = Game.new(ready, 5, 2)
    found = []
    while not game.finished:
        if len(game.choices) % every == 0:
            there = Game.new(ready, 5, 2, [policy])
            for choice in game.choices:
                there.choose(choice)
            found.append(there)
        game.choose(game.suggest())
    return found


def test_the_exchange_of_the_hidden_truth_is_one_that_would_be_noticed() -> None:
    """A player who looked into the bag would see another future: otherwise the test that exchanges it tests nothing."""
    game = positions(SETUPS["2 players"])[9]
    seat, rng = int(game.state.actor), np.random.default_rng(4)
    seen = set()
    for _ in range(20):
        NEW_FRONTIERS.exchange(game.state, seat, rng)
        seen.add((tuple(game.state.bag[:5]), tuple(game.state.goal_deck[:2]), int(game.state.goal_down[1 - seat])))
    assert len(seen) > 10


def dealt(game: Game, key: int) -> Any:
    """A copy of the position with everything hidden from the actor dealt anew."""
    states = new_record(STATE)
    states[0] = game.state
    forget_hidden(game.tables, states[0], int64(game.state.actor))
    deal_anew(game.tables, states[0], int64(game.state.actor), int64(key))
    return states[0]


@each_setup
def test_what_is_dealt_anew_is_possible(setup: dict[str, Any]) -> None:
    for game in positions(setup):
        truth, seat = game.state, int(game.state.actor)
        for key in range(3):
            state = dealt(game, key)
            assert sorted(state.bag[: int(state.bag_n)]) == sorted(truth.bag[: int(truth.bag_n)])
            assert sorted(hidden_goals(state, seat)) == sorted(hidden_goals(truth, seat))
            assert int(state.goal_down[seat]) == int(truth.goal_down[seat])
            assert int(state.face_up) == int(truth.face_up)
            for other in range(int(truth.n_seats)):
                assert (state.goal_down[other] >= 0) == (truth.goal_down[other] >= 0)
                goal = int(state.goal_down[other])
                if goal >= 0:
                    assert (int(state.goal_where[goal]), int(state.goal_by[goal])) == (1, other)
            assert int((state.goal_where == 1).sum()) == int((truth.goal_where == 1).sum())


def test_every_hidden_goal_is_as_likely_before_another_seat() -> None:
    game = next(game for game in positions(SETUPS["2 players"]) if game.state.goal_down[1 - int(game.state.actor)] >= 0)
    other = 1 - int(game.state.actor)
    found = [int(dealt(game, key).goal_down[other]) for key in range(2000)]
    counts = [found.count(goal) for goal in hidden_goals(game.state, int(game.state.actor))]
    assert sum(counts) == 2000
    assert stats.chisquare(counts).pvalue > 1e-4


def vps(policy: str | Preset, games: int, rounds: int = 10) -> np.ndarray[Any, Any]:
    rows = play_some.rows(prepared(players=1, rounds=rounds), [policy], 0, games)
    return np.array([row[6] for row in rows["seats"]], float)


def test_search_scores_more_than_the_weights_it_rolls_out_with() -> None:
    search = thinker("search", rollouts=16)
    assert search.thinking is not None
    gained = vps(search, 40) - vps(search.thinking.weights["solo_short"], 40)
    assert mean_interval(gained).low > 0


def test_search_thinks_about_the_decisions_that_matter() -> None:
    game = Game.new(prepared(players=1), 1, 0)

    def searched(decision: Decision) -> bool:
        game.state.decision = decision
        return bool(matters(game.tables, game.state))

    left = {decision for decision in Decision if not searched(decision)}
    assert left == {Decision.WINDFALL_GOOD, Decision.CONSUME, Decision.CONSUME_MORE, Decision.RETURN_GOAL}


def test_a_search_gives_up_options_far_behind_the_leader_and_no_others() -> None:
    """16 rollouts each on the same deals: the second loses 8 that the leader wins, the third one, the fourth none."""
    values = np.zeros((4, 16))
    values[0, :12] = 1.0
    values[1, :4] = 1.0
    values[2, 1:12] = 1.0
    values[3] = values[0]
    alive = np.ones(4, np.int64)
    assert drop_behind(values, alive, 16) == 0
    assert alive.tolist() == [1, 0, 1, 1]
