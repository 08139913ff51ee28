"""Develop: each player may buy one development it does not own; the selector pays 1 less (001)."""

from nfsim.compiled.jit import njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Decision, Effect, Option
from nfsim.games.new_frontiers.layout import DEVELOPMENTS
from nfsim.games.new_frontiers.powers import count_tile, develop_cost, filtered, install
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import ask, offer, offer_plain
from nfsim.games.new_frontiers.supply import gain_colonists


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Offer the next player what it can buy; False when all have had their turn."""
    while state.cursor < state.n_resolve:
        seat = state.resolve[state.cursor]
        bonus = 1 if seat == state.bonus_seat else 0
        owned = state.owned[seat]
        for stack in range(tables.n_stacks):
            if state.stack_left[stack] > 0 and not (owned >> stack) & 1:
                tile = tables.stack_face[stack, state.stack_side[stack]]
                cost = develop_cost(tables, state, seat, tile, bonus)
                if cost <= state.credits[seat]:
                    offer(options, Option.BUY, tile, cost)
        if options.count > 0 and state.n_devs[seat] < DEVELOPMENTS:
            ask(state, seat, Decision.DEVELOP)
            offer_plain(options, Option.PASS)
            return True
        options.count = 0
        state.cursor += 1
    return False


@njit_inline
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Buy the development; it works from the moment it is placed (001; R21)."""
    seat = state.actor
    state.cursor += 1
    if options.kind[choice] == Option.PASS:
        return
    tile = options.a[choice]
    state.credits[seat] -= options.b[choice]
    for stack in range(tables.n_stacks):
        if tables.stack_face[stack, state.stack_side[stack]] == tile:
            state.stack_left[stack] -= 1
            state.owned[seat] |= 1 << stack
    n = state.n_devs[seat]
    state.dev[seat, n] = tile
    state.dev_round[seat, n] = state.round_no
    state.n_devs[seat] = n + 1
    state.dev_spaces[seat] += tables.spaces[tile]
    count_tile(tables, state, seat, tile)
    mask = tables.mask[tile]
    own_too = tables.ruling[Ruling.DEVELOP_SELF_TRIGGER] == 0
    if own_too:
        install(tables, state, seat, tile)
    state.credits[seat] += filtered(state, seat, Effect.DEVELOP_CREDITS, mask)
    colonists = filtered(state, seat, Effect.DEVELOP_COLONISTS, mask)
    if colonists > 0:
        gain_colonists(tables, state, seat, colonists)
    if not own_too:
        install(tables, state, seat, tile)
