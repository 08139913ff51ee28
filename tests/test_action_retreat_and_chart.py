"""Both sides of the Isolation tile: Retreat into Isolation, and with goals Chart Galactic Goals (001; 000 p. 1-2)."""

import pytest
from lab import Table


def deck(table: Table) -> list[str]:
    """Goals in the stack, from the top."""
    return [table.prepared.names.goal[int(goal)] for goal in table.state.goal_deck[: table.state.goal_deck_n]]


def in_play(table: Table) -> dict[str, int]:
    """Goals in play: 1 face down, 2 face up."""
    names = table.prepared.names.goal
    return {names[n]: int(where) for n, where in enumerate(table.state.goal_where[: len(names)]) if where}


def charted(table: Table) -> str:
    """Chart and keep the first goal drawn, return the others as they come; its name."""
    kept = str(table.select("chart").options[0][1])
    table.pick("goal", kept).finish_action()
    return kept


def test_without_goals_the_tile_shows_retreat_and_not_chart() -> None:
    """001."""
    options = Table(2, goals=False).options
    assert (("action", "retreat") in options, ("action", "chart") in options) == (True, False)


def test_with_goals_the_tile_shows_chart_and_not_retreat() -> None:
    """001."""
    options = Table(2).options
    assert (("action", "retreat") in options, ("action", "chart") in options) == (False, True)


def test_retreat_gives_the_selector_two_credits_and_nobody_an_action() -> None:
    """001."""
    table = Table(2, goals=False)
    before = table.has("credits", 0), table.has("credits", 1)
    table.select("retreat")
    assert (table.has("credits", 0) - before[0], table.has("credits", 1) - before[1]) == (2, 0)
    assert (table.kind, table.seat) == ("select_action", 1)


def test_chart_gives_the_selector_one_credit() -> None:
    """001."""
    table = Table(2)
    before = table.has("credits")
    assert table.select("chart").has("credits") - before == 1


def test_chart_moves_the_selector_up_one_place() -> None:
    """001."""
    table = Table(3).select("develop").finish_action().select("settle").finish_action().select("chart")
    assert table.track() == [0, 2, 1]


def test_who_is_first_cannot_move_up() -> None:
    """001."""
    assert Table(3).select("chart").track() == [0, 1, 2]


@pytest.mark.parametrize(("expansion", "drawn"), [("base", 3), ("starry_rift", 5)])
def test_three_goals_are_drawn_and_five_with_the_rift(expansion: str, drawn: int) -> None:
    """001; 000 p. 1."""
    table = Table(2, expansion=expansion)
    top = deck(table)[:drawn]
    assert table.select("chart").options == [("goal", name) for name in top]


def test_one_goal_is_kept_face_down() -> None:
    """001."""
    table = Table(2)
    assert in_play(table) == {}
    kept = charted(table)
    assert in_play(table) == {kept: 1}
    assert int(table.state.goal_by[table.goal(kept)]) == 0


def test_the_others_go_to_the_bottom_in_the_order_chosen() -> None:
    """001: in any order."""
    table = Table(2, expansion="base")
    below = deck(table)[3:]
    first, kept, last = (str(name) for _, name in table.select("chart").options)
    table.pick("goal", kept)
    assert table.kind == "return_goal"
    table.pick("goal", last)
    assert deck(table) == [*below, last, first]


def test_an_earlier_face_down_goal_is_turned_up() -> None:
    """001."""
    table = Table(2)
    first = charted(table)
    table.finish_round().quietly_until(lambda now: now.kind == "select_action" and now.seat == 0)
    second = charted(table)
    assert (in_play(table)[first], in_play(table)[second]) == (2, 1)


def test_another_players_face_down_goal_stays_down() -> None:
    """001: yours."""
    table = Table(2)
    table.goal_up("Colonies", by=1)
    charted(table)
    assert in_play(table)["Colonies"] == 1


def test_from_a_short_stack_what_is_left_is_drawn() -> None:
    """001: fewer left."""
    table = Table(2)
    table.state.goal_deck_n = 2
    assert len(table.select("chart").options) == 2


def test_with_an_empty_stack_the_earlier_goal_is_turned_up_all_the_same() -> None:
    """001: fewer left; nothing is kept."""
    table = Table(2)
    table.goal_up("Colonies", by=0)
    table.state.goal_deck_n = 0
    table.select("chart")
    assert (in_play(table), int(table.state.goal_down[0])) == ({"Colonies": 2}, -1)


def test_a_dummy_moves_up_and_draws_no_goals() -> None:
    """000 p. 2."""
    table = Table(1).select("envoys").finish_action().select("develop").finish_action()
    before = deck(table), table.has("credits")
    table.select("chart")
    assert (deck(table), table.has("credits")) == before
    assert table.track() == [0, 2, 1]
