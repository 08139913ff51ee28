"""What an action would bring a seat now: the features behind the choice of action tiles and of worlds."""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Action, Effect, WorldType
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.value import chip_worth, price, tile_worth
from nfsim.games.new_frontiers.policies.worlds import colonists_worth, missing_military, settle_net
from nfsim.games.new_frontiers.powers import (
    AMOUNT,
    EFFECT,
    TIMES,
    develop_cost,
)


@njit_inline
def settle_gain(
    tables: Record, state: Record, options: Record, seat: int, policy: Record, left: float, bonus: int
) -> float:
    """Return the gain of a Settle action; `bonus` colonists come first."""
    best = colonists_worth(tables, state, seat, policy, left, bonus + 2)
    for place in range(state.n_explored[seat]):
        tile = state.explored[seat, place]
        net = settle_net(tables, state, options, seat, tile, policy, left, bonus)
        best = max(best, net - policy.params[Param.SETTLE_BAR])
    return best


@njit_inline
def develop_net(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    tile: int,
    policy: Record,
    left: float,
    cost: int,
) -> float:
    """Return the net worth of buying a development."""
    return tile_worth(tables, state, options, seat, tile, policy, left) - options.credit * cost


@njit_inline
def most_discount(state: Record, seat: int) -> int:
    """Return the most that any development can be cheaper for the seat."""
    most = state.sums[seat, Effect.DEVELOP_DISCOUNT]
    for i in range(state.n_specials[seat]):
        if state.special_effect[seat, i] == Effect.DEVELOP_DISCOUNT:
            most += state.special_amount[seat, i]
    return most


@njit_inline
def develop_gain(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    policy: Record,
    left: float,
    bonus: int,
) -> float:
    """Return the gain of a Develop action; the selector pays `bonus` less."""
    best = 0.0
    owned = state.owned[seat]
    plain = state.sums[seat, Effect.DEVELOP_DISCOUNT]
    most = most_discount(state, seat)
    special = most != plain  # a discount for some developments only
    purse = state.credits[seat] + bonus + most
    for stack in range(tables.n_stacks):
        if state.stack_left[stack] > 0 and not (owned >> stack) & 1:
            tile = tables.stack_face[stack, state.stack_side[stack]]
            if tables.cost[tile] > purse:
                continue
            cost = max(0, tables.cost[tile] - plain - bonus)
            if special:
                cost = develop_cost(tables, state, seat, tile, bonus)
            if cost <= state.credits[seat]:
                best = max(
                    best,
                    develop_net(tables, state, options, seat, tile, policy, left, cost)
                    - policy.params[Param.DEVELOP_BAR],
                )
    return best


@njit_inline
def feeding_room(tables: Record, state: Record, seat: int) -> int:
    """Return how many goods the seat's consume powers can take in one action."""
    room = 0
    for i in range(state.n_feeders[seat]):
        power = tables.power[state.feeder_tile[seat, i], state.feeder_power[seat, i]]
        room += power[AMOUNT] if power[EFFECT] == Effect.CONSUME_KINDS else power[AMOUNT] * power[TIMES]
    return room


@njit_inline
def produce_gain(
    tables: Record,
    state: Record,
    seat: int,
    policy: Record,
    left: float,
    credit: float,
    bonus: int,
) -> float:
    """Return the gain of a Produce action; `bonus` is 1 for the selector."""
    if left < 0.0:
        return 0.0
    gain = credit * (state.sums[seat, Effect.PRODUCE_CREDITS] + bonus * state.produce_credits)
    for i in range(state.n_specials[seat]):
        if state.special_effect[seat, i] == Effect.PRODUCE_CREDITS_PER:
            gain += credit * state.special_amount[seat, i] * state.counts[seat, state.special_filter[seat, i]]
    windfalls = bonus + state.sums[seat, Effect.PRODUCE_WINDFALL]
    goods = 0
    for slot in range(state.n_colonies[seat]):
        goods += state.colony_good[seat, slot]
    room = 1 + feeding_room(tables, state, seat) - goods
    for slot in range(state.n_colonies[seat]):
        if state.colony_good[seat, slot]:
            continue
        tile = state.colony[seat, slot]
        makes = tables.type[tile] == WorldType.PRODUCTION
        if tables.type[tile] == WorldType.WINDFALL and windfalls > 0:
            windfalls -= 1
            makes = True
        if makes:
            weight = policy.params[Param.GOOD_MADE] if room > 0 else policy.params[Param.GOOD_SPARE]
            room -= 1
            gain += weight * (1.0 + price(tables, tile)) * min(1.0, left + 0.3) + credit * tables.credits_this[tile]
    return gain


@njit_inline
def trade_gain(tables: Record, state: Record, seat: int, policy: Record, left: float, credit: float) -> float:
    """Return the gain of a Trade, Consume action without the selector's chip."""
    gain = (
        credit * state.sums[seat, Effect.CONSUME_CREDITS] + chip_worth(policy) * state.sums[seat, Effect.CONSUME_CHIPS]
    )
    best = 0.0
    goods = 0
    for slot in range(state.n_colonies[seat]):
        if state.colony_good[seat, slot]:
            goods += 1
            tile = state.colony[seat, slot]
            if not tables.no_sale[tile]:
                best = max(best, price(tables, tile) + tables.bonus_this[tile] + state.sums[seat, Effect.TRADE_BONUS])
    if goods == 0:
        return gain
    fed = min(goods - 1 if credit * best > policy.params[Param.FEED] else goods, feeding_room(tables, state, seat))
    return gain + credit * best + policy.params[Param.FEED] * fed


@njit_inline
def explore_gain(
    tables: Record,
    state: Record,
    seat: int,
    policy: Record,
    left: float,
    credit: float,
    bonus: int,
) -> float:
    """Return the gain of an Explore action; the selector takes a second world."""
    if left < 1.0:
        return 0.0
    store = 0
    for place in range(state.n_explored[seat]):
        tile = state.explored[seat, place]
        if not tables.military[tile] or missing_military(tables, state, seat, tile) <= 1:
            store += 1
    room = tables.world_limit - (state.n_colonies[seat] - 1) - state.n_explored[seat]
    gain = max(0.0, policy.params[Param.EXPLORE] - policy.params[Param.EXPLORE_STORE] * store) * min(1.0, left / 4.0)
    if room <= 0:
        gain *= 0.25
    gain *= 1.0 + policy.params[Param.EXPLORE_BONUS] * bonus
    gain += credit * state.sums[seat, Effect.EXPLORE_CREDITS]
    return gain + policy.params[Param.COLONIST] * state.sums[seat, Effect.EXPLORE_COLONISTS]


@njit_inline
def chart_gain(tables: Record, state: Record, policy: Record, left: float) -> float:
    """Return the gain of charting a goal."""
    in_play = 0
    for goal in range(tables.n_goals):
        in_play += state.goal_where[goal] > 0
    if in_play >= policy.params[Param.CHART_ENOUGH] or state.goal_deck_n == 0:
        return 0.0
    return (policy.params[Param.CHART] + policy.aim_chart) * left


@njit
def action_gain(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    policy: Record,
    left: float,
    action: int,
    bonus: int,
) -> float:
    """Return what an action brings the seat; `bonus` is 1 when it selects the tile itself, else 0."""
    credit = options.credit
    if action == Action.EXPLORE:
        return explore_gain(tables, state, seat, policy, left, credit, bonus)
    if action == Action.DEVELOP:
        return develop_gain(tables, state, options, seat, policy, left, bonus)
    if action == Action.SETTLE:
        return settle_gain(tables, state, options, seat, policy, left, bonus)
    if action == Action.PRODUCE:
        return produce_gain(tables, state, seat, policy, left, credit, bonus)
    if action == Action.TRADE_CONSUME:
        return trade_gain(tables, state, seat, policy, left, credit) + chip_worth(policy) * bonus
    if action == Action.RETREAT:
        return 2.0 * credit * bonus
    place = state.space[seat] - 1.0
    if action == Action.CHART:
        return bonus * (
            credit + chart_gain(tables, state, policy, left) + policy.params[Param.PRIORITY] * min(1.0, place)
        )
    gain = policy.params[Param.ENVOYS] + chip_worth(policy) + policy.params[Param.PRIORITY] * place
    if tables.dummies > 0 and state.turn > 0:
        gain += credit
    return gain * bonus
