"""Every command that plays for long, stopped by Ctrl-C or killed while it plays: the same command ends as undisturbed.

Pages are compared by the numbers in their files; the pages themselves tell when and for how long was played.
"""

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from killing import differences

pytestmark = [pytest.mark.skipif(sys.platform == "win32", reason="signals"), pytest.mark.usefixtures("undrawn")]

SOLO = "solo_campaign1_short"
OUT = {"tune": "out.toml"}  # where it is not a folder
COMMANDS = {
    "run": ["run", SOLO, "--games", "20100"],
    "run --until": ["run", SOLO, "--until", "0.02", "--games", "40000"],
    "difficulty": ["difficulty", "--policies", "uniform,balanced", "--games", "40", "--no-campaigns"],
    "thresholds": ["thresholds", "--policy", "balanced", "--games", "60"],
    "sweep": ["sweep", SOLO, "--vary", "bag.xeno=1..3", "--games", "60"],
    "balance": ["balance", "rift_2p", "--tiles", "Space Marines", "--games", "40"],
    "compare": ["compare", SOLO, "solo_campaign1_long", "--games", "60"],
    "campaign": ["campaign", "1", "--policy", "balanced", "--campaigns", "900", "--sample", "2"],
    "ladder": ["ladder", SOLO, "--policies", "uniform,balanced", "--games", "4100", "--no-aim"],
    "tune": ["tune", SOLO, "--games", "10", "--generations", "4", "--held-out", "200"],
}
AT = 2  # call in which it is disturbed: by then something is complete, but not all
MARKS = {"run": 2, "run --until": 3, "ladder": 2 * 4 + 3}  # further on: pieces of work are small there
KILLED = """
import os, signal, sys
import nfsim.cli.progress as progress
calls = 0
def kill(self, *_):
    global calls
    calls += 1
    if calls == AT:
        os.kill(os.getpid(), signal.SIGKILL)
progress._Quiet.advanced = progress._QuietSearch.generation = kill
from nfsim.cli import main
main(sys.argv[1:])
"""


KILLED_BY_DEFAULT = ("run", "sweep")  # Ctrl-C stops every command at the same places
STOPPED_BY_DEFAULT = ("run", "sweep", "campaign", "ladder", "tune")  # the other studies are stopped as a sweep is


def kinds(default):
    """Every command; those that are not named here in the soak."""
    return pytest.mark.parametrize(
        "kind", [pytest.param(kind, marks=() if kind in default else pytest.mark.soak) for kind in COMMANDS]
    )


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """Folders in which commands were run undisturbed, by command."""
    return tmp_path_factory.mktemp("undisturbed"), {}


@pytest.fixture
def whole(kind, undisturbed, tmp_path, monkeypatch, command):
    """Return the folder in which a command was run undisturbed; the current one is empty."""
    base, there = undisturbed
    if kind not in there:
        folder = base / kind
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert command(*arguments(kind))[0] == 0
        there[kind] = folder
    (tmp_path / "disturbed").mkdir()
    monkeypatch.chdir(tmp_path / "disturbed")
    return there[kind]


def arguments(kind):
    return [*COMMANDS[kind], "--jobs", "2", "--out", OUT.get(kind, "out")]


def not_the_same(one, other):
    """Say where two folders differ: tables of runs row by row, all other files with numbers byte by byte."""
    runs = [{file.parent.relative_to(folder) for file in folder.rglob("manifest.json")} for folder in (one, other)]
    if runs[0] != runs[1]:
        return f"runs {runs}"
    found = [f"{run}: {words}" for run in runs[0] if (words := differences(one / run, other / run))]
    for pattern in ("**/study.json", "out/ladder*", "out/*.csv", "**/data/*.csv", "*.toml", "out/batches/*"):
        names = [{file.relative_to(folder) for file in folder.glob(pattern)} for folder in (one, other)]
        found += [str(name) for name in names[0] ^ names[1]]
        found += [str(name) for name in names[0] & names[1] if (one / name).read_bytes() != (other / name).read_bytes()]
    return "; ".join(found)


@kinds(STOPPED_BY_DEFAULT)
def test_ctrl_c_says_what_is_kept_and_the_same_command_ends_as_undisturbed(kind, whole, command, monkeypatch):
    calls = count(1)

    def press(*_):
        if next(calls) == MARKS.get(kind, AT):
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr("nfsim.cli.progress._Quiet.advanced", press)
        patch.setattr("nfsim.cli.progress._QuietSearch.generation", press)
        code, said, error = command(*arguments(kind))
    assert (code, said) == (130, "")
    last = error.splitlines()[-1]
    assert last.startswith("nfsim: interrupted: ")
    assert " are kept in out" in last
    assert "the same command goes on from there: nfsim " in last
    assert command(*arguments(kind))[0] == 0
    assert not_the_same(Path.cwd(), whole) == ""


@pytest.mark.slow
@kinds(KILLED_BY_DEFAULT)
def test_a_killed_command_ends_as_undisturbed_when_it_is_run_again(kind, whole, command):
    code = KILLED.replace("AT", str(MARKS.get(kind, AT)))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    killed = subprocess.run([sys.executable, "-c", code, *arguments(kind)], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert command(*arguments(kind))[0] == 0
    assert not_the_same(Path.cwd(), whole) == ""
