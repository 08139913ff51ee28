"""`nfsim ladder`: which policy is stronger, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, Settings, options_of, path, whole_number

if TYPE_CHECKING:
    from nfsim.studies.ladder.study import Found


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    policies: Annotated[
        str, typer.Option(metavar="P,Q,...", help="At least two policies, the weakest first if you know.")
    ],
    games: Annotated[str, typer.Option(metavar="N", help="Deals: games of every seating and every aim.")] = "2000",
    no_aim: Annotated[
        bool, typer.Option("--no-aim", help="One seat: leave out the games in which policies are told what to aim at.")
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
    from nfsim.cli.console import print_json
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.ladder.study import numbers_of, study_ladder

    deals = whole_number("--games", games)
    assert deals is not None
    folder = path("--out", out) if out is not None else None
    chosen = read_scenario(path("SCENARIO", scenario), settings or [], {"games": deals})
    options = options_of(seed, jobs, quiet=json)
    found = study_ladder(chosen, policies.split(","), folder, options, aim=not no_aim)
    if json:
        print_json({"ok": True, "exit_code": 0, **numbers_of(found), "files": [str(file) for file in found.files]})
        return
    _print(found)


def _print(found: Found) -> None:
    from nfsim.cli.console import say
    from nfsim.cli.ladder_tables import print_rungs, print_tournament
    from nfsim.cli.summary import record_lines
    from nfsim.report.formatting import integer
    from nfsim.studies.ladder.study import numbers_of

    scenario, ladder = found.scenario, found.ladder
    facts = scenario.rule_set.facts(scenario.prepared)
    say(found.about, style="bold")
    say(f"Policies: {', '.join(ladder.policies)}")
    for line in record_lines({**numbers_of(found), **facts}):
        say(line)
    say(found.share["text"])
    if ladder.unfinished:
        listed = ", ".join(f"{integer(n)} {status}" for status, n in ladder.unfinished.items())
        say(f"Games not finished by the rules: {listed}; their deals are left out for everyone.")
    say()
    if ladder.seats == 1:
        print_rungs(found.frames, scenario.rule_set.words)
    else:
        print_tournament(found.frames, ladder.seats, scenario.rule_set.words)
    if found.files:
        say()
        say(f"Files: {', '.join(map(str, found.files))}")
