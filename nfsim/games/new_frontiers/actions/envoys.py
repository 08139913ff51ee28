"""Send Diplomatic Envoys: the selector gains 1 VP chip and the top of the priority track for the next round (001).

In solo the player also gains 1 credit when it selects this tile second or third in the round (000 p. 2).
"""

from nfsim.compiled.jit import int64, njit
from nfsim.engine.records import Record
from nfsim.games.new_frontiers.supply import gain_chips
from nfsim.games.new_frontiers.track import to_front


@njit
def begin(tables: Record, state: Record) -> None:
    """Give the bonus; nobody has an action."""
    if state.bonus_seat >= 0:
        gain_chips(state, state.bonus_seat, int64(1))
        if tables.dummies > 0 and state.turn > 0:
            state.credits[state.bonus_seat] += 1
    to_front(tables, state, state.selector)
