"""Scoring: VP chips, colonies, developments, 9-cost developments, goals, Xeno penalties (rules section 4)."""

from enum import IntEnum

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Class, Good, Measure, StockpileKind
from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.games.new_frontiers.rulings import BY_SWITCH, Ruling

ALIEN_CLASS = int(Class.ALIEN)
CONSUME_POWER_CLASS = int(Class.CONSUME_POWER)
EXPLORE_POWER_CLASS = int(Class.EXPLORE_POWER)
XENO_CLASS = int(Class.XENO)
GOOD_KINDS = 4
EVERY_KIND = BY_SWITCH["any_good_counts"].choices.index("every")


class Part(IntEnum):
    """Places in `state.score`."""

    TOTAL = 0
    CHIPS = 1  # stockpiled ones included
    WORLDS = 2  # colonies, their variable VPs included
    DEVELOPMENTS = 3  # printed VPs
    NINE_COST = 4  # scoring of 9-cost developments
    GOALS = 5
    PENALTY = 6  # <= 0


@njit
def keywords(state: Record, seat: int) -> int:
    """Return how many different keywords the seat's tiles show; classes ALIEN … XENO are the keywords."""
    different = 0
    for c in range(ALIEN_CLASS, XENO_CLASS + 1):
        different += state.counts[seat, c] > 0
    return different


@njit
def good_kinds(tables: Record, state: Record, seat: int) -> int:
    """Return how many kinds of goods the seat's colonies have; any kind is one more, up to 4, or none (R22)."""
    kinds = 0
    wild = 0
    for slot in range(state.n_colonies[seat]):
        good = tables.good[state.colony[seat, slot]]
        if good == Good.ANY:
            wild += 1
        elif good != Good.NONE:
            kinds |= 1 << good
    different = wild if tables.ruling[Ruling.ANY_GOOD_COUNTS] == EVERY_KIND else 0
    for kind in range(GOOD_KINDS):
        different += (kinds >> kind) & 1
    return min(different, GOOD_KINDS)


@njit
def phases_with_power(state: Record, seat: int) -> int:
    """Return in how many phases a tile of the seat has a power."""
    different = 0
    for c in range(EXPLORE_POWER_CLASS, CONSUME_POWER_CLASS + 1):
        different += state.counts[seat, c] > 0
    return different


@njit_inline
def goods_on_colonies(state: Record, seat: int) -> int:
    """Return how many goods lie on the seat's colonies."""
    goods = 0
    for slot in range(state.n_colonies[seat]):
        goods += state.colony_good[seat, slot]
    return goods


@njit
def measure(tables: Record, state: Record, seat: int, number: int) -> int:
    """Return what a seat has of a class or measure; goals and totals are counted elsewhere."""
    if number < CLASSES:
        return state.counts[seat, number]
    if number == Measure.MILITARY_STRENGTH:
        return state.military[seat]
    if number == Measure.CHIPS_HELD:
        return state.chips[seat]
    if number == Measure.CHIPS_ALL:
        return state.chips[seat] + state.stockpile[seat, StockpileKind.CHIPS]
    if number == Measure.KEYWORDS:
        return keywords(state, seat)
    if number == Measure.GOOD_KINDS:
        return good_kinds(tables, state, seat)
    if number == Measure.GOODS:
        return goods_on_colonies(state, seat)
    if number >= Measure.STOCKPILED_WORLDS and number <= Measure.STOCKPILED_CHIPS:
        return state.stockpile[seat, number - Measure.STOCKPILED_WORLDS]
    if number == Measure.CREDITS:
        return state.credits[seat]
    if number == Measure.COLONISTS:
        return state.colonists[seat]
    if number == Measure.DIFFERENT_POWERS:
        return phases_with_power(state, seat)
    return 0


@njit
def scoring_lines(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the VPs of a tile's scoring lines."""
    vps = 0
    for i in range(tables.n_scorings[tile]):
        gain = tables.scoring[tile, i, 1] * measure(tables, state, seat, tables.scoring[tile, i, 0])
        most = tables.scoring[tile, i, 2]
        if most >= 0:
            gain = min(gain, most)
        vps += gain
    return vps


@njit
def goal_vps(tables: Record, state: Record, seat: int, goal: int) -> int:
    """Return the VPs a goal gives a seat: those of the highest step reached (R14)."""
    have = measure(tables, state, seat, tables.goal_measure[goal])
    last = tables.goal_n_steps[goal] - 1
    vps = 0
    for step in range(last + 1):
        need = tables.goal_need[goal, step]
        exactly = tables.ruling[Ruling.GOAL_STEPS] == 1 and step < last and not tables.goal_plus[goal, step]
        if (have == need) if exactly else (have >= need):
            vps = tables.goal_vp[goal, step]
    return vps


@njit
def score(tables: Record, state: Record, seat: int) -> int:
    """Fill `state.score[seat]` with what the game would give the seat if it ended now; return the total."""
    worlds = 0
    for slot in range(state.n_colonies[seat]):
        tile = state.colony[seat, slot]
        worlds += tables.vp[tile]
        if tables.n_scorings[tile] > 0:
            worlds += scoring_lines(tables, state, seat, tile)
    developments = 0
    nine_cost = 0
    for i in range(state.n_devs[seat]):
        tile = state.dev[seat, i]
        developments += tables.vp[tile]
        if tables.n_scorings[tile] > 0:
            nine_cost += scoring_lines(tables, state, seat, tile)
    goals = 0
    for goal in range(tables.n_goals):
        if state.goal_where[goal] > 0:
            goals += goal_vps(tables, state, seat, goal)
    penalty = 0
    for place in range(state.n_explored[seat]):
        penalty += tables.penalty[state.explored[seat, place]]
    chips = state.chips[seat] + state.stockpile[seat, StockpileKind.CHIPS]
    total = chips + worlds + developments + nine_cost + goals + penalty
    state.score[seat, Part.TOTAL] = total
    state.score[seat, Part.CHIPS] = chips
    state.score[seat, Part.WORLDS] = worlds
    state.score[seat, Part.DEVELOPMENTS] = developments
    state.score[seat, Part.NINE_COST] = nine_cost
    state.score[seat, Part.GOALS] = goals
    state.score[seat, Part.PENALTY] = penalty
    return total


@njit
def beats(tables: Record, state: Record, seat: int, other: int) -> bool:
    """Return whether a seat ranks before another: VPs, then credits + goods (001; R31)."""
    if state.score[seat, Part.TOTAL] != state.score[other, Part.TOTAL]:
        return state.score[seat, Part.TOTAL] > state.score[other, Part.TOTAL]
    mine = state.credits[seat] + goods_on_colonies(state, seat)
    theirs = state.credits[other] + goods_on_colonies(state, other)
    if tables.ruling[Ruling.TIE_BREAK] == 1:
        mine += state.stockpile[seat, StockpileKind.CREDITS]
        theirs += state.stockpile[other, StockpileKind.CREDITS]
    return mine > theirs


@njit
def rank(tables: Record, state: Record, seat: int) -> int:
    """Return the place of a seat among the players, from 1; unbroken ties share it."""
    place = 1
    for other in range(tables.players):
        if other != seat and beats(tables, state, other, seat):
            place += 1
    return place
