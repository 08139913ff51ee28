"""`nfsim compare`: two runs or scenarios, figure by figure."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, path, whole_number
from nfsim.errors import BadInput

if TYPE_CHECKING:
    import polars as pl

    from nfsim.report.source import Source
    from nfsim.run.scenario import Scenario


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
    """
    from nfsim.cli.console import print_json, say
    from nfsim.report.page import try_folder
    from nfsim.studies.compare.numbers import compare

    sides = [(option, path(option, text)) for option, text in (("A", first), ("B", second))]
    folder = path("--out", out) if out is not None else Path("runs", f"compare_{sides[0][1].stem}_{sides[1][1].stem}")
    limit, root, threads = (whole_number(n, v) for n, v in (("--games", games), ("--seed", seed), ("--jobs", jobs)))
    found = _sources(sides, folder, limit, root, policy, settings or [], threads, json)
    if found[0].game != found[1].game:
        raise BadInput("B", "", f"plays {found[1].game}, A plays {found[0].game}", "compare runs of one game")
    try_folder(folder)
    frame = compare(*found)
    page = _page(found, frame, folder)
    if json:
        print_json(_numbers(found, frame) | {"report": str(page), "ok": True, "exit_code": 0})
        return
    _print(found, frame)
    say(f"Report: {page}")


def _sources(
    sides: list[tuple[str, Path]], out: Path, games: int | None, seed: int | None, policy: str | None,
    settings: list[str], jobs: int | None, quiet: bool,
) -> list[Source]:  # fmt: skip
    """Open the runs, play the scenarios, and label both."""
    from nfsim.cli.study import play_study
    from nfsim.report.naming import labelled
    from nfsim.report.source import read
    from nfsim.run.scenario import DEFAULT_SEED
    from nfsim.studies.study import Arm

    opened = {option: read(file) for option, file in sides if file.is_dir()}
    if len(opened) == 2 and any(value is not None for value in (games, seed, policy)):
        raise BadInput("--games, --seed, --policy", "", "are for scenarios, and A and B are runs", "leave them out")
    if settings and "B" in opened:
        raise BadInput("--set", "", "is for a scenario, and B is a run", "name a scenario as B, or leave it out")
    if sides[0][1].is_dir() and sides[0][1].resolve() == sides[1][1].resolve():
        raise BadInput("B", "", "is the same run as A", "name two runs, or a scenario to play")
    known = next(iter(opened.values()), None)
    if known is not None:
        seed = int(known.say("seed")) if seed is None else seed
        games = known.games if games is None else games
    arms = {
        option: Arm(
            _scenario(file, settings if option == "B" else [], games, policy), {"side": f"{option}-{file.stem}"}
        )
        for option, file in sides
        if option not in opened
    }
    if arms:
        root = DEFAULT_SEED if seed is None else seed
        opened |= dict(zip(arms, play_study(list(arms.values()), out, seed=root, jobs=jobs, quiet=quiet), strict=True))
    return labelled([opened[option] for option, _ in sides])


def _scenario(file: Path, settings: list[str], games: int | None, policy: str | None) -> Scenario:
    from nfsim.run.scenario import read_scenario

    overrides = {"games": games, "policy": policy}
    return read_scenario(file, settings, {key: value for key, value in overrides.items() if value is not None})


def _page(found: list[Source], frame: pl.DataFrame, out: Path) -> Path:
    from nfsim.report.build import group_title, parts_of
    from nfsim.report.page import Section, write_page
    from nfsim.studies.compare.page import comparison

    parts = comparison(found[0], found[1], frame)
    sections = [Section("Comparison", parts, "compare_")]
    title = f"{found[0].label} or {found[1].label}"
    if found[0].group == found[1].group:
        title = f"{group_title(found)}: {title}"
        sections.append(Section(group_title(found), parts_of(found), "both_"))
    return write_page(out, title, found, sections)


def _numbers(found: list[Source], frame: pl.DataFrame) -> dict[str, object]:
    from nfsim.cli.summary import plain
    from nfsim.studies.compare.numbers import paired, settings_that_differ

    return {
        "runs": [{"label": source.label, "folder": str(source.folder), "games": source.games} for source in found],
        "paired": paired(*found),
        "settings": [
            dict(zip(("setting", "first", "second"), row, strict=True)) for row in settings_that_differ(*found)
        ],
        "differences": [plain(row) for row in frame.to_dicts()],
    }


def _print(found: list[Source], frame: pl.DataFrame) -> None:
    from nfsim.cli.console import print_table, say
    from nfsim.cli.summary import print_shares, print_tiles
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
    print_tiles(found)
    print_shares([source.manifest for source in found])
