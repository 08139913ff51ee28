"""The study behind `nfsim campaign`: what is asked for, played trial by trial, its numbers and the chart of several."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.contract.rule_set import RuleSet
from nfsim.contract.series import SeriesRules
from nfsim.errors import BadInput
from nfsim.log.read import load
from nfsim.run.options import Options
from nfsim.run.progress import NothingKept, Stopped
from nfsim.run.provenance import policy_notes
from nfsim.stats.intervals import with_rates
from nfsim.studies.campaign.numbers import campaign_numbers
from nfsim.studies.campaign.trials import MOST_SAMPLE, Asked, Trial, default_sample, make_trials, play_trial
from nfsim.studies.forms import read_campaigns, read_lengths

MOST_RUNS = 10**7


@dataclass(frozen=True)
class Wanted:
    """Where to, and how much.

    Attributes
    ----------
    out : Path or None
        None: nothing is kept.
    runs : int
        Runs through each series.
    sample : int or None
        Games of each position; None: as many as are usual.
    """

    out: Path | None
    runs: int
    sample: int | None


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    numbers : list of dict
        By trial, see `nfsim.studies.campaign.numbers.campaign_numbers`.
    rules : SeriesRules
    folders : list of Path
        Of the runs.
    files : list of Path
        The chart of several trials, and their numbers.
    """

    numbers: list[dict[str, Any]]
    rules: SeriesRules
    folders: list[Path]
    files: list[Path]


def read_asked(
    rule_set: RuleSet,
    campaign: str | None,
    rounds: str | None,
    policy: str,
    settings: Sequence[str],
    *,
    chip: bool,
    in_a_row: bool,
) -> Asked:
    """Read what a command line asks for; `BadInput` names what cannot be."""
    if in_a_row and campaign not in (None, "all"):
        raise BadInput("--gauntlet", "", f'all campaigns are in it, not "{campaign}"', "leave N out")
    if campaign is None and not in_a_row:
        names = ", ".join(each.name for each in rule_set.campaigns)
        raise BadInput(
            "N", "", "is missing: which campaign", f"give one of {names}, several as in 1,2, all, or --gauntlet"
        )
    campaigns = read_campaigns(rule_set, campaign or "all", "N")
    lengths = read_lengths(rule_set, rounds)
    return Asked(rule_set, campaigns, lengths if rounds is not None else lengths[:1], policy, settings, chip, in_a_row)


def study_campaigns(asked: Asked, wanted: Wanted, options: Options) -> Found:
    """Play what is asked for, or what is missing of it, and return the numbers.

    Raises
    ------
    BadInput
        If it cannot be played.
    Stopped, NothingKept
        If it was interrupted; what is complete is kept if there is a folder.
    """
    if not 1 <= wanted.runs <= MOST_RUNS:
        raise BadInput("--campaigns", "", f"must be from 1 to {MOST_RUNS:,}, not {wanted.runs}")
    if wanted.sample is not None and not 2 <= wanted.sample <= MOST_SAMPLE:
        raise BadInput("--sample", "", f"must be from 2 to {MOST_SAMPLE:,}, not {wanted.sample}")
    trials = make_trials(asked)
    for text in policy_notes(trials[0].scenario, trials[0].scenario.seated):
        options.note(text)
    folders = [_folder(wanted.out, trials, trial) for trial in trials] if wanted.out is not None else []
    found = _play(trials, folders, wanted, options)
    files = _write(trials, found, wanted.out) if wanted.out is not None and len(trials) > 1 else []
    return Found(found, trials[0].rules, folders, files)


def _folder(out: Path, trials: Sequence[Trial], trial: Trial) -> Path:
    """Return the folder of a trial: the one named, or one in it if there are several."""
    return out if len(trials) == 1 else out / trial.name


def _play(trials: Sequence[Trial], folders: Sequence[Path], wanted: Wanted, options: Options) -> list[dict[str, Any]]:
    sampled = wanted.sample or default_sample(trials)
    found = []
    with tempfile.TemporaryDirectory() as passing:
        for place, trial in enumerate(trials):
            folder = folders[place] if folders else Path(passing, trial.name)
            try:
                result = play_trial(trial, folder, wanted.runs, sampled, options)
            except Stopped as stop:
                if not folders:
                    raise NothingKept(stop.reason, stop.exit_code) from None
                raise
            if not result.played:
                options.note(f"{folder}: this run was finished before; nothing was played")
            found.append(campaign_numbers(load(folder, content=False)))
    return found


def _write(trials: Sequence[Trial], found: list[dict[str, Any]], out: Path) -> list[Path]:
    """Write the chart of several campaigns and their numbers."""
    from nfsim.studies.campaign.page import campaigns_picture, write_files

    first = trials[0]
    titles = [campaign.title for campaign in first.scenario.rule_set.campaigns]
    rows = [
        {"run": f"{trial.length.name} ({trial.length.title})", "campaign": titles[each["campaign"] - 1],
         "n": each["n"], "k": each["k"]}
        for trial, numbers in zip(trials, found, strict=True)
        for each in numbers["by_campaign"]
    ]  # fmt: skip
    prepared = [game for trial in trials if trial.length == first.length for game in trial.series.campaigns]
    chip = f", with the {first.rules.chip}" if first.series.chip else ""
    share = first.rules.provenance(prepared)["text"]
    about = f"{first.series.policy.name}, seed {found[0]['seed']}{chip}. {share}"
    if first.in_a_row:
        about = f"{first.rules.all_title}; of those that came so far: {about}"
    return write_files(out, found, [campaigns_picture(with_rates(pl.DataFrame(rows)), about)])
