import dataclasses
from pathlib import Path

import fake_rules
import pytest

from nfsim.contract import rule_set
from nfsim.errors import BadInput
from nfsim.run.scenario import read_scenario, scenario_from
from nfsim.run.scenario_files import parse_setting

SCENARIOS = Path(__file__).parents[1] / "scenarios"


@pytest.fixture(autouse=True)
def _dice():
    rule_set.register(fake_rules.RULE_SET)


def write(folder, text, name="s.toml"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def complaint(call, *arguments):
    with pytest.raises(BadInput) as caught:
        call(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_the_shortest_scenario_names_a_game(tmp_path):
    scenario = read_scenario(write(tmp_path, 'game = "fake"\npolicy = "roll"'))
    assert (scenario.name, scenario.games, scenario.policies) == ("s", 20_000, ("roll",))
    assert scenario.resolved["setup"] == {"rounds": 3, "seats": 1}


def test_an_heir_changes_single_keys(tmp_path):
    write(tmp_path, 'game = "fake"\npolicy = "roll"\ngames = 7\n[setup]\nrounds = 5\nseats = 2', "base.toml")
    (tmp_path / "below").mkdir()
    heir = write(tmp_path / "below", 'inherit = "../base.toml"\n[setup]\nrounds = 9', "heir.toml")
    scenario = read_scenario(heir)
    assert scenario.games == 7
    assert scenario.resolved["setup"] == {"rounds": 9, "seats": 2}
    assert scenario.policies == ("roll", "roll")


def test_set_wins_over_the_file_and_later_ones_over_earlier_ones(tmp_path):
    path = write(tmp_path, 'game = "fake"\npolicy = "roll"')
    scenario = read_scenario(path, ["setup.rounds=4", "setup.rounds=6", "policy=throw", "title=A = B"], {"games": 12})
    assert scenario.resolved["setup"]["rounds"] == 6
    assert scenario.policies == ("throw",)
    assert scenario.title == "A = B"
    assert scenario.games == 12


def test_what_a_manifest_keeps_gives_the_same_scenario_again(tmp_path):
    scenario = read_scenario(SCENARIOS / "solo_campaign6_long.toml", ["rules.profile=table"])
    again = scenario_from(scenario.resolved, "manifest.json", scenario.name)
    assert again.resolved == scenario.resolved
    assert again.prepared.tile_hash == scenario.prepared.tile_hash
    assert again.prepared.rulings == scenario.prepared.rulings


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_every_scenario_of_the_project_can_be_played(path):
    scenario = read_scenario(path)
    setup = scenario.resolved["setup"]
    assert scenario.title
    if path.stem.startswith("solo"):
        campaign, length = path.stem.removeprefix("solo_campaign").split("_")
        assert (setup["campaign"], setup["length"]) == (int(campaign), length)
        assert setup["rounds"] == {"short": 10, "long": 12}[length]
        assert len(scenario.rule_set.objectives(scenario.prepared)) == 4
    else:
        expansion, seats = path.stem.split("_")[:2]
        assert setup["players"] == int(seats[0]) == len(scenario.policies)
        assert setup["expansion"] == {"base": "base", "rift": "starry_rift"}[expansion]
        assert setup["goals"] == (expansion == "rift" and not path.stem.endswith("no_goals"))


def test_the_scenarios_asked_for_are_there():
    solo = {f"solo_campaign{c}_{length}" for c in range(1, 7) for length in ("short", "long")}
    table = {f"{game}_{n}p" for game in ("base", "rift") for n in (2, 3, 4, 5)}
    assert {path.stem for path in SCENARIOS.glob("*.toml")} >= solo | table | {"rift_4p_no_goals"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["s.toml", "is empty"]),
        ("   \n", ["s.toml", "is empty"]),
        ("game = ", ["s.toml", "is not TOML"]),
        ("title = 'x'", ["s.toml", "game", "is missing"]),
        ("game = 3", ["s.toml", "game", "must be text"]),
        ('game = "new_frontier"', ["game", 'did you mean "new_frontiers"?']),
        ('game = "fake"\npolicies = "roll"', ["policies", 'did you mean "policy"?']),
        ('game = "fake"\ngames = 0', ["games", "at least 1", "not 0"]),
        ('game = "fake"\ngames = -5', ["games", "at least 1", "not -5"]),
        ('game = "fake"\ngames = 1e30', ["games", "whole number", "1e+30"]),
        ('game = "fake"\ngames = 1000000000000000000000000000000', ["games", "at most 1000000000,"]),
        ('game = "fake"\ngames = "many"', ["games", "whole number", '"many"']),
        ('game = "fake"\ngames = true', ["games", "whole number"]),
        ('game = "fake"\ngames = nan', ["games", "whole number"]),
        ('game = "fake"\npolicy = "rol"', ["policy", 'unknown policy "rol"', 'did you mean "roll"?']),
        ('game = "fake"\npolicy = []', ["policy"]),
        ('game = "fake"\npolicy = ["roll", "roll"]', ["policy", "2 policies for 1 seat"]),
        ('game = "fake"\npolicy = "roll"\n[setup]\nrounds = "x"', ["s.toml", "setup.rounds"]),
        ('game = "fake"\npolicy = "roll"\ntiles = "dise"', ["tiles", 'unknown tile set "dise"', "dice"]),
        ('game = "fake"\npolicy = "roll"\ntiles = "a\\u0000b"', ["tiles", "unknown tile set"]),
        ('inherit = "no.toml"', ["s.toml", "inherit", "no.toml", "there is no such file"]),
        ('inherit = "s.toml"', ["inherit", "circle"]),
        ("inherit = 3", ["inherit", "name of a file"]),
        ('inherit = "."', ["inherit", "is a folder"]),
        ("a = " + "[" * 5000, ["s.toml", "is not TOML"]),
    ],
)
def test_a_mistake_in_a_scenario_is_one_sentence_with_file_and_key(tmp_path, text, words):
    message = complaint(read_scenario, write(tmp_path, text))
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("setup.rounds", ["--set setup.rounds", "key=value"]),
        ("=3", ["--set", "key=value"]),
        ("setup..rounds=3", ["--set", "key=value"]),
        ("titel=x", ["--set titel=x", 'did you mean "title"?']),
        ("games=-1", ["--set games=-1", "games", "at least 1"]),
        ("inherit=x.toml", ["inherit", "only stand in a file"]),
        ("setup.rounds=abc", ["--set setup.rounds=abc", "setup.rounds"]),
        ("setup=3", ["--set setup=3", "setup"]),
        ("policy=nobody", ["--set policy=nobody", "unknown policy"]),
    ],
)
def test_a_mistake_in_set_names_the_option(tmp_path, setting, words):
    path = write(tmp_path, 'game = "fake"\npolicy = "roll"')
    message = complaint(read_scenario, path, [setting])
    assert [word for word in words if word not in message] == []


def test_other_files_are_no_scenarios(tmp_path):
    assert "there is no such file" in complaint(read_scenario, tmp_path / "none.toml")
    assert "is a folder" in complaint(read_scenario, tmp_path)
    (tmp_path / "latin.toml").write_bytes('game = "fäke"'.encode("latin-1"))
    assert "UTF-8" in complaint(read_scenario, tmp_path / "latin.toml")
    (tmp_path / "huge.toml").write_bytes(b"#" * 2_000_000)
    assert "too large" in complaint(read_scenario, tmp_path / "huge.toml")
    assert "cannot be read" in complaint(read_scenario, "a\0b.toml")


def test_a_nearly_right_name_is_suggested():
    assert "solo_campaign1_short.toml" in complaint(read_scenario, SCENARIOS / "solo_campain1_short.toml")


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    (tmp_path / "s.toml").write_bytes(b'\xef\xbb\xbfgame = "fake"\npolicy = "roll"')
    assert read_scenario(tmp_path / "s.toml").policies == ("roll",)


def test_inheriting_ends_somewhere(tmp_path):
    for number in range(12):
        write(tmp_path, f'inherit = "{number + 1}.toml"', f"{number}.toml")
    write(tmp_path, 'game = "fake"', "12.toml")
    assert "more than 8 files" in complaint(read_scenario, tmp_path / "0.toml")


def test_a_mistake_in_an_ancestor_is_named_there(tmp_path):
    write(tmp_path, 'game = "fake"\npolicy = "roll"\ngames = 0', "base.toml")
    assert "base.toml: games" in complaint(read_scenario, write(tmp_path, 'inherit = "base.toml"', "heir.toml"))


def test_patches_of_an_heir_are_added_to_those_it_inherits(tmp_path):
    patch = '[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem World"\nset = {{ cost = {} }}\n'
    write(tmp_path, 'game = "new_frontiers"\n' + patch.format(3), "base.toml")
    heir = write(tmp_path, 'inherit = "base.toml"\n' + patch.format(4), "heir.toml")
    assert [p["set"]["cost"] for p in read_scenario(heir).resolved["patch"]] == [3, 4]


def test_a_value_of_set_is_toml_or_else_text():
    assert parse_setting("a.b=3") == {"a": {"b": 3}}
    assert parse_setting("a=[1, 2]") == {"a": [1, 2]}
    assert parse_setting("a=true") == {"a": True}
    assert parse_setting("a=plain words") == {"a": "plain words"}
    assert parse_setting("a='quoted'") == {"a": "quoted"}
    assert parse_setting("a=1\nb=2") == {"a": "1\nb=2"}


def test_a_folder_of_tiles_is_looked_up_beside_the_file_that_names_it(tmp_path):
    (tmp_path / "mine").mkdir()
    path = write(tmp_path, 'game = "fake"\npolicy = "roll"\ntiles = "mine"')
    seen = []
    original = fake_rules.RULE_SET.read_settings

    def spy(data, file):
        seen.append(data["tiles"])
        return original(data, file)

    rule_set.register(dataclasses.replace(fake_rules.RULE_SET, read_settings=spy))
    read_scenario(path)
    assert seen == [str((tmp_path / "mine").resolve())]


def test_changes_of_the_command_line_stand_behind_the_title(tmp_path):
    path = write(tmp_path, 'game = "fake"\ntitle = "Dice"\npolicy = "roll"')
    assert read_scenario(path).shown_title == "Dice"
    settings = ["setup.rounds=4", "setup.seats = 2", "setup.rounds=5"]
    changed = read_scenario(path, settings, {"games": 7, "policy": "throw"})
    assert changed.changes == ("setup.seats=2", "setup.rounds=5", "policy=throw")
    # who plays is said beside every title
    assert changed.shown_title == "Dice (setup.seats=2, setup.rounds=5)"
    assert changed.title == changed.resolved["title"] == "Dice"


def test_an_unknown_tile_set_says_where_it_was_looked_for(tmp_path):
    path = write(tmp_path, 'game = "fake"\npolicy = "roll"\ntiles = "mine"')
    assert f"no folder of that name in {tmp_path.resolve()}" in complaint(read_scenario, path)


def test_a_bare_name_is_a_built_in_scenario_unless_a_file_has_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert read_scenario("rift_2p").name == "rift_2p"
    assert read_scenario("rift_2p.toml").rule_set.name == "new_frontiers"
    write(tmp_path, 'inherit = "rift_2p"\ngames = 3', "heir.toml")
    assert read_scenario("heir.toml").games == 3
    write(tmp_path, 'game = "fake"\npolicy = "roll"', "rift_2p.toml")
    assert read_scenario("rift_2p.toml").rule_set.name == "fake"


def test_a_missing_scenario_suggests_the_nearest_or_says_where_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert 'did you mean "solo_campaign1_short", which is built in?' in complaint(read_scenario, "solo_campain1_short")
    assert "those that come with nfsim are in" in complaint(read_scenario, "nothing_like_it")
    (tmp_path / "scenarios").mkdir()
    write(tmp_path / "scenarios", 'game = "fake"', "solo_campaign1_short.toml")
    assert "scenarios/solo_campaign1_short.toml" in complaint(read_scenario, "solo_campaign1_shor")


DEARER = '[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem World"\nset = { cost = 9 }\n'


def test_a_file_of_patches_is_a_setting_of_its_own_and_several_add_up(tmp_path):
    one, two = tmp_path / "dearer.toml", tmp_path / "dearest.toml"
    one.write_text(DEARER)
    two.write_text(DEARER.replace("9", "12"))
    found = read_scenario("rift_2p", [f"patch={one}", f"patch={two}"])
    assert [world.cost for world in found.prepared.tile_set.worlds if world.name == "Gem World"] == [12]
    assert found.changes == ("patch=dearer.toml, dearest.toml",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (DEARER.replace("[[patch]]", "[patch]"), r"dearer\.toml: patch: is one table, \[patch\]; write \[\[patch\]\]"),
        (f"games = 3\n{DEARER}", r"dearer\.toml: games: has no place in a file of patches"),
        ("", r"dearer\.toml: patch: must be \[\[patch\]\] tables"),
        (DEARER.replace("Gem World", "Gem Wrld"), r'dearer\.toml: patch\.0\.name: .*did you mean "Gem World"'),
    ],
)
def test_what_is_wrong_in_a_file_of_patches_is_said_of_that_file(tmp_path, monkeypatch, content, said):
    monkeypatch.chdir(tmp_path)
    Path("dearer.toml").write_text(content)
    with pytest.raises(BadInput, match=said):
        read_scenario("rift_2p", ["patch=dearer.toml"])
