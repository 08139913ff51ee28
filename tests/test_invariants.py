"""What holds in every game, whatever is chosen: random play over all setups, looked at after each round."""

from functools import cache
from typing import Any

import numpy as np
import pytest
import recount
from lab_tiles import prepared
from recount import Position

from nfsim.compiled.status import Status
from nfsim.engine.records import new_record
from nfsim.games.new_frontiers import engine
from nfsim.games.new_frontiers.codes import Action, Decision, Option, StockpileKind
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.layout import DRAWN, EXPLORED, FRESH, OPTION_LIST, STATE

Scenario = dict[str, Any]
TABLES: list[Scenario] = [
    {"players": players, "expansion": expansion, "goals": goals}
    for players in (2, 3, 4, 5)
    for expansion in ("base", "starry_rift")
    for goals in (True, False)
]
SOLO: list[Scenario] = [
    {"players": 1, "campaign": campaign, "rounds": rounds, "profile": profile}
    for campaign in range(1, 7)
    for rounds in (10, 12)
    for profile in ("seed", "table")
]
SEEDS = (1, 2)


def name(scenario: Scenario) -> str:
    """A scenario as the name of a test."""
    return "-".join(str(value) for value in scenario.values())


FEW = [
    *(table for table in TABLES if table["goals"] == (table["players"] != 3)),
    *(alone for place, alone in enumerate(SOLO) if place % 7 == 0),
]
"""With every number of players, both boxes, both lengths, both profiles; `test_rules_under_load` plays all setups."""
BY_NAME = {name(scenario): scenario for scenario in [*TABLES, *SOLO]}
everywhere = pytest.mark.parametrize(
    "scenario",
    [
        pytest.param(scenario, id=name(scenario), marks=() if scenario in FEW else pytest.mark.soak)
        for scenario in [*TABLES, *SOLO]
    ],
)


def made(scenario: Scenario, seed: int) -> Game:
    """A game of a scenario; odd games of several are played by `balanced`, which gets further."""
    setup = {key: value for key, value in scenario.items() if key != "profile"}
    rules = {"profile": scenario.get("profile", "seed")}
    return Game.new(prepared(rules, **setup), seed, seed, ["balanced" if seed % 2 else "uniform"])


@cache
def _rounds(scenario: str) -> list[Position]:
    found = []
    for seed in SEEDS:
        game = made(BY_NAME[scenario], seed)
        while not game.finished:
            before = len(game.selections)
            game.choose(game.suggest())
            if len(game.selections) > before:
                found.append(Position.of(game))
    return found


def rounds(scenario: Scenario) -> list[Position]:
    """Positions of some games of a scenario, after each of their rounds."""
    return _rounds(name(scenario))


def seats(game: Position) -> range:
    """Players of a game."""
    return range(int(game.prepared.tables[0].players))


@everywhere
def test_the_score_is_the_sum_of_its_parts(scenario: Scenario) -> None:
    for game in rounds(scenario):
        for seat in seats(game):
            total, *parts = recount.parts(game, seat)
            assert total == sum(parts)


@everywhere
def test_the_printed_parts_of_the_score_are_what_the_tiles_say(scenario: Scenario) -> None:
    for game in rounds(scenario):
        if not game.finished:  # the next round has begun: its first decision may follow gains
            continue
        for seat, found in enumerate(game.scores):
            expected = recount.printed(game, seat)
            assert found["worlds"] >= expected.pop("worlds")
            assert {part: found[part] for part in expected} == expected


@everywhere
def test_colonists_are_conserved(scenario: Scenario) -> None:
    """001: what is granted beyond the supply comes from a reserve; a dummy's Settle removes one (000 p. 2)."""
    for game in rounds(scenario):
        state = game.state
        start = int(game.prepared.tables[0].supply_colonists) + int(state.reserve_colonists)
        missing = start - int(state.supply_colonists) - recount.held(game, StockpileKind.COLONISTS)
        removed = recount.taken_by_dummies(game, Action.SETTLE)
        assert missing == removed if state.supply_colonists > 0 else 0 <= missing <= removed


@everywhere
def test_vp_chips_are_conserved(scenario: Scenario) -> None:
    """001; a dummy's Envoys and Trade, Consume remove one each (000 p. 2)."""
    for game in rounds(scenario):
        state = game.state
        start = int(game.prepared.tables[0].supply_vp) + int(state.reserve_vp)
        missing = start - int(state.supply_vp) - recount.held(game, StockpileKind.CHIPS)
        removed = recount.taken_by_dummies(game, Action.ENVOYS, Action.TRADE_CONSUME)
        assert missing == removed if state.supply_vp > 0 else 0 <= missing <= removed


@everywhere
def test_every_world_is_in_exactly_one_place(scenario: Scenario) -> None:
    """Bag, explored, settled or stockpiled; copies counted."""
    for game in rounds(scenario):
        copies = game.prepared.tables[0].copies
        assert recount.worlds(game) == {tile: int(n) for tile, n in enumerate(copies) if n}


@everywhere
def test_developments_are_conserved(scenario: Scenario) -> None:
    for game in rounds(scenario):
        tables = game.prepared.tables[0]
        assert recount.developments(game) == [int(n) for n in tables.stack_copies[: tables.n_stacks]]


@everywhere
def test_goals_are_conserved(scenario: Scenario) -> None:
    for game in rounds(scenario):
        assert recount.goals(game) == np.flatnonzero(game.prepared.tables[0].goal_in_game).tolist()


@everywhere
def test_nobody_has_more_than_eight_worlds_beside_home(scenario: Scenario) -> None:
    """001."""
    for game in rounds(scenario):
        assert max(int(game.state.n_colonies[seat] + game.state.n_explored[seat]) for seat in seats(game)) <= 1 + 8


@everywhere
def test_nothing_is_ever_negative(scenario: Scenario) -> None:
    for game in rounds(scenario):
        assert recount.below_zero(game) == []


@everywhere
def test_counts_kept_are_those_of_the_tiles(scenario: Scenario) -> None:
    for game in rounds(scenario):
        for seat in seats(game):
            assert game.state.counts[seat].tolist() == recount.counts(game, seat)


@everywhere
def test_sums_kept_are_those_of_the_powers(scenario: Scenario) -> None:
    for game in rounds(scenario):
        for seat in seats(game):
            assert recount.sums_kept(game, seat) == recount.sums(game, seat)


@everywhere
def test_military_kept_is_that_of_the_powers(scenario: Scenario) -> None:
    for game in rounds(scenario):
        for seat in seats(game):
            assert int(game.state.military[seat]) == recount.military(game, seat)


@everywhere
def test_the_disks_lie_on_different_spaces(scenario: Scenario) -> None:
    for game in rounds(scenario):
        spaces = [int(space) for space in game.state.space[: game.state.n_seats]]
        assert len(set(spaces)) == len(spaces)
        assert min(spaces) >= 1


@everywhere
def test_nobody_selects_a_tile_that_is_taken(scenario: Scenario) -> None:
    for game in rounds(scenario):
        actions = [action for _, action, _ in game.selections[-1]]
        assert len(set(actions)) == len(actions) == int(game.state.n_seats)


@everywhere
def test_games_end_by_the_rules(scenario: Scenario) -> None:
    for game in rounds(scenario):
        wanted = Status.FINISHED if game.finished else Status.RUNNING
        assert int(game.state.status) == wanted


@everywhere
def test_a_decision_has_two_or_more_options_all_different_and_legal(scenario: Scenario) -> None:
    for seed in SEEDS:
        game = made(scenario, seed)
        while not game.finished:
            options, position = game.options, Position.of(game)
            assert len(options) == len(set(options)) >= 2
            assert [recount.wrong_option(position, *option) for option in options] == [""] * len(options)
            game.choose(game.suggest())


@everywhere
def test_every_option_offered_can_be_carried_out(scenario: Scenario) -> None:
    """On a copy of the position, so that nothing that random play avoids stays untried."""
    game = made(scenario, 3)
    copy, shown = new_record(STATE), new_record(OPTION_LIST)
    while not game.finished:
        for choice in range(len(game.options)):
            copy[0], shown[0] = game.state, game.shown_options
            engine.apply(game.prepared.tables[0], copy[0], shown[0], np.int64(choice))
            engine.advance(game.prepared.tables[0], copy[0], shown[0])
            assert int(copy[0].status) in (Status.RUNNING, Status.FINISHED)
            assert min(int(copy[0].credits.min()), int(copy[0].colonists.min()), int(copy[0].chips.min())) >= 0
        game.choose(game.suggest())


@everywhere
def test_no_list_of_the_records_comes_near_its_capacity(scenario: Scenario) -> None:
    """A full list would hide a choice or lose a tile."""
    game = made(scenario, 5)
    while not game.finished:
        state = game.state
        assert int(state.drawn_n) < DRAWN
        assert int(state.fresh_n) < FRESH
        assert int(state.n_explored.max()) < EXPLORED
        game.choose(game.suggest())


def test_a_game_in_which_everything_is_stockpiled_keeps_its_worlds() -> None:
    """R15 unlimited: a stockpile may grow far beyond the last step."""
    game = Game.new(prepared(players=1, campaign=5, rounds=60), 1, 0, ["uniform"])
    while not game.finished:
        verbs = [Option(kind) for kind, _, _ in game.options]
        choice = game.suggest()
        if game.decision[1] in (Decision.SELECT_ACTION, Decision.SELECT_FOR_DUMMY):
            actions = [a for _, a, _ in game.options]
            choice = actions.index(Action.EXPLORE) if Action.EXPLORE in actions else choice
        elif Option.STOCKPILE_IT in verbs:
            choice = verbs.index(Option.STOCKPILE_IT)
        game.choose(choice)
    assert recount.worlds(Position.of(game)).total() == 73
    assert int(game.state.stockpile[0, StockpileKind.WORLDS]) > 8
