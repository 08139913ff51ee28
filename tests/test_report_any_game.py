"""A game that says nothing of its figures has every part that rests on the standard columns, in its own words."""

import dataclasses
import re
from pathlib import Path

import pytest
from synthetic_runs import numbers, read, solo_run, table_run

from nfsim.contract.objectives import Length, Words
from nfsim.contract.rule_set import load_rule_set
from nfsim.report import source
from nfsim.report.build import build_report

pytestmark = pytest.mark.usefixtures("undrawn")

WORDS = Words("points", "mission", "missions", "Any mission", "card", "cards")
LENGTHS = (
    Length("short", "10 rounds", 10, {"setup.rounds": 10}),
    Length("long", "12 rounds", 12, {"setup.rounds": 12}),
)
FOREIGN = re.compile(r"\b(VPs?|conditions?|tiles?|[Xx]eno|So Close|empires?|worlds?)\b")


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run be one of a game without `Metrics`."""
    known = load_rule_set("new_frontiers")
    bare = dataclasses.replace(known, words=WORDS, metrics=None, lengths=LENGTHS)
    monkeypatch.setattr(source, "load_rule_set", lambda *_: bare)


def said(page: Path) -> str:
    """Return what a page says, without file names, and without what the run's own manifest said."""
    text = read(page.with_suffix(".md")).split("## Where the numbers come from")[0]
    return re.sub(r"\(data/\S+\)|\(charts/\S+\)|\[[\w\\.]+\.csv\]", "", text)


def test_one_player_has_all_parts_about_objectives_and_scores(tmp_path: Path) -> None:
    page = build_report([solo_run(tmp_path / "a", 120, 10), solo_run(tmp_path / "b", 120, 12)], tmp_path / "out")
    text = said(page)
    for title in ("Results", "Thresholds, short and long", "Move the thresholds", "What misses lack", "Scores",
                  "How games end"):  # fmt: skip
        assert f"\n### {title}\n" in text
    assert "Any mission" in text
    assert "missions met" in text or "Missions" in text
    assert FOREIGN.findall(text) == []
    rows = numbers(tmp_path / "out", "win_rate")
    assert {row["objective"] for row in rows} >= {"Builder", "Any mission"}


def test_several_players_have_wins_chances_policies_and_lengths(tmp_path: Path) -> None:
    run = table_run(tmp_path / "a", 120, 3, policies=["one", "other", "other"])
    text = said(build_report([run], tmp_path / "out"))
    for title in ("Results", "Equal chances", "Policies against each other", "Scores", "How games end"):
        assert f"\n### {title}\n" in text
    assert FOREIGN.findall(text) == []


def test_a_game_without_lengths_has_no_thresholds_to_compare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = dataclasses.replace(load_rule_set("new_frontiers"), words=WORDS, metrics=None, lengths=())
    monkeypatch.setattr(source, "load_rule_set", lambda *_: bare)
    runs = [solo_run(tmp_path / "a", 60, 10), solo_run(tmp_path / "b", 60, 12)]
    text = said(build_report(runs, tmp_path / "out"))
    assert "Thresholds, short and long" not in text
    assert "### Move the thresholds" in text
