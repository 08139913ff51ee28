"""Statements of the base game's help page (001) about the end of rounds and games, and about goals.

See `test_manual_examples_base.py`.
"""

from pathlib import Path

import pytest
from twin.lab import homes
from twin.position import Setup
from twin.steer import Sit, explore, sit_down

TWO = Setup(2, "base", False)
TWO_GOALS = Setup(2, "base", True)
MAY = {"settle_choice": "may"}  # R24, so that the others can stand still


@pytest.fixture(params=["twin", "engine"])
def sit(request: pytest.FixtureRequest, tmp_path: Path) -> Sit:
    return sit_down(request.param, tmp_path)


# --- end of round, end of game


def test_001_credits_gather_on_produce_until_somebody_selects_it(sit: Sit) -> None:
    play = sit(TWO)
    play.until("select_action")
    for number in range(4):  # no limit
        assert play.look("produce_credits") == number
        play.finish_round()
    play.until("select_action", 0, keep_free="produce")
    before = play.empire()["credits"] + play.look("produce_credits")
    play.act("produce")
    assert (play.empire()["credits"], play.look("produce_credits")) == (before, 0)
    play.finish_round()
    assert play.look("produce_credits") == 0


def test_001_ten_developments_end_the_game(sit: Sit) -> None:
    developments = [{"name": f"Hut {number}", "cost": 0} for number in range(12)]
    for reading, number in (("tenth_tile", 10), ("eleventh_space", 11)):
        play = sit(TWO, rulings={"development_end": reading}, developments=developments)
        while not play.over:
            play.act("develop")
            play.do("buy")
            play.finish_round()
        assert play.table.result()["triggers"] == ["developments"]
        assert len(play.empire()["developments"]) == number


def test_p_a_nine_cost_development_takes_two_spaces(sit: Sit) -> None:
    """P; R3 `eleventh_space`: with one of them the 10th tile lies on the 11th space."""
    large = [{"name": "Dome", "group": "large", "stack": "D", "face": face, "cost": 9} for face in "AB"]
    large[1]["name"] = "Spire"
    developments = [*large, *({"name": f"Hut {number}", "cost": 0} for number in range(12))]
    play = sit(
        TWO, rulings={"development_end": "eleventh_space"}, developments=developments,
        empires=homes(powers="develop.discount 9"),
    )  # fmt: skip
    while not play.over:
        play.act("develop")
        play.do("buy")
        play.finish_round()
    assert len(play.empire()["developments"]) == 10


def test_001_the_eighth_colony_home_included_ends_the_game(sit: Sit) -> None:
    play = sit(TWO, rulings=MAY, worlds=[{"name": "Moon", "cost": 0, "copies": 20}])
    while not play.over:
        explore(play, "Moon")
        play.finish_round()
        play.act("settle")
        play.do("pay", "Moon")
        play.finish_round()
    assert play.table.result()["triggers"] == ["colonies"]
    assert len(play.empire()["colonies"]) == 8


def test_001_empty_vp_chips_end_the_game_and_are_always_granted(sit: Sit) -> None:
    play = sit(TWO, empires=homes(powers="consume.chips 11"))
    play.act("trade_consume")
    play.finish_round()
    assert (play.over, play.look("supply_vp")) == (False, 24 - 2 * 11 - 1)
    while not play.over:
        play.act("trade_consume")
        play.finish_round()
    assert play.table.result()["triggers"] == ["vp_chips"]
    assert play.look("supply_vp") == 0
    assert play.empire()["chips"] + play.empire(1)["chips"] == 2 * (2 * 11 + 1)


@pytest.mark.parametrize(("reading", "left"), [("four_left", 4), ("empty", 0)])
def test_001_at_most_four_colonists_left_end_the_game(sit: Sit, reading: str, left: int) -> None:
    play = sit(TWO, rulings={"colonist_end": reading})
    before = 22
    while not play.over:
        assert before > left
        play.act("settle")
        play.finish_round()
        before = max(0, before - 5)
    assert (play.look("supply_colonists"), before <= left) == (before, True)
    assert play.table.result()["triggers"] == ["colonists"]


def test_001_a_tie_is_broken_by_credits_and_goods(sit: Sit) -> None:
    play = sit(Setup(2, "base", False, rounds=1), empires=homes(type="windfall", good="rare"))
    play.until("select_action")
    first, last = play.order()
    play.act("retreat", first)  # 5 credits against 4, and a good each
    result = play.finish()
    assert (result["ranks"][first], result["ranks"][last]) == (1, 2)
    assert result["won"][first] is True


# --- goals


def test_001_chart_gives_a_credit_and_a_place_and_draws_three_goals(sit: Sit) -> None:
    play = sit(TWO_GOALS)
    play.until("select_action")
    last = play.order()[-1]
    play.act("chart", last)
    assert play.empire(last)["credits"] == 5
    assert len(play.look("hand")) == 3
    play.finish_round()
    assert play.order()[0] == last


def test_001_fewer_than_three_goals_are_drawn_as_far_as_they_go(sit: Sit) -> None:
    play = sit(TWO_GOALS, goals=[{"name": f"Goal {n}", "measure": "colony", "steps": "1:2"} for n in range(2)])
    play.act("chart")
    assert len(play.look("hand")) == 2


def test_001_a_goal_is_kept_face_down_and_the_next_one_turns_it_up(sit: Sit) -> None:
    goals = [{"name": f"Goal {n}", "measure": "colony", "steps": f"1:{n + 1}"} for n in range(4)]
    play = sit(TWO_GOALS, goals=goals)
    play.act("chart")
    play.do("goal")
    play.finish_action()
    first = play.empire()["goal_down"]
    assert first is not None
    assert play.look("goals_up") == []
    play.finish_round()
    play.act("chart")
    play.do("goal")
    play.finish_action()
    assert play.look("goals_up") == [first]
    assert play.empire()["goal_down"] not in (None, first)
    down = play.empire()["goal_down"]
    play.finish_round()  # every goal counts for every player, face down ones at the end
    each = int(first[-1]) + 1 + int(down[-1]) + 1
    assert [play.score(seat)["vp_goals"] for seat in (0, 1)] == [each, each]


@pytest.mark.parametrize("kind", ["colonists", "credits", "worlds"])
def test_001_gains_may_be_put_on_the_stockpile_mats(sit: Sit, kind: str) -> None:
    store = {"name": "Store", "measure": f"stockpiled_{kind}", "stockpile": kind, "steps": "1:2 2:5"}
    play = sit(TWO_GOALS, goals=[store], empires=homes(type="windfall", good="alien"))
    play.act("chart")
    play.finish_round()
    if kind == "worlds":
        play.act("explore")
        play.until("stockpile_world", 0)
        play.do("stockpile")
        play.finish_action()
        assert play.empire()["stored_worlds"] == ["Rock"]
        return
    play.act("settle" if kind == "colonists" else "trade_consume")
    if kind == "credits":
        play.do("sell")
    most = 2 if kind == "colonists" else 4
    assert play.options == [("amount", number) for number in range(most + 1)]
    before = play.empire()[kind]
    play.do("amount", 2)
    assert (play.empire()["stored"][kind], play.empire()[kind]) == (2, before - 2)
