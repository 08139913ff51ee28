"""The test of two hypotheses: what its evidence is by definition, clear cases, and how often it is wrong."""

import math

import numpy as np
import pytest

from nfsim.stats.hypotheses import Decision, Hypotheses
from nfsim.stats.tournament import expected_score

POINTS = Hypotheses(expected_score(0), expected_score(20))  # two games a deal


def test_evidence_is_the_wealth_of_bets_that_know_earlier_values_only():
    values = np.array([0.5, 1.0, 0.0, 1.0])
    up, down = POINTS.evidence(values)
    for n in range(1, 5):  # what comes later changes nothing
        assert POINTS.evidence(values[:n])[0][-1] == pytest.approx(up[n - 1])
    gap = POINTS.high - POINTS.low
    bet = gap / (0.125 + gap**2)  # before the first value only the supposed variance is known
    assert up[0] == pytest.approx(math.log1p(bet * (0.5 - POINTS.low)))
    assert down[0] == pytest.approx(math.log1p(bet * (POINTS.high - 0.5)))


@pytest.mark.parametrize(("mean", "accepted"), [(0.6, "H1"), (0.4, "H0")])
def test_a_clear_case_is_decided_soon(mean, accepted):
    found = POINTS.decide(np.random.default_rng(1).binomial(2, mean, 5000) / 2)
    assert found.accepted == accepted
    assert found.n < 500


def test_without_enough_values_nothing_is_decided():
    assert POINTS.decide([]) == Decision("", 0, 0.0, 0.0)
    assert POINTS.decide([1.0, 0.0]).accepted == ""


def test_what_follows_the_decision_plays_no_part():
    values = np.random.default_rng(2).binomial(2, 0.6, 5000) / 2
    found = POINTS.decide(values)
    assert POINTS.decide(np.concatenate([values[: found.n], np.zeros(1000)])) == found


def test_without_a_difference_there_is_evidence_against_one():
    assert POINTS.decide(np.full(1000, 0.5)).accepted == "H0"


def test_twice_the_distance_takes_a_quarter_of_the_values():
    near, far = (Hypotheses(0.5, high, 0.05, 0.1).expected() for high in (0.52, 0.54))
    assert near[0] == pytest.approx(4 * far[0])
    assert near[1] > near[0]  # a smaller alpha needs more evidence for H1


def drawn(shape, mean, rng, size):
    """Values of a mean, as games of a deal make them: two games; mostly evened out; a win or nothing at all."""
    if shape == "two games":
        return rng.binomial(2, mean, size) / 2
    if shape == "split":
        return np.where(rng.random(size) < 0.8, 0.5, rng.random(size) < 0.5 + 5 * (mean - 0.5))
    return (rng.random(size) < mean).astype(float)


@pytest.mark.soak  # 12,000 tests of some thousand values take half a minute; rarely wrong once the formula is right
@pytest.mark.parametrize("shape", ["two games", "split", "one game"])
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.2)])
def test_it_is_wrong_at_most_as_often_as_it_says_and_takes_about_as_long(shape, alpha, beta):
    variance = {"two games": 0.125, "split": 0.05, "one game": 0.25}[shape]
    test = Hypotheses(0.5, expected_score(30), alpha, beta, variance)
    rng = np.random.default_rng(3)
    repeats = 1000
    for mean, wrong, rate, expected in ((test.low, "H1", alpha, test.expected()[0]),
                                        (test.high, "H0", beta, test.expected()[1])):  # fmt: skip
        found = [test.decide(drawn(shape, mean, rng, 30_000)) for _ in range(repeats)]
        assert all(each.accepted for each in found)
        mistakes = sum(each.accepted == wrong for each in found)
        assert mistakes <= repeats * rate + 3 * math.sqrt(repeats * rate * (1 - rate))  # three standard errors
        assert np.mean([each.n for each in found]) < 1.3 * expected
