"""A run that stops by itself: where it stops, what it writes, and that neither threads nor interruptions matter."""

import dataclasses
import json
import subprocess
import sys
import time
from pathlib import Path

import fake_rules
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from test_run import StopAfter, dice, same, tables

import nfsim
from nfsim.cli import main
from nfsim.cli.run import until_lines
from nfsim.contract import rule_set
from nfsim.contract.objectives import Objective, Words
from nfsim.errors import BadInput
from nfsim.log.parts import PartFile
from nfsim.log.records import ChunkRecord
from nfsim.run import until as until_module
from nfsim.run.execute import run
from nfsim.run.progress import Stopped
from nfsim.run.replay import transcript
from nfsim.run.until import PILOT, Looks, Until, read_until, successes
from nfsim.stats.intervals import wilson
from nfsim.stats.sequence import sequence_bounds, weight_for

WIDTH = 0.04


@pytest.fixture(autouse=True)
def _dice(monkeypatch):
    rule_set.register(fake_rules.RULE_SET)
    # small looks: the dice are slow, and a run has several of them
    monkeypatch.setattr(until_module, "FEWEST", 1_000)
    monkeypatch.setattr(until_module, "LOOK", 2_000)


def rule(width=WIDTH, rate="seat 0", most=None):
    return Until(width, rate, most)


def shares(folder):
    """Every game's share of the win that seat 0 had, in the order of the games."""
    seats = nfsim.load(folder).seats.select("game", "seat", pl.col("won").cast(pl.Float64)).collect()
    wide = seats.pivot(on="seat", index="game", values="won").sort("game").drop("game").to_numpy()
    return wide[:, 0] / wide.sum(axis=1)


def test_it_stops_at_the_first_look_that_is_narrow_enough(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule())
    said = nfsim.load(tmp_path / "out").manifest["until"]
    widths = [look["high"] - look["low"] for look in said["looks"]]
    assert said["reached"] is True
    assert widths[-1] <= WIDTH < min(widths[:-1])
    assert len(widths) > 2
    assert all(look["games"] % 2_000 == 0 for look in said["looks"])


def test_no_look_that_was_left_out_would_have_been_narrow_enough(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule(0.02))
    manifest = nfsim.load(tmp_path / "out").manifest
    values = shares(tmp_path / "out")
    n = np.arange(2_000, manifest["games"], 2_000)
    assert len(n) > len(manifest["until"]["looks"]) - 1
    weight = weight_for(values[:PILOT].sum(), PILOT, 0.02, 2_000)
    low, high = sequence_bounds(values.cumsum()[n - 1] - values[:PILOT].sum(), n - PILOT, weight)
    assert (high - low > 0.02).all()


def test_the_interval_is_that_of_the_games_after_the_pilot_with_ties_split(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule())
    manifest = nfsim.load(tmp_path / "out").manifest
    values, said = shares(tmp_path / "out"), manifest["until"]
    assert 0.5 in values
    assert len(values) == manifest["games"] == said["fixed"]["n"]
    after = values[PILOT:]
    assert (said["n"], said["k"]) == (len(after), pytest.approx(after.sum()))
    bounds = sequence_bounds(after.sum(), len(after), weight_for(values[:PILOT].sum(), PILOT, WIDTH, 2_000))
    assert [said["low"], said["high"]] == pytest.approx([float(end) for end in bounds])
    plain = wilson(values.sum(), len(values))
    assert [said["fixed"]["low"], said["fixed"]["high"]] == pytest.approx([float(end) for end in plain])
    assert said["fixed"]["games_needed"] < manifest["games"]


def test_rows_are_those_of_a_run_of_that_many_games_for_any_number_of_threads(tmp_path):
    run(dice(), tmp_path / "one", jobs=1, until=rule())
    run(dice(), tmp_path / "two", jobs=2, until=rule())
    games = nfsim.load(tmp_path / "one").manifest["games"]
    run(dice(games), tmp_path / "fixed", jobs=1)
    one = tables(tmp_path / "one")
    same(one, tables(tmp_path / "two"))
    same(one, tables(tmp_path / "fixed"))
    said = [nfsim.load(tmp_path / name).manifest["until"] for name in ("one", "two")]
    assert said[0] == said[1]


def test_an_interrupted_run_goes_on_and_ends_at_the_same_game(tmp_path):
    with pytest.raises(Stopped, match=r"interrupted: [\d,]+ games are kept .* the same command goes on"):
        run(dice(), tmp_path / "out", jobs=2, until=rule(), watch=StopAfter(3))
    assert not (tmp_path / "out" / "manifest.json").exists()
    played = run(dice(), tmp_path / "out", jobs=1, until=rule()).played
    run(dice(), tmp_path / "whole", jobs=1, until=rule())
    manifests = [nfsim.load(tmp_path / name).manifest for name in ("out", "whole")]
    assert 0 < played < manifests[0]["games"]
    assert manifests[0]["until"] == manifests[1]["until"]
    same(tables(tmp_path / "out"), tables(tmp_path / "whole"))


KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import fake_rules, test_run
from nfsim.contract import rule_set
from nfsim.run import until
from nfsim.run.execute import run
rule_set.register(fake_rules.RULE_SET)
until.FEWEST, until.LOOK = 1_000, 2_000
run(test_run.dice(), sys.argv[2], jobs=1, until=until.Until(0.04, "seat 0"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_run_goes_on_and_ends_at_the_same_game(tmp_path):
    out = tmp_path / "out"
    victim = subprocess.Popen([sys.executable, "-c", KILLED, str(Path(__file__).parent), str(out)])
    while len(list(out.glob("chunks/*.json"))) < 3:
        assert victim.poll() is None
        time.sleep(0.02)
    victim.kill()
    victim.wait()
    assert run(dice(), out, jobs=1, until=rule()).played > 0
    run(dice(), tmp_path / "whole", jobs=1, until=rule())
    same(tables(out), tables(tmp_path / "whole"))


def test_a_finished_run_is_left_as_it_is_and_another_rule_is_another_run(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule())
    assert run(dice(), tmp_path / "out", jobs=2, until=rule()).played == 0
    # the scenario's own number of games plays no part
    assert run(dice(77), tmp_path / "out", jobs=2, until=rule()).played == 0
    with pytest.raises(BadInput, match=r"until is 0.04 there, 0.05 here"):
        run(dice(), tmp_path / "out", until=rule(0.05))
    with pytest.raises(BadInput, match="rate is seat 0 there, seat 1 here"):
        run(dice(), tmp_path / "out", until=rule(rate="seat 1"))
    with pytest.raises(BadInput, match="holds another run: games is not set there"):
        run(dice(100), tmp_path / "out")


@pytest.mark.parametrize("most", [300, 3_500])
def test_games_are_a_limit_and_it_is_said_what_stopped_the_run(tmp_path, most):
    run(dice(), tmp_path / "out", jobs=1, until=rule(most=most))
    manifest = nfsim.load(tmp_path / "out").manifest
    assert manifest["games"] == manifest["scenario"]["games"] == most
    assert manifest["until"]["reached"] is False
    assert "NOT yet" in " ".join(until_lines(manifest))
    assert "--games" in " ".join(until_lines(manifest))
    assert manifest["until"]["n"] == max(0, most - PILOT)


def test_the_terminal_says_both_intervals_and_the_fixed_plan(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule())
    manifest = nfsim.load(tmp_path / "out").manifest
    said = " ".join(until_lines(manifest))
    for words in ("confidence sequence", "4 percentage points", "Wilson"):
        assert words in said
    for number in (manifest["games"], manifest["until"]["n"], manifest["until"]["fixed"]["games_needed"]):
        assert f"{number:,}" in said


def test_its_games_can_be_replayed(tmp_path):
    run(dice(), tmp_path / "out", jobs=1, until=rule())
    warnings, lines = transcript(tmp_path / "out", 2_500)
    assert warnings == []
    assert next(iter(lines)) == "game 2500 of seed 1"


@pytest.mark.parametrize(
    ("given", "found"),
    [(None, "any condition"), ("great victory", "Great Victory"), ("0", "seat 0"), ("Any condition", "any condition")],
)
def test_a_rate_is_a_condition_or_a_seat(monkeypatch, given, found):
    two = [Objective("Great Victory"), Objective("Builder")]
    scenario = dice(seats=1)
    words = Words(any_objective="Any condition")
    rule_set = dataclasses.replace(scenario.rule_set, objectives=lambda prepared: two, words=words)
    until = read_until(dataclasses.replace(scenario, rule_set=rule_set), 0.01, given, None)
    assert (until.rate, until.any_objective) == (found, found == "any condition")


def test_without_conditions_it_is_seat_0s(tmp_path):
    assert read_until(dice(), 0.01, None, None).rate == "seat 0"
    assert read_until(dice(), 0.01, "1", 500) == Until(0.01, "seat 1", 500)


@pytest.mark.parametrize(
    ("width", "rate", "words"),
    [
        (0.0, None, "--until: must be from 0.0001 to below 1, not 0"),
        (1.0, None, "--until: must be from 0.0001"),
        (0.1, "2", '--rate: this scenario has no seat "2"'),
        (0.1, "seat 01", '--rate: this scenario has no seat "seat 01"'),
        (0.1, "Builder", '--rate: this scenario has no seat "Builder"'),
    ],
)
def test_impossible_rules_are_named(width, rate, words):
    with pytest.raises(BadInput) as error:
        read_until(dice(), width, rate, None)
    assert words in str(error.value)


def test_a_conditions_successes_are_the_games_that_met_it(tmp_path):
    (tmp_path / "objectives").mkdir()
    rows = pl.DataFrame(
        {"game": [10, 10, 11, 11, 13, 13], "objective": ["A", "B"] * 3, "met": [True, False, False, True, True, True]}
    )
    pq.write_table(rows.to_arrow(), tmp_path / "objectives" / "x.parquet")
    record = ChunkRecord(10, 4, [PartFile("objectives", "objectives/x.parquet", 6, 0, "")], {}, [], [], 0.0)
    assert successes(tmp_path, record, Until(0.1, "A")).tolist() == [1, 0, 0, 1]
    assert successes(tmp_path, record, Until(0.1, "B")).tolist() == [0, 1, 0, 1]


def test_slow_policies_have_smaller_chunks_and_looks(tmp_path):
    stages = Looks(rule(), tmp_path, slow=True).stages({})
    chunks = next(stages)
    assert sum(chunk.games for chunk in chunks) == until_module.LOOK_SLOW
    assert len(chunks) > 4


def test_the_command_plays_until_the_rate_is_known(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("dice.toml").write_text('game = "fake"\npolicy = "roll"\n[setup]\nseats = 2\n')
    assert main(["run", "dice.toml", "--rate", "0"]) == 2
    assert "--rate: says what --until looks at" in capsys.readouterr().err
    assert main(["run", "dice.toml", "--until", "0,01"]) == 2
    assert '--until: must be a number, not "0,01"' in capsys.readouterr().err
    assert main(["run", "dice.toml", "--until", "0.05", "--rate", "9", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["ok"] is False
    assert main(["run", "dice.toml", "--until", "0.05", "--rate", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["until"]["rate_of"] == "seat 1"
    assert said["games"] == said["until"]["looks"][-1]["games"]
    assert main(["run", "dice.toml", "--until", "0.05", "--rate", "1"]) == 0
    assert "confidence sequence" in capsys.readouterr().out
