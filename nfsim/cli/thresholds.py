"""`nfsim thresholds`: which threshold of the 12-round game is as hard as the one of the 10-round game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Backend, Json, Scheduler, Settings, whole_number

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.analysis.solo.thresholds import Pair
    from nfsim.studies.study import Arm

USUAL = "tuned"  # who plays
SAID = {"policy": "--policy says that", "games": "--games says that"}


def command(
    campaign: Annotated[str, typer.Option(metavar="N", help="Campaign 1 to 6, several as in 1,2, or all.")] = "1",
    policy: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="Who plays: a name, file.toml or module:function; tuned is tuned_solo_short with 10 rounds and "
            "tuned_solo_long with 12.",
        ),
    ] = USUAL,
    games: Annotated[
        str | None, typer.Option(metavar="N", help="Games of each length [default: 20,000, of a slow policy 1,000].")
    ] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/thresholds_<campaigns>, and --policy and --set]."),
    ] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say which long threshold would be as hard as the short one, what the printed one is worth, and write a page.

    Both lengths are played on the same deals. For each condition the page shows how likely at least x VPs with every
    other requirement met are in both lengths, the long threshold that would be met exactly as often as the printed
    short one, and how much easier or harder the printed long one is; then VPs round by round, and what rounds 11 and
    12 add, by source.

    The default player is after VPs and aims at no condition: the strongest fast one that does not. A policy that plans
    (planner) plays for the printed thresholds and chooses its aim, so that its curves would change with them; the
    answer then describes its play only. With --set aim=NAME it is after one condition, and only that one's rows count.

    For example:
      nfsim thresholds
      nfsim thresholds --campaign 2 --games 100000
      nfsim thresholds --campaign all --policy balanced --out reports/thresholds
      nfsim thresholds --campaign 1 --policy planner --set aim=Builder --games 5000
      nfsim thresholds --set rules.profile=table --json
      nfsim thresholds --games 50000000 --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/thresholds
    """
    import contextlib

    from nfsim.cli.campaign_trials import read_campaigns
    from nfsim.cli.console import print_json, say
    from nfsim.cli.difficulty_arms import read_games
    from nfsim.cli.study import default_folder, play_study, study_folder
    from nfsim.cli.summary import tile_lines
    from nfsim.games.new_frontiers.analysis import by_round_parts
    from nfsim.games.new_frontiers.analysis.solo import threshold_parts
    from nfsim.games.new_frontiers.analysis.solo.sliders import moved_thresholds
    from nfsim.report.page import Section, try_folder, write_page
    from nfsim.run.cluster import named_cluster
    from nfsim.run.execute import check_options

    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads)
    cluster = named_cluster(backend, scheduler, threads)
    numbers = read_campaigns(campaign, gauntlet=False, option="--campaign")
    wanted = read_games("--games", games) if games is not None else None
    arms = [arm for number in numbers for arm in _arms(number, policy, wanted, settings or [])]
    asked = [*map(str, numbers), *([policy] if policy != USUAL else []), *(settings or [])]
    folder = study_folder(out, default_folder("thresholds", *asked))
    try_folder(folder)
    with cluster or contextlib.nullcontext():
        sources = play_study(arms, folder, seed=root, jobs=threads, quiet=json, cluster=cluster)
    pairs = {number: (sources[2 * i], sources[2 * i + 1]) for i, number in enumerate(numbers)}
    sections = [
        Section(
            f"Solo, campaign {number}",
            [threshold_parts.part(pair), moved_thresholds(pair), by_round_parts.part(pair)],
            f"campaign{number}_" if len(pairs) > 1 else "",
            pair,
        )
        for number, pair in pairs.items()
    ]
    page = write_page(folder, f"Thresholds, 10 rounds against 12: {policy}", sources, sections)
    found = {number: _frames(pair) for number, pair in pairs.items()}
    if json:
        about = {"seed": root, "tiles": sources[0].manifest["tiles"], "report": str(page)}
        campaigns = [{"campaign": number, **frames} for number, frames in found.items()]
        print_json({"ok": True, "exit_code": 0, **about, "campaigns": campaigns})
        return
    for number, pair in pairs.items():
        _print(number, pair)
    for line in tile_lines(dict(sources[0].manifest)):
        say(line)
    say(sources[0].manifest["tiles"]["share"]["text"])
    say(f"Report: {page}")


def _arms(campaign: int, policy: str, games: int | None, settings: list[str]) -> list[Arm]:
    """Return the short and the long game of a campaign."""
    from nfsim.cli.campaign_trials import LENGTHS, solo_scenario
    from nfsim.cli.difficulty_arms import SLOW_GAMES, TUNED
    from nfsim.run.scenario import DEFAULT_GAMES
    from nfsim.studies.study import Arm

    arms = []
    for rounds, length in LENGTHS.items():
        overrides: dict[str, Any] = {"policy": f"tuned_solo_{length}" if policy == TUNED else policy}
        if games is None:
            (who,) = solo_scenario(campaign, rounds, settings, overrides, SAID).seated
            overrides["games"] = SLOW_GAMES if who.slow or not who.compiled else DEFAULT_GAMES
        else:
            overrides["games"] = games
        scenario = solo_scenario(campaign, rounds, settings, overrides, SAID)
        arms.append(Arm(scenario, {"campaign": f"Campaign {campaign}", "length": f"{rounds} rounds"}))
    return arms


def _frames(pair: Pair) -> dict[str, list[dict[str, Any]]]:
    """Return the numbers of a campaign, ready for JSON: infinite and missing ones are null."""
    import math

    from nfsim.games.new_frontiers.analysis.by_round import by_round, late_gains
    from nfsim.games.new_frontiers.analysis.solo import threshold_parts, thresholds
    from nfsim.report.picture import stack_runs

    frames = {
        "thresholds": thresholds.equally_hard(pair),
        "curves": threshold_parts.curve_frame(pair),
        "by_round": stack_runs(pair, by_round),
        "late_gains": late_gains(pair),
    }

    def known(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return {
        name: [{key: known(value) for key, value in row.items()} for row in frame.to_dicts()]
        for name, frame in frames.items()
    }


def _print(number: int, pair: Pair) -> None:
    """Print a campaign's thresholds and what the late rounds add."""
    from nfsim.cli.console import print_table, say
    from nfsim.games.new_frontiers.analysis import by_round_parts
    from nfsim.games.new_frontiers.analysis.by_round import late_gains
    from nfsim.games.new_frontiers.analysis.solo import threshold_parts, thresholds
    from nfsim.report.formatting import integer

    table = threshold_parts.table(pair, thresholds.equally_hard(pair))
    who = " / ".join(dict.fromkeys(source.policies for source in pair))
    title = f"Campaign {number}, {who}: {integer(pair[0].games)} deals in both lengths"
    print_table(table.head, table.rows, title=title, right=range(1, len(table.head)))
    for sentence in by_round_parts.said(pair, late_gains(pair)):
        say(sentence)
    if threshold_parts.plans(pair[1]):
        say(threshold_parts.AIMED)
    say()
