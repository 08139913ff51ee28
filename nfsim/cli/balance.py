"""`nfsim balance`: which tiles do how much, found by playing without them and at other costs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Backend, Json, Scheduler, Settings, path, whole_number
from nfsim.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from nfsim.games.new_frontiers.analysis.tiles.holders import Changed
    from nfsim.report.source import Source
    from nfsim.run.cluster import Cluster
    from nfsim.run.scenario import Scenario
    from nfsim.studies.study import Arm

MOST_TOP = 100
MOST_COST = 10
LONG = 120.0  # seconds from which it is said how long the arms will take
BASE = {"tile": "all tiles", "change": "as they are"}

Frames = dict[str, "pl.DataFrame"]


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    policy: Annotated[
        str | None, typer.Option(metavar="P[,P...]", help="One policy for every seat, or one per seat.")
    ] = None,
    games: Annotated[str | None, typer.Option(metavar="N", help="Games of each arm [default: the scenario's].")] = None,
    tiles: Annotated[
        str,
        typer.Option(
            metavar="TILES",
            help="Names joined by commas; top:K = the K developments and K worlds most owned; all; none.",
        ),
    ] = "top:6",
    cost: Annotated[
        str, typer.Option(metavar="D[,D...]", help="Move the cost of each tile by so much, an arm each; or none.")
    ] = "-1,+1",
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed of all arms.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder [default: runs/balance_<scenario>].")] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Say what single worlds and developments do: for those who own them, and for the game.

    Games are played as the scenario has them, then on the same seed for each tile without it (nobody can have it; all
    draws stay the same) and with its cost, or a military world's defense, moved. So games are compared one by one. The
    page shows beside each effect what the log alone would suggest (owners against others), the results by seat,
    empire and policy of the games as they are, and all numbers as CSV. p-values are adjusted for the number of
    comparisons (Benjamini-Hochberg).

    For example:
      nfsim balance rift_4p
      nfsim balance rift_2p --tiles "Space Marines,Xeno Colony" --cost none --games 50000
      nfsim balance solo_campaign1_short --policy tuned_solo_short --tiles top:3
      nfsim balance base_3p --set tiles=my_tiles --tiles all --games 5000 --out runs/my_balance
      nfsim balance rift_4p --policy military,balanced,balanced,balanced --tiles none
      nfsim balance rift_4p --games 5000000 --backend dask --scheduler tcp://10.0.0.1:8786 --out /shared/balance
    """
    import contextlib

    from nfsim.cli.balance_results import chosen_how, json_numbers, print_results, write_results
    from nfsim.cli.console import note, print_json, say
    from nfsim.cli.study import play_study, study_folder
    from nfsim.report.page import try_folder
    from nfsim.run.cluster import named_cluster
    from nfsim.run.execute import check_options
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.study import Arm, check_study

    root, threads = whole_number("--seed", seed), whole_number("--jobs", jobs)
    assert root is not None
    check_options(root, threads)
    cluster = named_cluster(backend, scheduler, threads)
    overrides = {"games": whole_number("--games", games), "policy": policy}
    chosen = read_scenario(
        path("SCENARIO", scenario), settings or [], {key: v for key, v in overrides.items() if v is not None}
    )
    moves, wanted = read_costs(cost), read_tiles(tiles, chosen)
    folder = study_folder(out, Path("runs", f"balance_{chosen.name}"))
    try_folder(folder)
    check_study([Arm(chosen, BASE)], folder, all_arms=False)
    with cluster or contextlib.nullcontext():
        base = _play_base(chosen, folder, root, threads, json, cluster)
        names = wanted if isinstance(wanted, list) else _most_owned(base, wanted)
        arms, skipped = tile_arms(chosen, names, moves)
        for text in skipped:
            note(text)
        _say_time(base, len(arms), note)
        base, *played = play_study(arms, folder, seed=root, jobs=threads, level="tiles", quiet=json, cluster=cluster)
    changed = [_changed(arm, source) for arm, source in zip(arms[1:], played, strict=True)]
    frames = numbers(base, changed)
    page, found = write_results(chosen, base, changed, frames, folder, chosen_how(names, wanted))
    if json:
        print_json(
            json_numbers(base, names, frames) | {"folder": str(folder), "report": str(page), "ok": True, "exit_code": 0}
        )
        return
    print_results(chosen, base, frames, found)
    say(f"Report: {page}; runs and their tables: {folder / 'runs'}")


def read_costs(text: str) -> list[int]:
    """Read by how much costs are moved; none of them for ``none``."""
    if text.strip() == "none":
        return []
    found: list[int] = []
    for part in text.split(","):
        if not re.fullmatch(r"[+-]?\d{1,3}", part.strip(), re.ASCII) or not 1 <= abs(int(part)) <= MOST_COST:
            raise BadInput(
                "--cost", "", f'must be whole numbers other than 0 up to {MOST_COST}, not "{part[:40]}"',
                "write --cost -1,+1 or --cost none",
            )  # fmt: skip
        if int(part) not in found:
            found.append(int(part))
    return found


def read_tiles(text: str, scenario: Scenario) -> list[str] | int:
    """Read which tiles are changed: their names, or how many of the most owned ones."""
    from nfsim.validation import unknown

    records = in_play(scenario)
    top = re.fullmatch(r"top:(\d{1,9})", text.strip(), re.ASCII)
    if top is not None:
        if not 1 <= int(top[1]) <= MOST_TOP:
            raise BadInput("--tiles", "", f"top:{top[1]} must be from top:1 to top:{MOST_TOP}")
        return int(top[1])
    if text.strip() in ("all", "none"):
        return list(records) if text.strip() == "all" else []
    by_name = {name.casefold(): name for name in records}
    found: list[str] = []
    for part in text.split(","):
        name = by_name.get(part.strip().casefold())
        if name is None:
            problem, _, remedy = unknown("tile", part.strip(), records, "nfsim tiles list shows all").partition("; ")
            raise BadInput("--tiles", "", f"{problem} in this scenario", remedy)
        if name not in found:
            found.append(name)
    return found


def in_play(scenario: Scenario) -> dict[str, Any]:
    """Return the developments and worlds of the scenario's games by name."""
    prepared = scenario.prepared
    names = set(prepared.names.tile)
    records = [*prepared.tile_set.of_kind("development"), *prepared.tile_set.of_kind("world")]
    return {record.name: record for record in records if record.name in names}


def tile_arms(scenario: Scenario, names: Sequence[str], moves: Sequence[int]) -> tuple[list[Arm], list[str]]:
    """Return the arms of the study, the unchanged one first, and what is left out because a cost cannot go there."""
    from nfsim.games.new_frontiers.analysis.tiles.holders import OFF
    from nfsim.games.new_frontiers.tiles import levers
    from nfsim.studies.study import Arm

    arms, skipped, prepared = [Arm(scenario, BASE)], [], scenario.prepared
    for name in names:
        arms.append(Arm(_patched(scenario, levers.off_offer(prepared, name)), {"tile": name, "change": OFF}))
        for by in moves:
            try:
                patches = levers.cost(prepared, name, by)
            except BadInput as error:
                skipped.append(f"{name} {error.problem}; that arm is left out")
                continue
            arms.append(Arm(_patched(scenario, patches), {"tile": name, "change": f"cost {by:+d}"}))
    return arms, skipped


def _patched(scenario: Scenario, patches: Sequence[Mapping[str, Any]]) -> Scenario:
    """Return the scenario with more patches."""
    from dataclasses import replace

    from nfsim.run.scenario import scenario_from

    data = {**scenario.resolved, "patch": [*scenario.resolved.get("patch", []), *map(dict, patches)]}
    return replace(scenario_from(data, scenario.name, scenario.name), changes=scenario.changes)


def _play_base(
    scenario: Scenario, out: Path, seed: int, jobs: int | None, quiet: bool, cluster: Cluster | None
) -> Source:
    """Play the games as they are: which tiles are looked at depends on them."""
    from nfsim.cli.progress import watch_run
    from nfsim.report.source import read
    from nfsim.run.execute import run
    from nfsim.studies.study import RUNS, Arm

    folder = out / RUNS / Arm(scenario, BASE).name
    with watch_run(scenario.shown_title, quiet=quiet) as watch:
        run(scenario, folder, seed=seed, jobs=jobs, level="tiles", watch=watch, cluster=cluster)
    return read(folder)


def _most_owned(base: Source, top: int) -> list[str]:
    from nfsim.games.new_frontiers.analysis.tiles.holders import most_owned

    return most_owned(base.tables, top)


def _say_time(base: Source, arms: int, note: Any) -> None:
    """Say how long the arms take and how much room they need, if it is long."""
    seconds = float(base.say("wall_seconds", default=0.0)) * (arms - 1)
    if seconds < LONG:
        return
    size = sum(file.stat().st_size for file in base.folder.rglob("*") if file.is_file()) * arms
    note(f"{arms} arms of {base.games:,} games take about {seconds / 60:.0f} minutes and {size / 1e9:.1f} GB; "
         "Ctrl-C keeps what is complete")  # fmt: skip


def _changed(arm: Arm, source: Source) -> Changed:
    from nfsim.games.new_frontiers.analysis.tiles.holders import Changed

    return Changed(arm.factors["tile"], arm.factors["change"], source)


def numbers(base: Source, changed: Sequence[Changed]) -> Frames:
    """Return the frames of the study by name."""
    from nfsim.games.new_frontiers.analysis.tiles import effects, holders

    return {
        "owned": effects.owned(base, changed),
        "alike": holders.alike(base, changed),
        "differences": effects.differences(base, changed),
        "prices": effects.prices(base, changed),
    }
