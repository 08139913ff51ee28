"""`nfsim play`: a person takes seat 0 in the terminal."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer

from nfsim.cli.options import Json, Settings, path, whole_number

if TYPE_CHECKING:
    from pathlib import Path

    from nfsim.contract.rule_set import RuleSet
    from nfsim.run.campaign import Campaign
    from nfsim.run.scenario import Scenario
    from nfsim.run.session import Session

SEEDS = 1_000_000  # new deals: numbers that are easily typed again
ELSEWHERE = {"policy": "--policy says that", "games": "a campaign has a game for each of its objectives",
             "aim": "you say yourself what you claim"}  # fmt: skip


def command(
    scenario: Annotated[
        str,
        typer.Argument(metavar="[SCENARIO]", help="Scenario file, or the bare name of a built-in one."),
    ] = "",
    campaign: Annotated[
        str | None, typer.Option(metavar="N", help="A whole campaign instead of a scenario, for example 1.")
    ] = None,
    rounds: Annotated[
        str | None, typer.Option(metavar="R", help="With --campaign: rounds of its games [default: the fewest].")
    ] = None,
    so_close: Annotated[
        bool, typer.Option("--so-close", help="With --campaign: with what mends a near miss, once.")
    ] = False,
    seed: Annotated[str | None, typer.Option(metavar="S", help="Root seed [default: another one each time].")] = None,
    game: Annotated[
        str | None, typer.Option(metavar="N", help="Number of the game, or of the campaign, from 0 [default: 0].")
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="P[,P...]",
            help="One policy for every seat, or one per seat; seat 0 is yours, so its policy never plays.",
        ),
    ] = None,
    settings: Settings = None,
    resume: Annotated[str | None, typer.Option(metavar="FILE", help="Go on with a saved game or campaign.")] = None,
    json: Json = False,
) -> None:
    """Play yourself, a game or a campaign: you are seat 0, policies play the others; solo with the two dummies.

    It is a new deal each time. It says its seed: with --seed the same game is dealt again, the one of that number in
    a run with that seed. Choose by number; ? says what else there is.

    A campaign is a game for each of its objectives. After each game you claim one that it meets and that is still
    open; a game that allows no claim loses the campaign. --so-close adds the chip that mends one near miss.

    What you play is kept in a file under plays/ after every decision, and --resume goes on there. Commands may come
    from a pipe too; when they end, so does the command, with the game saved.

    For example:
      nfsim play solo_campaign1_short
      nfsim play rift_3p --seed 7 --game 2 --policy balanced,balanced,uniform
      nfsim play solo_campaign1_short --set setup.rounds=12
      nfsim play --campaign 1 --so-close
      nfsim play --resume plays/solo_campaign1_short_seed1_game0.json
    """  # fmt: skip
    from nfsim.cli.console import note, print_json
    from nfsim.cli.table import Table
    from nfsim.errors import BadInput
    from nfsim.run import saved_games

    overrides = {"policy": policy} if policy is not None else {}
    numbers = {"--seed": whole_number("--seed", seed), "--game": whole_number("--game", game)}
    if campaign is None and (rounds is not None or so_close):
        option = "--so-close" if so_close else "--rounds"
        raise BadInput(option, "", "is for campaigns", "name one, for example --campaign 1")
    with contextlib.ExitStack() as holding:
        dealt = ""
        if resume is None:
            if campaign is None:
                chosen = _read(scenario, settings or [], overrides)
            elif scenario:
                raise BadInput("SCENARIO", "", f'"{scenario}" and --campaign name two games', "leave one of them out")
            else:
                chosen = _campaign(campaign, rounds, settings or [], overrides)
            playing, dealt = _begin(chosen, numbers, chip=so_close if campaign is not None else None)
            place = saved_games.free_place(chosen, _session(playing).seed, _session(playing).number)
            file = holding.enter_context(place)
        else:
            file = path("--resume", resume)
            if campaign is not None:
                raise BadInput("--campaign", "", "changes nothing in a saved game", "leave it out")
            holding.enter_context(saved_games.held(file))
            playing = _resume(file, scenario, settings or [], overrides, numbers)
        table = Table(playing, file, quiet=json, dealt=dealt)
        interrupted = table.play()
        code = 130 if interrupted else 0
        if json:
            print_json(table.summary() | {"ok": not interrupted, "exit_code": code})
        elif interrupted:
            note(f"nfsim: interrupted: {table.where}")
    raise SystemExit(code)  # all is said


def _session(playing: Session | Campaign) -> Session:
    from nfsim.run.campaign import Campaign

    return playing.session if isinstance(playing, Campaign) else playing


def _campaign(campaign: str, rounds: str | None, settings: list[str], overrides: dict[str, str]) -> Scenario:
    """Return the scenario of a campaign's games."""
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.errors import BadInput
    from nfsim.studies.forms import form_scenario, read_campaigns, read_lengths

    rule_set = load_rule_set("new_frontiers", "--campaign", "")
    named = read_campaigns(rule_set, campaign, "--campaign")
    lengths = read_lengths(rule_set, rounds) if rounds is not None else rule_set.lengths[:1]
    for option, found in (("--campaign", named), ("--rounds", lengths)):
        if len(found) > 1:
            raise BadInput(option, "", "is one at a time", f"for example {option} {_first(option, rule_set)}")
    return form_scenario(rule_set, named[0], lengths[0], settings, overrides, ELSEWHERE)


def _first(option: str, rule_set: RuleSet) -> object:
    return rule_set.campaigns[0].name if option == "--campaign" else rule_set.lengths[0].rounds


def _begin(chosen: Scenario, numbers: dict[str, int | None], *, chip: bool | None) -> tuple[Session | Campaign, str]:
    """Deal, and return what there is to say of the deal; `chip` is None for a single game."""
    import secrets

    from nfsim.cli.progress import say_compiling
    from nfsim.errors import BadInput
    from nfsim.run.campaign import Campaign
    from nfsim.run.scenario import LARGEST_SEED
    from nfsim.run.session import Session, get_ready

    for option, number in numbers.items():
        if number is not None and not 0 <= number <= LARGEST_SEED:
            raise BadInput(option, "", f"must be from 0 to {LARGEST_SEED}, not {number}")
    seed, number = numbers["--seed"], numbers["--game"] or 0
    root = secrets.randbelow(SEEDS) if seed is None else seed
    dealt = f"A new deal; the same command with --seed {root} deals it again." if seed is None else ""
    get_ready(chosen, root, say_compiling)
    if chip is None:
        return Session(chosen, root, number), dealt
    return Campaign.begin(chosen, root, number, chip=chip), dealt


def _resume(
    file: Path, scenario: str, settings: list[str], overrides: dict[str, str], numbers: dict[str, int | None]
) -> Session | Campaign:
    """Go on with a saved game or campaign; what is given besides must be the same as in the file."""
    from nfsim.cli.console import note
    from nfsim.cli.progress import say_compiling
    from nfsim.errors import BadInput
    from nfsim.run.saved_games import differences, resume

    named = overrides.get("policy", "").split(",")
    playing, warnings = resume(file, say_compiling, named)
    session = _session(playing)
    remedy = "leave it out to go on with the saved game"
    for option, saved in (("--seed", session.seed), ("--game", getattr(playing, "number", 0))):
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
    return playing


def _read(scenario: str, settings: list[str], overrides: dict[str, str]) -> Scenario:
    from nfsim.errors import BadInput
    from nfsim.run.scenario import read_scenario

    if not scenario:
        raise BadInput("SCENARIO", "", "is missing", "name one, as in nfsim play solo_campaign1_short, or --campaign 1")
    return read_scenario(path("SCENARIO", scenario), settings, overrides)
