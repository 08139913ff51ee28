"""The ladder of skill: each policy plays better than the one before it. Lower ends of intervals count."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.policies.presets import Preset
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.stats.intervals import mean_interval
from nfsim.stats.paired import paired_rates
from nfsim.stats.tournament import Rate, clustered_rate, win_shares

Floats = np.ndarray[Any, Any]
SEARCH_DEALS = 14  # of two games each: search wins nearly all of them
SEARCHES = pytest.mark.soak  # a second a game; that search plays better at all is in test_thinking


def wins(name: str, one: str, others: str, deals: int) -> Rate:
    """How often a policy wins, alone among others, in each seat on the same deals."""
    scenario = read_scenario(Path(name), [], {})
    seats = int(scenario.prepared.tables[0].players)
    shares = []
    for seat in range(seats):
        policies = [one if place == seat else others for place in range(seats)]
        found = sample(scenario.rule_set, scenario.prepared, policies, root=17, games=deals, jobs=2)["seats"]
        shares.append(win_shares(found["won"].reshape(deals, seats))[:, seat])
    return clustered_rate(np.stack(shares, axis=1))


@cache
def rows(name: str, rounds: int, games: int, campaign: int = 1, open_condition: int | None = None) -> dict[str, Any]:
    """The same solo games under a policy; with `open_condition` only that one can be claimed."""
    preset: Preset = SHELF.get(name)
    if open_condition is not None:
        preset = preset.aiming(open_condition, 4) or preset
    length = "short" if rounds == 10 else "long"
    scenario = read_scenario(Path(f"solo_campaign{campaign}_{length}"), [], {})
    return sample(
        scenario.rule_set, scenario.prepared, [preset], root=23, games=games, tables=("seats", "objectives"), jobs=2
    )


def vps(name: str, rounds: int, games: int) -> Floats:
    return rows(name, rounds, games)["seats"]["score"]


def test_the_tuned_player_wins_at_least_60_of_100_games_against_balanced() -> None:
    assert wins("rift_2p", "tuned_2p", "balanced", 600).low >= 0.60


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_tuned_player_wins_clearly_more_than_its_share_among_balanced(players: int) -> None:
    assert wins(f"rift_{players}p", "tuned_4p", "balanced", 150).low >= 1.5 / players


@pytest.mark.soak
def test_search_wins_at_least_60_of_100_games_against_the_tuned_player() -> None:
    thinking = SHELF.get("search").thinking
    assert thinking is not None
    assert thinking.rollouts >= 64
    assert wins("rift_2p", "search", "tuned_2p", SEARCH_DEALS).low >= 0.60


@pytest.mark.parametrize("rounds", [10, 12])
@pytest.mark.parametrize(
    ("lower", "higher", "games"),
    [("uniform", "balanced", 500), ("balanced", "tuned", 1000), pytest.param("tuned", "search", 60, marks=SEARCHES)],
)
def test_mean_vps_rise_from_uniform_over_balanced_and_tuned_to_search(
    lower: str, higher: str, games: int, rounds: int
) -> None:
    tuned = "tuned_solo_short" if rounds == 10 else "tuned_solo_long"
    one, other = (tuned if name == "tuned" else name for name in (lower, higher))
    assert mean_interval(vps(other, rounds, games) - vps(one, rounds, games)).low > 0


# `tuned_solo_short` cannot aim. It is after VPs, so it settles fewer and dearer worlds than seven (condition 1).
NOT_A_STEP = {("balanced", "tuned_solo_short", 1)}
# Great Victory asks for VPs alone, which the tuned player is after anyway
BASELINE = {("tuned_solo_short", "planner", 0)}


@pytest.mark.parametrize("condition", [0, 1, 2])  # the fourth asks for the same as 1 (R18)
@pytest.mark.parametrize(
    ("lower", "higher", "games"),
    [
        ("uniform", "balanced", 3000),
        ("balanced", "tuned_solo_short", 3000),
        ("tuned_solo_short", "planner", 3000),
        ("balanced", "planner", 3000),
        pytest.param("planner", "search_planner", 60, marks=SEARCHES),
    ],
)
def test_the_chance_to_meet_a_condition_when_aimed_at_rises_up_the_ladder(
    lower: str, higher: str, games: int, condition: int
) -> None:
    """Campaign 1, 10 rounds; the same deals for both of each pair."""
    if higher == "search_planner" and condition == 2:
        games = 160  # the planner builds two in 9 of 10 games: the step up from there is small
    met = []
    for name in (lower, higher):
        found = rows(name, 10, games, open_condition=condition)["objectives"]
        met.append(found["met"][found["objective"] == condition])
    difference, low, high = paired_rates(*met).interval
    if (lower, higher, condition) in NOT_A_STEP:
        assert low <= 0, "it is a step now: say so"
    elif (lower, higher, condition) in BASELINE:
        assert high > 0
    else:
        assert low > 0, difference
