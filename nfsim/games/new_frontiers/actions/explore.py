"""Explore: worlds are shown, each player takes one, the selector one more (001; 000 p. 1: 8 worlds)."""

from nfsim.compiled.jit import njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers import placing
from nfsim.games.new_frontiers.codes import Decision, Effect, Option
from nfsim.games.new_frontiers.state import ask, draw_world, offer, return_world
from nfsim.games.new_frontiers.supply import gain_colonists

START, PICK, BONUS, POWER_PICK, BLIND, PLACE = range(6)


@njit_inline
def show_worlds(tables: Record, state: Record) -> None:
    """Draw the worlds of the action and give what powers give at its start."""
    state.shown_n = min(tables.explore_worlds, state.bag_n)
    for i in range(state.shown_n):
        state.shown[i] = draw_world(tables, state)
    for k in range(state.n_resolve):
        seat = state.resolve[k]
        state.credits[seat] += state.sums[seat, Effect.EXPLORE_CREDITS]
        if state.sums[seat, Effect.EXPLORE_COLONISTS] > 0:
            gain_colonists(tables, state, seat, state.sums[seat, Effect.EXPLORE_COLONISTS])


@njit_inline
def offer_shown(state: Record, options: Record, seat: int) -> bool:
    """Offer every world shown."""
    ask(state, seat, Decision.EXPLORE_PICK)
    for place in range(state.shown_n):
        offer(options, Option.TAKE, place, state.shown[place])
    return True


@njit_inline
def blind_draws(tables: Record, state: Record) -> None:
    """Draw the worlds of 'after your Explore picks draw' powers, then return what is still shown."""
    for k in range(state.n_resolve):
        seat = state.resolve[k]
        for _ in range(state.sums[seat, Effect.EXPLORE_DRAW]):
            if state.bag_n > 0:
                placing.take_fresh(tables, state, seat, draw_world(tables, state))
    for place in range(state.shown_n):
        return_world(state, state.shown[place])
    state.shown_n = 0


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice; False when the action is over."""
    if state.stage == START:
        show_worlds(tables, state)
        state.stage = PICK
        state.cursor = 0
    if state.stage == PICK:
        if state.cursor < state.n_resolve and state.shown_n > 0:
            return offer_shown(state, options, state.resolve[state.cursor])
        state.stage = BONUS
    if state.stage == BONUS:
        if state.bonus_seat >= 0 and state.shown_n > 0:
            return offer_shown(state, options, state.bonus_seat)
        start_power_picks(state)
    if state.stage == POWER_PICK:
        while state.cursor < state.n_resolve:
            seat = state.resolve[state.cursor]
            if state.bonus_left < 0:
                state.bonus_left = state.sums[seat, Effect.EXPLORE_PICK]
            if state.bonus_left > 0 and state.shown_n > 0:
                return offer_shown(state, options, seat)
            state.cursor += 1
            state.bonus_left = -1
        state.stage = BLIND
    if state.stage == BLIND:
        blind_draws(tables, state)
        state.stage = PLACE
        placing.begin(state)
    return placing.options(tables, state, options)


@njit_inline
def start_power_picks(state: Record) -> None:
    """Go on to the picks that powers give."""
    state.stage = POWER_PICK
    state.cursor = 0
    state.bonus_left = -1


@njit_inline
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Carry out a choice: a world taken, or one placed."""
    if state.stage == PLACE:
        placing.apply(state, options, choice)
        return
    placing.take_fresh(tables, state, state.actor, options.b[choice])
    state.shown_n -= 1
    for place in range(options.a[choice], state.shown_n):
        state.shown[place] = state.shown[place + 1]
    if state.stage == PICK:
        state.cursor += 1
    elif state.stage == BONUS:
        start_power_picks(state)
    else:
        state.bonus_left -= 1
