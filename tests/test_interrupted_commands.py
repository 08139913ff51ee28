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

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

SOLO = "solo_campaign1_short"
OUT = {"tune": "out.toml"}  # where it is not a folder
COMMANDS = {
    "run": ["run", SOLO, "--games", "30000"],
    "run --until": ["run", SOLO, "--until", "0.02", "--games", "40000"],
    "difficulty": ["difficulty", "--policies", "uniform,balanced", "--games", "200", "--no-campaigns"],
    "thresholds": ["thresholds", "--policy", "balanced", "--games", "300"],
    "sweep": ["sweep", SOLO, "--vary", "bag.xeno=1..3", "--games", "200"],
    "balance": ["balance", "rift_2p", "--tiles", "Space Marines", "--games", "200"],
    "compare": ["compare", SOLO, "solo_campaign1_long", "--games", "300"],
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


PAGES = ("compare", "balance")  # whose pages take seconds


@pytest.fixture(params=[pytest.param(kind, marks=[pytest.mark.slow] * (kind in PAGES)) for kind in COMMANDS])
def kind(request):
    return request.param


@pytest.fixture
def whole(kind, tmp_path, monkeypatch, command):
    """Return the folder in which a command was run undisturbed; others are beside it."""
    for name in ("whole", "disturbed"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "whole")
    assert command(*arguments(kind))[0] == 0
    monkeypatch.chdir(tmp_path / "disturbed")
    return tmp_path / "whole"


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
def test_a_killed_command_ends_as_undisturbed_when_it_is_run_again(kind, whole, command):
    code = KILLED.replace("AT", str(MARKS.get(kind, AT)))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    killed = subprocess.run([sys.executable, "-c", code, *arguments(kind)], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert command(*arguments(kind))[0] == 0
    assert not_the_same(Path.cwd(), whole) == ""
