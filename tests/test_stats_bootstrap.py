"""Bootstrap intervals: against exact ones, the same by values and by counts, and coverage."""

import numpy as np
import pytest
from scipy import stats

from nfsim.stats.bootstrap import count_interval, quantile_of, value_interval
from nfsim.stats.intervals import mean_interval, wilson


def test_of_a_mean_it_is_nearly_the_t_interval():
    values = np.random.default_rng(1).exponential(size=2_000)
    found, usual = value_interval(values, np.mean, repeats=4_000), mean_interval(values)
    assert found[:2] == (usual.n, usual.mean)
    assert [found.low, found.high] == pytest.approx([usual.low, usual.high], abs=0.005)


def test_of_a_median_it_is_nearly_the_exact_one():
    values = np.random.default_rng(2).normal(size=1_001)
    found = value_interval(values, np.median)
    exact = stats.quantile_test(values, p=0.5).confidence_interval(0.95)
    assert [found.low, found.high] == pytest.approx(list(exact), abs=0.02)


def test_of_a_share_of_counts_it_is_nearly_wilsons():
    found = count_interval([[700, 300]], lambda counts: counts[:, 1] / counts.sum(axis=1), repeats=5_000)
    assert found[:2] == (1_000, 0.3)
    assert [found.low, found.high] == pytest.approx([float(end) for end in wilson(300, 1_000)], abs=0.003)


def test_counts_and_values_have_the_same_quantiles():
    rng = np.random.default_rng(3)
    for n in (1, 2, 7, 100, 101):
        values = rng.integers(5, 12, n)
        counts = np.bincount(values - 5, minlength=9)
        for q in (0.1, 0.25, 0.5, 0.9):
            assert quantile_of(counts, 5, q) == np.quantile(values, q, method="averaged_inverted_cdf")


def test_quantiles_are_vectorised():
    assert quantile_of([[1, 0, 1], [0, 0, 3], [2, 1, 1]], 40).tolist() == [41, 42, 40.5]


def test_a_shift_between_two_samples_counts_the_doubt_of_both():
    def shift(one, other):
        return quantile_of(other) - quantile_of(one)

    rng = np.random.default_rng(4)
    short, long = (np.bincount(rng.poisson(mean, 400), minlength=80) for mean in (30, 40))
    found = count_interval([short, long], shift)
    assert found.low < 10 < found.high
    alone = count_interval([long], quantile_of)
    assert found.high - found.low > alone.high - alone.low


def test_a_joint_table_is_one_sample():
    table = np.diag([50, 30, 20])  # both always agree
    found = count_interval([table], lambda counts: quantile_of(counts.sum(axis=1)) - quantile_of(counts.sum(axis=2)))
    assert found[1:] == (0, 0, 0)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    def mean(counts):
        return counts @ np.arange(counts.shape[1]) / counts.sum(axis=1)

    counts = np.bincount(np.random.default_rng(5).poisson(900, 300))
    first, again, other = (count_interval([counts], mean, seed=seed, repeats=99) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_infinite_values_end_an_interval_and_do_not_spoil_it():
    found = count_interval([[5, 5]], lambda counts: np.where(counts[:, 0] > 8, np.inf, 1.0), level=0.99)
    assert found[1:] == (1, 1, np.inf)


def test_nothing_and_one_unit_have_no_interval():
    assert np.isnan(value_interval([], np.mean)[1:]).all()
    assert np.isnan(count_interval([[0, 0]], quantile_of)[1:]).all()
    assert value_interval([3.0], np.mean)[:2] == count_interval([[0, 0, 0, 1]], quantile_of)[:2] == (1, 3.0)
    assert np.isnan(value_interval([3.0], np.mean)[2:]).all()


def test_the_interval_of_a_quantile_covers():
    rng, p = np.random.default_rng(6), stats.poisson(900).pmf(np.arange(1_200))
    truth = stats.poisson(900).median()
    covered = 0
    for seed, counts in enumerate(rng.multinomial(400, p / p.sum(), 400)):
        used = counts[750:1_050]
        found = count_interval([used], lambda c: quantile_of(c, 750), seed=seed, repeats=400)
        covered += found.low <= truth <= found.high
    assert covered / 400 > 0.93
