"""`nfsim difficulty`: how hard objectives and campaigns are for players of different strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import (
    Backend,
    Game,
    Json,
    Patches,
    Scheduler,
    Settings,
    all_settings,
    options_of,
    study_folder,
    whole_number,
)

if TYPE_CHECKING:
    from nfsim.studies.difficulty.study import Found

PLAYERS = "uniform,balanced,tuned,planner"
BAGS = 4
IN_FILES_ONLY = ("uniform", "balanced")  # of `PLAYERS`: weaker than tuned, and they do not aim either


def command(
    campaign: Annotated[str, typer.Option(metavar="N", help="Campaigns by name, several as in 1,2, or all.")] = "1",
    games: Annotated[str, typer.Option(metavar="N", help="Games of each player and aim.")] = "10000",
    rounds: Annotated[
        str | None, typer.Option(metavar="R", help="Lengths by their rounds, as in 10 or 10,12 [default: all].")
    ] = None,
    policies: Annotated[
        str,
        typer.Option(
            metavar="P,Q,...",
            help="Who plays, the weakest first: names, file.toml, module:function; tuned stands for the one tuned for "
            "each length.",
        ),
    ] = PLAYERS,
    search: Annotated[
        str | None,
        typer.Option(metavar="N", help="Games of search_planner, of each aim; also its chances of campaigns."),
    ] = None,
    bags: Annotated[
        str | None,
        typer.Option(metavar="N", help="Sets drawn for what nobody knows, played too [default: 4]."),
    ] = None,
    no_campaigns: Annotated[
        bool, typer.Option("--no-campaigns", help="Leave out the chances of whole campaigns.")
    ] = False,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    settings: Settings = None,
    patches: Patches = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/difficulty_<campaigns>, and what is not the default]."),
    ] = None,
    game: Game = "new_frontiers",
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say how hard each objective is, for players of different strength, and write a page about it.

    A policy that can aim (planner, search_planner) plays each objective as the only one open: that rate says
    how hard it is for a player who is after it. The others cannot aim and play as always. All play the same deals,
    so that objectives are compared game by game. The page says also what games lack that miss one (the score,
    something else it asks for, or both), and the chance of the whole campaign, with and without what mends a miss.

    Slow policies have an n of their own, which every table says: planner plays as always at most 300 games (aimed
    at one objective it need not plan and plays all of --games), a function in Python at most 1,000, a search 100 or
    as many as --search says. Chances of campaigns need 100 games of each position for planner, 100 or --search for a
    search, and --games for others. A first answer is printed within seconds, from the
    fastest player that aims. With the defaults one campaign takes some five minutes on two cores, without the search
    (--policies tuned,planner) one or two.

    With --backend dask the workers play the games of all players; the chances of campaigns are computed from games that
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

    from nfsim.cli.console import print_json, say
    from nfsim.cli.summary import record_lines
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.run.cluster import named_cluster
    from nfsim.studies.difficulty.study import study_difficulty
    from nfsim.studies.difficulty.variants import Asked, read_bags, read_players
    from nfsim.studies.forms import read_campaigns, read_games, read_lengths
    from nfsim.studies.results import plain
    from nfsim.studies.study import default_folder

    changes = all_settings(settings, patches)
    cluster = named_cluster(backend, scheduler, whole_number("--jobs", jobs))
    options = options_of(seed, jobs, quiet=json, cluster=cluster)
    rule_set = load_rule_set(game, "--game", "")
    campaigns, lengths = read_campaigns(rule_set, campaign, "--campaign"), read_lengths(rule_set, rounds)
    searched = read_games("--search", whole_number("--search", search)) if search is not None else None
    players = read_players(rule_set, policies, searched, usual=policies == PLAYERS)
    hidden = IN_FILES_ONLY if policies == PLAYERS else ()
    drawn = BAGS if bags is None else read_bags(whole_number("--bags", bags))
    played = read_games("--games", whole_number("--games", games))
    asked = Asked(rule_set, campaigns, lengths, players, played, searched, drawn, hidden, changes)
    words = [
        *(each.name for each in campaigns),
        *([rounds] if rounds is not None and lengths != rule_set.lengths else []),
        *([policies] if policies != PLAYERS else []),
        *(["search"] if search is not None else []),
        *([f"{drawn}bags"] if drawn != BAGS else []),
        *changes,
    ]
    folder = study_folder(out, default_folder("difficulty", *words))
    with cluster or contextlib.nullcontext():
        found = study_difficulty(asked, folder, options, campaigns=not no_campaigns)
    manifest = found.sources[0].manifest
    if json:
        frames = {name: [plain(row) for row in frame.to_dicts()] for name, frame in found.frames.items()}
        about = {"answer": list(found.answer.text), "seed": options.seed, "tiles": manifest["tiles"]}
        about["report"] = str(found.page)
        print_json({"ok": True, "exit_code": 0, **about, **frames, "without_chances": found.left_out})
        return
    for sentence in found.answer.text:
        say(sentence)
    say()
    _print(found, {campaign.name: campaign.title for campaign in campaigns})
    for line in record_lines(dict(manifest)):
        say(line)
    say(manifest["tiles"]["share"]["text"])
    say(f"Report: {found.page}")


def _print(found: Found, titles: dict[str, str]) -> None:
    """Print the rates of every campaign and length, what they tell apart, and the chances of campaigns."""
    import polars as pl

    from nfsim.cli.console import print_table, say
    from nfsim.studies.difficulty import page

    frames, words, metrics = found.on_page, found.sources[0].words, found.sources[0].metrics
    for (name, rounds), own in frames["rates"].group_by("campaign", "rounds", maintain_order=True):
        heads, rows = page.compact(own, words)
        title = f"{titles[str(name)]}, {rounds} rounds: {words.objectives} met (95 % interval)"
        print_table([words.objective, *heads], rows, title=title, right=range(1, len(heads) + 1))
        compared = frames["comparisons"]
        if len(compared):
            here = (pl.col("campaign") == name) & (pl.col("rounds") == rounds)
            for sentence in page.overall(own, compared.filter(here), words):
                say(sentence)
        say()
    if len(chances := frames.get("campaigns", pl.DataFrame())):
        for (name,), own in chances.group_by("campaign", maintain_order=True):
            heads, rows = page.campaign_cells(own, metrics)
            title = f"Chance of the whole of {titles[str(name)].lower()}, computed (95 % interval)"
            print_table(["player", *heads], rows, title=title, right=range(1, len(heads) + 1))
        if found.left_out:
            say(f"Without chances: {', '.join(found.left_out)} (campaigns take names and files of weights)")
        say()
