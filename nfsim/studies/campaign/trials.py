"""What `nfsim campaign` plays: campaigns and lengths asked for, as series with their scenarios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from nfsim.contract.objectives import Campaign, Length, Objective
from nfsim.contract.rule_set import Engine, RuleSet
from nfsim.contract.series import Series, SeriesRules
from nfsim.errors import BadInput
from nfsim.run.batches import Batches, run_in_batches
from nfsim.run.options import Options
from nfsim.run.progress import Result, Watch
from nfsim.run.provenance import run_identity
from nfsim.run.sample import sample
from nfsim.run.scenario import Scenario
from nfsim.studies.campaign.plan import Chances, Plan, alone, chances, games_to_sample, make_plan, positions_of
from nfsim.studies.forms import form_scenario, number_of

BUDGET = 12_000  # games played by default to find out what claims are worth,
LEAST_SAMPLE = 100  # but so many at least for each position
MOST_SAMPLE = 10**7
ELSEWHERE = {
    "policy": "--policy says that",
    "games": "--campaigns says that",
    "aim": "a campaign aims at what is worth most",
}
"""Keys of a scenario that are said otherwise here, and how."""


@dataclass(frozen=True)
class Asked:
    """What is to be played.

    Attributes
    ----------
    rule_set : RuleSet
        With series.
    campaigns, lengths : sequence of Campaign, sequence of Length
    policy : str
    settings : sequence of str
        ``key=value`` of ``--set``.
    chip : bool
        With what mends a near miss, once in a campaign.
    in_a_row : bool
        All campaigns in one series, with one chip for all.
    """

    rule_set: RuleSet
    campaigns: Sequence[Campaign]
    lengths: Sequence[Length]
    policy: str
    settings: Sequence[str] = ()
    chip: bool = False
    in_a_row: bool = False


@dataclass(frozen=True)
class Trial:
    """One series in one length.

    Attributes
    ----------
    name : str
        Of its folder.
    title : str
        What is played, in words.
    length : Length
    in_a_row : bool
    series : Series
    rules : SeriesRules
    scenario : Scenario
        Of its first campaign.
    """

    name: str
    title: str
    length: Length
    in_a_row: bool
    series: Series = field(repr=False)
    rules: SeriesRules = field(repr=False)
    scenario: Scenario = field(repr=False)


def series_rules(rule_set: RuleSet) -> SeriesRules:
    """Return how a game is played in a series; `BadInput` if it is not."""
    if rule_set.series is None:
        raise BadInput("--game", "", f"{rule_set.title} has no campaigns to be played out", "name a game that has some")
    return rule_set.series()


def make_trials(asked: Asked) -> list[Trial]:
    """Return what is to be played: for each length all campaigns in a row, or each campaign.

    Raises
    ------
    BadInput
        If the policy cannot play them, or a setting is about what the campaign and --rounds say.
    """
    rules, trials = series_rules(asked.rule_set), []
    if (asked.chip or asked.in_a_row) and not rules.chip:
        raise BadInput("--so-close", "", f"{asked.rule_set.title} has nothing that mends a near miss", "leave it out")
    for length in asked.lengths:
        groups = [asked.campaigns] if asked.in_a_row else [[campaign] for campaign in asked.campaigns]
        trials += [_trial(asked, rules, group, length) for group in groups]
    return trials


def _trial(asked: Asked, rules: SeriesRules, campaigns: Sequence[Campaign], length: Length) -> Trial:
    rule_set = asked.rule_set
    scenarios = [
        form_scenario(rule_set, campaign, length, asked.settings, {"policy": asked.policy}, ELSEWHERE)
        for campaign in campaigns
    ]
    (policy,) = scenarios[0].seated
    if not policy.compiled:
        raise BadInput("--policy", "", f"{policy.name} is a function in Python", "campaigns take names and files")
    prepared = tuple(scenario.prepared for scenario in scenarios)
    series = Series(
        prepared,
        tuple(tuple(objective.name for objective in rule_set.objectives(each)) for each in prepared),
        tuple(number_of(rule_set, campaign) for campaign in campaigns),
        policy,
        asked.chip or asked.in_a_row,
    )
    games = f"{length.name} games ({length.title})"
    if asked.in_a_row:
        name, title = rules.all_name, f"{rules.all_title}, {games}"
    else:
        name = f"campaign{campaigns[0].name}"
        title = f"{campaigns[0].title}, {games}{f', with the {rules.chip}' if asked.chip else ''}"
    return Trial(f"{name}_{length.name}", title, length, asked.in_a_row, series, rules, scenarios[0])


def series_rule_set(rule_set: RuleSet, rules: SeriesRules) -> RuleSet:
    """Return the rule set whose games are runs through a series, so that runs, logs and threads work as ever."""

    def labels(series: Series, _name: str) -> Sequence[str]:
        return series.names

    def objectives(series: Series) -> Sequence[Objective]:
        return [objective for game in series.campaigns for objective in rule_set.objectives(game)]

    def facts(series: Series) -> dict[str, Any]:
        return rule_set.facts(series.campaigns[0])

    def provenance(series: Series) -> dict[str, Any]:
        return rules.provenance(series.campaigns)

    def engine(series: Series, _policies: Sequence[Any], _level: str) -> Engine:
        found: Engine = rules.engine(series)
        return found

    def game(series: Series, policies: Sequence[Any], root: int, number: int) -> Any:
        return rule_set.game(series.campaigns[0], policies, root, number)

    def notes(series: Series, policies: Sequence[Any]) -> Sequence[str]:
        return rule_set.notes(series.campaigns[0], policies) if rule_set.notes is not None else []

    return replace(
        rule_set,
        tables=(rules.table, rules.ends),
        decisions=(),
        labels=labels,
        objectives=objectives,
        facts=facts,
        provenance=provenance,
        engine=engine,
        game=game,
        notes=notes,
    )


def default_sample(trials: Sequence[Trial]) -> int:
    """Return how many games of each position are played unless the user says so; of each campaign if nobody plans."""
    planned = trials[0].series.plans
    positions = sum(games_to_sample(trial.series, 1) for trial in trials) if planned else 1
    return max(LEAST_SAMPLE, BUDGET // positions)


def play_trial(trial: Trial, out: Path, runs: int, sampled: int, options: Options) -> Result:
    """Play a trial into a folder: first what claims are worth, then the campaigns.

    Parameters
    ----------
    trial : Trial
    out : Path
        Run folder.
    runs : int
        Runs through the series to play out.
    sampled : int
        Games for each position, see `nfsim.studies.campaign.plan.make_plan`.
    options : Options
        Its cluster says nothing: this machine plays.
    """
    changes = tuple(change for change in trial.scenario.changes if not change.startswith("policy="))  # said anyway
    rule_set, rules, series = trial.scenario.rule_set, trial.rules, trial.series
    scenario = replace(
        trial.scenario,
        name=trial.name,
        title=trial.title,
        changes=changes,
        games=runs,
        rule_set=series_rule_set(rule_set, rules),
        resolved=trial.scenario.resolved | {"games": runs},
    )
    about = {
        "campaigns": list(series.numbers),
        "so_close": series.chip,
        "gauntlet": trial.in_a_row,
        "sample": sampled,
    }

    def prepare() -> tuple[Series, Mapping[str, Any]]:
        with options.watching(f"{trial.name}: chances", "games") as watch:
            watch.started(games_to_sample(series, sampled), 0)
            sampler = Sampler(trial.scenario, options.jobs, watch)
            plan = make_plan(series, rules, sampler, options.seed, sampled)
        described = _described(series, plan, chances(series, plan, options.seed))
        described["by_campaign"] = _by_campaign(series, plan, options.seed)
        return replace(series, worth=plan.worth), about | {"chances": described}

    identity = run_identity(scenario, options.seed, rules.table.level) | about
    batches = Batches(scenario, identity, prepare, rules.table, rules.ends.name)
    with options.watching(trial.name, "series" if trial.in_a_row else "campaigns") as watch:
        return run_in_batches(batches, out, seed=options.seed, jobs=options.jobs, watch=watch)


@dataclass(frozen=True)
class Sampler:
    """Plays the games that a plan asks for."""

    scenario: Scenario
    jobs: int | None
    watch: Watch

    def __call__(self, prepared: Any, policy: Any, root: int, games: int) -> dict[str, NDArray[Any]]:
        """Return the rows of so many games."""
        tables = ("games", "objectives")
        rule_set = self.scenario.rule_set
        return sample(
            rule_set, prepared, [policy], root=root, games=games, tables=tables, jobs=self.jobs, watch=self.watch
        )


def _by_campaign(series: Series, plan: Plan, seed: int) -> list[dict[str, Any]]:
    """Return the chance of each campaign by itself, begun with or without the chip, ready for JSON."""
    rows = []
    for number in range(len(series.campaigns)):
        found = alone(series, plan, number, seed)
        for mask, chip in plan.samples[number]:
            if mask == len(found.values[0]) - 1:
                bounds = (float(each[0][mask, chip]) for each in (found.values, found.low, found.high))
                row = dict(zip(("chance", "low", "high"), bounds, strict=True))
                rows.append({"campaign": series.numbers[number], "chip": bool(chip), "n": found.n, **row})
    return rows


def _described(series: Series, plan: Plan, found: Chances) -> dict[str, Any]:
    """Return the chances of all positions, ready for JSON; the position a run begins with comes first."""
    rows = []
    for number, names in enumerate(series.objectives):
        for mask, chip in reversed(positions_of(series, number)):
            claims = [
                {"objective": name, "chip": bool(spent), "worth": float(plan.worth[number][mask, chip, place, spent])}
                for place, name in enumerate(names)
                for spent in (0, 1)
                if plan.worth[number][mask, chip, place, spent] > 0
            ]
            rows.append(
                {
                    "campaign": series.numbers[number],
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
