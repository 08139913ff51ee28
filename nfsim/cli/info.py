"""`nfsim info`: versions and places, for a bug report."""

from __future__ import annotations

from typing import Annotated

import typer

from nfsim.cli.options import Json


def command(
    game: Annotated[str, typer.Option(metavar="NAME", help="Rule set.")] = "new_frontiers", json: Json = False
) -> None:
    """Print versions, the hash of the rules' source, cores, and where compiled code is kept.

    For example:
      nfsim info
    """
    import joblib

    from nfsim.cli.console import print_json, print_table
    from nfsim.compiled import jit
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.run.provenance import source_hash, versions

    rule_set = load_rule_set(game, "--game", "")
    found = {
        **versions(rule_set),
        "source": source_hash(rule_set),
        "cores": str(joblib.cpu_count()),
        "compiled code": str(jit.cache_folder(rule_set.name) or "nowhere"),
        "compiled": "yes" if jit.is_warm(rule_set.name) else "not yet: the first run takes half a minute longer",
    }
    if json:
        print_json({"ok": True, "exit_code": 0, **found})
        return
    print_table(["", ""], [[name, value] for name, value in found.items()])
