"""How a policy decides, and what a search wants more of."""

from enum import IntEnum


class Kind(IntEnum):
    """How a policy decides; its parameters mean something only together with it."""

    UNIFORM = 0  # any legal option
    WEIGHTS = 1  # by the game's `choose`
    PLANNER = 2  # aims at an objective with the weights made for it, and revises its aim each round
    SEARCH = 3  # tries options out in games played to their end
    OWN = 4  # a function of the user's outside the compiled code; the kernel stops and asks


class Wants(IntEnum):
    """What a search wants more of."""

    SCORE = 0  # alone: points; with others: the lead, in a form between lead and win that few rollouts show well
    CLAIM = 1  # alone: the worth of the objective that the game's end can claim
    WIN = 2  # with others: having more points than they
