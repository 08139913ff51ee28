"""Settle: settle an explored world, or gain 2 colonists; the selector gains 1 colonist first (001)."""

import pytest
from lab import Table
from lab_tiles import Tile, producer, windfall, world, xeno

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


# --- what is offered


def test_a_non_military_world_costs_its_credits_and_a_military_one_nothing() -> None:
    """001."""
    table = sit(ROCK, FORT, homes=armed(3)).select("settle")
    assert table.options == [("pay", "Rock"), ("conquer", "Fort"), ("colonists",)]
    assert table.price("pay", "Rock") == 3


def test_settling_is_an_alternative_to_two_colonists() -> None:
    """001."""
    table = sit(ROCK, colonists=1).select("settle").pick("colonists")
    assert (table.has("colonists"), table.names("colony")) == (1 + 1 + 2, ["Lab Home A"])


def test_the_selectors_colonist_can_be_used_at_once() -> None:
    """P."""
    assert ("pay", "Rock") in sit(ROCK, colonists=0).select("settle").options


def test_only_the_selector_has_the_bonus() -> None:
    """001."""
    table = sit(ROCK)
    before = table.has("colonists", 1)
    table.select("settle").pick("pay", "Rock")
    assert table.has("colonists", 1) == before + 2


@pytest.mark.parametrize(
    ("tile", "credits_", "colonists"),
    [(ROCK, 2, 4), (world("Rock", cost=3, colonists=2), 10, 0), (world("Rock", defense=1), 10, 4)],
    ids=["credits", "colonists", "Military"],
)
def test_a_world_out_of_reach_is_not_offered(tile: Tile, credits_: int, colonists: int) -> None:
    """001: its credits or Military, and its colonists."""
    table = sit(tile, world("Hill"), credits_=credits_, colonists=colonists).select("settle")
    assert not any(words[1:] == ("Rock",) for words in table.options)


def test_military_equal_to_the_defense_is_enough() -> None:
    """001: at least the number in the circle."""
    assert ("conquer", "Fort") in sit(FORT, homes=armed(3)).select("settle").options


# --- what settling does


def test_settling_pays_places_the_colonists_and_moves_the_world() -> None:
    """001."""
    table = sit(world("Rock", cost=3, colonists=2)).select("settle").pick("pay", "Rock")
    assert (table.has("credits"), table.has("colonists"), table.has("placed_colonists")) == (7, 4 + 1 - 2, 1 + 2)
    assert (table.names("colony"), table.names("explored")) == (["Lab Home A", "Rock"], [])


def test_a_windfall_world_gets_its_good_at_once() -> None:
    """001."""
    assert sit(windfall("Lode", "genes")).select("settle").pick("pay", "Lode").goods() == ["Lode"]


def test_a_production_world_gets_its_good_only_by_producing() -> None:
    """001."""
    assert sit(producer("Mine", "rare")).select("settle").pick("pay", "Mine").goods() == []


def test_the_production_world_that_gains_a_good_when_settled_does() -> None:
    """000 p. 3, second footnote."""
    table = sit(producer("Mine", "rare", powers=["settle.place_good"])).select("settle").pick("pay", "Mine")
    assert table.goods() == ["Mine"]


def test_a_settled_world_has_its_effect_when_the_action_is_over() -> None:
    """001."""
    table = sit(world("Base", powers=["settle.military 2"])).select("settle").pick("pay", "Base")
    assert table.has("military") == 2


# --- discounts, Military, paying for military worlds


def test_a_discount_lowers_a_cost_never_below_zero() -> None:
    """Effect settle.discount."""
    table = sit(ROCK, world("Hill", cost=1), homes=armed(0, "settle.discount 2")).select("settle")
    assert (table.price("pay", "Rock"), table.price("pay", "Hill")) == (1, 0)


def test_a_discount_with_a_filter_counts_for_such_worlds_only() -> None:
    """Effect settle.discount(rare)."""
    table = sit(ROCK, producer("Mine", "rare", cost=3), homes=armed(0, "settle.discount(rare) 2")).select("settle")
    assert (table.price("pay", "Rock"), table.price("pay", "Mine")) == (3, 1)


def test_specialised_military_counts_against_such_worlds_only() -> None:
    """000 p. 1 and 4: Military for some worlds only."""
    rebels = world("Lair", defense=3, keywords=["rebel"])
    table = sit(rebels, FORT, homes=armed(1, "settle.military(rebel) 2")).select("settle")
    assert (("conquer", "Lair") in table.options, ("conquer", "Fort") in table.options) == (True, False)


def test_specialised_military_is_no_permanent_military() -> None:
    """000 p. 4: not temporary or specialized."""
    assert sit(homes=armed(1, "settle.military(rebel) 2")).has("military") == 1


def test_military_per_tile_grows_with_the_tiles() -> None:
    """Effect settle.military_per(rebel): the tile just settled counts."""
    rebels = world("Lair", defense=1, keywords=["rebel"])
    table = sit(rebels, homes=armed(1, "settle.military_per(rebel) 2")).select("settle").pick("conquer", "Lair")
    assert table.has("military") == 1 + 2


def test_paying_for_a_military_world_costs_its_defense_less_the_amount() -> None:
    """Effect settle.pay_military; such as Contact Specialist (000 p. 1)."""
    table = sit(FORT, homes=armed(0, "settle.pay_military 1")).select("settle")
    assert table.price("pay", "Fort") == 2


def test_of_two_powers_to_pay_the_better_one_counts() -> None:
    """Effect settle.pay_military: amounts do not add up."""
    table = sit(FORT, homes=armed(0, "settle.pay_military 1", "settle.pay_military 2")).select("settle")
    assert table.price("pay", "Fort") == 1


def test_a_military_world_in_reach_both_ways_may_be_settled_either_way() -> None:
    """Conquering first in the list of options."""
    table = sit(FORT, homes=armed(3, "settle.pay_military 0")).select("settle")
    assert table.options == [("conquer", "Fort"), ("pay", "Fort"), ("colonists",)]


def test_a_xeno_world_is_never_settled_by_paying() -> None:
    """000 p. 1."""
    table = sit(xeno("Nest", 2), homes=armed(0, "settle.pay_military 2"))
    assert table.select("settle").kind == "select_action"  # nothing to decide: only the colonists


def test_a_discount_does_not_lower_what_a_military_world_costs() -> None:
    """Effect settle.discount is for non-military worlds."""
    table = sit(FORT, homes=armed(0, "settle.pay_military 0", "settle.discount 2")).select("settle")
    assert table.price("pay", "Fort") == 3


# --- solo and stockpiling


def test_colonists_gained_instead_of_settling_may_be_stockpiled() -> None:
    """001; goal Colonial Reserves."""
    table = sit(ROCK, colonists=0)
    table.goal_up("Colonial Reserves")
    table.select("settle").pick("colonists")
    assert table.options == [("amount", 0), ("amount", 1), ("amount", 2)]
    table.pick("amount", 2)
    assert (table.stockpiled("colonists"), table.has("colonists")) == (2, 1)


def test_a_dummy_removes_a_colonist_from_the_supply_and_the_player_has_no_bonus() -> None:
    """000 p. 2."""
    table = Table(1, [ROCK])
    table.explored(0, "Rock")
    table.give(0, credits=5, colonists=0)
    table.select("envoys").finish_action()
    supply = int(table.state.supply_colonists)
    table.select("settle")
    assert (table.has("colonists"), supply - int(table.state.supply_colonists)) == (2, 1 + 2)
