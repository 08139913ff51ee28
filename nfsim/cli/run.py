"""`nfsim run`: play a scenario."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, path, whole_number


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    games: Annotated[str | None, typer.Option(metavar="N", help="Games [default: the scenario's].")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same scenario and seed: same rows.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="P[,P...]",
            help="One policy for every seat, or one per seat: a name, file.toml or module:function.",
        ),
    ] = None,
    settings: Settings = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Run folder [default: runs/<scenario>].")] = None,
    log: Annotated[str, typer.Option(metavar="LEVEL", help="games, rounds or tiles: how much is logged.")] = "rounds",
    json: Json = False,
) -> None:
    """Play a scenario and write its tables (Parquet) and manifest.

    A finished identical run in the folder is left as it is; an unfinished one goes on where it stopped.

    For example:
      nfsim run solo_campaign1_short
      nfsim run my_scenario.toml
      nfsim run rift_4p --games 100000 --policy balanced,uniform,uniform,uniform
      nfsim run solo_campaign1_short --set setup.rounds=12 --set rules.profile=table --out runs/trial
      nfsim run solo_campaign1_short --set tiles=my_tiles --seed 7 --log tiles
      nfsim run rift_2p --games 1000 --policy examples.greedy:choose,examples/my_weights.toml
    """
    from pathlib import Path

    from nfsim.cli.console import note, print_json, say
    from nfsim.cli.progress import say_notes, watch_run
    from nfsim.log.read import load
    from nfsim.run.execute import check_options, run
    from nfsim.run.scenario import read_scenario

    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads, log)
    overrides = {"games": whole_number("--games", games), "policy": policy}
    file = path("SCENARIO", scenario)
    chosen = read_scenario(file, settings or [], {key: v for key, v in overrides.items() if v is not None})
    folder = path("--out", out) if out is not None else Path("runs", chosen.name)
    say_notes(chosen, chosen.seated)
    with watch_run(chosen.shown_title, quiet=json) as watch:
        result = run(chosen, folder, seed=root, jobs=threads, level=log, watch=watch)

    from nfsim.cli.summary import print_run, run_numbers

    finished = load(folder)
    if not result.played and not json:
        note(f"{folder}: this run was finished before; nothing was played")
    if json:
        print_json(run_numbers(finished) | {"ok": True, "exit_code": 0, "played": result.played})
        return
    print_run(finished)
    say(f"Tables and manifest: {folder}")
