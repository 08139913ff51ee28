"""Every explicit statement of the base game's help page (001), played at the twin's and the engine's table."""

from collections import Counter
from pathlib import Path

import pytest
from twin.lab import homes
from twin.position import Setup
from twin.steer import Play, Sit, sit_down

SOLO = Setup(1, "starry_rift", True, 1, 12, "long")
TWO, THREE = Setup(2, "base", False), Setup(3, "base", False)
TWO_GOALS = Setup(2, "base", True)
FORT = {"name": "Fort", "military": "yes", "defense": 3, "copies": 12}
MAY = {"settle_choice": "may"}  # R24, so that the others can stand still


@pytest.fixture(params=["twin", "engine"])
def sit(request: pytest.FixtureRequest, tmp_path: Path) -> Sit:
    return sit_down(request.param, tmp_path)


def explore(play: Play, *worlds: str) -> None:
    """Seat 0 explores as selector and takes these two worlds."""
    play.act("explore")
    for world in worlds:
        play.until("explore_pick", 0)
        play.do("take", world)
    play.finish_action()


# --- setup


@pytest.mark.parametrize(("players", "start"), [(2, [3, 4]), (3, [3, 3, 4]), (4, [3, 3, 4, 4]), (5, [3, 3, 3, 4, 4])])
def test_001_setup(sit: Sit, players: int, start: list[int]) -> None:
    play = sit(Setup(players, "base", False))
    play.until("select_action")
    assert [play.empire(seat)["credits"] for seat in play.order()] == start
    assert [play.empire(seat)["colonists"] for seat in play.order()] == [0] * players
    assert play.look("supply_vp") == 12 * players
    assert play.look("supply_colonists") == 10 * players + 4 - players  # one on each home


# --- actions


def test_001_retreat_gives_two_credits(sit: Sit) -> None:
    play = sit(TWO)
    play.until("select_action", 0)
    before = play.empire()["credits"]
    play.act("retreat")
    assert play.empire()["credits"] == before + 2


def test_001_an_action_selected_by_one_player_cannot_be_selected_by_another(sit: Sit) -> None:
    play = sit(THREE)
    play.until("select_action")
    play.do("action", "retreat")
    assert play.kind == "select_action"
    assert ("action", "retreat") not in play.options
    assert len(play.options) == 6


def test_001_developments_cost_their_price_one_less_for_the_selector_and_work_at_once(sit: Sit) -> None:
    huts = [{"name": "Hut", "cost": 5, "powers": "settle.military 2"}, {"name": "Villa", "cost": 6}]
    play = sit(TWO, developments=huts)
    play.until("select_action")
    first, last = play.order()
    play.act("develop", last)  # has 4 credits
    assert play.options == [("buy", "Hut"), ("pass",)]
    play.do("buy")
    assert (play.empire(last)["credits"], play.empire(last)["military"]) == (0, 2)
    assert play.seat == first or play.kind != "develop"


def test_001_tiles_go_first_come_first_served(sit: Sit) -> None:
    play = sit(TWO, developments=[{"name": "Hut", "cost": 1}, {"name": "Shed", "cost": 2}])
    play.act("develop")
    play.do("buy", "Hut")  # with two players there is one copy of each
    assert (play.kind, play.seat, play.options) == ("develop", 1, [("buy", "Shed"), ("pass",)])


def test_001_explore_selector_first_bonus_after_all_the_rest_goes_back(sit: Sit) -> None:
    play = sit(THREE)
    play.act("explore", 1)
    seats = []
    while play.kind == "explore_pick":
        seats.append(play.seat)
        play.do("take")
    assert (len(seats), seats[0], seats[-1], sorted(seats[:3])) == (4, 1, 1, [0, 1, 2])
    assert len(play.look("bag")) == 20 - 4


def test_001_a_ninth_world_means_discarding_an_unsettled_one(sit: Sit) -> None:
    play = sit(SOLO, worlds=[{"name": "Rock", "copies": 20}, {"name": "Moon", "cost": 0, "copies": 12}])
    explore(play, "Moon", "Moon")
    play.act("settle")
    play.do("pay", "Moon")
    while play.kind != "discard_world":
        play.act("explore")
        while play.kind == "explore_pick":
            play.do("take", "Rock")
    worlds = [name for name, _ in play.empire()["explored"]]
    assert len(worlds) + len(play.empire()["colonies"]) - 1 > 8
    assert Counter(play.options) == Counter([("discard", name) for name in worlds])


def test_001_settle_gives_two_colonists_and_the_selector_one_more(sit: Sit) -> None:
    play = sit(TWO)
    play.act("settle")
    play.finish_action()
    assert [play.empire(seat)["colonists"] for seat in (0, 1)] == [3, 2]


def test_001_worlds_cost_credits_or_military_and_colonists(sit: Sit) -> None:
    worlds = [
        {"name": "Cheap", "cost": 3, "copies": 12, "type": "windfall", "good": "rare"},
        {"name": "Dear", "cost": 4, "copies": 12},
    ]
    play = sit(SOLO, worlds=worlds)
    explore(play, "Cheap", "Dear")
    play.act("settle")
    assert play.options == [("pay", "Cheap"), ("colonists",)]
    play.do("pay", "Cheap")
    assert (play.empire()["credits"], play.empire()["colonists"]) == (0, 0)
    assert play.empire()["colonies"][1][:2] == ("Cheap", True)  # a windfall world gets its good at once


def test_001_military_at_least_the_defense_and_enough_colonists(sit: Sit) -> None:
    worlds = [
        FORT,
        {"name": "Citadel", "military": "yes", "defense": 4, "copies": 12},
        {"name": "Crowd", "military": "yes", "defense": 1, "colonists": 2, "copies": 12},
    ]
    play = sit(SOLO, worlds=worlds, empires=homes(powers="settle.military 3; explore.pick 1"))
    explore(play, "Fort", "Citadel", "Crowd")
    play.act("settle")
    assert play.options == [("conquer", "Fort"), ("colonists",)]
    play.do("conquer", "Fort")
    assert play.empire()["credits"] == 3  # nothing is paid


def test_001_two_settles_in_one_action(sit: Sit) -> None:
    """Temporary Military carries over; the first world's powers do not; each triggers "after you settle"."""
    fort = FORT | {"powers": "settle.military 5; settle.after_credits 7"}
    citadel = {"name": "Citadel", "military": "yes", "defense": 5, "copies": 12}
    powers = "settle.second 1; settle.temp_military(novelty) 3; settle.after_credits 1; explore.pick 1"
    play = sit(SOLO, worlds=[fort, citadel], empires=homes(powers=powers, type="windfall", good="novelty"))
    explore(play, "Fort", "Fort", "Citadel")
    play.act("settle")
    play.do("colonists")  # 3 colonists
    play.act("settle")
    assert not any(option[0] == "conquer" for option in play.options)
    play.do("spend_good")
    play.do("conquer", "Fort")
    assert play.kind == "settle_again"
    assert play.options == [("conquer", "Fort"), ("pass",)]  # 3 again, but not 5 more for the Citadel
    assert play.empire()["credits"] == 3 + 1
    play.do("conquer", "Fort")
    assert play.empire()["credits"] == 3 + 2
    assert play.empire()["military"] == 10


def test_001_production_worlds_produce_windfall_worlds_by_the_bonus_only(sit: Sit) -> None:
    farm = {"name": "Farm", "type": "production", "good": "novelty", "copies": 20}
    play = sit(SOLO, worlds=[farm], empires=homes(type="windfall", good="rare"))
    explore(play, "Farm")
    play.dummy("trade_consume")
    play.do("sell")
    play.act("settle")
    play.do("pay", "Farm")
    assert play.look("taken") == ["produce"]  # 2 credits lay on it: the next round's first dummy selected it
    assert goods(play) == [False, True]
    play.act("produce")
    assert goods(play) == [True, True]  # the bonus; and at most one good on a world


def goods(play: Play) -> list[bool]:
    return [good for _, good, *_ in play.empire()["colonies"]]


@pytest.mark.parametrize(("good", "price"), [("alien", 4), ("genes", 3), ("rare", 2), ("novelty", 1), ("any", 4)])
def test_001_prices_and_the_bonus_chip(sit: Sit, good: str, price: int) -> None:
    play = sit(SOLO, empires=homes(type="windfall", good=good, powers="consume.goods 1 vp=1"))
    play.act("trade_consume")
    play.do("sell")
    assert (play.empire()["credits"], play.empire()["chips"]) == (3 + price, 1)


def test_001_consume_powers_must_be_used_as_far_as_possible(sit: Sit) -> None:
    play = sit(SOLO, empires=homes(type="windfall", good="genes", powers="consume.goods 1 vp=2"))
    play.act("trade_consume")
    play.do("pass")  # selling is not a must
    assert (play.empire()["credits"], play.empire()["chips"]) == (3, 1 + 2)
    assert play.empire()["colonies"][0][1] is False


def test_001_envoys_chip_and_first_in_the_next_round_not_in_this_one(sit: Sit) -> None:
    play = sit(THREE)
    play.until("select_action")
    first, second, third = play.order()
    play.do("action", "retreat")
    play.act("envoys", second)
    assert play.empire(second)["chips"] == 1
    assert (play.kind, play.seat) == ("select_action", third)  # this round's order does not change
    play.finish_round()
    assert play.order() == [second, first, third]
    assert play.seat == second


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
