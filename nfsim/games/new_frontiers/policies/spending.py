"""What goods, temporary Military and stockpiles are worth: spending, feeding, selling, putting aside."""

from nfsim.compiled.jit import njit
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.actions.trade_consume import STOCKPILE_CREDITS
from nfsim.games.new_frontiers.codes import Action, Effect, Option, StockpileKind
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.value import chip_worth, goal_worth, price, tile_worth
from nfsim.games.new_frontiers.policies.worlds import IMPOSSIBLE, colonists_worth, missing_military
from nfsim.games.new_frontiers.powers import AMOUNT, COLONISTS, CREDITS, EFFECT, FILTER, VP

NOTHING = 0.0


@njit
def temporary_score(
    tables: Record, state: Record, options: Record, choice: int, seat: int, policy: Record, left: float
) -> float:
    """Return the score of spending for temporary Military: the best world it helps to reach, less the cost."""
    most = 0
    for j in range(state.n_temps[seat]):
        if not state.temp_used[j]:
            power = tables.power[state.temp_tile[seat, j], state.temp_power[seat, j]]
            if power[CREDITS] > 0 or goods_for(tables, state, seat, power[FILTER]) > 0:
                most += power[AMOUNT]
    best = IMPOSSIBLE
    for place in range(state.n_explored[seat]):
        tile = state.explored[seat, place]
        if tables.military[tile] and tables.colonists[tile] <= state.colonists[seat]:
            missing = missing_military(tables, state, seat, tile)
            if 0 < missing <= most:
                worth = tile_worth(tables, state, options, seat, tile, policy, left) - tables.penalty[tile]
                best = max(best, worth - policy.params[Param.SETTLE_BAR])
    credit = options.credit
    b = options.b[choice]
    paid = options.kind[choice] == Option.USE_CREDITS
    cost = credit * b if paid else credit * price(tables, state.colony[seat, b])
    return best - cost


@njit
def goods_for(tables: Record, state: Record, seat: int, class_: int) -> int:
    """Return how many goods of a class lie on the seat's colonies."""
    there = 0
    for slot in range(state.n_colonies[seat]):
        there += state.colony_good[seat, slot] and (tables.good_mask[state.colony[seat, slot]] >> class_) & 1
    return there


@njit
def good_score(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    policy: Record,
    kind: int,
    a: int,
    b: int,
) -> float:
    """Return the score of selling a good or of feeding it to a consume power."""
    if kind == Option.SELL_GOOD:
        return options.credit * b + 0.001 * b
    if kind == Option.FEED:
        power = tables.power[state.feeder_tile[seat, a], state.feeder_power[seat, a]]
        gain = (
            chip_worth(policy) * power[VP]
            + options.credit * power[CREDITS]
            + policy.params[Param.COLONIST] * power[COLONISTS]
        )
        if power[EFFECT] != Effect.CONSUME_KINDS:
            gain /= power[AMOUNT]
        return gain - policy.params[Param.KEEP_PRICE] * price(tables, state.colony[seat, b])
    return NOTHING  # PASS: all goods are kept for consumption


@njit
def stockpile_score(
    tables: Record,
    state: Record,
    seat: int,
    policy: Record,
    left: float,
    kind: int,
    amount: float,
) -> float:
    """Return the worth of `amount` more in a stockpile."""
    best = 0.0
    for goal in range(tables.n_goals):
        if tables.goal_stockpile[goal] == kind and (
            state.goal_where[goal] == 2 or (state.goal_where[goal] == 1 and state.goal_by[goal] == seat)
        ):
            gain = goal_worth(tables, state, seat, goal, amount) - goal_worth(tables, state, seat, goal, 0.0)
            best = max(best, gain)
    return best


@njit
def amount_score(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    policy: Record,
    left: float,
    amount: int,
) -> float:
    """Return the score of stockpiling an amount of what was just gained."""
    if state.action == Action.SETTLE:
        kept = state.gained - amount
        keep = colonists_worth(tables, state, seat, policy, left, state.gained)
        worth = colonists_worth(tables, state, seat, policy, left, kept) - keep
        return worth + stockpile_score(tables, state, seat, policy, left, StockpileKind.COLONISTS, float(amount))
    if state.stage == STOCKPILE_CREDITS:
        gain = stockpile_score(tables, state, seat, policy, left, StockpileKind.CREDITS, float(amount))
        return gain - options.credit * amount
    return stockpile_score(tables, state, seat, policy, left, StockpileKind.CHIPS, float(amount))
