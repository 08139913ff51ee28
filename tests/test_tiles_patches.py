"""Patches of a scenario: change, add, remove, duplicate, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare
from nfsim.games.new_frontiers.tiles.tile_set import Patch, TileSet

NEW: dict[str, dict[str, Any]] = {
    "world": {"military": False, "cost": 1, "colonists": 1, "type": "gray", "good": "none"},
    "development": {"group": "small", "stack": "new", "cost": 1},
    "goal": {"measure": "colony", "steps": "3:2"},
    "condition": {"campaign": 1, "short_vp": 1, "long_vp": 1},
}


def patched(*patches: dict[str, Any], **setup: Any) -> Prepared:
    return prepare(read_settings({"setup": setup, "patch": list(patches)}, "my.toml"), "my.toml")


def refused(*patches: dict[str, Any], **setup: Any) -> str:
    with pytest.raises(BadInput) as caught:
        patched(*patches, **setup)
    text = str(caught.value)
    assert text.startswith("my.toml: patch"), text
    return text


def record(prepared: Prepared, kind: str, name: str) -> Any:
    return next(each for each in prepared.tile_set.of_kind(kind) if each.name == name)


def test_a_change_sets_the_fields_given_and_leaves_the_others() -> None:
    change = {"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 9, "powers": ["explore.pick 1"]}}
    before, after = record(patched(), "world", "Gem World"), record(patched(change), "world", "Gem World")
    assert after.fields() == before.fields() | {"cost": 9, "powers": ["explore.pick 1"], "status": "patched"}


def test_a_change_reaches_the_tables() -> None:
    prepared = patched({"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 9}})
    assert prepared.tables[0].cost[prepared.names.tile.index("Gem World")] == 9


def test_a_patch_finds_its_tile_whatever_the_capitals() -> None:
    prepared = patched({"do": "change", "kind": "world", "name": "gem world", "set": {"cost": 9}})
    assert record(prepared, "world", "Gem World").cost == 9


@pytest.mark.parametrize("kind", NEW)
def test_an_added_record_is_in_the_set(kind: str) -> None:
    prepared = patched({"do": "add", "kind": kind, "name": "Brand New", "set": NEW[kind]})
    assert record(prepared, kind, "Brand New").status == "patched"


def test_a_removed_world_is_not_in_the_bag() -> None:
    prepared = patched({"do": "remove", "kind": "world", "name": "Gem World"})
    assert "Gem World" not in prepared.names.tile
    assert prepared.tables[0].copies.sum() == 72


def test_a_world_duplicated_lies_in_the_bag_once_more() -> None:
    prepared = patched({"do": "duplicate", "kind": "world", "name": "Gem World"})
    assert prepared.tables[0].copies[prepared.names.tile.index("Gem World")] == 2


def test_a_world_duplicated_with_copies_lies_in_the_bag_so_many_times() -> None:
    prepared = patched({"do": "duplicate", "kind": "world", "name": "Gem World", "copies": 5})
    assert prepared.tables[0].copies.sum() == 77


def test_a_duplicate_with_a_new_name_is_another_record() -> None:
    patch = {"do": "duplicate", "kind": "goal", "name": "Industry", "set": {"name": "Industry II"}}
    assert patched(patch).names.goal[-8:].count("Industry II") == 1


def test_patches_apply_in_their_order() -> None:
    first = {"do": "duplicate", "kind": "world", "name": "Gem World", "set": {"name": "Gem World II"}}
    second = {"do": "change", "kind": "world", "name": "Gem World II", "set": {"cost": 7}}
    assert record(patched(first, second), "world", "Gem World II").cost == 7


def test_the_share_counts_patched_records_apart() -> None:
    before = patched().share
    after = patched({"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 9}}).share
    assert (after.patched, after.reconstructed, after.total) == (1, before.reconstructed - 1, before.total)
    assert "1 patched by the scenario" in after.describe()


def test_a_patch_changes_the_hash_and_not_the_built_in_set() -> None:
    before = TileSet.built_in().hash
    assert patched({"do": "remove", "kind": "world", "name": "Gem World"}).tile_hash != before
    assert patched().tile_hash == before


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        ({"do": "change", "kind": "world", "name": "Gem Wrld", "set": {"cost": 1}}, 'did you mean "Gem World"?'),
        ({"do": "change", "kind": "world", "name": "Gem World", "set": {"cots": 1}}, 'did you mean "cost"?'),
        ({"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 77}}, "at most 30"),
        ({"do": "change", "kind": "world", "name": "Gem World", "set": {"powers": ["x.y"]}}, "unknown phase.effect"),
        ({"do": "change", "kind": "world", "name": "Gem World"}, "set: is missing"),
        ({"do": "change", "kind": "world", "set": {"cost": 1}}, "name: is missing"),
        ({"do": "change", "kind": "planet", "name": "Gem World", "set": {"cost": 1}}, "kind: must be"),
        ({"do": "chang", "kind": "world", "name": "Gem World", "set": {"cost": 1}}, "do: must be"),
        ({"do": "remove", "kind": "world", "name": "Gem World", "set": {"cost": 1}}, "no meaning with remove"),
        ({"do": "remove", "kind": "world", "name": "Gem World", "nme": 1}, 'did you mean "name"?'),
        ({"do": "add", "kind": "world", "name": "Gem World", "set": NEW["world"]}, "name is used twice"),
        ({"do": "add", "kind": "world", "name": "Bare", "set": {"cost": 1}}, "is missing"),
        ({"do": "duplicate", "kind": "goal", "name": "Industry"}, "give the second one a name"),
        ({"do": "duplicate", "kind": "goal", "name": "Industry", "copies": 2}, "copies: is for duplicate on worlds"),
        ({"do": "duplicate", "kind": "world", "name": "Gem World", "copies": 21}, "at most 20"),
    ],
)
def test_a_wrong_patch_names_the_scenario_the_patch_and_the_mistake(patch: dict[str, Any], words: str) -> None:
    assert words in refused(patch)


def test_removing_too_many_worlds_leaves_nothing_to_play_with() -> None:
    removals = [{"do": "remove", "kind": "world", "name": world.name} for world in TileSet.built_in().worlds]
    assert "need at least 9 worlds in the bag, not 0" in refused(*removals)


@pytest.mark.parametrize("kind", TileSet.models())
def test_removing_a_whole_kind_is_refused(kind: str) -> None:
    names = dict.fromkeys(
        record.name for record in TileSet.built_in().of_kind(kind) if getattr(record, "campaign", 1) == 1
    )
    removals = [{"do": "remove", "kind": kind, "name": name} for name in names]
    assert "need" in refused(*removals)


def test_removing_one_side_of_a_mat_is_refused() -> None:
    assert "has no side A" in refused({"do": "remove", "kind": "empire", "name": "Old Earth"})


def test_a_condition_that_needs_a_tile_that_is_gone_is_refused() -> None:
    patch = {"do": "remove", "kind": "development", "name": "Contact Specialist"}
    assert 'unknown tile "Contact Specialist"' in refused(patch, campaign=2)


def test_more_worlds_than_the_bag_has_room_for_are_refused() -> None:
    names = [world.name for world in TileSet.built_in().worlds if not world.when][:10]
    many = [{"do": "duplicate", "kind": "world", "name": name, "copies": 20} for name in names]
    assert "room for at most 200 worlds in the bag, not 263" in refused(*many)


def test_more_goals_than_there_is_room_for_are_refused() -> None:
    goals = [{"do": "add", "kind": "goal", "name": f"Goal {n}", "set": NEW["goal"]} for n in range(17)]
    assert "room for at most 32 goals, not 33" in refused(*goals)


def test_more_consume_powers_than_an_empire_has_room_for_are_refused() -> None:
    names = [world.name for world in TileSet.built_in().worlds if not world.when][:20]
    powers = ["consume.goods 1 vp=1"] * 6
    many = [{"do": "change", "kind": "world", "name": name, "set": {"powers": powers}} for name in names]
    assert "consume powers in one empire" in refused(*many)


def test_more_further_settles_than_there_is_room_for_are_refused() -> None:
    names = [world.name for world in TileSet.built_in().worlds if not world.when][:2]
    many = [{"do": "change", "kind": "world", "name": name, "set": {"powers": ["settle.second 3"]}} for name in names]
    assert "further settles in one empire" in refused(*many)


def test_more_worlds_in_one_explore_action_than_there_is_room_for_are_refused() -> None:
    names = [world.name for world in TileSet.built_in().worlds if not world.when][:10]
    many = [{"do": "change", "kind": "world", "name": name, "set": {"powers": ["explore.draw 3"]}} for name in names]
    assert "worlds taken in one Explore action" in refused(*many)


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        (
            {"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 5}},
            "change world Gem World: cost = 5",
        ),
        (
            {"do": "add", "kind": "goal", "set": {"name": "New", "steps": "3:2"}},
            'add goal New: steps = "3:2"',
        ),
        ({"do": "remove", "kind": "condition", "name": "A", "campaign": 2}, "remove condition A (campaign 2)"),
        ({"do": "duplicate", "kind": "world", "name": "A", "copies": 3}, "duplicate world A: 3 copies"),
    ],
)  # fmt: skip
def test_a_patch_in_words(patch: dict[str, Any], words: str) -> None:
    assert str(Patch(**patch)) == words
