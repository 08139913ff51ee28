"""What plays games: the loop, the kernel, looking ahead, one game decision by decision. It knows no game's rules.

A rule set offers `simulate` and `begin` with its rules and its class of games; nothing is compiled or imported before
it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nfsim.contract.rule_set import Engine, Game, RuleSet
    from nfsim.contract.series import Series
    from nfsim.contract.tables import Table


def simulate(
    rule_set: Callable[[], RuleSet],
    rules: Callable[[], Any],
    game: Callable[[], Any],
    prepared: Any,
    policies: Sequence[Any],
    level: str,
) -> Engine:
    """Return what plays many games.

    Parameters
    ----------
    rule_set, rules, game : callable
        Give the rule set, its `nfsim.engine.rules.Rules`, and its `nfsim.engine.game.Game`.
    prepared, policies, level
        As `nfsim.contract.rule_set.RuleSet.engine` takes them.
    """
    from nfsim.engine import simulation

    if all(getattr(policy, "compiled", True) for policy in policies):
        return simulation.CompiledEngine(rules(), rule_set(), prepared, policies, level)
    return simulation.AskingEngine(rules(), rule_set(), prepared, policies, level, game().turn)


def begin(game: Callable[[], Any], prepared: Any, policies: Sequence[Any], root: int, number: int) -> Game:
    """Begin a game; parameters as `nfsim.contract.rule_set.RuleSet.game` takes them, after the game's class."""
    begun: Game = game().new(prepared, root, number, policies)
    return begun


def play_series(rules: Callable[[], Any], table: Table, ends: Table, series: Series) -> Engine:
    """Return what plays runs through a series; `table` and `ends` as `nfsim.contract.series.SeriesRules` has them."""
    from nfsim.engine.series import SeriesEngine

    return SeriesEngine(rules(), series, table, ends)
