"""Steps of the engine, and the small helpers every rule uses.

The records themselves are declared in `layout.py`.
"""

from enum import IntEnum

from nfsim.compiled.jit import njit_inline
from nfsim.compiled.rng import below
from nfsim.engine.records import Record, note_drawn
from nfsim.games.new_frontiers.layout import BAG, OPTIONS
from nfsim.games.new_frontiers.powers import is_xeno


class Step(IntEnum):
    """Where the engine goes on (`state.step`)."""

    SIDES = 0  # each player chooses a side of its mat
    MASTERY = 1  # campaign 6: the player chooses a stack's side
    ROUND = 2  # a round begins
    SELECT = 3  # the next seat selects an action tile
    ACT = 4  # the action is carried out
    NEXT = 5  # the action is over
    ROUND_END = 6
    OVER = 7


class Drawn(IntEnum):
    """Kinds of random outcomes in `state.drawn`."""

    WORLD = 0  # a world from the bag
    GOAL = 1  # a goal from the stack
    MAT = 2  # the mat of the next seat in start order
    STACK = 3  # the development tile that lies up in the next two-sided stack
    SEAT = 4  # the next seat in start order


@njit_inline
def ask(state: Record, actor: int, decision: int) -> None:
    """Say who must decide what; the options follow with `offer`."""
    state.actor = actor
    state.decision = decision


@njit_inline
def offer(options: Record, kind: int, a: int, b: int) -> None:
    """Append an option; one that finds no place is counted in `overflow`."""
    n = options.count
    if n < OPTIONS:
        options.kind[n] = kind
        options.a[n] = a
        options.b[n] = b
        options.count = n + 1
    else:
        options.overflow += 1


@njit_inline
def offer_plain(options: Record, kind: int) -> None:
    """Append an option without numbers."""
    n = options.count
    if n < OPTIONS:
        options.kind[n] = kind
        options.a[n] = -1
        options.b[n] = -1
        options.count = n + 1
    else:
        options.overflow += 1


@njit_inline
def draw_world(tables: Record, state: Record) -> int:
    """Take a random world from the bag, which must not be empty."""
    place = below(state.draw_key, state.draw_counter, state.bag_n)
    state.draw_counter += 1
    tile = state.bag[place]
    state.bag_n -= 1
    state.bag[place] = state.bag[state.bag_n]
    state.draws += 1
    state.xeno_draws += is_xeno(tables, tile)
    note_drawn(state, Drawn.WORLD, tile)
    return tile


@njit_inline
def return_world(state: Record, tile: int) -> None:
    """Put a world back into the bag."""
    if state.bag_n < BAG:
        state.bag[state.bag_n] = tile
        state.bag_n += 1
