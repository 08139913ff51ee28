"""Games needed: against statsmodels, published numbers, and simulation; and the command that prints them."""

import itertools
import json

import numpy as np
import pytest
from scipy import stats

from nfsim.cli import main
from nfsim.stats.intervals import mean_bounds, wilson
from nfsim.stats.paired import paired_rates
from nfsim.stats.planning import (
    correlations,
    games_for_mean,
    games_for_mean_difference,
    games_for_rate,
    games_for_rate_difference,
)


@pytest.mark.parametrize(("rate", "width"), [(0.5, 0.1), (0.2, 0.01), (0.01, 0.004), (0.0, 0.01), (1.0, 0.02)])
def test_one_game_fewer_would_leave_wilsons_interval_too_wide(rate, width):
    n = games_for_rate(rate, width)
    for games, enough in ((n, True), (n - 1, False)):
        low, high = wilson(rate * games, games)
        assert (high - low <= width) == enough


def test_wilsons_number_is_near_the_normal_intervals_of_statsmodels():
    from statsmodels.stats.proportion import samplesize_confint_proportion

    assert games_for_rate(0.2, 0.01) == pytest.approx(samplesize_confint_proportion(0.2, 0.005), abs=5)


def test_one_game_fewer_would_leave_the_t_interval_too_wide():
    n = games_for_mean(10, 0.8)
    for games, enough in ((n, True), (n - 1, False)):
        low, high = mean_bounds(games, 0.0, 10)
        assert (high - low <= 0.8) == enough


def test_the_games_for_a_difference_of_means_are_the_textbooks():
    # Cohen 1988, table 2.4.1: d = 0.5, power 0.8, two-sided 0.05: 64 in each group; one sample (2.5 d' = 0.5): 34
    assert games_for_mean_difference(0.5, 1) == 64
    # two values of correlation one half differ with the sd of one of them
    assert games_for_mean_difference(-0.5, 1, correlation=0.5) == 34


def test_the_games_for_a_difference_of_rates_are_the_textbooks():
    # Fleiss 1981, chapter 3: 0.25 against 0.40, power 0.8, without continuity correction: 152
    assert games_for_rate_difference(0.25, 0.40) == pytest.approx(152, abs=1)
    assert games_for_rate_difference(0.40, 0.25) == games_for_rate_difference(0.25, 0.40)


def test_connors_number_for_pairs():
    # Connor 1987 (Biometrics 43): (1.96 √ψ + 0.8416 √(ψ − δ²))² / δ², here for discordant shares 0.25 and 0.10
    before, after, both = 0.40, 0.55, 0.30
    rho = (both - before * after) / np.sqrt(before * (1 - before) * after * (1 - after))
    expected = (stats.norm.isf(0.025) * np.sqrt(0.35) + stats.norm.isf(0.2) * np.sqrt(0.35 - 0.15**2)) ** 2 / 0.15**2
    assert games_for_rate_difference(before, after, correlation=rho) == np.ceil(expected)


def test_pairs_find_a_difference_as_often_as_promised():
    before, after, rho = 0.3, 0.4, 0.5
    n = games_for_rate_difference(before, after, correlation=rho, power=0.8)
    both = before * after + rho * np.sqrt(before * (1 - before) * after * (1 - after))
    counts = np.random.default_rng(7).multinomial(
        n, [both, before - both, after - both, 1 - before - after + both], 1500
    )
    found = [paired_rates(np.repeat([1, 1, 0, 0], each), np.repeat([1, 0, 1, 0], each)).p < 0.05 for each in counts]
    assert np.mean(found) == pytest.approx(0.8, abs=0.035)


def test_independent_pairs_are_worth_nothing_and_alike_ones_much():
    unpaired = games_for_rate_difference(0.2, 0.22)
    assert games_for_rate_difference(0.2, 0.22, correlation=0.0) == pytest.approx(unpaired, rel=0.01)
    assert games_for_rate_difference(0.2, 0.22, correlation=0.9) < unpaired / 5


def test_the_extreme_correlations_are_those_of_tables_with_an_empty_cell():
    low, high = correlations(0.3, 0.3)
    assert (low, high) == pytest.approx((-0.09 / 0.21, 1))
    assert correlations(0.0, 0.3) == (0, 0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: games_for_rate_difference(0.2, 0.2), "no difference"),
        (lambda: games_for_mean_difference(0, 1), "no difference"),
        (lambda: games_for_rate_difference(0.2, 0.3, correlation=0.9), "cannot have a correlation"),
        (lambda: games_for_mean_difference(1, 1, correlation=1.0), "below 1"),
        (lambda: games_for_mean(1e6, 1e-6), "more than"),
    ],
)
def test_what_no_number_of_games_answers_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_the_command_answers_all_that_was_asked(capsys):
    numbers = {"--rate": "0.2", "--width": "0.01", "--difference": "0.02", "--correlation": "0.4"}
    arguments = ["games", *itertools.chain(*numbers.items()), "--json"]
    assert main(arguments) == 0
    said = json.loads(capsys.readouterr().out)
    assert [answer["games"] for answer in said["answers"]] == [
        games_for_rate(0.2, 0.01),
        games_for_rate_difference(0.2, 0.22),
        games_for_rate_difference(0.2, 0.22, correlation=0.4),
    ]
    assert main(arguments[:-1]) == 0
    printed = capsys.readouterr().out
    assert f"{games_for_rate(0.2, 0.01):,}" in printed
    assert "found with a probability of 80 %" in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("--rate 0.2", "name --width or --difference"),
        ("--width 0.2", "name either --rate or --sd"),
        ("--rate 0.2 --sd 3 --width 0.1", "name either --rate or --sd"),
        ("--rate 1.2 --width 0.1", "--rate: must be from 0 to 1"),
        ("--rate x --width 0.1", '--rate: must be a number, not "x"'),
        ("--rate nan --width 0.1", "--rate: must be a number"),
        ("--rate 0.2 --width 0", "--width: must be above 0"),
        ("--rate 0.2 --width 0.1 --correlation 0.3", "--correlation: is about a --difference"),
        ("--rate 0.9 --difference 0.2", "--difference: a rate of 0.9 cannot change by"),
        ("--rate 0.2 --difference 0", "--difference: there is no difference"),
        ("--rate 0.2 --difference 0.1 --correlation 0.99", "--correlation: rates of 0.2 and 0.3 cannot"),
        ("--sd 10 --difference 1 --power 1", "--power: must be from 0.1 to 0.99"),
        ("--sd 10 --width 1e-9", "--width: takes more than"),
    ],
)
def test_bad_input_is_named_in_one_sentence(arguments, words, capsys):
    assert main(["games", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
