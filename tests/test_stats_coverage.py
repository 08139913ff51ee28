"""On simulated data with a known truth 95 % intervals cover it in 94 to 96 % of 10,000 repetitions.

Rates are discrete, and so is the coverage of any interval for them: it moves around 95 % with n and the rate. Where it
is known to leave 94 to 96 % (Wilson's, few successes) that is tested too, by adding up probabilities.
"""

import numpy as np
import pytest
from scipy import stats

from nfsim.stats.intervals import mean_bounds, mean_interval, wilson
from nfsim.stats.paired import independent_counts, paired_means, paired_rates
from nfsim.stats.tournament import clustered_rate

REPEATS = 10_000
repeated = pytest.mark.parametrize("repeats", [2_000, pytest.param(REPEATS, marks=pytest.mark.soak)])
"""Where each repetition takes a call: the same bounds hold for these 2,000 draws, which are the same every time."""
SKEWED = np.array([10, 20, 30, 31, 32, 33, 34, 35, 36, 38, 60])  # a figure such as VPs: whole numbers, outliers


def covers(low, high, truth):
    return ((np.asarray(low) <= truth) & (np.asarray(high) >= truth)).mean()


def exact_wilson_coverage(n, p):
    k = np.arange(n + 1)
    low, high = wilson(k, n)
    return stats.binom.pmf(k, n, p)[(low <= p) & (high >= p)].sum()


@pytest.mark.parametrize("p", [0.5, 0.2, 0.05])
@pytest.mark.parametrize("n", [500, 1_000, 2_000])
def test_wilsons_interval_covers(n, p):
    k = np.random.default_rng([n, int(100 * p)]).binomial(n, p, REPEATS)
    assert 0.94 <= covers(*wilson(k, n), p) <= 0.96


def test_with_few_successes_wilsons_coverage_is_off_by_discreteness_and_to_the_safe_side():
    assert 0.94 <= exact_wilson_coverage(200, 0.5) <= 0.96
    assert 0.94 <= exact_wilson_coverage(200, 0.2) <= 0.96
    assert 0.96 < exact_wilson_coverage(200, 0.05) < 0.97


@pytest.mark.parametrize("n", [30, 100, 1_000])
def test_the_t_interval_of_a_mean_covers(n):
    x = np.random.default_rng(n).choice(SKEWED, (REPEATS, n)).astype(float)
    low, high = mean_bounds(n, x.mean(axis=1), x.std(axis=1, ddof=1))
    assert 0.94 <= covers(low, high, SKEWED.mean()) <= 0.96


@repeated
def test_the_interval_of_a_paired_difference_of_rates_covers(repeats):
    kinds = np.random.default_rng(31).choice(4, size=(repeats, 300), p=[0.15, 0.10, 0.25, 0.50])
    gained, lost, both = (kinds == place for place in range(3))
    pairs = zip(lost | both, gained | both, strict=True)
    found = np.array([paired_rates(*each).interval for each in pairs])
    assert 0.94 <= covers(found[:, 1], found[:, 2], 0.05) <= 0.96


@repeated
def test_the_interval_of_a_paired_difference_of_means_covers_and_an_unpaired_one_would_be_too_wide(repeats):
    rng = np.random.default_rng(32)
    luck = 8 * rng.normal(size=(repeats, 60))
    before, after = luck + rng.choice(SKEWED, luck.shape), luck + rng.choice(SKEWED, luck.shape) + 2
    found = np.array([paired_means(*each).interval for each in zip(before, after, strict=True)])
    assert 0.94 <= covers(found[:, 1], found[:, 2], 2) <= 0.96
    unpaired = [stats.ttest_ind(b, a).confidence_interval() for a, b in zip(before[:1000], after[:1000], strict=True)]
    assert covers(*np.array(unpaired).T, 2) > 0.97


@repeated
def test_the_interval_of_a_difference_of_independent_rates_covers(repeats):
    rng = np.random.default_rng(33)
    k = rng.binomial(400, [0.3, 0.4], (repeats, 2))
    found = np.array([independent_counts(int(one), 400, int(other), 400).interval for one, other in k])
    assert 0.94 <= covers(found[:, 1], found[:, 2], 0.1) <= 0.96


def test_the_interval_of_a_clustered_rate_covers_and_one_over_games_would_not():
    rng = np.random.default_rng(34)
    deals, games = 200, 4
    luck = rng.normal(size=(REPEATS, deals, 1))  # of the deal, for all seatings
    scores = (luck + rng.normal(size=(REPEATS, deals, games)) < -0.8).astype(float)
    truth = stats.norm.cdf(-0.8 / np.sqrt(2))
    found = np.array([clustered_rate(each)[2:5] for each in scores])
    assert 0.94 <= covers(found[:, 1], found[:, 2], truth) <= 0.96
    naive = wilson(scores.sum(axis=(1, 2)), deals * games)
    assert covers(*naive, truth) < 0.9


def test_a_mean_interval_is_what_its_bounds_are():
    x = np.random.default_rng(35).normal(size=50)
    low, high = mean_bounds(50, x.mean(), x.std(ddof=1))
    assert mean_interval(x)[2:] == (low, high)
