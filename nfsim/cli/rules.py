"""`nfsim rules`: what the rules leave open, and what is in force."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from nfsim.cli.options import Json, Settings, path


def command(
    scenario: Annotated[
        str | None,
        typer.Argument(metavar="[SCENARIO]", help="Scenario whose readings are shown, or one ruling, as in R18."),
    ] = None,
    settings: Settings = None,
    game: Annotated[str, typer.Option(metavar="NAME", help="Rule set, if no scenario is named.")] = "new_frontiers",
    json: Json = False,
) -> None:
    """List every ruling: the question, its sources, the choices, and which reading is in force.

    Without a scenario the defaults of the profile `seed` are shown. A scenario sets readings under [rules].

    For example:
      nfsim rules
      nfsim rules R18
      nfsim rules rift_4p --set rules.profile=table
    """
    from nfsim.cli.console import print_json, say
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.errors import BadInput

    only = ""
    if scenario is not None and re.fullmatch(r"[Rr]\d{1,4}", scenario):
        only, scenario = scenario.upper(), None
    if scenario is not None:
        from nfsim.run.scenario import read_scenario

        read = read_scenario(path("SCENARIO", scenario), settings or [])
        rule_set, in_force = read.rule_set, dict(read.prepared.rulings)
    elif settings:
        raise BadInput("--set", "", "needs a scenario to change", "name one, for example rift_4p")
    else:
        rule_set = load_rule_set(game, "--game", "")
        in_force = {ruling.switch: ruling.seed for ruling in rule_set.rulings}
    listed = [ruling for ruling in rule_set.rulings if only in ("", ruling.cite)]
    if not listed and only:
        raise BadInput("SCENARIO", "", f"there is no ruling {only}", f"nfsim rules lists all {len(rule_set.rulings)}")
    if json:
        rulings = [
            {
                "number": ruling.cite,
                "switch": ruling.switch,
                "question": ruling.question,
                "choices": list(ruling.choices),
                "seed": ruling.seed,
                "table": ruling.table,
                "in_force": in_force[ruling.switch],
                "sources": ruling.sources,
            }
            for ruling in listed
        ]
        print_json({"ok": True, "exit_code": 0, "rulings": rulings})
        return
    for ruling in listed:
        say(f"{ruling.cite}  {ruling.question}", style="bold")
        choices = [f"[{choice}]" if choice == in_force[ruling.switch] else choice for choice in ruling.choices]
        say(f"     {ruling.switch} = {' | '.join(choices)}   (profile seed: {ruling.seed}; table: {ruling.table})")
        say(f"     {ruling.sources}")
    say("In brackets: in force. 000, 001: the seeds; P: public sources; D: decided here.")
    say('To set one: --set rules.NAME=CHOICE, or NAME = "CHOICE" under [rules].')
