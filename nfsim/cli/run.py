"""`nfsim run`: play a scenario."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from nfsim.cli.options import Backend, Json, Patches, Scheduler, Settings, all_settings, number, path, whole_number


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    games: Annotated[
        str | None,
        typer.Option(metavar="N", help="Games [default: the scenario's]; with --until the most it may play."),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="Play on until the rate's interval is at most W wide from end to end (0.01: one percentage point).",
        ),
    ] = None,
    rate: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="With --until, which rate: an objective's name, or a seat (its wins, shared ones split) "
            "[default: any objective, or seat 0].",
        ),
    ] = None,
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
    patches: Patches = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Run folder [default: runs/<scenario>].")] = None,
    log: Annotated[
        str, typer.Option(metavar="LEVEL", help="How much is logged: games, rounds, or a finer level of the game.")
    ] = "rounds",
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Play a scenario and write its tables (Parquet) and manifest.

    A finished identical run in the folder is left as it is; an unfinished one goes on where it stopped.
    With --until the run looks at the interval again and again (at multiples of 20,000 games, 1,000 for slow
    policies) and stops when it is narrow enough. That interval is a confidence sequence, valid for all these looks
    together, which takes about 2.4 times the games of a number fixed beforehand; `nfsim games` gives that number.

    For example:
      nfsim run solo_campaign1_short
      nfsim run my_scenario.toml
      nfsim run rift_4p --games 100000 --policy balanced,uniform,uniform,uniform
      nfsim run solo_campaign1_short --set setup.rounds=12 --set rules.profile=table --out runs/trial
      nfsim run solo_campaign1_short --set tiles=my_tiles --seed 7 --log tiles
      nfsim run solo_campaign1_short --patch examples/dearer.toml --out runs/dearer
      nfsim run solo_campaign1_short --until 0.005 --out runs/precise
      nfsim run solo_campaign1_short --until 0.01 --rate Builder --games 500000 --out runs/builder
      nfsim run rift_2p --games 1000 --policy examples.greedy:choose,examples/my_weights.toml
      nfsim run solo_campaign1_short --games 1000000 --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/big
    """
    import contextlib
    from pathlib import Path

    from nfsim.cli.console import note, print_json, say
    from nfsim.cli.progress import say_notes, watch_run
    from nfsim.errors import BadInput
    from nfsim.log.addresses import is_address, without_file
    from nfsim.log.read import load
    from nfsim.run.cluster import named_cluster
    from nfsim.run.execute import check_level, check_options, run
    from nfsim.run.scenario import read_scenario
    from nfsim.run.until import read_until

    changes = all_settings(settings, patches)
    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads)
    width, most = number("--until", until), whole_number("--games", games)
    if width is None and rate is not None:
        raise BadInput("--rate", "", "says what --until looks at, which is not given", "for example --until 0.01")
    overrides = {"games": most, "policy": policy}
    file = path("SCENARIO", scenario)
    chosen = read_scenario(file, changes, {key: v for key, v in overrides.items() if v is not None})
    check_level(chosen.rule_set, log)
    stop = None if width is None else read_until(chosen, width, rate, most)
    away = backend == "dask" and out is not None and is_address(without_file(out))
    folder = Path("runs", chosen.name) if out is None else out if away else path("--out", out)
    cluster = named_cluster(backend, scheduler, threads)
    say_notes(chosen, chosen.seated)
    with cluster or contextlib.nullcontext(), watch_run(chosen.shown_title, quiet=json) as watch:
        result = run(chosen, folder, seed=root, jobs=threads, level=log, watch=watch, until=stop, cluster=cluster)

    from nfsim.cli.summary import print_run
    from nfsim.studies.results import run_numbers

    if away:
        games = result.manifest["games"]
        if json:
            print_json({"ok": True, "exit_code": 0, "games": games, "played": result.played, "out": out})
        else:
            say(f"{games:,} games, {result.played:,} played now. Tables and manifest: {folder}")
        return
    finished = load(folder, content=False)
    if not result.played and not json:
        note(f"{folder}: this run was finished before; nothing was played")
    if json:
        looked = {"until": result.manifest["until"]} if stop is not None else {}
        print_json(run_numbers(finished) | looked | {"ok": True, "exit_code": 0, "played": result.played})
        return
    print_run(finished)
    for line in until_lines(result.manifest) if stop is not None else []:
        say(line)
    say(f"Tables and manifest: {folder}")


def until_lines(manifest: Mapping[str, Any]) -> list[str]:
    """Return how a run with ``--until`` ended, with the interval that allows for its looks beside the plain one."""
    from nfsim.report import formatting

    found = manifest["until"]
    fixed, games, looks = found["fixed"], formatting.integer(manifest["games"]), len(found["looks"])
    looked = f"after {formatting.integer(looks)} look{'' if looks == 1 else 's'}"
    wanted = _points(found["width"])
    if found["reached"]:
        end = f"{games} games {looked} until it was at most {wanted} wide"
    else:
        end = f"NOT yet at most {wanted} wide: --games stopped it at {games} games {looked}"
    if found["rate"] is None:
        return [f"{found['rate_of']}, interval valid for any number of looks: none yet; {end}"]
    valid = formatting.rate(found["rate"], found["low"], found["high"])
    plain = formatting.rate(fixed["rate"], fixed["low"], fixed["high"])
    return [
        f"{found['rate_of']}, interval valid for any number of looks (confidence sequence): {valid}, "
        f"n = {formatting.integer(found['n'])} after a pilot of {formatting.integer(found['pilot']['games'])}; {end}",
        f"for comparison, Wilson's interval as if {games} games had been fixed beforehand: {plain}; "
        f"such a plan needs {formatting.integer(fixed['games_needed'])} games for {wanted}",
    ]


def _points(width: float) -> str:
    return f"{100 * width:g} percentage point{'' if width == 0.01 else 's'}"
