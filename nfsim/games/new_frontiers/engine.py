"""The engine: a resumable state machine through which every decision of every seat goes.

`advance` plays on until a seat must decide, a round has ended or the game is over; `apply` carries
out the option chosen. A decision with a single option is an event of its own: whoever plays applies it
without asking, and it is not counted. (Applying it here would put a second copy of `apply` into the
compiled kernel.)
"""

from nfsim.compiled.jit import njit_inline
from nfsim.compiled.status import Status
from nfsim.engine.records import Record
from nfsim.engine.rules import Event
from nfsim.games.new_frontiers import setup
from nfsim.games.new_frontiers.actions import (
    chart,
    develop,
    envoys,
    explore,
    produce,
    retreat,
    settle,
    trade_consume,
)
from nfsim.games.new_frontiers.codes import Action, ChosenBy, Decision, EndReason, Option
from nfsim.games.new_frontiers.layout import ACTIONS
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.scoring import score
from nfsim.games.new_frontiers.solo import dummy_rule
from nfsim.games.new_frontiers.state import Step, ask, offer
from nfsim.games.new_frontiers.track import seat_on, up_one

COLONIES_END = int(EndReason.COLONIES)
COLONISTS_END = int(EndReason.COLONISTS)
DEVELOPMENTS_END = int(EndReason.DEVELOPMENTS)
ROUND_LIMIT_END = int(EndReason.ROUND_LIMIT)
VP_CHIPS_END = int(EndReason.VP_CHIPS)
DECISION_EVENT = int(Event.DECISION)
FINISHED_EVENT = int(Event.FINISHED)
FORCED_EVENT = int(Event.FORCED)
ROUND_ENDED_EVENT = int(Event.ROUND_ENDED)


@njit_inline
def advance(tables: Record, state: Record, options: Record) -> int:
    """Play on and return an `Event` number; on DECISION the options hold two or more choices."""
    while True:
        options.count = 0
        step = state.step
        if step == Step.ACT:
            asking = act(tables, state, options)
            if not asking:
                state.step = Step.NEXT
        elif step == Step.SELECT:
            asking = select(tables, state, options)
        elif step == Step.NEXT:
            asking = False
            state.turn += 1
            state.step = Step.SELECT if state.turn < state.n_turns else Step.ROUND_END
        elif step == Step.ROUND:
            asking = False
            start_round(tables, state)
        elif step == Step.ROUND_END:
            end_round(tables, state)
            return ROUND_ENDED_EVENT
        elif step == Step.SIDES:
            asking = setup.offer_sides(tables, state, options)
            if not asking:
                state.step = Step.MASTERY
        elif step == Step.MASTERY:
            asking = setup.offer_mastery(tables, state, options)
            if not asking:
                state.step = Step.ROUND
        else:
            return FINISHED_EVENT
        if asking:
            if options.overflow > 0:
                state.status = Status.OPTIONS_FULL
                state.step = Step.OVER
            elif options.count == 1:
                return FORCED_EVENT
            elif options.count < 1:
                state.status = Status.BROKEN_RULE
                state.step = Step.OVER
            else:
                state.asked[state.decision] += 1
                state.options_seen[state.decision] += options.count
                return DECISION_EVENT


@njit_inline
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Carry out option number `choice` of those offered."""
    step = state.step
    if step == Step.SELECT:
        by = ChosenBy.PLAYER if state.decision == Decision.SELECT_ACTION else ChosenBy.PLAYER_FOR_DUMMY
        select_action(tables, state, options.a[choice], by)
    elif step == Step.SIDES:
        setup.place_home(tables, state, options, choice)
    elif step == Step.MASTERY:
        state.stack_side[tables.mastery_stack] = options.a[choice]
        state.step = Step.ROUND
    elif state.action == Action.SETTLE:
        settle.apply(tables, state, options, choice)
    elif state.action == Action.EXPLORE:
        explore.apply(tables, state, options, choice)
    elif state.action == Action.DEVELOP:
        develop.apply(tables, state, options, choice)
    elif state.action == Action.TRADE_CONSUME:
        trade_consume.apply(tables, state, options, choice)
    elif state.action == Action.PRODUCE:
        produce.apply(state, options, choice)
    else:
        chart.apply(state, options, choice)


@njit_inline
def act(tables: Record, state: Record, options: Record) -> bool:
    """Go on with the action being resolved; True when a seat must choose."""
    action = state.action
    if action == Action.SETTLE:
        return settle.options(tables, state, options)
    if action == Action.EXPLORE:
        return explore.options(tables, state, options)
    if action == Action.DEVELOP:
        return develop.options(tables, state, options)
    if action == Action.TRADE_CONSUME:
        return trade_consume.options(tables, state, options)
    if action == Action.PRODUCE:
        return produce.options(tables, state, options)
    if action == Action.CHART:
        return chart.options(tables, state, options)
    return False


@njit_inline
def start_round(tables: Record, state: Record) -> None:
    """Fix the round's turn order: the disks from the top of the track."""
    state.round_no += 1
    state.turn = 0
    n = 0
    for _ in range(tables.selections):
        space = 1
        found = 0
        while found < state.n_seats:
            seat = seat_on(state, space)
            space += 1
            if seat >= 0:
                state.turn_seat[n] = seat
                n += 1
                found += 1
    state.n_turns = n
    setup.free_tiles(tables, state)
    state.step = Step.SELECT


@njit_inline
def select(tables: Record, state: Record, options: Record) -> bool:
    """Let the seat whose turn it is select an available action tile; a dummy by its rule where that says."""
    seat = state.turn_seat[state.turn]
    if seat >= tables.players:
        forced = dummy_rule(state)
        if forced >= 0:
            select_action(tables, state, forced, ChosenBy.RULE)
            return False
        ask(state, tables.players - 1, Decision.SELECT_FOR_DUMMY)
    else:
        ask(state, seat, Decision.SELECT_ACTION)
    for action in range(ACTIONS):
        if not state.taken[action]:
            offer(options, Option.ACTION, action, seat)
    return True


@njit_inline
def select_action(tables: Record, state: Record, action: int, by: int) -> None:
    """Take an action tile, give the selector's bonus (a dummy: its part of it), and begin the action."""
    seat = state.turn_seat[state.turn]
    state.taken[action] = 1
    state.turn_action[state.turn] = action
    state.turn_by[state.turn] = by
    state.action = action
    state.selector = seat
    is_player = seat < tables.players
    state.bonus_seat = seat if is_player else -1
    order_players(tables, state)
    state.stage = 0
    state.cursor = 0
    state.fresh_n = 0
    state.step = Step.ACT
    if action == Action.PRODUCE:
        produce.begin(state)
    elif action == Action.TRADE_CONSUME:
        trade_consume.begin(state)
        if not is_player:
            state.supply_vp = max(0, state.supply_vp - 1)
    elif action == Action.SETTLE:
        if not is_player:
            state.supply_colonists = max(0, state.supply_colonists - 1)
    elif action == Action.ENVOYS:
        envoys.begin(tables, state)
        if not is_player:
            state.supply_vp = max(0, state.supply_vp - 1)
    elif action == Action.CHART:
        chart.begin(tables, state)
    elif action == Action.RETREAT:
        retreat.begin(state)


@njit_inline
def order_players(tables: Record, state: Record) -> None:
    """Order the players for the action: the selector, then from it on or from the top (R5)."""
    seats = state.n_seats
    first = state.turn % seats
    n = 0
    if tables.ruling[Ruling.RESOLVE_ORDER] == 0:
        for k in range(seats):
            seat = state.turn_seat[(first + k) % seats]
            if seat < tables.players:
                state.resolve[n] = seat
                n += 1
    else:
        if state.selector < tables.players:
            state.resolve[0] = state.selector
            n = 1
        for k in range(seats):
            seat = state.turn_seat[k]
            if seat < tables.players and seat != state.selector:
                state.resolve[n] = seat
                n += 1
    state.n_resolve = n


@njit_inline
def end_round(tables: Record, state: Record) -> None:
    """Put the credit on Produce, move what still moves, and see whether the game is over (001)."""
    if not state.taken[Action.PRODUCE]:
        state.produce_credits += 1
    if state.chart_pending >= 0:
        up_one(tables, state, state.chart_pending)
        state.chart_pending = -1
    state.end_mask = end_triggers(tables, state)
    for seat in range(tables.players):
        score(tables, state, seat)
    state.step = Step.ROUND
    if state.end_mask > 0:
        state.step = Step.OVER
        only_limit = state.end_mask == 1 << ROUND_LIMIT_END
        state.status = Status.ROUND_LIMIT if only_limit and tables.limit_is_end == 0 else Status.FINISHED


@njit_inline
def end_triggers(tables: Record, state: Record) -> int:
    """Return the mask of the end conditions that hold (rules section 4)."""
    mask = 0
    for seat in range(tables.players):
        if state.n_colonies[seat] >= tables.colony_end:
            mask |= 1 << COLONIES_END
        placed = state.n_devs[seat]
        if tables.ruling[Ruling.DEVELOPMENT_END] == 1:
            placed = state.dev_spaces[seat]  # then development_end is 11, the first red space
        if placed >= tables.development_end:
            mask |= 1 << DEVELOPMENTS_END
    if state.supply_vp <= 0:
        mask |= 1 << VP_CHIPS_END
    if state.supply_colonists <= tables.colonist_end:
        mask |= 1 << COLONISTS_END
    if state.round_no >= tables.round_limit:
        mask |= 1 << ROUND_LIMIT_END
    return mask
