"""What `nfsim difficulty` plays: for each campaign, length and rung its games as played and aimed at each condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nfsim.cli.campaign_trials import LENGTHS, solo_scenario
from nfsim.cli.options import whole_number
from nfsim.errors import BadInput
from nfsim.run.scenario import MOST_GAMES, Scenario
from nfsim.studies.study import Arm

TUNED = "tuned"
SEARCH = "search_planner"
SLOW_GAMES = 1_000  # of a policy that plans in each round, or is a function in Python, as played
SEARCH_GAMES = 100  # of a policy that searches, where --search does not say how many
SAID = {
    "policy": "--policies says that",
    "games": "--games says that",
    "aim": "policies that can aim aim at each condition anyway",
}
"""Keys of a scenario that are said otherwise here, and how."""


@dataclass(frozen=True)
class Wanted:
    """How many games were asked for: of most policies, and of those that search (None: not asked for)."""

    games: int
    search: int | None

    def of(self, scenario: Scenario, *, aimed: bool) -> int:
        """Return how many games a policy plays."""
        (policy,) = scenario.seated
        kind = policy.details()["kind"]
        if kind == "search":
            return self.search or SEARCH_GAMES
        plans = kind != "planner" or not aimed  # with one condition open there is nothing to plan
        return min(self.games, SLOW_GAMES) if policy.slow and plans else self.games


@dataclass(frozen=True)
class Planned:
    """An arm and what it is about."""

    campaign: int
    rounds: int
    rung: str
    aim: str
    arm: Arm


def read_games(option: str, text: str) -> int:
    """Read a number of games given to an option."""
    number = whole_number(option, text)
    if number is None or not 1 <= number <= MOST_GAMES:
        raise BadInput(option, "", f"must be from 1 to {MOST_GAMES:,}, not {number}")
    return number


def read_rungs(text: str, search: int | None) -> list[str]:
    """Read the rungs; the search comes last if it is asked for."""
    names = [name.strip() for name in text.split(",")]
    if search is not None and not any(name.startswith("search") for name in names):
        names.append(SEARCH)
    return names


def _spec(rung: str, rounds: int) -> str:
    """Return what finds the policy of a rung."""
    return f"tuned_solo_{LENGTHS[rounds]}" if rung == TUNED else rung


def rung_arms(campaign: int, rounds: int, rung: str, asked: Wanted, settings: Sequence[str]) -> list[Planned]:
    """Return what a rung plays in one campaign and length: as it likes, and aimed at each condition if it can aim."""
    spec = _spec(rung, rounds)
    try:
        first = solo_scenario(campaign, rounds, settings, {"policy": spec}, SAID)
    except BadInput as error:
        if error.file == "--policy":
            raise BadInput("--policies", "", error.problem, error.remedy) from None
        raise
    name = TUNED if rung == TUNED else first.policies[0]
    conditions = [each for each in first.rule_set.labels(first.prepared, "objective") if each]
    can = first.seated[0].aiming(0, len(conditions)) is not None
    found = []
    for aim in ["", *(conditions if can else [])]:
        overrides: dict[str, Any] = {"policy": spec, "games": asked.of(first, aimed=bool(aim))}
        scenario = solo_scenario(campaign, rounds, settings, overrides | ({"aim": aim} if aim else {}), SAID)
        factors = {"campaign": f"Campaign {campaign}", "length": f"{rounds} rounds", "rung": name}
        arm = Arm(scenario, factors | ({"aim": f"aimed at {aim}"} if aim else {}))
        found.append(Planned(campaign, rounds, name, aim, arm))
    return found


def check_names(planned: Sequence[Planned]) -> None:
    """Refuse a rung that is named twice."""
    seen = set()
    for each in planned:
        key = each.campaign, each.rounds, each.rung, each.aim
        if key in seen:
            raise BadInput("--policies", "", f'"{each.rung}" is named twice', "name each rung once")
        seen.add(key)
