"""The common supply: VP chips, colonists, and what happens when it is short."""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.codes import Decision, Option, StockpileKind
from nfsim.games.new_frontiers.layout import EXPLORED
from nfsim.games.new_frontiers.rulings import Ruling
from nfsim.games.new_frontiers.state import ask, offer

NO_LIMIT = 999


@njit_inline
def gain_chips(state: Record, seat: int, amount: int) -> None:
    """Give VP chips; they never run dry (001)."""
    taken = min(amount, state.supply_vp)
    state.supply_vp -= taken
    state.reserve_vp += amount - taken
    state.chips[seat] += amount


@njit_inline
def gain_colonists(tables: Record, state: Record, seat: int, amount: int) -> int:
    """Give colonists and return how many: all (001), or what is left (R23)."""
    taken = min(amount, state.supply_colonists)
    state.supply_colonists -= taken
    if tables.ruling[Ruling.SUPPLY_SHORT] == 0:
        state.reserve_colonists += amount - taken
        taken = amount
    state.colonists[seat] += taken
    return taken


@njit
def room_to_stockpile(tables: Record, state: Record, seat: int, kind: int) -> int:
    """Return how many more of a kind the seat may stockpile; 0 when no goal allows it (001; R15, R16)."""
    room = 0
    most = EXPLORED - state.stockpile[seat, kind] if kind == StockpileKind.WORLDS else NO_LIMIT
    for goal in range(tables.n_goals):
        if tables.goal_stockpile[goal] != kind:
            continue
        where = state.goal_where[goal]
        own = where == 1 and state.goal_by[goal] == seat and tables.ruling[Ruling.STOCKPILE_ACCESS] == 0
        if where == 2 or own:
            if tables.ruling[Ruling.STOCKPILE_BEYOND] == 0:
                return most
            room = max(room, tables.goal_need[goal, tables.goal_n_steps[goal] - 1] - state.stockpile[seat, kind])
    return min(room, most)


@njit
def offer_amounts(tables: Record, state: Record, options: Record, seat: int, kind: int) -> bool:
    """Offer to stockpile none, some or all of what the seat has just gained."""
    ask(state, seat, Decision.STOCKPILE)
    for amount in range(min(state.gained, room_to_stockpile(tables, state, seat, kind)) + 1):
        offer(options, Option.AMOUNT, amount, state.gained)
    return True


@njit
def stockpile(state: Record, seat: int, kind: int, amount: int) -> None:
    """Move a gain from the seat's own pool to its stockpile."""
    state.stockpile[seat, kind] += amount
    if kind == StockpileKind.COLONISTS:
        state.colonists[seat] -= amount
    elif kind == StockpileKind.CREDITS:
        state.credits[seat] -= amount
    elif kind == StockpileKind.CHIPS:
        state.chips[seat] -= amount
