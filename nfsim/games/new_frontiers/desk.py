"""What a game is played on: room for states and options, made once and handed to the compiled code."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nfsim.games.new_frontiers.layout import OPTION_LIST, STATE, new_record
from nfsim.games.new_frontiers.rollouts import LISTS, STATES


class Desk(NamedTuple):
    """Room for one game and for whoever looks ahead in it.

    Attributes
    ----------
    states : recarray of STATE, shape (rollouts.STATES,)
        The game first.
    memory : ndarray of int64, shape (state, word)
        The memory of `states`: writing to one changes the other.
    lists : recarray of OPTION_LIST, shape (rollouts.LISTS,)
        The options of the game first.
    """

    states: Any
    memory: Any
    lists: Any


def new_desk() -> Desk:
    """Return zeroed room."""
    states = new_record(STATE, STATES)
    return Desk(states, states.view(np.int64).reshape(STATES, -1), new_record(OPTION_LIST, LISTS))
