"""Every command and study on a game that they do not know: Islets, in `tiny_game`."""

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tiny_game
from tiny_game import policies, rules
from tiny_game.game import RULES

import nfsim
from nfsim.compiled.jit import int64
from nfsim.contract.view import SCORE, Advice, Hint
from nfsim.engine.records import new_record, note_drawn
from nfsim.engine.simulation import CompiledEngine
from nfsim.errors import BadInput
from nfsim.policies import user_policy
from nfsim.run.scenario import read_scenario

Command = Callable[..., tuple[int, str, str]]

ALONE = """\
game = "tiny"
title = "Islets alone"
games = 200
policy = "balanced"
[setup]
players = 1
"""
TWO = """\
game = "tiny"
title = "Islets for two"
games = 200
policy = ["balanced", "uniform"]
[setup]
players = 2
"""
WORDS = ("VP", "tile", "condition", "solo", "New Frontiers", "world")  # of another game
GREEDY = '''\
"""A function of a user's."""
def choose(turn):
    """the highest card"""
    assert len(turn.hand) <= 2
    return max(range(len(turn.options)), key=lambda choice: turn.options[choice][1])
'''


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with scenarios of the tiny game, and the current one."""
    assert tiny_game.RULE_SET.name == "tiny"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "alone.toml").write_text(ALONE)
    (tmp_path / "two.toml").write_text(TWO)
    (tmp_path / "mine.py").write_text(GREEDY)
    return tmp_path


def well(called: tuple[int, str, str]) -> str:
    """What a command printed that went well, in no other game's words."""
    code, out, err = called
    assert code == 0, err
    assert [word for word in WORDS if word in out] == []
    return out


def numbers(called: tuple[int, str, str]) -> dict:
    """What a command printed as JSON."""
    code, out, err = called
    assert code == 0, err
    return json.loads(out)


def test_a_run_alone_says_how_often_objectives_are_met(here: Path, command: Command) -> None:
    out = well(command("run", "alone.toml"))
    assert all(text in out for text in ("Islets alone", "Rich", "One suit", "Any objective", "mean points"))


def test_a_run_of_two_says_who_wins(here: Path, command: Command) -> None:
    out = well(command("run", "two.toml"))
    assert all(text in out for text in ("0 balanced", "1 uniform", "mean points", "Cards: Islets"))


def test_a_run_can_be_verified_replayed_reported_and_goes_on(here: Path, command: Command) -> None:
    well(command("run", "alone.toml"))
    assert "all is well" in well(command("verify", "runs/alone"))
    assert "finished after round 4" in well(command("replay", "runs/alone", 3))
    assert "report.html" in well(command("report", "runs/alone"))
    page = next(here.glob("reports/**/report.html")).read_text("utf-8")
    assert "Islets alone" in page
    assert "New Frontiers" not in page
    for part in (here / "runs/alone/rounds").glob("*.parquet"):
        part.unlink()
    well(command("run", "alone.toml"))
    assert "all is well" in well(command("verify", "runs/alone"))


@pytest.mark.usefixtures("undrawn")
def test_a_report_of_two_names_no_other_game(here: Path, command: Command) -> None:
    well(command("run", "two.toml"))
    well(command("report", "runs/two"))
    assert "New Frontiers" not in next(here.glob("reports/**/report.html")).read_text("utf-8")


@pytest.mark.usefixtures("undrawn")
def test_runs_are_compared(here: Path, command: Command) -> None:
    well(command("run", "alone.toml"))
    well(command("run", "alone.toml", "--set", "setup.length=long", "--out", "runs/long"))
    assert "points" in well(command("compare", "runs/alone", "runs/long"))


@pytest.mark.usefixtures("undrawn")
def test_a_setting_is_swept(here: Path, command: Command) -> None:
    assert "length=long" in well(command("sweep", "alone.toml", "--vary", "setup.length=short,long"))


def test_policies_are_ranked(here: Path, command: Command) -> None:
    assert "rating" in well(command("ladder", "two.toml", "--policies", "balanced,uniform", "--games", 100))


def test_a_policy_is_tuned_and_plays(here: Path, command: Command) -> None:
    well(command("tune", "alone.toml", "--from", "balanced", "--out", "mine.toml", "--games", 100, "--generations", 2))
    assert "mine" in well(command("run", "alone.toml", "--policy", "mine.toml"))


@pytest.mark.usefixtures("undrawn")
def test_difficulty_and_thresholds_of_its_campaign(here: Path, command: Command) -> None:
    assert "Rich" in well(command("difficulty", "--game", "tiny", "--games", 100))
    assert "Rich" in well(command("thresholds", "--game", "tiny", "--games", 100))


def test_its_campaign_is_played_as_a_series(here: Path, command: Command) -> None:
    found = numbers(command("campaign", 1, "--game", "tiny", "--sample", 100, "--campaigns", 50, "--json"))["trials"][0]
    assert found["runs"] == 50
    assert [each["objective"] for each in found["objectives"]] == ["Rich", "One suit"]
    assert "Rich" in well(command("campaign", 1, "--game", "tiny", "--sample", 50, "--campaigns", 20))


def test_what_it_does_not_offer_is_refused_in_a_sentence(here: Path, command: Command) -> None:
    code, _, err = command("balance", "two.toml")
    assert code == 2
    assert "Islets has no cards" in err


def test_its_policies_rules_and_tables_are_listed(here: Path, command: Command) -> None:
    assert "collector" in well(command("policies", "--game", "tiny"))
    assert "[params]" in well(command("policies", "balanced", "--toml", "--game", "tiny"))
    assert "bonus" in well(command("rules", "--game", "tiny"))
    assert "how it can be claimed" in well(command("schema", "--game", "tiny"))


def test_a_function_of_the_users_decides(here: Path, command: Command) -> None:
    found = numbers(command("run", "two.toml", "--policy", "mine:choose,uniform", "--games", 30, "--jobs", 1, "--json"))
    assert found["ok"]
    assert "finished" in well(command("replay", "runs/two", 3, "--policy", "mine:choose"))


@pytest.mark.parametrize("policy", ["planner", "search", "search_planner"])
def test_policies_look_ahead_in_it(here: Path, policy: str) -> None:
    run = nfsim.play("alone.toml", games=20, policy=policy)
    assert run.seats.select("score").collect()["score"].mean() > 15


def test_the_prompt_explains_itself_and_gives_hints(here: Path, command: Command, monkeypatch) -> None:
    for scenario in ("two.toml", "alone.toml"):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"?\nhint\nquit\n"), "utf-8"))
        text = well(command("play", scenario))
        assert "hint" in text
        assert "The best first" in text


def test_a_hint_of_scores_is_no_percentage(here: Path, command: Command, monkeypatch) -> None:
    hint = Hint("search", SCORE, (Advice(0, np.array([3.0, 5.0, 7.0]), True),), (), 3)
    monkeypatch.setattr("nfsim.run.session.Session.hint", lambda *_: hint)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"hint\nquit\n"), "utf-8"))
    text = well(command("play", "alone.toml"))
    assert "The best first, by score:" in text
    assert "%" not in text


def test_a_mistake_in_a_games_own_file_of_weights_names_that_file(monkeypatch) -> None:
    def broken(*_: object) -> None:
        raise BadInput("balanced.toml", "hold.at", "is not a parameter")

    monkeypatch.setattr(type(policies.SHELF), "get", broken)
    with pytest.raises(BadInput, match=r"balanced\.toml: hold\.at"):
        user_policy.find(policies.SHELF, "balanced", "scenario.toml", Path())


def test_more_is_drawn_than_is_noted_and_nothing_else_is_touched(here: Path) -> None:
    state = new_record(rules.STATE)[0]
    before = state.copy()
    for number in range(len(state.drawn) + 3):
        note_drawn(state, int64(0), int64(number))
    assert state.drawn_n == len(state.drawn)
    assert all((state[name] == before[name]).all() for name in state.dtype.names if name not in ("drawn", "drawn_n"))


def test_a_person_plays_it_is_saved_and_goes_on(here: Path) -> None:
    from nfsim.run.scenario import read_scenario
    from nfsim.run.session import Session

    session = Session(read_scenario(Path("two.toml")), 1, 0)
    assert session.view.question()
    assert session.hint().options
    while not session.game.finished:
        session.choose(0)
    again = Session(session.scenario, 1, 0, session.choices)
    assert (again.fingerprint, again.game.scores()) == (session.fingerprint, session.game.scores())


def test_a_game_that_writes_more_rows_than_its_rules_say_is_noticed(here: Path) -> None:
    scenario = read_scenario(here / "alone.toml", [], {})

    def too_few(tables: object, table: str) -> int:
        return rules.most(tables, table) - (table == "rounds")

    wrong = replace(RULES, most=too_few, capacity=lambda tables, table, _: too_few(tables, table))
    engine = CompiledEngine(wrong, scenario.rule_set, scenario.prepared, scenario.seated, "rounds")
    with pytest.raises(RuntimeError, match="more rows into the table rounds than the 3 that `most` of its rules says"):
        engine.play(1, 0, 1)
