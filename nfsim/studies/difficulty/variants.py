"""What `nfsim difficulty` plays: for each campaign, length and player games as played and aimed at each objective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from nfsim.contract.objectives import Campaign, Length, together
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.run.scenario import Scenario
from nfsim.studies.forms import form_scenario
from nfsim.studies.study import Variant

SLOW_GAMES = 1_000  # of a policy that is a function in Python
PLANNER_GAMES = 300  # of a policy that plans, as it plays: it weighs every objective anew in each round
SEARCH_GAMES = 100  # of a policy that searches, where --search does not say how many
BAG_GAMES = 1_000  # of each aim with another set of records
MOST_BAGS = 100
BAG = "tiles"  # key of a scenario that names the set
ELSEWHERE = {
    "policy": "--policies says that",
    "games": "--games says that",
    "aim": "policies that can aim aim at each objective anyway",
}
"""Keys of a scenario that are said otherwise here, and how."""


@dataclass(frozen=True)
class Asked:
    """What was asked for.

    Attributes
    ----------
    rule_set : RuleSet
    campaigns, lengths : sequence of Campaign, sequence of Length
    players : sequence of str
        Policies, the weakest first.
    games : int
        Of most policies.
    search : int or None
        Games of those that search; None: not asked for.
    bags : int
        Other sets of records to be drawn and played by the first policy that aims.
    in_files_only : sequence of str
        Players whose numbers stand in the files alone, not on the page.
    settings : sequence of str
        ``key=value`` of ``--set``.
    """

    rule_set: RuleSet
    campaigns: Sequence[Campaign]
    lengths: Sequence[Length]
    players: Sequence[str]
    games: int
    search: int | None = None
    bags: int = 0
    in_files_only: Sequence[str] = ()
    settings: Sequence[str] = ()

    def games_of(self, scenario: Scenario, *, aimed: bool) -> int:
        """Return how many games a policy plays."""
        (policy,) = scenario.seated
        kind = policy.details()["kind"]
        if kind == "search":
            return self.search or SEARCH_GAMES
        if kind == "planner":  # with one objective open there is nothing to plan
            return self.games if aimed else min(self.games, PLANNER_GAMES)
        return min(self.games, SLOW_GAMES) if policy.slow else self.games


@dataclass(frozen=True)
class Planned:
    """A variant and what it is about.

    Attributes
    ----------
    campaign, length : Campaign, Length
    player : str
    aim : str
        The objective that is aimed at, as pages call it; '' if the policy plays as always.
    variant : Variant
    bag : int
        Number of the set of records that it is played with; 0: the game's own.
    reading : str
        Where the objective is read otherwise than in the other games: its name in the log.
    """

    campaign: Campaign
    length: Length
    player: str
    aim: str
    variant: Variant
    bag: int = 0
    reading: str = ""


def read_players(rule_set: RuleSet, text: str, search: int | None, *, usual: bool = False) -> list[str]:
    """Read the players; a policy that searches comes last if it is asked for, and if it is `usual` and there is one."""
    names = [name.strip() for name in text.split(",")]
    if (usual or search is not None) and not any(name.startswith("search") for name in names):
        found = [policy.name for policy in rule_set.policies() if _searches_and_aims(policy)]
        if not found and search is None:
            return names
        if not found:
            raise BadInput("--search", "", f"{rule_set.title} has no policy that searches", "leave it out")
        names.append(found[-1])
    return names


def read_bags(number: int | None) -> int:
    """Check how many other sets of records are to be drawn."""
    if number is None or not 0 <= number <= MOST_BAGS:
        raise BadInput("--bags", "", f"must be from 0 to {MOST_BAGS}, not {number}")
    return number


def _searches_and_aims(policy: Any) -> bool:
    return bool(policy.details()["kind"] == "search" and policy.aiming(0, 1) is not None)


def plan_variants(asked: Asked) -> list[Planned]:
    """Return all variants; `BadInput` if a player is named twice, or cannot be played."""
    planned = [
        each
        for campaign in asked.campaigns
        for length in asked.lengths
        for player in asked.players
        for each in player_variants(asked, campaign, length, player)
    ]
    seen = set()
    for each in planned:
        key = each.campaign.name, each.length.name, each.player, each.aim
        if key in seen:
            raise BadInput("--policies", "", f'"{each.player}" is named twice', "name each player once")
        seen.add(key)
    return planned


def plan_bags(asked: Asked, planned: Sequence[Planned], folder: Path, seed: int) -> list[Planned]:
    """Draw other sets of records, and return what the first policy that aims plays with each in the shortest length.

    Parameters
    ----------
    asked : Asked
    planned : sequence of Planned
        As `plan_variants` returns them.
    folder : Path
        Where the sets are written, each once.
    seed : int
        Of the draws.
    """
    catalogue = asked.rule_set.catalogue() if asked.rule_set.catalogue is not None else None
    aimed = [each for each in planned if each.aim and each.variant.scenario.seated[0].details()["kind"] != "search"]
    if catalogue is None or not aimed or any(text.partition("=")[0].strip() == BAG for text in asked.settings):
        return []
    first = aimed[0]
    found = []
    for number in range(1, asked.bags + 1):
        place = folder / f"seed{seed}_{number}"
        catalogue.draw(first.variant.scenario.prepared, seed, number, place)
        own = replace(asked, settings=[*asked.settings, f"{BAG}={place}"], games=min(asked.games, BAG_GAMES))
        for each in player_variants(own, first.campaign, first.length, first.player):
            if each.aim and not each.reading:
                variant = replace(each.variant, factors={**each.variant.factors, "bag": f"bag {number}"})
                found.append(replace(each, bag=number, variant=variant))
    return found


def player_variants(asked: Asked, campaign: Campaign, length: Length, player: str) -> list[Planned]:
    """Return what a player plays in one campaign and length: as it likes, and aimed at each objective if it can aim."""
    rule_set, spec = asked.rule_set, length.policies.get(player, player)

    def scenario(overrides: dict[str, Any], more: Mapping[str, Any] = MappingProxyType({})) -> Scenario:
        settings = [*asked.settings, *(f"{key}={value}" for key, value in more.items())]
        return form_scenario(rule_set, campaign, length, settings, {"policy": spec} | overrides, ELSEWHERE)

    try:
        first = scenario({})
    except BadInput as error:
        if error.file == "--policy":
            raise BadInput("--policies", "", error.problem, error.remedy) from None
        raise
    name = player if player in length.policies else first.policies[0]
    objectives = together(rule_set.objectives(first.prepared))
    can = first.seated[0].aiming(0, sum(map(len, objectives.values()))) is not None
    factors = {"campaign": campaign.title, "length": length.title, "player": name}

    def planned(title: str, aim: str, settings: Mapping[str, Any], reading: str = "") -> Planned:
        overrides = {"games": asked.games_of(first, aimed=bool(aim))} | ({"aim": aim} if aim else {})
        about = factors | ({"aim": f"aimed at {title}"} if aim else {})
        return Planned(campaign, length, name, title, Variant(scenario(overrides, settings), about), reading=reading)

    # a search that aims is asked about single objectives; all of them at once only with --search: it takes minutes
    at_once = asked.search is not None or not can or first.seated[0].details()["kind"] != "search"
    found = [planned("", "", {})] if at_once else []
    if can:
        found += [planned(objective.name, names[0], {}) for objective, names in objectives.items()]
        set_by_user = {text.partition("=")[0].strip() for text in asked.settings}
        for other in campaign.readings:
            if not set_by_user & set(other.settings):
                found.append(planned(other.title, other.objective, other.settings, other.objective))
    return found
