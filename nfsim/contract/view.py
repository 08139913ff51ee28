"""What a person at the table sees of a game, as words without layout: a game offers it, the command line prints it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """One row: a label, and items that flow over as many lines as they need.

    Attributes
    ----------
    label : str
        Printed before the first line; spaces at its beginning set it in.
    items : tuple of str
        Never broken if they fit on a line.
    strong : bool
        The row is a heading: stressed where there are colours.
    """

    label: str
    items: tuple[str, ...] = ()
    strong: bool = False


@dataclass(frozen=True)
class Advice:
    """What a strong policy expects of one option.

    Attributes
    ----------
    choice : int
        The option.
    values : ndarray of float64, shape (rollout,)
        How the games tried with it ended; values of the same place had the same luck.
    close : bool
        These games cannot tell it from the best option (5 %).
    """

    choice: int
    values: NDArray[np.float64]
    close: bool


@dataclass(frozen=True)
class Aim:
    """What a strong policy expects of aiming at one objective.

    Attributes
    ----------
    objective : str
    share : float
        Of the games tried, 0 to 1, that met an objective.
    close : bool
        These games cannot tell it from the best aim (5 %).
    """

    objective: str
    share: float
    close: bool


SCORE = "score"  # unit of a hint's values that are no chances


@dataclass(frozen=True)
class Hint:
    """What a strong policy expects of the options at hand.

    The games that are tried are played on by quick players, weaker than the adviser. So they tell which option is
    better; how often they end well is no forecast.

    Attributes
    ----------
    adviser : str
        The policy that was asked.
    unit : str
        What the values are, for example ``chance to win``: then they are 0 to 1; `SCORE`: then they are scores.
    options : tuple of Advice
        The best first; only the most promising ones are tried.
    aims : tuple of Aim
        Of one who plays alone: the best first; none where there is nothing to choose.
    n : int
        Games per option, and per aim.
    """

    adviser: str
    unit: str
    options: tuple[Advice, ...]
    aims: tuple[Aim, ...]
    n: int


class View(Protocol):
    """A game as one seat may see it: what is hidden from the seat is in none of its answers.

    A view belongs to one game and follows it: `told` is asked before each choice of any seat, `news` and
    `revealed` after it.
    """

    def position(self) -> list[Row]:
        """Return the whole position."""

    def question(self) -> str:
        """Return what the seat must decide, in one line."""

    def options(self) -> list[str]:
        """Return the options of the decision at hand, in words; empty when the game is over."""

    def supply(self) -> list[Row]:
        """Return what can be bought or drawn and is not part of `position`, for example stacks of tiles."""

    def tiles(self, choice: int) -> list[str]:
        """Return the names of the tiles that an option is about."""

    def explain(self, name: str) -> list[Row]:
        """Explain a tile, or whatever else has a name; `BadInput` suggests a near name if nothing has it."""

    def signs(self) -> list[Row]:
        """Explain the signs that `position` and `options` use; none if they need no words."""

    def told(self, choice: int) -> str:
        """Return what the seat may hear of a choice that is about to be made; '' for nothing."""

    def news(self) -> list[str]:
        """Return what happened by itself since the last call: random outcomes, forced choices, ends of rounds."""

    def revealed(self) -> str:
        """Return what the last choice brought to light, for example ``8 worlds were drawn``; '' for nothing."""

    def result(self) -> list[Row]:
        """Return the final scores with their parts, and whatever else was to be reached."""
