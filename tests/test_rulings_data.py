"""Readings of rulings that choose tiles, numbers and how the manual's table is counted."""

from itertools import pairwise

import pytest
from lab import Table
from lab_tiles import both, development, prepared

from nfsim.games.new_frontiers.codes import Class, Measure
from nfsim.games.new_frontiers.rulings import RULINGS
from nfsim.games.new_frontiers.tiles.manual import differences


def test_r1_the_supply_may_have_twelve_colonists_a_player() -> None:
    found = [[int(prepared(rules, players=n).tables[0].supply_colonists) for n in (1, 2, 3, 4, 5)]
             for rules in both("colonist_supply")]  # fmt: skip
    assert found == [[24, 24, 34, 44, 54], [24, 24, 36, 48, 60]]


def test_r10_six_xeno_worlds_may_show_minus_three() -> None:
    found = []
    for rules in both("penalty_counts"):
        tables = prepared(rules, players=2).tables[0]
        found.append(sorted(int(penalty) for penalty in tables.penalty if penalty))
    assert found == [[-8, -8, -6, -6, -3, -3, -3, -3], [-8, -6, -3, -3, -3, -3, -3, -3]]


def kinds(name: str, rules: dict[str, str]) -> set[str]:
    """As what a tile is in play: world, home, development."""
    tables, names = prepared(rules, players=2).tables[0], prepared(rules, players=2).names.tile
    return {("world", "home", "development")[tables.kind[tile]] for tile, found in enumerate(names) if found == name}


def test_r11_galactic_trendsetters_may_be_a_development() -> None:
    assert [kinds("Galactic Trendsetters", rules) for rules in both("trendsetters")] == [{"world"}, {"development"}]


@pytest.mark.parametrize("rules", both("trendsetters"))
def test_r11_the_bag_has_seventy_three_worlds_either_way(rules: dict[str, str]) -> None:
    assert int(prepared(rules, players=2).tables[0].copies.sum()) == 73


@pytest.mark.parametrize("name", ["Uplift Researchers", "Rebel Cantina"])
def test_r12_two_tiles_may_be_developments_instead_of_homes(name: str) -> None:
    assert [kinds(name, rules) for rules in both("pay_homes")] == [{"home"}, {"development"}]


@pytest.mark.parametrize("rules", both("pay_homes"))
def test_r12_there_are_sixteen_two_sided_mats_either_way(rules: dict[str, str]) -> None:
    assert len(prepared(rules, players=2).names.mat) == 16


def test_r13_the_fifth_keyword_may_not_exist() -> None:
    found = []
    for rules in both("fifth_keyword"):
        table = Table(2, [development("Robots", 1, keywords=["terraforming"])], rules)
        table.developed(0, "Robots")
        found.append(int(table.state.counts[0, Class.TERRAFORMING]))
    assert found == [1, 0]


def test_r18_satisfied_populace_may_require_colonies() -> None:
    found = []
    for rules in both("satisfied_populace"):
        tables, names = prepared(rules, players=1).tables[0], prepared(rules, players=1).names.condition
        place = names.index("Satisfied Populace")
        found.append((int(tables.condition_measure[place, 0]), int(tables.condition_need[place, 0])))
    assert found == [(Class.COLONY, 7), (Measure.CHIPS_ALL, 12)]


@pytest.mark.parametrize("switch", ["table_keywords", "rare_good_world"])
def test_r19_r20_are_about_how_the_manuals_table_counts(switch: str) -> None:
    found = []
    for rules in both(switch):
        made = prepared(rules, players=2)
        found.append((bool(differences(made.tile_set, made.rulings)), made.tables[0].mask.tolist()))
    (_, one), (_, other) = found
    assert [differs for differs, _ in found] == [False, True]
    assert one == other


def test_r25_the_rifts_developments_may_have_one_side() -> None:
    found = []
    for choice in ("two_sided", "one_sided", "large_one_sided"):
        made = prepared({"rift_stacks": choice}, players=2)
        rift = [tile for tile in made.tile_set.developments if tile.rift and tile.name in made.names.tile]
        found.append((sum(tile.group == "small" for tile in rift), sum(tile.group == "large" for tile in rift)))
    assert found == [(8, 4), (4, 2), (8, 2)]


def test_the_rulings_are_numbered_without_gaps() -> None:
    assert all(after.number - before.number == 1 for before, after in pairwise(RULINGS))
    assert [RULINGS[0].cite, RULINGS[-1].cite] == ["R1", "R32"]
