"""What a game is played on, and what it is written into: room made once and handed to the compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nfsim.compiled.jit import int64
from nfsim.engine.records import Ints, Records, new_record, quick
from nfsim.engine.rules import Rules

GAME, SEEN, TRIAL = range(3)  # places of states: the game, what the seat sees of it, the game of a rollout
STATES, LISTS = 3, 2  # states and option lists that a thinking player needs


class Workspace(NamedTuple):
    """Room for one game and for whoever looks ahead in it.

    Attributes
    ----------
    states : recarray of STATE, shape (STATES,)
        The game first.
    memory : ndarray of int64, shape (state, word)
        The memory of `states`: writing to one changes the other.
    lists : recarray of OPTION_LIST, shape (LISTS,)
        The options of the game first.
    """

    states: Records
    memory: Ints
    lists: Records


def new_workspace(rules: Rules) -> Workspace:
    """Return zeroed room."""
    states = new_record(rules.state, STATES)
    return Workspace(states, states.view(np.int64).reshape(STATES, -1), new_record(rules.option_list, LISTS))


class Log(NamedTuple):
    """What games write.

    Attributes
    ----------
    level : int
        Place of the log level: which tables are written.
    rows : named tuple of recarrays
        A row buffer for each table.
    used : ndarray of int64, shape (table,)
        Rows written so far, moved on.
    room : ndarray of int64, shape (table,)
        One more game fits while no more rows than so many are used. Behind what `Rules.most` says of a game there is as
        much room again, so that a game that writes too much is noticed (`check_rows`) and not written elsewhere.
    asked, options_seen : ndarrays of int64, shape (decision,)
        Decisions asked and options offered, added up.
    """

    level: int
    rows: Any
    used: Ints
    room: Ints
    asked: Ints
    options_seen: Ints


def new_log(rules: Rules, tables: Any, level: int, written: Sequence[str], games: int) -> Log:
    """Return empty buffers.

    Parameters
    ----------
    tables : record of TABLES
    level : int
        Place of the log level.
    written : sequence of str
        Tables that it writes.
    games : int
        Usual games that fit; always one of any length.
    """
    sizes = {
        name: max(rules.capacity(tables, name, games), rules.most(tables, name)) if name in written else 1
        for name in rules.row_types
    }
    most = {name: rules.most(tables, name) if name in written else 1 for name in sizes}
    room = [sizes[name] - most[name] for name in sizes]
    decisions = rules.state["asked"].shape[0]
    return Log(
        level=int64(level),
        rows=rules.rows(*(new_record(dtype, sizes[name] + most[name]) for name, dtype in rules.row_types.items())),
        used=np.zeros(len(sizes), np.int64),
        room=np.array(room, np.int64),
        asked=np.zeros(decisions, np.int64),
        options_seen=np.zeros(decisions, np.int64),
    )


def check_rows(rules: Rules, log: Log) -> None:
    """Raise if a game has written more rows into a table than its rules say.

    Raises
    ------
    RuntimeError
        For whoever wrote the game: `Rules.most` is too small.
    """
    for name, rows, used, room in zip(rules.row_types, log.rows, log.used, log.room, strict=True):
        most = (len(rows) - int(room)) // 2
        if used > room + most:
            raise RuntimeError(
                f"a game wrote more rows into the table {name} than the {most} that `most` of its rules says"
            )


def quick_workspace(room: Workspace) -> Workspace:
    """Return the same room in the form that compiled functions take from Python several times as fast."""
    return Workspace(quick(room.states), room.memory, quick(room.lists))
