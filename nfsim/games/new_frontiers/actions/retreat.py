"""Retreat into Isolation (the side without goals): the selector gains 2 credits (001)."""

from nfsim.compiled.jit import njit
from nfsim.engine.records import Record


@njit
def begin(state: Record) -> None:
    """Give the bonus; nobody has an action."""
    if state.bonus_seat >= 0:
        state.credits[state.bonus_seat] += 2
