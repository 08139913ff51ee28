"""`nfsim campaign`: the chance of a whole solo campaign, or of all six in a row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Json, Settings, path, whole_number
from nfsim.errors import BadInput

if TYPE_CHECKING:
    from nfsim.cli.campaign_trials import Trial

MOST_RUNS = 10**7


def command(
    campaign: Annotated[
        str | None, typer.Argument(metavar="[N]", help="Campaign 1 to 6, several as in 1,2, or all.")
    ] = None,
    rounds: Annotated[str, typer.Option(metavar="R", help="10 (short), 12 (long), or 10,12 for both.")] = "10",
    so_close: Annotated[bool, typer.Option("--so-close", help="With the So Close chip, once in a campaign.")] = False,
    gauntlet: Annotated[
        bool, typer.Option("--gauntlet", help="All six campaigns in order without a loss, with one chip for all.")
    ] = False,
    policy: Annotated[str, typer.Option(metavar="P", help="Who plays.")] = "planner",
    campaigns: Annotated[str, typer.Option(metavar="K", help="Campaigns (or Gauntlets) to play out.")] = "400",
    sample: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Games of each position to find out what claims are worth [default: 12,000 in all]."
        ),
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Write tables, manifest and charts there.")] = None,
    json: Json = False,
) -> None:
    """Play solo campaigns: four games in a row, each won by another condition, in any order.

    First games are played from every position (which conditions are open, is the chip there) to find out what
    claiming each condition is worth: the chance to win the rest. That chance is computed exactly from the outcomes.
    Then whole campaigns are played out, each game by what its claims are worth, and the best one is claimed. The two
    chances rest on different games and should agree within their intervals. A policy that plans aims at the
    conditions that are worth most; others play all games alike. Both chances hold for the policy, not for a person.

    For example:
      nfsim campaign 1
      nfsim campaign 1 --rounds 12 --so-close --campaigns 2000 --out runs/campaign1_long
      nfsim campaign all --rounds 10,12 --policy balanced --out runs/campaigns
      nfsim campaign 2 --set rules.profile=table --sample 1000
      nfsim campaign --gauntlet --rounds 12
    """
    from nfsim.cli.console import print_json, say
    from nfsim.cli.progress import say_notes

    root, threads, runs = (
        whole_number("--seed", seed),
        whole_number("--jobs", jobs),
        whole_number("--campaigns", campaigns),
    )
    sampled = whole_number("--sample", sample)
    assert root is not None
    assert runs is not None
    folder = path("--out", out) if out is not None else None
    trials = _trials(campaign, rounds, policy, settings or [], so_close, gauntlet)
    _check(root, threads, runs, sampled)
    say_notes(trials[0].scenario, trials[0].scenario.seated)
    found = _play(trials, folder, runs, sampled, root, threads, json)
    files = _files(trials, found, folder)
    if json:
        print_json({"ok": True, "exit_code": 0, "trials": found, "files": [str(file) for file in files]})
        return

    from nfsim.cli.campaign_numbers import print_campaigns

    rulings = trials[0].scenario.rule_set.rulings
    for place, numbers in enumerate(found):
        if place:
            say()
        print_campaigns(numbers, rulings)
    if folder is not None:
        say()
        say(f"Tables and manifest: {', '.join(str(_folder(folder, trials, trial)) for trial in trials)}")
        if files:
            say(f"Files: {', '.join(str(file) for file in files)}")


def _trials(
    campaign: str | None, rounds: str, policy: str, settings: list[str], so_close: bool, gauntlet: bool
) -> list[Trial]:
    from nfsim.cli.campaign_trials import make_trials, read_campaigns, read_lengths

    numbers, lengths = read_campaigns(campaign, gauntlet), read_lengths(rounds)
    return make_trials(numbers, lengths, policy, settings, chip=so_close, gauntlet=gauntlet)


def _check(seed: int, jobs: int | None, runs: int, sampled: int | None) -> None:
    from nfsim.cli.campaign_trials import MOST_SAMPLE
    from nfsim.run.execute import check_options

    check_options(seed, jobs)
    if not 1 <= runs <= MOST_RUNS:
        raise BadInput("--campaigns", "", f"must be from 1 to {MOST_RUNS:,}, not {runs}")
    if sampled is not None and not 2 <= sampled <= MOST_SAMPLE:
        raise BadInput("--sample", "", f"must be from 2 to {MOST_SAMPLE:,}, not {sampled}")


def _folder(out: Path, trials: list[Trial], trial: Trial) -> Path:
    """Return the folder of a trial: the one named, or one in it if there are several."""
    return out if len(trials) == 1 else out / trial.name


def _play(
    trials: list[Trial], out: Path | None, runs: int, sampled: int | None, seed: int, jobs: int | None, quiet: bool
) -> list[dict[str, Any]]:
    """Play all trials and return their numbers."""
    import tempfile

    from nfsim.cli.campaign_numbers import campaign_numbers
    from nfsim.cli.campaign_trials import default_sample, play_trial
    from nfsim.cli.console import note
    from nfsim.cli.progress import watch_run
    from nfsim.log.read import load
    from nfsim.run.progress import NothingKept, Stopped

    games = sampled or default_sample(trials)
    found = []
    with tempfile.TemporaryDirectory() as passing:
        for trial in trials:
            folder = Path(passing, trial.name) if out is None else _folder(out, trials, trial)
            try:
                result = play_trial(
                    trial, folder, runs=runs, sampled=games, seed=seed, jobs=jobs,
                    watching=lambda title, unit: watch_run(title, quiet=quiet, unit=unit),
                )  # fmt: skip
            except Stopped as stop:
                if out is None:
                    raise NothingKept(stop.reason, stop.exit_code) from None
                raise
            if not result.played and not quiet:
                note(f"{folder}: this run was finished before; nothing was played")
            found.append(campaign_numbers(load(folder, content=False)))
    return found


def _files(trials: list[Trial], found: list[dict[str, Any]], out: Path | None) -> list[Path]:
    """Write the chart of several campaigns and their numbers, if there are several and a folder."""
    if out is None or len(trials) == 1:
        return []
    import polars as pl

    from nfsim.cli.campaign_trials import LENGTHS
    from nfsim.games.new_frontiers.tiles.share import Share
    from nfsim.report.campaigns import campaigns_picture, write_files
    from nfsim.stats.intervals import with_rates

    rows = [
        {"run": f"{LENGTHS[trial.rounds]} ({trial.rounds} rounds)", "campaign": f"Campaign {each['campaign']}",
         "n": each["n"], "k": each["k"]}
        for trial, numbers in zip(trials, found, strict=True)
        for each in numbers["by_campaign"]
    ]  # fmt: skip
    lengths = len({trial.rounds for trial in trials})
    chip = ", with the So Close chip" if trials[0].series.chip else ""
    share = Share.of_campaigns(
        [game.share for trial in trials[: len(trials) // lengths] for game in trial.series.campaigns]
    )
    about = f"{trials[0].series.policy.name}, seed {found[0]['seed']}{chip}. {share.describe()}"
    if trials[0].gauntlet:
        about = f"Gauntlet, of those that came so far: {about}"
    return write_files(out, found, [campaigns_picture(with_rates(pl.DataFrame(rows)), about)])
