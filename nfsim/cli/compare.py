"""`nfsim compare`: two runs or scenarios, figure by figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, all_settings, options_of, path, whole_number

if TYPE_CHECKING:
    import polars as pl

    from nfsim.report.source import Source


def command(
    first: Annotated[str, typer.Argument(metavar="A", help="A run folder, or a scenario (TOML or name).")],
    second: Annotated[str, typer.Argument(metavar="B", help="The same; what is said is how B differs from A.")],
    games: Annotated[
        str | None,
        typer.Option(metavar="N", help="Games to play of a scenario [default: as it says, or as the other run]."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="S", help="Root seed of scenarios [default: the other run's, or 1].")
    ] = None,
    policy: Annotated[
        str | None, typer.Option(metavar="P", help="Who plays scenarios: one policy for every seat, or one per seat.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change one key of scenario B; may be given several times."),
    ] = None,
    patches: Annotated[
        list[str] | None,
        typer.Option(
            "--patch", metavar="FILE", help="Change cards or tiles of scenario B as the [[patch]] tables of a file say."
        ),
    ] = None,
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder [default: runs/compare_<A>_<B>].")] = None,
    json: Json = False,
) -> None:
    """Say how two runs differ: differences with intervals, largest first, in words, as table and charts.

    A scenario is played first, with the same seed as the other side. Runs with the same seed have played the same games
    as far as they can, so they are compared game by game, which makes small differences visible; with different seeds
    they are independent samples. p-values are adjusted for the number of figures (Benjamini-Hochberg).

    For example:
      nfsim compare solo_campaign1_short solo_campaign1_long
      nfsim compare runs/solo_campaign1_short runs/table --json
      nfsim compare runs/base my_scenario.toml --out runs/base_or_mine
      nfsim compare solo_campaign1_short solo_campaign1_short --set rules.profile=table
      nfsim compare rift_4p base_4p --games 5000 --policy balanced
      nfsim compare rift_2p rift_2p --patch examples/dearer.toml --games 5000
    """
    from pathlib import Path

    from nfsim.cli.console import print_json, say
    from nfsim.run.scenario import DEFAULT_SEED
    from nfsim.studies.compare.study import Sides, numbers_of, study_comparison

    files = path("A", first), path("B", second)
    folder = path("--out", out) if out is not None else Path("runs", f"compare_{files[0].stem}_{files[1].stem}")
    given = whole_number("--seed", seed)
    sides = Sides(*files, whole_number("--games", games), given, policy, all_settings(settings, patches))
    found = study_comparison(sides, folder, options_of(str(DEFAULT_SEED if given is None else given), jobs, quiet=json))
    if json:
        print_json(numbers_of(found) | {"report": str(found.page), "ok": True, "exit_code": 0})
        return
    _print(found.sources, found.frame)
    say(f"Report: {found.page}")


def _print(found: list[Source], frame: pl.DataFrame) -> None:
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import print_records, print_shares
    from nfsim.report.formatting import p_value
    from nfsim.studies.compare.numbers import settings_that_differ
    from nfsim.studies.compare.page import LARGEST_FIRST, YARDSTICK, effect, level, sentences, setting_name, written

    heads = [found[0].label, found[1].label]
    apart = [[setting_name(name), *values] for name, *values in settings_that_differ(*found)]
    print_table(["setting", *heads], apart, title="What sets them apart")
    say()
    rows = [
        [r["figure"], written(r), effect(r), level(r, "before"), level(r, "after"), p_value(r["p_adjusted"])]
        for r in frame.to_dicts()
    ]
    print_table(["figure", "difference (95 % interval)", YARDSTICK.lower(), *heads, "adjusted p"], rows,
                title=LARGEST_FIRST.capitalize(), right=[1, 2, 3, 4, 5])  # fmt: skip
    say()
    for text in sentences(found[0], found[1], frame):
        say(text)
    print_records(found)
    print_shares([source.manifest for source in found])
