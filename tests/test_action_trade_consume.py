"""Trade, Consume: sell a good if you like, then consume as far as possible; the selector gains 1 VP chip (001)."""

import pytest
from lab import Table
from lab_tiles import Tile, producer, windfall

GOODS = {"Farm": "novelty", "Mine": "rare", "Lode": "genes", "Ruin": "alien", "Bazaar": "any"}
TILES = [producer(name, good, copies=3) for name, good in GOODS.items()]


def sit(*colonies: str, powers: tuple[str, ...] = (), more: tuple[Tile, ...] = ()) -> Table:
    """A table whose seat 0 has these colonies with a good on each, and a home with these powers."""
    table = Table(2, [*TILES, *more], homes={0: {"powers": list(powers)}})
    for name in colonies:
        table.colony(0, name, good=True)
    table.give(0, credits=0)
    return table


def selling(*colonies: str, **more: object) -> Table:
    """The same at the decision what to sell."""
    return sit(*colonies, **more).select("trade_consume")  # type: ignore[arg-type]


def consuming(*colonies: str, powers: tuple[str, ...]) -> Table:
    """The same after selling nothing."""
    return selling(*colonies, powers=powers).pick("pass")


# --- trade


def test_the_selector_gains_a_vp_chip() -> None:
    """001."""
    table = sit()
    before = table.has("chips", 0), table.has("chips", 1)
    table.select("trade_consume")
    assert (table.has("chips", 0) - before[0], table.has("chips", 1) - before[1]) == (1, 0)


@pytest.mark.parametrize(("colony", "credits_"), [("Ruin", 4), ("Lode", 3), ("Mine", 2), ("Farm", 1)])
def test_goods_sell_for_one_to_four_credits_by_kind(colony: str, credits_: int) -> None:
    """001."""
    table = selling(colony).pick("sell", colony)
    assert (table.has("credits"), table.goods()) == (credits_, [])


def test_one_good_at_most_is_sold() -> None:
    """001."""
    table = selling("Ruin", "Lode").pick("sell", "Ruin")
    assert (table.seat, table.kind, table.goods()) == (1, "select_action", ["Lode"])


def test_selling_may_be_declined() -> None:
    """P: may."""
    table = selling("Ruin").pick("pass")
    assert (table.goods(), table.has("credits")) == (["Ruin"], 0)


def test_a_windfall_colonys_good_may_be_sold() -> None:
    """001: any good."""
    table = sit(more=(windfall("Vein", "rare"),))
    table.colony(0, "Vein", good=True)
    assert table.select("trade_consume").price("sell", "Vein") == 2


def test_the_good_of_any_kind_sells_as_the_dearest() -> None:
    """000 p. 3; R22."""
    assert selling("Bazaar").price("sell", "Bazaar") == 4


def test_the_good_of_any_kind_sells_as_the_kind_that_powers_make_dearest() -> None:
    """000 p. 3; R22."""
    assert selling("Bazaar", powers=("trade.bonus(genes) 3",)).price("sell", "Bazaar") == 3 + 3


@pytest.mark.parametrize(
    ("power", "credits_"),
    [("novelty_or_rare) 4", 2 + 4), ("genes_production) 2", 3 + 2), ("imperium) 2", 4 + 2), ("genes_windfall) 5", 4)],
)
def test_the_good_of_any_kind_sells_with_every_power_that_counts_for_its_world(power: str, credits_: int) -> None:
    """000 p. 3; R22: as a good of the kind chosen, from a world with these keywords and of this type."""
    bazaar = producer("Fair", "any", keywords=["imperium"])
    table = Table(2, [bazaar], homes={0: {"powers": [f"trade.bonus({power}"]}})
    table.colony(0, "Fair", good=True)
    assert table.select("trade_consume").price("sell", "Fair") == credits_


def test_trade_powers_add_to_the_price_of_their_kind() -> None:
    """Effect trade.bonus."""
    table = selling("Ruin", "Mine", powers=("trade.bonus 1", "trade.bonus(rare) 2"))
    assert (table.price("sell", "Ruin"), table.price("sell", "Mine")) == (5, 5)


def test_a_world_may_add_to_the_price_of_its_own_good() -> None:
    """Effect trade.bonus_this."""
    table = sit("Ruin", more=(producer("Port", "novelty", powers=["trade.bonus_this 3"]),))
    table.colony(0, "Port", good=True)
    table.select("trade_consume")
    assert (table.price("sell", "Port"), table.price("sell", "Ruin")) == (4, 4)


def test_a_good_that_cannot_be_sold_is_not_offered() -> None:
    """Effect trade.no_sale."""
    table = sit("Ruin", more=(producer("Port", "novelty", powers=["trade.no_sale"]),))
    table.colony(0, "Port", good=True)
    assert table.select("trade_consume").options == [("sell", "Ruin"), ("pass",)]


def test_credits_of_a_sale_may_be_stockpiled() -> None:
    """001; goal Galactic Treasury."""
    table = sit("Ruin")
    table.goal_up("Galactic Treasury")
    table.select("trade_consume").pick("sell", "Ruin").pick("amount", 3)
    assert (table.stockpiled("credits"), table.has("credits")) == (3, 1)


# --- consume


def test_consuming_is_not_optional() -> None:
    """P, 001: as far as possible; a single way is not even asked."""
    table = consuming("Mine", powers=("consume.goods 1 vp=1",))
    assert (table.goods(), table.has("chips")) == ([], 2)


def test_which_good_feeds_which_power_is_the_players_choice() -> None:
    """Every pair of a usable power and a fitting good."""
    table = consuming("Mine", "Lode", powers=("consume.goods 1 vp=1", "consume.goods(rare) 1 vp=2"))
    assert [(words[2], words[3]) for words in table.options] == [
        ("consume.goods 1 vp=1", "Mine"),
        ("consume.goods 1 vp=1", "Lode"),
        ("consume.goods(rare) 1 vp=2", "Mine"),
    ]


def test_the_sale_comes_before_consumption() -> None:
    """001: then."""
    table = selling("Mine", powers=("consume.goods 1 vp=1",)).pick("sell", "Mine")
    assert (table.has("chips"), table.has("credits")) == (1, 2)


def test_every_power_is_used_once() -> None:
    """001."""
    table = consuming("Mine", "Mine", powers=("consume.goods 1 vp=1",)).pick("feed")
    assert table.goods() == ["Mine"]


def test_a_power_for_several_uses_takes_goods_while_there_are_any() -> None:
    """Effect consume.goods with times."""
    table = consuming("Mine", "Mine", powers=("consume.goods 1 vp=1 credits=1 times=2",)).pick("feed")
    assert (table.goods(), table.has("chips"), table.has("credits")) == ([], 1 + 2, 2)


def test_a_power_for_two_goods_needs_both_at_once() -> None:
    """Effect consume.goods 2."""
    table = consuming("Mine", powers=("consume.goods 2 vp=3",))
    assert (table.goods(), table.has("chips")) == (["Mine"], 1)


def test_a_power_for_two_goods_asks_for_the_second() -> None:
    """Effect consume.goods 2."""
    table = consuming("Mine", "Lode", "Ruin", powers=("consume.goods 2 vp=3",)).pick("feed")
    assert (table.kind, len(table.options)) == ("consume_more", 2)
    table.pick("feed")
    assert (len(table.goods()), table.has("chips")) == (1, 1 + 3)


def test_a_power_for_two_goods_used_twice_takes_any_four() -> None:
    """Effect consume.goods 2 with times: kinds do not matter."""
    table = selling(*["Farm"] * 3, "Mine", powers=("consume.goods 2 vp=3 times=2",)).pick("pass")
    while table.kind.startswith("consume"):
        table.pick("feed")
    assert (table.goods(), table.has("chips")) == ([], 1 + 6)


def test_different_goods_are_of_different_kinds() -> None:
    """Effect consume.different."""
    table = consuming("Mine", "Mine", "Lode", powers=("consume.different 2 vp=3",))
    table.pick("feed")
    assert (table.goods(), table.has("chips")) == (["Mine"], 1 + 3)


def test_two_goods_of_one_kind_are_not_different() -> None:
    """Effect consume.different."""
    assert consuming("Mine", "Mine", powers=("consume.different 2 vp=3",)).goods() == ["Mine", "Mine"]


def test_a_colony_without_a_good_is_no_kind() -> None:
    """Effect consume.different: goods, not colonies."""
    table = sit("Mine", powers=("consume.different 2 vp=3",))
    table.colony(0, "Lode")
    assert table.select("trade_consume").pick("pass").goods() == ["Mine"]


def test_the_good_of_any_kind_is_another_kind() -> None:
    """000 p. 3."""
    assert consuming("Mine", "Bazaar", powers=("consume.different 2 vp=3",)).pick("feed").has("chips") == 1 + 3


def test_the_good_of_any_kind_feeds_a_power_for_any_kind() -> None:
    """000 p. 3."""
    assert consuming("Bazaar", powers=("consume.goods(genes) 1 vp=2",)).goods() == []


def test_a_power_for_kinds_takes_one_good_of_each() -> None:
    """Effect consume.kinds: so many VPs for each kind."""
    table = consuming("Mine", "Mine", "Lode", powers=("consume.kinds 4 vp=1",))
    table.pick("feed", "Home of 0 A", "consume.kinds 4 vp=1", "Lode").pick("feed")
    assert (table.goods(), table.has("chips")) == (["Mine"], 1 + 2)


def test_a_consume_power_may_give_colonists() -> None:
    """Effect consume.goods with colonists."""
    table = sit("Mine", powers=("consume.goods 1 colonists=2",))
    before = table.has("colonists")
    table.select("trade_consume").pick("pass")
    assert table.has("colonists") - before == 2


def test_powers_without_a_good_give_at_the_start_of_consumption() -> None:
    """Effects consume.credits and consume.chips."""
    table = sit(powers=("consume.credits 2", "consume.chips 1")).select("trade_consume")
    assert (table.has("credits"), table.has("chips")) == (2, 1 + 1)


def test_the_others_sell_and_consume_too() -> None:
    """001."""
    table = sit()
    table.colony(1, "Ruin", good=True)
    table.select("trade_consume")
    assert (table.kind, table.seat) == ("sell", 1)


def test_chips_of_consume_powers_may_be_stockpiled() -> None:
    """000 p. 4, Contented Citizens: some or all VP chips gained from Consume powers."""
    table = sit("Mine", powers=("consume.goods 1 vp=2",))
    table.goal_up("Contented Citizens")
    table.select("trade_consume").pick("pass")
    assert table.options == [("amount", 0), ("amount", 1), ("amount", 2)]
    table.pick("amount", 2)
    assert (table.stockpiled("chips"), table.has("chips")) == (2, 1)


def test_the_next_player_follows_after_stockpiling() -> None:
    """000 p. 4: a stockpile ends nobody else's action."""
    table = sit("Mine", powers=("consume.goods 1 vp=2",))
    table.goal_up("Contented Citizens")
    table.colony(1, "Ruin", good=True)
    table.select("trade_consume").pick("pass").pick("amount", 0)
    assert (table.kind, table.seat) == ("sell", 1)


def test_the_selectors_chip_is_not_stockpiled() -> None:
    """000 p. 4: gained from Consume powers."""
    table = sit()
    table.goal_up("Contented Citizens")
    assert table.select("trade_consume").kind == "select_action"


def test_a_dummy_removes_a_chip_from_the_supply_and_the_player_gains_none() -> None:
    """000 p. 2."""
    table = Table(1).select("envoys").finish_action()
    before, supply = table.has("chips"), int(table.state.supply_vp)
    table.select("trade_consume")
    assert (table.has("chips") - before, supply - int(table.state.supply_vp)) == (0, 1)
