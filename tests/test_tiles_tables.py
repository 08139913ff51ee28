"""Settings into tables: classes of tiles, powers, rulings, and the numbers of each setup."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from nfsim.games.new_frontiers import layout
from nfsim.games.new_frontiers.codes import Class, Effect, Good, Keyword, Measure, RequirementKind, TileKind, WorldType
from nfsim.games.new_frontiers.layout import DEV0, HOME0
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.tiles.encode import colony_masks, development_mask
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

SEED = read_settings({}, "x").readings
WORLD: dict[str, Any] = {"name": "W", "military": False, "cost": 1, "colonists": 1, "type": "production",
                         "good": "rare", "status": "sourced"}  # fmt: skip


def prepared(rules: dict[str, str] | None = None, patch: list[dict[str, Any]] | None = None, **setup: Any) -> Prepared:
    return prepare(read_settings({"setup": setup, "rules": rules or {}, "patch": patch or []}, "x"), "x")


def tables(rules: dict[str, str] | None = None, **setup: Any) -> Any:
    return prepared(rules, **setup).tables[0]


def classes(mask: int) -> set[Class]:
    return {member for member in Class if mask >> member & 1}


def of_world(**fields: Any) -> set[Class]:
    if fields.get("military"):
        fields = {"cost": 0, "defense": 1} | fields
    return classes(colony_masks(TileSet.record("world", WORLD | fields, "x"), SEED, home=False)[0])


def test_a_plain_production_world_has_the_classes_of_its_good_and_type() -> None:
    assert of_world() == {
        Class.ANY, Class.COLONY, Class.NON_MILITARY, Class.PRODUCTION, Class.HAS_GOOD, Class.RARE,
        Class.NOVELTY_OR_RARE, Class.RARE_PRODUCTION,
    }  # fmt: skip


def test_a_gray_world_has_no_good() -> None:
    assert of_world(type="gray", good="none") == {Class.ANY, Class.COLONY, Class.NON_MILITARY, Class.GRAY}


def test_an_alien_good_is_another_class_than_the_alien_keyword() -> None:
    assert Class.ALIEN not in of_world(good="alien")
    assert {Class.ALIEN_GOOD, Class.ALIEN_PRODUCTION} <= of_world(good="alien")
    assert {Class.ALIEN, Class.ALIEN_COLONY} <= of_world(keywords=["alien"])


def test_a_military_rebel_world_is_rebel_military_and_a_military_uplift_world_is_not() -> None:
    assert {Class.REBEL, Class.REBEL_COLONY, Class.REBEL_MILITARY, Class.MILITARY} <= of_world(
        military=True, keywords=["rebel"]
    )
    assert Class.REBEL_MILITARY not in of_world(military=True, keywords=["uplift"])
    assert Class.REBEL_MILITARY not in of_world(keywords=["rebel"])


def test_a_xeno_world_is_xeno_military() -> None:
    assert {Class.XENO, Class.XENO_MILITARY} <= of_world(military=True, keywords=["xeno"])


@pytest.mark.parametrize(
    ("power", "expected"),
    [
        ("explore.draw 1", {Class.EXPLORE_POWER}),
        ("develop.discount 1", {Class.DEVELOP_POWER}),
        ("settle.discount 1", {Class.SETTLE_POWER}),
        ("settle.military 1", {Class.SETTLE_POWER, Class.MILITARY_POWER}),
        ("settle.military_per(rebel) 1", {Class.SETTLE_POWER, Class.MILITARY_POWER}),
        ("produce.credits 1", {Class.PRODUCE_POWER}),
        ("trade.bonus 1", {Class.TRADE_POWER}),
        ("consume.goods 1 vp=1", {Class.CONSUME_POWER}),
    ],
)
def test_a_power_puts_its_tile_in_the_class_of_its_phase(power: str, expected: set[Class]) -> None:
    assert of_world(powers=[power]) - of_world() == expected


def test_a_development_has_no_colony_classes() -> None:
    fields = {"name": "D", "group": "large", "stack": "Z", "cost": 9, "keywords": ["alien"], "status": "sourced"}
    mask = development_mask(TileSet.record("development", fields, "x"), SEED)
    assert classes(mask) == {Class.ANY, Class.DEVELOPMENT, Class.NINE_COST, Class.ALIEN}


@pytest.mark.parametrize("reading", ["every", "none"])
def test_r22_a_good_of_any_kind_counts_as_every_kind_or_as_none_and_always_feeds_as_every_kind(reading: str) -> None:
    world = TileSet.record("world", WORLD | {"good": "any"}, "x")
    mask, good_mask = colony_masks(world, SEED | {"any_good_counts": reading}, home=False)
    kinds = {Class.NOVELTY, Class.RARE, Class.GENES, Class.ALIEN_GOOD}
    assert kinds & classes(mask) == (kinds if reading == "every" else set())
    assert kinds <= classes(good_mask)
    assert Class.HAS_GOOD in classes(mask)


def test_r13_without_a_fifth_keyword_nothing_is_terraforming() -> None:
    with_it, without = tables(), tables({"fifth_keyword": "none"})
    bit = 1 << Class.TERRAFORMING
    assert (with_it.mask & bit).any()
    assert not (without.mask & bit).any()
    assert not (without.keywords & (1 << Keyword.TERRAFORMING)).any()


def test_homes_are_colonies_of_their_own_class_and_windfall_ones_start_with_a_good() -> None:
    table = tables()
    homes = table.kind == TileKind.HOME
    assert homes.sum() == 32
    assert all({Class.HOME, Class.COLONY} <= classes(int(mask)) for mask in table.mask[homes])
    assert (table.place_good[homes] == (table.type[homes] == WorldType.WINDFALL)).all()


def test_tiles_stand_in_their_sections_and_unused_ids_are_empty() -> None:
    each = prepared()
    table = each.tables[0]
    assert (table.kind[:73] == TileKind.WORLD).all()
    assert (table.kind[HOME0 : HOME0 + 32] == TileKind.HOME).all()
    assert (table.kind[DEV0 : DEV0 + 52] == TileKind.DEVELOPMENT).all()
    assert ((table.kind == -1) == [name == "" for name in each.names.tile]).all()
    assert len(each.names.tile) == layout.TILES


def test_a_power_stands_in_the_order_of_its_fields() -> None:
    each = prepared()
    table, tile = each.tables[0], each.names.tile.index("Imperium Lords")
    assert table.power[tile, 0].tolist() == [Effect.PRODUCE_CREDITS_PER, Class.REBEL_MILITARY, 1, 0, 0, 0, 1, 0]
    assert table.scoring[tile, :2].tolist() == [[Class.IMPERIUM, 1, -1], [Class.REBEL_MILITARY, 2, -1]]
    assert (table.n_powers[tile], table.n_scorings[tile], table.spaces[tile]) == (1, 2, 2)


def test_powers_about_the_tile_itself_are_summed() -> None:
    powers = ["produce.credits_this 1", "produce.credits_this 2", "trade.bonus_this 3", "trade.no_sale"]
    patch = [{"do": "change", "kind": "world", "name": "Gem World", "set": {"powers": [*powers, "settle.place_good"]}}]
    each = prepared(patch=patch)
    table, tile = each.tables[0], each.names.tile.index("Gem World")
    sums = (table.credits_this[tile], table.bonus_this[tile], table.no_sale[tile], table.place_good[tile])
    assert sums == (3, 3, 1, 1)


@pytest.mark.parametrize(
    ("players", "vp", "colonists", "twelve", "copies", "start"),
    [
        (1, 24, 24, 24, 1, [3, 0, 0, 0, 0]),
        (2, 24, 24, 24, 1, [3, 4, 0, 0, 0]),
        (3, 36, 34, 36, 2, [3, 3, 4, 0, 0]),
        (4, 48, 44, 48, 2, [3, 3, 4, 4, 0]),
        (5, 60, 54, 60, 3, [3, 3, 3, 4, 4]),
    ],
)
def test_supplies_copies_and_credits_follow_the_number_of_players(
    players: int, vp: int, colonists: int, twelve: int, copies: int, start: list[int]
) -> None:
    table = tables(players=players)
    assert (table.supply_vp, table.supply_colonists) == (vp, colonists)
    assert tables({"colonist_supply": "twelve_per_player"}, players=players).supply_colonists == twelve
    large = table.spaces[table.stack_face[: table.n_stacks, 0]] == 2
    assert set(table.stack_copies[: table.n_stacks][~large]) == {copies}
    assert set(table.stack_copies[: table.n_stacks][large]) == {1}
    assert table.start_credits.tolist() == start


@pytest.mark.parametrize(
    ("expansion", "bag", "draw", "chart", "stacks", "mats", "goals"),
    [("starry_rift", 73, 8, 5, 30, 16, 16), ("base", 60, 7, 3, 24, 8, 8)],
)
def test_the_expansion_decides_what_is_in_the_game(
    expansion: str, bag: int, draw: int, chart: int, stacks: int, mats: int, goals: int
) -> None:
    table = tables(players=3, expansion=expansion)
    found = (table.copies.sum(), table.explore_worlds, table.chart_goals, table.n_stacks, table.n_mats)
    assert found == (bag, draw, chart, stacks, mats)
    assert (table.goal_in_game == 1).sum() == goals


def test_solo_is_played_with_two_dummies_and_a_round_limit_that_ends_it() -> None:
    table = tables(rounds=12)
    assert (table.players, table.dummies, table.round_limit, table.limit_is_end) == (1, 2, 12, 1)
    table = tables(players=2)
    assert (table.players, table.dummies, table.round_limit, table.limit_is_end) == (2, 0, 60, 0)


def test_a_game_without_goals_has_none() -> None:
    table = tables(players=3, goals=False)
    assert (table.goals, table.goal_in_game.sum()) == (0, 0)


def test_r4_two_selections_are_for_two_players_only() -> None:
    rules = {"two_player_selections": "two"}
    assert [int(tables(rules, players=n).selections) for n in (1, 2, 3)] == [1, 2, 1]


def test_r2_and_r3_move_the_ends() -> None:
    table = tables({"colonist_end": "empty", "development_end": "eleventh_space"})
    assert (table.colonist_end, table.development_end) == (0, 11)
    assert (tables().colonist_end, tables().development_end) == (4, 10)


def test_r10_one_one_six_gives_the_strongest_xeno_worlds_the_worst_penalties() -> None:
    table = tables({"penalty_counts": "one_one_six"})
    xeno = table.penalty < 0
    assert sorted(table.penalty[xeno].tolist()) == [-8, -6, -3, -3, -3, -3, -3, -3]
    assert table.defense[table.penalty == -8][0] == table.defense[xeno].max()
    assert sorted(tables().penalty[xeno].tolist()) == [-8, -8, -6, -6, -3, -3, -3, -3]


@pytest.mark.parametrize(("reading", "faces"), [("two_sided", 2), ("one_sided", 1)])
def test_r25_one_sided_rift_stacks_have_one_face(reading: str, faces: int) -> None:
    each = prepared({"rift_stacks": reading})
    rift = {d.name for d in each.tile_set.developments if d.rift}
    stacks = [name.split(" / ") for name in each.names.stack if name.split(" / ")[0] in rift]
    assert {len(names) for names in stacks} == {faces}
    table = each.tables[0]
    assert (table.stack_face[: table.n_stacks, 0] >= DEV0).all()


@pytest.mark.parametrize(("reading", "kind"), [("world", TileKind.WORLD), ("development", TileKind.DEVELOPMENT)])
def test_r11_decides_what_galactic_trendsetters_is(reading: str, kind: TileKind) -> None:
    each = prepared({"trendsetters": reading})
    assert each.tables[0].kind[each.names.tile.index("Galactic Trendsetters")] == kind


@pytest.mark.parametrize(("reading", "kind"), [("homes", TileKind.HOME), ("developments", TileKind.DEVELOPMENT)])
def test_r12_decides_what_uplift_researchers_and_rebel_cantina_are(reading: str, kind: TileKind) -> None:
    each = prepared({"pay_homes": reading})
    for name in ("Uplift Researchers", "Rebel Cantina"):
        assert each.tables[0].kind[each.names.tile.index(name)] == kind


@pytest.mark.parametrize(("reading", "measure"), [("vp_chips", Measure.CHIPS_ALL), ("colonies", Class.COLONY)])
def test_r18_decides_what_satisfied_populace_requires(reading: str, measure: int) -> None:
    each = prepared({"satisfied_populace": reading})
    place = each.names.condition.index("Satisfied Populace")
    assert each.tables[0].condition_measure[place, 0] == measure


def test_long_games_have_the_long_thresholds_and_requirements() -> None:
    short, long = tables(campaign=2, rounds=10), tables(campaign=2, rounds=12)
    place = prepared(campaign=2).names.condition.index("Uplift Emissary")
    assert (long.condition_vp[place], long.condition_need[place, 0]) == (60, 5)
    assert short.condition_vp[place] < 60


def test_a_condition_that_needs_a_tile_points_to_it() -> None:
    each = prepared(campaign=2)
    place = each.names.condition.index("Peace Envoy")
    table = each.tables[0]
    assert table.condition_kind[place, :2].tolist() == [RequirementKind.OWNS, RequirementKind.NO_MILITARY]
    assert each.names.tile[table.condition_measure[place, 0]] == "Contact Specialist"


@pytest.mark.parametrize("campaign", range(1, 7))
def test_each_campaign_has_four_conditions(campaign: int) -> None:
    assert tables(campaign=campaign).n_objectives == 4


def test_campaign_5_starts_with_exploration_face_up_and_no_other_does() -> None:
    each = prepared(campaign=5)
    assert each.tables[0].goal_in_game[each.names.goal.index("Exploration")] == 2
    assert (tables(campaign=5).goal_in_game == 2).sum() == 1
    assert (tables(campaign=4).goal_in_game == 2).sum() == 0


def test_campaign_6_names_the_stack_whose_side_is_chosen() -> None:
    each = prepared(campaign=6)
    assert each.names.stack[each.tables[0].mastery_stack] == "Improved Logistics / Terraforming Robots"
    assert tables(campaign=5).mastery_stack == -1


def test_a_good_of_any_kind_sells_as_the_dearest() -> None:
    assert tables().price.tolist() == [1, 2, 3, 4, 4]
    assert tables().price[Good.ANY] == 4


def test_preparing_twice_gives_the_same_tables() -> None:
    assert prepared(campaign=3).tables.tobytes() == prepared(campaign=3).tables.tobytes()


def test_what_is_prepared_travels_between_processes() -> None:
    each = prepared()
    again = pickle.loads(pickle.dumps(each))
    assert again.tables.tobytes() == each.tables.tobytes()
    assert again.tile_hash == each.tile_hash


def test_the_share_counts_the_records_in_play() -> None:
    each = prepared(players=2, expansion="base", goals=False)
    share = each.share
    assert share.by_kind["world"]["total"] == 60
    assert set(share.by_kind) == {"world", "development", "empire"}
    assert share.total == sum(counts["total"] for counts in share.by_kind.values()) == 60 + 40 + 16
    assert share.total == share.sourced + share.partly + share.reconstructed + share.patched
    assert share.describe().startswith(f"Reconstructed, not sourced: {share.by_kind['world']['reconstructed']} of 60")
