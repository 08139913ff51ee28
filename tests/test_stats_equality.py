"""Tests of a mean against 0, of equal chances, and of owners against the rest, on cases with known answers."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from scipy import stats

from nfsim.stats.equality import equal_chances, expected_counts, mean_p, with_owner_difference


def test_equal_chances_of_seats_is_pearsons_test():
    wins = np.array([40.0, 60, 50, 50])
    found = equal_chances(wins, np.full(4, 200), 0.25)
    assert (found.statistic, found.p) == pytest.approx(tuple(stats.chisquare(wins)))


def test_equal_chances_of_dealt_mats_keeps_its_level():
    rng = np.random.default_rng(7)
    mats, players, games, repeats = 16, 4, 400, 1500
    dealt = np.argsort(rng.random((repeats, games, mats)), axis=2)[:, :, :players]
    winner = dealt[:, :, 0]  # the order of the dealt ones is random, so the first is a fair winner
    p = []
    for k in range(repeats):
        n = np.bincount(dealt[k].ravel(), minlength=mats)
        p.append(equal_chances(np.bincount(winner[k], minlength=mats), n, 1 / players).p)
    rejected = np.mean(np.array(p) < 0.05)
    assert 0.05 - 0.018 < rejected < 0.05 + 0.018  # more than three standard errors of 1,500 repetitions


def test_too_few_games_give_no_test():
    assert np.isnan(equal_chances([1, 2], [9, 9], 0.5).p)
    assert np.isnan(expected_counts([1, 2], [2, 1]).p)


def test_p_of_a_mean_is_the_t_tests_and_absent_below_thirty():
    values = np.random.default_rng(2).normal(0.2, 1, 40)
    assert mean_p(40, values.mean(), values.std(ddof=1)) == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert np.isnan(mean_p(29, 1.0, 1.0))
    assert mean_p(30, 0.0, 0.0) == 1


def test_the_interval_of_owners_is_the_cluster_robust_one():
    rng = np.random.default_rng(5)
    games, players = 400, 3
    has = rng.random((games, players)) < 0.3
    strength = rng.random((games, players)) + 0.4 * has
    won = (strength == strength.max(axis=1, keepdims=True)).astype(float)
    o, w = has.sum(axis=1), (won * has).sum(axis=1)
    sums = {"o": o.sum(), "w": w.sum(), "oo": (o * o).sum(), "ww": (w * w).sum(), "ow": (o * w).sum()}
    found = with_owner_difference(pl.DataFrame({k: [float(v)] for k, v in sums.items()}), games, players).to_dicts()[0]
    model = sm.OLS(won.ravel(), sm.add_constant(has.ravel().astype(float)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(games), players)}, use_t=True)
    # statsmodels also multiplies the variance by (N - 1) / (N - 2)
    more = np.sqrt((games * players - 1) / (games * players - 2))
    half = (found["high"] - found["low"]) / 2
    assert found["difference"] == pytest.approx(fit.params[1])
    assert half * more == pytest.approx(np.ptp(fit.conf_int()[1]) / 2)
