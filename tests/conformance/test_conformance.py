"""What holds for every rule set: games of each one of `games.CASES` are put through the same tests."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conformance.digests import digests, rows
from conformance.games import CASES, GameCase
from nfsim.compiled.jit import JIT_ENABLED, int64
from nfsim.compiled.status import Status
from nfsim.contract.series import MET
from nfsim.contract.tables import LEVELS, STANDARD
from nfsim.engine.search import consider
from nfsim.engine.workspace import GAME, new_workspace
from nfsim.log.read import load
from nfsim.run.execute import run
from nfsim.run.scenario import scenario_from

GOLDEN = Path(__file__).parents[1] / "golden"

everywhere = pytest.mark.parametrize(
    ("case", "setup"),
    [
        pytest.param(case, setup, id=f"{name}-{setup.replace(' ', '_')}")
        for name, case in CASES.items()
        for setup in case.setups
    ],
)
each_game = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def of_game(case: GameCase, found: dict[str, list[Any]], number: int) -> dict[str, list[Any]]:
    """Rows of one game; every table begins with its number."""
    return {name: [row for row in table if row[0] == number] for name, table in found.items()}


def column(case: GameCase, table: str, name: str) -> int:
    """Place of a column."""
    columns = next(each for each in case.rule_set.tables if each.name == table).columns
    return [each.name for each in columns].index(name)


def played(case: GameCase, setup: str, policy: Any, seed: int = 7, number: int = 3) -> Any:
    """A game played to its end by a policy."""
    game = case.game(setup, seed, number, policy)
    while not game.finished:
        game.choose(game.suggest())
    return game


def positions(case: GameCase, setup: str, policy: Any, every: int) -> list[Any]:
    """The same game at several of its decisions; `policy` is asked there."""
    through = case.game(setup, 5, 2, case.simple[-1])
    found = []
    while not through.finished:
        if len(through.choices) % every == 0:
            there = case.game(setup, 5, 2, policy)
            for choice in through.choices:
                there.choose(choice)
            found.append(there)
        through.choose(through.suggest())
    return found


def think(game: Any) -> int:
    """What the policy whose turn it is chooses."""
    return int(consider(game.tables, game.room, game.policies))


# --- the same game, however it is played


@everywhere
def test_a_game_is_the_same_alone_as_among_others(case: GameCase, setup: str) -> None:
    together = rows(case, setup, case.simple[0], 0, 20)
    for number in (0, 13, 19):
        assert of_game(case, together, number) == rows(case, setup, case.simple[0], number, 1)


@everywhere
def test_games_are_the_same_in_chunks_of_any_size(case: GameCase, setup: str) -> None:
    together = rows(case, setup, case.simple[0], 0, 12)
    apart: dict[str, list[Any]] = {name: [] for name in together}
    for first, count in ((0, 1), (1, 7), (8, 4)):
        for name, table in rows(case, setup, case.simple[0], first, count).items():
            apart[name] += table
    assert apart == together


@each_game
def test_runs_are_the_same_with_any_number_of_workers(case: GameCase, tmp_path: Path) -> None:
    found = []
    for jobs in (1, 2):
        name = next(iter(case.setups))
        data = {"game": case.rule_set.name, **case.setups[name], "policy": case.simple[-1]}
        run(scenario_from({**data, "games": 600}, "test", "test"), tmp_path / str(jobs), jobs=jobs, level="rounds")
        found.append({name: table.collect().to_dicts() for name, table in load(tmp_path / str(jobs)).items()})
    assert found[0] == found[1]
    assert len(found[0]["games"]) == 600


@everywhere
@pytest.mark.parametrize("place", [0, 1])
def test_a_game_from_python_is_the_game_of_the_simulation(case: GameCase, setup: str, place: int) -> None:
    policy = case.simple[place]
    game = played(case, setup, policy)
    seats = rows(case, setup, policy, 3, 1)["seats"]
    score = column(case, "seats", "score")
    assert [row[score] for row in seats] == [next(iter(parts.values())) for parts in game.scores()]


@everywhere
def test_choices_replay_a_game(case: GameCase, setup: str) -> None:
    game = played(case, setup, case.simple[0])
    again = type(game).replay(case.prepared(setup), 7, 3, game.choices)
    names = [name for name in game.state.dtype.names if name != "policy_counter"]  # not part of the choices
    assert [name for name in names if not np.array_equal(game.state[name], again.state[name])] == []


@each_game
def test_other_games_and_other_seeds_are_other_games(case: GameCase) -> None:
    setup = list(case.setups)[-1]
    found = [rows(case, setup, case.simple[0], number, 1, root) for root in (7, 8) for number in (0, 1)]
    assert len({repr([[row[1:] for row in table] for table in each.values()]) for each in found}) == 4


def test_compiled_and_uncompiled_games_are_the_same() -> None:
    program, environment = Path(__file__).with_name("digests.py"), {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == digests()


@pytest.mark.skipif(not JIT_ENABLED, reason="nothing is compiled")
@each_game
def test_nothing_is_compiled_anew_for_another_setup_policy_or_level(case: GameCase) -> None:
    from nfsim.engine import kernel

    play: Any = kernel.play_games
    counts = set()
    for setup in case.setups:
        for policy in case.simple:
            for level in case.rule_set.levels:
                ready = case.prepared(setup)
                policies = [case.policy(policy)] * case.rule_set.players(ready)
                case.rule_set.engine(ready, policies, level).play(1, 0, 3)
                counts.add(len(play.signatures))
    assert len(counts) == 1


# --- legal play


@everywhere
def test_a_decision_has_two_or_more_options_all_different_and_each_is_counted(case: GameCase, setup: str) -> None:
    game, offered = case.game(setup, 7, 3), 0
    while not game.finished:
        assert len(game.options) == len(set(game.options)) >= 2
        offered += len(game.options)
        game.choose(game.suggest())
    assert (int(game.state.asked.sum()), int(game.state.options_seen.sum())) == (len(game.choices), offered)


@everywhere
def test_every_option_offered_can_be_carried_out(case: GameCase, setup: str) -> None:
    """On a copy of the position, so that nothing that random play avoids stays untried."""
    game = case.game(setup, 3, 3)
    room = new_workspace(game.rules)
    while not game.finished:
        for choice in range(len(game.options)):
            room.states[GAME], room.lists[GAME] = game.state, game.shown_options
            game.rules.apply(game.tables, room.states[GAME], room.lists[GAME], int64(choice))
            game.rules.advance(game.tables, room.states[GAME], room.lists[GAME])
            assert int(room.states[GAME].status) in (Status.RUNNING, Status.FINISHED)
        game.choose(game.suggest())


@everywhere
def test_a_choice_that_is_not_offered_is_refused(case: GameCase, setup: str) -> None:
    game = case.game(setup, 1, 0)
    for choice in (-1, len(game.options)):
        with pytest.raises(IndexError, match="choose a number from `options`"):
            game.choose(choice)


@everywhere
@pytest.mark.parametrize("place", [0, 1])
def test_games_end_by_the_rules(case: GameCase, setup: str, place: int) -> None:
    status = column(case, "games", "status")
    assert {row[status] for row in rows(case, setup, case.simple[place], 0, 50)["games"]} == {Status.FINISHED}


@each_game
def test_every_reading_of_every_ruling_can_be_played(case: GameCase) -> None:
    rule_set, status = case.rule_set, column(case, "games", "status")
    for ruling in rule_set.rulings:
        for choice in ruling.choices:
            for name, setup in case.setups.items():
                settings = {**setup, "rules": {**setup.get("rules", {}), ruling.switch: choice}}
                ready = rule_set.prepare(rule_set.read_settings(settings, name), name)
                assert ready.rulings[ruling.switch] == choice
                engine = rule_set.engine(ready, [case.policy(case.simple[0])] * rule_set.players(ready), LEVELS[0])
                engine.play(1, 0, 5)
                found = engine.rows()["games"].tolist()
                assert {row[status] for row in found} == {Status.FINISHED}, (ruling.switch, choice, name)


# --- scores, objectives, tables


@everywhere
def test_the_score_is_the_sum_of_its_parts(case: GameCase, setup: str) -> None:
    game = case.game(setup, 7, 3, case.simple[-1])
    while not game.finished:
        rounds = game.rounds_ended
        game.choose(game.suggest())
        if game.rounds_ended > rounds:
            for found in game.scores():
                total, *parts = found.values()
                assert total == sum(parts)
    places = [column(case, "seats", part) for part in case.parts]
    score = column(case, "seats", "score")
    for row in rows(case, setup, case.simple[-1], 0, 20)["seats"]:
        assert row[score] == sum(row[place] for place in places)


@everywhere
def test_the_last_round_of_a_game_has_its_final_score(case: GameCase, setup: str) -> None:
    found = rows(case, setup, case.simple[-1], 0, 20)
    score, seat = column(case, "rounds", "score"), column(case, "rounds", "seat")
    last = {(row[0], row[seat]): row[score] for row in found["rounds"]}
    score, seat = column(case, "seats", "score"), column(case, "seats", "seat")
    assert {(row[0], row[seat]): row[score] for row in found["seats"]} == last


@everywhere
def test_ranks_begin_at_one_and_no_rank_is_better_with_a_lower_score(case: GameCase, setup: str) -> None:
    found = rows(case, setup, case.simple[-1], 0, 20)["seats"]
    rank, score = column(case, "seats", "rank"), column(case, "seats", "score")
    for number in range(20):
        seats = sorted((row[rank], -row[score]) for row in found if row[0] == number)
        assert seats[0][0] == 1
        assert all(one[1] <= other[1] for one, other in pairwise(seats))


@everywhere
def test_alone_a_game_is_won_when_an_objective_is_met(case: GameCase, setup: str) -> None:
    ready = case.prepared(setup)
    if case.rule_set.players(ready) > 1:
        assert not case.rule_set.objectives(ready)
        return
    found = rows(case, setup, case.simple[-1], 0, 60)
    met = column(case, "objectives", "met")
    by_game = {n: [row[met] for row in found["objectives"] if row[0] == n] for n in range(60)}
    assert {len(each) for each in by_game.values()} == {len(case.rule_set.objectives(ready))}
    won = {row[0]: row[column(case, "seats", "won")] for row in found["seats"]}
    assert won == {number: int(any(each)) for number, each in by_game.items()}


@each_game
def test_every_column_is_explained_and_the_standard_ones_are_there(case: GameCase) -> None:
    tables = {table.name: table for table in case.rule_set.tables}
    for name, standard in STANDARD.items():
        assert set(standard) <= {column.name for column in tables[name].columns}, name
    for table in tables.values():
        assert table.columns[0].name == "game"
        assert table.meaning
        assert table.level in case.rule_set.levels
        for each in table.columns:
            assert each.meaning, (table.name, each.name)
            assert bool(each.labels) == (each.storage == "label"), (table.name, each.name)


@everywhere
def test_labels_cover_every_code_that_is_written(case: GameCase, setup: str) -> None:
    ready = case.prepared(setup)
    found = rows(case, setup, case.simple[0], 0, 20)
    for table in case.rule_set.tables:
        for place, each in enumerate(table.columns):
            if each.storage == "label" and each.labels != "policy":
                labels = case.rule_set.labels(ready, each.labels) if isinstance(each.labels, str) else each.labels
                assert all(labels[row[place]] for row in found[table.name] if row[place] != -1)


# --- what is hidden


@everywhere
def test_a_choice_does_not_change_when_the_hidden_truth_is_exchanged(case: GameCase, setup: str) -> None:
    rng, asked = np.random.default_rng(3), 0
    for policy in (*case.simple, *case.thinkers()):
        for game in positions(case, setup, policy, every=11 if len(case.setups) > 4 else 3):
            before, used = game.room.memory[GAME].copy(), game.policies.use.copy()
            chosen, counter = think(game), game.state.policy_counter.copy()
            for _ in range(2):
                game.room.memory[GAME] = before
                game.policies.use, game.policies.planned_round = used, -1
                case.exchange(game.state, int(game.state.actor), rng)
                assert think(game) == chosen
                assert list(game.state.policy_counter) == list(counter)
                asked += 1
    assert asked > 10


@everywhere
def test_positions_that_a_seat_cannot_tell_apart_look_the_same(case: GameCase, setup: str) -> None:
    rng, found = np.random.default_rng(4), 0
    for game in positions(case, setup, case.simple[0], every=3):
        room, seat = new_workspace(game.rules), int(game.state.actor)
        seen, truths = set(), set()
        for number in range(8):
            room.states[GAME] = game.state
            if number:
                case.exchange(room.states[GAME], seat, rng)
            truths.add(room.states[GAME].tobytes())
            game.rules.forget_hidden(game.tables, room.states[GAME], int64(seat))
            seen.add(room.states[GAME].tobytes())
        assert len(seen) == 1
        found += len(truths) > 1
    assert found


@everywhere
def test_an_observation_does_not_change_when_the_hidden_truth_is_exchanged(case: GameCase, setup: str) -> None:
    rng, found = np.random.default_rng(5), 0
    for game in positions(case, setup, case.simple[0], every=20 if len(case.setups) > 4 else 3):
        for seat in range(game.players):
            before, seen = game.room.memory[GAME].copy(), game.observe(seat)
            assert game.action_mask(seat).any() == (seat == game.seat)
            for _ in range(2):
                case.exchange(game.state, seat, rng)
                found += not np.array_equal(before, game.room.memory[GAME])
                np.testing.assert_array_equal(game.observe(seat), seen)
            game.room.memory[GAME] = before
    assert found


@everywhere
def test_a_clone_goes_on_as_the_game_does_and_leaves_it_alone(case: GameCase, setup: str) -> None:
    game = case.game(setup, 7, 3)
    for _ in range(4):
        game.choose(game.suggest())
    before, options = game.state.tobytes(), game.options
    clone = game.clone()
    cloned = list(clone.transcript())
    assert (game.state.tobytes(), game.options, len(game.choices)) == (before, options, 4)
    assert list(game.transcript()) == cloned
    assert (clone.choices, clone.state.tobytes()) == (game.choices, game.state.tobytes())


@everywhere
def test_options_begin_with_one_of_the_verbs_of_the_game(case: GameCase, setup: str) -> None:
    game = case.game(setup, 7, 3)
    while not game.finished:
        for choice, (kind, _, _) in enumerate(game.options):
            assert game.words(choice)[0] == game.rules.verbs[kind]
        game.choose(game.suggest())


@everywhere
def test_what_is_dealt_anew_is_forgotten_again(case: GameCase, setup: str) -> None:
    """So it is a position that the seat takes for possible."""
    for game in positions(case, setup, case.simple[0], every=5):
        room, seat = new_workspace(game.rules), int64(game.state.actor)
        seen = []
        for key in (0, 1, 2):
            room.states[GAME] = game.state
            game.rules.forget_hidden(game.tables, room.states[GAME], seat)
            if key:
                game.rules.deal_anew(game.tables, room.states[GAME], seat, int64(key))
                game.rules.forget_hidden(game.tables, room.states[GAME], seat)
            seen.append(room.states[GAME].tobytes())
        assert len(set(seen)) == 1


@everywhere
def test_thinking_leaves_the_game_as_it_is(case: GameCase, setup: str) -> None:
    for game in positions(case, setup, case.thinkers()[-1], every=7):
        before, options = game.state.copy(), game.options
        think(game)
        for name in ("policy_counter", "asked", "options_seen"):
            before[name] = game.state[name]
        assert before.tobytes() == game.state.tobytes()
        assert game.options == options


@everywhere
def test_games_of_a_thinking_policy_do_not_depend_on_those_before(case: GameCase, setup: str) -> None:
    for policy in case.thinkers():
        together = rows(case, setup, policy, 0, 2)
        alone = [rows(case, setup, policy, number, 1) for number in (1, 0)]
        assert together["rounds"] == alone[1]["rounds"] + alone[0]["rounds"]
        assert together["seats"] == alone[1]["seats"] + alone[0]["seats"]


@everywhere
def test_a_game_of_a_thinking_policy_is_replayed_as_it_was_simulated(case: GameCase, setup: str) -> None:
    for policy in case.thinkers():
        game = case.game(setup, 7, 4, policy)
        list(game.transcript())
        seats = rows(case, setup, policy, 4, 1)["seats"]
        score = column(case, "seats", "score")
        assert [row[score] for row in seats] == [next(iter(parts.values())) for parts in game.scores()]


@everywhere
def test_a_planner_aims_at_what_its_rollouts_are_worth_most_for(case: GameCase, setup: str) -> None:
    ready = case.prepared(setup)
    n = len(case.rule_set.objectives(ready))
    if n < 2:
        return
    planner = case.thinkers()[0]
    for game in positions(case, setup, planner, every=5):
        game.suggest()
        policy = game.policies[0]
        assert int(policy.use - policy.first_mind) == int(np.argmax(policy.chance[:n]))
    only = planner.aiming(n - 1, n)
    game = case.game(setup, 1, 0, only)
    game.suggest()
    assert (int(game.policies[0].use - game.policies[0].first_mind), int(game.state.policy_counter[0])) == (n - 1, 0)


@everywhere
def test_nearness_is_a_share_and_whole_for_what_is_met(case: GameCase, setup: str) -> None:
    game = played(case, setup, case.simple[-1])
    for objective in range(int(game.tables.n_objectives)):
        near = game.rules.nearness(game.tables, game.state, int64(0), int64(objective))
        assert 0.0 <= near <= 1.0
        if game.rules.claim(game.tables, game.state, int64(0), int64(objective)) == MET:
            assert near == 1.0


# --- people, and what is kept


@everywhere
def test_a_hint_says_what_the_best_options_are_worth(case: GameCase, setup: str) -> None:
    game = case.game(setup, 1, 0)
    before = game.state.copy()
    hint = game.advice(12)
    assert {len(option.values) for option in hint.options} == {12}
    means = [option.values.mean() for option in hint.options]
    assert means == sorted(means, reverse=True)
    assert all(option.close for option in hint.options if option.values.mean() == means[0])
    assert len({option.choice for option in hint.options}) == len(hint.options) <= len(game.options)
    assert before.tobytes() == game.state.tobytes()


@everywhere
def test_a_seat_sees_its_options_in_words_to_the_end(case: GameCase, setup: str) -> None:
    if case.rule_set.view is None:
        return
    game = case.game(setup, 1, 0)
    view = case.rule_set.view(game, 0)
    view.news()
    while not game.finished:
        if game.decision[0] == 0:
            texts = view.options()
            assert len(texts) == len(set(texts)) == len(game.options)
            assert view.question()
        else:
            assert view.options() == []
        assert view.position()
        choice = game.suggest()
        view.told(choice)
        game.choose(choice)
        view.news()
        view.revealed()
    assert len(view.result()) > case.rule_set.players(case.prepared(setup))


@pytest.mark.parametrize(("case", "name"), [(case, name) for case in CASES.values() for name in case.goldens])
def test_a_game_goes_as_it_always_did(case: GameCase, name: str) -> None:
    """`make regenerate` writes the transcripts anew; read the difference before keeping it."""
    text = "\n".join(case.game(name, 1, 0, case.simple[0]).transcript()) + "\n"
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("NFSIM_REGENERATE"):
        file.write_text(text, encoding="utf-8")
        pytest.skip("written anew")
    assert text == file.read_text(encoding="utf-8")
