"""What `nfsim tune` must know of a game to improve a policy of it; a game offers it through `RuleSet.tuner`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Aim:
    """What a policy is to become better at, as the command line says it.

    Attributes
    ----------
    start : str
        Policy to begin with: a name or a file.
    value : {"score", "met", "win", ""}
        What is to grow: the score, how often an objective is met, how often it wins; '' for what fits the scenario.
    objectives : tuple of str
        Objectives that are to be met: any of them.
    against : tuple of str
        Policies of the other seats: names or files; none: the starting policy.
    parts : tuple of str
        Groups of parameters that may change; none: all.
    """

    start: str
    value: str = ""
    objectives: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """Values of some deals; the higher the better.

    Attributes
    ----------
    smooth : ndarray of float64, shape (deal,)
        What the search follows: it has a slope where `plain` is the same for nearly all candidates.
    plain : ndarray of float64, shape (deal,)
        What is reported. Deals are independent of each other.
    """

    smooth: Floats
    plain: Floats


Play = Callable[[Any, int, int, int], Outcome]
"""``(policy, root, first, deals) -> Outcome``; one belongs to one thread at a time."""


class Tuner(Protocol):
    """Turns vectors into policies and games into values.

    A vector says by how many typical steps each parameter differs from the start: the start is the zero vector.

    Attributes
    ----------
    lower, upper : ndarray of float64, shape (parameter,)
        Bounds of vectors; infinite where there is none.
    is_rate : bool
        Whether values are rates, 0 to 1.
    value_name : str
        What values are: "win rate" ….
    start : Any
        Policy to begin with, as it is.
    about : mapping
        What is tuned how, from what and against whom: JSON values, equal for equal searches.
    """

    lower: Floats
    upper: Floats
    is_rate: bool
    value_name: str
    start: Any
    about: Mapping[str, Any]

    def deals(self, games: int) -> int:
        """Return how many deals about so many games are: a deal is played once with the policy in each seat."""

    def policy(self, vector: Floats) -> Any:
        """Return the policy of a vector within bounds, its numbers rounded as a file holds them."""

    def play(self) -> Play:
        """Return what plays deals in one thread."""

    def text(self, policy: Any, plan: str, provenance: Mapping[str, Any]) -> str:
        """Return the file that holds a policy."""

    def recorded(self, path: Any) -> Mapping[str, Any]:
        """Return the provenance that a policy's file states."""
