"""`nfsim ladder`: which policy is stronger, and by how much."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, path, whole_number


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    policies: Annotated[
        str, typer.Option(metavar="P,Q,...", help="At least two policies, the weakest first if you know.")
    ],
    games: Annotated[str, typer.Option(metavar="N", help="Deals: games of every seating and every aim.")] = "2000",
    no_aim: Annotated[
        bool, typer.Option("--no-aim", help="Solo: leave out the games in which policies are told what to aim at.")
    ] = False,
    seed: Annotated[str, typer.Option(metavar="S", help="Root seed; same seed: same deals.")] = "1",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    settings: Settings = None,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Write tables (CSV), JSON and a chart there.")] = None,
    json: Json = False,
) -> None:
    """Let policies play each other on the same deals, or solo one after the other.

    With several players each pair plays every seating: one of the first against others of the second in every
    seat, and the other way round; intervals count deals, not games. A rating puts all of them on one scale, on which
    the first has 0. Solo, each policy plays the same deals: how often it meets each condition, and what the step
    from the policy before it changes.

    A policy that plans (planner, search_planner) may aim at any of the solo conditions. So it plays the deals once as
    it likes, and once more for each condition, told that this one alone is open: the rates when aimed at. With 4
    conditions it plays 5 sets of games, so --games 2000 are 10,000; --no-aim leaves the other four out. Steps compare
    the rates when aimed at; a policy that cannot aim plays as always.

    With --out an interrupted ladder goes on with the same command; without it nothing is kept.

    For example:
      nfsim ladder rift_2p --policies uniform,balanced
      nfsim ladder rift_4p --policies uniform,balanced --games 500 --out reports/rift_4p
      nfsim ladder solo_campaign1_short --policies uniform,balanced --set setup.rounds=12
      nfsim ladder solo_campaign2_short --policies tuned_solo_short,planner --games 1000
      nfsim ladder solo_campaign2_short --policies tuned_solo_short,planner --no-aim
    """
    from nfsim.cli.console import print_json, say
    from nfsim.cli.progress import say_notes, watch_run
    from nfsim.cli.rungs import print_rungs, rungs, score_only
    from nfsim.cli.standings import print_tournament, standings
    from nfsim.cli.summary import plain, tile_lines
    from nfsim.report.formatting import integer
    from nfsim.report.page import try_folder
    from nfsim.run.execute import check_options
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.ladder import FOLDER as LOTS
    from nfsim.studies.ladder import KeptLots, check_ladder, play_ladder

    root, threads, deals = whole_number("--seed", seed), whole_number("--jobs", jobs), whole_number("--games", games)
    assert root is not None
    assert deals is not None
    check_options(root, threads)
    folder = path("--out", out) if out is not None else None
    chosen = read_scenario(path("SCENARIO", scenario), settings or [], {"games": deals})
    players = check_ladder(chosen, policies.split(","))
    if folder is not None:
        try_folder(folder)
    say_notes(chosen, players)
    kept = KeptLots(None if folder is None else folder / LOTS)
    with watch_run(chosen.shown_title, quiet=json) as watch:
        ladder = play_ladder(
            chosen, players, deals=deals, seed=root, aim=not no_aim, jobs=threads, watch=watch, kept=kept
        )

    rule_set, prepared, names = chosen.rule_set, chosen.prepared, ladder.policies
    solo = ladder.seats == 1
    share = rule_set.provenance(prepared)
    if solo:
        frames = rungs(ladder, rule_set.labels(prepared, "objective"), score_only(rule_set.objectives(prepared)))
    else:
        frames = standings(ladder, root)
    about = f"{chosen.shown_title}: {integer(ladder.deals)} deals, seed {root}"
    found = {
        "ok": True,
        "exit_code": 0,
        "title": chosen.title,
        "changes": list(chosen.changes),
        "scenario": chosen.resolved | {"games": deals, "policy": list(names)},
        "seed": root,
        "players": ladder.seats,
        "policies": list(names),
        "deals": ladder.deals,
        "unfinished": ladder.unfinished,
        "aimed": bool(ladder.aimed),
        "tiles": {"set": chosen.resolved.get("tiles"), "hash": prepared.tile_hash, "share": share},
        **{name: [plain(row) for row in frame.to_dicts()] for name, frame in frames.items()},
    }
    files = []
    if folder is not None:
        from nfsim.report.head import percentage, stamp
        from nfsim.report.ladder import rungs_picture, win_matrix_picture, write_files

        picture = rungs_picture(frames["rungs"], about) if solo else win_matrix_picture(frames["pairs"], names, about)
        below = stamp([f"policies {', '.join(names)}"], f"{percentage(share)} %" if share["total"] else "")
        files = write_files(folder, frames, found, picture, below)
        kept.remove()
    if json:
        print_json(found | {"files": [str(file) for file in files]})
        return
    say(about, style="bold")
    say(f"Policies: {', '.join(names)}")
    for line in tile_lines({**found, **rule_set.facts(prepared)}):
        say(line)
    say(share["text"])
    if ladder.unfinished:
        listed = ", ".join(f"{integer(n)} {status}" for status, n in ladder.unfinished.items())
        say(f"Games not finished by the rules: {listed}; their deals are left out for everyone.")
    say()
    if solo:
        print_rungs(frames)
    else:
        print_tournament(frames, ladder.seats)
    if files:
        say()
        say(f"Files: {', '.join(str(file) for file in files)}")
