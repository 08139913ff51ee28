"""When a game ends, and what it is worth to whom (rules section 4)."""

import pytest
from lab import Table
from lab_tiles import development, producer, windfall, world, xeno

from nfsim.compiled.jit import int64
from nfsim.compiled.status import Status
from nfsim.engine.records import new_record
from nfsim.games.new_frontiers import rows, scoring
from nfsim.games.new_frontiers.codes import EndReason
from nfsim.games.new_frontiers.columns import ROW_DTYPES
from nfsim.games.new_frontiers.layout import STATE
from nfsim.games.new_frontiers.supply import gain_chips

ROCK = world("Rock", copies=20)
SHEDS = [development(f"Shed {n}") for n in range(10)]


def mask(*reasons: EndReason) -> int:
    """The trigger mask of these reasons."""
    return sum(1 << reason for reason in reasons)


def ended(table: Table) -> int:
    """Play the round to its end; the trigger mask, 0 if the game goes on."""
    table.select("envoys").finish_round()
    assert table.game.finished == (int(table.state.end_mask) > 0)
    return int(table.state.end_mask)


# --- the ends of the game


@pytest.mark.parametrize(("colonies", "expected"), [(6, 0), (7, mask(EndReason.COLONIES))])
def test_the_eighth_colony_ends_the_game_home_included(colonies: int, expected: int) -> None:
    """001."""
    table = Table(2, [ROCK])
    for _ in range(colonies):
        table.colony(1, "Rock")
    assert ended(table) == expected


@pytest.mark.parametrize(("tiles", "expected"), [(9, 0), (10, mask(EndReason.DEVELOPMENTS))])
def test_the_tenth_development_ends_the_game(tiles: int, expected: int) -> None:
    """001; R3."""
    table = Table(2, SHEDS)
    table.developed(1, *[f"Shed {n}" for n in range(tiles)])
    assert ended(table) == expected


@pytest.mark.parametrize(("left", "expected"), [(2, 0), (1, mask(EndReason.VP_CHIPS))])
def test_the_last_vp_chip_ends_the_game(left: int, expected: int) -> None:
    """001; Envoys takes one."""
    table = Table(2)
    table.state.supply_vp = left
    assert ended(table) == expected


@pytest.mark.parametrize(("left", "expected"), [(5, 0), (4, mask(EndReason.COLONISTS))])
def test_four_colonists_left_end_the_game(left: int, expected: int) -> None:
    """001; R2."""
    table = Table(2)
    table.state.supply_colonists = left
    assert ended(table) == expected


def test_the_round_is_played_to_its_end() -> None:
    """001: it is the last round."""
    table = Table(3)
    table.state.supply_vp = 1
    table.select("envoys")
    assert (table.kind, table.seat) == ("select_action", 1)


@pytest.mark.parametrize(("players", "status"), [(1, Status.FINISHED), (2, Status.ROUND_LIMIT)])
def test_the_round_limit_is_a_regular_end_in_solo_only(players: int, status: Status) -> None:
    """000 p. 2; with others it is only a guard."""
    table = Table(players, rounds=1)
    assert ended(table) == mask(EndReason.ROUND_LIMIT)
    assert int(table.state.status) == status


def several() -> Table:
    """A round in which three conditions come true."""
    table = Table(1, SHEDS, rounds=1)
    table.state.supply_vp = 1
    table.developed(0, *[f"Shed {n}" for n in range(10)])
    return table


def test_all_conditions_that_hold_are_in_the_mask() -> None:
    """Column `triggers`."""
    assert ended(several()) == mask(EndReason.DEVELOPMENTS, EndReason.VP_CHIPS, EndReason.ROUND_LIMIT)


def test_the_reason_is_the_first_of_those_that_hold() -> None:
    """Column `end_reason`: colonies, developments, VP chips, colonists, round limit."""
    table = several()
    ended(table)
    found = new_record(ROW_DTYPES["games"])
    rows.write_game(table.state, 0, found, 0)
    assert int(found[0].end_reason) == EndReason.DEVELOPMENTS


# --- parts of the score


def parts(table: Table, **expected: int) -> None:
    """Compare parts of seat 0's score that are not 0, and their sum with the total."""
    found = {name: value for name, value in table.score().items() if value and name != "total"}
    assert found == expected
    assert table.score()["total"] == sum(expected.values())


def test_chips_held_and_stockpiled_score() -> None:
    """000 p. 4: stockpiled VP chips, which score."""
    table = Table(2)
    table.give(0, chips=3)
    table.state.stockpile[0] = [9, 9, 9, 2]
    parts(table, chips=5)


def test_colonies_score_their_vps_home_included() -> None:
    """001."""
    table = Table(2, [world("Gem", vp=3)], homes={0: {"vp": 2}})
    table.colony(0, "Gem")
    parts(table, worlds=5)


def test_a_vp_may_be_negative() -> None:
    """Printed VPs as they are."""
    table = Table(2, [world("Slag", vp=-1)])
    table.colony(0, "Slag")
    parts(table, worlds=-1)


def test_explored_worlds_score_nothing() -> None:
    """001."""
    table = Table(2, [world("Gem", vp=3)])
    table.explored(0, "Gem")
    parts(table)


def test_worlds_with_variable_vps_count_among_the_worlds() -> None:
    """000 p. 3: '?' bonuses."""
    table = Table(
        2, [world("Seat", scoring=["1 per imperium"]), world("Fort", defense=1, keywords=["imperium"], copies=2)]
    )
    for name in ("Seat", "Fort", "Fort"):
        table.colony(0, name)
    parts(table, worlds=2)


def test_printed_and_scored_vps_of_a_nine_cost_development_are_two_parts() -> None:
    """P: 9-cost developments score."""
    tower = development("Tower", 9, group="large", stack="ZZ", vp=1, scoring=["2 per military", "1 per nine_cost"])
    table = Table(2, [tower, world("Fort", defense=1, copies=2)])
    table.developed(0, "Tower")
    table.colony(0, "Fort")
    parts(table, developments=1, nine_cost=3)


def test_a_scoring_line_may_have_a_limit() -> None:
    """Grammar: max."""
    table = Table(2, [development("Tower", 9, group="large", stack="ZZ", scoring=["2 per military max 3"]),
                      world("Fort", defense=1, copies=2)])  # fmt: skip
    table.developed(0, "Tower")
    table.colony(0, "Fort")
    table.colony(0, "Fort")
    parts(table, nine_cost=3)


def test_a_placed_xeno_world_not_conquered_costs_its_penalty() -> None:
    """000 p. 1."""
    table = Table(2, [xeno("Nest", 3, -6), xeno("Hive", 3, -3)])
    table.explored(0, "Nest", "Hive")
    parts(table, penalty=-9)


def test_a_conquered_xeno_world_costs_nothing() -> None:
    """000 p. 1."""
    table = Table(2, [xeno("Nest", 3, -6, vp=4)])
    table.colony(0, "Nest")
    parts(table, worlds=4)


# --- rank


def tied(credits_: tuple[int, int], goods: tuple[int, int]) -> tuple[int, int]:
    """Ranks of two seats with equal VPs."""
    table = Table(2, [windfall("Lode", "genes", copies=4), producer("Mine", "rare")])
    for seat in (0, 1):
        table.give(seat, credits=credits_[seat])
        for n in range(2):
            table.colony(seat, "Lode", good=n < goods[seat])
        table.score(seat)
    return scoring.rank(table.tables, table.state, 0), scoring.rank(table.tables, table.state, 1)


@pytest.mark.parametrize(
    ("credits_", "goods", "ranks"),
    [((3, 2), (0, 0), (1, 2)), ((2, 2), (0, 1), (2, 1)), ((3, 2), (0, 2), (2, 1)), ((3, 2), (0, 1), (1, 1))],
)
def test_a_tie_goes_to_the_most_credits_and_goods_together(
    credits_: tuple[int, int], goods: tuple[int, int], ranks: tuple[int, int]
) -> None:
    """001; an unbroken tie is shared."""
    assert tied(credits_, goods) == ranks


def test_more_vps_rank_first_whatever_the_credits() -> None:
    """001."""
    table = Table(2)
    table.give(0, chips=1, credits=0)
    table.give(1, credits=30)
    table.score(0), table.score(1)
    assert scoring.rank(table.tables, table.state, 0) == 1


def test_chips_never_run_dry_and_what_the_supply_lacks_comes_from_a_reserve():
    """001: VP chips are not limited; they are counted, so that none is made or lost."""
    state = new_record(STATE)[0]
    state.supply_vp = 3
    gain_chips(state, int64(1), int64(5))
    assert (state.chips[1], state.supply_vp, state.reserve_vp) == (5, 0, 2)
    gain_chips(state, int64(0), int64(1))
    assert (state.chips[0], state.supply_vp, state.reserve_vp) == (1, 0, 3)
