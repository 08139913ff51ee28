"""Thousands of random games in every configuration of the rules, counted anew after each round.

`make soak` plays a million in each, bounds-checked (tests/soak/rules_soak.py).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from soak.rules_soak import Checker, configurations

from nfsim.compiled.jit import JIT_ENABLED
from nfsim.games.new_frontiers.codes import Option
from nfsim.games.new_frontiers.game import Game

GAMES = 2_000 if JIT_ENABLED else 2
CONFIGURATIONS = configurations(("seed", "table"))
FOUR = CONFIGURATIONS["4 players, Rift, goals"]


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_no_rule_is_broken_in_thousands_of_random_games(name: str) -> None:
    tally = Checker(CONFIGURATIONS[name]).play(0, GAMES if name in configurations() else GAMES // 2)
    assert tally.first == {}
    assert tally.decisions > 20 * tally.games


def change(field: str, by: int, *place: int) -> Callable[[Any], None]:
    """A position in which a field is off."""

    def spoil(state: Any) -> None:
        if place:
            state[field][place] += by
        else:
            state[field] += by

    return spoil


def put(field: str, value: int, *place: int) -> Callable[[Any], None]:
    """A position in which a field is something."""

    def spoil(state: Any) -> None:
        if place:
            state[field][place] = value
        else:
            state[field] = value

    return spoil


SPOILED = {
    "a game that stopped for no reason": ("status", put("end_mask", 0)),
    "a total that is one too high": ("score_sum", change("score", 1, 0, 0)),
    "chips that are scored twice": ("score_parts", change("score", 3, 1, 1)),
    "a colonist that vanished": ("colonists", change("colonists", -1, 2)),
    "a chip made from nothing": ("chips", change("supply_vp", 1)),
    "a world lost from the bag": ("worlds", change("bag_n", -1)),
    "a development sold twice": ("developments", change("stack_left", 1, 0)),
    "a goal that is in the stack and in play": ("goals", put("goal_where", 1, slice(None))),
    "a debt": ("negative", put("credits", -1, 3)),
    "a full row of explored worlds": ("world_limit", put("n_explored", 16, 0)),
    "a list that is full": ("capacity", put("n_specials", 48, 0)),
    "a count that is off": ("counts", change("counts", 1, 1, 12)),
    "a power that works twice": ("sums", change("sums", 1, 0, 4)),
    "too much Military": ("military", change("military", 1, 2)),
    "two disks on one space": ("track", put("space", 1, slice(0, 2))),
    "an action selected twice": ("selections", put("turn_action", 0, slice(0, 2))),
    "two goods on one colony": ("goods", put("colony_good", 2, 0, 0)),
}


@pytest.mark.parametrize("what", SPOILED)
def test_the_check_finds(what: str) -> None:
    broken, spoil = SPOILED[what]
    checker = Checker(FOUR)
    checker.play(7, 1)
    assert checker.look_again() == set()
    spoil(checker.state)
    assert broken in checker.look_again()


def first_selection() -> tuple[Checker, Game]:
    """A game in which the first seat is about to select an action."""
    checker = Checker(FOUR)
    game = Game.new(checker.prepared, 1, 0, ["uniform"])
    while int(game.state.round_no) < 1:
        game.choose(0)
    assert checker.look_at_options(game.state, game.shown_options) == set()
    return checker, game


def test_the_check_finds_an_option_offered_twice() -> None:
    checker, game = first_selection()
    game.shown_options.a[1] = game.shown_options.a[0]
    assert checker.look_at_options(game.state, game.shown_options) == {"option_twice"}


def test_the_check_finds_an_action_offered_that_is_taken() -> None:
    checker, game = first_selection()
    game.state.taken[game.shown_options.a[0]] = 1
    assert checker.look_at_options(game.state, game.shown_options) == {"option_illegal"}


def test_the_check_finds_a_decision_without_a_choice() -> None:
    checker, game = first_selection()
    game.shown_options.count = 1
    assert checker.look_at_options(game.state, game.shown_options) == {"option_count"}


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [(Option.KEEP, 0, 0), (Option.CONQUER, 15, 0), (Option.PAY, 0, 99), (Option.SELL_GOOD, 5, 3), (Option.FEED, 0, 9),
     (Option.AMOUNT, 3, 2), (Option.USE_CREDITS, 0, 99), (Option.TAKE, 31, 0)],
)  # fmt: skip
def test_the_check_finds_an_option_that_cannot_be(kind: Option, a: int, b: int) -> None:
    checker, game = first_selection()
    options = game.shown_options
    options.kind[0], options.a[0], options.b[0] = int(kind), a, b
    assert checker.look_at_options(game.state, options) == {"option_illegal"}


def test_an_index_outside_an_array_is_counted_and_named() -> None:
    checker = Checker(FOUR)

    def fail(*_: object) -> None:
        checker.done[3] = 17
        raise IndexError("index is out of bounds")

    checker._checks = type("Failing", (), {"play_checked": staticmethod(fail)})
    tally = checker.play(0, 10)
    assert tally.broken == {"error": 1}
    assert "game 17" in tally.first["error"]
    assert tally.games == 0
    assert np.all(checker.found == 0)
