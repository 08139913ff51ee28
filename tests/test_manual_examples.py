"""Every worked example and explicit statement of the Starry Rift manual (000), at a table, with its page.

The table is the plain-Python twin's or the engine's: both must do what the manual says. Tile sets are
small ones made for the question (`twin.lab`), so that chance does not get in the way. The examples of So
Close (p. 3) are in `test_so_close.py`; what the base game's help page (001) says is in
`test_manual_examples_base.py`.
"""

from collections import Counter
from pathlib import Path

import pytest
from twin.lab import homes
from twin.position import Setup
from twin.steer import Play, Sit, explore, sit_down
from twin.table import readings
from twin.tiles import load

SOLO = Setup(1, "starry_rift", True, 1, 12, "long")
ROCK = {"name": "Rock", "copies": 12}
XENO = {"name": "Xeno Nest", "military": "yes", "defense": 3, "keywords": "xeno", "penalty": -6, "copies": 12}
FORT = {"name": "Fort", "military": "yes", "defense": 3, "copies": 12}


@pytest.fixture(params=["twin", "engine"])
def sit(request: pytest.FixtureRequest, tmp_path: Path) -> Sit:
    return sit_down(request.param, tmp_path)


# --- 000 p. 1: Xeno worlds and the replaced action tiles


def test_p1_eight_not_seven_worlds_are_drawn_with_the_expansion(sit: Sit) -> None:
    for setup, number in ((SOLO, 8), (Setup(2, "starry_rift", False), 8), (Setup(2, "base", False), 7)):
        play = sit(setup)
        play.act("explore")
        assert len(play.look("shown")) == number


def test_p1_five_goals_are_drawn_and_four_returned_with_the_expansion(sit: Sit) -> None:
    for setup, number in ((SOLO, 5), (Setup(2, "base", True), 3)):
        play = sit(setup)
        stack = play.look("goals_deck")
        play.act("chart")
        assert len(play.look("hand")) == number
        play.until("select_for_dummy" if setup is SOLO else "select_action")
        assert (play.look("goals_deck"), play.look("hand")) == (stack - 1, [])


def test_p1_xeno_worlds_cannot_be_settled_with_pay_for_military_powers(sit: Sit) -> None:
    play = sit(worlds=[XENO, FORT], empires=homes(powers="settle.pay_military 2"))
    explore(play, "Xeno Nest", "Fort")
    play.act("settle")
    assert ("pay", "Fort") in play.options
    assert ("pay", "Xeno Nest") not in play.options


def test_p1_a_xeno_world_may_be_returned_to_the_bag_at_the_end_of_the_action(sit: Sit) -> None:
    play = sit(worlds=[XENO, ROCK])
    play.act("explore")
    play.do("take", "Xeno Nest")
    play.do("take", "Rock")
    assert (play.kind, play.options) == ("keep_xeno", [("keep", "Xeno Nest"), ("return", "Xeno Nest")])
    play.do("return")
    assert Counter(play.look("bag")) == {"Xeno Nest": 12, "Rock": 11}
    assert names(play) == ["Rock"]


def test_p1_a_placed_xeno_world_is_never_discarded_or_returned(sit: Sit) -> None:
    play = sit(worlds=[XENO, ROCK])
    explore(play, "Xeno Nest", "Rock")
    while play.kind != "discard_world":
        play.act("explore")
        while play.kind == "explore_pick":
            play.do("take", "Rock")
    assert len(names(play)) > 8
    assert set(play.options) == {("discard", "Rock")}


def test_p1_xeno_worlds_may_not_be_stockpiled_by_the_exploration_goal(sit: Sit) -> None:
    exploration = {"name": "Exploration", "measure": "stockpiled_worlds", "stockpile": "worlds", "steps": "1:2 2:5"}
    more = [{"name": f"Goal {n}", "measure": "colony", "steps": "20:1"} for n in range(6)]
    play = sit(Setup(1, "starry_rift", True, 5, 12, "long"), worlds=[XENO, ROCK], goals=[exploration, *more])
    play.act("explore")
    play.do("take", "Xeno Nest")
    play.do("take", "Rock")
    assert {option[0] for option in play.options} == {"keep", "return"}
    play.do("keep")
    assert {option[0] for option in play.options} == {"stockpile", "place"}
    play.do("stockpile")
    assert play.empire()["stored_worlds"] == ["Rock"]


def test_p1_an_unconquered_xeno_world_costs_its_penalty_at_the_end(sit: Sit) -> None:
    play = sit(worlds=[XENO, ROCK])
    explore(play, "Xeno Nest", "Rock")
    play.finish()
    assert play.score()["vp_penalty"] == -6


def test_p1_military_against_xeno_worlds_counts_against_them_only(sit: Sit) -> None:
    play = sit(worlds=[XENO, FORT], empires=homes(powers="settle.military(xeno) 3"))
    explore(play, "Xeno Nest", "Fort")
    play.act("settle")
    assert play.empire()["military"] == 0
    assert ("conquer", "Xeno Nest") in play.options
    assert ("conquer", "Fort") not in play.options


def names(play: Play) -> list[str]:
    """Explored worlds of seat 0."""
    return [name for name, _ in play.empire()["explored"]]


# --- 000 p. 2: solo


def test_p2_solo_setup(sit: Sit) -> None:
    for gaps, spaces in (("closed", {0: 1, 1: 2, 2: 3}), ("kept", {0: 2, 1: 3, 2: 4})):
        play = sit(rulings={"priority_gaps": gaps})
        assert (play.kind, play.options) == ("choose_side", [("side", "A"), ("side", "B")])
        play.do("side", "B")
        assert (play.kind, play.seat) == ("select_action", 0)
        assert play.look("space") == spaces
        assert (play.look("supply_colonists"), play.look("supply_vp")) == (23, 24)
        assert (play.empire()["credits"], play.empire()["colonists"]) == (3, 0)


@pytest.mark.parametrize(("rounds", "length"), [(10, "short"), (12, "long")])
def test_p2_ten_or_twelve_rounds(sit: Sit, rounds: int, length: str) -> None:
    result = sit(Setup(1, "starry_rift", True, 1, rounds, length)).finish()
    assert (result["rounds"], result["triggers"]) == (rounds, ["round_limit"])


def test_p2_envoys_as_second_or_third_also_gives_a_credit(sit: Sit) -> None:
    play = sit()
    play.act("envoys")  # first in the round: 1 VP chip only
    assert (play.empire()["credits"], play.empire()["chips"]) == (3, 1)
    play = sit()
    play.act("develop")
    play.finish_round()  # the last dummy has taken Envoys: the player is now second
    assert play.order() == [2, 0, 1]
    play.act("envoys")
    assert (play.empire()["credits"], play.empire()["chips"]) == (4, 1)
    play.finish_action()
    assert play.order()[0] == 0


def test_p2_dummies_do_nothing_on_the_players_turns(sit: Sit) -> None:
    play = sit()
    play.act("settle")
    play.finish_action()
    assert play.look("supply_colonists") == 23 - 1 - 2  # the player's bonus and action


@pytest.mark.parametrize(
    ("action", "colonists", "chips"),
    [("settle", -1 - 2, 0), ("trade_consume", 0, -1), ("explore", 0, 0), ("develop", 0, 0), ("chart", 0, 0)],
)
def test_p2_a_dummy_does_only_its_part_of_the_bonus(sit: Sit, action: str, colonists: int, chips: int) -> None:
    play = sit()
    play.act("envoys")
    before = play.look("supply_colonists"), play.look("supply_vp"), play.look("goals_deck")
    play.dummy(action)
    play.finish_action()
    after = play.look("supply_colonists"), play.look("supply_vp"), play.look("goals_deck")
    assert after == (before[0] + colonists, before[1] + chips, before[2])  # Settle: the player takes 2 colonists
    assert play.look("hand") == []  # no goals are drawn if Chart Galactic Goals is selected by a dummy
    # Envoys moved the player from space 2 to 1 (R8 kept); Chart moves the dummy from 3 to 2
    assert play.look("space") == {0: 1, 1: 2 if action == "chart" else 3, 2: 4}
    assert len(names(play)) == (1 if action == "explore" else 0)
    assert (play.empire()["credits"], play.empire()["chips"]) == (3, 1)


def test_p2_the_player_does_the_dummys_action_without_the_bonus(sit: Sit) -> None:
    play = sit(developments=[{"name": "Hut", "cost": 4}, {"name": "Tent", "cost": 3}])
    play.act("envoys")
    play.dummy("develop")
    assert play.options == [("buy", "Tent"), ("pass",)]  # the cost is not 1 less


def test_p2_the_example_of_two_dummies(sit: Sit) -> None:
    play = sit()
    play.act("develop")
    play.finish_round()  # nobody took Produce, and the last dummy took Envoys
    assert (play.look("produce_credits"), play.order()) == (1, [2, 0, 1])
    blue, green = 2, 1
    assert play.kind == "select_for_dummy"  # at 1 credit the player may choose any action for blue
    assert {option[1] for option in play.options} == {
        *("explore", "develop", "settle", "produce", "trade_consume", "envoys", "chart")
    }
    play.do("action", "explore")
    chips = play.look("supply_vp")
    play.act("develop")  # neither Produce nor Envoys: green chooses Envoys and will be first
    play.finish_action()
    assert play.look("supply_vp") == chips - 1
    assert play.order() == [green, blue, 0]
    # now Produce has 2 credits: green must choose it, and they go back to the supply
    assert play.look("round") == 3
    assert (play.look("taken"), play.look("produce_credits")) == (["produce"], 0)
    assert (play.kind, play.empire()["credits"]) == ("select_for_dummy", 3)


def test_p2_prestige_begins_with_the_exploration_goal_in_play(sit: Sit) -> None:
    play = sit(Setup(1, "starry_rift", True, 5, 10, "short"), real=True)
    play.until("select_action")
    assert (play.look("goals_up"), play.look("goals_deck")) == (["Exploration"], 15)


def test_p2_mastery_chooses_improved_logistics_or_terraforming_robots(sit: Sit) -> None:
    for name in ("Improved Logistics", "Terraforming Robots"):
        play = sit(Setup(1, "starry_rift", True, 6, 10, "short"), real=True)
        play.do("side", "A")
        assert play.kind == "choose_stack_side"
        play.do("face", name)
        assert name in [face for face, _ in play.look("stacks")]


def test_p2_the_first_campaign(sit: Sit) -> None:
    for length, vp in (("short", [55, 40, 40, 40]), ("long", [70, 50, 50, 50])):
        found = [c for c in load("starry_rift", readings()).conditions[length] if c.campaign == 1]
        assert [c.name for c in found] == ["Great Victory", "Colonizer", "Builder", "Satisfied Populace"]
        assert [c.vp for c in found] == vp
        assert [c.requires for c in found[:3]] == [(), ("7 colony",), ("2 nine_cost",)]
