"""What a game must supply to be played: records, compiled functions, and a few facts; and what they tell each other.

The functions stand here as stubs that say what each does; `Rules` names a game's own. The driver (`playing`, `search`,
`kernel`, `series`) calls the stubs, and the type of the tables decides whose function it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.compiled.dispatch import Supplied, supplied
from nfsim.compiled.jit import register_game
from nfsim.engine.observed import Entry, Observed, no_features
from nfsim.engine.records import Ints, Record


class Event(IntEnum):
    """What `advance` returns."""

    DECISION = 1  # `state.actor` must decide `state.decision` among the options: two or more
    ROUND_ENDED = 2  # scores are up to date
    FINISHED = 3  # `state.status` says how
    FORCED = 4  # as DECISION, but there is only option 0: the caller applies it, unasked and uncounted


@supplied
def begin(tables: Record, state: Record, root: int, game: int) -> None:
    """Set up game number `game` of the run with seed `root`.

    `state` is zero but for the streams that the driver has set: `draw_key`, `policy_key`.
    """


@supplied
def advance(tables: Record, state: Record, options: Record) -> int:
    """Play on by the rules until something is up to the caller; return an `Event` number.

    A decision with a choice is counted in `asked` and `options_seen`; when the game is over `status` says how.
    """


@supplied
def apply(tables: Record, state: Record, options: Record, choice: int) -> None:
    """Carry out option number `choice` of those offered."""


@supplied
def choose(tables: Record, state: Record, options: Record, policy: Record) -> int:
    """Return the option that a policy of kind WEIGHTS chooses, and note in `options.score` what each is worth."""


@supplied
def get_ready(tables: Record, policy: Record) -> None:
    """Work out once what a policy of kind WEIGHTS says of the tables; called before its first choice."""


@supplied
def matters(tables: Record, state: Record) -> bool:
    """Return whether a search looks ahead at the decision at hand: not for what hardly matters."""


@supplied
def forget_hidden(tables: Record, state: Record, seat: int) -> None:
    """Put everything hidden from a seat in one order, so that positions it cannot tell apart become the same."""


@supplied
def deal_anew(tables: Record, state: Record, seat: int, key: int) -> None:
    """Deal everything hidden from a seat anew from the stream `key`, and draw from that stream from now on."""


@supplied
def claim(tables: Record, state: Record, seat: int, objective: int) -> int:
    """Return how a final position claims an objective: `nfsim.contract.series.MET` … `MISSED`."""


@supplied
def nearness(tables: Record, state: Record, seat: int, objective: int) -> float:
    """Return how near a position is to an objective, 0 to 1; it only tells hopeless options apart."""


@supplied
def write_round(tables: Record, state: Record, game: int, rows: Any, used: Ints) -> None:
    """Write the rows of a round that has ended, and move `used` on.

    Parameters
    ----------
    rows : named tuple of record arrays
        `Rules.rows`: a buffer for each table.
    used : int64 array, shape (table,)
        Rows written into each.
    """


@supplied
def write_end(tables: Record, state: Record, policies: Record, game: int, level: int, rows: Any, used: Ints) -> None:
    """Write the rows of a game that is over, and move `used` on; `level` is the place of the log level."""


@supplied
def features(tables: Record, state: Record, options: Record, choice: int, out: Any, at: int) -> None:
    """Write what agents are told of an option beside kind, a and b: `Rules.option_features`, from ``out[at]`` on.

    `out` is zero there. It must be nothing that the acting seat may not know.
    """


SUPPLIED: dict[str, Supplied] = {name: value for name, value in globals().items() if isinstance(value, Supplied)}


@dataclass(frozen=True)
class Rules:
    """A game as the driver sees it. Making one registers its functions.

    Attributes
    ----------
    game : str
        Name of the rule set, and of its package.
    folder : Path
        Where the package stands: an edit there compiles what plays the game anew.
    tables, state, option_list, policy : dtype
        The game's records; see `nfsim.engine.records`.
    rows : type
        Named tuple with a field for each table, in the order of the tables; `write_round` and `write_end` get one.
    row_types : mapping of str to dtype
        Of the rows, by table.
    capacity : callable
        ``(tables, table, games) -> rows`` that a buffer for so many usual games needs.
    most : callable
        ``(tables, table) -> rows`` that one game writes at most.
    load_policies : callable
        ``(policies, prepared) -> recarray of POLICY``: the seats' policies first, then the minds of those that think.
    fill_policy : callable
        ``(record, policy, prepared)``: writes one that does not think into its record.
    adviser : str
        Policy that looks ahead, for hints.
    begin … write_end : compiled functions
        As the stubs of this module say.
    observed : tuple of Observed
        Fields of the state that agents see. Without any they see all, after `forget_hidden`: slower, without ranges.
    option_features : tuple of Entry
        What `features` writes of an option.
    features : compiled function
        As its stub says.
    verbs : tuple of str
        What options do, by their kind: first words of what `Game.words` returns.
    """

    game: str
    folder: Path
    tables: np.dtype[Any]
    state: np.dtype[Any]
    option_list: np.dtype[Any]
    policy: np.dtype[Any]
    rows: type[Any]
    row_types: Mapping[str, np.dtype[Any]]
    capacity: Callable[[Any, str, int], int]
    most: Callable[[Any, str], int]
    load_policies: Callable[[Sequence[Any], Any], Any]
    fill_policy: Callable[[Any, Any, Any], None]
    adviser: str
    begin: Callable[..., Any]
    advance: Callable[..., Any]
    apply: Callable[..., Any]
    choose: Callable[..., Any]
    get_ready: Callable[..., Any]
    matters: Callable[..., Any]
    forget_hidden: Callable[..., Any]
    deal_anew: Callable[..., Any]
    claim: Callable[..., Any]
    nearness: Callable[..., Any]
    write_round: Callable[..., Any]
    write_end: Callable[..., Any]
    observed: tuple[Observed, ...] = ()
    option_features: tuple[Entry, ...] = ()
    features: Callable[..., Any] = no_features
    verbs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        register_game(self.game, self.folder, self.tables, self.state, self.option_list, self.policy)
        for field in fields(self):
            if field.name in SUPPLIED:
                SUPPLIED[field.name].supply(self.tables, getattr(self, field.name))
