"""What a game shows to agents in numbers: which fields of its state, and what it says of an option."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nfsim.compiled.jit import njit


@dataclass(frozen=True)
class Entry:
    """One number of an observation, or of what is said of an option.

    Attributes
    ----------
    name : str
    low, high : float
        It is never outside: what is beyond is shown as the nearest of them.
    meaning : str
    """

    name: str
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Observed:
    """A field of STATE that agents see. The game vouches for it: only what `of` and `acting` say may be known.

    Attributes
    ----------
    field : str
        Its name. Its first axis is the seat, unless `of` is ``"table"``.
    low, high : float
        Range of its numbers; what is beyond is shown as the nearest of them.
    meaning : str
    of : {"table", "players", "own"}
        No seat's; every player's, the observer's first and then the others' in their order; the observer's only.
    labels : tuple of str
        Names of the places of its other axis, from the first on; the places behind them are not shown. With `bits`:
        names of its bits, from the lowest on. '' leaves one out.
    bits : bool
        Whether each bit is a number of its own, 0 or 1.
    acting : bool
        Whether only the seat that must decide may know it; others see 0.
    """

    field: str
    low: float
    high: float
    meaning: str
    of: str = "table"
    labels: tuple[str, ...] = ()
    bits: bool = False
    acting: bool = False


@njit
def no_features(_tables: Any, _state: Any, _options: Any, _choice: int, _out: Any, _at: int) -> None:
    """Say nothing of an option beside its three numbers."""
