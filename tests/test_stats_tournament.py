"""Comparing policies on the same deals: known answers, made-up worlds with known strengths, coverage."""

import itertools

import numpy as np
import pytest

from nfsim.stats import tournament
from nfsim.stats.intervals import mean_interval, wilson
from nfsim.stats.tournament import ahead_of_others, clustered_rate, ratings, win_shares


def test_a_shared_win_is_split():
    assert win_shares(np.array([[1, 0, 0], [1, 0, 1], [1, 1, 1]])).tolist() == [
        [1, 0, 0],
        [0.5, 0, 0.5],
        [1 / 3, 1 / 3, 1 / 3],
    ]


def test_a_seat_is_ahead_of_those_behind_it_and_half_ahead_of_its_equals():
    rank = np.array([[1, 2, 3], [2, 1, 3], [3, 1, 2], [1, 1, 3], [1, 1, 1]])
    assert ahead_of_others(rank, 0).tolist() == [1, 0.5, 0, 0.75, 0.5]
    assert ahead_of_others(rank, 2).tolist() == [0, 0, 0.5, 0, 0.5]


def test_with_one_game_a_deal_the_interval_is_the_usual_one():
    scores = np.random.default_rng(1).random(50)
    found, usual = clustered_rate(scores[:, None]), mean_interval(scores)
    assert (found.n, found.games) == (50, 50)
    assert [found.rate, found.low, found.high] == pytest.approx([usual.mean, usual.low, usual.high])
    assert found.worth == pytest.approx(1)


def test_copies_of_a_game_are_worth_nothing():
    scores = (np.random.default_rng(2).random((4000, 1)) < 0.3).astype(float)
    once, often = clustered_rate(scores), clustered_rate(np.repeat(scores, 5, axis=1))
    assert (often.rate, often.low, often.high) == pytest.approx((once.rate, once.low, once.high))
    assert often.worth == pytest.approx(1 / 5, rel=0.01)


def test_seatings_that_cancel_out_leave_no_doubt():
    first = np.array([1.0, 0.0, 0.5, 1.0])
    found = clustered_rate(np.stack([first, 1 - first], axis=1))
    assert (found.rate, found.low, found.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_a_shutout_has_an_interval_of_its_own(score):
    found = clustered_rate(np.full((20, 2), score))
    low, high = wilson(20 * score, 20)
    assert (found.rate, found.low, found.high) == (score, low, high)
    assert found.high - found.low > 0.1


def test_one_deal_says_next_to_nothing_and_none_nothing():
    one, none = clustered_rate([[1.0, 0.0, 0.0, 1.0]]), clustered_rate(np.zeros((0, 2)))
    assert (one.rate, np.isnan(one.worth)) == (0.5, True)
    assert one.high - one.low > 0.8
    assert np.isnan([none.rate, none.low, none.high]).all()


@pytest.mark.parametrize("chance", [0.02, 0.98])
def test_the_interval_covers_where_wins_or_losses_are_few(chance):
    rng = np.random.default_rng(11)
    found = [clustered_rate((rng.random((100, 2)) < chance).astype(float)) for _ in range(1000)]
    assert np.mean([r.low <= chance <= r.high for r in found]) > 0.94


def test_the_interval_over_deals_covers_and_one_over_games_would_not():
    rng = np.random.default_rng(3)
    trials, deals, games = 2000, 60, 4
    luck = rng.normal(size=(trials, deals, 1))  # of the deal, for all seatings
    scores = (luck + rng.normal(size=(trials, deals, games)) < 0).astype(float)  # true rate: one half
    clustered = [clustered_rate(each) for each in scores]
    naive = [mean_interval(each.ravel()) for each in scores]
    assert 0.935 < np.mean([r.low <= 0.5 <= r.high for r in clustered]) < 0.965
    assert np.mean([r.low <= 0.5 <= r.high for r in naive]) < 0.9


def world(strengths, deals, rng):
    """Play a Bradley–Terry world of known strengths, in points, two games a deal."""
    scores = {}
    for i, j in itertools.combinations(range(len(strengths)), 2):
        chance = 1 / (1 + 10 ** ((strengths[j] - strengths[i]) / 400))
        scores[i, j] = (rng.random((deals, 2)) < chance).mean(axis=1)
    return scores


def test_ratings_find_the_strengths_of_a_made_up_world():
    strengths = np.array([0.0, 150.0, -300.0, 40.0])
    found = ratings(4, world(strengths, 20_000, np.random.default_rng(5)), repeats=200)
    assert found.rating == pytest.approx(strengths, abs=10)
    assert (found.low[1:] < found.rating[1:]).all()
    assert (found.rating[1:] < found.high[1:]).all()
    assert (found.rating[0], found.low[0], found.high[0]) == (0, 0, 0)


@pytest.mark.soak
def test_intervals_of_ratings_cover_the_true_strengths():
    strengths, rng = np.array([0.0, 100.0, -200.0]), np.random.default_rng(6)
    inside = np.zeros(2)
    for trial in range(100):
        found = ratings(3, world(strengths, 150, rng), repeats=150, seed=trial)
        inside += (found.low[1:] <= strengths[1:]) & (strengths[1:] <= found.high[1:])
    assert (inside / 100 > 0.90).all()


def test_the_order_of_the_deals_changes_no_rating():
    scores = world(np.array([0.0, 80.0, 200.0]), 500, np.random.default_rng(7))
    order = np.random.default_rng(8).permutation(500)
    shuffled = {pair: score[order] for pair, score in scores.items()}
    assert ratings(3, scores, repeats=2).rating == pytest.approx(ratings(3, shuffled, repeats=2).rating)


def test_two_policies_are_rated_by_the_odds_between_them():
    found = ratings(2, {(0, 1): np.repeat([1.0, 0.0], [300, 100])}, repeats=2)
    assert found.rating[1] == pytest.approx(-400 * np.log10(300.5 / 100.5))


def test_a_policy_that_never_loses_is_rated_without_an_interval():
    scores = world(np.array([0.0, 50.0, 0.0]), 400, np.random.default_rng(9))
    scores[0, 2], scores[1, 2] = np.zeros(400), np.zeros(400)
    found = ratings(3, scores, repeats=50)
    assert np.isfinite(found.rating).all()
    assert found.rating[2] > found.rating[1]
    assert np.isnan([found.low[2], found.high[2]]).all()
    assert np.isfinite([found.low[1], found.high[1]]).all()


def test_many_deals_are_drawn_in_blocks_to_the_same_effect(monkeypatch):
    scores = world(np.array([0.0, 120.0]), 4000, np.random.default_rng(10))
    single = ratings(2, scores)
    monkeypatch.setattr(tournament, "BLOCKS", 501)
    blocks = ratings(2, scores)
    assert blocks.rating == pytest.approx(single.rating)
    assert blocks.high[1] - blocks.low[1] == pytest.approx(single.high[1] - single.low[1], rel=0.2)
