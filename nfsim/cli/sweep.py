"""`nfsim sweep`: what changes when a scenario is varied."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Backend, Json, Scheduler, Settings, path, whole_number

if TYPE_CHECKING:
    from pathlib import Path

    import polars as pl

    from nfsim.games.new_frontiers.analysis.sweep.numbers import Axis, Swept
    from nfsim.report.source import Source
    from nfsim.studies.sweep import Factor, Sweep

PRINTED = 30  # arms in the table that is printed
MANY = 12  # arms that the head of a page names one by one


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    vary: Annotated[
        list[str] | None, typer.Option("--vary", metavar="FACTOR=LEVELS", help="What to vary; up to three times.")
    ] = None,
    games: Annotated[str, typer.Option(metavar="N", help="Games of every arm.")] = "2000",
    rate: Annotated[
        str | None, typer.Option(metavar="NAME", help="The rate to look at [default: any condition; wins of seat 0].")
    ] = None,
    policy: Annotated[str | None, typer.Option(metavar="P[,P...]", help="Who plays, where no factor says so.")] = None,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed of all arms, and of bags drawn.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads or processes [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Folder [default: runs/sweep_<scenario>_<factors>, and --policy and --set]."),
    ] = None,
    backend: Backend = "local",
    scheduler: Scheduler = None,
    json: Json = False,
) -> None:
    """Play a scenario in all combinations of the levels of up to three factors, on the same deals.

    Writes a page with each outcome against the levels, the differences game by game, and one run folder an arm.

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

    from nfsim.cli.study import default_folder, play_study, study_folder
    from nfsim.games.new_frontiers.analysis.sweep.numbers import chosen_rate, gather, named_figure
    from nfsim.report.page import try_folder
    from nfsim.run.cluster import named_cluster
    from nfsim.run.execute import check_options
    from nfsim.studies.sweep import make_sweep

    root, threads, number = whole_number("--seed", seed), whole_number("--jobs", jobs), whole_number("--games", games)
    assert root is not None
    check_options(root, threads)
    cluster = named_cluster(backend, scheduler, threads)
    file = path("SCENARIO", scenario)
    names = [text.partition("=")[0] for text in vary or []]
    asked = [*names, *([policy] if policy is not None else []), *(settings or [])]
    folder = study_folder(out, default_folder("sweep", file.stem, *asked))
    overrides = {key: value for key, value in (("games", number), ("policy", policy)) if value is not None}
    sweep = make_sweep(file, vary or [], folder, seed=root, settings=settings or [], overrides=overrides)
    if rate is not None:  # before anything is played
        named_figure(rate, common_figures(sweep))
    try_folder(folder)
    with cluster or contextlib.nullcontext():
        sources = play_study(sweep.arms, folder, seed=root, jobs=threads, level="games", quiet=json, cluster=cluster)
    swept = gather(axes_of(sweep), sources)
    tell(sweep, swept, sources, chosen_rate(swept, rate), folder, as_json=json)


def common_figures(sweep: Sweep) -> list[str]:
    """Return the figures that all arms will have."""
    from nfsim.games.new_frontiers.analysis.sweep.numbers import figures

    found = []
    for scenario in (arm.scenario for arm in sweep.arms):
        names = [objective.name for objective in scenario.rule_set.objectives(scenario.prepared)]
        found.append(figures(names, scenario.rule_set.players(scenario.prepared)))
    return [figure for figure in found[0] if all(figure in other for other in found)]


def axes_of(sweep: Sweep) -> list[Axis]:
    """Return the factors of a sweep as its analysis wants them."""
    from nfsim.games.new_frontiers.analysis.sweep.numbers import Axis

    return [
        Axis(
            factor.name,
            tuple(level.label for level in factor.levels),
            _scale(sweep, factor),
            usual,
            factor.sampled,
        )
        for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
    ]


def _scale(sweep: Sweep, factor: Factor) -> tuple[float, ...] | None:
    """Return the places of a factor's levels on a scale: where a lever missed its value, what it reached."""
    if not factor.numeric:
        return None
    reached = [sweep.turned.get((factor.name, level.label)) for level in factor.levels]
    return tuple(
        turned.reached if turned is not None else float(level.value or 0)
        for level, turned in zip(factor.levels, reached, strict=True)
    )


def tell(sweep: Sweep, swept: Swept, sources: list[Source], chosen: str, folder: Path, *, as_json: bool) -> None:
    """Write the page, and print the table and the sentences."""
    from nfsim.cli.console import print_json, print_table, say
    from nfsim.cli.summary import plain, tile_lines
    from nfsim.games.new_frontiers.analysis.sweep import numbers as analysis
    from nfsim.games.new_frontiers.analysis.sweep import page as sweep_page
    from nfsim.games.new_frontiers.analysis.sweep import variance as sweep_variance
    from nfsim.report.formatting import integer
    from nfsim.report.page import Part, Section, write_page

    title = f"{sweep.base.shown_title}: sweep of {' × '.join(axis.title for axis in swept.axes)}"
    found, changed = sweep_variance.study(swept, chosen), analysis.differences(swept)
    parts = [*sweep_page.level_parts(swept, changed, chosen), *sweep_variance.parts(swept, found)]
    table = sweep_page.arms_table(swept, chosen)
    arms_part = Part(sweep_page.BY_ARM, about_arms(sweep), [table])
    section = Section(f"{integer(len(sweep.arms))} arms on the same deals", [arms_part, *parts])
    page = write_page(folder, title, _named(sweep, sources), [section])
    sentences = [text for part in parts for text in part.text]
    frames: dict[str, pl.DataFrame] = {
        "arms": table.frame,
        "differences": changed,
        **sweep_variance.frames(found),
    }
    if as_json:
        print_json(_numbers(sweep, title, frames, chosen, sentences, folder, page, plain))
        return
    each = f"{title}, {integer(sources[0].games)} games each"
    print_table(table.head, table.rows[:PRINTED], title=each, right=range(len(swept.axes), len(table.head)))
    if len(sweep.arms) > PRINTED:
        say(f"… and {integer(len(sweep.arms) - PRINTED)} more arms; the page and its CSV files have all.")
    say()
    for text in [*sentences, *about_arms(sweep)[1:]]:
        say(text)
    say()
    as_usual = sources[usual_arm(sweep)]
    if swept.bags is not None:
        say(drawn_bags(sweep, folder))
    else:
        every = [tile_lines(dict(source.manifest)) for source in sources]
        first, *patches = tile_lines(dict(as_usual.manifest))
        for line in [first, *(patch for patch in patches if all(patch in lines for lines in every))]:
            say(line)
    say(str(as_usual.say("tiles", "share", "text")))
    say(f"Report: {page}; runs and their tables: {folder / 'runs'}")


def about_arms(sweep: Sweep) -> list[str]:
    """Say what the arms are and what levers did."""
    from nfsim.report.formatting import integer

    counts = " × ".join(f"{len(factor.levels)} of {factor.name}" for factor in sweep.factors)
    text = f"{integer(len(sweep.arms))} arms ({counts}), {integer(sweep.base.games)} games each, all on the same deals."
    levels = [(factor.name, level.label) for factor in sweep.factors for level in factor.levels]
    others = [
        factor.levels[usual].label
        for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
        if factor.name == "tiles"
    ]
    where = f" ({others[0]})" if others else ""
    drawn = ["Which worlds a lever on the bag takes out or doubles is drawn: another --seed chooses others."]
    return [
        text,
        *(f"{at[1]}{where}: {sweep.turned[at].text}." for at in levels if at in sweep.turned),
        *(drawn if any(name.startswith("bag.") for name, _ in sweep.turned) else []),
    ]


def drawn_bags(sweep: Sweep, folder: Path) -> str:
    """Say which bags were drawn."""
    from nfsim.studies.sweep import BAGS

    number = next(len(factor.levels) for factor in sweep.factors if factor.sampled)
    drawn_from, seed = sweep.base.resolved.get("tiles"), sweep.seed
    return f"Tiles: {number} bags drawn from {drawn_from} with seed {seed}, in {folder / BAGS}"


def usual_arm(sweep: Sweep) -> int:
    """Return the place of the arm in which all levels are as usual."""
    place = 0
    for factor, usual in zip(sweep.factors, sweep.usual, strict=True):
        place = place * len(factor.levels) + usual
    return place


def _named(sweep: Sweep, sources: list[Source]) -> list[Source]:
    """Return the runs that the head of the page names: all, or of many one for each level, the rest as usual."""
    if len(sources) <= MANY:
        return sources
    usual = [factor.levels[place] for factor, place in zip(sweep.factors, sweep.usual, strict=True)]
    bags = [factor.sampled for factor in sweep.factors]
    named = []
    for levels, source in zip(sweep.levels, sources, strict=True):
        off = [level is not common for level, common in zip(levels, usual, strict=True)]
        if sum(off) <= 1 and not any(o and b for o, b in zip(off, bags, strict=True)):
            named.append(source)
    return named


def _numbers(
    sweep: Sweep, title: str, frames: dict[str, pl.DataFrame], chosen: str, sentences: list[str], folder: Path,
    page: Path, plain: Any,
) -> dict[str, Any]:  # fmt: skip
    """Return everything as one object for JSON."""
    return {
        "ok": True,
        "exit_code": 0,
        "title": title,
        "scenario": sweep.base.resolved,
        "factors": [
            {"name": factor.name, "levels": [level.label for level in factor.levels], "sampled": factor.sampled,
             "values": [level.value for level in factor.levels], "usual": factor.levels[usual].label}
            for factor, usual in zip(sweep.factors, sweep.usual, strict=True)
        ],
        "levers": [{"factor": name, "level": level, "reached": turned.reached, "text": turned.text}
            for (name, level), turned in sweep.turned.items()],
        "rate": chosen,
        "text": sentences,
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in frames.items()},
        "folder": str(folder),
        "page": str(page),
    }  # fmt: skip
