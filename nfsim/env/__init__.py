"""Environments for agents that learn, over the games of any rule set.

`solo` is one agent's environment (Gymnasium), `aec` one of several agents (PettingZoo), `vector` many games stepped
together in compiled code. All show the same numbers and take the same actions; `nfsim.engine.observing.Observer` says
what they are.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nfsim.errors import BadInput

if TYPE_CHECKING:
    from nfsim.env.many import Vector
    from nfsim.env.several import SeveralAgents
    from nfsim.env.single import OneAgent

__all__ = ["aec", "solo", "vector"]

Players = str | Callable[..., Any] | Sequence[str | Callable[..., Any]]
"""A policy for every seat, or one per seat: names, files, or functions in Python."""


def solo(
    scenario: Path | str,
    *,
    seat: int = 0,
    others: Players = "balanced",
    reward: str = "score",
    settings: Sequence[str] = (),
) -> OneAgent:
    """Return a Gymnasium environment: one agent plays a seat, policies play the others.

    Parameters
    ----------
    scenario : path or str
        A TOML file, or the name of a built-in one.
    seat : int
        The agent's.
    others : policy, or sequence of them
        One for all other seats, or one per seat in order; the one of the agent's seat is not asked.
    reward : {"score", "won"}
        What the score gained since the agent's last decision, alone round by round, with others at the end (a running
        score would tell what is hidden). Or 1 for a game won, and nothing else.
    settings : sequence of str
        ``key=value`` as with ``--set``.

    Raises
    ------
    BadInput
        If gymnasium is not installed, or naming what is wrong.
    """
    _need("gymnasium")
    from nfsim.env.single import OneAgent
    from nfsim.env.table import lay

    return OneAgent(lay(scenario, others, settings, reward), seat)


def aec(scenario: Path | str, *, reward: str = "score", settings: Sequence[str] = ()) -> SeveralAgents:
    """Return a PettingZoo environment (AEC): an agent plays each seat.

    Parameters
    ----------
    scenario, reward, settings
        As for `solo`.

    Raises
    ------
    BadInput
        If pettingzoo is not installed, or naming what is wrong.
    """
    _need("pettingzoo")
    from nfsim.env.several import SeveralAgents
    from nfsim.env.table import ANYBODY, lay

    return SeveralAgents(lay(scenario, ANYBODY, settings, reward))


def vector(
    n: int,
    scenario: Path | str,
    *,
    seat: int = 0,
    others: Players = "balanced",
    reward: str = "score",
    settings: Sequence[str] = (),
) -> Vector:
    """Return `n` games that are stepped together, an agent in the same seat of each; it needs no other package.

    Parameters
    ----------
    n : int
        Games at the same time; another begins where one ends.
    scenario, seat, others, reward, settings
        As for `solo`; here the others must play in compiled code and not look ahead.

    Raises
    ------
    BadInput
        Naming what is wrong.
    """
    from nfsim.env.many import Vector
    from nfsim.env.table import lay

    return Vector(lay(scenario, others, settings, reward), int(n), seat)


def _need(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise BadInput("nfsim.env", "", f"needs {package}, which is not installed", "pip install 'nfsim[env]'")
