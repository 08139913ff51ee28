"""`nfsim balance`: which tiles do how much, found by playing without them and at other costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import (
    Backend,
    Json,
    Patches,
    Scheduler,
    Settings,
    all_settings,
    options_of,
    path,
    study_folder,
    whole_number,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nfsim.report.page import Part
    from nfsim.studies.balance.study import Found


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    policy: Annotated[
        str | None, typer.Option(metavar="P[,P...]", help="One policy for every seat, or one per seat.")
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(
            metavar="P",
            help="A second player, in all seats: a second column of the table; or none "
            "[default: the one tuned for such games].",
        ),
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games of each variant.")] = "5000",
    tiles: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Names joined by commas; top:K = the K most owned of each kind; all; none.",
        ),
    ] = "all",
    cost: Annotated[
        str, typer.Option(metavar="D[,D...]", help="Move the cost of each by so much, a variant each; or none.")
    ] = "none",
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed of all variants.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    patches: Patches = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder [default: runs/balance_<scenario>].")] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say which worlds and developments are strong or weak: one table of all, for two players side by side.

    Games are played as the scenario has them, then on the same seed for each tile without it (nobody can have it; all
    draws stay the same). So games are compared one by one. The table says how often each tile is taken, its effect on
    whoever takes it, and a verdict after adjusting for the number of comparisons (Benjamini-Hochberg). It can be sorted
    and searched on the page. Details follow: what the log alone would suggest, the results by seat, empire and policy.
    With all tiles this takes five to ten minutes on two cores; Ctrl-C keeps what is complete.
    With --cost every tile is also played with its cost, or a military world's defense, moved.

    For example:
      nfsim balance rift_4p
      nfsim balance rift_2p --tiles "Space Marines,Xeno Colony" --cost -1,+1 --games 50000
      nfsim balance solo_campaign1_short --policy tuned_solo_short --tiles top:3
      nfsim balance base_3p --set tiles=my_tiles --second military --out runs/my_balance
      nfsim balance rift_4p --policy military,balanced,balanced,balanced --tiles none
      nfsim balance rift_4p --games 5000000 --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/balance
    """
    import contextlib

    from nfsim.cli.console import print_json, say
    from nfsim.run.cluster import named_cluster
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.balance.study import numbers_of, study_balance
    from nfsim.studies.balance.variants import read_costs, read_records, second_player

    changes = all_settings(settings, patches)
    cluster = named_cluster(backend, scheduler, whole_number("--jobs", jobs))
    options = options_of(seed, jobs, quiet=json, cluster=cluster)
    overrides = {"games": whole_number("--games", games), "policy": policy}
    chosen = read_scenario(
        path("SCENARIO", scenario), changes, {key: v for key, v in overrides.items() if v is not None}
    )
    moves, wanted = read_costs(cost), read_records(tiles, chosen)
    folder = study_folder(out, Path("runs", f"balance_{chosen.name}"))
    with cluster or contextlib.nullcontext():
        found = study_balance(chosen, second_player(chosen, second), wanted, moves, folder, options)
    if json:
        places = {"folder": str(folder), "report": str(found.page)}
        print_json(numbers_of(found) | places | {"ok": True, "exit_code": 0})
        return
    _print(found)
    say(f"Report: {found.page}; runs and their tables: {folder / 'runs'}")


def _print(found: Found) -> None:
    """Print a line for each tile, what qualifies them, and whether seats, empires and policies have equal chances."""
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import print_records, print_run, print_shares
    from nfsim.log.read import load
    from nfsim.studies.balance.page import short_table

    base, frames = found.base, found.frames
    if frames["owned"].is_empty():
        print_run(load(base.folder, content=False))
        _print_chances(found.parts)
        return
    for text in found.answer:
        say(text)
    say()
    head, rows = short_table(frames["ratings"], base)
    if rows:
        title = f"{found.scenario.shown_title}: {base.games:,} games without each {base.words.record}"
        print_table(head, rows, title=title, right=range(3, len(head)))
        say(f"All {base.words.records} stand in the table of the page, which can be sorted and searched, and as CSV.")
    _print_chances(found.parts)
    print_records([base])
    print_shares([base.manifest])


def _print_chances(found: Sequence[Part]) -> None:
    """Print what the page says in words about equal chances, if there are several players."""
    from nfsim.cli.console import say

    for part in found:
        if part.chances and part.text:
            say()
            say(part.title, style="bold")
            for text in part.text:
                say(text)
    say()
