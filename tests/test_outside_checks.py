"""What the sources say of real games, beside what strong policies make of them here.

The table in docs/claims.md gives the figures; here stands how far they may be off before something is wrong.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.stats.intervals import mean_interval
from nfsim.stats.tournament import clustered_rate, win_shares

TABLE_GAMES = 16
SOLO_GAMES = 60
Rows = dict[str, Any]


def quick_search() -> Any:
    """`search`, with fewer rollouts: strong enough, and a game of 4 takes a second."""
    preset = SHELF.get("search")
    assert preset.thinking is not None
    return replace(preset, thinking=preset.thinking.model_copy(update={"rollouts": 32, "candidates": 5}))


@cache
def played(name: str, policy: Any, games: int) -> Rows:
    scenario = read_scenario(Path(name), [], {})
    seats = int(scenario.prepared.tables[0].players)
    policies = [policy() if callable(policy) else policy] * seats
    return sample(
        scenario.rule_set, scenario.prepared, policies, root=41, games=games, tables=("games", "seats"), jobs=2
    )


def table_of(players: int) -> Rows:
    return played(f"rift_{players}p", quick_search, TABLE_GAMES)


def solo(length: str) -> Rows:
    return played(f"solo_campaign1_{length}", quick_search, SOLO_GAMES)


@pytest.mark.soak
def test_games_of_3_to_5_competent_players_last_about_12_to_15_rounds() -> None:
    """001: 12 to 15, for no number of players that it names. Half of those of 3 to 5 do here; 5 end sooner."""
    rounds = {players: table_of(players)["games"]["rounds"] for players in (3, 4, 5)}
    assert 12 <= np.median(np.concatenate(list(rounds.values()))) <= 15
    assert np.median(rounds[3]) >= np.median(rounds[4]) >= np.median(rounds[5])


@pytest.mark.soak
def test_a_solo_empire_after_10_rounds_resembles_one_at_the_end_of_a_game_with_others() -> None:
    """000 p. 2: similar empires. Colonies and developments together, and the winner's VPs."""
    alone = solo("short")["seats"]
    others = np.concatenate([table_of(players)["seats"] for players in (3, 4)])
    tiles = [(seats["colonies"] + seats["developments"]).mean() for seats in (alone, others)]
    assert 0.8 < tiles[0] / tiles[1] < 1.25
    assert 0.8 < alone["score"].mean() / others["score"][others["rank"] == 1].mean() < 1.4


@pytest.mark.soak
def test_12_rounds_score_at_least_as_much_more_than_10_as_the_printed_thresholds_ask_for() -> None:
    """000 p. 2: 70 VPs against 55, 50 against 40. The same deals, so pairs of games."""
    short, long = solo("short")["seats"]["score"], solo("long")["seats"]["score"]
    assert mean_interval(long - 1.25 * short).low > 0


def test_more_rounds_help_a_stronger_player_more() -> None:
    """000 p. 2: long games are for players who run their engine after building it."""
    gains = []
    for policy in ("uniform", "balanced", "tuned_solo_long"):
        short, long = (
            played(f"solo_campaign1_{length}", policy, 2000)["seats"]["score"] for length in ("short", "long")
        )
        gains.append(mean_interval(long - short))
    assert gains[0].high < gains[1].low
    assert gains[1].high < gains[2].low


@pytest.mark.parametrize("players", [3, 4])
def test_military_alone_can_win_but_does_not_dominate(players: int) -> None:
    scenario = read_scenario(Path(f"rift_{players}p"), [], {})
    shares = []
    for seat in range(players):
        policies = ["military" if place == seat else "balanced" for place in range(players)]
        rows = sample(scenario.rule_set, scenario.prepared, policies, root=43, games=400, jobs=2)["seats"]
        shares.append(win_shares(rows["won"].reshape(-1, players))[:, seat])
    rate = clustered_rate(np.stack(shares, axis=1))
    assert rate.low > 0.25 / players  # it wins
    assert rate.high < 1.5 / players  # not far more than its share


@pytest.mark.soak
def test_campaigns_get_harder_from_1_to_6() -> None:
    """000 p. 2: listed in increasing difficulty. By the mean chance of a condition that is aimed at."""
    chances = []
    for campaign in range(1, 7):
        scenario = read_scenario(Path(f"solo_campaign{campaign}_short"), [], {})
        rates = []
        for place in range(4):
            planner = SHELF.get("planner").aiming(place, 4)
            found = sample(
                scenario.rule_set, scenario.prepared, [planner], root=47, games=1000, tables=("objectives",), jobs=2
            )["objectives"]
            rates.append(found["met"][found["objective"] == place].mean())
        chances.append(np.mean(rates))
    assert stats.spearmanr(range(1, 7), chances).statistic <= -0.7, chances
