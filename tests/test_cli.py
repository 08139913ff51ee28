import errno
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import fake_rules
import pytest

import nfsim.cli
from nfsim.contract import rule_set

SCENARIOS = Path(__file__).parents[1] / "scenarios"


@pytest.fixture(autouse=True)
def _dice():
    rule_set.register(fake_rules.RULE_SET)


@pytest.fixture
def dice(tmp_path):
    path = tmp_path / "dice.toml"
    path.write_text('game = "fake"\ngames = 100\npolicy = "roll"\n[setup]\nseats = 2\n')
    return str(path)


def refused(result, *words):
    code, out, err = result
    assert code == 2
    assert out == ""
    assert err.startswith("nfsim: ")
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err
    assert [word for word in words if word not in err] == []


def test_a_run_prints_win_rates_with_intervals_and_the_share_of_reconstruction(command, dice, tmp_path):
    code, out, _ = command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "dice: 100 games, roll"
    assert "0 roll" in lines[2]
    assert "–" in lines[2]
    assert "All dice are made up." in lines
    assert lines[-1] == f"Tables and manifest: {tmp_path / 'out'}"


def test_a_second_run_is_reported_and_left(command, dice, tmp_path):
    command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    code, out, err = command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    assert code == 0
    assert "was finished before" in err
    assert "0 roll" in out


def test_another_run_in_the_folder_is_refused(command, dice, tmp_path):
    command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    result = command("run", dice, "--out", tmp_path / "out", "--jobs", 1, "--seed", 2, "--log", "games")
    refused(result, "holds another run", "seed is 1 there, 2 here", "log is rounds there, games here", "--out")


def test_the_default_folder_is_named_after_the_scenario(command, dice, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command("run", dice, "--jobs", 1)[0] == 0
    assert (tmp_path / "runs" / "dice" / "manifest.json").is_file()


def test_json_is_one_object_at_the_end(command, dice, tmp_path):
    code, out, _ = command("run", dice, "--out", tmp_path / "out", "--jobs", 1, "--json", "--policy", "roll,throw")
    found = json.loads(out)
    assert code == found["exit_code"] == 0
    assert found["ok"] is True
    assert found["played"] == 100
    assert found["policies"] == ["roll", "throw"]
    assert [row["n"] for row in found["wins"]] == [100, 100]


def test_json_says_what_is_wrong(command, dice):
    code, out, err = command("run", dice, "--games", "0", "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["exit_code"]) == (2, False, 2)
    assert found["error"] in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--games", "0"], ["--games", "at least 1"]),
        (["--games", "-5"], ["--games", "at least 1", "-5"]),
        (["--games", "1e30"], ["--games", "whole number", "1e30"]),
        (["--games", "nan"], ["--games", "whole number"]),
        (["--games", "9" * 30], ["--games", "at most"]),
        (["--games", ""], ["--games", "whole number"]),
        (["--seed", "x"], ["--seed", "whole number"]),
        (["--seed", "-1"], ["--seed", "from 0"]),
        (["--jobs", "0"], ["--jobs", "from 1"]),
        (["--jobs", "two"], ["--jobs", "whole number"]),
        (["--policy", "rol"], ["--policy", 'did you mean "roll"?']),
        (["--policy", "roll,roll,roll"], ["--policy", "3 policies for 2 seats"]),
        (["--policy", ""], ["--policy"]),
        (["--log", "round"], ["--log", 'did you mean "rounds"?']),
        (["--set", "setup.rouns=3"], ["--set setup.rouns=3", "setup.rouns"]),
        (["--set", "nonsense"], ["--set nonsense", "key=value"]),
        (["--out", ""], ["--out"]),
        (["--gmaes", "3"], ["--gmaes"]),
        (["--games"], ["--games"]),
        (["more.toml"], ["more.toml"]),
    ],
)
def test_a_mistake_on_the_command_line_is_one_sentence(command, dice, tmp_path, arguments, words):
    refused(command("run", dice, "--out", tmp_path / "out", *arguments), *words)
    assert not (tmp_path / "out").exists()


def test_folders_that_cannot_be_used_are_named(command, dice, tmp_path):
    (tmp_path / "file").write_text("x")
    refused(command("run", dice, "--out", tmp_path / "file"), "file", "is a file")
    refused(command("run", dice, "--out", tmp_path / "file" / "below"), "below", "cannot be written")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("x")
    refused(command("run", dice, "--out", tmp_path / "full"), "full", "holds other files")
    refused(command("run", tmp_path), "is a folder")
    refused(command("run", tmp_path / "none.toml"), "none.toml", "no such file")
    refused(command("replay", tmp_path / "none", 1), "no such folder")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_an_unwritable_folder_is_named(command, dice):
    refused(command("run", dice, "--out", "/proc/nfsim"), "/proc/nfsim", "cannot be written")


def test_a_full_disk_is_one_json_object(command, dice, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr("nfsim.run.scenario.read_layers", full)
    code, out, err = command("run", dice, "--json")
    assert (code, json.loads(out)["exit_code"]) == (1, 1)
    assert err == "nfsim: somewhere: cannot be read or written (No space left on device)\n"


def test_a_wrong_command_is_one_sentence(command):
    refused(command("ruun"), "ruun")
    refused(command("run"), "SCENARIO")


def test_no_command_shows_the_help(command):
    code, out, _ = command()
    assert code == 2
    for name in ("run", "demo", "report", "replay", "schema", "rules", "policies", "bench", "info", "tiles"):
        assert f"\n  {name} " in out


@pytest.mark.parametrize(
    "name", ["run", "demo", "report", "replay", "schema", "rules", "policies", "bench", "info", "tiles"]
)
def test_every_command_explains_itself(command, name):
    code, out, _ = command(name, "--help")
    assert code == 0
    assert f"nfsim {name}" in out


def test_ctrl_c_says_what_is_kept_and_exits_with_130(command, dice, tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nfsim.run.execute.play_chunk", interrupt)
    code, _, err = command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    assert code == 130
    assert "0 of 100 games are kept" in err
    assert "goes on from there" in err


def test_ctrl_c_while_nothing_is_played_says_how_to_go_on(command, dice, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("nfsim.run.scenario.read_layers", interrupt)
    code, _, err = command("run", dice)
    words = "interrupted: what was complete is kept; the same command goes on from there"
    assert (code, err) == (130, f"nfsim: {words}: {shlex.join(['nfsim', 'run', str(dice)])}\n")


def test_schema_lists_every_column_of_the_tables(command):
    from nfsim.games.new_frontiers.columns import CAMPAIGNS, TABLES

    _, out, _ = command("schema", "--json")
    listed = {table["name"]: [column["name"] for column in table["columns"]] for table in json.loads(out)["tables"]}
    assert listed == {table.name: [column.name for column in table.columns] for table in (*TABLES, CAMPAIGNS)}
    _, text, _ = command("schema")
    for table in (*TABLES, CAMPAIGNS):
        assert f"{table.name}: {table.meaning}" in text
        for column in table.columns:
            assert column.meaning in text
    refused(command("schema", "seat"), 'did you mean "seats"?')


def test_the_tables_have_the_columns_asked_for():
    from nfsim.games.new_frontiers.columns import ROW_DTYPES

    assert ROW_DTYPES["selections"].names == ("game", "round", "order", "seat", "action", "chosen_by")
    assert len(ROW_DTYPES["rounds"].names) == 22
    assert len(ROW_DTYPES["seats"].names) == 42
    for dtype in ROW_DTYPES.values():
        assert dtype.itemsize == 8 * len(dtype.names)


def test_rules_lists_what_is_in_force(command):
    from nfsim.games.new_frontiers.rulings import RULINGS

    _, out, _ = command("rules", "--json")
    assert [ruling["in_force"] for ruling in json.loads(out)["rulings"]] == [ruling.seed for ruling in RULINGS]
    arguments = ["--set", "rules.profile=table", "--set", "rules.colonist_end=four_left"]
    _, out, _ = command("rules", SCENARIOS / "rift_4p.toml", *arguments)
    assert "colonist_end = [four_left] | empty" in out
    assert "resolve_order = wrap | [top]" in out
    for ruling in RULINGS:
        assert ruling.question in out
        assert ruling.sources in out
    refused(command("rules", "--set", "rules.profile=table"), "--set", "needs a scenario")
    refused(command("rules", SCENARIOS / "rift_4p.toml", "--set", "rules.profil=table"), "profil")


def test_policies_are_listed(command):
    _, out, _ = command("policies", "--game", "fake")
    assert out.splitlines() == ["policy  kind  what it does", "roll    dice  rolls", "throw   dice  throws"]
    assert "balanced" in command("policies")[1]
    refused(command("policies", "--game", "chess"), "unknown game")


def test_replay_prints_a_game(command, dice, tmp_path):
    command("run", dice, "--out", tmp_path / "out", "--jobs", 1)
    assert command("replay", tmp_path / "out", 7)[:2] == (0, "game 7 of seed 1\nrolls a six\n")
    refused(command("replay", tmp_path / "out", 100), "GAME", "from 0 to 99")
    refused(command("replay", tmp_path / "out", "x"), "GAME", "whole number")


def test_info_and_version(command):
    assert "compiled code" in command("info")[1]
    assert command("--version")[1] == f"nfsim {nfsim.__version__}\n"


def test_output_that_is_no_terminal_has_no_colours_and_no_wrapping(dice, tmp_path):
    environment = {**os.environ, "COLUMNS": "20", "FORCE_COLOR": "1"}
    for arguments in (["rules"], ["schema"], ["run", "--help"], ["policies"]):
        done = subprocess.run(
            [sys.executable, "-m", "nfsim", *arguments], env=environment, capture_output=True, text=True, check=True
        )
        assert "\x1b" not in done.stdout
        assert max(map(len, done.stdout.splitlines())) > 80


def test_help_imports_nothing_heavy():
    code = "import sys, nfsim.cli; nfsim.cli.main(['--help']); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1]
    for module in ("numba", "polars", "pyarrow", "joblib", "scipy", "matplotlib"):
        assert f"'{module}'" not in loaded


def test_a_run_says_what_was_changed_and_which_tiles_it_played(command, tmp_path):
    scenario = tmp_path / "mine.toml"
    patch = '[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem World"\nset = { cost = 5 }\n'
    scenario.write_text(f'game = "new_frontiers"\ntitle = "Mine"\npolicy = "uniform"\ngames = 20\n{patch}')
    assert command("tiles", "export", "--out", tmp_path / "tiles")[0] == 0
    arguments = ("--set", "setup.players=2", "--set", f"tiles={tmp_path / 'tiles'}", "--out", tmp_path / "out")
    code, out, _ = command("run", scenario, *arguments)
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("Mine (setup.players=2, tiles=")
    assert any(
        "hash " in line and line.endswith("1 record differs from the built-in set (1 changed)") for line in lines
    )
    assert "  patch: change world Gem World: cost = 5" in lines
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["changes"][0] == "setup.players=2"
    assert manifest["tile_changes"]["patches"] == ["change world Gem World: cost = 5"]
    assert not any("change" in key for key in manifest["identity"])


def test_a_terminal_that_closes_while_a_line_is_printed_ends_as_ctrl_c_does(monkeypatch):
    there = iter([True, True, True])  # at the beginning; then it is gone

    def gone(_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "isatty", lambda _: next(there, False))
    monkeypatch.setattr(nfsim.cli, "build_app", gone)
    assert nfsim.cli.main(["run"]) == 130
