"""Pipelines from run tables to small frames, against numbers counted by hand or by plain Python."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from synthetic_runs import solo_tables, table_tables

from nfsim.games.new_frontiers.analysis import goals, xeno
from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.report.parts import outcomes
from nfsim.stats.intervals import mean_interval, wilson


def lazy(tables):
    return {name: frame.lazy() for name, frame in tables.items()}


@pytest.fixture(scope="module")
def solo():
    return solo_tables(400)


def test_objective_rates_count_games_and_end_with_any_objective(solo):
    found = outcomes.objective_rates(lazy(solo), "Any of them")
    met = {row["objective"]: 0 for row in solo["objectives"].to_dicts()}
    for row in solo["objectives"].to_dicts():
        met[row["objective"]] += row["met"]
    assert dict(found.select("objective", "k").rows()) == met | {"Any of them": solo["seats"]["won"].sum()}
    assert found["n"].unique().to_list() == [400]
    assert found["objective"][-1] == "Any of them"
    low, high = wilson(found["k"], 400)
    assert np.allclose(found["low"], low)
    assert np.allclose(found["high"], high)


def test_score_distribution_has_every_result(solo):
    found = outcomes.score_distribution(lazy(solo))
    assert dict(found.select("score", "k").rows()) == Counter(solo["seats"]["score"].to_list())
    assert found["score"].is_sorted()
    assert found["rate"].sum() == pytest.approx(1)


def test_a_distribution_in_steps_counts_the_same_games(solo):
    single = outcomes.score_distribution(lazy(solo))
    fives = outcomes.binned(single, 5)
    expected = Counter(vp // 5 * 5 for vp in solo["seats"]["score"].to_list())
    assert dict(fives.select("score", "k").rows()) == expected
    assert outcomes.binned(single, 1) is single


def test_penalties_are_counted_by_size_and_number(solo):
    found = xeno.penalty_frequencies(lazy(solo))
    for penalty in (3, 6, 8):
        counts = Counter(solo["seats"][f"penalty_{penalty}"].to_list())
        own = found.filter(pl.col("penalty") == penalty)
        assert dict(own.select("taken", "k").rows()) == {t: counts[t] for t in range(max(counts) + 1)}


def test_goals_are_averaged_over_the_games_in_which_they_are_in_play(solo):
    found = goals.goal_points(lazy(solo))
    for row in found.to_dicts():
        own = solo["goals"].filter(pl.col("goal") == row["goal"])["score"]
        expected = mean_interval(own)
        assert row["n"] == len(own)
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(expected[1:])
    steps = goals.goal_steps(lazy(solo))
    assert steps.group_by("goal").agg(pl.col("rate").sum())["rate"].to_list() == pytest.approx([1] * len(found))


def test_sources_add_up_to_the_score(solo):
    found = dict(outcomes.score_sources(lazy(solo), METRICS.sources).select("source", "mean").rows())
    total = found.pop("Total")
    assert sum(found.values()) == pytest.approx(total)
    assert total == pytest.approx(solo["seats"]["score"].mean())


def test_a_shared_win_is_split():
    seats = pl.DataFrame({"game": [0, 0, 1, 1], "seat": [0, 1, 0, 1], "won": [True, True, False, True]})
    found = outcomes.seat_wins({"seats": seats.lazy()})
    assert found.select("seat", "n", "k", "shared").rows() == [(0, 2, 0.5, 1), (1, 2, 1.5, 1)]


def test_players_of_one_game_count_as_one_observation():
    tables = table_tables(300, 4)
    found = outcomes.score_sources(lazy(tables), METRICS.sources)
    per_game = tables["seats"].group_by("game").agg(pl.col("score").mean())["score"]
    total = found.filter(pl.col("source") == "Total").to_dicts()[0]
    assert [total[key] for key in ("n", "mean", "low", "high")] == pytest.approx(mean_interval(per_game))
    assert outcomes.score_distribution(lazy(tables))["k"].sum() == pytest.approx(300)
    assert goals.goal_points(lazy(tables))["n"].to_list() == [300]
    assert outcomes.seat_wins(lazy(tables))["k"].sum() == pytest.approx(300)


def test_scores_by_seat():
    tables = table_tables(200, 2)
    found = outcomes.score_summary(lazy(tables))
    for row in found.to_dicts():
        own = tables["seats"].filter(pl.col("seat") == row["seat"])["score"]
        assert [row["mean"], row["low"], row["high"]] == pytest.approx(mean_interval(own)[1:])
        assert row["q10"] <= row["q25"] <= row["median"] <= row["q75"] <= row["q90"]


@pytest.mark.parametrize(
    "numbers",
    [outcomes.score_distribution, goals.goal_points, goals.goal_steps, outcomes.score_summary, outcomes.seat_wins],
)
def test_no_games_give_no_rows(numbers):
    assert numbers(lazy(solo_tables(0))).is_empty()
    assert outcomes.objective_rates(lazy(solo_tables(0)), "Any of them").is_empty()


def test_small_integers_do_not_overflow():
    tables = solo_tables(5000)
    tables["seats"] = tables["seats"].with_columns(pl.col("penalty_3", "vp_penalty").cast(pl.Int8))
    assert xeno.penalty_frequencies(lazy(tables)).filter(pl.col("penalty") == 3)["k"].sum() == 5000
