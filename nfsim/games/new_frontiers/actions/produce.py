"""Produce: a good on every own production colony; the selector also on one windfall colony (001).

The selector takes the credits on the tile; a dummy returns them to the supply (000 p. 2).
"""

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Class, Decision, Effect, Good, Option, WorldType
from nfsim.games.new_frontiers.state import ask, offer
from nfsim.games.new_frontiers.supply import gain_colonists

START, BONUS, FILTERED, ANY_WINDFALL = range(4)
KINDS = 4  # of goods

ANY_CLASS = int(Class.ANY)


@njit_inline
def begin(state: Record) -> None:
    """Clear the tile of credits: to the selector if it is a player."""
    if state.bonus_seat >= 0:
        state.credits[state.bonus_seat] += state.produce_credits
    state.produce_credits = 0


@njit_inline
def produce_goods(tables: Record, state: Record, seat: int) -> None:
    """Put a good on every production colony that has none."""
    for slot in range(state.n_colonies[seat]):
        state.produced[slot] = 0
        if tables.type[state.colony[seat, slot]] == WorldType.PRODUCTION and not state.colony_good[seat, slot]:
            state.colony_good[seat, slot] = 1
            state.produced[slot] = 1


@njit
def offer_windfalls(tables: Record, state: Record, options: Record, seat: int, class_: int) -> bool:
    """Offer the empty windfall colonies in a class; return whether there is one."""
    for slot in range(state.n_colonies[seat]):
        tile = state.colony[seat, slot]
        if tables.type[tile] == WorldType.WINDFALL and not state.colony_good[seat, slot]:
            if (tables.good_mask[tile] >> class_) & 1:
                offer(options, Option.GOOD_ON, slot, tile)
    ask(state, seat, Decision.WINDFALL_GOOD)
    return options.count > 0


@njit_inline
def pay_out(tables: Record, state: Record, seat: int) -> None:
    """Give the credits and colonists of Produce powers."""
    gain = state.sums[seat, Effect.PRODUCE_CREDITS]
    for i in range(state.n_specials[seat]):
        if state.special_effect[seat, i] == Effect.PRODUCE_CREDITS_PER:
            gain += state.special_amount[seat, i] * state.counts[seat, state.special_filter[seat, i]]
    kinds = 0
    wild = 0  # goods of any kind: each is one more kind
    for slot in range(state.n_colonies[seat]):
        if state.produced[slot]:
            tile = state.colony[seat, slot]
            gain += tables.credits_this[tile]
            if tables.good[tile] == Good.ANY:
                wild += 1
            else:
                kinds |= 1 << tables.good[tile]
    per_kind = state.sums[seat, Effect.PRODUCE_CREDITS_PER_KIND]
    if per_kind > 0:
        different = wild
        for good in range(KINDS):
            different += (kinds >> good) & 1
        gain += per_kind * min(different, KINDS)
    state.credits[seat] += gain
    if state.sums[seat, Effect.PRODUCE_COLONISTS] > 0:
        gain_colonists(tables, state, seat, state.sums[seat, Effect.PRODUCE_COLONISTS])


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice of a windfall colony; False when all have produced."""
    while state.cursor < state.n_resolve:
        seat = state.resolve[state.cursor]
        if state.stage == START:
            produce_goods(tables, state, seat)
            state.bonus_left = 1 if seat == state.bonus_seat else 0
            state.stage = BONUS
        if state.stage == BONUS:
            if state.bonus_left > 0 and offer_windfalls(tables, state, options, seat, int64(ANY_CLASS)):
                return True
            state.stage = FILTERED
            state.power_at = 0
            state.bonus_left = -1
        if state.stage == FILTERED:
            while state.power_at < state.n_specials[seat]:
                i = state.power_at
                if state.special_effect[seat, i] == Effect.PRODUCE_WINDFALL:
                    if state.bonus_left < 0:
                        state.bonus_left = state.special_amount[seat, i]
                    if state.bonus_left > 0 and offer_windfalls(
                        tables, state, options, seat, state.special_filter[seat, i]
                    ):
                        return True
                state.power_at += 1
                state.bonus_left = -1
            state.stage = ANY_WINDFALL
            state.bonus_left = state.sums[seat, Effect.PRODUCE_WINDFALL]
        if state.stage == ANY_WINDFALL:
            if state.bonus_left > 0 and offer_windfalls(tables, state, options, seat, int64(ANY_CLASS)):
                return True
        pay_out(tables, state, seat)
        state.cursor += 1
        state.stage = START
    return False


@njit_inline
def apply(state: Record, options: Record, choice: int) -> None:
    """Put the good on the windfall colony chosen."""
    slot = options.a[choice]
    state.colony_good[state.actor, slot] = 1
    state.produced[slot] = 1
    state.bonus_left -= 1
