"""Compiled: random games in which after each round everything is counted anew, and each list of options is read.

A check that fails is counted in `found` under its number in `Broken`, and where it failed first is kept. This is
the fast form of tests/recount.py, for millions of games; it stands outside the package, so that the rules' compiled
code does not depend on it.
"""

from enum import IntEnum

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.status import Status
from nfsim.engine.playing import NO_CHOICE, begin, get_ready, play_on
from nfsim.engine.records import Record
from nfsim.engine.rules import Event
from nfsim.games.new_frontiers.codes import ADDITIVE_EFFECTS, Action, Class, Effect, Good, Option, StockpileKind
from nfsim.games.new_frontiers.layout import CLASSES, EXPLORED, FEEDERS, FRESH, SPECIALS, TEMPS, WORLDS
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.scoring import Part

XENO = int(Class.XENO)
ANY = int(Class.ANY)
EFFECT, FILTER, AMOUNT = range(3)  # in layout.POWER_FIELDS
GAME, ROUND, SEAT = range(3)  # in `where`


class Broken(IntEnum):
    """What can be found broken."""

    STATUS = 0  # a game ended otherwise than finished or at its round limit, or ran on beyond it
    SCORE_SUM = 1  # the total is not the sum of its parts
    SCORE_PARTS = 2  # a part is not what the tiles say
    COLONISTS = 3  # lost or made from nothing
    CHIPS = 4
    WORLDS = 5  # a world is in no place, or in two
    DEVELOPMENTS = 6
    GOALS = 7
    NEGATIVE = 8
    WORLD_LIMIT = 9  # more than eight worlds beside home
    CAPACITY = 10  # a list of the records is full
    COUNTS = 11  # counts kept are not those of the tiles
    SUMS = 12  # sums kept are not those of the powers
    MILITARY = 13
    TRACK = 14  # two disks on one space
    SELECTIONS = 15  # an action selected twice, or one that is not in this game
    GOODS = 16  # a good where none can lie
    OPTION_COUNT = 17  # a decision among fewer than two options
    OPTION_TWICE = 18
    OPTION_ILLEGAL = 19


@njit
def note(found: Record, where: Record, what: int, game: int, round_no: int, seat: int) -> None:
    """Count something broken; keep the first place."""
    if found[what] == 0:
        where[what, GAME] = game
        where[what, ROUND] = round_no
        where[what, SEAT] = seat
    found[what] += 1


@njit
def play_checked(
    tables: Record,
    policies: Record,
    stack_of: Record,
    root: int,
    first: int,
    n: int,
    states: Record,
    memory: Record,
    options: Record,
    scratch: Record,
    found: Record,
    where: Record,
    done: Record,
) -> None:
    """Play games `first` … `first + n - 1` with policies that do not look ahead, and check them.

    Parameters
    ----------
    tables, policies, root, first, n, states, memory, options
        As `kernel.play_games`.
    stack_of : int64 array, shape (tile,)
        Stack of each development, -1 of other tiles.
    scratch : int64 array, shape (WORLDS + EFFECTS, CLASSES)
        Zeros; zeros again afterwards.
    found : int64 array, shape (Broken,)
        Violations, added up.
    where : int64 array, shape (Broken, 3)
        Game, round and seat of the first one of each sort.
    done : int64 array, shape (4,)
        Games, rounds and decisions checked, added up; the number of the game at work.
    """
    get_ready(tables, policies)
    state = states[0]
    shown = options[0]
    for number in range(n):
        game = first + number
        done[3] = game
        begin(tables, state, memory[0], root, game)
        settles = int64(0)
        chips = int64(0)
        choice = int64(NO_CHOICE)
        while True:
            event = play_on(tables, state, shown, policies, int64(0), choice, int64(1))
            if event == Event.DECISION:
                check_options(tables, state, shown, stack_of, game, found, where)
                choice = shown.best
                done[2] += 1
            elif event == Event.ROUND_ENDED:
                for turn in range(state.n_turns):
                    if state.turn_seat[turn] >= tables.players:  # what a dummy selects leaves the supply (000 p. 2)
                        action = state.turn_action[turn]
                        settles += action == Action.SETTLE
                        chips += action == Action.ENVOYS or action == Action.TRADE_CONSUME
                check_table(tables, state, stack_of, game, settles, chips, scratch, found, where)
                for seat in range(tables.players):
                    check_seat(tables, state, seat, game, scratch, found, where)
                choice = int64(NO_CHOICE)
                done[1] += 1
            else:
                break
        wanted = state.status == Status.FINISHED or state.status == Status.ROUND_LIMIT
        if not wanted or state.round_no > tables.round_limit or state.round_no < 1:
            note(found, where, int64(Broken.STATUS), game, state.round_no, int64(-1))
        done[0] += 1


@njit
def check_table(
    tables: Record,
    state: Record,
    stack_of: Record,
    game: int,
    settles: int,
    chips: int,
    scratch: Record,
    found: Record,
    where: Record,
) -> None:
    """Check what all seats share; `settles`, `chips`: what dummies may have taken from the supplies so far."""
    round_no = state.round_no
    nobody = int64(-1)
    players = tables.players
    if state.end_mask == 0 and state.status != Status.RUNNING:
        note(found, where, int64(Broken.STATUS), game, round_no, nobody)
    held_colonists = int64(0)
    held_chips = int64(0)
    for seat in range(players):
        held_colonists += state.colonists[seat] + state.placed_colonists[seat]
        held_colonists += state.stockpile[seat, StockpileKind.COLONISTS]
        held_chips += state.chips[seat] + state.stockpile[seat, StockpileKind.CHIPS]
    missing = tables.supply_colonists + state.reserve_colonists - state.supply_colonists - held_colonists
    if missing < 0 or missing > settles or (state.supply_colonists > 0 and missing != settles):
        note(found, where, int64(Broken.COLONISTS), game, round_no, nobody)
    missing = tables.supply_vp + state.reserve_vp - state.supply_vp - held_chips
    if missing < 0 or missing > chips or (state.supply_vp > 0 and missing != chips):
        note(found, where, int64(Broken.CHIPS), game, round_no, nobody)

    places = scratch[:WORLDS, 0]
    for i in range(state.bag_n):
        places[state.bag[i]] += 1
    for i in range(state.shown_n):
        places[state.shown[i]] += 1
    for seat in range(players):
        for i in range(state.n_explored[seat]):
            places[state.explored[seat, i]] += 1
        for i in range(1, state.n_colonies[seat]):
            places[state.colony[seat, i]] += 1
        for i in range(state.stockpile[seat, StockpileKind.WORLDS]):
            places[state.stored[seat, i]] += 1
    for tile in range(WORLDS):
        if places[tile] != tables.copies[tile]:
            note(found, where, int64(Broken.WORLDS), game, round_no, nobody)
        places[tile] = 0

    for stack in range(tables.n_stacks):
        places[stack] = state.stack_left[stack]
        if state.stack_left[stack] < 0:
            note(found, where, int64(Broken.NEGATIVE), game, round_no, nobody)
    for seat in range(players):
        owned = int64(0)
        for i in range(state.n_devs[seat]):
            stack = stack_of[state.dev[seat, i]]
            places[stack] += 1
            if (owned >> stack) & 1:  # nobody owns two tiles of a stack
                note(found, where, int64(Broken.DEVELOPMENTS), game, round_no, seat)
            owned |= 1 << stack
        if owned != state.owned[seat]:
            note(found, where, int64(Broken.DEVELOPMENTS), game, round_no, seat)
    for stack in range(tables.n_stacks):
        if places[stack] != tables.stack_copies[stack]:
            note(found, where, int64(Broken.DEVELOPMENTS), game, round_no, nobody)
        places[stack] = 0

    for i in range(state.goal_deck_n):
        places[state.goal_deck[i]] += 1
    for i in range(state.goal_hand_n):
        places[state.goal_hand[i]] += 1
    for goal in range(tables.n_goals):
        places[goal] += state.goal_where[goal] > 0
        if places[goal] != (tables.goal_in_game[goal] > 0):
            note(found, where, int64(Broken.GOALS), game, round_no, nobody)
        if (state.goal_where[goal] == 2) != ((state.face_up >> goal) & 1):
            note(found, where, int64(Broken.GOALS), game, round_no, nobody)
        places[goal] = 0

    least = min(state.supply_vp, state.supply_colonists, state.reserve_vp, state.reserve_colonists)
    if min(least, state.produce_credits, state.bag_n) < 0:
        note(found, where, int64(Broken.NEGATIVE), game, round_no, nobody)
    for seat in range(state.n_seats):
        if state.space[seat] < 1:
            note(found, where, int64(Broken.TRACK), game, round_no, seat)
        for other in range(seat):
            if state.space[seat] == state.space[other]:
                note(found, where, int64(Broken.TRACK), game, round_no, seat)
    if state.n_turns != state.n_seats * tables.selections:
        note(found, where, int64(Broken.SELECTIONS), game, round_no, nobody)
    selected = int64(0)
    for turn in range(state.n_turns):
        action = state.turn_action[turn]
        foreign = (action == Action.CHART and not tables.goals) or (action == Action.RETREAT and tables.goals)
        if (selected >> action) & 1 or foreign:
            note(found, where, int64(Broken.SELECTIONS), game, round_no, state.turn_seat[turn])
        selected |= 1 << action


@njit
def check_seat(
    tables: Record, state: Record, seat: int, game: int, scratch: Record, found: Record, where: Record
) -> None:
    """Check what a seat has against its tiles."""
    round_no = state.round_no
    colonies = state.n_colonies[seat]
    developments = state.n_devs[seat]
    total = int64(0)
    for part in range(Part.CHIPS, Part.PENALTY + 1):
        total += state.score[seat, part]
    if total != state.score[seat, Part.TOTAL]:
        note(found, where, int64(Broken.SCORE_SUM), game, round_no, seat)

    worlds = int64(0)
    printed = int64(0)
    varies = False
    penalty = int64(0)
    military = int64(0)
    for c in range(CLASSES):
        scratch[0, c] = 0
    for i in range(colonies + developments):
        tile = state.colony[seat, i] if i < colonies else state.dev[seat, i - colonies]
        for c in range(CLASSES):
            scratch[0, c] += (tables.mask[tile] >> c) & 1
        if i >= colonies:
            printed += tables.vp[tile]
        else:
            worlds += tables.vp[tile]
            varies = varies or tables.n_scorings[tile] > 0
            good = state.colony_good[seat, i]
            if good < 0 or good > 1 or (good == 1 and tables.good[tile] == Good.NONE):
                note(found, where, int64(Broken.GOODS), game, round_no, seat)
    for c in range(CLASSES):
        if scratch[0, c] != state.counts[seat, c]:
            note(found, where, int64(Broken.COUNTS), game, round_no, seat)
        scratch[0, c] = 0
    for i in range(state.n_explored[seat]):
        penalty += tables.penalty[state.explored[seat, i]]
    wrong = state.score[seat, Part.CHIPS] != state.chips[seat] + state.stockpile[seat, StockpileKind.CHIPS]
    wrong = wrong or state.score[seat, Part.DEVELOPMENTS] != printed or state.score[seat, Part.PENALTY] != penalty
    if wrong or (state.score[seat, Part.WORLDS] != worlds and not varies):
        note(found, where, int64(Broken.SCORE_PARTS), game, round_no, seat)

    sums = scratch[WORLDS:]
    for i in range(colonies + developments):
        tile = state.colony[seat, i] if i < colonies else state.dev[seat, i - colonies]
        for p in range(tables.n_powers[tile]):
            effect = tables.power[tile, p, EFFECT]
            class_ = tables.power[tile, p, FILTER]
            amount = tables.power[tile, p, AMOUNT]
            if effect < ADDITIVE_EFFECTS:
                sums[effect, class_] += amount
            if effect == Effect.SETTLE_MILITARY and class_ == Class.ANY:
                military += amount
            elif effect == Effect.SETTLE_MILITARY_PER:
                military += amount * state.counts[seat, class_]
    if military != state.military[seat]:
        note(found, where, int64(Broken.MILITARY), game, round_no, seat)
    for effect in range(ADDITIVE_EFFECTS):
        sums[effect, ANY] -= state.sums[seat, effect]
    for i in range(state.n_specials[seat]):
        sums[state.special_effect[seat, i], state.special_filter[seat, i]] -= state.special_amount[seat, i]
    for effect in range(ADDITIVE_EFFECTS):
        for c in range(CLASSES):
            if sums[effect, c] != 0:
                note(found, where, int64(Broken.SUMS), game, round_no, seat)
                sums[effect, c] = 0

    least = min(state.credits[seat], state.colonists[seat], state.chips[seat], state.placed_colonists[seat])
    for kind in range(4):
        least = min(least, state.stockpile[seat, kind])
    if min(least, state.n_explored[seat], state.fresh_n) < 0:
        note(found, where, int64(Broken.NEGATIVE), game, round_no, seat)
    beyond = colonies - 1 + state.n_explored[seat] > tables.world_limit
    if beyond and tables.ruling[Ruling.XENO_OVER_LIMIT] == 0:
        note(found, where, int64(Broken.WORLD_LIMIT), game, round_no, seat)
    full = state.n_explored[seat] >= EXPLORED or state.n_specials[seat] >= SPECIALS
    full = full or state.n_feeders[seat] >= FEEDERS or state.n_temps[seat] >= TEMPS
    if full or state.stockpile[seat, StockpileKind.WORLDS] > EXPLORED:
        note(found, where, int64(Broken.CAPACITY), game, round_no, seat)


@njit
def check_options(
    tables: Record, state: Record, shown: Record, stack_of: Record, game: int, found: Record, where: Record
) -> None:
    """Check the options of a decision: two or more, all different, and nothing in the position speaks against one."""
    n = shown.count
    if n < 2 or shown.best < 0 or shown.best >= n:
        note(found, where, int64(Broken.OPTION_COUNT), game, state.round_no, state.actor)
    if state.fresh_n >= FRESH:
        note(found, where, int64(Broken.CAPACITY), game, state.round_no, state.actor)
    for i in range(n):
        for j in range(i):
            if shown.kind[i] == shown.kind[j] and shown.a[i] == shown.a[j] and shown.b[i] == shown.b[j]:
                note(found, where, int64(Broken.OPTION_TWICE), game, state.round_no, state.actor)
        if not is_legal(tables, state, stack_of, shown.kind[i], shown.a[i], shown.b[i]):
            note(found, where, int64(Broken.OPTION_ILLEGAL), game, state.round_no, state.actor)


@njit
def is_legal(tables: Record, state: Record, stack_of: Record, kind: int, a: int, b: int) -> bool:
    """Tell whether nothing in the position speaks against an option; as `recount.wrong_option`."""
    seat = state.actor
    if kind == Option.ACTION:
        return state.taken[a] == 0
    if kind == Option.TAKE:
        return 0 <= a < state.shown_n and state.shown[a] == b
    if kind == Option.STOCKPILE_IT:
        return not (tables.mask[a] >> XENO) & 1
    if kind == Option.DISCARD:
        return a < state.n_explored[seat] and state.explored[seat, a] == b and not (tables.mask[b] >> XENO) & 1
    if kind == Option.KEEP or kind == Option.GIVE_BACK:
        return ((tables.mask[a] >> XENO) & 1) == 1
    if kind == Option.BUY:
        stack = stack_of[a]
        there = state.stack_left[stack] > 0 and tables.stack_face[stack, state.stack_side[stack]] == a
        return there and 0 <= b <= state.credits[seat] and not (state.owned[seat] >> stack) & 1
    if kind == Option.CONQUER or kind == Option.PAY:
        if a >= state.n_explored[seat]:
            return False
        tile = state.explored[seat, a]
        if tables.colonists[tile] > state.colonists[seat]:
            return False
        if kind == Option.CONQUER:
            return tables.military[tile] == 1 and b == tile
        return 0 <= b <= state.credits[seat] and not (tables.mask[tile] >> XENO) & 1
    if kind == Option.SELL_GOOD:
        return a < state.n_colonies[seat] and state.colony_good[seat, a] == 1 and b >= 0
    if kind == Option.FEED or kind == Option.USE_GOOD:
        return b < state.n_colonies[seat] and state.colony_good[seat, b] == 1
    if kind == Option.GOOD_ON:
        return a < state.n_colonies[seat] and state.colony_good[seat, a] == 0
    if kind == Option.AMOUNT:
        return 0 <= a <= b
    if kind == Option.USE_CREDITS:
        return b <= state.credits[seat]
    return True
