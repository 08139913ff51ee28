"""Powers of a seat's tiles as sums, and the questions the rules ask of them.

A tile's additive effects without a filter are added to `state.sums`; those with a filter go to the
short list of specials; consume powers and temporary Military go to lists of their own. So nobody
rescans tiles while playing.
"""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import ADDITIVE_EFFECTS, Class, Effect
from nfsim.games.new_frontiers.layout import CLASSES, FEEDERS, SPECIALS, TEMPS

EFFECT, FILTER, AMOUNT, VP, CREDITS, COLONISTS, TIMES = range(7)  # places in layout.POWER_FIELDS

XENO_CLASS = int(Class.XENO)


@njit_inline
def count_tile(tables: Record, state: Record, seat: int, tile: int) -> None:
    """Count a tile just placed in all its classes."""
    mask = tables.mask[tile]
    for c in range(CLASSES):
        state.counts[seat, c] += (mask >> c) & 1
    state.military[seat] = permanent_military(state, seat)


@njit
def install(tables: Record, state: Record, seat: int, tile: int) -> None:
    """Put a tile's powers into force."""
    for p in range(tables.n_powers[tile]):
        effect = tables.power[tile, p, EFFECT]
        class_ = tables.power[tile, p, FILTER]
        amount = tables.power[tile, p, AMOUNT]
        if effect < ADDITIVE_EFFECTS:
            listed = (
                class_ != Class.ANY
                or effect == Effect.SETTLE_PAY_MILITARY
                or effect == Effect.SETTLE_MILITARY_PER
                or effect == Effect.PRODUCE_CREDITS_PER
            )
            n = state.n_specials[seat]
            if not listed:
                state.sums[seat, effect] += amount
            elif n < SPECIALS:  # the tile-set check keeps within the capacities
                state.special_effect[seat, n] = effect
                state.special_filter[seat, n] = class_
                state.special_amount[seat, n] = amount
                state.n_specials[seat] = n + 1
        elif effect == Effect.SETTLE_TEMP_MILITARY:
            n = state.n_temps[seat]
            if n < TEMPS:
                state.temp_tile[seat, n] = tile
                state.temp_power[seat, n] = p
                state.n_temps[seat] = n + 1
        elif effect >= Effect.CONSUME_GOODS:
            n = state.n_feeders[seat]
            if n < FEEDERS:
                state.feeder_tile[seat, n] = tile
                state.feeder_power[seat, n] = p
                state.n_feeders[seat] = n + 1
    state.military[seat] = permanent_military(state, seat)


@njit_inline
def permanent_military(state: Record, seat: int) -> int:
    """Return the seat's Military that is neither temporary nor specialised."""
    value = state.sums[seat, Effect.SETTLE_MILITARY]
    for i in range(state.n_specials[seat]):
        if state.special_effect[seat, i] == Effect.SETTLE_MILITARY_PER:
            value += state.special_amount[seat, i] * state.counts[seat, state.special_filter[seat, i]]
    return value


@njit_inline
def filtered(state: Record, seat: int, effect: int, mask: int) -> int:
    """Return the sum of an additive effect for something in the classes of `mask`."""
    value = state.sums[seat, effect]
    for i in range(state.n_specials[seat]):  # without branches: which ones match is never predictable
        matches = (state.special_effect[seat, i] == effect) & (mask >> state.special_filter[seat, i])
        value += state.special_amount[seat, i] * matches
    return value


@njit_inline
def military_against(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the Military that counts against a world: permanent, specialised and temporary (000 p. 1)."""
    specialised = filtered(state, seat, Effect.SETTLE_MILITARY, tables.mask[tile])
    return state.military[seat] + state.temp_military + specialised - state.sums[seat, Effect.SETTLE_MILITARY]


@njit_inline
def settle_cost(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the credits that settling a non-military world costs."""
    return max(0, tables.cost[tile] - filtered(state, seat, Effect.SETTLE_DISCOUNT, tables.mask[tile]))


@njit_inline
def pay_military_cost(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the credits for which the seat may settle a military world, -1 if it may not; never Xeno (000 p. 1)."""
    mask = tables.mask[tile]
    if (mask >> XENO_CLASS) & 1:
        return -1
    best = -1
    for i in range(state.n_specials[seat]):
        if state.special_effect[seat, i] == Effect.SETTLE_PAY_MILITARY and (mask >> state.special_filter[seat, i]) & 1:
            best = max(best, state.special_amount[seat, i])
    if best < 0:
        return -1
    return max(0, tables.defense[tile] - best)


@njit_inline
def develop_cost(tables: Record, state: Record, seat: int, tile: int, bonus: int) -> int:
    """Return the credits a development costs; `bonus` is 1 for the selector."""
    return max(0, tables.cost[tile] - filtered(state, seat, Effect.DEVELOP_DISCOUNT, tables.mask[tile]) - bonus)


@njit_inline
def is_xeno(tables: Record, tile: int) -> int:
    """Return whether a world is a Xeno world."""
    return (tables.mask[tile] >> XENO_CLASS) & 1
