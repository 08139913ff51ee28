"""`nfsim thresholds`: which threshold of the longer game is as hard as the one of the shorter game."""

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
    from nfsim.studies.thresholds import Pair

USUAL = "aiming"  # who plays: each objective by the player that aims at it


def command(
    campaign: Annotated[str, typer.Option(metavar="N", help="Campaigns by name, several as in 1,2, or all.")] = "1",
    policy: Annotated[
        str,
        typer.Option(
            metavar="P",
            help="Who plays: a name, file.toml or module:function. aiming: each objective by the player that aims at "
            "it; tuned: the one tuned for each length.",
        ),
    ] = USUAL,
    games: Annotated[str | None, typer.Option(metavar="N", help="Games of each length [default: 10,000 each].")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    patches: Patches = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/thresholds_<campaigns>, and --policy and --set]."),
    ] = None,
    game: Game = "new_frontiers",
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say which long threshold would be as hard as the short one, how hard the printed one is, and write a page.

    Both lengths are played on the same deals. For each objective the page shows how likely a score of at least x
    with every other requirement met is in both lengths, the long threshold that would be met exactly as often as the
    printed short one, and how much easier or harder the printed long one is; then scores round by round, and what the
    additional rounds add, by source.

    By default each objective is played by the player that aims at it (planner), as somebody would who wants to meet
    it. Another player has other thresholds that are as hard: the page and the table say who played. --policy tuned is
    after a high score and aims at nothing. With --set aim=NAME the player is after one objective, and only that one's
    row counts.

    For example:
      nfsim thresholds
      nfsim thresholds --campaign 2 --games 100000
      nfsim thresholds --campaign all --policy balanced --out reports/thresholds
      nfsim thresholds --policy tuned --games 20000
      nfsim thresholds --set rules.profile=table --json
      nfsim thresholds --games 50000000 --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/thresholds
    """
    import contextlib

    from nfsim.cli.console import print_json, say
    from nfsim.cli.summary import record_lines
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.run.cluster import named_cluster
    from nfsim.studies.forms import read_campaigns, read_games
    from nfsim.studies.study import default_folder
    from nfsim.studies.thresholds import Asked, numbers_of, study_thresholds

    changes = all_settings(settings, patches)
    cluster = named_cluster(backend, scheduler, whole_number("--jobs", jobs))
    options = options_of(seed, jobs, quiet=json, cluster=cluster)
    rule_set = load_rule_set(game, "--game", "")
    campaigns = read_campaigns(rule_set, campaign, "--campaign")
    played = read_games("--games", whole_number("--games", games)) if games is not None else None
    asked = Asked(rule_set, campaigns, policy, played, changes)
    words = [*(each.name for each in campaigns), *([policy] if policy != USUAL else []), *changes]
    folder = study_folder(out, default_folder("thresholds", *words))
    with cluster or contextlib.nullcontext():
        found = study_thresholds(asked, folder, options)
    manifest = found.first.manifest
    if json:
        about = {"seed": options.seed, "tiles": manifest["tiles"], "report": str(found.page)}
        numbers = [{"campaign": name, **numbers_of(pair, found.whole[name])} for name, pair in found.pairs.items()]
        about["answer"] = list(found.answer)
        print_json({"ok": True, "exit_code": 0, **about, "campaigns": numbers})
        return
    for text in found.answer:
        say(text)
    say()
    for campaign_played, name in zip(campaigns, found.pairs, strict=True):
        _print(campaign_played.title, found.pairs[name], found.whole[name])
    for line in record_lines(dict(manifest)):
        say(line)
    say(manifest["tiles"]["share"]["text"])
    say(f"Report: {found.page}")


def _print(campaign: str, pair: Pair, whole: Pair) -> None:
    """Print a campaign's thresholds and what the late rounds add."""
    from nfsim.cli.console import print_table, say
    from nfsim.report.formatting import integer
    from nfsim.report.parts import by_round, thresholds
    from nfsim.report.parts.by_round import late_gains
    from nfsim.studies.thresholds import players

    table = thresholds.table(pair, thresholds.equally_hard(pair))
    title = f"{campaign}, played by {players(pair)}: {integer(pair[0].games)} deals in both lengths"
    print_table(table.head, table.rows, title=title, right=range(1, len(table.head)))
    if "@" in whole[0].policies:
        say(f"Round by round, {whole[0].policies}:")
    for sentence in by_round.said(whole, late_gains(whole)):
        say(sentence)
    for sentence in thresholds.planned(pair):
        say(sentence)
    say()
