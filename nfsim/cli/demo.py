"""`nfsim demo`: the main job, from games to a report."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, path, whole_number

LENGTHS = {"demo_short": 10, "demo_long": 12}


def command(
    games: Annotated[str, typer.Option(metavar="N", help="Games of each length.")] = "20000",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    runs: Annotated[str, typer.Option(metavar="DIR", help="Folder for the two runs.")] = "runs",
    report: Annotated[str, typer.Option(metavar="DIR", help="Folder for the report.")] = "reports/demo",
    json: Json = False,
) -> None:
    """Play solo campaign 1 with 10 and with 12 rounds, print win rates, write a report.

    Runs that are there already are used again; runs of an older version or another number of games are replaced.

    For example:
      nfsim demo
      nfsim demo --games 100000 --runs runs/large --report reports/large
    """
    from nfsim.cli.console import note, print_json, print_table, say
    from nfsim.cli.progress import watch_run
    from nfsim.log.folder import remove_run
    from nfsim.log.read import load
    from nfsim.report.build import build_report
    from nfsim.report.page import try_folder
    from nfsim.run.execute import check_options, holds_another, run
    from nfsim.run.scenario import DEFAULT_SEED, scenario_from

    count, threads = whole_number("--games", games), whole_number("--jobs", jobs)
    check_options(DEFAULT_SEED, threads)
    under, page_folder = path("--runs", runs), path("--report", report)
    try_folder(page_folder)
    folders = []
    for name, rounds in LENGTHS.items():
        setup = {"players": 1, "campaign": 1, "rounds": rounds}
        data = {"game": "new_frontiers", "title": f"Solo campaign 1, {rounds} rounds", "games": count, "setup": setup}
        scenario = scenario_from(data, "--games", name)
        folder = under / name
        if holds_another(folder, scenario):
            remove_run(folder, [table.name for table in scenario.rule_set.tables])
            note(f"{folder}: held a run of an older version or other size; replacing it")
        with watch_run(scenario.title, quiet=json) as watch:
            run(scenario, folder, jobs=threads, watch=watch)
        folders.append(folder)

    from nfsim.cli.summary import print_notes, rate_text, run_numbers, win_rates

    finished = [load(folder, content=False) for folder in folders]
    if json:
        page = build_report(folders, page_folder)
        print_json({"ok": True, "exit_code": 0, "report": str(page), "runs": [run_numbers(each) for each in finished]})
        return
    rates = [{row["name"]: row for row in win_rates(found)} for found in finished]
    names = list(dict.fromkeys(name for rows in rates for name in rows))
    rows = [[name, *(rate_text(rows[name]) if name in rows else "–" for rows in rates)] for name in names]
    heads = ["objective", *(f"{rounds} rounds (95 % interval)" for rounds in LENGTHS.values())]
    manifest = finished[0].manifest
    title = f"Solo campaign 1, {manifest['games']:,} games of each length, {manifest['policies'][0]}"
    print_table(heads, rows, title=title, right=[1, 2])
    print_notes(finished[0])

    page = build_report(folders, page_folder)
    say(f"Runs: {', '.join(map(str, folders))}")
    say(f"Report: {page}")
