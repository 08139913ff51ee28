"""A disk that fills up while a command writes: one sentence, what is complete is kept, and the same command goes on."""

import sys

import pytest
from disks import disk, enlarge

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="disks are mounted")

SOLO = "solo_campaign1_short"
COMMANDS = {
    "campaign": (["campaign", "1", "--policy", "balanced", "--campaigns", 600, "--sample", 2, "--out"], "out", "8k"),
    "ladder": (["ladder", "rift_2p", "--policies", "uniform,balanced", "--games", 40, "--out"], "out", "8k"),
    "tune": (["tune", SOLO, "--games", 2, "--generations", 3, "--held-out", 100, "--out"], "out.toml", "4k"),
    "tiles sample": (["tiles", "sample", "--count", 4, "--out"], "out", "160k"),
}


@pytest.fixture(params=COMMANDS)
def filling(request, tmp_path):
    """Give a command and where it writes: its name on a disk that it fills, and on one with room."""
    arguments, name, size = COMMANDS[request.param]
    with disk(tmp_path / "small", size) as small:
        yield arguments, small / name, tmp_path / name


def written(out):
    """Return what lies at a place, by name: tables as they are, JSON without times is somebody else's test."""
    files = [out] if out.is_file() else [file for file in out.rglob("*") if file.is_file()]
    return {file.name: file.read_bytes() for file in files if file.name not in ("manifest.json", ".lock")}


def test_a_full_disk_is_one_sentence_and_the_same_command_goes_on(command, filling):
    arguments, out, whole = filling
    code, said, error = command(*arguments, out)
    assert (code, said) == (1, "")
    assert error.startswith("nfsim: cannot read or write (No space left on device): ")
    assert error.count("\n") == 1
    assert "are kept in" in error
    assert "the same command goes on from there: nfsim " in error
    enlarge(out.parent)
    assert command(*arguments, out)[0] == 0
    assert command(*arguments, whole)[0] == 0
    assert written(out) == written(whole)
