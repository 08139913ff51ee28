"""Differences, paired and not, on published examples, against other paths in scipy and statsmodels, and coverage."""

import numpy as np
import polars as pl
import pytest

from nfsim.stats.many import adjusted, with_adjusted
from nfsim.stats.paired import (
    cluster_means,
    independent_counts,
    independent_means,
    independent_rates,
    paired_means,
    paired_rates,
)

# Student 1908: extra hours of sleep under two drugs, ten patients
DRUG_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
DRUG_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


def cells(both, lost, gained, neither):
    before = np.repeat([True, True, False, False], [both, lost, gained, neither])
    after = np.repeat([True, False, True, False], [both, lost, gained, neither])
    return before, after


def test_a_difference_of_rates_is_that_of_the_counts():
    before, after = np.array([0, 0, 0, 1, 1, 0, 0, 0]), np.array([1, 1, 1, 1, 0, 0, 0, 0])
    found = paired_rates(before, after)
    assert found[:4] == pytest.approx((8, 2 / 8, 4 / 8, 2 / 8))
    assert found.low < found.difference < found.high
    mirrored = paired_rates(after, before)
    assert mirrored.interval == pytest.approx((-found.difference, -found.high, -found.low))
    assert mirrored.p == pytest.approx(found.p)


def test_mcnemars_mid_p_is_the_published_one():
    # Fagerland, Lydersen and Laake 2013 (BMC Med Res Methodol 13:91), airway hyper-responsiveness: 7, 1, 7, 21 → 0.039
    assert paired_rates(*cells(1, 1, 7, 12)).p == pytest.approx(0.0391, abs=5e-5)


def test_mid_p_is_the_exact_p_less_the_chance_of_what_was_seen():
    from scipy.stats import binom
    from statsmodels.stats.contingency_tables import mcnemar

    exact = mcnemar([[10, 9], [31, 200]], exact=True).pvalue
    assert paired_rates(*cells(10, 9, 31, 200)).p == pytest.approx(exact - binom.pmf(9, 40, 0.5))


@pytest.mark.parametrize(("gained", "lost"), [(0.2, 0.1), (0.02, 0.01), (0.004, 0.004)])
def test_the_interval_of_a_difference_of_rates_covers(gained, lost):
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(1000):
        kind = rng.choice(4, size=300, p=[gained, lost, 0.1, 0.9 - gained - lost])
        found = paired_rates((kind == 1) | (kind == 2), (kind == 0) | (kind == 2))
        covered += found.low <= gained - lost <= found.high
    assert covered / 1000 > 0.935


def test_policies_that_never_differ_have_a_difference_in_doubt():
    found = paired_rates(np.zeros(100), np.zeros(100))
    assert (found.difference, found.p) == (0, 1)
    assert found.low < -0.01 < 0.01 < found.high
    assert np.isnan([found.correlation, found.replaces]).all()


def test_paired_means_are_students_own():
    found = paired_means(DRUG_1, DRUG_2)
    assert found.difference == pytest.approx(1.58)
    assert (found.low, found.high) == (pytest.approx(0.7001, abs=1e-4), pytest.approx(2.4599, abs=1e-4))
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    assert found.correlation == pytest.approx(0.7952, abs=1e-4)


def test_independent_means_are_welchs():
    found = independent_means(DRUG_1, DRUG_2)
    assert (found.low, found.high) == (pytest.approx(-0.2055, abs=1e-4), pytest.approx(3.3655, abs=1e-4))
    assert found.p == pytest.approx(0.07939, abs=1e-5)
    assert np.isnan([found.correlation, found.replaces]).all()


def test_independent_rates_are_newcombes():
    # Newcombe 1998 (Statistics in Medicine 17, p. 873), example (a), method 10: 56/70 − 48/80 = 0.2, 0.0524 to 0.3339
    found = independent_rates(np.arange(80) < 48, np.arange(70) < 56)
    assert found[:4] == pytest.approx((70, 0.6, 0.8, 0.2))
    assert (found.low, found.high) == (pytest.approx(0.0524, abs=5e-5), pytest.approx(0.3339, abs=5e-5))
    from scipy.stats import chi2_contingency

    assert found.p == pytest.approx(chi2_contingency([[48, 32], [56, 14]], correction=False).pvalue)


def test_split_ties_count_half():
    found = independent_rates([1, 0.5, 0, 0.5], [0.5, 0.5, 1, 1])
    assert found == independent_counts(2, 4, 3, 4)[:7] + found[7:]
    assert found.difference == 0.25


def test_a_pair_replaces_as_many_games_as_its_correlation_says():
    rng = np.random.default_rng(5)
    luck = rng.normal(size=200_000)
    found = paired_means(luck + rng.normal(size=luck.size), luck + rng.normal(size=luck.size))
    # variance 2 each, correlation one half: 4 unpaired against 2 paired
    assert found.correlation == pytest.approx(0.5, abs=0.01)
    assert found.replaces == pytest.approx(2, abs=0.02)


def test_a_difference_without_spread_is_a_point_with_the_sign_tests_p():
    found = paired_means([1, 2, 5, 7], [2, 3, 6, 8])
    assert found.interval == (1, 1, 1)
    assert found.p == pytest.approx(2 * 0.5**4)
    assert paired_means([1, 2], [1, 2]).p == 1


@pytest.mark.parametrize("compare", [paired_rates, paired_means, independent_rates, independent_means])
def test_without_units_nothing_is_known_and_one_is_too_few_for_a_mean(compare):
    assert compare([], []).n == 0
    assert np.isnan(compare([], [])[1:]).all()
    one = compare([1], [0])
    assert one[:4] == (1, 1, 0, -1)
    assert np.isnan(one.low) == (compare in (paired_means, independent_means))


def test_what_are_no_pairs_is_refused():
    with pytest.raises(ValueError, match="not pairs"):
        paired_rates([True], [True, False])


def test_cluster_means_come_in_the_order_of_the_units():
    assert cluster_means([7, 3, 7, 5], [1.0, 0.5, 0.0, 0.25]).tolist() == [0.5, 0.25, 0.5]
    assert cluster_means([], []).size == 0


def test_benjamini_and_hochberg_find_their_own_four():
    # Benjamini and Hochberg 1995, p. 295: 15 p-values; at 0.05 they reject the first four, Holm (as Bonferroni) three
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
         0.7590, 1.000]  # fmt: skip
    assert (adjusted(p) <= 0.05).sum() == 4
    assert (adjusted(p, "holm") <= 0.05).sum() == 3
    assert adjusted(p)[3] == pytest.approx(0.0095 * 15 / 4)


def test_unknown_p_values_stay_unknown_and_are_not_counted():
    found = adjusted([0.01, np.nan, 0.04])
    assert found[[0, 2]] == pytest.approx([0.02, 0.04])
    assert np.isnan(found[1])
    frame = with_adjusted(pl.DataFrame({"q": [0.04, None, 0.01]}), "q", "holm")
    assert frame["p_adjusted"].to_list()[::2] == pytest.approx([0.04, 0.02])
    assert np.isnan(adjusted([np.nan])).all()
    assert adjusted([]).size == 0
