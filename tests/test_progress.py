"""What a terminal shows while a run goes on, and how signals end it."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from killing import dice

from nfsim.cli.progress import bar, duration, packed, rate_so_far
from nfsim.run.execute import run
from nfsim.run.progress import Watch
from nfsim.run.until import Until
from nfsim.stats.intervals import wilson

HERE = Path(__file__).parent
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PLAY = """
import sys, killing
from nfsim.cli import main
killing.dice("threads", killing.Slow)
sys.exit(main(sys.argv[1:]))
"""
DICE = 'game = "fake"\ntitle = "Two dice"\ngames = 40000\npolicy = "roll"\n[setup]\nseats = 2\nrounds = 2\n'


class Heard(Watch):
    def __init__(self):
        self.rates = []

    def rate(self, name, k, n, bounds=None):
        self.rates.append((name, k, n, bounds))


def shares(folder):
    import polars as pl

    import nfsim

    won = pl.col("won").cast(pl.Float64)
    seats = nfsim.load(folder).seats.group_by("game")
    return seats.agg((won.filter(pl.col("seat") == 0).sum() / won.sum()).alias("share")).collect()["share"]


def test_the_running_rate_is_that_of_the_games_so_far_with_shared_wins_split(tmp_path):
    watch = Heard()
    run(dice("threads"), tmp_path / "out", jobs=2, watch=watch)
    assert [n for _, _, n, _ in watch.rates] == [10_000 * number for number in range(1, 9)]
    name, k, n, bounds = watch.rates[-1]
    assert (name, n, bounds) == ("seat 0", 80_000, None)
    assert k == pytest.approx(shares(tmp_path / "out").sum())


def test_a_run_that_went_on_counts_the_games_that_were_there(tmp_path):
    run(dice("threads"), tmp_path / "out", jobs=1)
    next((tmp_path / "out" / "games").iterdir()).unlink()
    watch = Heard()
    run(dice("threads"), tmp_path / "out", jobs=1, watch=watch)
    assert [n for _, _, n, _ in watch.rates] == [70_000, 80_000]
    assert watch.rates[-1][1] == pytest.approx(shares(tmp_path / "out").sum())


def test_with_a_rule_that_stops_the_run_its_own_interval_is_told(tmp_path):
    watch = Heard()
    result = run(dice("threads"), tmp_path / "out", jobs=1, watch=watch, until=Until(0.02, "seat 1", 60_000))
    looks = [(look["k"], look["n"], (look["low"], look["high"])) for look in result.manifest["until"]["looks"]]
    assert [rate[1:] for rate in watch.rates] == looks[:-1]
    assert {rate[0] for rate in watch.rates} == {"seat 1"}


@pytest.mark.parametrize(
    ("width", "lines"),
    [(30, ["one  two  three"]), (9, ["one  two", "three"]), (4, ["one", "two", "thre"]), (1, ["o", "t", "t"])],
)
def test_pieces_are_put_on_as_few_lines_as_have_room(width, lines):
    assert packed(["one", "", "two", "three"], width) == lines


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-1, "0:00"), (7.4, "0:07"), (750, "12:30"), (11_100, "3:05:00"), (86_400, "1 day 0:00:00"),
     (183_900, "2 days 3:05:00")],
)  # fmt: skip
def test_a_time_is_written_as_a_clock_would(seconds, text):
    assert duration(seconds) == text


def test_the_bar_is_full_at_the_end_only():
    assert [bar(done, 100).count("=") for done in (0, 50, 99, 100, 120)] == [0, 6, 11, 12, 12]
    assert bar(0, 0).count("=") == 0


def test_a_rate_has_its_interval():
    low, high = wilson(25, 100)
    assert rate_so_far("seat 0", 25, 100, None) == f"seat 0 wins 25.0 % ({100 * low:.1f}–{100 * high:.1f})"
    assert rate_so_far("any condition", 25, 100, (0.2, 0.3)) == "any condition 25.0 % (20.0–30.0)"
    assert rate_so_far("seat 0", 0, 0, None) == ""


class Screen:
    """A pseudo-terminal of so many columns with the command in it; as a context, it ends with it."""

    def __init__(self, folder, columns, *arguments):
        (folder / "dice.toml").write_text(DICE, "utf-8")
        self.mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])}
        for name in ("NO_COLOR", "COLUMNS", "LINES"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PLAY, "run", "dice.toml", "--jobs", "2", *arguments],
            cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(theirs)
        self.text = ""

    def read(self, until=None):
        """Read until a pattern was printed, or to the end; return all that was printed, by line."""
        end = time.monotonic() + 60
        while time.monotonic() < end and not (until and re.search(until, self.text)):
            if select.select([self.mine], [], [], 0.5)[0]:
                try:
                    found = os.read(self.mine, 65536)
                except OSError:
                    break
                self.text += found.decode()
        return [line for line in re.split(r"[\r\n]+", CONTROL.sub("", self.text)) if line.strip()]


@pytest.mark.parametrize("columns", [40, pytest.param(80, marks=pytest.mark.soak)])
def test_a_terminal_shows_games_speed_time_left_and_the_rate_within_its_width(tmp_path, columns):
    screen = Screen(tmp_path, columns)
    lines = screen.read()
    assert screen.process.wait(30) == 0
    end = next(place for place, line in enumerate(lines) if line.startswith("Two dice: "))  # the result
    # the note about compiling is not of the line: a terminal wraps it
    shown = [line for line in lines[:end] if not line.startswith("compiling the rules")]
    text = " ".join(shown)
    for pattern in (r"Two dice  \[=", r"[\d,]+ of 40,000 games", r"[\d,]+/s", r"\d:\d\d left",
                    r"seat 0 wins \d+\.\d % \(\d+\.\d–\d+\.\d\)"):  # fmt: skip
        assert re.search(pattern, text), (pattern, text)
    assert max(len(line.rstrip()) for line in shown) <= columns


def test_ctrl_c_on_a_terminal_says_how_to_go_on(tmp_path):
    screen = Screen(tmp_path, 200, "--games", "400000", "--out", "out")
    screen.read(r"\d0,000 of")
    os.write(screen.mine, b"\x03")
    lines = screen.read()
    assert screen.process.wait(30) == 130
    assert re.search(r"interrupted: [\d,]+ of 400,000 games are kept in out; the same command goes on", lines[-1])
    assert lines[-1].endswith("nfsim run dice.toml --jobs 2 --games 400000 --out out")


@pytest.mark.soak
def test_a_closed_terminal_ends_a_run_as_ctrl_c_does(tmp_path):
    screen = Screen(tmp_path, 80, "--games", "400000", "--out", "out")
    screen.read(r"of 400,000")
    os.close(screen.mine)
    assert screen.process.wait(30) == 130
    assert not list((tmp_path / "out").rglob("*.tmp"))


@pytest.mark.parametrize(
    "ends", [signal.SIGTERM, *(pytest.param(ends, marks=pytest.mark.soak) for ends in (signal.SIGINT, signal.SIGHUP))]
)
def test_json_is_one_object_when_a_signal_ends_the_run(tmp_path, ends):
    (tmp_path / "dice.toml").write_text(DICE, "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-c", PLAY, "run", "dice.toml", "--jobs", "1", "--out", "out", "--json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parent)])},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not list(tmp_path.glob("out/chunks/*.json")):
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(ends)
    out, error = process.communicate(timeout=30)
    assert "Traceback" not in error
    said = json.loads(out)
    kept = 10_000 * len(list(tmp_path.glob("out/chunks/*.json")))
    assert (process.returncode, said["exit_code"], said["ok"], said["folder"]) == (130, 130, False, "out")
    assert (said["kept"], said["games"], said["unit"]) == (kept, 40_000, "games")


INTERRUPTED = """
import os, signal, sys
sys.argv = ["nfsim", *sys.argv[1:]]
class Finder:
    def find_spec(self, name, *_):
        if name == WHERE:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from nfsim.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("where", ["nfsim.cli", "typer", "nfsim.cli.policies"])
def test_ctrl_c_while_modules_are_imported_is_one_sentence(where):
    code = INTERRUPTED.replace("WHERE", repr(where))
    done = subprocess.run(
        [sys.executable, "-c", code, "policies", "--json"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(HERE.parent)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, "nfsim: interrupted\n")
    assert json.loads(done.stdout) == {"ok": False, "error": "interrupted", "exit_code": 130}
