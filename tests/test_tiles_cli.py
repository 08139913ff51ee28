"""`nfsim tiles`: what it prints and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nfsim.cli import main
from nfsim.cli.tiles import app
from nfsim.errors import BadInput


def run(*arguments: str) -> int:
    """Run the subcommand as the command line does; bad input is raised."""
    return app(list(arguments), standalone_mode=False) or 0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run("export", "--out", str(tmp_path / "set")) == 0
    return tmp_path / "set"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8-sig")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_a_set_that_agrees_with_the_manual_checks_with_0(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", str(folder)) == 0
    out = capsys.readouterr().out
    assert "agrees with the manual's table" in out
    assert "67 of 73 worlds" in out


def test_a_set_that_differs_checks_with_1_and_lists_each_difference(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(folder / "worlds.csv", "Gem World,no,2,0,1,", "Gem World,no,2,0,2,")
    assert run("check", str(folder)) == 1
    out = capsys.readouterr().out
    assert "manual: 24 non-military worlds take 1 colonist (000 p. 3); this set: 23" in out
    assert "manual: 15 non-military worlds take 2 colonists (000 p. 3); this set: 16" in out
    assert "differs in 2 rows" in out


def test_a_set_that_cannot_be_played_is_bad_input(folder: Path) -> None:
    path = folder / "worlds.csv"
    path.write_text("\n".join(path.read_text("utf-8-sig").splitlines()[:5]), "utf-8")
    with pytest.raises(BadInput, match=r"worlds\.csv: cannot be played: .* need at least .* worlds in the bag"):
        run("check", str(folder))


def test_a_set_that_only_one_campaign_cannot_use_is_named_with_it(folder: Path) -> None:
    path = folder / "developments.csv"
    lines = [line for line in path.read_text("utf-8-sig").splitlines() if not line.startswith("Terraforming Robots")]
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(BadInput, match=r"needs the two-sided stack.*found with solo campaign 6"):
        run("check", str(folder))


def test_readings_decide_how_the_check_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--set", "rules.table_keywords=excluded", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert [row["has"] for row in found["differences"]] == ["3", "11", "6"]
    assert found["exit_code"] == 1


def test_the_check_takes_no_other_settings() -> None:
    with pytest.raises(BadInput, match="has no meaning here"):
        run("check", "--set", "setup.players=2")


def test_list_prints_a_line_for_each_record_of_a_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "goal") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 16


def test_an_unknown_kind_is_answered_with_the_nearest() -> None:
    with pytest.raises(BadInput, match='did you mean "world"'):
        run("list", "wrld")


def test_show_prints_every_field_and_what_is_reconstructed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "deep space symbionts") == 0
    out = capsys.readouterr().out
    assert 'world "Deep Space Symbionts"' in out
    assert "develop.credits 1\n" in out
    assert "colonists      1   (reconstructed)" in out


def test_show_of_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(BadInput, match='did you mean "Gem World"'):
        run("show", "Gem Wrld")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "no_such_folder"], "nfsim: no_such_folder: is neither a built-in tile set nor a folder"),
        (["check", "--set", "rules.table_keyword=excluded"], 'did you mean "table_keywords"?'),
        (["show", "Gem Wrld"], 'did you mean "Gem World"?'),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiles", *arguments]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1
    assert captured.out == ""


def test_the_exit_code_of_the_check_is_that_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tiles", "check", "--set", "rules.rare_good_world=windfall"]) == 1
    assert "differs in 2 rows" in capsys.readouterr().out


def test_a_check_lists_what_differs_from_the_built_in_set(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(folder / "worlds.csv", "Gem World,no,2,", "Gem World,no,9,")
    edit(folder / "setup.toml", "novelty = 1", "novelty = 2")
    assert run("check", str(folder)) == 0
    out = capsys.readouterr().out
    assert "2 records differ from the built-in set (2 changed):" in out
    assert '  world "Gem World": cost 2 -> 9' in out
    assert "  setup.toml: prices.novelty 1 -> 2" in out
    assert run("check", str(folder), "--json") == 0
    changes = json.loads(capsys.readouterr().out.splitlines()[-1])["changes"]
    assert changes[0] == {"record": 'world "Gem World"', "how": "changed", "fields": [["cost", "2", "9"]]}


def test_where_a_value_comes_from_is_no_difference(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(folder / "worlds.csv", ",reconstructed,name and", ",partly,name and")
    assert run("check", str(folder)) == 0
    assert "no record differs from the built-in set." in capsys.readouterr().out


def test_conditions_are_listed_with_short_and_long_thresholds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list", "condition") == 0
    assert "short: 40 VP; 2 nine_cost, long: 50 VP; 2 nine_cost" in capsys.readouterr().out


def test_an_export_says_as_json_what_it_wrote(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("export", "--out", str(tmp_path / "new"), "--json") == 0
    assert "worlds.csv" in json.loads(capsys.readouterr().out)["files"]
