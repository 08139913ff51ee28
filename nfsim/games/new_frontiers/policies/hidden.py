"""What a seat cannot know: put in order, and dealt anew for a rollout.

Hidden are the order of draws from the bag, the goal stack, and the other seats' face-down goals. What lies in
the bag is known: every world outside it lies open. Goals that a seat has seen and put under the stack are dealt
anew with the rest, so it is taken to remember less than it may.
"""

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.rng import shuffle
from nfsim.engine.records import Ints, Record


@njit
def sort(values: Ints, count: int) -> None:
    """Sort the first `count` values in place; they are few."""
    for i in range(1, count):
        value = values[i]
        place = i
        while place > 0 and values[place - 1] > value:
            values[place] = values[place - 1]
            place -= 1
        values[place] = value


@njit
def gather_hidden(state: Record, seat: int) -> None:
    """Take the others' face-down goals into the goal stack, in front; their owners stay marked by `goal_down`."""
    for other in range(state.n_seats):
        goal = state.goal_down[other]
        if other != seat and goal >= 0:
            for i in range(state.goal_deck_n, 0, -1):
                state.goal_deck[i] = state.goal_deck[i - 1]
            state.goal_deck[0] = goal
            state.goal_deck_n += 1
            state.goal_where[goal] = 0
            state.goal_by[goal] = -1


@njit
def deal_hidden(state: Record, seat: int) -> None:
    """Give each other seat that has a face-down goal the next one from the goal stack."""
    for other in range(state.n_seats):
        if other != seat and state.goal_down[other] >= 0:
            goal = state.goal_deck[0]
            state.goal_deck_n -= 1
            for i in range(state.goal_deck_n):
                state.goal_deck[i] = state.goal_deck[i + 1]
            state.goal_down[other] = goal
            state.goal_where[goal] = 1
            state.goal_by[goal] = other


@njit
def forget_hidden(_tables: Record, state: Record, seat: int) -> None:
    """Put everything hidden from the seat in one order, so that positions it cannot tell apart become the same."""
    sort(state.bag, state.bag_n)
    gather_hidden(state, seat)
    sort(state.goal_deck, state.goal_deck_n)
    deal_hidden(state, seat)
    state.draw_key = 0
    state.draw_counter = 0


@njit
def deal_anew(_tables: Record, state: Record, seat: int, key: int) -> None:
    """Deal everything hidden from the seat anew, from the stream `key`."""
    gather_hidden(state, seat)
    shuffle(key, int64(0), state.goal_deck, state.goal_deck_n)
    deal_hidden(state, seat)
    state.draw_key = key
    state.draw_counter = state.goal_deck_n  # behind what the shuffle used
