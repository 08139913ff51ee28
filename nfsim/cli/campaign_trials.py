"""What `nfsim campaign` plays: campaigns and lengths asked for, as series with their scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.campaign_rules import ENDS, PlannedSeries, campaign_rules
from nfsim.games.new_frontiers.campaigns import Chances, Plan, Series, alone, chances, make_plan
from nfsim.games.new_frontiers.columns import CAMPAIGNS
from nfsim.games.new_frontiers.policies.presets import Preset
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.run import scenario_files
from nfsim.run.batches import run_in_lots
from nfsim.run.progress import Result, Watch
from nfsim.run.provenance import run_identity
from nfsim.run.sample import sample
from nfsim.run.scenario import Scenario, read_scenario

ALL = (1, 2, 3, 4, 5, 6)
LENGTHS = {10: "short", 12: "long"}
BUDGET = 12_000  # games played by default to find out what claims are worth,
LEAST_SAMPLE = 100  # but so many at least for each position
MOST_SAMPLE = 10**7
OPTIONS = {
    "policy": "--policy says that",
    "games": "--campaigns says that",
    "aim": "a campaign aims at what is worth most",
}
"""Keys of a scenario that are said otherwise here, and how."""


@dataclass(frozen=True)
class Trial:
    """One series in one length.

    Attributes
    ----------
    name : str
        Of its folder.
    rounds : int
    gauntlet : bool
    series : Series
    scenario : Scenario
        Of its first campaign.
    """

    name: str
    rounds: int
    gauntlet: bool
    series: Series = field(repr=False)
    scenario: Scenario = field(repr=False)

    @property
    def title(self) -> str:
        """What is played, in words."""
        length = f"{LENGTHS[self.rounds]} games ({self.rounds} rounds)"
        if self.gauntlet:
            return f"Gauntlet: campaigns 1 to 6 in order with one So Close chip, {length}"
        campaign = int(self.series.campaigns[0].tables[0].campaign)
        return f"Campaign {campaign}, {length}{', with the So Close chip' if self.series.chip else ''}"


def read_campaigns(text: str | None, gauntlet: bool, option: str = "N") -> tuple[int, ...]:
    """Read which campaigns are meant: `3`, `1,2`, `all`; the Gauntlet has all of them. Errors name `option`."""
    if gauntlet:
        if text is not None and text != "all":
            raise BadInput("N", "", f'the Gauntlet has all campaigns, not "{text}"', "leave N out")
        return ALL
    if text is None:
        raise BadInput("N", "", "is missing: which campaign", "give 1 to 6, several as in 1,2, all, or --gauntlet")
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in ("all", *map(str, ALL)):
            raise BadInput(option, "", f'there is no campaign "{word}"', "give 1 to 6, several as in 1,2, or all")
    return ALL if "all" in words else tuple(dict.fromkeys(map(int, words)))


def read_lengths(text: str) -> tuple[int, ...]:
    """Read the lengths: `10`, `12` or both."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in map(str, LENGTHS):
            raise BadInput("--rounds", "", f'must be 10 (short) or 12 (long), not "{word}"', "10,12 plays both")
    return tuple(dict.fromkeys(map(int, words)))


def make_trials(
    campaigns: Sequence[int],
    lengths: Sequence[int],
    policy: str,
    settings: Sequence[str],
    *,
    chip: bool,
    gauntlet: bool,
) -> list[Trial]:
    """Return what is to be played: for each length the Gauntlet, or each campaign.

    Raises
    ------
    BadInput
        If the policy cannot play them, or a setting is about what N and --rounds say.
    """
    trials = []
    for rounds in lengths:
        scenarios = [solo_scenario(campaign, rounds, settings, {"policy": policy}) for campaign in campaigns]
        groups = [scenarios] if gauntlet else [[scenario] for scenario in scenarios]
        for group in groups:
            series = Series(tuple(each.prepared for each in group), _preset(group[0]), chip or gauntlet)
            campaign = int(group[0].prepared.tables[0].campaign)
            name = f"{'gauntlet' if gauntlet else f'campaign{campaign}'}_{LENGTHS[rounds]}"
            trials.append(Trial(name, rounds, gauntlet, series, group[0]))
    return trials


def solo_scenario(
    campaign: int,
    rounds: int,
    settings: Sequence[str],
    overrides: Mapping[str, Any],
    said: Mapping[str, str] = OPTIONS,
) -> Scenario:
    """Return the built-in scenario of a campaign in one length.

    Parameters
    ----------
    campaign, rounds : int
    settings : sequence of str
        ``key=value`` of ``--set``.
    overrides : mapping
        As for `nfsim.run.scenario.read_scenario`.
    said : mapping of str to str
        Keys that must not be set, and what says them instead.

    Raises
    ------
    BadInput
        If a setting is about what N, --rounds or another option says.
    """
    file = f"solo_campaign{campaign}_{LENGTHS[rounds]}.toml"
    for text in settings:
        key = text.partition("=")[0].strip()
        if key in said:
            raise BadInput(f"--set {text}", key, "changes nothing here", said[key])
    found = read_scenario((scenario_files.folder() or Path()) / file, settings, overrides)
    setup = found.prepared.settings.setup
    if (setup.players, setup.campaign_played, setup.round_limit) != (1, campaign, rounds):
        raise BadInput(
            "--set", "setup", "changes who plays which campaign how long", "the campaign and --rounds say that"
        )
    if found.prepared.tables[0].n_objectives == 0:
        raise BadInput("--set", "", f"campaign {campaign} has no conditions left")
    return found


def _preset(scenario: Scenario) -> Preset:
    (policy,) = scenario.seated
    if not isinstance(policy, Preset) or not policy.compiled:
        raise BadInput("--policy", "", f"{policy.name} is a function in Python", "campaigns take names and files")
    return policy


def default_sample(trials: Sequence[Trial]) -> int:
    """Return how many games of each position are played unless the user says so; of each campaign if nobody plans."""
    positions = sum(trial.series.samples(1) for trial in trials) if trials[0].series.plans else 1
    return max(LEAST_SAMPLE, BUDGET // positions)


def play_trial(
    trial: Trial,
    out: Path,
    *,
    runs: int,
    sampled: int,
    seed: int,
    jobs: int | None,
    watching: Callable[[str, str], Any],
) -> Result:
    """Play a trial into a folder: first what claims are worth, then the campaigns.

    Parameters
    ----------
    trial : Trial
    out : Path
        Run folder.
    runs : int
        Campaigns (or Gauntlets) to play out.
    sampled : int
        Games for each position, see `campaigns.make_plan`.
    seed, jobs : int
    watching : callable
        ``(title, unit) -> context`` of a `Watch` that shows one stretch of work.
    """
    changes = tuple(change for change in trial.scenario.changes if not change.startswith("policy="))  # said anyway
    scenario = replace(
        trial.scenario, name=trial.name, title=trial.title, changes=changes, games=runs, rule_set=campaign_rules(),
        resolved=trial.scenario.resolved | {"games": runs},
    )  # fmt: skip
    about = {
        "campaigns": [int(game.tables[0].campaign) for game in trial.series.campaigns],
        "so_close": trial.series.chip,
        "gauntlet": trial.gauntlet,
        "sample": sampled,
    }
    identity = run_identity(scenario, seed, CAMPAIGNS.level) | about

    def prepare() -> tuple[PlannedSeries, dict[str, Any]]:
        with watching(f"{trial.name}: chances", "games") as watch:
            watch.started(trial.series.samples(sampled), 0)
            plan = make_plan(trial.series, partial(play_sample, trial.scenario, jobs, watch), seed, sampled)
        described = _described(trial.series, plan, chances(trial.series, plan, seed))
        described["by_campaign"] = _by_campaign(trial.series, plan, seed)
        return PlannedSeries(trial.series, plan), about | {"chances": described}

    with watching(trial.name, "series" if trial.gauntlet else "campaigns") as watch:
        return run_in_lots(
            scenario, out, identity, prepare, table=CAMPAIGNS, ends=ENDS.name, seed=seed, jobs=jobs, watch=watch
        )


def play_sample(
    scenario: Scenario, jobs: int | None, watch: Watch, prepared: Prepared, policy: Preset, root: int, games: int
) -> dict[str, NDArray[Any]]:
    """Play the games that `campaigns.make_plan` asks for."""
    return sample(
        scenario.rule_set, prepared, [policy], root=root, games=games, tables=("games", "objectives"), jobs=jobs,
        on_games=watch.advanced, compiling=watch.compiling,
    )  # fmt: skip


def _by_campaign(series: Series, plan: Plan, seed: int) -> list[dict[str, Any]]:
    """Return the chance of each campaign by itself, begun with or without the chip, ready for JSON."""
    rows = []
    for number, game in enumerate(series.campaigns):
        found = alone(series, plan, number, seed)
        for mask, chip in plan.samples[number]:
            if mask == len(found.values[0]) - 1:
                bounds = (float(each[0][mask, chip]) for each in (found.values, found.low, found.high))
                row = dict(zip(("chance", "low", "high"), bounds, strict=True))
                rows.append({"campaign": int(game.tables[0].campaign), "chip": bool(chip), "n": found.n, **row})
    return rows


def _described(series: Series, plan: Plan, found: Chances) -> dict[str, Any]:
    """Return the chances of all positions, ready for JSON; the position a run begins with comes first."""
    rows = []
    for number, game in enumerate(series.campaigns):
        names = game.names.condition
        for mask, chip in reversed(series.positions(number)):
            claims = [
                {"objective": name, "chip": bool(spent), "worth": float(plan.worth[number][mask, chip, place, spent])}
                for place, name in enumerate(names)
                for spent in (0, 1)
                if plan.worth[number][mask, chip, place, spent] > 0
            ]
            rows.append(
                {
                    "campaign": int(game.tables[0].campaign),
                    "open": [name for place, name in enumerate(names) if mask >> place & 1],
                    "chip": bool(chip),
                    "chance": float(found.values[number][mask, chip]),
                    "low": float(found.low[number][mask, chip]),
                    "high": float(found.high[number][mask, chip]),
                    "fitted": float(plan.fitted[number][mask, chip]),
                    "n": plan.samples[number][mask, chip].n,
                    "claims": claims,
                }
            )
    return {"n": found.n, "games": plan.games, "positions": rows}
