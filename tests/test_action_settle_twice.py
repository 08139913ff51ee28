"""Settle: temporary Military, and two worlds in one action (001)."""

import pytest
from lab import Table
from lab_tiles import Tile, windfall, world, xeno

ROCK, FORT = world("Rock", cost=3), world("Fort", defense=3)


def sit(*tiles: Tile, explored: bool = True, credits_: int = 10, colonists: int = 4, **more: object) -> Table:
    """A table whose seat 0 has explored these worlds."""
    table = Table(2, tiles, **more)  # type: ignore[arg-type]
    if explored:
        table.explored(0, *[tile["set"]["name"] for tile in tiles])
    table.give(0, credits=credits_, colonists=colonists)
    return table


def armed(military: int, *more: str) -> dict[int, Tile]:
    """A home of seat 0 with Military and other powers."""
    return {0: {"powers": [f"settle.military {military}", *more] if military else list(more)}}


# --- temporary Military


def test_a_good_is_spent_for_temporary_military() -> None:
    """001; effect settle.temp_military(rare)."""
    table = sit(FORT, windfall("Lode", "rare"), explored=False, homes=armed(0, "settle.temp_military(rare) 3"))
    table.explored(0, "Fort")
    table.colony(0, "Lode", good=True)
    table.select("settle")
    assert [words[0] for words in table.options] == ["spend_good", "colonists"]
    table.pick("spend_good").pick("conquer", "Fort")
    assert table.goods() == []


def test_credits_are_spent_for_temporary_military() -> None:
    """Effect settle.temp_military with credits."""
    table = sit(FORT, homes=armed(1, "settle.temp_military 2 credits=2")).select("settle").pick("spend_credits")
    assert (("conquer", "Fort") in table.options, table.has("credits")) == (True, 8)


def test_each_temporary_power_works_once_an_action() -> None:
    """Effect settle.temp_military."""
    table = sit(world("Fort", defense=9), homes=armed(0, "settle.temp_military 2 credits=1")).select("settle")
    table.pick("spend_credits")
    assert table.kind == "select_action"  # the power is used, only the colonists were left


def test_temporary_military_is_gone_in_the_next_action() -> None:
    """001."""
    table = sit(FORT, homes=armed(1, "settle.temp_military 2 credits=2")).select("settle")
    table.pick("spend_credits").pick("colonists").finish_round()
    table.quietly_until(lambda now: now.kind == "select_action" and now.seat == 0).select("settle")
    assert ("conquer", "Fort") not in table.options


def test_temporary_military_is_offered_only_for_a_world_still_out_of_reach() -> None:
    """It could bring nothing."""
    table = sit(FORT, homes=armed(3, "settle.temp_military 2 credits=2")).select("settle")
    assert ("spend_credits",) not in [words[:1] for words in table.options]


# --- two worlds in one action

TWICE = "settle.second 1"


def test_a_further_world_may_be_settled_in_the_same_action() -> None:
    """001; effect settle.second."""
    table = sit(ROCK, world("Hill"), homes=armed(0, TWICE)).select("settle").pick("pay", "Rock")
    assert (table.kind, table.options) == ("settle_again", [("pay", "Hill"), ("pass",)])


def test_a_third_world_needs_another_power() -> None:
    """Effect settle.second 1."""
    table = sit(ROCK, world("Hill"), world("Lake"), homes=armed(0, TWICE)).select("settle")
    table.pick("pay", "Rock").pick("pay", "Hill")
    assert table.kind == "select_action"


def test_colonists_are_no_alternative_to_the_further_world() -> None:
    """001: settle or take colonists, then one more world."""
    table = sit(ROCK, world("Hill"), homes=armed(0, TWICE)).select("settle").pick("colonists")
    assert table.kind == "select_action"


def test_temporary_military_counts_for_the_second_world_too() -> None:
    """001."""
    table = sit(FORT, world("Camp", defense=2), homes=armed(1, TWICE, "settle.temp_military 2 credits=2"))
    table.select("settle").pick("spend_credits").pick("conquer", "Fort")
    assert ("conquer", "Camp") in table.options


def test_the_first_worlds_powers_do_not_help_to_settle_the_second() -> None:
    """001."""
    table = sit(world("Base", powers=["settle.military 3"]), FORT, world("Hill"), homes=armed(0, TWICE))
    table.select("settle").pick("pay", "Base")
    assert table.options == [("pay", "Hill"), ("pass",)]


@pytest.mark.parametrize(
    ("power", "what", "gain"),
    [("settle.after_credits 1", "credits", 2), ("settle.after_colonists 1", "colonists", 2 + 1 - 2),
     ("settle.after_chips 1", "chips", 2)],
)  # fmt: skip
def test_after_settling_powers_work_for_each_world_settled(power: str, what: str, gain: int) -> None:
    """001."""
    table = sit(world("Hill"), world("Lake"), homes=armed(0, TWICE, power))
    before = table.has(what)
    table.select("settle").pick("pay", "Hill").pick("pay", "Lake")
    assert table.has(what) - before == gain


def test_an_after_settling_power_of_the_world_itself_does_not_work_for_it() -> None:
    """001: powers of tiles placed before."""
    table = sit(world("Hill", powers=["settle.after_credits 5"])).select("settle").pick("pay", "Hill")
    assert table.has("credits") == 10


def test_worlds_drawn_after_settling_are_placed_at_the_end_of_the_action() -> None:
    """000 p. 1: at the end of that Settle action; effect settle.after_draw."""
    table = sit(world("Hill"), xeno("Nest", 3), explored=False, homes=armed(0, "settle.after_draw 1"))
    table.explored(0, "Hill")
    table.bag_only("Nest")
    table.select("settle").pick("pay", "Hill")
    assert table.options == [("keep", "Nest"), ("return", "Nest")]
