"""Levers on the bag: the tables that come out, recounted from what the engine is given."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from play_some import rows

from nfsim.contract.catalogue import Turned
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.codes import Good
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.tiles.levers import CHIPS, LEVERS, cost, off_offer, patches_for
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

GOODS = {"novelty": Good.NOVELTY, "rare": Good.RARE, "genes": Good.GENES, "alien": Good.ALIEN}
SHARES = ("military", *GOODS)
USUAL = [(lever, value) for lever, each in LEVERS.items() for value in each.usual]


def prepared(patches: list[dict[str, Any]], **setup: Any) -> Prepared:
    return prepare(read_settings({"setup": setup, "patch": patches}, "test"), "test")


class Bag:
    """The worlds of a bag as the engine's tables have them, one entry a copy; axis world."""

    def __init__(self, patches: list[dict[str, Any]]) -> None:
        game = prepared(patches)
        copies = np.where(game.tables.kind[0] == 0, game.tables.copies[0], 0)
        ids = np.repeat(np.arange(len(copies)), copies)
        self.names = [game.names.tile[tile] for tile in ids]
        self.military = game.tables.military[0][ids] == 1
        self.good = game.tables.good[0][ids]
        self.penalty = game.tables.penalty[0][ids]

    def percent(self, lever: str) -> float:
        fits = self.military if lever == "military" else self.good == GOODS[lever]
        return 100 * float(fits.mean())


def set_to(lever: str, value: float, seed: int = 1) -> tuple[Turned, Bag]:
    found = patches_for(TileSet.built_in(), lever, value, seed)
    return found, Bag(found.patches)


@pytest.mark.parametrize("number", range(11))
def test_so_many_xeno_worlds_lie_in_the_bag(number: int) -> None:
    found, bag = set_to("xeno", number)
    assert found.reached == (bag.penalty < 0).sum() == number
    assert len(bag.names) == 73
    assert bag.military.sum() == Bag([]).military.sum()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("number", range(9))
def test_the_mix_of_penalties_stays_as_near_as_whole_worlds_allow(number: int, seed: int) -> None:
    shown = Counter(set_to("xeno", number, seed)[1].penalty.tolist())
    for penalty, printed in {-3: 4, -6: 2, -8: 2}.items():
        assert abs(shown[penalty] - printed * number / 8) < 1


@pytest.mark.parametrize("number", [9, 10])
def test_no_more_worlds_show_a_penalty_than_there_are_chips(number: int) -> None:
    shown = Counter(set_to("xeno", number)[1].penalty.tolist())
    assert all(shown[penalty] <= chips for penalty, chips in CHIPS.items())


@pytest.mark.parametrize("lever", SHARES)
@pytest.mark.parametrize("percent", [15, 25.5, 40, 60])
def test_a_share_is_as_near_as_whole_worlds_allow_and_the_number_of_worlds_stays(lever: str, percent: float) -> None:
    found, bag = set_to(lever, percent)
    assert len(bag.names) == 73
    assert found.reached == pytest.approx(bag.percent(lever))
    assert abs(found.reached - percent) <= 50 / 73 + 1e-9


@pytest.mark.parametrize("lever", SHARES)
@pytest.mark.parametrize("percent", [0, 100])
def test_xeno_worlds_stay_and_come_once_however_far_a_share_is_moved(lever: str, percent: float) -> None:
    found, bag = set_to(lever, percent)
    before = Counter(name for name, penalty in zip(*names_and_penalties([]), strict=True) if penalty)
    assert Counter(name for name, penalty in zip(bag.names, bag.penalty, strict=True) if penalty) == before
    if found.reached != percent:
        assert "cannot be reached" in found.text


def names_and_penalties(patches: list[dict[str, Any]]) -> tuple[list[str], list[int]]:
    bag = Bag(patches)
    return bag.names, bag.penalty.tolist()


@pytest.mark.parametrize("lever", GOODS)
@pytest.mark.parametrize("percent", [5, 50])
def test_the_other_kinds_of_goods_keep_their_proportions(lever: str, percent: float) -> None:
    bag, before = set_to(lever, percent)[1], Bag([])
    xeno, xeno_before = bag.penalty < 0, before.penalty < 0
    others = (~xeno & (bag.good != GOODS[lever])).sum()
    others_before = (~xeno_before & (before.good != GOODS[lever])).sum()
    for good in set(before.good.tolist()) - {int(GOODS[lever])}:
        for military in (True, False):
            now = (~xeno & (bag.good == good) & (bag.military == military)).sum()
            was = (~xeno_before & (before.good == good) & (before.military == military)).sum()
            assert abs(now - was * others / others_before) < 2


@pytest.mark.parametrize(("lever", "near", "far"), [("xeno", 6, 3), ("military", 40, 20), ("alien", 20, 40)])
def test_with_the_same_seed_a_larger_change_begins_with_a_smaller_one(lever: str, near: int, far: int) -> None:
    was = Counter(Bag([]).names)
    some, more = (Counter(set_to(lever, value)[1].names) for value in (near, far))
    assert was - some <= was - more
    assert some - was <= more - was


@pytest.mark.parametrize(("lever", "value"), [("xeno", 4), ("military", 30), ("genes", 40)])
def test_the_seed_chooses_which_worlds_and_nothing_else(lever: str, value: int) -> None:
    assert patches_for(TileSet.built_in(), lever, value, 1) == patches_for(TileSet.built_in(), lever, value, 1)
    assert len({str(patches_for(TileSet.built_in(), lever, value, seed).patches) for seed in range(5)}) > 1
    assert len({patches_for(TileSet.built_in(), lever, value, seed).reached for seed in range(5)}) == 1


@pytest.mark.parametrize(("lever", "value"), [("xeno", 8), ("military", 100 * 34 / 73), ("rare", 100 * 16 / 73)])
def test_a_bag_that_is_so_already_needs_no_patches(lever: str, value: float) -> None:
    assert patches_for(TileSet.built_in(), lever, value, 1).patches == []


@pytest.mark.parametrize(("lever", "value"), USUAL)
def test_the_usual_values_of_a_lever_can_be_played_by_any_number(lever: str, value: int) -> None:
    patches = patches_for(TileSet.built_in(), lever, value, 1).patches
    for players in (1, 5):
        prepared(patches, players=players)


def test_a_lever_on_a_base_game_counts_its_60_worlds() -> None:
    base = prepared([], players=3, expansion="base")
    found = patches_for(base, "military", 50, 1)
    patched = prepared(found.patches, players=3, expansion="base").tables
    worlds = patched.kind[0] == 0
    assert patched.copies[0][worlds].sum() == 60
    assert (patched.copies[0] * patched.military[0])[worlds].sum() == 30
    assert found.reached == 50


def test_a_lever_starts_from_what_a_scenario_has_patched() -> None:
    game = prepared([{"do": "remove", "kind": "world", "name": "Xeno Colony"}])
    removed = [patch for patch in patches_for(game, "xeno", 0, 1).patches if patch["do"] == "remove"]
    assert len(removed) == 7


def test_games_are_played_with_a_lever_set() -> None:
    found = patches_for(TileSet.built_in(), "military", 80, 1)
    assert len(rows(prepared(found.patches, players=1), ["uniform"], 0, 5)["games"]) == 5


@pytest.mark.parametrize(("lever", "value", "named"), [
    ("xenos", 3, "xeno"), ("xeno", 11, "0 to 10"), ("xeno", 2.5, "whole number"), ("military", 101, "0 to 100"),
    ("genes", -1, "0 to 100"), ("military", float("nan"), "0 to 100"),
])  # fmt: skip
def test_what_is_no_lever_or_no_value_of_it_is_refused(lever: str, value: float, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        patches_for(TileSet.built_in(), lever, value, 1)


def test_a_bag_without_xeno_worlds_has_no_lever_for_them() -> None:
    with pytest.raises(BadInput, match="has none"):
        patches_for(prepared([], players=3, expansion="base"), "xeno", 2, 1)


@pytest.mark.parametrize(("name", "field", "by", "value"), [
    ("Drop Ships", "cost", 1, 5), ("Gem World", "cost", -1, 1), ("Rebel Base", "defense", 1, 7),
])  # fmt: skip
def test_a_tiles_cost_is_moved_and_a_military_worlds_defense(name: str, field: str, by: int, value: int) -> None:
    game = prepared(cost(TileSet.built_in(), name, by))
    assert game.tables[field][0][game.names.tile.index(name)] == value


@pytest.mark.parametrize(("name", "by", "named"), [
    ("Gem World", -3, "cost 2"), ("Last of the Uplift Gnarssh", -1, "defense 1"), ("Gem Wold", 1, "Gem World"),
])  # fmt: skip
def test_a_cost_below_what_is_possible_or_of_no_tile_is_refused(name: str, by: int, named: str) -> None:
    with pytest.raises(BadInput, match=named):
        cost(TileSet.built_in(), name, by)


@pytest.mark.parametrize("name", ["Drop Ships", "Space Marines", "Rebel Base", "galactic trendsetters"])
def test_a_tile_off_offer_is_out_of_anybodys_reach_and_all_others_stay_in_place(name: str) -> None:
    game, before = prepared(off_offer(TileSet.built_in(), name)), prepared([])
    assert game.names.tile == before.names.tile
    tile = [each.casefold() for each in game.names.tile].index(name.casefold())
    assert game.tables.cost[0][tile] == 30
    assert game.tables.n_powers[0][tile] == game.tables.vp[0][tile] == game.tables.n_scorings[0][tile] == 0
