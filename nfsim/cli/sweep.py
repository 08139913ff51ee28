"""`nfsim sweep`: what changes when a scenario is varied."""

from __future__ import annotations

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
    from pathlib import Path

    from nfsim.studies.sweep.study import Found
    from nfsim.studies.sweep.variants import Sweep

PRINTED = 30  # variants in the table that is printed


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    vary: Annotated[
        list[str] | None, typer.Option("--vary", metavar="FACTOR=LEVELS", help="What to vary; up to three times.")
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games of every variant.")] = "2000",
    rate: Annotated[
        str | None, typer.Option(metavar="NAME", help="The rate to look at [default: any objective; wins of seat 0].")
    ] = None,
    policy: Annotated[str | None, typer.Option(metavar="P[,P...]", help="Who plays, where no factor says so.")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed of all variants, and of bags drawn.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    patches: Patches = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/sweep_<scenario>_<factors>, and --policy and --set]."),
    ] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Play a scenario in all combinations of the levels of up to three factors, on the same deals.

    Writes a page with each outcome against the levels, the differences game by game, and one run folder a variant.

    Factors are: any key of a scenario (setup.rounds, rules.colonist_end, aim); policy (for every seat, or one per
    seat joined by |); tiles (sets, or sample:N for N bags drawn at random that satisfy the manual's table); patch
    (files of [[patch]] tables, none without); levers on the bag such as bag.xeno and bag.military; cost.TILE, by how
    much a tile's price is moved. Levels are names joined by commas, or ranges: 8..14, 20..60/10.

    With tiles=sample:N and a second factor policy it says how much of the variance comes from the tiles that nobody
    outside the box knows, how much from the player, and how much is chance.

    For example:
      nfsim sweep solo_campaign1_short --vary bag.xeno=0..8
      nfsim sweep solo_campaign1_short --vary setup.rounds=8..14 --vary policy=balanced,tuned_solo_short
      nfsim sweep solo_campaign1_short --vary tiles=sample:20 --vary policy=uniform,balanced,tuned_solo_short
      nfsim sweep rift_2p --vary rules.colonist_end=four_left,empty --vary "policy=balanced|uniform,balanced|balanced"
      nfsim sweep solo_campaign1_short --vary "cost.Gem World=-1..1" --rate Builder --games 10000
      nfsim sweep solo_campaign1_short --vary patch=none,mine.toml
      nfsim sweep solo_campaign1_short --vary bag.xeno=0..8 --games 5000000 --backend dask --scheduler tcp://10.0.0.1:8786
    """
    import contextlib

    from nfsim.cli.console import print_json
    from nfsim.run.cluster import named_cluster
    from nfsim.studies.study import default_folder
    from nfsim.studies.sweep.study import numbers_of, study_sweep
    from nfsim.studies.sweep.variants import make_sweep

    changes = all_settings(settings, patches)
    cluster = named_cluster(backend, scheduler, whole_number("--jobs", jobs))
    options = options_of(seed, jobs, quiet=json, cluster=cluster)
    number, file = whole_number("--games", games), path("SCENARIO", scenario)
    names = [text.partition("=")[0] for text in vary or []]
    asked = [*names, *([policy] if policy is not None else []), *changes]
    folder = study_folder(out, default_folder("sweep", file.stem, *asked))
    overrides = {key: value for key, value in (("games", number), ("policy", policy)) if value is not None}
    sweep = make_sweep(file, vary or [], folder, seed=options.seed, settings=changes, overrides=overrides)
    with cluster or contextlib.nullcontext():
        found = study_sweep(sweep, folder, options, rate)
    if json:
        print_json({"ok": True, "exit_code": 0, **numbers_of(sweep, found, folder)})
        return
    _print(sweep, found, folder)


def _print(sweep: Sweep, found: Found, folder: Path) -> None:
    """Print the table of the variants, and what the page says."""
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import record_lines
    from nfsim.report.formatting import integer
    from nfsim.studies.sweep.study import about_variants, drawn_bags, usual_variant

    sources, table, swept = found.sources, found.table, found.swept
    each = f"{found.title}, {integer(sources[0].games)} games each"
    print_table(table.head, table.rows[:PRINTED], title=each, right=range(len(swept.axes), len(table.head)))
    if len(sweep.variants) > PRINTED:
        say(f"… and {integer(len(sweep.variants) - PRINTED)} more variants; the page and its CSV files have all.")
    say()
    for text in [*found.sentences, *about_variants(sweep)[1:]]:
        say(text)
    say()
    as_usual = sources[usual_variant(sweep)]
    if swept.bags is not None:
        say(drawn_bags(sweep, folder))
    else:
        every = [record_lines(dict(source.manifest)) for source in sources]
        first, *patches = record_lines(dict(as_usual.manifest))
        for line in [first, *(patch for patch in patches if all(patch in lines for lines in every))]:
            say(line)
    say(str(as_usual.say("tiles", "share", "text")))
    say(f"Report: {found.page}; runs and their tables: {folder / 'runs'}")
