"""Which objective a final position claims: of most worth, and by which means; see `nfsim.contract.series`."""

from __future__ import annotations

from nfsim.compiled.jit import int64, njit
from nfsim.contract.series import MET, MISSED
from nfsim.engine import rules
from nfsim.engine.records import Floats, Record


@njit
def best_claim(tables: Record, state: Record, seat: int, worth: Floats) -> tuple[int, float]:
    """Return the objective to claim, of equal ones the first, and what that is worth; -1 and 0 if none can be claimed.

    Parameters
    ----------
    tables, state : record
    seat : int
    worth : float64 array, shape (objective, 2)
        Of claiming an objective without and with the chip; 0 and 0: it is closed. Where `tables.chip_last` is set, the
        chip counts only if no open objective is met.
    """
    best = int64(-1)
    mended = int64(-1)
    gain = 0.0
    gain_mended = 0.0
    met = False
    for objective in range(tables.n_objectives):
        if worth[objective, 0] > 0.0 or worth[objective, 1] > 0.0:
            use = rules.claim(tables, state, seat, int64(objective))
            if use == MET:
                met = True
                if worth[objective, 0] > gain:
                    gain = worth[objective, 0]
                    best = int64(objective)
            elif use != MISSED and worth[objective, 1] > gain_mended:
                gain_mended = worth[objective, 1]
                mended = int64(objective)
    if mended >= 0 and not (met and tables.chip_last > 0):
        if gain_mended > gain or (gain_mended == gain and mended < best):
            return mended, gain_mended
    return best, gain
