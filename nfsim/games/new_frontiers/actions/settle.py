"""Settle: settle an explored world, or gain 2 colonists; the selector gains 1 colonist first (001).

Temporary Military counts for every world settled in the action, the powers of a world settled in it
for none (001); 'after you settle' powers work for each.
"""

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers import placing
from nfsim.games.new_frontiers.codes import Decision, Effect, Option, StockpileKind
from nfsim.games.new_frontiers.layout import COLONIES
from nfsim.games.new_frontiers.powers import (
    AMOUNT,
    CREDITS,
    EFFECT,
    FILTER,
    count_tile,
    filtered,
    install,
    military_against,
    pay_military_cost,
    settle_cost,
)
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import ask, draw_world, offer, offer_plain
from nfsim.games.new_frontiers.supply import gain_chips, gain_colonists, offer_amounts, room_to_stockpile, stockpile

START, STOCKPILE_BONUS, CHOOSE, STOCKPILE, FINISH, PLACE = range(6)
COLONISTS_GAINED = 2
MOST_SETTLES = 4  # capacity of state.settled


@njit_inline
def start_seat(tables: Record, state: Record, seat: int) -> None:
    """Give the colonists of the bonus and of powers, and forget the last seat's temporary Military."""
    before = state.colonists[seat]
    if seat == state.bonus_seat:
        gain_colonists(tables, state, seat, int64(1))
    if state.sums[seat, Effect.SETTLE_COLONISTS] > 0:
        gain_colonists(tables, state, seat, state.sums[seat, Effect.SETTLE_COLONISTS])
    state.gained = state.colonists[seat] - before
    state.settles_left = min(1 + state.sums[seat, Effect.SETTLE_SECOND], MOST_SETTLES)
    state.settled_n = 0
    state.temp_military = 0
    for i in range(state.n_temps[seat]):
        state.temp_used[i] = 0
    state.stage = CHOOSE
    if tables.ruling[Ruling.STOCKPILE_GAINS] == 1 and state.gained > 0 and colonist_room(tables, state, seat) > 0:
        state.stage = STOCKPILE_BONUS


@njit
def colonist_room(tables: Record, state: Record, seat: int) -> int:
    """Return how many colonists the seat may stockpile."""
    return room_to_stockpile(tables, state, seat, StockpileKind.COLONISTS)


@njit_inline
def offer_worlds(tables: Record, state: Record, options: Record, seat: int) -> int:
    """Offer the worlds within reach; return whether temporary Military could bring a further one."""
    wanting = False
    for place in range(state.n_explored[seat]):
        tile = state.explored[seat, place]
        if tables.colonists[tile] > state.colonists[seat]:
            continue
        if tables.military[tile] == 1:
            if military_against(tables, state, seat, tile) >= tables.defense[tile]:
                offer(options, Option.CONQUER, place, tile)
            else:
                wanting = True
            cost = pay_military_cost(tables, state, seat, tile)
            if 0 <= cost <= state.credits[seat]:
                offer(options, Option.PAY, place, cost)
        else:
            cost = settle_cost(tables, state, seat, tile)
            if cost <= state.credits[seat]:
                offer(options, Option.PAY, place, cost)
    return wanting


@njit_inline
def offer_temporary(tables: Record, state: Record, options: Record, seat: int) -> None:
    """Offer every unused temporary Military power with what it may spend."""
    for i in range(state.n_temps[seat]):
        if state.temp_used[i]:
            continue
        power = tables.power[state.temp_tile[seat, i], state.temp_power[seat, i]]
        if power[CREDITS] > 0:
            if power[CREDITS] <= state.credits[seat]:
                offer(options, Option.USE_CREDITS, i, power[CREDITS])
        else:
            for slot in range(state.n_colonies[seat]):
                if state.colony_good[seat, slot] and (tables.good_mask[state.colony[seat, slot]] >> power[FILTER]) & 1:
                    offer(options, Option.USE_GOOD, i, slot)


@njit_inline
def offer_settling(tables: Record, state: Record, options: Record, seat: int) -> bool:
    """Offer what the seat may do next in its Settle action; False when it has finished."""
    if state.settles_left <= 0 or state.n_colonies[seat] >= COLONIES:
        return False
    if offer_worlds(tables, state, options, seat):
        offer_temporary(tables, state, options, seat)
    if state.settled_n == 0:
        ask(state, seat, Decision.SETTLE)
        offer_plain(options, Option.COLONISTS)
        if tables.ruling[Ruling.SETTLE_CHOICE] == 1:
            offer_plain(options, Option.PASS)
        return True
    if options.count > 0:
        ask(state, seat, Decision.SETTLE_AGAIN)
        offer_plain(options, Option.PASS)
        return True
    return False


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice; False when all have settled and placed what they drew."""
    while state.stage != PLACE and state.cursor < state.n_resolve:
        seat = state.resolve[state.cursor]
        if state.stage == START:
            start_seat(tables, state, seat)
        if state.stage == STOCKPILE_BONUS or state.stage == STOCKPILE:
            return offer_amounts(tables, state, options, seat, StockpileKind.COLONISTS)
        if state.stage == CHOOSE:
            if offer_settling(tables, state, options, seat):
                return True
            state.stage = FINISH
        finish_seat(tables, state, seat)
        state.cursor += 1
        state.stage = START
    if state.stage != PLACE:
        state.stage = PLACE
        placing.begin(state)
    return placing.options(tables, state, options)


@njit_inline
def finish_seat(tables: Record, state: Record, seat: int) -> None:
    """Put the powers of the worlds settled in this action into force."""
    for i in range(state.settled_n):
        tile = state.colony[seat, state.settled[i]]
        if tables.ruling[Ruling.SETTLE_COUNTS] == 1:
            count_tile(tables, state, seat, tile)
        install(tables, state, seat, tile)
    state.temp_military = 0


@njit
def after_settling(tables: Record, state: Record, seat: int, effect: int, mask: int) -> int:
    """Return what powers give after settling a world; R28: also those of worlds settled in this action."""
    amount = filtered(state, seat, effect, mask)
    if tables.ruling[Ruling.SETTLE_SELF_TRIGGER] == 1:
        for i in range(state.settled_n):
            tile = state.colony[seat, state.settled[i]]
            for p in range(tables.n_powers[tile]):
                if tables.power[tile, p, EFFECT] == effect and (mask >> tables.power[tile, p, FILTER]) & 1:
                    amount += tables.power[tile, p, AMOUNT]
    return amount


@njit_inline
def settle_world(tables: Record, state: Record, seat: int, place: int, cost: int) -> None:
    """Move a world to the colonies: colonists, credits, its good, and what powers give after settling."""
    tile = state.explored[seat, place]
    explored = state.explored_round[seat, place]
    placing.remove_explored(state, seat, place)
    slot = state.n_colonies[seat]
    state.colony[seat, slot] = tile
    state.colony_good[seat, slot] = tables.place_good[tile]
    state.colony_explored[seat, slot] = explored
    state.colony_settled[seat, slot] = state.round_no
    state.n_colonies[seat] = slot + 1
    state.colonists[seat] -= tables.colonists[tile]
    state.placed_colonists[seat] += tables.colonists[tile]
    state.credits[seat] -= cost
    state.settled[state.settled_n] = slot
    state.settled_n += 1
    state.settles_left -= 1
    if tables.ruling[Ruling.SETTLE_COUNTS] == 0:
        count_tile(tables, state, seat, tile)
    mask = tables.mask[tile]
    state.credits[seat] += after_settling(tables, state, seat, Effect.SETTLE_AFTER_CREDITS, mask)
    colonists = after_settling(tables, state, seat, Effect.SETTLE_AFTER_COLONISTS, mask)
    if colonists > 0:
        gain_colonists(tables, state, seat, colonists)
    chips = after_settling(tables, state, seat, Effect.SETTLE_AFTER_CHIPS, mask)
    if chips > 0:
        gain_chips(state, seat, chips)
    for _ in range(after_settling(tables, state, seat, Effect.SETTLE_AFTER_DRAW, mask)):
        if state.bag_n > 0:
            placing.take_fresh(tables, state, seat, draw_world(tables, state))


@njit_inline
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Carry out a choice of the seat at work."""
    seat = state.actor
    kind = options.kind[choice]
    a = options.a[choice]
    b = options.b[choice]
    if state.stage == PLACE:
        placing.apply(state, options, choice)
    elif kind == Option.CONQUER:
        settle_world(tables, state, seat, a, int64(0))
    elif kind == Option.PAY:
        settle_world(tables, state, seat, a, b)
    elif kind == Option.USE_GOOD or kind == Option.USE_CREDITS:
        state.temp_used[a] = 1
        state.temp_military += tables.power[state.temp_tile[seat, a], state.temp_power[seat, a], AMOUNT]
        if kind == Option.USE_GOOD:
            state.colony_good[seat, b] = 0
        else:
            state.credits[seat] -= b
    elif kind == Option.COLONISTS:
        state.gained = gain_colonists(tables, state, seat, int64(COLONISTS_GAINED))
        state.stage = STOCKPILE if state.gained > 0 and colonist_room(tables, state, seat) > 0 else FINISH
    elif kind == Option.AMOUNT:
        stockpile(state, seat, StockpileKind.COLONISTS, a)
        state.stage = FINISH if state.stage == STOCKPILE else CHOOSE
    else:
        state.stage = FINISH
