"""Plays a few games and prints a digest of their rows; run as a program, compiled or with NUMBA_DISABLE_JIT=1."""

import hashlib
from typing import Any

from nfsim.games.new_frontiers.columns import TABLE_NAMES
from nfsim.games.new_frontiers.ruleset import RULE_SET
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import prepare

SETUPS: list[dict[str, Any]] = [
    {"players": 1, "campaign": 6, "rounds": 12},
    {"players": 4},
    {"players": 3, "expansion": "base", "goals": False},
]
GAMES = 2


def rows(prepared: Any, policies: list[str], first: int, count: int, root: int = 7) -> dict[str, list[Any]]:
    """Rows of games `first` …, by table."""
    engine = RULE_SET.engine(prepared, policies, "tiles")
    found: dict[str, list[Any]] = {name: [] for name in TABLE_NAMES}
    played = 0
    while played < count:
        played += engine.play(root, first + played, count - played)
        for name, table in engine.rows().items():
            found[name] += table.tolist()
    return found


def digest(found: dict[str, list[Any]]) -> str:
    """Fingerprint of rows."""
    return hashlib.sha256(repr(found).encode()).hexdigest()[:16]


def digests(games: int = GAMES) -> list[str]:
    """Fingerprints of the games of each setup under each policy."""
    found = []
    for setup in SETUPS:
        prepared = prepare(read_settings({"setup": setup}, "play_some"))
        players = int(prepared.tables[0].players)
        found += [digest(rows(prepared, [policy] * players, 0, games)) for policy in ("uniform", "balanced")]
    return found


if __name__ == "__main__":
    print(*digests())
