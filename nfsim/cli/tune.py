"""`nfsim tune`: better weights for a policy."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from nfsim.cli.options import Json, Settings, path, whole_number


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    out: Annotated[str, typer.Option(metavar="NAME.toml", help="File to write; the policy is called by its name.")],
    start: Annotated[str, typer.Option("--from", metavar="PRESET", help="Policy or file to begin with.")] = "balanced",
    value: Annotated[
        str,
        typer.Option(metavar="WHAT", help="What is to grow: score, met or win [default: what fits the scenario]."),
    ] = "",
    objective: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Objective to meet; several: any of them."),
    ] = None,
    against: Annotated[
        str | None, typer.Option(metavar="P[,P...]", help="Policies of the other seats [default: that of --from].")
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games per candidate.")] = "500",
    generations: Annotated[str, typer.Option(metavar="G", help="Generations.")] = "60",
    population: Annotated[
        str | None, typer.Option(metavar="K", help="Candidates of a generation [default: by the number of parameters].")
    ] = None,
    sigma: Annotated[float, typer.Option(metavar="X", help="First step, as a part of each parameter's size.")] = 0.2,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same command and seed: same file.")] = "1",
    only: Annotated[
        str | None, typer.Option(metavar="PARTS", help="Sections of the preset that may change [default: all].")
    ] = None,
    settings: Settings = None,
    held_out: Annotated[str, typer.Option(metavar="N", help="Games that measure start and result.")] = "20000",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    plan: Annotated[str | None, typer.Option(metavar="TEXT", help="One line about it for nfsim policies.")] = None,
    json: Json = False,
) -> None:
    """Improve a policy's weights by a search (CMA-ES) and write them as a preset file.

    An interrupted search goes on with the same command. The result is measured on games that the search never played.

    For example:
      nfsim tune solo_campaign1_short --out mine.toml
      nfsim tune solo_campaign2_short --objective Idealist --games 1000 --out idealist.toml
      nfsim tune rift_2p --from mine.toml --against balanced --generations 100 --out rival.toml
    """
    import os

    # the search's matrices are small: threads for them cost a hundred times what they bring
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from nfsim.cli.console import note, print_json
    from nfsim.cli.progress import watch_search
    from nfsim.contract.tuner import Aim
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.tune import Wanted, prepare_search, write_tuned

    chosen = read_scenario(path("SCENARIO", scenario), settings or [])
    aim = Aim(start, value, tuple(objective or ()), _listed(against), _listed(only))
    numbers = {
        "seed": whole_number("--seed", seed),
        "games": whole_number("--games", games),
        "generations": whole_number("--generations", generations),
        "population": whole_number("--population", population),
        "sigma": sigma,
        "held_out": whole_number("--held-out", held_out),
    }
    wanted = Wanted(path("--out", out), plan, whole_number("--jobs", jobs))
    search = prepare_search(chosen, aim, numbers, wanted)
    if search.finished is not None and not json:
        note(f"{wanted.out}: this search was finished before; nothing was played")
    with watch_search(quiet=json) as watch:
        found = write_tuned(search, watch)
    if json:
        print_json({"ok": True, "exit_code": 0, "file": str(wanted.out), **found})
        return
    _print(found, wanted.out)


def _listed(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(part.strip() for part in text.split(","))


def _print(found: Mapping[str, Any], out: Path) -> None:
    """Print start, result and difference."""
    from nfsim.cli.console import print_table, say

    held_out = found["held_out"]
    rows = [
        [f"start: {found['start']}", *_cells(held_out, "start", "start_")],
        ["tuned", *_cells(held_out, "value", "")],
        ["difference", *_cells(held_out, "difference", "difference_")],
    ]
    title = f"{held_out['what']}, {held_out['n']:,} deals that the search did not play"
    print_table(["policy", "value", "95 % interval"], rows, title=title, right=(1, 2))
    if held_out["difference_high"] < 0:
        say("The result is worse than the start: the search was too short, or its first step (--sigma) too large.")
    say(f"Preset: {out}")


def _cells(held_out: Mapping[str, Any], value: str, prefix: str) -> list[str]:
    return [f"{held_out[value]:.4g}", f"{held_out[f'{prefix}low']:.4g} – {held_out[f'{prefix}high']:.4g}"]
