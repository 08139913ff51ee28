"""Titles say what is played: a number in them follows the setup, what else was changed stands behind them."""

import pytest

from nfsim.errors import BadInput
from nfsim.run.scenario import read_scenario
from nfsim.run.titles import says, titled


@pytest.mark.parametrize(
    ("setting", "title"),
    [
        ("setup.rounds=12", "Solo campaign 1, 12 rounds"),
        ("setup.rounds=1", "Solo campaign 1, 1 round"),
        ("setup.campaign=3", "Solo campaign 3, 10 rounds"),
        ("policy=uniform", "Solo campaign 1, 10 rounds"),
        ("rules.profile=table", "Solo campaign 1, 10 rounds (rules.profile=table)"),
    ],
)
def test_a_built_in_title_follows_the_command_line(setting, title):
    assert read_scenario("solo_campaign1_short", [setting]).shown_title == title


def test_a_title_for_several_players_follows_their_number_and_the_goals():
    changed = read_scenario("rift_4p", ["setup.players=2", "setup.goals=false"], {"policy": "uniform"})
    assert changed.title == "The Starry Rift without goals, 2 players"


def test_the_manifest_keeps_the_title_as_played():
    changed = read_scenario("solo_campaign1_short", ["setup.rounds=12"])
    assert changed.resolved["title"] == changed.title == "Solo campaign 1, 12 rounds"


def test_an_inherited_title_follows_the_file_that_inherits_it(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('inherit = "solo_campaign1_short"\nsetup.rounds = 14\n', encoding="utf-8")
    assert read_scenario(file).title == "Solo campaign 1, 14 rounds"


def test_a_title_is_left_as_its_author_wrote_it_beside_or_after_the_setup(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('inherit = "solo_campaign1_short"\ntitle = "Almost 12 rounds"\nsetup.rounds = 11', encoding="utf-8")
    assert read_scenario(file).title == "Almost 12 rounds"
    assert read_scenario(file, ["setup.rounds=13", "title=Like 10 rounds"]).title == "Like 10 rounds"


def test_a_title_that_names_no_setting_of_the_game_is_refused(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('inherit = "solo_campaign1_short"\ntitle = "{setup.round} only"', encoding="utf-8")
    with pytest.raises(BadInput, match=r'mine.toml: title: names no setting .* "setup.round"; did you mean "setup.r'):
        read_scenario(file)


def test_braces_that_are_no_places_stay(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('inherit = "solo_campaign1_short"\ntitle = "{a} or {}, {rules.profile}"\nrules.profile = "seed"')
    assert read_scenario(file).title == "{a} or {}, seed"


def words(key, value):
    return f"{value} rounds" if key == "setup.rounds" else ""


def test_a_change_that_the_title_does_not_say_stands_behind_it():
    assert titled("Dice, 5 rounds", ["setup.rounds = 5", "setup.seats=2"], words) == "Dice, 5 rounds (setup.seats=2)"
    assert titled("Dice, 5 rounds", ["setup.rounds=6"], words) == "Dice, 5 rounds (setup.rounds=6)"
    assert titled("Dice, 15 rounds", ["setup.rounds=5"], words) == "Dice, 15 rounds (setup.rounds=5)"


def test_words_are_found_whole_and_in_any_case():
    assert says("Campaign 1, 10 rounds", "campaign 1")
    assert not says("Campaign 12, 10 rounds", "campaign 1")
    assert not says("anything", "")
