"""`nfsim ladder`: which policy is stronger, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, Settings, number, options_of, path, whole_number

if TYPE_CHECKING:
    from pathlib import Path

    from nfsim.run.options import Options
    from nfsim.run.scenario import Scenario
    from nfsim.studies.ladder import until as testing
    from nfsim.studies.ladder.study import Found

USUAL_DEALS, MOST_UNTIL = 2_000, 20_000


def command(
    scenario: Annotated[
        str, typer.Argument(metavar="SCENARIO", help="Scenario file, or the bare name of a built-in one.")
    ],
    policies: Annotated[
        str, typer.Option(metavar="P,Q,...", help="At least two policies, the weakest first if you know.")
    ],
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="Deals: games of every seating and every aim [default: 2000; with --until at most 20000].",
        ),
    ] = None,
    until: Annotated[
        bool, typer.Option("--until", help="Two policies: play until it is decided between --h0 and --h1 (SPRT).")
    ] = False,
    h0: Annotated[
        str | None, typer.Option(metavar="X", help="--until: the second is at most so much stronger [default: 0].")
    ] = None,
    h1: Annotated[
        str | None,
        typer.Option(metavar="X", help="--until: or at least so much [default: 20 points; one seat: 3 % points]."),
    ] = None,
    alpha: Annotated[
        str | None, typer.Option(metavar="A", help="--until: chance to accept H1 where H0 is true [default: 0.05].")
    ] = None,
    beta: Annotated[
        str | None, typer.Option(metavar="B", help="--until: chance to accept H0 where H1 is true [default: 0.05].")
    ] = None,
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

    --until plays only as long as it takes to decide between two hypotheses about two policies: H0, the second is at
    most --h0 points stronger than the first, and H1, it is at least --h1 points stronger (one seat: percentage points
    of games won). Each deal is played in exchanged seats and counts as one value. The chances to be wrong hold
    whenever it stops. It says beforehand how many deals that takes on average, and stops at --games undecided.

    With --out an interrupted ladder goes on with the same command; without it nothing is kept.

    For example:
      nfsim ladder rift_2p --policies uniform,balanced
      nfsim ladder rift_2p --policies balanced,tuned_2p --until --h1 50
      nfsim ladder rift_4p --policies uniform,balanced --games 500 --out reports/rift_4p
      nfsim ladder solo_campaign1_short --policies uniform,balanced --set setup.rounds=12
      nfsim ladder solo_campaign2_short --policies tuned_solo_short,planner --games 1000
      nfsim ladder solo_campaign2_short --policies tuned_solo_short,planner --no-aim
    """
    from nfsim.cli.console import print_json
    from nfsim.errors import BadInput
    from nfsim.run.scenario import read_scenario
    from nfsim.studies.ladder.study import numbers_of, study_ladder

    deals = whole_number("--games", games) or (0 if games is not None else MOST_UNTIL if until else USUAL_DEALS)
    test = {"--h0": h0, "--h1": h1, "--alpha": alpha, "--beta": beta}
    folder = path("--out", out) if out is not None else None
    chosen = read_scenario(path("SCENARIO", scenario), settings or [], {"games": deals})
    options = options_of(seed, jobs, quiet=json)
    if until:
        _until(chosen, policies.split(","), folder, options, test, json=json)
        return
    for option, text in test.items():
        if text is not None:
            raise BadInput(option, "", "says something with --until only", "add --until, or leave it out")
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
    from nfsim.studies.ladder.standings import alike
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
    for one, other in alike(ladder):
        say()
        say(
            f"{one} and {other} made the same choices: all their games on {integer(ladder.deals)} deals ended with the "
            f"same scores, ranks and rounds."
        )
    if found.files:
        say()
        say(f"Files: {', '.join(map(str, found.files))}")


def _until(
    scenario: Scenario, policies: list[str], folder: Path | None, options: Options, test: dict[str, str | None],
    *, json: bool,
) -> None:  # fmt: skip
    from nfsim.cli.console import print_json, say
    from nfsim.studies.ladder.until import Asked, numbers_of, study_until

    numbers = {option.lstrip("-"): number(option, text) for option, text in test.items()}
    asked = Asked(**{key: value for key, value in numbers.items() if value is not None})
    tell = (lambda _: None) if json else (lambda found: _print_test(found, scenario.games))
    found = study_until(scenario, policies, asked, folder, options, tell)
    if json:
        print_json({"ok": True, "exit_code": 0, **numbers_of(found), "files": [str(file) for file in found.files]})
        return
    _print_decision(found)
    if found.files:
        say()
        say(f"Files: {', '.join(map(str, found.files))}")


def _print_test(test: testing.Test, most: int) -> None:
    """Print what is to be decided, and how long that takes on average."""
    from nfsim.cli.console import say
    from nfsim.report.formatting import integer

    asked, each = test.asked, test.seatings
    at_h0, at_h1 = (round(deals) for deals in test.hypotheses.expected())
    say(f"H0: {test.stronger} is at most {asked.h0:g} {test.unit} stronger than {test.weaker}.")
    say(f"H1: it is at least {asked.h1:g} {test.unit} stronger.")
    say(f"Chance to be wrong: at most {asked.alpha:g} (alpha) if H0 is true, {asked.beta:g} (beta) if H1 is true.")
    say(
        f"Expected: about {integer(at_h0)} deals ({integer(at_h0 * each)} games) if H0 is just true, {integer(at_h1)} "
        f"({integer(at_h1 * each)}) if H1 is; fewer beyond, more between. At most {integer(most)} deals."
    )
    say()


def _print_decision(found: testing.Found) -> None:
    from nfsim.cli.console import say
    from nfsim.report.formatting import integer, percent

    test, decision = found.test, found.decision
    played = f"{integer(decision.n)} deals ({integer(decision.n * test.seatings)} games)"
    asked = test.asked
    words = {
        "H0": f"{test.stronger} is less than {asked.h1:g} {test.unit} stronger than {test.weaker}",
        "H1": f"{test.stronger} is more than {asked.h0:g} {test.unit} stronger than {test.weaker}",
    }
    if decision.accepted:
        say(f"{decision.accepted} accepted after {played}: {words[decision.accepted]}.", style="bold")
    else:
        say(f"Undecided after {played}: more deals (--games) may decide it.", style="bold")
    score = percent(found.score.rate)
    say(f"Score of {test.stronger} on these deals: {score} (equal: 50 %). It leans to the side that ended the test.")
    if found.unfinished:
        say(f"Deals left out, with a game not finished by the rules: {integer(found.unfinished)}.")
    if found.same:
        say(f"{test.weaker} and {test.stronger} made the same choices: all their games ended alike.")
