"""`nfsim policies`: who can decide for a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nfsim.cli.options import Json

if TYPE_CHECKING:
    from nfsim.contract.rule_set import Policy


def command(
    name: Annotated[
        str, typer.Argument(metavar="[POLICY]", help="A policy's name, file.toml, or module:function.")
    ] = "",
    toml: Annotated[bool, typer.Option("--toml", help="Print the policy's file: to start one's own from.")] = False,
    game: Annotated[str, typer.Option(metavar="NAME", help="Rule set.")] = "new_frontiers",
    json: Json = False,
) -> None:
    """List the policies, or show what one of them plays by.

    Wherever a policy is named, on the command line or in a scenario, it can be one of these, a file.toml with weights
    of your own, or module:function, a function in Python that is looked up from the current folder.

    For example:
      nfsim policies
      nfsim policies balanced
      nfsim policies balanced --toml > mine.toml
      nfsim run rift_2p --policy mine.toml,balanced
    """
    from nfsim.cli.console import print_json, print_table
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.errors import BadInput
    from nfsim.run.seating import check_policies

    rule_set = load_rule_set(game, "--game", "")
    found = check_policies(rule_set, [name], 1, "") if name else rule_set.policies()
    if toml:
        if not name:
            raise BadInput("--toml", "", "needs a policy", "for example nfsim policies balanced --toml")
        if not found[0].compiled:
            raise BadInput("--toml", "", f"{name} is a function in Python", "its file is what you edit")
        if not json:
            typer.echo(found[0].text, nl=False)
            return
    if json:
        print_json({"ok": True, "exit_code": 0, "policies": [_numbers(policy, toml) for policy in found]})
    elif name:
        _show(found[0])
    else:
        rows = [[policy.name, policy.details()["kind"], policy.summary] for policy in found]
        print_table(["policy", "kind", "what it does"], rows)


def _numbers(policy: Policy, toml: bool) -> dict[str, Any]:
    """Return all that is known about a policy; ``parameters`` is the hash that a run's manifest has under that name."""
    found = {"name": policy.name, "spec": policy.spec, "summary": policy.summary, "parameters": policy.digest}
    return found | policy.details() | ({"toml": policy.text} if toml else {})


def _show(policy: Policy) -> None:
    from nfsim.cli.console import print_table, say

    details = policy.details()
    say(f"{policy.name} ({details.pop('kind')}): {policy.summary}", style="bold")
    say(f"hash {policy.digest}")
    for section, found in details.items():
        if isinstance(found, dict) and found:
            say()
            print_table([section, ""], [[key, f"{value}"] for key, value in found.items()])
        elif found:
            say(f"{section}: {found}")
