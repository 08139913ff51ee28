"""The priority track: only relative order counts (R8 closed), or the spaces do (R8 kept)."""

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.layout import SEATS
from nfsim.games.new_frontiers.rulings import Ruling


@njit_inline
def seat_on(state: Record, space: int) -> int:
    """Return the seat whose disk is on a space, -1 if it is empty."""
    for seat in range(state.n_seats):
        if state.space[seat] == space:
            return seat
    return -1


@njit
def close_gaps(tables: Record, state: Record) -> None:
    """Renumber the spaces 1 … n in order (R8 closed)."""
    if tables.ruling[Ruling.PRIORITY_GAPS] != 0:
        return
    space = 1
    for at in range(1, 2 * SEATS + 2):
        seat = seat_on(state, at)
        if seat >= 0:
            state.space[seat] = space
            space += 1


@njit
def to_front(tables: Record, state: Record, seat: int) -> None:
    """Envoys: move a disk to the top; the others keep their order (000 p. 2, R6)."""
    if tables.ruling[Ruling.ENVOYS_SHIFT] == 1:
        first = seat_on(state, int64(1))
        if first >= 0:
            state.space[first] = state.space[seat]
        state.space[seat] = 1
    else:
        state.space[seat] = 0
        moving = seat_on(state, int64(1))
        while moving >= 0:  # push the disks below down to the first empty space
            pushed = seat_on(state, state.space[moving] + 1)
            state.space[moving] += 1
            moving = pushed
        state.space[seat] = 1
    close_gaps(tables, state)


@njit
def up_one(tables: Record, state: Record, seat: int) -> None:
    """Chart Galactic Goals: one space up, changing places with a disk that is there."""
    space = state.space[seat]
    if space <= 1:
        return
    other = seat_on(state, space - 1)
    if other >= 0:
        state.space[other] = space
    state.space[seat] = space - 1
    close_gaps(tables, state)
