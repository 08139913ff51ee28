"""Recipes: how the built-in presets are found again."""

from pathlib import Path

import pytest

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.policies import shelf
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.studies import recipes

POLICIES = Path(shelf.__file__).parent
START = 'kind = "weights"\nplan = "knows nothing"\n[params]\nchip = 1.0\ncredit_rounds = 5.0\n'


def recipe(name, start):
    tiny = '"--games", "5", "--generations", "1", "--population", "4", "--held-out", "100"'
    return (
        f'[[preset]]\nname = "{name}"\nscenario = "solo_campaign1_short"\narguments = ["--from", "{start}", {tiny}]\n'
    )


def test_the_recipes_of_the_project_can_be_repeated():
    for found in recipes.read_recipes(POLICIES / "recipes.toml"):
        assert (POLICIES / found.file).is_file(), found.name


@pytest.mark.parametrize("text", [recipe("a", "a"), recipe("a", "b") + recipe("b", "starts/first.toml")])
def test_a_preset_does_not_begin_with_what_is_made_by_it_or_later(tmp_path, text):
    (tmp_path / "recipes.toml").write_text(text)
    with pytest.raises(BadInput, match="does not begin with a file or a preset made above it"):
        recipes.read_recipes(tmp_path / "recipes.toml")


def test_presets_are_put_in_place_when_they_are_found(tmp_path):
    (tmp_path / "start.toml").write_text(START)
    (tmp_path / "recipes.toml").write_text(recipe("a", "start.toml"))
    (tmp_path / "presets").mkdir()
    (tmp_path / "presets" / "a.toml").write_text("the old one")
    assert recipes.make(tmp_path / "recipes.toml") == 0
    assert SHELF.read(tmp_path / "presets" / "a.toml").provenance["start"] == "start"
    assert not (tmp_path / "a.toml").exists()
