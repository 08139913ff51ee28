"""Statements of the Starry Rift manual (000) about scoring, worlds and goals: pages 3 and 4.

See `test_manual_examples.py`; the examples of So Close are in `test_so_close.py`.
"""

from pathlib import Path

import pytest
from twin.lab import homes
from twin.position import Setup
from twin.score import goal_vp
from twin.seat import Seat
from twin.steer import Sit, explore, sit_down
from twin.table import readings
from twin.tiles import load


@pytest.fixture(params=["twin", "engine"])
def sit(request: pytest.FixtureRequest, tmp_path: Path) -> Sit:
    return sit_down(request.param, tmp_path)


# --- 000 p. 3: scoring, and the worlds


def test_p3_a_condition_needs_its_threshold_and_every_requirement(sit: Sit) -> None:
    needs = {"Three": (3, ""), "Four": (4, ""), "One Colony": (3, "1 colony"), "Two Colonies": (3, "2 colony"),
             "Both": (0, "1 colony; 1 development"), "Peace": (3, "no_military")}  # fmt: skip
    conditions = [
        {"campaign": 1, "name": name, "short_vp": 99, "long_vp": vp, "long_requires": requires}
        for name, (vp, requires) in needs.items()
    ]
    play = sit(Setup(1, "starry_rift", True, 1, 1, "long"), empires=homes(vp=3), conditions=conditions)
    assert play.finish()["met"] == ["Three", "One Colony", "Peace"]


def test_p3_one_rare_production_world_gains_a_good_when_settled(sit: Sit) -> None:
    mine = {"type": "production", "good": "rare", "copies": 12}
    play = sit(worlds=[{"name": "Rich Mine", **mine, "powers": "settle.place_good"}, {"name": "Mine", **mine}])
    explore(play, "Rich Mine", "Mine")
    for world in ("Rich Mine", "Mine"):
        play.act("settle")
        play.do("pay", world)
    assert [(name, good) for name, good, _, _ in play.empire()["colonies"][1:]] == [
        ("Rich Mine", True),
        ("Mine", False),
    ]


# --- 000 p. 4: goals. `exact` (R14) reads a step without + as that very number

GOALS_P4 = [
    ("Galactic Prestige", {0: 0, 1: 2, 2: 5, 3: 8, 4: 8}),
    ("Consumer Economy", {6: 0, 7: 3, 11: 3, 12: 8, 20: 8}),
    ("Colonies", {5: 0, 6: 3, 7: 5, 8: 8, 9: 8}),
    ("Military Dominance", {5: 0, 6: 3, 8: 3, 9: 8, 12: 8}),
    ("Alien Technology", {1: 0, 2: 2, 3: 2, 4: 5, 5: 8, 6: 8}),
    ("Uplift Races", {1: 0, 2: 3, 3: 5, 4: 8, 5: 8}),
    ("Industry", {2: 0, 3: 2, 4: 2, 5: 5, 6: 8, 7: 8}),
    ("Contented Citizens", {2: 0, 3: 2, 4: 2, 5: 5, 6: 5, 7: 8, 9: 8}),
    ("Faction Tolerance", {5: 8, 6: 8}),  # p. 1: no additional bonus for all 6 keywords
]


@pytest.mark.parametrize(("name", "steps"), GOALS_P4)
def test_p4_the_steps_of_the_goals(name: str, steps: dict[int, int]) -> None:
    class Counting(Seat):
        number = 0

        def measure(self, name: str) -> int:
            return number

    (goal,) = [goal for goal in load("starry_rift", readings()).goals if goal.name == name]
    for number, vp in steps.items():
        assert goal_vp(Counting(0, readings()), goal) == vp, number


def test_p4_chips_of_consume_powers_may_be_stockpiled_in_part_and_still_score(sit: Sit) -> None:
    citizens = {
        "name": "Contented Citizens",
        "measure": "stockpiled_chips",
        "stockpile": "chips",
        "steps": "3:2 5:5 7:8",
    }
    economy = {"name": "Consumer Economy", "measure": "chips_held", "stockpile": "none", "steps": "4:3 12+:8"}
    play = sit(goals=[citizens, economy], empires=homes(powers="consume.chips 5"))
    for goal in ("Contented Citizens", "Consumer Economy"):
        play.act("chart")
        if play.kind == "keep_goal":
            play.do("goal", goal)
        play.finish_round()
    assert play.look("goals_up") == ["Contented Citizens"]
    before = play.empire()
    play.act("trade_consume")
    assert (play.kind, play.options) == ("stockpile", [("amount", number) for number in range(6)])
    here = play.look("round")
    play.do("amount", 3)
    after = play.empire()
    assert after["chips"] + 3 == before["chips"] + 5 + 1  # the bonus chip cannot be stockpiled
    if play.look("round") == here:
        play.finish_round()
    assert play.score()["vp_chips"] == before["chips"] + 6
