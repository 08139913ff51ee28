"""What tiles, credits and goods are worth to a seat: the features that `balanced` weighs."""

from nfsim.core.jit import njit
from nfsim.games.new_frontiers.codes import Effect, Good, WorldType
from nfsim.games.new_frontiers.layout import CLASSES, TILES, WANTED, Record
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.powers import AMOUNT, COLONISTS, CREDITS, EFFECT, FILTER, TIMES, VP
from nfsim.games.new_frontiers.scoring import measure

MEAN_PRICE = 2.5  # credits of a good of any kind
LASTING_COLONIES = 8.0  # colonies that end the game


@njit
def rounds_left(tables: Record, state: Record, policy: Record) -> float:
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
    guess = policy.params[Param.ROUNDS_GUESS]
    return min(left, max(0.0, 0.5 * ((1.0 - most) * guess + max(0.0, guess - state.round_no))))


@njit
def credit_worth(policy: Record, left: float) -> float:
    """Return the VPs' worth of a credit: less when little is left to spend it on."""
    return policy.params[Param.CREDIT] * min(1.0, (left + 0.25) / policy.params[Param.CREDIT_ROUNDS])


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
def rate_tiles(tables: Record, policy: Record) -> None:
    """Work out what the parameters say of each tile whatever the position: `kinds.POLICY`."""
    for tile in range(TILES):
        policy.once[tile] = policy.params[Param.VP] * tables.vp[tile]
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
    if effect >= Effect.CONSUME_GOODS:
        uses = power[AMOUNT] if effect == Effect.CONSUME_KINDS else power[TIMES]
        weight *= min(2.0, float(uses))
        policy.rate[tile] += weight * (power[VP] + policy.params[Param.COLONIST] * power[COLONISTS])
        policy.rate_credits[tile] += weight * power[CREDITS]
    elif effect == Effect.SETTLE_MILITARY_PER or effect == Effect.PRODUCE_CREDITS_PER:
        policy.counting[tile] = 1
    elif effect != Effect.SETTLE_PLACE_GOOD:
        policy.rate[tile] += weight * power[AMOUNT]


@njit
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


@njit
def want(options: Record, class_: int, worth: float) -> None:
    """Note that one more tile of a class is worth something."""
    n = options.n_wanted
    if n < WANTED:
        options.wanted_class[n] = class_
        options.wanted_worth[n] = worth
        options.n_wanted = n + 1


@njit
def note_wanted(tables: Record, state: Record, options: Record, seat: int, policy: Record) -> None:
    """List the classes that own scoring lines and known goals count; `synergy` reads the list."""
    options.n_wanted = 0
    for i in range(state.n_devs[seat]):
        owner = state.dev[seat, i]
        for line in range(tables.n_scorings[owner]):
            number = tables.scoring[owner, line, 0]
            if number < CLASSES:
                want(options, number, policy.params[Param.SYNERGY] * tables.scoring[owner, line, 1])
    for goal in range(tables.n_goals):
        where = state.goal_where[goal]
        if where == 2 or (where == 1 and state.goal_by[goal] == seat):
            number = tables.goal_measure[goal]
            if number < CLASSES:
                want(options, number, policy.params[Param.GOAL_PROGRESS])


@njit
def synergy(tables: Record, options: Record, tile: int) -> float:
    """Return what own scoring lines and known goals give for one more tile like this."""
    mask = tables.mask[tile]
    worth = 0.0
    for i in range(options.n_wanted):
        worth += options.wanted_worth[i] * ((mask >> options.wanted_class[i]) & 1)
    return worth


@njit
def tile_worth(
    tables: Record, state: Record, options: Record, seat: int, tile: int, policy: Record, left: float
) -> float:
    """Return the worth of owning a tile, before its costs."""
    rate = policy.rate[tile] + credit_worth(policy, left) * policy.rate_credits[tile]
    if policy.counting[tile]:
        rate += counting_worth(tables, state, seat, tile, policy)
    worth = policy.once[tile] + policy.first_good[tile] * min(1.0, left) + rate * left
    if tables.n_scorings[tile] > 0:
        worth += scoring_worth(tables, state, seat, tile, policy, left)
    return worth + synergy(tables, options, tile)


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
