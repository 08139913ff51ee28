"""What a person sees of a position, and what not; tiles explained in words."""

from typing import Any

import lab_tiles
import pytest
from lab import Table

from nfsim.cli import table
from nfsim.contract.view import Row
from nfsim.errors import BadInput
from nfsim.games.new_frontiers import board, explain
from nfsim.games.new_frontiers.codes import Effect
from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.state import Step
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.tiles.grammar import parse_power
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.games.new_frontiers.view import SeatView


def prepared(**setup: Any) -> Prepared:
    return prepare(read_settings({"setup": setup}, "test"))


def text(found: list[Row]) -> str:
    return "\n".join(f"{row.label} {', '.join(row.items)}" for row in found)


def charted(players: int = 3) -> Game:
    """A game in which another seat than 0 has a face-down goal, and seat 0 decides."""
    for number in range(50):
        game = Game.new(prepared(players=players), 1, number)
        while not game.finished:
            if game.decision[0] == 0 and any(goal >= 0 for goal in game.state.goal_down[1:players]):
                return game
            game.choose(game.suggest())
    raise AssertionError("nobody drew goals")


def test_nothing_shown_depends_on_what_is_hidden() -> None:
    game = charted()
    before = (SeatView(game, 0).position(), SeatView(game, 0).options(), SeatView(game, 0).supply())
    state = game.state
    other = next(seat for seat in (1, 2) if state.goal_down[seat] >= 0)
    hidden, top = int(state.goal_down[other]), int(state.goal_deck[0])
    state.goal_down[other], state.goal_deck[0] = top, hidden  # another goal, another stack, another bag
    state.goal_where[top], state.goal_by[top] = 1, other
    state.goal_where[hidden], state.goal_by[hidden] = 0, -1
    state.goal_deck[: state.goal_deck_n] = state.goal_deck[: state.goal_deck_n][::-1].copy()
    state.bag[: state.bag_n] = state.bag[: state.bag_n][::-1].copy()
    assert before == (SeatView(game, 0).position(), SeatView(game, 0).options(), SeatView(game, 0).supply())
    assert f"one face down of seat {other}" in text(before[0])


def test_a_seat_sees_its_own_face_down_goal_and_the_others_do_not() -> None:
    table = Table(players=2)
    table.goal_up("Industry", by=1)
    assert "Industry" not in text(SeatView(table.game, 0).position())
    assert "Industry" in text(SeatView(table.game, 1).position())


def test_vps_so_far_leave_out_goals_that_the_seat_cannot_see() -> None:
    table = Table(players=2, tiles=[lab_tiles.goal("Own a home", "colony", "1:4")])
    before = [int(board.seen_by(table.prepared, table.state, 0).score[seat, 0]) for seat in (0, 1)]
    table.goal_up("Own a home", by=1)
    assert [int(board.seen_by(table.prepared, table.state, 0).score[seat, 0]) for seat in (0, 1)] == before
    assert [int(board.seen_by(table.prepared, table.state, 1).score[seat, 0]) for seat in (0, 1)] == [
        vps + 4 for vps in before
    ]


def test_goals_are_shown_face_up_when_the_game_is_over() -> None:
    table = Table(players=2)
    table.goal_up("Industry", by=1)
    view = SeatView(table.game, 1)
    assert "face down" in text(view.position())
    assert "Industry (face down)" in table.game.describe()
    table.state.step = Step.OVER
    assert "face down" not in text(view.position())
    assert "Industry (face up)" in table.game.describe()


def test_looking_changes_nothing_of_the_game() -> None:
    game = charted()
    before = game.state.tobytes()
    view = SeatView(game, 0)
    text(view.position() + view.supply())
    view.options()
    assert game.state.tobytes() == before


def test_of_another_seats_goals_only_their_number_is_told() -> None:
    seen = 0
    for number in range(20):
        game = Game.new(prepared(players=3), 1, number)
        view, goals = SeatView(game, 0), set(game.prepared.names.goal) - {""}
        while not game.finished:
            seat, decision = game.decision
            choice = game.suggest()
            told = view.told(choice)
            drawn = {name for kind, name in game.draws() if kind == "goal"}
            if seat != 0 and decision.name in ("KEEP_GOAL", "RETURN_GOAL"):
                seen += 1
                assert not [goal for goal in goals if goal in told]
            game.choose(choice)
            drawn = {name for kind, name in game.draws() if kind == "goal"}
            lines = view.news()
            if drawn and game.decision[0] != 0:
                seen += 1
                assert not [goal for goal in drawn for line in lines if str(goal) in line]
        if seen > 10:
            return
    pytest.fail("goals were hardly drawn")


def test_a_goal_that_another_seat_turns_up_has_been_revealed() -> None:
    table = Table(players=2)
    table.goal_up("Industry", by=1)
    table.state.goal_deck_n = 0  # so that nothing is drawn (R30)
    table.order(1, 0)
    view = SeatView(table.game, 0)
    choice = table.options.index(("action", "chart"))
    view.told(choice)
    table.game.choose(choice)
    assert table.game.draws() == []
    assert view.revealed() == "another seat's goal was turned up"
    assert "Industry" in text(view.position())


def test_explored_worlds_say_what_they_still_need() -> None:
    worlds = [lab_tiles.world("Dear", cost=5, colonists=2), lab_tiles.world("Strong", defense=4)]
    table = Table(players=2, tiles=worlds)
    table.give(0, credits=3, colonists=1)
    table.explored(0, "Dear", "Strong")
    shown = text(SeatView(table.game, 0).position())
    assert "Dear (5 credits, 2 colonists; lacks 1 colonist, 2 credits)" in shown
    assert "Strong (defense 4, 1 colonist; lacks 4 Military)" in shown
    table.give(0, credits=5, colonists=2)
    assert "Dear (5 credits, 2 colonists; ready)" in text(SeatView(table.game, 0).position())


def test_a_good_is_told_from_a_place_for_one() -> None:
    table = Table(players=2, tiles=[lab_tiles.producer("Full", "rare"), lab_tiles.producer("Empty", "rare")])
    table.colony(0, "Full", good=True)
    table.colony(0, "Empty")
    shown = text(SeatView(table.game, 0).position())
    assert "Full [rare]" in shown
    assert "Empty (rare)" in shown


@pytest.mark.parametrize("rounds", [10, 12])
def test_a_solo_position_fits_on_30_lines_of_100_columns(rounds: int) -> None:
    game = Game.new(prepared(players=1, rounds=rounds), 1, 0)
    view = SeatView(game, 0)
    while not game.finished:
        lines = [label + line for row in view.position() for label, line in table.lay_out(row, 100)]
        assert len(lines) <= 30
        assert max(map(len, lines)) <= 100
        game.choose(game.suggest())


def test_items_are_broken_only_where_they_are_longer_than_a_line() -> None:
    row = Row("label", ("one two", "three four", "a b " * 12))
    lines = [line for _, line in table.lay_out(row, 40)]
    assert lines[0] == "one two, three four,"
    assert max(map(len, lines)) <= 40 - table.LABELS
    assert " ".join(" ".join(lines).split()) == "one two, three four, " + ("a b " * 12).strip()


def test_options_keep_their_numbers_in_columns() -> None:
    lines = table.in_columns([f"option {number}" for number in range(20)], 100)
    found = " ".join(lines)
    assert len(lines) < 20
    assert all(f"{number}  option {number}" in found for number in range(20))
    assert max(map(len, lines)) <= 100


def test_every_power_and_scoring_line_of_the_set_reads_as_words() -> None:
    powers = [power for record in TileSet.built_in() for power in getattr(record, "powers", ())]
    lines = [line for record in TileSet.built_in() for line in getattr(record, "scoring", ())]
    texts = [*map(explain.power, powers), *map(explain.scoring, lines)]
    assert powers
    assert lines
    assert not [text for text in texts if set(text) & set("_{}=") or "  " in text]
    assert set(explain.SENTENCES) == set(Effect)


@pytest.mark.parametrize(
    ("power", "words"),
    [
        ("settle.military(rebel) 2", "Settle: Military +2 against REBEL worlds"),
        ("consume.goods(rare) 1 vp=2 times=2", "Consume: 1 rare good for 2 VP, up to 2 times"),
        ("develop.discount(nine_cost) 1", "Develop: 9-cost developments cost you 1 credit less"),
        ("settle.temp_military 3 credits=2", "Settle: once an action spend 2 credits for Military +3 in it"),
        ("settle.pay_military(alien_good) 0", "Settle: alien military worlds except XENO may be paid for: defense in "
                                              "credits"),
        ("produce.credits_per(rebel_military) 1", "Produce: gain 1 credit for each of your rebel military"),
    ],
)  # fmt: skip
def test_a_power_reads_as_people_say_it(power: str, words: str) -> None:
    assert explain.power(parse_power(power)) == words


def test_a_tile_is_explained_with_costs_powers_scoring_and_status() -> None:
    solo = prepared(players=1)
    gem = text(explain.explain(solo, "Gem World"))
    assert "costs 2 credits" in gem
    assert "production, novelty goods" in gem
    assert "reconstructed" in gem
    large = next(record for record in TileSet.built_in().developments if record.group == "large" and record.scoring)
    shown = text(explain.explain(solo, large.name))
    assert "9-cost development" in shown
    assert all(explain.scoring(line) in shown for line in large.scoring)


def test_every_name_of_the_set_can_be_explained() -> None:
    solo = prepared(players=1)
    for record in TileSet.built_in():
        if record.holds(solo.rulings):
            assert record.name in text(explain.explain(solo, record.name))


def test_a_part_of_a_name_will_do_unless_several_have_it() -> None:
    solo = prepared(players=1)
    assert "Gem World" in text(explain.explain(solo, "gem wor"))
    with pytest.raises(BadInput, match=r"may be .*write more of the name"):
        explain.explain(solo, "xeno")
    with pytest.raises(BadInput, match="did you mean"):
        explain.explain(solo, "Gem Wrold")


def test_every_option_names_what_can_be_explained() -> None:
    game = Game.new(prepared(players=1, rounds=6), 3, 0)
    view = SeatView(game, 0)
    while not game.finished:
        assert len(view.options()) == len(game.options)
        for choice in range(len(game.options)):
            for name in view.tiles(choice):
                assert view.explain(name)
        game.choose(game.suggest())
