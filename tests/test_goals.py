"""What goals in play give, and to whom (001; 000 p. 4)."""

import pytest
from lab import Table
from lab_tiles import Tile, goal

LADDER = goal("Ladder", "chips_held", "3:2 5:5 7+:8")


def with_chips(amount: int, where: int, *tiles: Tile, rules: dict[str, str] | None = None) -> Table:
    """Seat 0 with chips, and the goal face up (0), face down before a seat (1 + seat), or not in play (-1)."""
    table = Table(2, [LADDER, *tiles], rules=rules)
    table.give(0, chips=amount)
    if where >= 0:
        table.goal_up("Ladder", by=where - 1)
    return table


@pytest.mark.parametrize(("chips", "vps"), [(2, 0), (3, 2), (4, 2), (5, 5), (6, 5), (7, 8), (9, 8)])
def test_the_highest_step_reached_scores(chips: int, vps: int) -> None:
    """R14 minimum."""
    assert with_chips(chips, 0).score()["goals"] == vps


@pytest.mark.parametrize(("chips", "vps"), [(2, 0), (3, 2), (4, 0), (5, 5), (6, 0), (7, 8), (9, 8)])
def test_under_the_other_reading_only_a_step_with_a_plus_is_a_minimum(chips: int, vps: int) -> None:
    """R14 exact."""
    assert with_chips(chips, 0, rules={"goal_steps": "exact"}).score()["goals"] == vps


@pytest.mark.parametrize("where", [0, 1, 2], ids=["face up", "own face down", "another's face down"])
def test_every_goal_in_play_scores_for_every_player_who_meets_it(where: int) -> None:
    """001: at the end face-down ones are turned up."""
    assert with_chips(5, where).score()["goals"] == 5


def test_a_goal_in_the_stack_scores_for_nobody() -> None:
    """001."""
    assert with_chips(5, -1).score()["goals"] == 0


@pytest.mark.parametrize(
    ("name", "kind", "amount", "vps"),
    [("Exploration", "worlds", 3, 5), ("Colonial Reserves", "colonists", 4, 5), ("Galactic Treasury", "credits", 6, 5),
     ("Contented Citizens", "chips", 5, 5 + 5)],
)  # fmt: skip
def test_a_stockpile_goal_scores_what_was_stockpiled_for_it(name: str, kind: str, amount: int, vps: int) -> None:
    """001; 000 p. 4: stockpiled chips score besides."""
    table = Table(2)
    table.goal_up(name)
    table.state.stockpile[0, ["worlds", "colonists", "credits", "chips"].index(kind)] = amount
    assert table.score()["total"] == vps


def test_consumer_economy_does_not_count_stockpiled_chips() -> None:
    """000 p. 4."""
    table = Table(2)
    table.goal_up("Consumer Economy")
    table.give(0, chips=6)
    table.state.stockpile[0, 3] = 6
    assert table.score()["goals"] == 0
