"""Solo: the dummies and the length of the game (000 p. 2)."""

import pytest
from lab import Table

from nfsim.games.new_frontiers.codes import Action, ChosenBy

# --- what the dummies select


def test_the_player_chooses_any_available_tile_for_a_dummy() -> None:
    """000 p. 2."""
    table = Table(1).select("settle").finish_action()
    assert (table.kind, table.seat) == ("select_for_dummy", 0)
    assert ("action", "settle") not in table.options
    assert len(table.options) == 6


def test_a_dummy_takes_produce_when_two_credits_are_on_it() -> None:
    """000 p. 2."""
    table = Table(1)
    table.state.produce_credits = 2
    table.select("settle").finish_action()
    assert table.game.selections[0][1] == (1, Action.PRODUCE, ChosenBy.RULE)


def test_with_more_than_two_credits_it_takes_produce_too() -> None:
    """000 p. 2: if the tile has 2 credits; with the player's choice it can never hold more than 2."""
    table = Table(1)
    table.state.produce_credits = 3
    table.select("settle").finish_action()
    assert table.game.selections[0][1] == (1, Action.PRODUCE, ChosenBy.RULE)


def test_with_one_credit_on_produce_the_choice_is_free() -> None:
    """000 p. 2, the example."""
    table = Table(1)
    table.state.produce_credits = 1
    assert table.select("settle").finish_action().kind == "select_for_dummy"


def test_the_last_dummy_takes_envoys_if_it_is_available() -> None:
    """000 p. 2."""
    table = Table(1).select("settle").finish_action().select("explore").finish_action()
    assert table.state.round_no == 2
    assert table.track() == [2, 0, 1]


def test_a_dummy_that_is_not_last_does_not_take_envoys_by_itself() -> None:
    """000 p. 2: if it is last."""
    table = Table(1).select("settle").finish_action()
    assert ("action", "envoys") in table.options


def test_produce_comes_before_envoys_for_the_last_dummy() -> None:
    """000 p. 2: in this order."""
    table = Table(1)
    table.order(1, 0, 2)
    table.select("develop").finish_action()
    table.state.produce_credits = 2
    table.select("settle").finish_action()
    assert (int(table.state.produce_credits), table.track()) == (0, [1, 0, 2])


def test_the_last_dummys_choice_is_free_when_envoys_is_gone() -> None:
    """000 p. 2."""
    table = Table(1).select("envoys").finish_action().select("develop").finish_action()
    assert table.kind == "select_for_dummy"


# --- what they do


def test_a_dummy_with_envoys_removes_a_chip_and_comes_first() -> None:
    """000 p. 2."""
    table = Table(1).select("settle").finish_action()
    supply = int(table.state.supply_vp)
    table.select("envoys")
    assert (supply - int(table.state.supply_vp), table.track()[0]) == (1, 1)
    assert table.has("chips", 1) == 0


def test_dummies_do_nothing_on_the_players_turn() -> None:
    """000 p. 2."""
    table = Table(1)
    supply = int(table.state.supply_colonists)
    table.select("settle")
    assert supply - int(table.state.supply_colonists) == 1 + 2  # the player's bonus and colonists
    assert [table.has("colonists", seat) for seat in (1, 2)] == [0, 0]


def test_dummies_have_no_empire_and_no_score() -> None:
    """000 p. 2."""
    table = Table(1).finish_round().finish_round()
    assert [table.has(what, seat) for what in ("n_colonies", "chips", "n_devs") for seat in (1, 2)] == [0] * 6


@pytest.mark.parametrize(("before", "gain"), [(0, 0), (1, 1), (2, 1)])
def test_choosing_envoys_as_second_or_third_gives_the_player_a_credit(before: int, gain: int) -> None:
    """000 p. 2."""
    table = Table(1)
    table.order(*[1, 2][:before], 0, *[1, 2][before:])
    for action in ("develop", "settle")[:before]:
        table.select(action).finish_action()
    had = table.has("credits")
    table.select("envoys")
    assert table.has("credits") - had == gain


def test_every_round_has_three_selections() -> None:
    """000 p. 2: one by the player, one by each dummy."""
    table = Table(1)
    for _ in range(3):
        table.finish_round()
    assert [len(round_) for round_ in table.game.selections] == [3, 3, 3]
    assert all({seat for seat, _, _ in round_} == {0, 1, 2} for round_ in table.game.selections)


@pytest.mark.parametrize("rounds", [10, 12])
def test_the_game_lasts_ten_or_twelve_rounds(rounds: int) -> None:
    """000 p. 2; played so that no other end comes."""
    table = Table(1, rounds=rounds)
    table.state.supply_vp = table.state.supply_colonists = 500
    table.quietly_until(lambda now: False)
    assert int(table.state.round_no) == rounds
