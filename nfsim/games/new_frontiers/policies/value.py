"""What tiles, credits and goods are worth to a seat: the features that weights are for."""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Class, Effect, Good, WorldType
from nfsim.games.new_frontiers.layout import CLASSES, TILES
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.powers import AMOUNT, COLONISTS, CREDITS, EFFECT, FILTER, TIMES, VP
from nfsim.games.new_frontiers.scoring import measure

MEAN_PRICE = 2.5  # credits of a good of any kind
ANY = int(Class.ANY)
PER_COLONY, PER_DEVELOPMENT = 1 / 7, 1 / 10  # part of the way to the game's end (rules section 4)


@njit_inline
def rounds_left(tables: Record, state: Record, policy: Record) -> float:
    """Return the rounds a player may expect after this one: known in solo, guessed by progress otherwise."""
    left = float(tables.round_limit - state.round_no)
    if tables.limit_is_end == 1:
        return left
    colonies = 0
    developments = 0
    for seat in range(tables.players):
        colonies = max(colonies, state.n_colonies[seat])
        developments = max(developments, state.n_devs[seat])
    done = max((colonies - 1) * PER_COLONY, developments * PER_DEVELOPMENT)
    done = max(done, 1.0 - state.supply_vp * policy.per_chip)
    done = max(done, 1.0 - (state.supply_colonists - tables.colonist_end) * policy.per_colonist)
    guess = policy.params[Param.ROUNDS_GUESS]
    return min(left, max(0.0, 0.5 * ((1.0 - done) * guess + max(0.0, guess - state.round_no))))


@njit_inline
def credit_worth(policy: Record, left: float) -> float:
    """Return the VPs' worth of a credit: less when little is left to spend it on."""
    spent_within = max(0.25, policy.params[Param.CREDIT_ROUNDS])  # below that, as in a file without it: always in full
    return policy.params[Param.CREDIT] * min(1.0, (left + 0.25) / spent_within)


@njit_inline
def price(tables: Record, tile: int) -> float:
    """Return the plain price of a colony's good."""
    good = tables.good[tile]
    if good == Good.NONE:
        return 0.0
    if good == Good.ANY:
        return MEAN_PRICE
    return float(tables.price[good])


@njit
def rate_tiles(tables: Record, policy: Record) -> None:
    """Work out what the parameters say of each tile whatever the position: `kinds.POLICY`."""
    policy.noted[1] = -1  # no list yet
    policy.aim_chip = 0.0
    policy.aim_military = 0.0
    policy.aim_chart = 0.0
    policy.aim_tile = -1
    policy.per_chip = 1.0 / max(1, tables.supply_vp)
    policy.per_colonist = 1.0 / max(1, tables.supply_colonists - tables.colonist_end)
    for tile in range(TILES):
        policy.once[tile] = policy.params[Param.VP] * tables.vp[tile]
        for class_ in range(CLASSES):
            policy.once[tile] += policy.likes[class_] * ((tables.mask[tile] >> class_) & 1)
        policy.muscle[tile] = 0
        policy.first_good[tile] = 0.0
        policy.rate[tile] = 0.0
        policy.rate_credits[tile] = 0.0
        policy.counting[tile] = 0
        if tables.type[tile] == WorldType.PRODUCTION:
            policy.rate[tile] = policy.params[Param.GOOD_PRODUCTION] * price(tables, tile)
        elif tables.type[tile] == WorldType.WINDFALL:
            policy.rate[tile] = policy.params[Param.GOOD_AGAIN] * price(tables, tile)
            policy.first_good[tile] = policy.params[Param.GOOD_WINDFALL] * price(tables, tile)
        for p in range(tables.n_powers[tile]):
            rate_power(tables, policy, tile, tables.power[tile, p])


@njit
def rate_power(tables: Record, policy: Record, tile: int, power: Record) -> None:
    """Add what one power is worth for each round left."""
    effect = power[EFFECT]
    weight = policy.params[effect]
    if effect == Effect.SETTLE_MILITARY and power[FILTER] == ANY:
        policy.muscle[tile] += power[AMOUNT]
    if effect >= Effect.CONSUME_GOODS:
        uses = power[AMOUNT] if effect == Effect.CONSUME_KINDS else power[TIMES]
        weight *= min(2.0, float(uses))
        policy.rate[tile] += weight * (power[VP] + policy.params[Param.COLONIST] * power[COLONISTS])
        policy.rate_credits[tile] += weight * power[CREDITS]
    elif effect == Effect.SETTLE_MILITARY_PER or effect == Effect.PRODUCE_CREDITS_PER:
        policy.counting[tile] = 1
    elif effect != Effect.SETTLE_PLACE_GOOD:
        policy.rate[tile] += weight * power[AMOUNT]


@njit_inline
def counting_worth(tables: Record, state: Record, seat: int, tile: int, policy: Record) -> float:
    """Return the worth, for each round left, of powers that count own tiles."""
    worth = 0.0
    for p in range(tables.n_powers[tile]):
        power = tables.power[tile, p]
        effect = power[EFFECT]
        if effect == Effect.SETTLE_MILITARY_PER or effect == Effect.PRODUCE_CREDITS_PER:
            worth += policy.params[effect] * power[AMOUNT] * (0.5 + state.counts[seat, power[FILTER]])
    return worth


@njit
def scoring_worth(
    tables: Record,
    state: Record,
    seat: int,
    tile: int,
    policy: Record,
    left: float,
) -> float:
    """Return what a tile's own scoring lines will be worth: what they count now, and some growth."""
    worth = 0.0
    for i in range(tables.n_scorings[tile]):
        number = tables.scoring[tile, i, 0]
        have = float(measure(tables, state, seat, number))
        if number < CLASSES:
            have += (tables.mask[tile] >> number) & 1
            have += policy.params[Param.GROWTH] * left
        gain = tables.scoring[tile, i, 1] * have
        if tables.scoring[tile, i, 2] >= 0:
            gain = min(gain, float(tables.scoring[tile, i, 2]))
        worth += gain
    return worth


@njit_inline
def synergy(tables: Record, policy: Record, tile: int) -> float:
    """Return what own scoring lines and known goals give for one more tile like this."""
    mask = tables.mask[tile]
    worth = 0.0
    if mask & policy.wanted_mask == 0:
        return worth
    for i in range(policy.n_wanted):
        worth += policy.wanted_worth[i] * ((mask >> policy.wanted_class[i]) & 1)
    return worth


@njit_inline
def tile_worth(
    tables: Record, state: Record, options: Record, seat: int, tile: int, policy: Record, left: float
) -> float:
    """Return the worth of owning a tile, before its costs."""
    rate = policy.rate[tile] + options.credit * policy.rate_credits[tile]
    if policy.counting[tile]:
        rate += counting_worth(tables, state, seat, tile, policy)
    worth = policy.once[tile] + policy.first_good[tile] * min(1.0, left) + rate * left
    if tables.n_scorings[tile] > 0:
        worth += scoring_worth(tables, state, seat, tile, policy, left)
    if policy.target >= 0:
        worth += policy.aim_military * policy.muscle[tile]
        if tile == policy.aim_tile:
            worth += policy.params[Param.AIM_OWN]
    return worth + synergy(tables, policy, tile)


@njit_inline
def chip_worth(policy: Record) -> float:
    """Return the worth of a VP chip."""
    return policy.params[Param.CHIP] + policy.aim_chip


@njit
def goal_worth(tables: Record, state: Record, seat: int, goal: int, extra: float) -> float:
    """Return the VPs of a goal if its measure stood `extra` higher, with a part for the way to the next step."""
    have = float(measure(tables, state, seat, tables.goal_measure[goal])) + extra
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


@njit
def goal_slope(tables: Record, state: Record, seat: int, goal: int) -> float:
    """Return the VPs that one more of what a goal measures brings on the way to its next step; 0 at the top."""
    have = float(measure(tables, state, seat, tables.goal_measure[goal]))
    reached = 0.0
    for step in range(tables.goal_n_steps[goal]):
        need = float(tables.goal_need[goal, step])
        vps = float(tables.goal_vp[goal, step])
        if have < need:
            return (vps - reached) / (need - have)
        reached = vps
    return 0.0
