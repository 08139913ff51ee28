"""`nfsim demo`: the main job, from games to a report."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json, options_of, path, whole_number


def command(
    games: Annotated[str, typer.Option(metavar="N", help="Games of each length.")] = "20000",
    jobs: Annotated[str | None, typer.Option(metavar="J", help="Threads [default: all cores].")] = None,
    runs: Annotated[str, typer.Option(metavar="DIR", help="Folder for the two runs.")] = "runs",
    report: Annotated[str, typer.Option(metavar="DIR", help="Folder for the report.")] = "reports/demo",
    json: Json = False,
) -> None:
    """Say how hard the conditions of solo campaign 1 are, and write a report with all charts.

    A player that does not aim plays 20,000 games with 10 and with 12 rounds, one that aims plays up to 2,000 for each
    condition. The numbers of the strongest player take too long for a demo: they are stored, with the date and the
    command that measures them again.

    Runs that are there already are used again; runs of an older version or another number of games are replaced.

    For example:
      nfsim demo
      nfsim demo --games 100000 --runs runs/large --report reports/large
    """
    from nfsim.cli.console import print_json, print_table, say
    from nfsim.cli.summary import print_notes, printed_rates, rate_text
    from nfsim.run.scenario import DEFAULT_SEED
    from nfsim.studies.demo import play_demo
    from nfsim.studies.results import run_numbers

    count = whole_number("--games", games)
    assert count is not None
    options = options_of(str(DEFAULT_SEED), jobs, quiet=json)
    found = play_demo(count, path("--runs", runs), path("--report", report), options)
    if json:
        numbers = [run_numbers(run) for run in found.runs]
        print_json(
            {"ok": True, "exit_code": 0, "answer": list(found.answer.text), "report": str(found.page), "runs": numbers}
        )
        return
    for sentence in found.answer.text:
        say(sentence)
    say()
    rates = [{row["name"]: row for row in printed_rates(run)} for run in found.runs]
    names = list(dict.fromkeys(name for rows in rates for name in rows))
    rows = [[name, *(rate_text(rows[name]) if name in rows else "–" for rows in rates)] for name in names]
    heads = [found.objective, *(f"{length.title} (95 % interval)" for length in found.lengths)]
    manifest = found.runs[0].manifest
    who = f"{manifest['policies'][0]}, which does not aim"
    title = f"{found.title}, {manifest['games']:,} games of each length played by {who}"
    print_table(heads, rows, title=title, right=[1, 2])
    print_notes(found.runs[0])
    say(f"Runs: {', '.join(str(run.folder) for run in found.runs)}")
    say(f"Report: {found.page}")
