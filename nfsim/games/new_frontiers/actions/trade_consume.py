"""Trade, Consume: sell a good if you like, then consume as far as possible; the selector gains 1 VP chip (001)."""

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Class, Decision, Effect, Good, Option, StockpileKind
from nfsim.games.new_frontiers.powers import AMOUNT, COLONISTS, CREDITS, EFFECT, FILTER, TIMES, VP, filtered
from nfsim.games.new_frontiers.state import ask, offer, offer_plain
from nfsim.games.new_frontiers.supply import gain_chips, gain_colonists, offer_amounts, room_to_stockpile, stockpile

START, SELL, STOCKPILE_CREDITS, CONSUME_START, CONSUME, STOCKPILE_CHIPS = range(6)
KINDS = 4  # of goods
NOVELTY_CLASS, NOVELTY_OR_RARE_CLASS = int(Class.NOVELTY), int(Class.NOVELTY_OR_RARE)
PRODUCTION_CLASS, WINDFALL_CLASS = int(Class.NOVELTY_PRODUCTION), int(Class.NOVELTY_WINDFALL)


@njit_inline
def begin(state: Record) -> None:
    """Give the selector its VP chip."""
    if state.bonus_seat >= 0:
        gain_chips(state, state.bonus_seat, int64(1))


@njit
def other_kinds(kind: int) -> int:
    """Return the mask of the classes that goods of other kinds have and goods of this kind do not."""
    mask = 0
    for other in range(KINDS):  # the classes of each sort follow one another in the order of the kinds
        if other != kind:
            mask |= (1 << NOVELTY_CLASS + other) | (1 << PRODUCTION_CLASS + other) | (1 << WINDFALL_CLASS + other)
    if kind > Good.RARE:
        mask |= 1 << NOVELTY_OR_RARE_CLASS
    return mask


@njit
def sale_price(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the credits a colony's good sells for; one of any kind sells as the dearest (R22)."""
    good = tables.good[tile]
    if good == Good.ANY:
        best = 0
        for kind in range(KINDS):
            mask = tables.good_mask[tile] & ~other_kinds(kind)
            best = max(best, tables.price[kind] + filtered(state, seat, Effect.TRADE_BONUS, mask))
        return best + tables.bonus_this[tile]
    return tables.price[good] + filtered(state, seat, Effect.TRADE_BONUS, tables.mask[tile]) + tables.bonus_this[tile]


@njit
def kinds_available(tables: Record, state: Record, seat: int, class_: int, kinds: int) -> int:
    """Return how many different kinds of good in a class can still be had besides those in the mask `kinds`."""
    seen = kinds
    wild = 0
    for slot in range(state.n_colonies[seat]):
        tile = state.colony[seat, slot]
        if state.colony_good[seat, slot] and (tables.good_mask[tile] >> class_) & 1:
            if tables.good[tile] == Good.ANY:
                wild += 1
            else:
                seen |= 1 << tables.good[tile]
    different = 0
    for kind in range(KINDS):
        different += ((seen & ~kinds) >> kind) & 1
    return different + wild


@njit_inline
def fits(tables: Record, state: Record, seat: int, slot: int, class_: int, kinds: int) -> bool:
    """Return whether the good on a colony is in a class and of none of the kinds in the mask."""
    if not state.colony_good[seat, slot]:
        return False
    tile = state.colony[seat, slot]
    if not (tables.good_mask[tile] >> class_) & 1:
        return False
    good = tables.good[tile]
    return good == Good.ANY or not (kinds >> good) & 1


@njit_inline
def usable(tables: Record, state: Record, seat: int, i: int) -> bool:
    """Return whether a consume power can be used once more in this action."""
    power = tables.power[state.feeder_tile[seat, i], state.feeder_power[seat, i]]
    effect = power[EFFECT]
    if effect == Effect.CONSUME_KINDS:
        return state.fed[i] < power[AMOUNT]
    if state.fed[i] >= power[TIMES]:
        return False
    if power[AMOUNT] == 1:
        return True
    if effect == Effect.CONSUME_DIFFERENT:
        return kinds_available(tables, state, seat, power[FILTER], int64(0)) >= power[AMOUNT]
    there = 0
    for slot in range(state.n_colonies[seat]):
        there += fits(tables, state, seat, slot, power[FILTER], int64(0))
    return there >= power[AMOUNT]


@njit_inline
def offer_feeding(tables: Record, state: Record, options: Record, seat: int) -> None:
    """Offer every good to every consume power that can take it, or to the one that still needs goods."""
    goods = 0
    for slot in range(state.n_colonies[seat]):
        goods += state.colony_good[seat, slot]
    if goods == 0:
        return
    if state.feeding >= 0:
        ask(state, seat, Decision.CONSUME_MORE)
        i = state.feeding
        class_ = tables.power[state.feeder_tile[seat, i], state.feeder_power[seat, i], FILTER]
        for slot in range(state.n_colonies[seat]):
            if fits(tables, state, seat, slot, class_, state.fed_kinds[i]):
                offer(options, Option.FEED, i, slot)
        return
    ask(state, seat, Decision.CONSUME)
    for i in range(state.n_feeders[seat]):
        if usable(tables, state, seat, i):
            class_ = tables.power[state.feeder_tile[seat, i], state.feeder_power[seat, i], FILTER]
            for slot in range(state.n_colonies[seat]):
                if fits(tables, state, seat, slot, class_, state.fed_kinds[i]):
                    offer(options, Option.FEED, i, slot)


@njit_inline
def offer_sales(tables: Record, state: Record, options: Record, seat: int) -> bool:
    """Offer every saleable good; return whether there is one."""
    for slot in range(state.n_colonies[seat]):
        tile = state.colony[seat, slot]
        if state.colony_good[seat, slot] and not tables.no_sale[tile]:
            offer(options, Option.SELL_GOOD, slot, sale_price(tables, state, seat, tile))
    if options.count == 0:
        return False
    ask(state, seat, Decision.SELL)
    offer_plain(options, Option.PASS)
    return True


@njit_inline
def options(tables: Record, state: Record, options: Record) -> bool:
    """Play on to the next choice; False when all have traded and consumed."""
    while state.cursor < state.n_resolve:
        seat = state.resolve[state.cursor]
        if state.stage == START:
            state.stage = SELL
            if offer_sales(tables, state, options, seat):
                return True
        if state.stage == SELL:  # nothing to sell, or decided
            state.stage = CONSUME_START
        if state.stage == STOCKPILE_CREDITS:
            return offer_amounts(tables, state, options, seat, StockpileKind.CREDITS)
        if state.stage == CONSUME_START:
            start_consuming(state, seat)
        if state.stage == CONSUME:
            offer_feeding(tables, state, options, seat)
            if options.count > 0:
                return True
            if state.gained > 0 and room_to_stockpile(tables, state, seat, StockpileKind.CHIPS) > 0:
                state.stage = STOCKPILE_CHIPS
        if state.stage == STOCKPILE_CHIPS:
            return offer_amounts(tables, state, options, seat, StockpileKind.CHIPS)
        state.cursor += 1
        state.stage = START
    return False


@njit_inline
def start_consuming(state: Record, seat: int) -> None:
    """Give what consume powers give without a good, and open the others."""
    for i in range(state.n_feeders[seat]):
        state.fed[i] = 0
        state.fed_kinds[i] = 0
    state.feeding = -1
    state.credits[seat] += state.sums[seat, Effect.CONSUME_CREDITS]
    chips = state.sums[seat, Effect.CONSUME_CHIPS]
    if chips > 0:
        gain_chips(state, seat, chips)
    state.gained = chips
    state.stage = CONSUME


@njit_inline
def feed(tables: Record, state: Record, seat: int, i: int, slot: int) -> None:
    """Give a good to a consume power; the gain follows when it has all it needs."""
    power = tables.power[state.feeder_tile[seat, i], state.feeder_power[seat, i]]
    effect = power[EFFECT]
    good = tables.good[state.colony[seat, slot]]
    state.colony_good[seat, slot] = 0
    if effect != Effect.CONSUME_GOODS and good != Good.ANY:
        state.fed_kinds[i] |= 1 << good
    if effect != Effect.CONSUME_KINDS and power[AMOUNT] > 1:
        if state.feeding < 0:
            state.feeding = i
            state.feed_left = power[AMOUNT]
        state.feed_left -= 1
        if state.feed_left > 0:
            return
        state.feeding = -1
        state.fed_kinds[i] = 0
    state.fed[i] += 1
    if power[VP] > 0:
        gain_chips(state, seat, power[VP])
        state.gained += power[VP]
    state.credits[seat] += power[CREDITS]
    if power[COLONISTS] > 0:
        gain_colonists(tables, state, seat, power[COLONISTS])


@njit_inline
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Carry out a choice of the seat at work."""
    seat = state.actor
    kind = options.kind[choice]
    a = options.a[choice]
    if kind == Option.SELL_GOOD:
        state.colony_good[seat, a] = 0
        state.credits[seat] += options.b[choice]
        state.gained = options.b[choice]
        if state.gained > 0 and room_to_stockpile(tables, state, seat, StockpileKind.CREDITS) > 0:
            state.stage = STOCKPILE_CREDITS
    elif kind == Option.FEED:
        feed(tables, state, seat, a, options.b[choice])
    elif kind == Option.AMOUNT:
        if state.stage == STOCKPILE_CREDITS:
            stockpile(state, seat, StockpileKind.CREDITS, a)
            state.stage = CONSUME_START
        else:
            stockpile(state, seat, StockpileKind.CHIPS, a)
            state.cursor += 1
            state.stage = START
