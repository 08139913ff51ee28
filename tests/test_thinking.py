"""Looking ahead: what search and planner may know, that thinking leaves the game alone, and that it pays."""

from dataclasses import replace
from typing import Any

import numpy as np
import play_some
import pytest
from lab_tiles import prepared
from scipy import stats

from nfsim.compiled.jit import int64
from nfsim.engine.records import new_record
from nfsim.engine.search import consider
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


def hidden_goals(state: Any, seat: int) -> list[int]:
    """Goals that a seat cannot see: in the stack, or face down before others."""
    deck = [int(goal) for goal in state.goal_deck[: int(state.goal_deck_n)]]
    return deck + [int(state.goal_down[s]) for s in range(int(state.n_seats)) if s != seat and state.goal_down[s] >= 0]


def exchange_hidden(state: Any, seat: int, rng: np.random.Generator) -> None:
    """Make another truth of everything that the seat cannot see."""
    state.draw_key = int(rng.integers(1 << 60))
    state.draw_counter = int(rng.integers(100))
    state.bag[: int(state.bag_n)] = rng.permutation(state.bag[: int(state.bag_n)])
    goals = [int(goal) for goal in rng.permutation(hidden_goals(state, seat))]
    for other in range(int(state.n_seats)):
        if other != seat and state.goal_down[other] >= 0:
            state.goal_where[state.goal_down[other]], state.goal_by[state.goal_down[other]] = 0, -1
    for other in range(int(state.n_seats)):
        if other != seat and state.goal_down[other] >= 0:
            goal = goals.pop()
            state.goal_down[other], state.goal_where[goal], state.goal_by[goal] = goal, 1, other
    state.goal_deck[: len(goals)] = goals


def think(game: Game) -> int:
    return int(consider(game.tables, game.room, game.policies))


@each_setup
@pytest.mark.parametrize("policy", ["search", "search_planner", "planner"])
def test_a_choice_does_not_change_when_the_hidden_truth_is_exchanged(setup: dict[str, Any], policy: str) -> None:
    rng = np.random.default_rng(3)
    asked = 0
    for game in positions(setup, thinker(policy, rollouts=16, plan_rollouts=8, candidates=4), every=11):
        before = game.room.memory[0].copy()
        used = game.policies.use.copy()
        chosen, counter = think(game), game.state.policy_counter.copy()
        for _ in range(3):
            game.room.memory[0] = before
            game.policies.use, game.policies.planned_round = used, -1
            exchange_hidden(game.state, int(game.state.actor), rng)
            assert think(game) == chosen
            assert list(game.state.policy_counter) == list(counter)
            asked += 1
    assert asked > 10


def test_the_exchange_of_the_hidden_truth_is_one_that_would_be_noticed() -> None:
    """A player who looked into the bag would see another future: otherwise the test above tests nothing."""
    game = positions(SETUPS["2 players"])[9]
    seat, rng = int(game.state.actor), np.random.default_rng(4)
    seen = set()
    for _ in range(20):
        exchange_hidden(game.state, seat, rng)
        seen.add((tuple(game.state.bag[:5]), tuple(game.state.goal_deck[:2]), int(game.state.goal_down[1 - seat])))
    assert len(seen) > 10


@each_setup
def test_thinking_leaves_the_game_as_it_is(setup: dict[str, Any]) -> None:
    for game in positions(setup, thinker("search_planner", rollouts=16, plan_rollouts=4, candidates=3), every=17):
        before, options = game.state.copy(), game.options
        think(game)
        before.policy_counter[:] = game.state.policy_counter
        if game.state.decision != before.decision:
            pytest.fail("the decision changed")
        before.asked[:], before.options_seen[:] = game.state.asked, game.state.options_seen
        assert before.tobytes() == game.state.tobytes()
        assert game.options == options


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


@pytest.mark.parametrize("name", ["planner", "search", "search_planner"])
@pytest.mark.parametrize("players", [1, 2])
def test_games_of_a_thinking_policy_do_not_depend_on_those_before(name: str, players: int) -> None:
    policy = thinker(name, rollouts=8, plan_rollouts=4, candidates=3)
    ready = prepared(players=players)
    together = play_some.rows(ready, [policy] * players, 0, 3)
    alone = [play_some.rows(ready, [policy] * players, game, 1) for game in (2, 0, 1)]
    assert together["seats"] == alone[1]["seats"] + alone[2]["seats"] + alone[0]["seats"]
    assert together["selections"] == alone[1]["selections"] + alone[2]["selections"] + alone[0]["selections"]


@pytest.mark.parametrize("name", ["planner", "search", "search_planner"])
def test_a_game_of_a_thinking_policy_is_replayed_as_it_was_simulated(name: str) -> None:
    policy = thinker(name, rollouts=8, plan_rollouts=4, candidates=3)
    ready = prepared(players=1, campaign=3)
    simulated = play_some.rows(ready, [policy], 4, 1)
    game = Game.new(ready, 7, 4, [policy])
    for _ in game.transcript():
        pass
    assert game.scores()[0]["total"] == simulated["seats"][0][6]
    assert [(seat, action) for taken in game.selections for seat, action, _ in taken] == [
        (row[3], row[4]) for row in simulated["selections"]
    ]


def vps(policy: str | Preset, games: int, rounds: int = 10) -> np.ndarray[Any, Any]:
    rows = play_some.rows(prepared(players=1, rounds=rounds), [policy], 0, games)
    return np.array([row[6] for row in rows["seats"]], float)


def test_search_scores_more_than_the_weights_it_rolls_out_with() -> None:
    search = thinker("search", rollouts=16)
    assert search.thinking is not None
    gained = vps(search, 40) - vps(search.thinking.weights["solo_short"], 40)
    assert mean_interval(gained).low > 0


def test_a_planner_with_one_open_condition_aims_at_it_without_thinking() -> None:
    only = SHELF.get("planner").aiming(2, 4)
    assert only is not None
    game = Game.new(prepared(players=1, campaign=4), 1, 0, [only])
    game.suggest()
    assert int(game.policies[0].use - game.policies[0].first_mind) == 2
    assert int(game.state.policy_counter[0]) == 0


def test_a_planner_aims_at_the_condition_whose_rollouts_are_worth_most() -> None:
    for game in positions(SETUPS["solo"], thinker("planner", plan_rollouts=16)):
        game.suggest()
        policy = game.policies[0]
        chances = policy.chance[: int(game.tables.n_objectives)]
        assert int(policy.use - policy.first_mind) == int(np.argmax(chances))
        assert 0 <= chances.min() <= chances.max() < 1.01


def test_search_thinks_about_the_decisions_that_matter() -> None:
    game = Game.new(prepared(players=1), 1, 0)

    def searched(decision: Decision) -> bool:
        game.state.decision = decision
        return bool(matters(game.tables, game.state))

    left = {decision for decision in Decision if not searched(decision)}
    assert left == {Decision.WINDFALL_GOOD, Decision.CONSUME, Decision.CONSUME_MORE, Decision.RETURN_GOAL}
