"""Whatever is given to the command line ends in one sentence and an exit code, never in a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nfsim.cli import main

GOOD = 'game = "new_frontiers"\ngames = 50\n[setup]\nplayers = 1\n'

BAD_FILES = {
    "empty": b"",
    "blank": b" \n\t\n",
    "binary": bytes(range(256)),
    "utf16": GOOD.encode("utf-16"),
    "null": GOOD.encode() + b"\0",
    "not_toml": b"game = = 3",
    "deep": b"x = " + b"[" * 400 + b"]" * 400,
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

    def run(*arguments: str) -> Outcome:
        code = main(arguments)
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


def one_sentence(text: str) -> bool:
    """Tell whether a message is one line without a traceback."""
    return len(text.strip().splitlines()) == 1 and "Traceback" not in text


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
    Path("run", "manifest.json").write_text('{"format": 1, "games": ', "utf-8")
    for arguments in (("report", "run"), ("replay", "run", "0")):
        code, _, error = command(*arguments)
        assert code == 2
        assert one_sentence(error), error
        assert "manifest.json" in error
