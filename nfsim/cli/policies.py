"""`nfsim policies`: who can decide for a seat."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json


def command(
    game: Annotated[str, typer.Option(metavar="NAME", help="Rule set.")] = "new_frontiers", json: Json = False
) -> None:
    """List the policies: names for --policy and for `policy` in a scenario.

    For example:
      nfsim run rift_2p --policy balanced,uniform
    """
    from nfsim.cli.console import print_json, print_table
    from nfsim.ruleset import load_rule_set

    found = load_rule_set(game, "--game", "").policies()
    if json:
        listed = [{"name": p.name, "summary": p.summary, "parameters": p.digest} for p in found]
        print_json({"ok": True, "exit_code": 0, "policies": listed})
        return
    print_table(["policy", "what it does"], [[policy.name, policy.summary] for policy in found])
