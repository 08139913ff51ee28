"""A page begins with an answer: who meets what, which is the hardest, what a longer game changes, how sure that is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from synthetic_runs import solo_run, table_run

from nfsim.contract.objectives import together
from nfsim.contract.rule_set import load_rule_set
from nfsim.errors import BadInput
from nfsim.report.answers import aims, doubts, report_answer
from nfsim.report.build import read_all
from nfsim.run.scenario import read_scenario
from nfsim.stats.intervals import with_rates
from nfsim.studies.campaign.numbers import order_to_try
from nfsim.studies.difficulty.answer import difficulty_answer, first_answer, shown
from nfsim.studies.difficulty.numbers import AIMED, PLAYED
from nfsim.studies.stored import read_stored

KINDS = {"tuned": "weights", "planner": "planner", "search_planner": "search"}
TITLES = {"1": "Campaign 1"}


def rates(**by_player: dict[int, dict[str, tuple[int, int]]]) -> pl.DataFrame:
    """Return rates as `nfsim difficulty` has them: player -> rounds -> objective -> (met, games)."""
    rows = [
        {"campaign": "1", "rounds": rounds, "objective": name, "player": player,
         "games": PLAYED if player == "tuned" else AIMED, "n": n, "k": k}
        for player, lengths in by_player.items() for rounds, met in lengths.items() for name, (k, n) in met.items()
    ]  # fmt: skip
    return with_rates(pl.DataFrame(rows))


FOUND = rates(
    tuned={10: {"Great Victory": (50, 100), "Builder": (1, 100)}},
    planner={
        10: {"Great Victory": (540, 1000), "Builder": (900, 1000)},
        12: {"Great Victory": (640, 1000), "Builder": (890, 1000)},
    },
    search_planner={10: {"Great Victory": (93, 100), "Builder": (99, 100)}},
)
TOLD = pl.DataFrame(
    [("1", 10, "planner", "Builder", "Great Victory", "Builder")],
    ["campaign", "rounds", "player", "objective", "other", "easier"],
    orient="row",
)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    return read_all([solo_run(tmp_path_factory.mktemp("answer") / "run", 60)])[0][0]


def test_the_strongest_player_that_aims_comes_first_and_one_that_does_not_aim_last():
    assert shown(FOUND, KINDS) == ["search_planner", "planner", "tuned"]


def test_the_answer_says_who_meets_what_which_is_hardest_and_what_more_rounds_change(source):
    text = difficulty_answer(FOUND, TOLD, pl.DataFrame(), KINDS, TITLES, [source]).text
    assert text[0] == (
        "With 10 rounds, a player that aims and searches (search_planner) meets Builder in 99.0 and "
        "Great Victory in 93.0 of 100 games, going for one at a time."
    )
    assert text[1] == (
        "Great Victory is the hardest (planner). 12 rounds with their own thresholds are easier for 1 of 2 (planner)."
    )
    assert text[2] == (
        "One that aims (planner) meets 54\N{EN DASH}90 and one that does not aim (tuned) meets 1.0\N{EN DASH}50 of 100."
    )


def test_the_widest_of_the_three_uncertainties_is_named(source):
    bags = pl.DataFrame(
        [{"bag": 1, "player": "planner", "change": -0.5}, {"bag": 2, "player": "planner", "change": 0.1}]
    )
    text = difficulty_answer(FOUND, TOLD, bags, KINDS, TITLES, [source]).text[-1]
    assert "the player by up to 39.0 points (search_planner against planner)" in text
    assert "tiles that nobody knows by up to 50.0 points (2 other sets, planner)" in text
    assert text.endswith("The widest is tiles that nobody knows.")
    without = difficulty_answer(FOUND, TOLD, pl.DataFrame(), KINDS, TITLES, [source]).text[-1]
    assert "The widest is the player." in without


def test_players_that_do_not_aim_are_never_an_answer_to_how_hard_something_is(source):
    idle = FOUND.filter(pl.col("player") == "tuned")
    (first, *_) = difficulty_answer(idle, pl.DataFrame(), pl.DataFrame(), KINDS, TITLES, [source]).text
    assert first.startswith(
        "None of these players aims at a condition. So this says what they like, not how hard it is"
    )


def test_a_report_says_first_what_was_met_and_that_its_player_does_not_aim(source):
    answer = report_answer([[source]])
    assert answer.text[0].startswith("balanced met ")
    assert "of 60 games" in answer.text[0]
    assert aims(source, ["balanced"]) == [answer.text[1]]
    assert aims(source, ["planner"]) == aims(source, ["mine"]) == []
    assert answer.picture is not None
    assert answer.picture.name == "answer"


def test_a_report_on_several_players_says_whether_a_seat_is_apart(tmp_path):
    (group,) = read_all([table_run(tmp_path / "four", 120, 4)])
    text = report_answer([group]).text[0]
    assert "won most often" in text
    assert "Equal chances would be 25.0 %" in text


def test_doubts_name_the_tiles_that_are_a_guess(source):
    share = {"total": 177, "reconstructed": 117}
    known = replace(source, manifest={**source.manifest, "tiles": {"share": share}})
    assert "117 of the 177 tiles are our guess" in doubts([known])[0]


def test_what_is_stored_of_the_strongest_player_is_about_the_tiles_that_are_built_in():
    rule_set = load_rule_set("new_frontiers")
    assert rule_set.stored is not None
    stored = read_stored(rule_set.stored)
    assert stored.records == rule_set.need_catalogue("").load("reconstructed").hash
    frame = stored.frame("1")
    scenario = read_scenario("solo_campaign1_short", [], {})
    lines = [objective.name for objective in together(rule_set.objectives(scenario.prepared))]
    assert set(frame["objective"]) == {*lines, *(reading.title for reading in rule_set.campaigns[0].readings)}
    assert set(frame["rounds"]) == {length.rounds for length in rule_set.lengths}
    assert frame["n"].min() >= 100
    assert (frame["k"] <= frame["n"]).all()
    assert stored.policy in {policy.name for policy in rule_set.policies()}


def test_stored_results_with_other_keys_are_refused(tmp_path: Path):
    file = tmp_path / "stored.toml"
    file.write_text('policy = "p"\ndate = 2026-12-01\ncommand = "c"\nrecords = "r"\nrates = []\nmore = 1\n', "utf-8")
    with pytest.raises(BadInput, match="more"):
        read_stored(file)


def test_the_order_to_try_follows_what_the_rest_is_then_worth():
    chances = {"AB": 0.5, "A": 0.9, "B": 0.6}
    rows = [{"campaign": 1, "open": list(names), "chip": False, "chance": chance} for names, chance in chances.items()]
    # claiming B leaves A open, which is won in 90 %
    assert order_to_try({"campaigns": [1], "positions": rows}) == [("B", 0.9), ("A", 1.0)]


def test_a_first_answer_says_that_it_is_provisional_with_n_and_intervals(source):
    text = first_answer(FOUND.filter(pl.col("player") == "planner", pl.col("rounds") == 10), source.words)
    assert text.startswith("First answer, provisional: with 10 rounds planner meets ")
    assert "Builder in 90.0 % (88.0–91.7) and Great Victory in 54.0 % (50.9–57.1)" in text
    assert "n = 1,000 each, 95 % intervals" in text
