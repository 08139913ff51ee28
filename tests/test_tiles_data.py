"""The built-in tile set: the manual's table of worlds, every sourced fact, and the numbers of tiles in the boxes."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.codes import Effect
from nfsim.games.new_frontiers.tiles.manual import differences, rows
from nfsim.games.new_frontiers.tiles.records import Condition, Development, Empire, Goal, Record, World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

DATA = Path(__file__).parent / "data"
SEED = rulings.in_force("seed", {})


def figures(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def in_force(kind: str, readings: dict[str, str] = SEED) -> list[Any]:
    return [record for record in TileSet.built_in().of_kind(kind) if record.holds(readings)]


def worlds(military: bool) -> list[World]:
    return [world for world in in_force("world") if world.military == military]


CELLS = [(row["class"], column, number) for row in figures("manual_worlds_table.csv") for column, number in row.items()
         if column not in ("class", "vp_min", "vp_max", "variable_vp")]  # fmt: skip


@pytest.mark.parametrize(("group", "column", "number"), CELLS)
def test_the_worlds_satisfy_each_number_of_the_manuals_table(group: str, column: str, number: str) -> None:
    counted = Counter[str]()
    for world in worlds(group == "military"):
        counted.update({"count", f"colonists_{world.colonists}", world.type, *world.keywords} - {"alien"})
        counted[world.good] += world.good != "none"
    assert counted[column] == int(number)


@pytest.mark.parametrize("row", figures("manual_worlds_table.csv"), ids=lambda row: row["class"])
def test_the_worlds_have_the_manuals_range_of_vps_and_sorts_of_variable_ones(row: dict[str, str]) -> None:
    chosen = worlds(row["class"] == "military")
    values = [world.vp for world in chosen]
    assert (min(values), max(values)) == (int(row["vp_min"]), int(row["vp_max"]))
    variable = {word for world in chosen if world.scoring for word in world.keywords}
    assert variable == {word.lower() for word in row["variable_vp"].split(";")}


def test_the_worlds_satisfy_the_manuals_footnotes() -> None:
    both = [*worlds(True), *worlds(False)]
    xeno = [world for world in both if "xeno" in world.keywords]
    second = Counter(word for world in xeno for word in world.keywords if word != "xeno")
    assert second == {"alien": 1, "uplift": 1, "imperium": 1, "rebel": 2}
    assert max(len(world.keywords) for world in xeno) == 2
    assert sum({"rebel", "uplift"} <= set(world.keywords) for world in both) == 2
    assert sum(world.type == "gray" and "alien" in world.keywords for world in worlds(False)) == 1
    placed = [w for w in both if any(power.effect == Effect.SETTLE_PLACE_GOOD for power in w.powers)]
    assert [(world.type, world.good, world.military) for world in placed] == [("production", "rare", False)]
    defenses = [world.defense for world in worlds(True)]
    assert (min(defenses), max(defenses)) == (1, 9)


def test_the_boxes_hold_60_and_13_worlds_with_15_novelty_worlds_and_all_xeno_worlds_where_they_belong() -> None:
    both = [*worlds(True), *worlds(False)]
    assert Counter(world.rift for world in both) == {False: 60, True: 13}
    assert sum(world.good == "novelty" and not world.rift for world in both) == 15
    assert all(world.rift for world in both if "xeno" in world.keywords)
    assert Counter(world.penalty for world in both if world.penalty) == {-3: 4, -6: 2, -8: 2}


@pytest.mark.parametrize("readings", [
    {}, {"trendsetters": "development"}, {"pay_homes": "developments"}, {"satisfied_populace": "colonies"},
])  # fmt: skip
def test_under_each_reading_the_boxes_hold_as_many_records_as_they_should(readings: dict[str, str]) -> None:
    chosen = rulings.in_force("seed", readings)
    assert len(in_force("world", chosen)) == 73
    assert len(in_force("empire", chosen)) == 32
    assert len(in_force("goal", chosen)) == 16
    campaigns = Counter(condition.campaign for condition in in_force("condition", chosen))
    assert campaigns == dict.fromkeys(range(1, 7), 4)
    stacks = Counter((d.rift, d.group == "large") for d in in_force("development", chosen))
    assert stacks == {(False, False): 24, (False, True): 16, (True, False): 8, (True, True): 4}


def test_the_developments_face_each_other_as_sourced() -> None:
    stacks: dict[str, list[Development]] = {}
    for development in in_force("development"):
        stacks.setdefault(development.stack_id, []).append(development)
    pairs = {(faces[0].group, *sorted(face.name for face in faces)) for faces in stacks.values() if len(faces) == 2}
    sourced = {(row["group"], *sorted((row["face"], row["other"]))) for row in figures("development_pairs.csv")}
    assert sourced <= pairs
    assert sum(not faces[0].rift and len(faces) == 1 for faces in stacks.values()) == 8
    assert {d.cost for d in in_force("development") if d.group == "large"} == {9}


@pytest.mark.parametrize("fact", figures("tile_facts.csv"), ids=lambda fact: f"{fact['name']} {fact['field']}")
def test_a_sourced_fact_stands_in_the_set_unchanged(fact: dict[str, str]) -> None:
    found = [record for record in TileSet.built_in().of_kind(fact["kind"]) if record.name == fact["name"]]
    assert found, "the name is sourced too"
    values = [record.fields()[fact["field"]] for record in found]
    texts = ["; ".join(value) if isinstance(value, list) else str(value) for value in values]
    wanted = {"yes": "True", "no": "False"}.get(fact["value"], fact["value"])
    assert wanted in texts


@pytest.mark.parametrize(("name", "effect"), [
    ("Contact Specialist", Effect.SETTLE_PAY_MILITARY), ("Uplift Researchers", Effect.SETTLE_PAY_MILITARY),
    ("Rebel Cantina", Effect.SETTLE_PAY_MILITARY), ("Galactic Trendsetters", Effect.CONSUME_GOODS),
    ("Improved Logistics", Effect.SETTLE_SECOND), ("Drop Ships", Effect.SETTLE_MILITARY),
    ("Alien Rosetta Stone World", Effect.SETTLE_DISCOUNT),
])  # fmt: skip
def test_a_tile_has_the_kind_of_power_that_is_sourced(name: str, effect: Effect) -> None:
    found = [record for record in TileSet.built_in() if record.name == name]
    assert found
    for record in found:
        assert effect in [power.effect for power in getattr(record, "powers", ())]


def test_every_home_is_either_a_producer_or_has_a_power() -> None:
    assert all(home.good != "none" or home.powers for home in in_force("empire"))


def test_a_sourced_record_has_nothing_reconstructed_and_the_others_say_what_is() -> None:
    for record in TileSet.built_in():
        assert bool(record.reconstructed) == (record.status != "sourced"), record.title
        assert record.source, record.title


def test_a_record_is_called_reconstructed_only_if_its_own_name_is() -> None:
    """A name that a source gives is itself a sourced field: the record is `partly` then."""
    for record in TileSet.built_in():
        if isinstance(record, World | Development | Empire | Goal | Condition) and record.status == "reconstructed":
            assert "name" in record.reconstructed, record.title


def test_the_checker_finds_no_difference_in_the_built_in_set() -> None:
    assert differences(TileSet.built_in(), SEED) == []


def changed(name: str, **fields: Any) -> list[str]:
    """Rows the checker complains about when one world is changed."""
    tiles = TileSet.built_in()
    found: list[Record] = []
    for world in tiles.worlds:
        given = {key: value for key, value in world.fields().items() if key in world.model_fields_set}
        found.append(TileSet.record("world", {**given, **fields}, "x") if world.name == name else world)
    return [difference.says for difference in differences(tiles.replacing({"world": found}), SEED)]


def test_the_checker_names_just_the_rows_that_a_change_breaks() -> None:
    assert changed("Gem World", good="rare") == [
        "13 non-military worlds have Novelty goods",
        "11 non-military worlds have Rare goods",
        "15 Novelty worlds are in the base game",
    ]


def test_the_checker_sees_a_change_of_colonists_and_vps() -> None:
    assert changed("Gem World", colonists=2, vp=7) == [
        "24 non-military worlds take 1 colonist",
        "15 non-military worlds take 2 colonists",
        "VPs of non-military worlds run from 0 to 6",
    ]


POSSIBLE = [row for row in rows() if row.says != "0 non-military worlds have the keyword xeno"]  # no record can be one


@pytest.mark.parametrize("row", POSSIBLE, ids=lambda row: row.says)
def test_each_row_of_the_checker_can_fail(row: Any) -> None:
    """No worlds, every world twenty times, or worlds with other values: each row fails for one of these sets."""
    tiles = TileSet.built_in()
    changes: list[dict[str, Any]] = [
        {"copies": 20, "scoring": []},
        {"penalty": 0},
        {"keywords": ["rebel"], "penalty": 0},
    ]
    sets = [tiles.replacing({"world": []})]
    for change in changes:
        changed_worlds = tuple(TileSet.record("world", {**world.fields(), **change}, "x") for world in tiles.worlds)
        sets.append(tiles.replacing({"world": changed_worlds}))
    any_good = [{**w.fields(), **({} if w.type == "gray" else {"good": "any"})} for w in tiles.worlds]
    sets.append(tiles.replacing({"world": [TileSet.record("world", fields, "x") for fields in any_good]}))
    assert any(row.says in [found.says for found in differences(each, SEED)] for each in sets)


def test_r19_excluded_does_not_count_the_xeno_worlds_second_keywords() -> None:
    readings = rulings.in_force("seed", {"table_keywords": "excluded"})
    assert [found.has for found in differences(TileSet.built_in(), readings)] == ["3", "11", "6"]


def test_r20_windfall_counts_the_rare_world_that_gains_a_good_as_windfall() -> None:
    readings = rulings.in_force("seed", {"rare_good_world": "windfall"})
    assert [found.has for found in differences(TileSet.built_in(), readings)] == ["13", "23"]
