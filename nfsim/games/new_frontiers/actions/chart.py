"""Chart Galactic Goals (the side with goals): the selector gains 1 credit, moves up, and draws goals (001; 000 p. 1-2).

It keeps one face down, returns the others to the bottom in an order of its choice, and turns its
earlier face-down goal up. With a dummy only the disk moves (000 p. 2).
"""

from nfsim.compiled.jit import njit
from nfsim.engine.records import Record, note_drawn
from nfsim.games.new_frontiers.codes import Decision, Option
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import Drawn, ask, offer
from nfsim.games.new_frontiers.track import up_one

START, KEEP, RETURN = range(3)


@njit
def begin(tables: Record, state: Record) -> None:
    """Move the selector's disk (now or at the round's end, R7) and pay its credit."""
    if tables.ruling[Ruling.CHART_PRIORITY] == 0:
        up_one(tables, state, state.selector)
    else:
        state.chart_pending = state.selector
    if state.bonus_seat >= 0:
        state.credits[state.bonus_seat] += 1


@njit
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice of a goal; False when the action is over."""
    if state.bonus_seat < 0:
        return False
    if state.stage == START:
        draw_goals(tables, state)
        state.stage = KEEP
    if state.goal_hand_n == 0:
        return False
    ask(state, state.bonus_seat, Decision.KEEP_GOAL if state.stage == KEEP else Decision.RETURN_GOAL)
    for i in range(state.goal_hand_n):
        offer(options, Option.GOAL, state.goal_hand[i], i)
    return True


@njit
def draw_goals(tables: Record, state: Record) -> None:
    """Take goals from the top of the stack and turn the earlier face-down goal up."""
    seat = state.bonus_seat
    n = min(tables.chart_goals, state.goal_deck_n)
    for i in range(n):
        state.goal_hand[i] = state.goal_deck[i]
        note_drawn(state, Drawn.GOAL, state.goal_deck[i])
    state.goal_hand_n = n
    state.goal_deck_n -= n
    for i in range(state.goal_deck_n):
        state.goal_deck[i] = state.goal_deck[i + n]
    turned_up = n > 0 or tables.ruling[Ruling.CHART_EMPTY] == 0  # R30
    if state.goal_down[seat] >= 0 and turned_up:
        state.goal_where[state.goal_down[seat]] = 2
        state.face_up |= 1 << state.goal_down[seat]
        state.goal_down[seat] = -1


@njit
def apply(state: Record, options: Record, choice: int) -> None:
    """Keep a goal, or put one under the stack."""
    goal = options.a[choice]
    state.goal_hand_n -= 1
    for i in range(options.b[choice], state.goal_hand_n):
        state.goal_hand[i] = state.goal_hand[i + 1]
    if state.stage == KEEP:
        seat = state.actor
        state.goal_where[goal] = 1
        state.goal_by[goal] = seat
        state.goal_down[seat] = goal
        state.stage = RETURN
    else:
        state.goal_deck[state.goal_deck_n] = goal
        state.goal_deck_n += 1
