"""Each ruling's readings change the play as they should; `test_rulings_data.py` has those that choose data."""

import pytest
from lab import Table
from lab_tiles import both, development, prepared, reading, world, xeno

from nfsim.games.new_frontiers import track
from nfsim.games.new_frontiers.codes import EndReason
from nfsim.games.new_frontiers.game import Game

ROCK = world("Rock", copies=20)
NEST = xeno("Nest", 3, copies=20)
TOWERS = [development(f"Tower {n}", 9, group="large", stack=f"Z{n}") for n in range(2)]


def test_r2_the_game_may_end_only_when_no_colonist_is_left() -> None:
    found = []
    for rules in both("colonist_end"):
        for left in (4, 0):
            table = Table(2, rules=rules)
            table.state.supply_colonists = left
            found.append(table.select("envoys").finish_round().game.finished)
    assert found == [True, True, False, True]


@pytest.mark.parametrize(
    ("small", "large", "by_tile", "by_space"),
    [(8, 1, False, False), (8, 2, True, True), (7, 2, False, True), (10, 0, True, False), (11, 0, True, True)],
)
def test_r3_a_nine_cost_development_may_count_for_two(small: int, large: int, by_tile: bool, by_space: bool) -> None:
    names = [f"Shed {n}" for n in range(small)] + [f"Tower {n}" for n in range(large)]
    found = []
    for rules in both("development_end"):
        table = Table(2, [*(development(f"Shed {n}") for n in range(11)), *TOWERS], rules)
        table.developed(0, *names)
        table.select("envoys").finish_round()
        found.append(bool(int(table.state.end_mask) >> EndReason.DEVELOPMENTS & 1))
    assert found == [by_tile, by_space]


def test_r4_two_players_may_select_twice_a_round_in_turn() -> None:
    found = []
    for rules in both("two_player_selections"):
        table = Table(2, rules=rules)
        found.append([int(seat) for seat in table.state.turn_seat[: table.state.n_turns]])
    assert found == [[0, 1], [0, 1, 0, 1]]


def test_r4_is_about_two_players_only() -> None:
    assert [int(Table(n, rules=reading("two_player_selections")).state.n_turns) for n in (1, 3)] == [3, 3]


def test_r5_the_others_may_follow_from_the_top_of_the_track() -> None:
    found = []
    for rules in both("resolve_order"):
        table = Table(4, rules=rules).select("envoys").select("produce").select("develop")
        found.append([int(seat) for seat in table.state.resolve[:4]])
    assert found == [[2, 3, 0, 1], [2, 0, 1, 3]]


def test_r6_envoys_may_change_places_with_the_first() -> None:
    found = []
    for rules in both("envoys_shift"):
        table = Table(4, rules=rules).select("produce").finish_action().select("develop").finish_action()
        found.append(table.select("envoys").track())
    assert found == [[2, 0, 1, 3], [2, 1, 0, 3]]


def test_r7_chart_may_move_up_at_the_end_of_the_round() -> None:
    found = []
    for rules in both("chart_priority"):
        table = Table(3, rules=rules).select("produce").finish_action().select("chart")
        at_once = table.track()
        found.append((at_once, table.finish_action().select("develop").finish_action().track()))
    assert found == [([1, 0, 2], [1, 0, 2]), ([0, 1, 2], [1, 0, 2])]


def test_r7_at_the_end_of_the_round_it_comes_after_envoys() -> None:
    found = []
    for rules in both("chart_priority"):
        table = Table(3, rules=rules).select("produce").finish_action().select("chart").finish_action()
        found.append(table.select("envoys").track())
    assert found == [[2, 1, 0], [2, 1, 0]]


def test_r8_empty_spaces_of_the_track_may_stay() -> None:
    found = []
    for choice in ("closed", "kept"):
        rules = {"priority_gaps": choice}
        state = Table(1, rules=rules).game.replay(prepared(rules, players=1), 1, 0, [0]).state
        found.append([int(space) for space in state.space[:3]])
    assert found == [[1, 2, 3], [2, 3, 4]]


def test_r8_with_kept_spaces_chart_may_move_into_an_empty_one() -> None:
    table = Table(1, rules={"priority_gaps": "kept"})
    table.state.space[:3] = [1, 3, 4]
    table.select("envoys").select("chart")
    assert [int(space) for space in table.state.space[:3]] == [1, 2, 4]


def test_r9_a_ninth_world_may_stay_when_all_are_placed_xeno_worlds() -> None:
    found = []
    for rules in both("xeno_over_limit"):
        table = Table(2, [NEST], rules)
        table.explored(0, *["Nest"] * 8)
        table.bag_only(*["Nest"] * 8)
        table.select("explore").pick("take").pick("take").pick("take")
        found.append((table.seat, table.options[0]))
    assert found == [(1, ("keep", "Nest")), (0, ("keep", "Nest"))]  # the default returns seat 0's without asking


def test_r9_a_xeno_world_that_still_fits_may_always_be_kept() -> None:
    for rules in both("xeno_over_limit"):
        table = Table(2, [NEST], rules)
        table.explored(0, *["Nest"] * 7)
        table.bag_only(*["Nest"] * 8)
        table.select("explore").pick("take").pick("take").pick("take")
        assert (table.seat, table.options[0]) == (0, ("keep", "Nest"))


def test_r9_kept_above_the_limit_it_stays_and_nothing_is_discarded() -> None:
    table = Table(2, [NEST], {"xeno_over_limit": "may_exceed"})
    table.explored(0, *["Nest"] * 8)
    table.bag_only(*["Nest"] * 8)
    table.select("explore").pick("take").pick("take").pick("take").pick("keep").pick("keep").pick("keep")
    assert (len(table.names("explored")), table.kind) == (10, "select_action")


def test_r9_another_world_goes_back_when_all_are_placed_xeno_worlds() -> None:
    for rules in both("xeno_over_limit"):
        table = Table(2, [NEST, ROCK], rules)
        table.explored(0, *["Nest"] * 8)
        table.bag_only(*["Rock"] * 8)
        table.select("explore").finish_action()
        assert table.names("explored") == ["Nest"] * 8


def test_r14_a_step_may_have_to_be_met_exactly() -> None:
    found = []
    for rules in both("goal_steps"):
        table = Table(2, rules=rules)
        table.goal_up("Galactic Treasury")  # 3:2 6:5 9:8
        table.state.stockpile[0, 2] = 4
        found.append(table.score()["goals"])
    assert found == [2, 0]


def test_r15_stockpiling_may_be_limited_to_the_last_step() -> None:
    found = []
    for rules in both("stockpile_beyond"):
        table = Table(2, [ROCK], rules)
        table.explored(0, "Rock")
        table.goal_up("Colonial Reserves")  # last step 6
        table.state.stockpile[0, 1] = 5
        found.append([amount for _, amount in table.select("settle").pick("colonists").options])
    assert found == [[0, 1, 2], [0, 1]]


@pytest.mark.parametrize(("by", "expected"), [(0, [True, False]), (1, [False, False]), (-1, [True, True])])
def test_r16_an_own_face_down_goal_may_not_open_its_stockpile(by: int, expected: list[bool]) -> None:
    found = []
    for rules in both("stockpile_access"):
        table = Table(2, [ROCK], rules)
        table.explored(0, "Rock")
        table.goal_up("Colonial Reserves", by=by)
        table.select("settle").pick("colonists")
        found.append((table.kind, table.seat) == ("stockpile", 0))
    assert found == expected


def test_r6_swap_gives_the_top_space_even_when_it_was_empty() -> None:
    game = Game.new(prepared({"envoys_shift": "swap", "priority_gaps": "kept"}, players=1), 1, 0)
    assert list(game.state.space[:3]) == [2, 3, 4]
    track.to_front(game.prepared.tables[0], game.state, 2)
    assert list(game.state.space[:3]) == [2, 3, 1]
