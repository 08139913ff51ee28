"""Solo: the dummies' rule and the win conditions (000 p. 2-3)."""

from nfsim.core.jit import njit
from nfsim.games.new_frontiers.codes import Action, Class, Measure, RequirementKind
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.scoring import Part, goal_vps, measure

DUMMY_TAKES_PRODUCE_AT = 2  # credits on the tile (000 p. 2)

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
    for i in range(tables.condition_n[condition]):
        if not requirement_met(tables, state, seat, condition, i):
            return False
    return True


@njit
def any_condition_met(tables: Record, state: Record, seat: int) -> bool:
    """Return whether any condition of the campaign is met."""
    for condition in range(tables.n_conditions):
        if condition_met(tables, state, seat, condition):
            return True
    return False
