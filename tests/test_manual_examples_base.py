"""Every explicit statement of the base game's help page (001) about setup and actions, at either table."""

from collections import Counter
from pathlib import Path

import pytest
from twin.lab import homes
from twin.position import Setup
from twin.steer import Play, Sit, explore, sit_down

SOLO = Setup(1, "starry_rift", True, 1, 12, "long")
TWO, THREE = Setup(2, "base", False), Setup(3, "base", False)
FORT = {"name": "Fort", "military": "yes", "defense": 3, "copies": 12}


@pytest.fixture(params=["twin", "engine"])
def sit(request: pytest.FixtureRequest, tmp_path: Path) -> Sit:
    return sit_down(request.param, tmp_path)


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
