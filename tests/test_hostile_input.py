"""Whatever is given to the command line ends in one sentence and an exit code, never in a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import fake_rules
import pytest

from nfsim.cli import console, main
from nfsim.contract import rule_set

GOOD = 'game = "new_frontiers"\ngames = 50\n[setup]\nplayers = 1\n'

DICE = 'game = "fake"\ngames = 100\npolicy = "roll"\n[setup]\nseats = 2\n'  # plays without compiling

BAD_FILES = {
    "empty": b"",
    "blank": b" \n\t\n",
    "binary": bytes(range(256)),
    "utf16": GOOD.encode("utf-16"),
    "null": GOOD.encode() + b"\0",
    "not_toml": b"game = = 3",
    "deep": b"x = " + b"[" * 400 + b"]" * 400,
    "deep_header": GOOD.encode() + b"[" + b".".join([b"a"] * 2000) + b"]\nb = 1\n",
    "digits": b'game = "new_frontiers"\ngames = ' + b"9" * 6000,
    "unknown_key": GOOD.encode() + b'policies = "balanced"\n',
    "unknown_game": b'game = "chess"\n',
    "no_game": b"games = 3\n",
    "wrong_type": b'game = "new_frontiers"\ngames = true\n',
    "float_games": b'game = "new_frontiers"\ngames = 3.5\n',
    "nan_rounds": b'game = "new_frontiers"\n[setup]\nrounds = nan\n',
    "infinite_rounds": b'game = "new_frontiers"\n[setup]\nrounds = inf\n',
    "seven_players": b'game = "new_frontiers"\n[setup]\nplayers = 7\n',
    "solo_without_goals": b'game = "new_frontiers"\n[setup]\nplayers = 1\ngoals = false\n',
    "unknown_ruling": b'game = "new_frontiers"\n[rules]\ncolonists = "empty"\n',
    "unknown_tile": b'game = "new_frontiers"\n[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem"\n'
    b"set = { cost = 1 }\n",
    "bad_power": b'game = "new_frontiers"\n[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem World"\n'
    b'set = { powers = ["settle.militry 2"] }\n',
    "itself": b'inherit = "itself.toml"\n',
    "missing_parent": b'inherit = "nowhere.toml"\n',
    "policies_of_another_type": b'game = "new_frontiers"\npolicy = 5\n',
    "title_of_two_lines": b'game = "new_frontiers"\ntitle = "a\\nb"\n',
    "control_characters": b'game = "new_frontiers"\n"\\u001b[31m\\n" = 1\n',
    "a_very_long_key": b'game = "new_frontiers"\n' + b"a" * 5000 + b" = 1\n",
    "empty_policies": b'game = "new_frontiers"\npolicy = []\n',
    "three_policies": b'game = "new_frontiers"\npolicy = ["balanced", "balanced", "uniform"]\n[setup]\nplayers = 1\n',
}

BAD_OPTIONS = {
    "no games": ["--games", "0"],
    "negative games": ["--games", "-1"],
    "too many games": ["--games", "1" + "0" * 30],
    "games in words": ["--games", "many"],
    "no jobs": ["--jobs", "0"],
    "a negative seed": ["--seed", "-3"],
    "a seed beyond 63 bits": ["--seed", str(2**64)],
    "an unknown policy": ["--policy", "balancd"],
    "an empty policy": ["--policy", ""],
    "an unknown log level": ["--log", "everything"],
    "a setting without a value": ["--set", "games"],
    "a setting without a key": ["--set", "=3"],
    "a setting of nothing": ["--set", "setup..rounds=3"],
    "a setting of a number with thousands of digits": ["--set", "setup.rounds=" + "9" * 5000],
    "a setting of a second key": ["--set", "setup.rounds=12\ngames=3"],
    "a setting with control characters": ["--set", "setup.\x1b[31m=1"],
    "more games than a folder can hold": ["--games", "1" + "0" * 12],
    "a folder name beyond every limit": ["--out", "x" * 5000],
    "a folder name that is not UTF-8": ["--out", "o\udcff"],
    "a tile set that is not there": ["--set", "tiles=nowhere"],
    "an empty folder name": ["--out", ""],
    "a folder name with a null character": ["--out", "a\0b"],
}

Outcome = tuple[int, str, str]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Outcome]:
    """Run a command in an empty folder and return its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)
    rule_set.register(fake_rules.RULE_SET)
    Path("dice.toml").write_text(DICE, "utf-8")

    def run(*arguments: str) -> Outcome:
        console._console.cache_clear()  # consoles remember whether their stream is a terminal
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def one_sentence(text: str) -> bool:
    """Tell whether a message is one line that can be read, without a traceback and characters a terminal obeys."""
    return text.endswith("\n") and text[:-1].isprintable() and "Traceback" not in text and len(text) < 600


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_scenario_is_named_in_one_sentence(name: str, command: Callable[..., Outcome]) -> None:
    Path(f"{name}.toml").write_bytes(BAD_FILES[name])
    code, out, error = command("run", f"{name}.toml")
    assert (code, out) == (2, "")
    assert one_sentence(error), error
    assert name in error
    assert not Path("runs").exists()


@pytest.mark.parametrize("what", BAD_OPTIONS)
def test_a_bad_option_is_named_in_one_sentence(what: str, command: Callable[..., Outcome]) -> None:
    Path("good.toml").write_text(GOOD, "utf-8")
    code, out, error = command("run", "good.toml", *BAD_OPTIONS[what])
    assert (code, out) == (2, "")
    assert one_sentence(error), error
    assert not Path("runs").exists()


def test_with_json_an_error_is_one_json_object(command: Callable[..., Outcome]) -> None:
    code, out, _ = command("run", "missing.toml", "--json")
    assert code == 2
    found = json.loads(out)
    assert (found["ok"], found["exit_code"]) == (False, 2)
    assert "missing.toml" in found["error"]


@pytest.mark.parametrize("arguments", [("report",), ("report", "."), ("report", "x", "y"), ("replay", ".", "0")])
def test_a_folder_that_holds_no_run_is_refused(arguments: tuple[str, ...], command: Callable[..., Outcome]) -> None:
    code, _, error = command(*arguments)
    assert code == 2
    assert one_sentence(error), error


def test_a_folder_that_cannot_be_written_is_refused(command: Callable[..., Outcome]) -> None:
    Path("good.toml").write_text(GOOD, "utf-8")
    Path("file").write_text("", "utf-8")
    code, _, error = command("run", "good.toml", "--out", "file/below")
    assert code == 2
    assert one_sentence(error), error
    assert "file" in error


def test_a_damaged_manifest_is_refused_by_name(command: Callable[..., Outcome]) -> None:
    Path("run").mkdir()
    Path("run", "manifest.json").write_text('{"format": 2, "games": ', "utf-8")
    for arguments in (("report", "run"), ("replay", "run", "0")):
        code, _, error = command(*arguments)
        assert code == 2
        assert one_sentence(error), error
        assert "manifest.json" in error


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no such device here")
def test_a_file_without_an_end_is_not_read_to_its_end(command: Callable[..., Outcome]) -> None:
    code, _, error = command("run", "/dev/zero")
    assert code == 2
    assert one_sentence(error), error
    assert "too large" in error


@pytest.fixture
def tiles(command: Callable[..., Outcome]) -> Path:
    assert command("tiles", "export", "--out", "set")[0] == 0
    return Path("set")


BAD_TILES = {
    "a setup nested too deeply": ("setup.toml", b"x = " + b"[" * 3000),
    "a setup with a number of thousands of digits": ("setup.toml", b"x = " + b"9" * 5000),
    "a setup with control characters": ("setup.toml", b'["\\u001b[31m"]\na = 1\n'),
    "a file in UTF-16": ("worlds.csv", "name,cost\r\n".encode("utf-16")),
    "a name with control characters": (
        "goals.csv",
        b"name,measure,steps,status,stockpile\na\x1b[31m,colony,3:2,x,none\n",
    ),
}


@pytest.mark.parametrize("what", BAD_TILES)
def test_a_bad_tile_file_is_named_in_one_sentence(what: str, tiles: Path, command: Callable[..., Outcome]) -> None:
    name, content = BAD_TILES[what]
    (tiles / name).write_bytes(content)
    code, out, error = command("tiles", "check", str(tiles))
    assert (code, out) == (2, "")
    assert one_sentence(error), error
    assert name in error


def test_a_link_to_nowhere_is_no_missing_setup(tiles: Path, command: Callable[..., Outcome]) -> None:
    (tiles / "setup.toml").unlink()
    assert command("tiles", "check", str(tiles))[0] == 0
    (tiles / "setup.toml").symlink_to("nowhere")
    code, _, error = command("tiles", "check", str(tiles))
    assert code == 2
    assert "setup.toml: there is no such file" in error


@pytest.mark.parametrize("name", ["~nobody_of_this_name/x", "x" * 5000, "a\0b", "\udcff", "dice.toml"])
def test_what_cannot_be_a_tile_set_is_one_sentence(name: str, command: Callable[..., Outcome]) -> None:
    code, _, error = command("tiles", "check", name)
    assert code == 2
    assert one_sentence(error), error


@pytest.mark.parametrize("name", ["a [b] *?", "~", "ä 🪐/\x1b[31m"])
def test_a_run_can_lie_in_a_folder_of_any_name(name: str, command: Callable[..., Outcome]) -> None:
    code, out, _ = command("run", "dice.toml", "--jobs", "1", "--out", name)
    assert code == 0
    assert "\x1b" not in out
    assert command("run", "dice.toml", "--jobs", "1", "--out", name)[0] == 0


def test_a_damaged_finished_run_is_named_by_the_report_and_played_again(command: Callable[..., Outcome]) -> None:
    def numbers() -> object:
        code, out, _ = command("run", "dice.toml", "--jobs", "1", "--out", "out", "--json")
        assert code == 0
        found = json.loads(out)
        return found["played"], found["wins"]

    _, wins = numbers()
    assert numbers() == (0, wins)
    part = next(Path("out", "seats").iterdir())
    whole = part.read_bytes()
    for damaged in (b"", whole[:100], whole[:-20] + b"x" * 20, next(Path("out", "games").iterdir()).read_bytes()):
        part.write_bytes(damaged)
        code, _, error = command("report", "out")
        assert code == 2
        assert one_sentence(error), error
        assert f"{part}: this part " in error
        assert "run the scenario again" in error
        assert numbers() == (100, wins)
        assert part.read_bytes() == whole
    part.unlink()
    assert numbers() == (100, wins)


@pytest.mark.parametrize("key", ["title", "games", "policies", "tiles", "objectives", "tables", "scenario", "statuses"])
def test_a_manifest_with_a_value_of_another_type_is_refused_by_key(key: str, command: Callable[..., Outcome]) -> None:
    command("run", "dice.toml", "--jobs", "1", "--out", "out")
    manifest = Path("out", "manifest.json")
    manifest.write_text(json.dumps(json.loads(manifest.read_text("utf-8")) | {key: 1.5}), "utf-8")
    for arguments in (("report", "out"), ("replay", "out", "0"), ("run", "dice.toml", "--out", "out")):
        code, out, error = command(*arguments)
        assert (code, out) == (2, "")
        assert one_sentence(error), error
        assert f"manifest.json: {key}: must be" in error


@pytest.mark.parametrize("manifest", ["{}", '{"identity": {"game": "fake"}}', '{"name": "an extension of a browser"}'])
def test_the_demo_removes_nothing_that_is_not_a_run(manifest: str, command: Callable[..., Outcome]) -> None:
    folder = Path("runs", "demo_short")
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(manifest, "utf-8")
    (folder / "precious.txt").write_text("dear", "utf-8")
    code, _, error = command("demo", "--games", "5", "--jobs", "1")
    assert code == 2
    assert one_sentence(error), error
    assert {file.name for file in folder.iterdir()} == {"manifest.json", "precious.txt"}


def test_a_report_or_tile_set_that_cannot_be_written_leaves_nothing_half(
    command: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    code, _, error = command("tiles", "export", "--out", "set")
    assert (code, list(Path("set").iterdir())) == (2, [])
    assert "set: cannot be written" in error


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which $NFSIM is the command."""
    command = f"'{sys.executable}' -m nfsim"
    return subprocess.run(
        ["sh", "-c", line.replace("$NFSIM", command)], env={**os.environ, **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="a shell")
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("$NFSIM policies >&-", 0), ("$NFSIM policies 2>&-", 0), ("$NFSIM policies <&- >&- 2>&-", 0),
        ("$NFSIM run none.toml 2>&-", 2), ("$NFSIM run none.toml --json >&-", 2),
    ],
)  # fmt: skip
def test_closed_outputs_change_no_exit_code(line: str, code: int) -> None:
    done = shell(line)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_an_output_that_is_full_is_one_sentence_and_exit_code_1() -> None:
    done = shell("$NFSIM policies > /dev/full")
    assert done.returncode == 1
    assert one_sentence(done.stderr), done.stderr
    assert shell("$NFSIM run none.toml 2> /dev/full").returncode == 2


def test_an_encoding_without_the_characters_breaks_nothing() -> None:
    done = shell("$NFSIM run ä–.toml; $NFSIM tiles list --json", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "xe4" in done.stderr
    assert "Traceback" not in done.stderr
    assert json.loads(done.stdout)["ok"] is True
