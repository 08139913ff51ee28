"""Intervals against published and hand-computed values."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from nfsim.stats.intervals import (
    mean_bounds,
    mean_interval,
    reliable,
    wilson,
    with_mean_bounds,
    with_rates,
    within_sign,
)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # Newcombe 1998 (Statistics in Medicine 17, p. 861), table I, method 3: Wilson's score interval
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # the mirror image of 0 of 20
        (20, 20, 0.8389, 1.0000),
    ],
)
def test_wilson_gives_the_published_intervals(k, n, low, high):
    found = wilson(k, n)
    assert np.allclose([float(found[0]), float(found[1])], [low, high], atol=5e-5)


def test_wilson_is_vectorised_and_unknown_without_trials():
    low, high = wilson([0, 5, 0], [10, 10, 0])
    assert low.shape == high.shape == (3,)
    assert np.isnan([low[2], high[2]]).all()
    assert low[0] == 0
    assert low[1] + high[1] == pytest.approx(1)
    assert [len(x) for x in wilson([], [])] == [0, 0]


def test_wilson_takes_split_wins():
    low, high = wilson(0.5, 1)
    assert 0 < low < 0.5 < high < 1


def test_t_interval_of_a_textbook_sample():
    # 1 … 5: mean 3, s = 1.5811, t(0.975, 4) = 2.7764, half width 2.7764 · 1.5811 / √5 = 1.9632
    found = mean_interval([1, 2, 3, 4, 5])
    assert found.n == 5
    assert found.mean == 3
    assert (found.low, found.high) == (pytest.approx(1.0368, abs=1e-4), pytest.approx(4.9632, abs=1e-4))


def test_a_mean_of_few_values_does_not_pretend_to_an_interval():
    assert np.isnan(mean_interval([])).tolist() == [False, True, True, True]
    assert np.isnan(mean_interval([7])).tolist() == [False, False, True, True]
    assert mean_interval([7, 7, 7])[1:] == (7, 7, 7)


def test_mean_bounds_are_vectorised():
    low, high = mean_bounds([2, 5, 1], [0.0, 3.0, 9.0], [1.0, 1.5811388, np.nan])
    assert high[0] == pytest.approx(12.7062 / np.sqrt(2), abs=1e-4)  # t(0.975, 1) = 12.7062
    assert low[1] == pytest.approx(1.0368, abs=1e-4)
    assert np.isnan([low[2], high[2]]).all()


def test_frames_get_rates_and_bounds():
    rates = with_rates(pl.DataFrame({"k": [1, 0], "n": [4, 0]}))
    assert rates["rate"].to_list() == [0.25, None]
    means = with_mean_bounds(pl.DataFrame({"n": [5, 1], "mean": [3.0, 2.0], "sd": [1.5811388, None]}))
    assert means["low"][0] == pytest.approx(1.0368, abs=1e-4)
    assert np.isnan(means["low"][1])


def test_wilson_covers_the_true_rate_about_as_often_as_it_says():
    k = np.random.default_rng(3).binomial(400, 0.3, 10_000)
    low, high = wilson(k, 400)
    assert 0.94 <= ((low <= 0.3) & (high >= 0.3)).mean() <= 0.96


def test_wilsons_bounds_are_the_rates_that_a_score_test_just_rejects():
    k, n = np.array([1, 7, 333, 99_999, 2.5]), np.array([20, 9, 1_000, 100_000, 10])
    for level in (0.8, 0.95, 0.999):
        for p in wilson(k, n, level):
            z = np.abs(k / n - p) / np.sqrt(p * (1 - p) / n)
            assert np.allclose(2 * stats.norm.sf(z), 1 - level)


def test_a_means_bounds_are_the_means_that_a_t_test_just_rejects():
    values = np.random.default_rng(4).exponential(size=25)
    for level in (0.8, 0.95, 0.999):
        found = mean_interval(values, level)
        for bound in (found.low, found.high):
            assert stats.ttest_1samp(values, bound).pvalue == pytest.approx(1 - level)


def test_an_interval_stays_on_the_side_of_a_quantity_with_one_sign():
    frame = pl.DataFrame({"mean": [0.3, -0.3, 2.0, 0.0], "low": [-0.2, -0.8, 1.0, 0.0], "high": [0.8, 0.2, 3.0, 0.0]})
    assert within_sign(frame).rows() == [(0.3, 0.0, 0.8), (-0.3, -0.8, 0.0), (2.0, 1.0, 3.0), (0.0, 0.0, 0.0)]
    unknown = within_sign(with_mean_bounds(pl.DataFrame({"n": [1], "mean": [2.0], "sd": [None]})))
    assert unknown.select(pl.col("low", "high").is_nan()).row(0) == (True, True)


def test_few_values_have_no_reliable_interval():
    frame = pl.DataFrame({"n": [29, 30], "mean": [1.0, 1.0], "low": [0.5, 0.5], "high": [1.5, 1.5]})
    assert reliable(frame)["low"].is_nan().to_list() == [True, False]
    assert reliable(frame)["high"].is_nan().to_list() == [True, False]


def test_intervals_are_those_of_statsmodels_and_scipy_to_the_last_digit():
    from statsmodels.stats.proportion import proportion_confint

    rng = np.random.default_rng(3)
    n = rng.integers(1, 10**6, 20_000).astype(np.float64)
    k = np.concatenate([np.zeros(100), n[100:200], rng.integers(0, n[200:] + 1)]).astype(np.float64)
    k[300:400] -= np.minimum(k[300:400], 0.25)  # shared wins
    for level in (0.5, 0.9, 0.95, 0.99):
        assert np.array_equal(wilson(k, n, level), proportion_confint(k, n, alpha=1 - level, method="wilson"))
    n, mean, sd = n + 1, rng.normal(40, 10, len(n)), rng.uniform(1e-3, 20, len(n))
    for level in (0.5, 0.9, 0.95, 0.99):
        expected = stats.t.interval(level, n - 1, loc=mean, scale=sd / np.sqrt(n))
        assert np.array_equal(mean_bounds(n, mean, sd, level), expected)
