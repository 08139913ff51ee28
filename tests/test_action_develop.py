"""Develop: each player may buy one development it does not own; the selector pays 1 less (001)."""

import pytest
from lab import Table
from lab_tiles import development


def sit(*tiles: dict[str, object], players: int = 2, credits_: int = 20, **more: object) -> Table:
    """A table at which everybody can pay."""
    table = Table(players, tiles, **more)  # type: ignore[arg-type]
    for seat in range(players):
        table.give(seat, credits=credits_)
    return table


def test_the_selector_pays_one_credit_less() -> None:
    """001."""
    table = sit(development("Forge", 5)).select("develop")
    assert (table.seat, table.price("buy", "Forge")) == (0, 4)


def test_the_others_pay_the_printed_cost() -> None:
    """001."""
    table = sit(development("Forge", 5)).select("develop").pick("pass")
    assert (table.seat, table.price("buy", "Forge")) == (1, 5)


def test_buying_takes_the_credits_and_places_the_tile() -> None:
    """001."""
    table = sit(development("Forge", 5)).select("develop").pick("buy", "Forge")
    assert (table.has("credits"), table.names("dev")) == (16, ["Forge"])


def test_a_player_buys_at_most_one_development_in_an_action() -> None:
    """001: one tile."""
    table = sit(development("Forge", 1), development("Mill", 1)).select("develop").pick("buy", "Forge")
    assert table.seat == 1


def test_a_development_may_be_declined() -> None:
    """001: may buy."""
    assert ("pass",) in sit().select("develop").options


def test_what_a_player_cannot_pay_is_not_offered() -> None:
    """001: paying its cost."""
    table = sit(development("Forge", 5), development("Mill", 4), credits_=3).select("develop")
    assert ("buy", "Mill") in table.options
    assert ("buy", "Forge") not in table.options


def test_who_can_pay_nothing_is_not_asked() -> None:
    """A forced pass is no decision."""
    table = sit(development("Forge", 5), credits_=0)
    table.only("Forge")  # others cost 1, which the bonus makes 0
    table.give(1, credits=20)
    assert table.select("develop").seat == 1


def test_a_discount_never_makes_a_cost_negative() -> None:
    """Effect develop.discount."""
    table = sit(development("Hut", 1), homes={0: {"powers": ["develop.discount 3"]}}).select("develop")
    assert table.price("buy", "Hut") == 0


def test_a_discount_with_a_filter_counts_for_such_tiles_only() -> None:
    """Effect develop.discount(nine_cost)."""
    tower = development("Tower", 9, group="large", stack="ZZ")
    home = {0: {"powers": ["develop.discount(nine_cost) 2"]}}
    table = sit(tower, development("Hut", 3), homes=home).select("develop")
    assert (table.price("buy", "Tower"), table.price("buy", "Hut")) == (9 - 2 - 1, 3 - 1)


def test_a_player_never_buys_a_second_tile_like_its_own() -> None:
    """P: not already owned."""
    table = sit(development("Forge", 1), players=5)
    table.developed(0, "Forge")
    table.select("develop")
    assert ("buy", "Forge") not in table.options


def test_another_copy_of_a_stack_is_for_the_others() -> None:
    """P: with four players two of each small development."""
    table = sit(development("Forge", 1), players=4).select("develop").pick("buy", "Forge")
    assert ("buy", "Forge") in table.options


def test_first_come_first_served() -> None:
    """001: what is sold out is gone; with two players there is one of each."""
    table = sit(development("Forge", 1)).select("develop").pick("buy", "Forge")
    assert (table.seat, ("buy", "Forge") in table.options) == (1, False)


def test_only_the_side_that_lies_up_is_for_sale() -> None:
    """P: a coin decides the side."""
    sides = [development(name, 1, group="small", stack="ZZ", face=face) for name, face in (("Up", "A"), ("Down", "B"))]
    table = sit(*sides)
    stack = int(table.tables.n_stacks) - 1
    table.state.stack_side[stack] = 1
    options = table.select("develop").options
    assert (("buy", "Up") in options, ("buy", "Down") in options) == (False, True)


def test_a_development_works_from_the_moment_it_is_placed() -> None:
    """001."""
    table = sit(development("Fleet", 1, "settle.military 2")).select("develop").pick("buy", "Fleet")
    assert table.has("military") == 2


@pytest.mark.parametrize(("power", "what", "gain"), [("develop.credits 2", "credits", 2),
                                                     ("develop.colonists 1", "colonists", 1)])  # fmt: skip
def test_an_after_develop_power_gives_its_gain_for_a_tile_bought(power: str, what: str, gain: int) -> None:
    """Effects develop.credits and develop.colonists."""
    table = sit(development("Hut", 1), homes={0: {"powers": [power]}})
    before = table.has(what)
    table.select("develop").pick("buy", "Hut")
    assert table.has(what) - before == gain


def test_an_after_develop_power_gives_nothing_for_a_pass() -> None:
    """Effect develop.credits."""
    table = sit(homes={0: {"powers": ["develop.credits 2"]}}).select("develop").pick("pass")
    assert table.has("credits") == 20


def test_a_nine_cost_development_takes_two_spaces_of_the_mat() -> None:
    """P."""
    tower = development("Tower", 9, group="large", stack="ZZ")
    table = sit(tower).select("develop").pick("buy", "Tower")
    assert (table.has("dev_spaces"), table.has("n_devs")) == (2, 1)


def test_the_others_follow_in_the_order_from_the_selector_on() -> None:
    """001; R5 wrap."""
    table = sit(players=3).select("envoys").select("develop")
    order = [table.seat]
    while table.pick("pass").kind == "develop":
        order.append(table.seat)
    assert order == [1, 2, 0]


def test_with_a_dummy_the_player_buys_at_the_printed_cost() -> None:
    """000 p. 2: Develop: nothing; the player has no bonus."""
    table = Table(1, [development("Forge", 5)])
    table.give(0, credits=20)
    table.select("envoys").finish_action().select("develop")
    assert table.price("buy", "Forge") == 5
