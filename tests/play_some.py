"""Plays a few games of New Frontiers and gives their rows."""

from typing import Any

from nfsim.games.new_frontiers.columns import TABLE_NAMES
from nfsim.games.new_frontiers.ruleset import RULE_SET


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
