"""Records: what a field may hold, and that an error names file, record and field."""

from __future__ import annotations

from typing import Any

import pytest
from lab_tiles import prepared

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.tile_set import TileSet, doubts

BASE: dict[str, dict[str, Any]] = {
    "world": {
        "name": "Test World", "military": False, "cost": 2, "colonists": 1, "type": "production", "good": "rare",
        "status": "sourced",
    },
    "development": {
        "name": "Test Development", "group": "small", "stack": "Z", "face": "A", "cost": 3, "status": "sourced",
    },
    "empire": {"name": "Test Home", "mat": 1, "side": "A", "type": "gray", "good": "none", "status": "sourced"},
    "goal": {"name": "Test Goal", "measure": "colony", "steps": "3:2 5:5", "status": "sourced"},
    "condition": {"name": "Test Condition", "campaign": 1, "short_vp": 40, "long_vp": 50, "status": "sourced"},
}  # fmt: skip
MILITARY = {"military": True, "cost": 0, "defense": 3}

WRONG = [
    ("world", {"cost": 31}, "cost", "at most 30"),
    ("world", {"cost": -1}, "cost", "at least 0"),
    ("world", {"cost": True}, "cost", "whole number"),
    ("world", {"cost": float("nan")}, "cost", "whole number"),
    ("world", {"cost": float("inf")}, "cost", "whole number"),
    ("world", {"cost": "2"}, "cost", "whole number"),
    ("world", {"defense": 3}, "defense", "no defense"),
    ("world", {"military": True}, "defense", "1 to 20"),
    ("world", {**MILITARY, "cost": 2}, "cost", "costs no credits"),
    ("world", {**MILITARY, "defense": 21}, "defense", "at most 20"),
    ("world", {"military": 1}, "military", "true or false"),
    ("world", {"colonists": 0}, "colonists", "at least 1"),
    ("world", {"colonists": 5}, "colonists", "at most 4"),
    ("world", {"vp": 31}, "vp", "at most 30"),
    ("world", {"vp": -11}, "vp", "at least -10"),
    ("world", {"copies": 21}, "copies", "at most 20"),
    ("world", {"penalty": -3}, "penalty", "only xeno worlds"),
    ("world", {**MILITARY, "keywords": ["xeno"], "penalty": 3}, "penalty", "at most 0"),
    ("world", {"keywords": ["xeno"]}, "keywords", "must be military"),
    ("world", {"keywords": ["rebbel"]}, "keywords", 'did you mean "rebel"?'),
    ("world", {"keywords": ["rebel", "rebel"]}, "keywords", "twice"),
    ("world", {"type": "gray"}, "good", "only gray worlds have good none"),
    ("world", {"good": "none"}, "good", "only gray worlds have good none"),
    ("world", {"good": "gold"}, "good", "novelty"),
    ("world", {"type": "windfall", "powers": ["settle.place_good"]}, "powers", "production worlds"),
    ("world", {"powers": ["settle.militry 1"]}, "powers", 'did you mean "settle.military"?'),
    ("world", {"powers": ["explore.draw 1"] * 7}, "powers", "at most 6 powers"),
    ("world", {"powers": 3}, "powers", "list of texts"),
    ("world", {"scoring": ["1 per total_vp"]}, "scoring", "total_vp"),
    ("world", {"colour": "red"}, "colour", "unknown key"),
    ("world", {"colonist": 1}, "colonist", 'did you mean "colonists"?'),
    ("world", {"name": ""}, "name", "1 to 60 characters"),
    ("world", {"name": "x" * 61}, "name", "1 to 60 characters"),
    ("world", {"name": "two\nlines"}, "name", "printable"),
    ("world", {"name": 'a "b"'}, "name", "quotation marks"),
    ("world", {"status": "guessed"}, "status", "sourced"),
    ("world", {"reconstructed": ["cost", "vp"]}, "status", "is sourced, but reconstructed still lists cost, vp"),
    ("world", {"status": "partly"}, "status", "is partly, but reconstructed lists no field"),
    ("world", {"status": "reconstructed"}, "status", "is reconstructed, but reconstructed lists no field"),
    ("world", {"when": "trendsetter=world"}, "when", 'did you mean "trendsetters"?'),
    ("world", {"when": "trendsetters=moon"}, "when", "known: world, development"),
    ("world", {"reconstructed": ["costs"]}, "reconstructed", 'did you mean "cost"?'),
    ("development", {"cost": 31}, "cost", "at most 30"),
    ("development", {"stack": ""}, "stack", "names its stack"),
    ("development", {"powers": ["trade.no_sale"]}, "powers", "no meaning on a development"),
    ("development", {"face": "C"}, "face", '"A" or "B"'),
    ("empire", {"mat": 0}, "mat", "at least 1"),
    ("empire", {"keywords": ["xeno"], "military": True}, "keywords", "never xeno"),
    ("goal", {"steps": "5:2 3:5"}, "steps", "must rise"),
    ("goal", {"steps": "1:1 2:2 3:3 4:4 5:5"}, "steps", "at most 4 steps"),
    ("goal", {"measure": "colonie"}, "measure", 'did you mean "colony"?'),
    ("goal", {"measure": "goals_scored"}, "measure", "cannot count goals_scored"),
    ("goal", {"measure": "stockpiled_worlds"}, "stockpile", "goes with worlds"),
    ("condition", {"campaign": 7}, "campaign", "at most 6"),
    ("condition", {"short_requires": "7 colonyy"}, "short_requires", 'did you mean "colony"?'),
]


@pytest.mark.parametrize("kind", BASE)
def test_the_plain_record_is_accepted(kind: str) -> None:
    assert TileSet.record(kind, BASE[kind], "tiles.toml").name == BASE[kind]["name"]


@pytest.mark.parametrize(("kind", "change", "field", "words"), WRONG)
def test_a_wrong_value_names_file_record_and_field(kind: str, change: dict[str, Any], field: str, words: str) -> None:
    fields = {**BASE[kind], **change}
    with pytest.raises(BadInput) as caught:
        TileSet.record(kind, fields, "tiles.toml")
    text = str(caught.value)
    assert text.startswith(f"tiles.toml: {kind}"), text
    assert caught.value.key.endswith(f", {field}"), text
    assert words in text
    if "name" not in change:
        assert fields["name"] in text
    assert "\n" not in text


@pytest.mark.parametrize("missing", ["name", "military", "cost", "colonists", "type", "good", "status"])
def test_a_world_without_a_needed_field_is_refused(missing: str) -> None:
    fields = {key: value for key, value in BASE["world"].items() if key != missing}
    with pytest.raises(BadInput, match=f"{missing}: is missing"):
        TileSet.record("world", fields, "tiles.toml")


@pytest.mark.parametrize("kind", TileSet.models())
def test_the_columns_of_a_kind_are_all_its_fields(kind: str) -> None:
    assert sorted(TileSet.models()[kind].columns) == sorted(TileSet.models()[kind].model_fields)


def test_every_record_of_the_built_in_set_is_rebuilt_from_its_own_fields() -> None:
    for record in TileSet.built_in():
        assert TileSet.record(record.kind, record.fields(), "tiles.toml").fields() == record.fields()


def test_a_condition_says_which_of_its_numbers_no_source_gives() -> None:
    campaign = [c for c in TileSet.built_in().conditions if c.campaign == 1 and c.when != "satisfied_populace=colonies"]
    doubts = {condition.name: condition.doubt("short") for condition in campaign}
    assert doubts.pop("Satisfied Populace") == "requirement: our guess; your card may differ, see R18"
    assert set(doubts.values()) == {""}


def test_what_a_result_rests_on_names_the_conditions_with_numbers_that_no_source_gives() -> None:
    named = {
        reading: doubts([prepared({"satisfied_populace": reading}, players=1, campaign=1)])
        for reading in ("vp_chips", "colonies")
    }
    assert "Satisfied Populace (requirement: our guess; your card may differ, see R18)" in named["vp_chips"]
    assert named["colonies"] == ""
