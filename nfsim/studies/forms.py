"""Campaigns and lengths that a command is asked about, as a game's rule set has them, and the scenarios they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nfsim.contract.objectives import Campaign, Length
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput
from nfsim.run.scenario import MOST_GAMES, Scenario, built_scenario

TITLE = "title"


def read_campaigns(rule_set: RuleSet, text: str, option: str) -> tuple[Campaign, ...]:
    """Read which campaigns are meant: `3`, `1,2`, `all`; errors name `option`."""
    if not rule_set.campaigns:
        raise BadInput("--game", "", f"{rule_set.title} has no campaigns", "name a game that has some")
    known = {campaign.name: campaign for campaign in rule_set.campaigns}
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in ("all", *known):
            remedy = f"give one of {', '.join(known)}, several joined by commas, or all"
            raise BadInput(option, "", f'there is no campaign "{word}"', remedy)
    return rule_set.campaigns if "all" in words else tuple(known[word] for word in dict.fromkeys(words))


def read_lengths(rule_set: RuleSet, text: str | None) -> tuple[Length, ...]:
    """Read the lengths by their rounds or names, several joined by commas; all if none is given."""
    if not rule_set.lengths:
        raise BadInput("--game", "", f"{rule_set.title} has no lengths to choose from", "name a game that has some")
    if text is None:
        return rule_set.lengths
    known = {name: length for length in rule_set.lengths for name in (str(length.rounds), length.name)}
    found = []
    for word in (word.strip() for word in text.split(",")):
        if word not in known:
            ways = " or ".join(f"{length.rounds} ({length.name})" for length in rule_set.lengths)
            every = ",".join(str(length.rounds) for length in rule_set.lengths)
            raise BadInput("--rounds", "", f'must be {ways}, not "{word}"', f"{every} plays all")
        found.append(known[word])
    return tuple(length for place, length in enumerate(found) if length not in found[:place])


def read_games(option: str, number: int | None) -> int:
    """Check a number of games given to an option."""
    if number is None or not 1 <= number <= MOST_GAMES:
        raise BadInput(option, "", f"must be from 1 to {MOST_GAMES:,}, not {number}")
    return number


def number_of(rule_set: RuleSet, campaign: Campaign) -> int:
    """Return the number of a campaign: its place among those of its game, from 1."""
    return rule_set.campaigns.index(campaign) + 1


def settings_of(campaign: Campaign, length: Length | None = None) -> dict[str, Any]:
    """Return the settings that make a campaign in a length, by dotted key, without its title."""
    both = {**campaign.settings, **({} if length is None else length.settings)}
    return {key: value for key, value in both.items() if key != TITLE}


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings by dotted key as the tables of a scenario."""
    tables: dict[str, Any] = {}
    for key, value in settings.items():
        *path, last = key.split(".")
        table = tables
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return tables


def said(resolved: Mapping[str, Any], key: str) -> Any:
    """Return what a resolved scenario has under a dotted key; None if it has nothing."""
    found: Any = resolved
    for part in key.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def rounds_of(rule_set: RuleSet, resolved: Mapping[str, Any]) -> int | None:
    """Return the rounds of the length that a resolved scenario is played in; None if it is none of the game's."""
    fits = (
        length.rounds
        for length in rule_set.lengths
        if all(said(resolved, key) == value for key, value in length.settings.items())
    )
    return next(fits, None)


def form_scenario(
    rule_set: RuleSet,
    campaign: Campaign,
    length: Length,
    settings: Sequence[str],
    overrides: Mapping[str, Any],
    elsewhere: Mapping[str, str],
) -> Scenario:
    """Return the scenario of a campaign in one length.

    Parameters
    ----------
    rule_set, campaign, length : RuleSet, Campaign, Length
    settings : sequence of str
        ``key=value`` of ``--set``.
    overrides : mapping
        As for `nfsim.run.scenario.read_scenario`.
    elsewhere : mapping of str to str
        Keys that must not be set, and what says them instead.

    Raises
    ------
    BadInput
        If a setting is about what the campaign, --rounds or another option says.
    """
    for text in settings:
        key = text.partition("=")[0].strip()
        if key in elsewhere:
            raise BadInput(f"--set {text}", key, "changes nothing here", elsewhere[key])
    made = settings_of(campaign, length)
    title = campaign.settings.get(TITLE, f"{campaign.title}, {length.title}")
    data = {"game": rule_set.name, TITLE: title, **nested(made)}
    found = built_scenario(
        data, f"{campaign.title}, {length.title}", f"campaign{campaign.name}_{length.name}", settings, overrides
    )
    for key, value in made.items():
        if said(found.resolved, key) != value:
            problem, remedy = "changes who plays which campaign how long", "the campaign and --rounds say that"
            raise BadInput("--set", key, problem, remedy)
    if not rule_set.objectives(found.prepared):
        raise BadInput("--set", "", f"{campaign.title} has no {rule_set.words.objectives} left")
    return found
