"""What tiles, credits and goods are worth to a seat: the features that `balanced` weighs."""

from nfsim.core.jit import njit
from nfsim.games.new_frontiers.codes import Effect, Good, WorldType
from nfsim.games.new_frontiers.layout import CLASSES, Record
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.powers import AMOUNT, COLONISTS, CREDITS, EFFECT, FILTER, TIMES, VP
from nfsim.games.new_frontiers.scoring import measure

MEAN_PRICE = 2.5  # credits of a good of any kind
LASTING_COLONIES = 8.0  # colonies that end the game


@njit
def rounds_left(tables: Record, state: Record, params: Record) -> float:
    """Return the rounds a player may expect after this one: known in solo, guessed by progress otherwise."""
    left = float(tables.round_limit - state.round_no)
    if tables.limit_is_end == 1:
        return left
    most = 0.0
    for seat in range(tables.players):
        most = max(most, (state.n_colonies[seat] - 1) / (LASTING_COLONIES - 1))
        most = max(most, state.n_devs[seat] / 10.0)
    most = max(most, 1.0 - state.supply_vp / max(1.0, float(tables.supply_vp)))
    room = max(1.0, float(tables.supply_colonists - tables.colonist_end))
    most = max(most, 1.0 - (state.supply_colonists - tables.colonist_end) / room)
    guess = params[Param.ROUNDS_GUESS]
    return min(left, max(0.0, 0.5 * ((1.0 - most) * guess + max(0.0, guess - state.round_no))))


@njit
def credit_worth(params: Record, left: float) -> float:
    """Return the VPs' worth of a credit: less when little is left to spend it on."""
    return params[Param.CREDIT] * min(1.0, (left + 0.25) / params[Param.CREDIT_ROUNDS])


@njit
def price(tables: Record, tile: int) -> float:
    """Return the plain price of a colony's good."""
    good = tables.good[tile]
    if good == Good.NONE:
        return 0.0
    if good == Good.ANY:
        return MEAN_PRICE
    return float(tables.price[good])


@njit
def power_worth(tables: Record, state: Record, seat: int, tile: int, params: Record, left: float) -> float:
    """Return the worth of a tile's powers."""
    worth = 0.0
    credit = credit_worth(params, left)
    for p in range(tables.n_powers[tile]):
        power = tables.power[tile, p]
        effect = power[EFFECT]
        if effect >= Effect.CONSUME_GOODS:
            gain = power[VP] + credit * power[CREDITS] + params[Param.COLONIST] * power[COLONISTS]
            uses = power[AMOUNT] if effect == Effect.CONSUME_KINDS else power[TIMES]
            worth += params[effect] * gain * min(2.0, float(uses)) * left
        elif effect == Effect.SETTLE_MILITARY_PER or effect == Effect.PRODUCE_CREDITS_PER:
            worth += params[effect] * power[AMOUNT] * (0.5 + state.counts[seat, power[FILTER]]) * left
        elif effect != Effect.SETTLE_PLACE_GOOD:
            worth += params[effect] * power[AMOUNT] * left
    return worth


@njit
def scoring_worth(
    tables: Record,
    state: Record,
    seat: int,
    tile: int,
    params: Record,
    left: float,
) -> float:
    """Return what a tile's own scoring lines will be worth: what they count now, and some growth."""
    worth = 0.0
    for i in range(tables.n_scorings[tile]):
        number = tables.scoring[tile, i, 0]
        have = float(measure(state, seat, number))
        if number < CLASSES:
            have += (tables.mask[tile] >> number) & 1
            have += params[Param.GROWTH] * left
        gain = tables.scoring[tile, i, 1] * have
        if tables.scoring[tile, i, 2] >= 0:
            gain = min(gain, float(tables.scoring[tile, i, 2]))
        worth += gain
    return worth


@njit
def lines_that_count(tables: Record, state: Record, seat: int, owner: int, mask: int) -> int:
    """Return the VPs that the scoring lines of an own tile give for one more tile of the classes in `mask`."""
    vps = 0
    for i in range(tables.n_scorings[owner]):
        number = tables.scoring[owner, i, 0]
        if number < CLASSES and (mask >> number) & 1:
            vps += tables.scoring[owner, i, 1]
    return vps


@njit
def synergy(tables: Record, state: Record, seat: int, tile: int, params: Record) -> float:
    """Return what own scoring lines and known goals give for one more tile like this."""
    mask = tables.mask[tile]
    vps = 0
    for i in range(state.n_devs[seat]):
        owner = state.dev[seat, i]
        if tables.n_scorings[owner] > 0:
            vps += lines_that_count(tables, state, seat, owner, mask)
    worth = params[Param.SYNERGY] * vps
    for goal in range(tables.n_goals):
        if state.goal_where[goal] == 2 or (state.goal_where[goal] == 1 and state.goal_by[goal] == seat):
            number = tables.goal_measure[goal]
            if number < CLASSES and (mask >> number) & 1:
                worth += params[Param.GOAL_PROGRESS]
    return worth


@njit
def tile_worth(tables: Record, state: Record, seat: int, tile: int, params: Record, left: float) -> float:
    """Return the worth of owning a tile, before its costs."""
    worth = params[Param.VP] * tables.vp[tile] + power_worth(tables, state, seat, tile, params, left)
    if tables.n_scorings[tile] > 0:
        worth += scoring_worth(tables, state, seat, tile, params, left)
    worth += synergy(tables, state, seat, tile, params)
    kind = tables.type[tile]
    if kind == WorldType.PRODUCTION:
        worth += params[Param.GOOD_PRODUCTION] * price(tables, tile) * left
    elif kind == WorldType.WINDFALL:
        worth += price(tables, tile) * (
            params[Param.GOOD_WINDFALL] * min(1.0, left) + params[Param.GOOD_AGAIN] * left
        )
    return worth


@njit
def goal_worth(tables: Record, state: Record, seat: int, goal: int, extra: float) -> float:
    """Return the VPs of a goal if its measure stood `extra` higher, with a part for the way to the next step."""
    have = float(measure(state, seat, tables.goal_measure[goal])) + extra
    reached = 0.0
    below = 0.0
    for step in range(tables.goal_n_steps[goal]):
        need = float(tables.goal_need[goal, step])
        vps = float(tables.goal_vp[goal, step])
        if have >= need:
            reached = vps
            below = need
        else:
            return reached + 0.5 * (vps - reached) * (have - below) / (need - below)
    return reached
