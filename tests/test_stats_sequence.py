"""The confidence sequence: what it is by definition, and how often it covers when one looks again and again."""

import numpy as np
import pytest
from scipy import integrate, stats

from nfsim.stats.intervals import wilson
from nfsim.stats.planning import games_for_rate
from nfsim.stats.sequence import sequence_bounds, weight_for

LOOK = 100
LOOKS = 200
REPEATS = 10_000


def walks(rate, seed, looks=LOOKS, repeats=REPEATS):
    """Successes after each look, shape (repetition, look)."""
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.binomial(LOOK, rate, (repeats, looks)), axis=1), LOOK * np.arange(1, looks + 1)


def once(k, n, bounds):
    """Bounds of all k, shape (repetition, look), each pair of k and n computed once."""
    most = int(n.max()) + 1
    pairs, places = np.unique(k * most + n, return_inverse=True)
    found_k, found_n = np.divmod(pairs, most)
    return [bound[places].reshape(k.shape) for bound in bounds(found_k, found_n)]


@pytest.mark.parametrize(("k", "n", "weight"), [(30, 100, 20.0), (3, 400, 50.0), (250, 260, 5.0)])
def test_at_both_bounds_the_mixed_likelihood_is_twenty_times_that_of_the_bound(k, n, weight):
    for p in (float(bound) for bound in sequence_bounds(k, n, weight)):

        def mixed(q, p=p):
            return stats.binom.pmf(k, n, q) * stats.beta.pdf(q, weight * p, weight * (1 - p))

        value = integrate.quad(mixed, 0, 1, points=[k / n, p], limit=500)[0]
        assert value / stats.binom.pmf(k, n, p) == pytest.approx(20, rel=1e-5)


def test_bounds_lie_around_the_rate_and_narrow_with_n():
    n = np.array([0, 10, 1_000, 100_000, 10_000_000])
    low, high = sequence_bounds(0.3 * n, n, 5_000.0)
    assert (low[0], high[0]) == (0, 1)
    assert ((low < 0.3) & (high > 0.3)).all()
    assert (np.diff(high - low) < 0).all()


def test_nothing_or_everything_is_one_sided_and_mirrored():
    low, high = sequence_bounds([0, 500], 500, 100.0)
    assert (low[0], high[1]) == (0, 1)
    assert 0 < high[0] < 0.05
    assert low[1] == pytest.approx(1 - high[0])


def test_an_interval_of_the_wanted_width_takes_about_two_and_a_half_times_the_fixed_plan():
    for rate, width in ((0.5, 0.01), (0.2, 0.01), (0.02, 0.002)):
        weight = weight_for(rate * 500, 500, width, 0)
        fixed = games_for_rate(rate, width)
        low, high = sequence_bounds(rate * fixed * np.array([2.2, 2.6]), fixed * np.array([2.2, 2.6]), weight)
        assert (high - low > width).tolist() == [True, False]


@pytest.mark.parametrize("rate", [0.5, 0.2, 0.05])
def test_it_covers_at_all_looks_together_where_the_plain_interval_does_not(rate):
    k, n = walks(rate, seed=17)
    low, high = once(k, n, lambda k, n: sequence_bounds(k, n, 2_000.0))
    always = ((low <= rate) & (rate <= high)).all(axis=1).mean()
    assert always >= 0.95
    low, high = wilson(k, n)
    assert ((low <= rate) & (rate <= high)).all(axis=1).mean() < 0.75


@pytest.mark.parametrize("repeats", [2_000, pytest.param(REPEATS, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "rate", [pytest.param(0.5, marks=pytest.mark.soak), 0.2, pytest.param(0.05, marks=pytest.mark.soak)]
)
def test_stopped_when_narrow_enough_it_covers(rate, repeats):
    width = 0.08 if rate > 0.1 else 0.04
    pilot = np.random.default_rng(18).binomial(500, rate, repeats)
    k, n = walks(rate, seed=19, looks=40, repeats=repeats)
    covered, stopped = np.zeros(repeats, bool), np.zeros(repeats, bool)
    for seen in np.unique(pilot):
        own = pilot == seen
        low, high = sequence_bounds(k[own], n, weight_for(seen, 500, width, LOOK))
        narrow = high - low <= width
        first = np.where(narrow.any(axis=1), narrow.argmax(axis=1), -1)
        rows = np.arange(own.sum())
        covered[own] = (low[rows, first] <= rate) & (rate <= high[rows, first])
        stopped[own] = narrow.any(axis=1)
    assert stopped.mean() > 0.99
    assert covered.mean() >= 0.95


def test_who_stops_as_soon_as_a_rate_seems_to_differ_is_mostly_misled_by_plain_intervals_only():
    k, n = walks(0.5, seed=20)

    def ever_above_one_half(bounds):
        return (once(k, n, bounds)[0] > 0.5).any(axis=1).mean()

    assert ever_above_one_half(wilson) > 0.15
    assert ever_above_one_half(lambda k, n: sequence_bounds(k, n, 2_000.0)) < 0.025


def test_shares_of_split_wins_are_covered():
    rng = np.random.default_rng(21)
    values = rng.choice([0.0, 0.5, 1.0], p=[0.6, 0.3, 0.1], size=(1_000, 4_000))
    n = np.arange(100, 4_001, 100)
    low, high = sequence_bounds(values.cumsum(axis=1)[:, n - 1], n, 300.0)
    assert ((low <= 0.25) & (high >= 0.25)).all(axis=1).mean() >= 0.95


def test_a_pilot_without_successes_does_not_promise_that_there_are_none():
    assert weight_for(0, 500, 0.001, 0) > weight_for(0, 10**6, 0.001, 0)


def test_games_that_are_played_anyway_make_the_interval_as_narrow_as_they_can():
    def width(weight):
        low, high = sequence_bounds(10_000, 20_000, weight)
        return float(high - low)

    chosen = width(weight_for(250, 500, 0.2, 20_000))
    assert chosen <= 1.01 * min(width(weight) for weight in np.geomspace(1, 10**6, 50))
    assert chosen < width(weight_for(250, 500, 0.2, 0))
