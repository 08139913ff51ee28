"""This game's part of a scenario: defaults, what fits together, and errors that name the key."""

from __future__ import annotations

from typing import Any

import pytest

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.rulings import RULINGS
from nfsim.games.new_frontiers.settings import read_settings


def test_without_anything_set_it_is_solo_campaign_1_in_10_rounds_with_the_rift() -> None:
    settings = read_settings({}, "my.toml")
    setup = settings.setup
    assert (setup.players, setup.campaign_played, setup.round_limit, setup.thresholds) == (1, 1, 10, "short")
    assert (setup.expansion, setup.goals, settings.tiles) == ("starry_rift", True, "reconstructed")


@pytest.mark.parametrize(("rounds", "length"), [(10, "short"), (11, "long"), (12, "long"), (3, "short")])
def test_a_solo_game_of_more_than_10_rounds_is_long(rounds: int, length: str) -> None:
    assert read_settings({"setup": {"rounds": rounds}}, "my.toml").setup.thresholds == length


def test_length_can_be_set_apart_from_the_rounds() -> None:
    assert read_settings({"setup": {"rounds": 12, "length": "short"}}, "my.toml").setup.thresholds == "short"


def test_several_players_have_no_campaign_and_a_safety_limit() -> None:
    setup = read_settings({"setup": {"players": 4}}, "my.toml").setup
    assert (setup.campaign_played, setup.round_limit) == (0, 60)


@pytest.mark.parametrize("profile", ["seed", "table"])
def test_a_profile_sets_every_ruling(profile: str) -> None:
    readings = read_settings({"rules": {"profile": profile}}, "my.toml").readings
    assert readings == {info.switch: getattr(info, profile) for info in RULINGS}


def test_a_switch_set_alone_changes_only_itself() -> None:
    seed = read_settings({}, "my.toml").readings
    readings = read_settings({"rules": {"colonist_end": "empty"}}, "my.toml").readings
    assert readings == seed | {"colonist_end": "empty"}


@pytest.mark.parametrize(
    ("data", "key", "words"),
    [
        ({"setup": {"playrs": 2}}, "setup.playrs", 'did you mean "players"?'),
        ({"setup": {"players": 6}}, "setup.players", "at most 5, not 6"),
        ({"setup": {"players": 0}}, "setup.players", "at least 1, not 0"),
        ({"setup": {"players": True}}, "setup.players", "must be a whole number, not true"),
        ({"setup": {"players": 2.0}}, "setup.players", "must be a whole number, not 2.0"),
        ({"setup": {"players": float("nan")}}, "setup.players", "must be a whole number, not nan"),
        ({"setup": {"players": "2"}}, "setup.players", 'must be a whole number, not "2"'),
        ({"setup": {"rounds": 61}}, "setup.rounds", "at most 60, not 61"),
        ({"setup": {"rounds": 0}}, "setup.rounds", "at least 1, not 0"),
        ({"setup": {"campaign": 7}}, "setup.campaign", "at most 6, not 7"),
        ({"setup": {"goals": 1}}, "setup.goals", "true or false, not 1"),
        ({"setup": {"expansion": "rift"}}, "setup.expansion", '"starry_rift" or "base"'),
        ({"setup": {"expansion": "base"}}, "setup.expansion", "solo is played with the expansion"),
        ({"setup": {"goals": False}}, "setup.goals", "solo is played with goals"),
        ({"setup": {"players": 2, "campaign": 1}}, "setup.campaign", "is for solo"),
        ({"setup": {"players": 2, "length": "long"}}, "setup.length", "is for solo"),
        ({"setup": 3}, "setup", "must be a table, not 3"),
        ({"rules": {"colonists_end": "empty"}}, "rules.colonists_end", 'did you mean "colonist_end"?'),
        ({"rules": {"colonist_end": "nil"}}, "rules.colonist_end", '"four_left" or "empty", not "nil"'),
        ({"rules": {"profile": "tables"}}, "rules.profile", '"seed" or "table", not "tables"'),
        ({"rules": {"colonist_end": 4}}, "rules.colonist_end", "must be text, not 4"),
        ({"tiles": ""}, "tiles", "must not be empty"),
        ({"patch": {"do": "change"}}, "patch", "must be a list"),
        ({"setups": {}}, "setups", 'did you mean "setup"?'),
    ],
)
def test_a_mistake_names_the_file_the_dotted_key_and_the_remedy(data: dict[str, Any], key: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_settings(data, "my.toml")
    assert str(caught.value).startswith(f"my.toml: {key}: ")
    assert words in str(caught.value)
