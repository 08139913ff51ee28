"""Kind WEIGHTS: scores every option by features and weights, and takes the best one.

It knows only what its player may know: the open position, its own face-down goal, and what lies on the
table. The weights are the parameters named in `params.py`; the values stand in `presets/`.
"""

from nfsim.compiled.jit import int64, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Action, Decision, Option, StockpileKind
from nfsim.games.new_frontiers.policies.action_features import action_gain, develop_net
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.spending import amount_score, good_score, stockpile_score, temporary_score
from nfsim.games.new_frontiers.policies.value import (
    chip_worth,
    credit_worth,
    goal_worth,
    price,
    rounds_left,
    tile_worth,
)
from nfsim.games.new_frontiers.policies.wanted import note_wanted
from nfsim.games.new_frontiers.policies.worlds import colonists_worth, missing_military, settle_net, world_worth

NOTHING = 0.0


@njit_inline
def choose_by_weights(tables: Record, state: Record, options: Record, policy: Record) -> int:
    """Return the number of the option with the best score; of equal ones the first."""
    seat = state.actor
    left = rounds_left(tables, state, policy)
    options.credit = credit_worth(policy, left)
    decision = state.decision
    if decision == Decision.RETURN_GOAL:
        return 0  # the order hardly ever matters
    if decision < Decision.WINDFALL_GOOD or policy.target >= 0:  # the later ones rate no tiles
        note_wanted(tables, state, seat, policy)
    if decision == Decision.SELECT_ACTION:
        return choose_action(tables, state, options, policy, left)
    best = 0
    best_score = -1.0e18
    for i in range(options.count):
        score = option_score(tables, state, options, i, seat, decision, policy, left)
        options.score[i] = score
        if score > best_score:
            best_score = score
            best = i
    return best


@njit_inline
def option_score(
    tables: Record,
    state: Record,
    options: Record,
    i: int,
    seat: int,
    decision: int,
    policy: Record,
    left: float,
) -> float:
    """Return the score of one option of any decision but the choice of an own action tile."""
    kind = options.kind[i]
    a = options.a[i]
    b = options.b[i]
    if decision == Decision.SELECT_FOR_DUMMY:
        return dummy_score(tables, state, options, seat, policy, left, a)
    if decision == Decision.EXPLORE_PICK or kind == Option.PLACE_IT:
        return world_worth(tables, state, options, seat, b if kind == Option.TAKE else a, policy, left)
    if decision == Decision.KEEP_XENO:
        return world_worth(tables, state, options, seat, a, policy, left) if kind == Option.KEEP else NOTHING
    if kind == Option.STOCKPILE_IT:
        return stockpile_score(tables, state, seat, policy, left, StockpileKind.WORLDS, 1.0)
    if decision == Decision.DISCARD_WORLD:
        return -world_worth(tables, state, options, seat, b, policy, left)
    if decision == Decision.DEVELOP:
        if kind == Option.PASS:
            return policy.params[Param.DEVELOP_BAR]
        return develop_net(tables, state, options, seat, a, policy, left, b)
    if decision == Decision.SETTLE or decision == Decision.SETTLE_AGAIN:
        return settle_score(tables, state, options, i, seat, policy, left)
    if decision == Decision.SELL or decision == Decision.CONSUME or decision == Decision.CONSUME_MORE:
        return good_score(tables, state, options, seat, policy, kind, a, b)
    if decision == Decision.WINDFALL_GOOD:
        return price(tables, b) + tables.credits_this[b]
    if decision == Decision.KEEP_GOAL:
        return goal_worth(tables, state, seat, a, min(2.0, 0.25 * left))
    if decision == Decision.STOCKPILE:
        return amount_score(tables, state, options, seat, policy, left, a)
    if kind == Option.SIDE or kind == Option.STACK_SIDE:
        return tile_worth(tables, state, options, seat, b, policy, left)
    return NOTHING


@njit_inline
def choose_action(tables: Record, state: Record, options: Record, policy: Record, left: float) -> int:
    """Choose an own action tile: its gain with the bonus, and what the others will bring anyway."""
    seat = state.actor
    first = -1.0e18
    second = -1.0e18
    for i in range(options.count):
        action = options.a[i]
        gain = action_gain(tables, state, options, seat, policy, left, action, int64(1))
        plain = gain - bonus_worth(tables, state, seat, policy, left, options.credit, action, gain)
        options.gain[action] = gain
        options.plain[action] = plain
        if plain > first:
            second = first
            first = plain
        elif plain > second:
            second = plain
    best = 0
    best_score = -1.0e18
    for i in range(options.count):
        action = options.a[i]
        score = options.gain[action]
        if tables.dummies > 0:  # one dummy will carry out the best of what is left
            score += second if options.plain[action] == first else first
        else:
            score -= policy.params[Param.SHARED] * options.plain[action]
        options.score[i] = score
        if score > best_score:
            best_score = score
            best = i
    return best


@njit_inline
def bonus_worth(
    tables: Record,
    state: Record,
    seat: int,
    policy: Record,
    left: float,
    credit: float,
    action: int,
    gain: float,
) -> float:
    """Return how much of an action's gain is the selector's bonus."""
    if action == Action.EXPLORE:
        return gain * policy.params[Param.EXPLORE_BONUS] / (1.0 + policy.params[Param.EXPLORE_BONUS])
    if action == Action.DEVELOP:
        return min(gain, credit)
    if action == Action.SETTLE:
        return min(gain, colonists_worth(tables, state, seat, policy, left, int64(1)))
    if action == Action.PRODUCE:
        return min(gain, credit * state.produce_credits)
    if action == Action.TRADE_CONSUME:
        return chip_worth(policy)
    return gain


@njit_inline
def dummy_score(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    policy: Record,
    left: float,
    action: int,
) -> float:
    """Return the score of an action tile for a dummy: the player carries it out without the bonus."""
    gain = action_gain(tables, state, options, seat, policy, left, action, int64(0))
    if action == Action.PRODUCE:
        gain -= 0.3 * options.credit * state.produce_credits
    elif action == Action.ENVOYS:
        gain -= policy.params[Param.PRIORITY]
    return gain


@njit_inline
def settle_score(
    tables: Record, state: Record, options: Record, choice: int, seat: int, policy: Record, left: float
) -> float:
    """Return the score of an option of the Settle action."""
    kind = options.kind[choice]
    if kind == Option.CONQUER or kind == Option.PAY:
        tile = state.explored[seat, options.a[choice]]
        net = settle_net(tables, state, options, seat, tile, policy, left, int64(0))
        if kind == Option.PAY and tables.military[tile] and missing_military(tables, state, seat, tile) <= 0:
            net -= options.credit * options.b[choice]  # it could be conquered for nothing
        return net - policy.params[Param.SETTLE_BAR]
    if kind == Option.COLONISTS:
        return colonists_worth(tables, state, seat, policy, left, int64(2))
    if kind == Option.USE_GOOD or kind == Option.USE_CREDITS:
        return temporary_score(tables, state, options, choice, seat, policy, left)
    return NOTHING
