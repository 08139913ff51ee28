"""Solo: the dummies' rule and the win conditions (000 p. 2-3)."""

from nfsim.compiled.jit import njit
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Action, ChipUse, Class, Measure, RequirementKind
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.scoring import Part, goal_vps, measure

DUMMY_TAKES_PRODUCE_AT = 2  # credits on the tile (000 p. 2)
SO_CLOSE_VPS = 3  # the chip's -3VPs side
SO_CLOSE_COUNT = 1  # its -1# side
FAR = 99  # a miss that the chip cannot mend

BY_COUNT, BY_VP, MET, MISSED = int(ChipUse.COUNT), int(ChipUse.VP), int(ChipUse.NONE), int(ChipUse.MISSED)
ENVOYS_TILE = int(Action.ENVOYS)
PRODUCE_TILE = int(Action.PRODUCE)


@njit
def dummy_rule(state: Record) -> int:
    """Return the action tile a dummy must select, -1 if the player chooses (000 p. 2)."""
    if not state.taken[Action.PRODUCE] and state.produce_credits >= DUMMY_TAKES_PRODUCE_AT:
        return PRODUCE_TILE
    if state.turn == state.n_turns - 1 and not state.taken[Action.ENVOYS]:
        return ENVOYS_TILE
    return -1


@njit
def goals_giving(tables: Record, state: Record, seat: int, least: int) -> int:
    """Return how many goals in play give the seat at least so many VPs."""
    count = 0
    for goal in range(tables.n_goals):
        if state.goal_where[goal] > 0 and goal_vps(tables, state, seat, goal) >= max(least, 1):
            count += 1
    return count


@njit
def owns(state: Record, seat: int, tile: int) -> bool:
    """Return whether a development or colony is the seat's."""
    for i in range(state.n_devs[seat]):
        if state.dev[seat, i] == tile:
            return True
    for slot in range(state.n_colonies[seat]):
        if state.colony[seat, slot] == tile:
            return True
    return False


@njit
def requirement_has(tables: Record, state: Record, seat: int, condition: int, i: int) -> int:
    """Return what the seat has of a counted requirement."""
    number = tables.condition_measure[condition, i]
    if number == Measure.GOALS_SCORED:
        return goals_giving(tables, state, seat, tables.condition_least[condition, i])
    if number == Measure.TOTAL_VP:
        return state.score[seat, Part.TOTAL]
    return measure(tables, state, seat, number)


@njit
def requirement_met(tables: Record, state: Record, seat: int, condition: int, i: int) -> bool:
    """Return whether the final position meets one requirement of a condition."""
    kind = tables.condition_kind[condition, i]
    if kind == RequirementKind.OWNS:
        return owns(state, seat, tables.condition_measure[condition, i])
    if kind == RequirementKind.NO_MILITARY:
        if tables.ruling[Ruling.NO_MILITARY] == 0:
            return state.military[seat] == 0
        return state.counts[seat, Class.MILITARY] == 0
    return requirement_has(tables, state, seat, condition, i) >= tables.condition_need[condition, i]


@njit
def condition_met(tables: Record, state: Record, seat: int, condition: int) -> bool:
    """Return whether the final position meets a condition: its VPs and every requirement (000 p. 3)."""
    if state.score[seat, Part.TOTAL] < tables.condition_vp[condition]:
        return False
    return requirements_met(tables, state, seat, condition)


@njit
def requirements_met(tables: Record, state: Record, seat: int, condition: int) -> bool:
    """Return whether the final position meets every requirement of a condition besides its VPs."""
    for i in range(tables.condition_n[condition]):
        if not requirement_met(tables, state, seat, condition, i):
            return False
    return True


@njit
def any_condition_met(tables: Record, state: Record, seat: int) -> bool:
    """Return whether any condition of the campaign is met."""
    for condition in range(tables.n_objectives):
        if condition_met(tables, state, seat, condition):
            return True
    return False


@njit
def claim(tables: Record, state: Record, seat: int, condition: int) -> int:
    """Return how a final position can claim a condition: a `ChipUse` number.

    The chip mends one miss: up to 3 VPs, or exactly 1 of a count; never a requirement that is not a number
    (000 p. 3). Whether the seat still has the chip is for the caller to say.
    """
    misses = 0
    use = MET
    missing = tables.condition_vp[condition] - state.score[seat, Part.TOTAL]
    if missing > 0:
        misses = 1
        use = BY_VP if missing <= SO_CLOSE_VPS else MISSED
    for i in range(tables.condition_n[condition]):
        if not requirement_met(tables, state, seat, condition, i):
            misses += 1
            use = mending(tables, state, seat, condition, i)
    return MISSED if misses > 1 else use


@njit
def mending(tables: Record, state: Record, seat: int, condition: int, i: int) -> int:
    """Return which side of the chip mends a requirement that is missed; MISSED if none does."""
    if tables.condition_kind[condition, i] != RequirementKind.AT_LEAST:
        return MISSED
    number = tables.condition_measure[condition, i]
    missing = tables.condition_need[condition, i] - requirement_has(tables, state, seat, condition, i)
    least = tables.condition_least[condition, i]
    if number == Measure.GOALS_SCORED and least > 1:
        # the number of goals stands; the VPs that one goal must give may drop (p. 3)
        nearest = FAR
        for goal in range(tables.n_goals):
            if state.goal_where[goal] > 0:
                short = least - goal_vps(tables, state, seat, goal)
                if short > 0:
                    nearest = min(nearest, short)
        return BY_VP if missing == 1 and nearest <= SO_CLOSE_VPS else MISSED
    if number == Measure.TOTAL_VP or (number >= Measure.CHIPS_HELD and number <= Measure.CHIPS_ALL):
        return BY_VP if missing <= SO_CLOSE_VPS else MISSED
    if number == Measure.STOCKPILED_CHIPS:
        return BY_VP if missing <= SO_CLOSE_VPS else MISSED
    if number == Measure.MILITARY_STRENGTH and tables.ruling[Ruling.SO_CLOSE_MILITARY] == 1:
        return MISSED  # R26
    return BY_COUNT if missing <= SO_CLOSE_COUNT else MISSED
