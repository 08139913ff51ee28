"""What a seat wants more of: classes that its scoring lines, known goals and its target count."""

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Class, Measure, RequirementKind
from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.games.new_frontiers.policies.kinds import WANTED
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.value import goal_slope, scoring_worth
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.scoring import goal_vps
from nfsim.games.new_frontiers.solo import owns, requirement_has

FIRST_GOOD, LAST_GOOD = int(Class.NOVELTY), int(Class.ALIEN_GOOD)
FIRST_KEYWORD, LAST_KEYWORD = int(Class.ALIEN), int(Class.XENO)
MILITARY_CLASS = int(Class.MILITARY)


@njit_inline
def want(policy: Record, class_: int, worth: float) -> None:
    """Note that one more tile of a class is worth something."""
    n = policy.n_wanted
    policy.wanted_mask |= 1 << class_
    if n < WANTED:
        policy.wanted_class[n] = class_
        policy.wanted_worth[n] = worth
        policy.n_wanted = n + 1


@njit_inline
def note_wanted(tables: Record, state: Record, seat: int, policy: Record) -> None:
    """List the classes that are wanted; the list holds until what it depends on changes."""
    aims = policy.target >= 0
    if (
        policy.noted[0] == state.draw_key
        and policy.noted[1] == state.owned[seat]
        and policy.noted[2] == state.face_up
        and policy.noted[3] == state.goal_down[seat]
        and policy.noted[4] == state.n_colonies[seat]
        and not (aims and aim_moved(state, seat, policy))
    ):
        return
    policy.noted[0] = state.draw_key
    policy.noted[1] = state.owned[seat]
    policy.noted[2] = state.face_up
    policy.noted[3] = state.goal_down[seat]
    policy.noted[4] = state.n_colonies[seat]
    policy.noted[5] = state.chips[seat]
    policy.noted[6] = state.military[seat]
    policy.n_wanted = 0
    policy.wanted_mask = 0
    for i in range(state.n_devs[seat]):
        want_counted(tables, policy, state.dev[seat, i], policy.params[Param.SYNERGY])
    for goal in range(tables.n_goals):
        if (state.face_up >> goal) & 1 or state.goal_down[seat] == goal:
            number = tables.goal_measure[goal]
            if number < CLASSES and policy.params[Param.GOAL_PROGRESS] > 0.0:
                slope = goal_slope(tables, state, seat, goal)
                if slope > 0.0:
                    want(policy, number, policy.params[Param.GOAL_PROGRESS] * slope)
    if policy.params[Param.PROSPECT] > 0.0:
        note_prospects(tables, state, seat, policy)
    if aims:
        note_aim(tables, state, seat, policy)


@njit
def note_prospects(tables: Record, state: Record, seat: int, policy: Record) -> None:
    """Add what the two developments on offer whose own scoring lines give most now would count."""
    first = int64(-1)
    second = int64(-1)
    most = 0.0
    next_most = 0.0
    for stack in range(tables.n_stacks):
        tile = tables.stack_face[stack, state.stack_side[stack]]
        if state.stack_left[stack] > 0 and not (state.owned[seat] >> stack) & 1 and tables.n_scorings[tile] > 0:
            worth = scoring_worth(tables, state, seat, tile, policy, 0.0)
            if worth > most:
                second = first
                next_most = most
                first = tile
                most = worth
            elif worth > next_most:
                second = tile
                next_most = worth
    if first >= 0:
        want_counted(tables, policy, first, policy.params[Param.PROSPECT])
    if second >= 0:
        want_counted(tables, policy, second, policy.params[Param.PROSPECT] * policy.params[Param.PROSPECT_SECOND])


@njit_inline
def want_counted(tables: Record, policy: Record, tile: int, weight: float) -> None:
    """Want the classes that a tile's scoring lines count."""
    for line in range(tables.n_scorings[tile]):
        number = tables.scoring[tile, line, 0]
        if number < CLASSES:
            want(policy, number, weight * tables.scoring[tile, line, 1])


@njit_inline
def aim_moved(state: Record, seat: int, policy: Record) -> bool:
    """Return whether what the target counts may have changed since the list was made."""
    return policy.noted[5] != state.chips[seat] or policy.noted[6] != state.military[seat]


@njit
def note_aim(tables: Record, state: Record, seat: int, policy: Record) -> None:
    """Add what the target's requirements still lack."""
    policy.aim_chip = 0.0
    policy.aim_military = 0.0
    policy.aim_chart = 0.0
    policy.aim_tile = -1
    target = policy.target
    for i in range(tables.condition_n[target]):
        kind = tables.condition_kind[target, i]
        number = tables.condition_measure[target, i]
        if kind == RequirementKind.OWNS:
            if not owns(state, seat, number):
                policy.aim_tile = number
        elif kind == RequirementKind.NO_MILITARY:
            if tables.ruling[Ruling.NO_MILITARY] == 0:
                policy.aim_military = -policy.params[Param.AIM_MILITARY]
            else:
                want(policy, MILITARY_CLASS, -policy.params[Param.AIM_TILE])
        elif requirement_has(tables, state, seat, target, i) < tables.condition_need[target, i]:
            note_lacking(tables, state, seat, policy, number, tables.condition_least[target, i])


@njit
def note_lacking(tables: Record, state: Record, seat: int, policy: Record, number: int, least: int) -> None:
    """Add what raises a measure of which the target asks for more."""
    if number < CLASSES:
        want(policy, number, policy.params[Param.AIM_TILE])
    elif number == Measure.CHIPS_ALL or number == Measure.CHIPS_HELD:
        policy.aim_chip = policy.params[Param.AIM_CHIP]
    elif number == Measure.MILITARY_STRENGTH:
        policy.aim_military = policy.params[Param.AIM_MILITARY]
    elif number == Measure.GOOD_KINDS:
        for class_ in range(FIRST_GOOD, LAST_GOOD + 1):
            if state.counts[seat, class_] == 0:
                want(policy, class_, policy.params[Param.AIM_TILE])
    elif number == Measure.KEYWORDS:
        for class_ in range(FIRST_KEYWORD, LAST_KEYWORD + 1):
            if state.counts[seat, class_] == 0:
                want(policy, class_, policy.params[Param.AIM_TILE])
    elif number == Measure.GOALS_SCORED:
        policy.aim_chart = policy.params[Param.AIM_CHART]
        for goal in range(tables.n_goals):
            known = (state.face_up >> goal) & 1 or state.goal_down[seat] == goal
            if known and goal_vps(tables, state, seat, goal) < max(least, 1):
                counted = tables.goal_measure[goal]
                if counted < CLASSES:
                    want(policy, counted, policy.params[Param.AIM_GOAL])
