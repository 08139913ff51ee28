"""Setting up a game: order, mats, stacks, bag, goals, supplies (rules section 1; 000 p. 2 for solo)."""

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.rng import Purpose, below, shuffle, stream
from nfsim.engine.records import Record, note_drawn
from nfsim.games.new_frontiers.codes import Action, Decision, Option, WorldType
from nfsim.games.new_frontiers.layout import ACTIONS, BAG, SEATS, WORLDS
from nfsim.games.new_frontiers.powers import count_tile, install
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import Drawn, Step, ask, offer

SETUP_STREAM = int(Purpose.SETUP)
FACE_UP_FROM_START = 2  # in tables.goal_in_game


@njit
def begin(tables: Record, state: Record, root: int, game: int) -> None:
    """Set up game number `game` of the run with seed `root`; see `nfsim.engine.rules.begin`."""
    for seat in range(SEATS):
        state.goal_down[seat] = -1
    state.chart_pending = -1
    state.bonus_seat = -1
    state.feeding = -1
    state.n_seats = tables.players + tables.dummies
    key = stream(root, game, int64(SETUP_STREAM))
    counter = place_disks(tables, state, key)
    counter = deal_mats(tables, state, key, counter)
    counter = lay_out_stacks(tables, state, key, counter)
    shuffle_goals(tables, state, key, counter)
    fill_supplies(tables, state)
    free_tiles(tables, state)
    state.step = Step.SIDES


@njit
def place_disks(tables: Record, state: Record, key: int) -> int:
    """Put the disks on the track in random order; in solo the player first, on space 2 (000 p. 2)."""
    counter = int64(0)
    for seat in range(state.n_seats):
        state.turn_seat[seat] = seat
    if tables.dummies == 0:
        counter = shuffle(key, counter, state.turn_seat, state.n_seats)
    first_space = 2 if tables.dummies > 0 and tables.ruling[Ruling.PRIORITY_GAPS] == 1 else 1
    for order in range(state.n_seats):
        seat = state.turn_seat[order]
        state.start_order[seat] = order
        state.space[seat] = first_space + order
        if tables.dummies == 0:
            note_drawn(state, Drawn.SEAT, seat)
    return counter


@njit
def deal_mats(tables: Record, state: Record, key: int, counter: int) -> int:
    """Deal each player a random mat, in start order."""
    left = tables.n_mats
    for mat in range(left):
        state.bag[mat] = mat  # the bag is filled later
    for order in range(state.n_seats):
        seat = state.turn_seat[order]
        if seat >= tables.players:
            continue
        place = below(key, counter, left)
        counter += 1
        state.mat[seat] = state.bag[place]
        left -= 1
        state.bag[place] = state.bag[left]
        note_drawn(state, Drawn.MAT, state.mat[seat])
        state.credits[seat] = tables.start_credits[order]
    return counter


@njit
def lay_out_stacks(tables: Record, state: Record, key: int, counter: int) -> int:
    """Flip a coin for each two-sided development stack."""
    for stack in range(tables.n_stacks):
        state.stack_left[stack] = tables.stack_copies[stack]
        if tables.stack_face[stack, 1] >= 0:
            state.stack_side[stack] = below(key, counter, int64(2))
            counter += 1
            note_drawn(state, Drawn.STACK, tables.stack_face[stack, state.stack_side[stack]])
    return counter


@njit
def shuffle_goals(tables: Record, state: Record, key: int, counter: int) -> None:
    """Shuffle the goal stack; a goal that is in play from the start lies face up (campaign 5)."""
    for goal in range(tables.n_goals):
        state.goal_by[goal] = -1
        if tables.goal_in_game[goal] == FACE_UP_FROM_START:
            state.goal_where[goal] = 2
            state.face_up |= 1 << goal
        elif tables.goal_in_game[goal] > 0:
            state.goal_deck[state.goal_deck_n] = goal
            state.goal_deck_n += 1
    shuffle(key, counter, state.goal_deck, state.goal_deck_n)


@njit
def fill_supplies(tables: Record, state: Record) -> None:
    """Fill the bag and the supplies of VP chips and colonists."""
    state.supply_vp = tables.supply_vp
    state.supply_colonists = tables.supply_colonists
    for tile in range(WORLDS):
        for _ in range(tables.copies[tile]):
            if state.bag_n < BAG:
                state.bag[state.bag_n] = tile
                state.bag_n += 1


@njit
def free_tiles(tables: Record, state: Record) -> None:
    """Make every action tile of this game available again; of the Isolation tile only the side in use is."""
    for action in range(ACTIONS):
        state.taken[action] = 0
    state.taken[Action.RETREAT] = tables.goals
    state.taken[Action.CHART] = 1 - tables.goals


@njit
def offer_sides(tables: Record, state: Record, options: Record) -> bool:
    """Ask the next player in start order for the side of its mat; False when all have a home."""
    while state.cursor < state.n_seats:
        seat = state.turn_seat[state.cursor]
        if seat < tables.players:
            ask(state, seat, Decision.CHOOSE_SIDE)
            for side in range(2):
                home = tables.mat_side[state.mat[seat], side]
                if home >= 0:
                    offer(options, Option.SIDE, side, home)
            return True
        state.cursor += 1
    return False


@njit
def place_home(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Place the home colony: its colonist comes from the supply (000 p. 2), a windfall home has its good."""
    seat = state.actor
    home = options.b[choice]
    state.side[seat] = options.a[choice]
    state.home[seat] = home
    state.colony[seat, 0] = home
    state.n_colonies[seat] = 1
    state.colony_good[seat, 0] = 1 if tables.type[home] == WorldType.WINDFALL else 0
    state.supply_colonists -= 1
    state.placed_colonists[seat] = 1
    count_tile(tables, state, seat, home)
    install(tables, state, seat, home)
    state.cursor += 1


@njit
def offer_mastery(tables: Record, state: Record, options: Record) -> bool:
    """Campaign 6: ask for the side of the Improved Logistics or Terraforming Robots stack (000 p. 2)."""
    stack = tables.mastery_stack
    if stack < 0 or tables.stack_face[stack, 1] < 0:
        return False
    ask(state, int64(0), Decision.CHOOSE_STACK_SIDE)
    for face in range(2):
        offer(options, Option.STACK_SIDE, face, tables.stack_face[stack, face])
    return True
