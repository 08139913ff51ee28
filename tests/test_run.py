import dataclasses
import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import fake_rules
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import nfsim
from nfsim.contract import rule_set
from nfsim.errors import BadInput
from nfsim.log.parts import sha256
from nfsim.run import chunks as chunk_module
from nfsim.run import execute
from nfsim.run.chunks import FEWEST, MOST, chunk_size, plan
from nfsim.run.execute import run
from nfsim.run.progress import Stopped, Watch
from nfsim.run.replay import transcript
from nfsim.run.scenario import scenario_from
from nfsim.run.worker_pool import workers_for


@pytest.fixture(autouse=True)
def _dice():
    rule_set.register(fake_rules.RULE_SET)


def dice(games=14_000, **setup):
    data = {"game": "fake", "games": games, "policy": "roll", "setup": {"seats": 2, **setup}}
    return scenario_from(data, "test", "dice")


def tables(folder):
    return {name: table.sort("game").collect() for name, table in nfsim.load(folder).items()}


def same(one, two):
    assert list(one) == list(two)
    for name in one:
        assert_frame_equal(one[name], two[name], check_row_order=True)


@pytest.mark.parametrize("games", [1, 9_999, 10_000, 10_001, 20_000, 40_001, 160_001, 1_000_003])
def test_chunks_cover_every_game_once(games):
    parts = plan(games)
    assert [chunk.first for chunk in parts] == list(range(0, games, chunk_size(games)))
    assert sum(chunk.games for chunk in parts) == games
    assert min(FEWEST, games) <= parts[0].games <= MOST
    assert sorted(chunk.name for chunk in parts) == [chunk.name for chunk in parts]


def test_a_run_writes_tables_and_manifest(tmp_path):
    result = run(dice(), tmp_path / "out", jobs=1)
    found = nfsim.load(tmp_path / "out")
    assert result.played == 14_000
    assert list(found) == ["games", "seats", "rounds"]
    assert found.games.collect()["game"].to_list() == list(range(14_000))
    assert found.rounds.collect().height == 42_000
    seats = found.seats.collect()
    assert set(seats["die"].cast(pl.String).to_list()) == {None, "red die", "blue die"}
    assert set(seats["policy"].cast(pl.String).to_list()) == {"roll"}
    manifest = found.manifest
    assert manifest["statuses"] == {"finished": 14_000}
    assert manifest["decisions"] == {
        "roll": {"per_game": 1.0, "options": 6.0},
        "stop": {"per_game": 0.0, "options": None},
    }
    assert manifest["tiles"]["share"]["text"] == "All dice are made up."
    assert manifest["policies"] == ["roll", "roll"]
    assert manifest["rulings"] == {"six_again": "no"}
    assert set(manifest["versions"]) == {"nfsim", "rules", "python", "numba", "numpy", "pyarrow"}
    for name, table in manifest["tables"].items():
        assert sum(part["rows"] for part in table["parts"]) == table["rows"] == found[name].collect().height
        for part in table["parts"]:
            file = tmp_path / "out" / part["file"]
            assert (file.stat().st_size, sha256(file)) == (part["bytes"], part["sha256"])
            assert file.stem == f"{part['first']:012d}"
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.name != ".lock") == [
        "games", "manifest.json", "rounds", "seats",
    ]  # fmt: skip


def test_the_log_level_adds_tables(tmp_path):
    for level, names in (("games", ["games", "seats"]), ("tiles", ["games", "seats", "rounds", "tiles"])):
        run(dice(10), tmp_path / level, level=level, jobs=1)
        assert list(nfsim.load(tmp_path / level)) == names
    assert nfsim.load(tmp_path / "tiles").tiles.collect().height == 0


def test_rows_do_not_depend_on_threads_chunks_or_order(tmp_path, monkeypatch):
    run(dice(), tmp_path / "one", jobs=1)
    run(dice(), tmp_path / "two", jobs=2)
    monkeypatch.setattr(execute, "plan", lambda games, slow: plan(games)[::-1])
    run(dice(), tmp_path / "backwards", jobs=1)
    monkeypatch.setattr(
        execute, "plan", lambda games, slow: [chunk_module.Chunk(g, min(999, games - g)) for g in range(0, games, 999)]
    )
    run(dice(), tmp_path / "small", jobs=1)
    one = tables(tmp_path / "one")
    for other in ("two", "backwards", "small"):
        same(one, tables(tmp_path / other))


def test_another_seed_gives_other_rows(tmp_path):
    run(dice(100), tmp_path / "one", jobs=1)
    run(dice(100), tmp_path / "two", jobs=1, seed=2)
    assert not tables(tmp_path / "one")["seats"].equals(tables(tmp_path / "two")["seats"])


def test_a_finished_identical_run_is_left_as_it_is(tmp_path):
    run(dice(100), tmp_path / "out", jobs=1)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").rglob("*.*") if path.name != ".lock"}
    assert run(dice(100), tmp_path / "out", jobs=2).played == 0
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scenario": lambda: dice(200)}, "games is 100 there, 200 here"),
        ({"seed": 5}, "seed is 1 there, 5 here"),
        ({"level": "games"}, "log is rounds there, games here"),
        ({"scenario": lambda: dice(100, rounds=4)}, "setup.rounds is 3 there, 4 here"),
    ],
)
@pytest.mark.parametrize("finished", [True, False])
def test_a_different_run_in_the_folder_is_refused_by_name(tmp_path, change, words, finished):
    run(dice(100), tmp_path / "out", jobs=1)
    if not finished:
        identity = json.loads((tmp_path / "out" / "manifest.json").read_text())["identity"]
        (tmp_path / "out" / "manifest.json").unlink()
        (tmp_path / "out" / "run.json").write_text(json.dumps({"format": 2, "identity": identity}))
    arguments = {"scenario": dice(100), "jobs": 1} | {k: v() if callable(v) else v for k, v in change.items()}
    with pytest.raises(BadInput, match=words):
        run(out=tmp_path / "out", **arguments)


def test_changed_source_of_the_rules_is_another_run(tmp_path, monkeypatch):
    run(dice(10), tmp_path / "out", jobs=1)
    monkeypatch.setattr("nfsim.run.provenance.source_hash", lambda rule_set: "other")
    with pytest.raises(BadInput, match="source is"):
        run(dice(10), tmp_path / "out", jobs=1)


class StopAfter(Watch):
    """Presses Ctrl-C when so many chunks are complete."""

    def __init__(self, chunks):
        self.left = chunks
        self.heard = []

    def started(self, games, done):
        self.heard.append((games, done))

    def advanced(self, games):
        self.heard.append(games)
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_ctrl_c_keeps_complete_chunks_and_the_next_run_goes_on(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(Stopped, match="10,000 of 14,000 games are kept") as caught:
        run(dice(), out, jobs=1, watch=StopAfter(1))
    assert caught.value.exit_code == 130
    assert not (out / "manifest.json").exists()
    with pytest.raises(BadInput, match="not finished"):
        nfsim.load(out)
    watch = StopAfter(99)
    assert run(dice(), out, jobs=1, watch=watch).played == 4_000
    assert watch.heard == [(14_000, 10_000), 4_000]
    run(dice(), tmp_path / "whole", jobs=1)
    same(tables(out), tables(tmp_path / "whole"))
    assert nfsim.load(out).manifest["decisions"] == nfsim.load(tmp_path / "whole").manifest["decisions"]


def test_a_damaged_part_is_played_again(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(Stopped):
        run(dice(), out, jobs=1, watch=StopAfter(1))
    part = next((out / "rounds").glob("*.parquet"))
    content = bytearray(part.read_bytes())
    content[len(content) // 2] ^= 1
    part.write_bytes(content)
    assert run(dice(), out, jobs=1).played == 14_000
    run(dice(), tmp_path / "whole", jobs=1)
    same(tables(out), tables(tmp_path / "whole"))


class Fails(fake_rules.Engine):
    """Fails in the second chunk, after some of its games."""

    def play(self, root, first, count):
        if first >= 11_000 and threading.current_thread() is not threading.main_thread():
            raise ZeroDivisionError
        return super().play(root, first, count)


def wait_for_threads(before):
    for _ in range(200):
        if threading.active_count() <= before:
            return
        time.sleep(0.01)
    raise AssertionError(f"still running: {threading.enumerate()}")


def test_a_thread_that_fails_loses_only_chunks_under_way_and_stops_the_others(tmp_path):
    scenario = dice(60_000, rounds=2)
    failing = dataclasses.replace(scenario, rule_set=dataclasses.replace(scenario.rule_set, engine=Fails))
    before = threading.active_count()
    with pytest.raises(ZeroDivisionError):
        run(failing, tmp_path / "out", jobs=2)
    wait_for_threads(before)
    assert not list((tmp_path / "out").glob("*/*.tmp"))
    assert run(scenario, tmp_path / "out", jobs=1).played >= 40_000
    run(scenario, tmp_path / "whole", jobs=1)
    same(tables(tmp_path / "out"), tables(tmp_path / "whole"))


def test_ctrl_c_stops_every_thread_without_a_warning(tmp_path, recwarn):
    before = threading.active_count()
    with pytest.raises(Stopped, match="interrupted"):
        run(dice(60_000), tmp_path / "out", jobs=2, watch=StopAfter(1))
    assert not list(recwarn)
    wait_for_threads(before)
    assert run(dice(60_000), tmp_path / "out", jobs=2).played < 60_000
    run(dice(60_000), tmp_path / "whole", jobs=1)
    same(tables(tmp_path / "out"), tables(tmp_path / "whole"))


SLOW = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import dataclasses, fake_rules, test_run
from nfsim.contract import rule_set
from nfsim.run.execute import run
class Slow(fake_rules.Engine):
    def play(self, root, first, count):
        time.sleep(0.01)
        return super().play(root, first, count)
rule_set.register(dataclasses.replace(fake_rules.RULE_SET, engine=Slow))
if __name__ == "__main__":
    run(test_run.dice(60_000), sys.argv[2], jobs=1)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_run_blocks_nothing_and_is_completed(tmp_path):
    here, out = str(Path(__file__).parent), tmp_path / "out"
    victim = subprocess.Popen([sys.executable, "-c", SLOW, here, str(out)])
    while not list(out.glob("chunks/*.json")):
        assert victim.poll() is None
        time.sleep(0.02)
    with pytest.raises(BadInput, match="another process is writing"):
        run(dice(60_000), out, jobs=1)
    victim.kill()
    victim.wait()
    assert run(dice(60_000), out, jobs=1).played < 60_000
    run(dice(60_000), tmp_path / "whole", jobs=1)
    same(tables(out), tables(tmp_path / "whole"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seed": -1}, "--seed: must be from 0"),
        ({"seed": 2**63}, "--seed: must be from 0"),
        ({"jobs": 0}, "--jobs: must be from 1"),
        ({"jobs": 10**9}, "--jobs: must be from 1"),
        ({"level": "round"}, "did you mean"),
    ],
)
def test_impossible_options_are_named(tmp_path, arguments, words):
    with pytest.raises(BadInput, match=words):
        run(dice(10), tmp_path / "out", **arguments)
    assert not (tmp_path / "out").exists()


def test_there_are_never_more_threads_than_chunks():
    some = plan(100_000)
    assert workers_for(None, some) >= 1
    assert workers_for(3, some) == 3
    assert workers_for(30, some[:2]) == 2
    assert workers_for(30, []) == 1


def test_replay_says_what_has_changed_since_the_run(tmp_path, monkeypatch):
    run(dice(10), tmp_path / "out", jobs=1, seed=4)
    warnings, lines = transcript(tmp_path / "out", 7)
    assert warnings == []
    assert list(lines) == ["game 7 of seed 4", "rolls a six"]
    monkeypatch.setattr("nfsim.run.provenance.source_hash", lambda rule_set: "other")
    warnings, _ = transcript(tmp_path / "out", 7)
    assert "source of the rules has changed" in warnings[0]
    for number in (-1, 10):
        with pytest.raises(BadInput, match="GAME: must be from 0 to 9"):
            transcript(tmp_path / "out", number)


def test_policies_of_seats_are_logged_by_name(tmp_path):
    data = {"game": "fake", "games": 20, "policy": ["throw", "roll", "throw"], "setup": {"seats": 3}}
    run(scenario_from(data, "test", "dice"), tmp_path / "out", jobs=1)
    seats = nfsim.load(tmp_path / "out").seats.collect()
    found = seats.group_by("seat").agg(pl.col("policy").cast(pl.String).unique()).sort("seat")
    assert found["policy"].to_list() == [["throw"], ["roll"], ["throw"]]
