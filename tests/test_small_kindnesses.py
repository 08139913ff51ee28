"""What goes wrong in small ways is said in one sentence, or does not go wrong at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nfsim.cli.console import PLAIN

PRESET = Path(__file__).parent.parent / "nfsim/games/new_frontiers/policies/presets/balanced.toml"


@pytest.mark.parametrize("again", ["./w.toml", "{here}/w.toml"])
def test_one_policy_file_by_two_paths_is_named_twice(command, tmp_path, monkeypatch, again):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.toml").write_bytes(PRESET.read_bytes())
    code, _, error = command("ladder", "rift_2p", "--policies", f"w.toml,{again.format(here=tmp_path)}", "--games", 1)
    assert (code, error.count("\n")) == (2, 1)
    assert "are both called w; name each policy once" in error


def test_a_ladder_of_one_policy_names_another_one(command):
    code, _, error = command("ladder", "rift_2p", "--policies", "uniform")
    assert code == 2
    assert error.rstrip().endswith("give at least two, for example uniform,balanced")


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    line = f'"{sys.executable}" -m nfsim schema 2>{tmp_path}/error | head -1; exit "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, (tmp_path / "error").read_text()) == (0, "")


def test_signs_that_an_encoding_lacks_are_written_plainly():
    text = "10\N{EN DASH}12 \N{MINUS SIGN}3 \N{HORIZONTAL ELLIPSIS} \N{GREEK SMALL LETTER ALPHA}"
    assert text.encode("ascii", PLAIN) == rb"10-12 -3 ... \u03b1"


def test_a_window_system_that_is_not_there_is_no_matter(command, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "nonsense")
    assert command("info")[0] == 0
    assert "MPLBACKEND" not in os.environ


def test_an_unknown_switch_is_unknown_whatever_its_value(command):
    for value in ("1", "x", "[1]"):
        code, _, error = command("run", "rift_2p", "--set", f"rules.nonesuch={value}")
        assert code == 2
        assert 'unknown switch "nonesuch"' in error


def test_one_ruling_is_shown_by_its_number(command):
    code, text, _ = command("rules", "r18")
    assert code == 0
    assert text.startswith("R18  ")
    assert "R17" not in text
    code, _, error = command("rules", "R999")
    assert (code, "there is no ruling R999" in error) == (2, True)
