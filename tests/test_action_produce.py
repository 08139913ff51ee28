"""Produce: a good on every own production colony; for the selector one on a windfall colony and the credits (001)."""

import pytest
from lab import Table
from lab_tiles import producer, windfall

MINE, FARM, LODE, RUIN = (
    producer("Mine", "rare"),
    producer("Farm", "novelty"),
    windfall("Lode", "genes"),
    windfall("Ruin", "alien"),
)


def test_every_production_colony_without_a_good_gets_one() -> None:
    """001."""
    table = Table(2, [MINE, FARM])
    for name in ("Mine", "Farm"):
        table.colony(0, name)
    table.select("produce")
    assert table.goods() == ["Mine", "Farm"]


def test_the_other_players_produce_too() -> None:
    """001: everybody has the action."""
    table = Table(2, [MINE])
    table.colony(1, "Mine")
    table.select("produce")
    assert table.goods(1) == ["Mine"]


def test_a_colony_holds_one_good_at_most() -> None:
    """001."""
    table = Table(2, [producer("Mine", "rare", powers=["produce.credits_this 2"])])
    table.colony(0, "Mine", good=True)
    before = table.has("credits")
    table.select("produce")
    assert (table.state.colony_good[0, 1], table.has("credits")) == (1, before)


def test_a_windfall_colony_does_not_produce_by_itself() -> None:
    """001."""
    table = Table(2, [LODE])
    table.colony(1, "Lode")
    table.select("produce")
    assert table.goods(1) == []


def test_the_selector_puts_a_good_on_one_windfall_colony_of_its_choice() -> None:
    """001."""
    table = Table(2, [LODE, RUIN])
    for name in ("Lode", "Ruin"):
        table.colony(0, name)
    table.select("produce")
    assert (table.kind, table.options) == ("windfall_good", [("good_on", "Lode"), ("good_on", "Ruin")])
    assert table.pick("good_on", "Ruin").goods() == ["Ruin"]


def test_the_selectors_bonus_goes_only_to_a_windfall_colony_without_a_good() -> None:
    """001."""
    table = Table(2, [LODE, RUIN])
    table.colony(0, "Lode", good=True)
    table.colony(0, "Ruin")
    assert sorted(table.select("produce").goods()) == ["Lode", "Ruin"]


def test_the_selector_takes_the_credits_on_the_tile() -> None:
    """001."""
    table = Table(2)
    table.state.produce_credits = 3
    before = table.has("credits")
    table.select("produce")
    assert (table.has("credits") - before, int(table.state.produce_credits)) == (3, 0)


def test_a_credit_is_put_on_produce_if_nobody_selected_it() -> None:
    """001: and on no other tile."""
    table = Table(2).select("envoys").finish_round()
    assert int(table.state.produce_credits) == 1


def test_no_credit_is_put_on_produce_if_somebody_selected_it() -> None:
    """001."""
    table = Table(2).select("produce").finish_round()
    assert int(table.state.produce_credits) == 0


def test_the_credits_on_produce_have_no_limit() -> None:
    """001."""
    table = Table(2)
    table.state.produce_credits = 20
    table.select("envoys").finish_round()
    assert int(table.state.produce_credits) == 21


@pytest.mark.parametrize(
    ("power", "gain"),
    [
        ("produce.credits 2", 2),
        ("produce.credits_per(rare) 1", 2),  # two Rare colonies
        ("produce.credits_per_kind 1", 2),  # Rare and Novelty
    ],
)
def test_a_produce_power_gives_credits(power: str, gain: int) -> None:
    """Effects produce.credits, produce.credits_per and produce.credits_per_kind."""
    table = Table(2, [producer("Mine", "rare", copies=2), FARM], homes={0: {"powers": [power]}})
    for name in ("Mine", "Mine", "Farm"):
        table.colony(0, name)
    before = table.has("credits")
    table.select("produce")
    assert table.has("credits") - before == gain


def test_kinds_are_counted_among_what_was_produced_in_this_action() -> None:
    """Effect produce.credits_per_kind."""
    table = Table(2, [MINE, FARM], homes={0: {"powers": ["produce.credits_per_kind 1"]}})
    table.colony(0, "Mine", good=True)
    table.colony(0, "Farm")
    before = table.has("credits")
    table.select("produce")
    assert table.has("credits") - before == 1


def test_a_good_of_any_kind_is_one_more_kind_produced() -> None:
    """000 p. 3: the one world whose good is of any kind."""
    table = Table(2, [MINE, producer("Bazaar", "any")], homes={0: {"powers": ["produce.credits_per_kind 1"]}})
    for name in ("Mine", "Bazaar"):
        table.colony(0, name)
    before = table.has("credits")
    table.select("produce")
    assert table.has("credits") - before == 2


def test_a_world_pays_for_its_own_production_only_when_it_produced() -> None:
    """Effect produce.credits_this."""
    table = Table(2, [producer("Mine", "rare", powers=["produce.credits_this 2"])])
    table.colony(0, "Mine")
    before = table.has("credits")
    table.select("produce")
    assert table.has("credits") - before == 2


def test_a_produce_power_gives_colonists() -> None:
    """Effect produce.colonists."""
    table = Table(2, homes={1: {"powers": ["produce.colonists 2"]}})
    before = table.has("colonists", 1)
    table.select("produce")
    assert table.has("colonists", 1) - before == 2


def test_a_windfall_power_puts_a_good_on_a_colony_of_its_kind_only() -> None:
    """Effect produce.windfall(genes)."""
    table = Table(2, [LODE, RUIN], homes={1: {"powers": ["produce.windfall(genes) 1"]}})
    for name in ("Lode", "Ruin"):
        table.colony(1, name)
    assert table.select("produce").goods(1) == ["Lode"]


def test_windfall_powers_with_a_filter_come_before_those_without() -> None:
    """Ruling of order: the free good can then go to any colony left."""
    table = Table(2, [LODE, RUIN], homes={1: {"powers": ["produce.windfall 1", "produce.windfall(genes) 1"]}})
    for name in ("Lode", "Ruin"):
        table.colony(1, name)
    assert sorted(table.select("produce").goods(1)) == ["Lode", "Ruin"]


def test_a_windfall_power_of_two_fills_two_colonies() -> None:
    """Effect produce.windfall 2."""
    table = Table(2, [LODE, RUIN, windfall("Vein", "rare")], homes={1: {"powers": ["produce.windfall 2"]}})
    for name in ("Lode", "Ruin", "Vein"):
        table.colony(1, name)
    table.select("produce").pick("good_on", "Vein").pick("good_on", "Lode")
    assert table.goods(1) == ["Lode", "Vein"]


def test_bonus_and_power_come_one_after_the_other() -> None:
    """001: the bonus; the power besides."""
    table = Table(2, [LODE, RUIN], homes={0: {"powers": ["produce.windfall(genes) 1"]}})
    for name in ("Lode", "Ruin"):
        table.colony(0, name)
    assert table.select("produce").pick("good_on", "Ruin").goods() == ["Lode", "Ruin"]


def test_a_dummy_returns_the_credits_on_the_tile_to_the_supply() -> None:
    """000 p. 2; the player produces without the bonus."""
    table = Table(1, [MINE, LODE])
    table.colony(0, "Mine")
    table.colony(0, "Lode")
    table.state.produce_credits = 1
    before = table.has("credits")
    table.select("develop").finish_action().select("produce")
    assert (table.goods(), int(table.state.produce_credits), table.has("credits")) == (["Mine"], 0, before)
