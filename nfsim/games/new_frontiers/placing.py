"""Placing worlds taken in an action: Xeno worlds may go back, others may be stockpiled, the limit holds."""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Decision, Option, StockpileKind
from nfsim.games.new_frontiers.layout import EXPLORED, FRESH
from nfsim.games.new_frontiers.powers import is_xeno
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import ask, offer, return_world
from nfsim.games.new_frontiers.supply import room_to_stockpile


@njit_inline
def take_fresh(tables: Record, state: Record, seat: int, tile: int) -> None:
    """Note a world taken in this action; it is placed when the action ends for the seat."""
    state.xeno_taken[seat] += is_xeno(tables, tile)
    n = state.fresh_n
    if n < FRESH:
        state.fresh[n] = tile
        state.fresh_seat[n] = seat
        state.fresh_n = n + 1
    else:
        return_world(state, tile)


@njit_inline
def xeno_explored(tables: Record, state: Record, seat: int) -> int:
    """Return how many unconquered Xeno worlds the seat has placed."""
    count = 0
    for place in range(state.n_explored[seat]):
        count += is_xeno(tables, state.explored[seat, place])
    return count


@njit
def may_keep_xeno(tables: Record, state: Record, seat: int) -> bool:
    """Return whether a further Xeno world fits: placed ones can never make room (000 p. 1, R9)."""
    if tables.ruling[Ruling.XENO_OVER_LIMIT] == 1:
        return state.n_explored[seat] < EXPLORED
    fixed = state.n_colonies[seat] - 1 + xeno_explored(tables, state, seat)
    return fixed + 1 <= tables.world_limit


@njit_inline
def place_world(state: Record, seat: int, tile: int) -> None:
    """Add a world to the explored ones of a seat; one beyond the capacity, far over the limit, goes back."""
    n = state.n_explored[seat]
    if n < EXPLORED:
        state.explored[seat, n] = tile
        state.explored_round[seat, n] = state.round_no
        state.n_explored[seat] = n + 1
    else:
        return_world(state, tile)


@njit_inline
def remove_explored(state: Record, seat: int, place: int) -> None:
    """Take an explored world out of the row, the others moving up."""
    n = state.n_explored[seat] - 1
    for i in range(place, n):
        state.explored[seat, i] = state.explored[seat, i + 1]
        state.explored_round[seat, i] = state.explored_round[seat, i + 1]
    state.n_explored[seat] = n


@njit
def begin(state: Record) -> None:
    """Begin to place the worlds taken in this action, seat by seat in the order of the action."""
    state.cursor = 0
    state.power_at = 0


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice in placing; False when every seat has placed its worlds."""
    while state.cursor < state.n_resolve:
        if offer_placing(tables, state, options, state.resolve[state.cursor]):
            return True
        state.cursor += 1
        state.power_at = 0
    return False


@njit_inline
def offer_placing(tables: Record, state: Record, options: Record, seat: int) -> bool:
    """Offer the next choice in placing the seat's fresh worlds; False when all is placed."""
    while state.power_at < state.fresh_n:
        i = state.power_at
        tile = state.fresh[i]
        if state.fresh_seat[i] != seat:
            state.power_at += 1
        elif is_xeno(tables, tile):
            ask(state, seat, Decision.KEEP_XENO)
            if may_keep_xeno(tables, state, seat):
                offer(options, Option.KEEP, tile, seat)
            offer(options, Option.GIVE_BACK, tile, seat)
            return True
        elif room_to_stockpile(tables, state, seat, StockpileKind.WORLDS) > 0:
            ask(state, seat, Decision.STOCKPILE_WORLD)
            offer(options, Option.STOCKPILE_IT, tile, seat)
            offer(options, Option.PLACE_IT, tile, seat)
            return True
        else:
            place_world(state, seat, tile)
            state.power_at += 1
    if state.n_colonies[seat] - 1 + state.n_explored[seat] > tables.world_limit:
        ask(state, seat, Decision.DISCARD_WORLD)
        for place in range(state.n_explored[seat]):
            tile = state.explored[seat, place]
            if not is_xeno(tables, tile):
                offer(options, Option.DISCARD, place, tile)
        return options.count > 0
    return False


@njit_inline
def apply(state: Record, options: Record, choice: int) -> None:
    """Carry out a choice offered by `options`."""
    kind = options.kind[choice]
    seat = state.actor
    if kind == Option.DISCARD:
        return_world(state, options.b[choice])
        remove_explored(state, seat, options.a[choice])
        return
    tile = options.a[choice]
    if kind == Option.GIVE_BACK:
        return_world(state, tile)
    elif kind == Option.STOCKPILE_IT:
        state.stored[seat, state.stockpile[seat, StockpileKind.WORLDS]] = tile
        state.stockpile[seat, StockpileKind.WORLDS] += 1
    else:
        place_world(state, seat, tile)
    state.power_at += 1
