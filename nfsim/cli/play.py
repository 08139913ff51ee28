"""`nfsim play`: a person takes seat 0 in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, Settings, path, whole_number

if TYPE_CHECKING:
    from pathlib import Path

    from nfsim.run.scenario import Scenario
    from nfsim.run.session import Session


def command(
    scenario: Annotated[
        str,
        typer.Argument(metavar="[SCENARIO]", help="Scenario file, or the bare name of a built-in one."),
    ] = "",
    seed: Annotated[str | None, typer.Option(metavar="S", help="Root seed [default: 1].")] = None,
    game: Annotated[str | None, typer.Option(metavar="N", help="Number of the game, from 0 [default: 0].")] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="P[,P...]",
            help="One policy for every seat, or one per seat; seat 0 is yours, so its policy never plays.",
        ),
    ] = None,
    settings: Settings = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with a saved game.")] = None,
    json: Json = False,
) -> None:
    """Play one game yourself: you are seat 0, policies play the others; solo with the two dummies.

    It is the game of that number in a run with that seed. Choose by number; ? says what else there is.
    The game is kept in a file under plays/ after every decision, and --resume goes on there. Commands may come
    from a pipe too; when they end, so does the command, with the game saved.

    For example:
      nfsim play solo_campaign1_short
      nfsim play rift_3p --seed 7 --game 2 --policy balanced,balanced,uniform
      nfsim play solo_campaign1_short --set setup.rounds=12
      nfsim play --resume plays/solo_campaign1_short_seed1_game0.json
    """  # fmt: skip
    from nfsim.cli.console import note, print_json
    from nfsim.cli.table import Table

    overrides = {"policy": policy} if policy is not None else {}
    numbers = {"--seed": whole_number("--seed", seed), "--game": whole_number("--game", game)}
    if resume is None:
        file, session = None, _begin(scenario, settings or [], overrides, numbers)
    else:
        file = path("--resume", resume)
        session = _resume(file, scenario, settings or [], overrides, numbers)
    table = Table(session, file, quiet=json)
    interrupted = table.play()
    code = 130 if interrupted else 0
    if json:
        print_json(table.summary() | {"ok": not interrupted, "exit_code": code})
    elif interrupted:
        note(f"nfsim: interrupted: {table.where}")
    raise SystemExit(code)  # all is said


def _begin(scenario: str, settings: list[str], overrides: dict[str, str], numbers: dict[str, int | None]) -> Session:
    from nfsim.cli.progress import say_compiling
    from nfsim.errors import BadInput
    from nfsim.run.scenario import DEFAULT_SEED, LARGEST_SEED
    from nfsim.run.session import Session, get_ready

    for option, number in numbers.items():
        if number is not None and not 0 <= number <= LARGEST_SEED:
            raise BadInput(option, "", f"must be from 0 to {LARGEST_SEED}, not {number}")
    chosen = _read(scenario, settings, overrides)
    seed, number = numbers["--seed"], numbers["--game"] or 0
    root = DEFAULT_SEED if seed is None else seed
    get_ready(chosen, root, say_compiling)
    return Session(chosen, root, number)


def _resume(
    file: Path, scenario: str, settings: list[str], overrides: dict[str, str], numbers: dict[str, int | None]
) -> Session:
    """Go on with a saved game; what is given besides must be the same as in the file."""
    from nfsim.cli.console import note
    from nfsim.cli.progress import say_compiling
    from nfsim.errors import BadInput
    from nfsim.run.saved_games import differences, resume

    named = overrides.get("policy", "").split(",")
    session, warnings = resume(file, say_compiling, named)
    remedy = "leave it out to go on with the saved game"
    for option, saved in (("--seed", session.seed), ("--game", session.number)):
        given = numbers[option]
        if given is not None and given != saved:
            raise BadInput(option, "", f"is {given}, but {file} was saved with {saved}", remedy)
    same = named == list(session.scenario.resolved["policy"])  # only says that they may be run
    if not scenario and (settings or (overrides and not same)):
        option = f"--set {settings[0]}" if settings else "--policy"
        raise BadInput(option, "", "changes nothing in a saved game", remedy)
    if scenario:
        other = differences(session, _read(scenario, settings, overrides).resolved)
        if other:
            raise BadInput(scenario, "", f"is not the game that {file} holds: {', '.join(other)} differ", remedy)
    for warning in warnings:
        note(f"nfsim: {warning}")
    return session


def _read(scenario: str, settings: list[str], overrides: dict[str, str]) -> Scenario:
    from nfsim.errors import BadInput
    from nfsim.run.scenario import read_scenario

    if not scenario:
        raise BadInput("SCENARIO", "", "is missing", "name one, for example nfsim play solo_campaign1_short")
    return read_scenario(path("SCENARIO", scenario), settings, overrides)
