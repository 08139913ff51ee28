"""Rulings from R17 on: each reading changes the play as it should."""

from typing import Any

import pytest
from lab import Table
from lab_tiles import both, development, goal, producer, world

from nfsim.games.new_frontiers import scoring, solo
from nfsim.games.new_frontiers.codes import Class

ROCK = world("Rock", copies=20)


def test_r17_no_military_may_be_about_colonies() -> None:
    found = []
    for rules in both("no_military"):
        table = Table(1, [world("Fort", defense=1)], rules, campaign=2)
        table.developed(0, "Contact Specialist")
        table.colony(0, "Fort")
        table.give(0, chips=60)
        table.score()
        place = table.prepared.names.condition.index("Peace Envoy")
        found.append((table.has("military"), bool(solo.condition_met(table.tables, table.state, 0, place))))
    assert found == [(0, True), (0, False)]


@pytest.mark.parametrize(("power", "what"), [("develop.credits 2", "credits"), ("develop.colonists 2", "colonists")])
def test_r21_a_power_after_developing_may_not_work_for_its_own_tile(power: str, what: str) -> None:
    found = []
    for rules in both("develop_self_trigger"):
        table = Table(2, [development("Bank", 1, power)], rules)
        before = table.has(what)
        table.select("develop").pick("buy", "Bank")
        found.append(table.has(what) - before)
    assert found == [2, 0]


def test_r22_the_colony_with_the_good_of_any_kind_may_count_as_none() -> None:
    found = []
    for rules in both("any_good_counts"):
        table = Table(2, [producer("Bazaar", "any")], rules)
        table.colony(0, "Bazaar", good=True)
        counted = [int(table.state.counts[0, c]) for c in (Class.NOVELTY, Class.RARE, Class.GENES, Class.ALIEN_GOOD)]
        found.append((counted, table.select("trade_consume").price("sell", "Bazaar")))
    assert found == [([1, 1, 1, 1], 4), ([0, 0, 0, 0], 4)]


def test_r22_a_colony_that_counts_as_none_adds_no_kind_of_good() -> None:
    found = []
    for rules in both("any_good_counts"):
        tiles = [producer("Bazaar", "any"), producer("Mine", "rare"), goal("Lab Kinds", "good_kinds", "1:3 2:8")]
        table = Table(2, tiles, rules)
        table.goal_up("Lab Kinds")
        table.colony(0, "Bazaar")
        table.colony(0, "Mine")
        found.append(table.score()["goals"])
    assert found == [8, 3]


def test_r23_colonists_may_run_out() -> None:
    found = []
    for rules in both("supply_short"):
        table = Table(2, rules=rules)
        table.give(0, colonists=0)
        table.state.supply_colonists = 2
        table.select("settle")
        found.append((table.has("colonists", 0), table.has("colonists", 1), int(table.state.supply_colonists)))
    assert found == [(3, 2, 0), (2, 0, 0)]


def test_r23_vp_chips_never_run_out() -> None:
    for rules in both("supply_short"):
        table = Table(2, rules=rules)
        table.state.supply_vp = 0
        assert table.select("envoys").has("chips") == 1


def test_r24_settle_may_be_declined() -> None:
    found = []
    for rules in both("settle_choice"):
        table = Table(2, [ROCK], rules)
        table.explored(0, "Rock")
        found.append(table.select("settle").options)
    must: list[Any] = [("pay", "Rock"), ("colonists",)]
    assert found == [must, [*must, ("pass",)]]


def test_r27_the_colonists_of_bonus_and_powers_may_be_stockpiled_too() -> None:
    found = []
    for rules in both("stockpile_gains"):
        table = Table(2, [ROCK], rules, homes={0: {"powers": ["settle.colonists 1"]}})
        table.goal_up("Colonial Reserves")
        table.explored(0, "Rock")
        found.append((table.select("settle").kind, table.options[-1]))
    assert found == [("settle", ("colonists",)), ("stockpile", ("amount", 2))]


def test_r27_after_stockpiling_the_bonus_the_action_goes_on() -> None:
    table = Table(2, [ROCK], {"stockpile_gains": "bonus_too"})
    table.goal_up("Colonial Reserves")
    table.explored(0, "Rock")
    table.select("settle").pick("amount", 1)
    assert table.kind == "stockpile"  # without a colonist only the choice of two colonists is left
    table.pick("amount", 2)
    assert (table.stockpiled("colonists"), table.has("colonists")) == (3, 0)


BANK = world("Bank", copies=2, powers=["settle.after_credits 2"])


def test_r28_a_power_after_settling_may_work_for_its_own_world() -> None:
    found = []
    for rules in both("settle_self_trigger"):
        table = Table(2, [BANK], rules)
        table.explored(0, "Bank")
        before = table.has("credits")
        table.select("settle").pick("pay", "Bank")
        found.append(table.has("credits") - before)
    assert found == [0, 2]


def test_r28_it_works_for_worlds_in_its_filter_only() -> None:
    table = Table(2, [world("Bank", powers=["settle.after_credits(rebel) 2"])], {"settle_self_trigger": "yes"})
    table.explored(0, "Bank")
    before = table.has("credits"), table.has("chips")
    table.select("settle").pick("pay", "Bank")
    assert (table.has("credits"), table.has("chips")) == before


def test_r28_it_gives_what_it_says_and_nothing_else() -> None:
    table = Table(2, [BANK], {"settle_self_trigger": "yes"})
    table.explored(0, "Bank")
    before = table.has("chips"), table.has("colonists")
    table.select("settle").pick("pay", "Bank")
    assert (table.has("chips"), table.has("colonists")) == before  # the bonus colonist went on the world


def test_r28_it_may_then_work_for_the_next_world_of_the_action_too() -> None:
    found = []
    for rules in both("settle_self_trigger"):
        table = Table(2, [BANK, ROCK], rules, homes={0: {"powers": ["settle.second 1"]}})
        table.explored(0, "Bank", "Rock")
        table.give(0, colonists=2)
        before = table.has("credits")
        table.select("settle").pick("pay", "Bank").pick("pay", "Rock")
        found.append(table.has("credits") - before)
    assert found == [0, 4]


def test_r29_a_world_just_settled_may_count_only_when_the_seat_has_finished() -> None:
    found = []
    for rules in both("settle_counts"):
        lairs = [world("Lair", defense=1, keywords=["rebel"]), world("Fort", defense=2)]
        powers = ["settle.second 1", "settle.military 1", "settle.military_per(rebel) 1"]
        table = Table(2, lairs, rules, homes={0: {"powers": powers}})
        table.explored(0, "Lair", "Fort")
        table.give(0, colonists=2)
        table.select("settle").pick("conquer", "Lair")
        found.append(("conquer", "Fort") in table.options)
        table.finish_action()
        assert table.has("military") == 2
    assert found == [True, False]


def test_r30_with_an_empty_stack_the_earlier_goal_may_stay_face_down() -> None:
    found = []
    for rules in both("chart_empty"):
        table = Table(2, rules=rules)
        table.goal_up("Colonies", by=0)
        table.state.goal_deck_n = 0
        table.select("chart")
        found.append((int(table.state.goal_where[table.goal("Colonies")]), int(table.state.goal_down[0]) >= 0))
    assert found == [(2, False), (1, True)]


def test_r31_stockpiled_credits_may_break_a_tie() -> None:
    found = []
    for rules in both("tie_break"):
        table = Table(2, rules=rules)
        for seat in (0, 1):
            table.give(seat, credits=3)
            table.state.stockpile[seat, 2] = seat
            table.score(seat)
        found.append([scoring.rank(table.tables, table.state, seat) for seat in (0, 1)])
    assert found == [[1, 1], [2, 1]]
