"""Advice for whoever must decide: the best options tried out in games played to their end."""

from __future__ import annotations

from typing import Any

import numpy as np

from nfsim.contract.view import SCORE, Advice, Aim, Hint
from nfsim.engine.playing import get_ready
from nfsim.engine.position import Position
from nfsim.engine.search import load_thinking, weigh
from nfsim.engine.workspace import GAME, new_workspace
from nfsim.policies.kinds import Wants
from nfsim.stats.paired import Difference, independent_counts, paired_means

CANDIDATES = 8
SIGNIFICANT = 0.05
MOST = 900  # rollouts: more, and near misses would add up to a claim


def advise(game: Position, adviser: Any, objectives: list[str], unit: str, rollouts: int = 200) -> Hint:
    """Try the best options of the acting seat out, knowing only what that seat may know.

    Parameters
    ----------
    game : Position
        At a decision; it is left as it is.
    adviser : Policy
        One that looks ahead.
    objectives : list of str
        Names of the game's objectives.
    unit : str
        What it is, for one who plays alone, that a game tried met an objective.
    rollouts : int
        Games played to their end for each option, all options on the same dealings of what is hidden.

    Returns
    -------
    Hint
        The options by their mean, the best first; where the adviser plans also what it found for each objective.
    """
    if not 1 <= rollouts <= MOST:
        raise ValueError(f"rollouts must be from 1 to {MOST}, not {rollouts}")
    rules, prepared, seat = game.rules, game.prepared, int(game.state.actor)
    room = new_workspace(rules)
    room.states[GAME], room.lists[GAME] = game.state, game.shown_options
    policies = rules.load_policies([adviser] * game.players, prepared)
    policies.plan_rollouts[:] = rollouts
    plans = bool(policies[seat].plans)
    if not plans and game.players > 1:
        policies[seat].wants = Wants.WIN
    get_ready(game.tables, policies)
    load_thinking(game.tables, room, policies)
    tried = np.zeros(min(CANDIDATES, len(game.options)), np.int64)
    values = np.zeros((len(tried), rollouts))
    weigh(game.tables, room, policies, tried, values)
    if plans:
        values = (values > 0.5).astype(np.float64)  # a claim is worth 1, being near one next to nothing
    best = values[values.mean(axis=1).argmax()]
    found = [
        Advice(int(choice), row, _close(paired_means(row, best))) for choice, row in zip(tried, values, strict=True)
    ]
    found.sort(key=lambda each: -float(each.values.mean()))
    chances = policies[seat].chance[: int(game.tables.n_objectives)] if plans else []
    # what being near adds (`search.HINT`) stays below one claim, so the whole part counts the claims
    met = {
        name: int(chance * rollouts)
        for name, chance in zip(objectives if plans else (), chances, strict=True)
        if chance >= 0.0  # with one objective there is nothing to choose, and none is tried
    }
    most = max(met.values(), default=0)
    aims = [
        Aim(name, k / rollouts, _close(independent_counts(k, rollouts, most, rollouts)))
        for name, k in sorted(met.items(), key=lambda item: -item[1])
    ]
    what = unit if plans else "chance to win" if game.players > 1 else SCORE
    return Hint(rules.adviser, what, tuple(found), tuple(aims), rollouts)


def _close(to_the_best: Difference) -> bool:
    """Whether a difference may be chance."""
    return not to_the_best.p < SIGNIFICANT
