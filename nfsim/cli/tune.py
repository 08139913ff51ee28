"""`nfsim tune`: better weights for a policy."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, path, whole_number


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    out: Annotated[str, typer.Option(metavar="NAME.toml", help="File to write; the policy is called by its name.")],
    start: Annotated[str, typer.Option("--from", metavar="PRESET", help="Policy or file to begin with.")] = "balanced",
    objective: Annotated[
        str, typer.Option(metavar="WHAT", help="vp, claim or win [default: what fits the scenario].")
    ] = "",
    condition: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Win condition to claim; several: any of them."),
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
    only: Annotated[str | None, typer.Option(metavar="PARTS", help="effects,params,likes: what may change.")] = None,
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
      nfsim tune solo_campaign2_short --condition Idealist --games 1000 --out idealist.toml
      nfsim tune rift_2p --from mine.toml --against balanced --generations 100 --out rival.toml
    """
    import os

    # the search's matrices are small: threads for them cost a hundred times what they bring
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

    from nfsim.cli.console import note, print_json
    from nfsim.cli.progress import watch_search
    from nfsim.cli.tuned import Wanted, prepare_search, print_tuned, write_tuned
    from nfsim.contract.tuner import Aim
    from nfsim.run.scenario import read_scenario

    chosen = read_scenario(path("SCENARIO", scenario), settings or [])
    aim = Aim(start, objective, tuple(condition or ()), _listed(against), _listed(only))
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
    print_tuned(found, wanted.out)


def _listed(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(part.strip() for part in text.split(","))
