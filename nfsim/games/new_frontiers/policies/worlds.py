"""What worlds and colonists are worth to a seat: to take, and to settle now."""

from nfsim.compiled.jit import njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.value import tile_worth
from nfsim.games.new_frontiers.powers import is_xeno, military_against, pay_military_cost, settle_cost

IMPOSSIBLE = -1000.0


@njit_inline
def missing_military(tables: Record, state: Record, seat: int, tile: int) -> int:
    """Return the points of Military that a military world still asks for, 0 if none."""
    return max(0, tables.defense[tile] - military_against(tables, state, seat, tile))


@njit_inline
def world_worth(
    tables: Record, state: Record, options: Record, seat: int, tile: int, policy: Record, left: float
) -> float:
    """Return the worth of having a world to settle later: less for what it costs and for what is out of reach."""
    worth = tile_worth(tables, state, options, seat, tile, policy, left - 1.0)
    worth -= policy.params[Param.COLONIST] * tables.colonists[tile]
    if tables.military[tile]:
        missing = missing_military(tables, state, seat, tile)
        if missing > 0:
            if is_xeno(tables, tile):
                worth += policy.params[Param.XENO_RISK] * tables.penalty[tile]
            pay = pay_military_cost(tables, state, seat, tile)
            if pay >= 0:
                worth -= options.credit * pay
            elif missing > policy.params[Param.REACH_MOST]:
                worth = min(worth, 0.0) - policy.params[Param.REACH] * missing
            else:
                worth -= policy.params[Param.REACH] * missing
    else:
        worth -= options.credit * settle_cost(tables, state, seat, tile)
    if left < 1.0:
        worth = min(worth, 0.0)
    return worth


@njit_inline
def settle_net(
    tables: Record,
    state: Record,
    options: Record,
    seat: int,
    tile: int,
    policy: Record,
    left: float,
    bonus: int,
) -> float:
    """Return the net worth of settling an explored world now, with so many more colonists, or IMPOSSIBLE."""
    if tables.colonists[tile] > state.colonists[seat] + bonus:
        return IMPOSSIBLE
    cost = 0
    if tables.military[tile]:
        if missing_military(tables, state, seat, tile) > 0:
            cost = pay_military_cost(tables, state, seat, tile)
    else:
        cost = settle_cost(tables, state, seat, tile)
    if cost < 0 or cost > state.credits[seat]:
        return IMPOSSIBLE
    worth = tile_worth(tables, state, options, seat, tile, policy, left)
    if is_xeno(tables, tile):
        worth -= tables.penalty[tile]
    return worth - options.credit * cost - policy.params[Param.COLONIST_SPARE] * tables.colonists[tile]


@njit_inline
def colonists_wanted(tables: Record, state: Record, seat: int) -> int:
    """Return how many colonists the seat's explored worlds ask for beyond those it has."""
    wanted = 0
    for place in range(state.n_explored[seat]):
        wanted += tables.colonists[state.explored[seat, place]]
    return wanted - state.colonists[seat]


@njit_inline
def colonists_worth(
    tables: Record,
    state: Record,
    seat: int,
    policy: Record,
    left: float,
    amount: int,
) -> float:
    """Return the worth of gaining colonists."""
    wanted = max(0, min(amount, colonists_wanted(tables, state, seat)))
    worth = policy.params[Param.COLONIST] * wanted + policy.params[Param.COLONIST_SPARE] * (amount - wanted)
    return worth if left >= 1.0 else 0.0
