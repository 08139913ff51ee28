"""`nfsim compare`: two runs or scenarios, figure by figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, all_settings, options_of, path, whole_number

if TYPE_CHECKING:
    from nfsim.studies.compare.study import Found


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
            "--patch",
            metavar="FILE",
            help="Change what is printed in scenario B as the [[patch]] tables of a file say.",
        ),
    ] = None,
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Folder [default: runs/compare_<A>_<B>].")] = None,
    json: Json = False,
) -> None:
    """Say whether two runs differ: the verdict first, then the differences that are more than chance.

    A scenario is played first, with the same seed as the other side. Runs with the same seed have played the same games
    as far as they can, so they are compared game by game, which makes small differences visible; with different seeds
    they are independent samples. p-values are adjusted for the number of figures (Benjamini-Hochberg). Where tiles were
    changed between the two, it is said in how many games they were used, and which built-in players would use them.

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
    _print(found)
    say(f"Report: {found.page}")


def _print(found: Found) -> None:
    """Print the verdict, what differs by more than chance, what does not, and what sets the two apart."""
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import print_records, print_shares
    from nfsim.studies.compare.numbers import settings_that_differ, shown
    from nfsim.studies.compare.page import no_difference, setting_name, table

    sources = found.sources
    for text in found.answer:
        say(text)
    say()
    differ = table(sources[0], sources[1], shown(found.frame), "")
    if differ.rows:
        print_table(differ.head, differ.rows, title="What differs by more than chance", right=range(1, 7))
        say("Size: the difference divided by how much single games vary.")
        say()
    if text := no_difference(found.frame):
        say(text)
        say()
    heads = [source.label for source in sources]
    apart = [[setting_name(name), *values] for name, *values in settings_that_differ(*sources)]
    print_table(["setting", *heads], apart, title="What sets them apart")
    say()
    print_records(sources)
    print_shares([source.manifest for source in sources])
