"""`nfsim difficulty`: how hard the solo conditions and campaigns are for players of different strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Backend, Json, Scheduler, Settings, whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from nfsim.cli.difficulty_arms import Planned, Wanted
    from nfsim.games.new_frontiers.analysis.solo.difficulty import Arm
    from nfsim.report.page import Section

ROUNDS, RUNGS = "10,12", "uniform,balanced,tuned,planner"
POSITION_GAMES = 200  # of each position of a campaign, for a policy that plans


def command(
    campaign: Annotated[str, typer.Option(metavar="N", help="Campaign 1 to 6, several as in 1,2, or all.")] = "1",
    games: Annotated[str, typer.Option(metavar="N", help="Games of each rung and aim.")] = "10000",
    rounds: Annotated[str, typer.Option(metavar="R", help="10 (short), 12 (long), or both.")] = ROUNDS,
    policies: Annotated[
        str,
        typer.Option(
            metavar="P,Q,...",
            help="The rungs, the weakest first: names, file.toml, module:function; tuned is tuned_solo_short with 10 "
            "rounds and tuned_solo_long with 12.",
        ),
    ] = RUNGS,
    search: Annotated[
        str | None,
        typer.Option(metavar="N", help="Also search_planner, N games of each aim; it plays some 15 games a second."),
    ] = None,
    no_campaigns: Annotated[
        bool, typer.Option("--no-campaigns", help="Leave out the chances of whole campaigns.")
    ] = False,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/difficulty_<campaigns>, and what is not the default]."),
    ] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say how hard each solo condition is, for players of different strength, and write a page about it.

    A policy that can aim (planner, search_planner) plays each condition as the only one open: that rate is what the
    condition is worth to a player who is after it. The others cannot aim and play as always. All play the same deals,
    so that conditions are compared game by game. The page says also what games lack that miss a condition (VPs, the
    rest of what it asks for, or both), and the chance of the whole campaign, with and without the So Close chip.

    Slow policies have an n of their own, which every table says: planner plays as always at most 1,000 games (aimed
    at one condition it need not plan and plays all of --games), a function in Python at most 1,000, a search as many
    as --search says. Chances of campaigns rest on 200 games of each position for planner, 100 or --search for a
    search, and --games for others. With the defaults one campaign takes a minute or two.

    With --backend dask the workers play the games of all rungs; the chances of campaigns are computed from games that
    this machine plays, on all its cores: for large --games leave them out with --no-campaigns.

    For example:
      nfsim difficulty
      nfsim difficulty --campaign 2 --games 50000 --rounds 10
      nfsim difficulty --campaign all --no-campaigns --out reports/difficulty
      nfsim difficulty --policies balanced,planner --search 100
      nfsim difficulty --campaign 3 --set rules.profile=table --json
      nfsim difficulty --games 5000000 --no-campaigns --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/hard
    """
    import contextlib

    from nfsim.cli.campaign_trials import read_campaigns, read_lengths
    from nfsim.cli.console import print_json, say
    from nfsim.cli.difficulty_arms import Wanted, check_names, read_games, read_rungs, rung_arms
    from nfsim.cli.study import default_folder, play_study, study_folder
    from nfsim.cli.summary import plain, tile_lines
    from nfsim.games.new_frontiers.analysis.solo import difficulty
    from nfsim.report.page import try_folder, write_page
    from nfsim.run.cluster import named_cluster
    from nfsim.run.execute import check_options

    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads)
    cluster = named_cluster(backend, scheduler, threads)
    numbers, lengths = read_campaigns(campaign, gauntlet=False, option="--campaign"), read_lengths(rounds)
    asked = Wanted(read_games("--games", games), read_games("--search", search) if search is not None else None)
    rungs = read_rungs(policies, asked.search)
    planned = [
        each
        for number in numbers
        for length in lengths
        for rung in rungs
        for each in rung_arms(number, length, rung, asked, settings or [])
    ]
    check_names(planned)
    others = [given for given, usual in ((rounds, ROUNDS), (policies, RUNGS)) if given != usual]
    words = [*map(str, numbers), *others, *(["search"] if search is not None else []), *(settings or [])]
    folder = study_folder(out, default_folder("difficulty", *words))
    try_folder(folder)
    with cluster or contextlib.nullcontext():
        sources = play_study(
            [each.arm for each in planned], folder, seed=root, jobs=threads, level="games", quiet=json, cluster=cluster
        )
    arms = [
        difficulty.Arm(each.campaign, each.rounds, each.rung, each.aim, source)
        for each, source in zip(planned, sources, strict=True)
    ]
    won, left_out = (None, []) if no_campaigns else _chances(planned, asked, settings or [], root, threads, json)
    frames = _frames(arms, won)
    page = write_page(folder, "How hard the solo conditions are", sources, _sections(arms, frames, left_out))
    if json:
        found = {name: [plain(row) for row in frame.to_dicts()] for name, frame in frames.items()}
        about = {"seed": root, "tiles": sources[0].manifest["tiles"], "report": str(page)}
        print_json({"ok": True, "exit_code": 0, **about, **found, "without_chances": left_out})
        return
    _print(frames, left_out)
    for line in tile_lines(dict(sources[0].manifest)):
        say(line)
    say(sources[0].manifest["tiles"]["share"]["text"])
    say(f"Report: {page}")


def _chances(
    planned: Sequence[Planned], asked: Wanted, settings: Sequence[str], seed: int, jobs: int | None, quiet: bool
) -> tuple[pl.DataFrame, list[str]]:
    """Return the chances of all campaigns, and the rungs that cannot play them."""
    import polars as pl

    from nfsim.cli.difficulty_campaigns import SCHEMA, campaign_chances
    from nfsim.cli.progress import watch_run

    frames, left_out = [pl.DataFrame(schema=SCHEMA)], []
    for each in planned:
        policy = each.arm.scenario.seated[0]
        if each.aim:
            continue
        if not policy.compiled:
            left_out.append(each.rung)
            continue
        plans = policy.aiming(0, 1) is not None
        games = min(POSITION_GAMES if plans else asked.games, asked.of(each.arm.scenario, aimed=False))
        frames.append(
            campaign_chances(
                each.campaign,
                each.rounds,
                each.rung,
                policy.spec,
                settings,
                games=max(games, 2),
                seed=seed,
                jobs=jobs,
                watching=lambda title: watch_run(title, quiet=quiet),
            )
        )
    return pl.concat(frames), list(dict.fromkeys(left_out))


def _frames(arms: Sequence[Arm], won: pl.DataFrame | None) -> dict[str, pl.DataFrame]:
    from nfsim.games.new_frontiers.analysis.solo import difficulty

    halves, shortfalls = difficulty.missing(arms)
    return {
        "rates": difficulty.rates(arms),
        "comparisons": difficulty.comparisons(arms),
        "misses": halves,
        "shortfalls": shortfalls,
        **({"campaigns": won} if won is not None else {}),
    }


def _sections(arms: Sequence[Arm], frames: dict[str, pl.DataFrame], left_out: Sequence[str]) -> list[Section]:
    """Put the page together: a section for each campaign."""
    import polars as pl

    from nfsim.games.new_frontiers.analysis.solo import difficulty_parts as parts
    from nfsim.games.new_frontiers.analysis.solo.misses import asked
    from nfsim.report.page import Section

    numbers = list(dict.fromkeys(arm.campaign for arm in arms))
    sections = []
    for number in numbers:
        own = {name: frame.filter(pl.col("campaign") == number) for name, frame in frames.items() if len(frame)}
        sources = [arm.source for arm in arms if arm.campaign == number]
        conditions = [condition for source in sources for condition in source.conditions]
        needs = {
            (arm.rounds, condition.name): condition.needs
            for arm in arms
            if arm.campaign == number
            for condition in arm.source.conditions
        }
        empty = pl.DataFrame()
        compared, missing = own.get("comparisons", empty), (own["misses"], own["shortfalls"], asked(conditions))
        found = [
            parts.hard(own["rates"]),
            parts.told(own["rates"], compared),
            parts.campaign(own.get("campaigns", empty), left_out),
            parts.lacking(*missing),
            parts.everything(own["rates"], compared, parts.misses_table(*missing), needs),
        ]
        prefix = f"campaign{number}_" if len(numbers) > 1 else ""
        sections.append(Section(f"Campaign {number}", found, prefix))
    return sections


def _print(frames: dict[str, pl.DataFrame], left_out: Sequence[str]) -> None:
    """Print the rates of every campaign and length, what they tell apart, and the chances of campaigns."""
    import polars as pl

    from nfsim.cli.console import print_table, say
    from nfsim.games.new_frontiers.analysis.solo import difficulty_parts as parts

    found = frames["rates"]
    for (number, length), own in found.group_by("campaign", "rounds", maintain_order=True):
        heads, rows = parts.compact(own)
        title = f"Campaign {number}, {length} rounds: conditions met (95 % interval)"
        print_table(["objective", *heads], rows, title=title, right=range(1, len(heads) + 1))
        compared = frames["comparisons"]
        if len(compared):
            here = (pl.col("campaign") == number) & (pl.col("rounds") == length)
            for sentence in parts.overall(own, compared.filter(here)):
                say(sentence)
        say()
    if "campaigns" in frames and len(frames["campaigns"]):
        for (number,), own in frames["campaigns"].group_by("campaign", maintain_order=True):
            heads, rows = parts.campaign_cells(own)
            title = f"Chance of the whole campaign {number}, computed (95 % interval)"
            print_table(["rung", *heads], rows, title=title, right=range(1, len(heads) + 1))
        if left_out:
            say(f"Without chances: {', '.join(left_out)} (campaigns take names and files of weights)")
        say()
