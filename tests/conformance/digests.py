"""Prints fingerprints of a few games of every rule set; run as a program, compiled or with NUMBA_DISABLE_JIT=1."""

import hashlib
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from conformance.games import CASES, GameCase


def rows(case: GameCase, setup: str, policy: Any, first: int, count: int, root: int = 7) -> dict[str, list[Any]]:
    """Rows of games `first` …, by table."""
    ready = case.prepared(setup)
    policies = [case.policy(policy)] * case.rule_set.players(ready)
    engine = case.rule_set.engine(ready, policies, case.rule_set.levels[-1])
    found: dict[str, list[Any]] = {table.name: [] for table in case.rule_set.tables}
    played = 0
    while played < count:
        played += engine.play(root, first + played, count - played)
        for name, table in engine.rows().items():
            found[name] += table.tolist()
    return found


def digests(games: int = 1) -> list[str]:
    """Fingerprints of games of each setup of each rule set under each simple policy."""
    return [
        hashlib.sha256(repr(rows(case, setup, policy, 0, games)).encode()).hexdigest()[:16]
        for case in CASES.values()
        for setup in case.setups
        for policy in case.simple
    ]


if __name__ == "__main__":
    print(*digests())
