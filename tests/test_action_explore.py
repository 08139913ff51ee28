"""Explore: worlds are shown, each player takes one, the selector one more (001; 000 p. 1 with the Rift)."""

from collections import Counter

import pytest
from lab import Table
from lab_tiles import goal, world, xeno

ROCK, HILL, LAKE, MOOR = (world(name, copies=20) for name in ("Rock", "Hill", "Lake", "Moor"))
NEST = xeno("Nest", 3, copies=12)


def bag(table: Table) -> Counter[str]:
    """Worlds in the bag, by name."""
    return Counter(table.prepared.names.tile[int(tile)] for tile in table.state.bag[: table.state.bag_n])


def one_kind(table: Table, name: str = "Rock", number: int = 12) -> Table:
    """Leave one kind of world in the bag."""
    table.bag_only(*[name] * number)
    return table


@pytest.mark.parametrize(("expansion", "number"), [("base", 7), ("starry_rift", 8)])
def test_seven_worlds_are_shown_and_eight_with_the_rift(expansion: str, number: int) -> None:
    """001; 000 p. 1."""
    table = Table(2, expansion=expansion).select("explore")
    assert table.state.shown_n == len(table.options) == number


def test_each_player_takes_one_the_selector_first_and_one_more_when_all_have_taken() -> None:
    """001."""
    table = one_kind(Table(3, [ROCK])).select("explore")
    order = []
    while table.kind == "explore_pick":
        order.append(table.seat)
        table.pick("take")
    assert order == [0, 1, 2, 0]


def test_who_selected_last_takes_first_and_the_others_follow_from_there_on() -> None:
    """001; R5 wrap."""
    table = one_kind(Table(3, [ROCK])).select("envoys").select("explore")
    order = []
    while table.kind == "explore_pick":
        order.append(table.seat)
        table.pick("take")
    assert order == [1, 2, 0, 1]


def test_worlds_nobody_took_return_to_the_bag() -> None:
    """001."""
    table = one_kind(Table(2, [ROCK])).select("explore").finish_action()
    assert bag(table) == {"Rock": 12 - 3}
    assert (table.names("explored", 0), table.names("explored", 1)) == (["Rock"] * 2, ["Rock"])


def test_a_world_taken_is_no_longer_offered_to_the_next() -> None:
    """001: one each of those shown."""
    table = Table(2, [ROCK, HILL])
    table.bag_only("Rock", *["Hill"] * 7)
    table.select("explore").pick("take", "Rock")
    assert ("take", "Rock") not in table.options


def test_from_a_bag_that_is_almost_empty_what_is_left_is_shown() -> None:
    """The bag is a limited supply; with two worlds the third seat gets none."""
    table = one_kind(Table(3, [ROCK]), number=2).select("explore").finish_action()
    assert [len(table.names("explored", seat)) for seat in range(3)] == [1, 1, 0]


def test_an_empty_bag_ends_the_action_without_a_choice() -> None:
    """The bag is a limited supply."""
    table = one_kind(Table(2, [ROCK]), number=0).select("explore")
    assert table.kind == "select_action"


def test_explored_worlds_have_no_effect_until_they_are_settled() -> None:
    """001: face down at the right."""
    table = one_kind(Table(2, [world("Fort", powers=["settle.military 2"], copies=12)]), "Fort")
    table.select("explore").finish_action()
    assert table.has("military") == 0


def test_powers_give_credits_and_colonists_in_every_players_explore_action() -> None:
    """Effects explore.credits and explore.colonists."""
    table = one_kind(Table(2, [ROCK], homes={1: {"powers": ["explore.credits 2", "explore.colonists 1"]}}))
    before = table.has("credits", 1), table.has("colonists", 1)
    table.select("explore")
    assert (table.has("credits", 1) - before[0], table.has("colonists", 1) - before[1]) == (2, 1)


def test_a_pick_power_comes_after_the_selectors_bonus() -> None:
    """Effect explore.pick."""
    table = one_kind(Table(2, [ROCK], homes={1: {"powers": ["explore.pick 1"]}})).select("explore")
    order = []
    while table.kind == "explore_pick":
        order.append(table.seat)
        table.pick("take")
    assert order == [0, 1, 0, 1]


def test_a_draw_power_adds_worlds_from_the_bag_unseen() -> None:
    """Effect explore.draw: not among the worlds shown."""
    table = Table(2, [ROCK, HILL], homes={1: {"powers": ["explore.draw 2"]}})
    table.bag_only(*["Rock"] * 12)
    table.select("explore")
    table.bag_only("Hill", "Hill")
    table.finish_action()
    assert table.names("explored", 1) == ["Rock", "Hill", "Hill"]


def test_a_xeno_world_may_be_kept_or_returned_at_the_end_of_the_action() -> None:
    """000 p. 1."""
    table = Table(2, [NEST, ROCK])
    table.bag_only("Nest", *["Rock"] * 7)
    table.select("explore").pick("take", "Nest").pick("take", "Rock").pick("take", "Rock")
    assert table.options == [("keep", "Nest"), ("return", "Nest")]


def test_a_returned_xeno_world_lies_in_the_bag_again() -> None:
    """000 p. 1."""
    table = Table(2, [NEST, ROCK])
    table.bag_only("Nest", *["Rock"] * 7)
    table.select("explore").pick("take", "Nest").pick("take", "Rock").pick("take", "Rock").pick("return")
    assert (bag(table)["Nest"], table.names("explored")) == (1, ["Rock"])


def test_a_xeno_world_drawn_unseen_may_be_returned_too() -> None:
    """000 p. 1: draws or selects."""
    table = one_kind(Table(2, [NEST, ROCK], homes={0: {"powers": ["explore.draw 1"]}}), "Rock")
    table.select("explore")
    table.bag_only("Nest")
    table.pick("take").pick("take").pick("take")
    assert table.options == [("keep", "Nest"), ("return", "Nest")]


def test_a_ninth_world_beside_home_means_discarding_an_explored_one() -> None:
    """001: 8 worlds explored and settled, home not counted."""
    table = one_kind(Table(2, [ROCK, HILL, LAKE]), "Rock")
    for _ in range(5):
        table.state.bag[table.state.bag_n] = table.tile("Lake")
        table.state.bag_n += 1
    table.colony(0, "Lake")
    for _ in range(4):
        table.explored(0, "Lake")
    table.state.bag_n = 12
    table.explored(0, "Rock", "Rock")
    table.select("explore").pick("take").pick("take").pick("take")
    assert table.kind == "discard_world"
    assert {name for _, name in table.options} == {"Lake", "Rock"}
    assert len(table.options) == 8


def test_a_discarded_world_returns_to_the_bag() -> None:
    """P."""
    table = one_kind(Table(2, [ROCK, MOOR]), "Moor")
    table.explored(0, *["Moor"] * 3)
    for _ in range(5):
        table.state.bag[table.state.bag_n] = table.tile("Rock")
        table.state.bag_n += 1
        table.explored(0, "Rock")
    table.select("explore").pick("take", "Moor").pick("take", "Moor").pick("take", "Moor")
    table.pick("discard", "Rock").pick("discard", "Rock")
    assert bag(table) == {"Moor": 6, "Rock": 2}
    assert len(table.names("explored")) == 8


def test_a_placed_xeno_world_is_never_discarded() -> None:
    """000 p. 1."""
    table = one_kind(Table(2, [ROCK, NEST]), "Nest")
    table.explored(0, *["Nest"] * 6)
    table.bag_only(*["Rock"] * 12)
    table.explored(0, "Rock", "Rock")
    table.select("explore").pick("take").pick("take").pick("take")
    assert set(table.options) == {("discard", "Rock")}


def test_worlds_may_be_stockpiled_while_exploration_is_face_up() -> None:
    """001: put on the storage mat; base goal Exploration."""
    table = one_kind(Table(2, [ROCK]))
    table.goal_up("Exploration")
    table.select("explore").pick("take").pick("take").pick("take")
    assert table.options == [("stockpile", "Rock"), ("place", "Rock")]
    table.pick("stockpile").pick("place").pick("place")
    assert (table.names("stored"), table.names("explored")) == (["Rock"], ["Rock"])


def test_a_xeno_world_is_never_stockpiled() -> None:
    """000 p. 1."""
    table = one_kind(Table(2, [NEST]), "Nest")
    table.goal_up("Exploration")
    table.select("explore").pick("take").pick("take").pick("take")
    assert {words[0] for words in table.options} == {"keep", "return"}


def test_a_stockpiled_world_counts_towards_no_limit() -> None:
    """001: it lies on the storage mat."""
    table = one_kind(Table(2, [ROCK, goal("Hoard", "stockpiled_worlds", "2:2", stockpile="worlds")]), number=20)
    table.goal_up("Hoard")
    table.explored(0, *["Rock"] * 8)
    table.select("explore").pick("take").pick("take").pick("take").pick("stockpile").pick("stockpile")
    assert (table.kind, table.seat) == ("stockpile_world", 1)


def test_more_worlds_than_an_empire_has_room_for_are_never_lost() -> None:
    """The records have fixed capacities; a game must not lose worlds when powers draw many."""
    table = Table(2, [ROCK], homes={0: {"powers": ["explore.draw 3"] * 3}})
    table.bag_only(*["Rock"] * 80)
    table.explored(0, *["Rock"] * 8)
    table.select("explore")
    while table.kind != "select_action":
        table.game.choose(0)
    held = sum(len(table.names("explored", seat)) for seat in (0, 1))
    assert (int(table.state.bag_n) + held, len(table.names("explored"))) == (80, 8)


def test_with_a_dummy_the_player_takes_one_world_and_nobody_has_the_bonus() -> None:
    """000 p. 2."""
    table = one_kind(Table(1, [ROCK])).select("envoys").finish_action()
    table.select("explore").finish_action()
    assert (len(table.names("explored")), bag(table)) == (1, {"Rock": 11})
