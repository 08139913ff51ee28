"""Advice for whoever must decide: the best options tried out in games played to their end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from nfsim.contract.view import Advice, Hint
from nfsim.games.new_frontiers.desk import new_desk
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.policies.kinds import Objective
from nfsim.games.new_frontiers.policies.shelf import RECORDS, SHELF
from nfsim.games.new_frontiers.rollouts import GAME
from nfsim.games.new_frontiers.thinking import load_thinking, weigh

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.game import Game

ADVISER = "search_planner"
CANDIDATES = 8
MOST = 900  # rollouts: more, and near misses would add up to a claim


def advise(game: Game, rollouts: int = 200) -> Hint:
    """Try the best options of the acting seat out, knowing only what that seat may know.

    Parameters
    ----------
    game : Game
        At a decision; it is left as it is.
    rollouts : int
        Games played to their end for each option, all options on the same dealings of what is hidden.

    Returns
    -------
    Hint
        The options by their mean, the best first; in solo also what the planner found for each condition.
    """
    if not 1 <= rollouts <= MOST:
        raise ValueError(f"rollouts must be from 1 to {MOST}, not {rollouts}")
    preset = SHELF.get(ADVISER)
    assert preset.thinking is not None
    preset = replace(preset, thinking=preset.thinking.model_copy(update={"plan_rollouts": rollouts}))
    prepared, seat = game.prepared, int(game.state.actor)
    tables = prepared.tables[0]
    desk = new_desk()
    desk.states[GAME], desk.lists[0] = game.state, game.shown_options
    policies = RECORDS.load([preset] * int(tables.players), prepared)
    solo = bool(policies[seat].plans)
    if not solo:
        policies[seat].objective = Objective.WIN
    get_ready(tables, policies)
    load_thinking(tables, *desk, policies)
    tried = np.zeros(min(CANDIDATES, len(game.options)), np.int64)
    values = np.zeros((len(tried), rollouts))
    weigh(tables, *desk, policies, tried, values)
    if solo:
        values = (values > 0.5).astype(np.float64)  # a claim is worth 1, being near one next to nothing
    unit = "chance to meet a condition" if solo else "chance to win"
    found = [Advice(int(choice), row) for choice, row in zip(tried, values, strict=True)]
    found.sort(key=lambda each: -float(each.values.mean()))
    chances = policies[seat].chance[: int(tables.n_conditions)] if solo else []
    # what being near adds (`rollouts.HINT`) stays below one claim, so the whole part counts the claims
    aims = [
        (name, int(chance * rollouts) / rollouts)
        for name, chance in zip(prepared.names.condition, chances, strict=True)
        if chance >= 0.0  # with one condition there is nothing to choose, and none is tried
    ]
    return Hint(ADVISER, unit, tuple(found), tuple(aims), rollouts)
