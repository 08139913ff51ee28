"""Observations: the position and the options at hand as numbers, with only what a seat may know in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.status import Status
from nfsim.engine import rules
from nfsim.engine.observed import Entry, Observed
from nfsim.engine.records import Ints, Record, Records, new_record
from nfsim.engine.rules import Rules
from nfsim.engine.workspace import GAME, Workspace

MOST_ACTIONS = (
    64  # options of a decision that agents can choose from; random play of the package's game offers up to 30
)
FAR = 1_000_000  # range of numbers of which a game says none
KIND, A, B = range(3)  # what stands first of every option
UNSEEN = frozenset(
    ("draw_key", "draw_counter", "policy_key", "policy_counter", "drawn_n", "drawn", "asked", "options_seen")
)  # fields of STATE that are no part of the position

Floats32 = NDArray[np.float32]
Bools = NDArray[np.bool_]


class Sight(NamedTuple):
    """How observations are written.

    Attributes
    ----------
    places : ndarray of int64, shape (seat, entry)
        By the seat that looks: word of a state's memory.
    shifts, masks, acting : ndarrays of int64, shape (entry,)
        Bits to take of the word, and 1 for what only the seat that must decide sees.
    least, most : ndarrays of int64, shape (entry,)
        Range of the entries of the position.
    low, high : ndarrays of float32, shape (entry,)
        Range of all entries, those of the options too.
    careful : int
        1: what is hidden is put in order first, on a copy.
    actions, width : int
        Options that are shown, and numbers of each.
    scratch : recarray of STATE, shape (1,)
    memory : ndarray of int64, shape (1, word)
        Its memory.
    """

    places: Ints
    shifts: Ints
    masks: Ints
    acting: Ints
    least: Ints
    most: Ints
    low: Floats32
    high: Floats32
    careful: int
    actions: int
    width: int
    scratch: Records
    memory: Ints


@njit
def look(
    tables: Record, state: Record, memory: Ints, options: Record, sight: Sight, seat: int, out: Floats32, mask: Bools
) -> None:
    """Write what a seat sees.

    Parameters
    ----------
    tables, state, options : records of TABLES, STATE, OPTION_LIST
    memory : int64 array, shape (word,)
        The memory of `state`.
    sight : Sight
    seat : int
    out : float32 array, shape (entry,)
        What `look` wrote before, or zeros.
    mask : bool array, shape (action,)
        Which actions were legal in `out`.
    """
    shown = len(sight.shifts)
    source = memory
    if sight.careful:
        source = sight.memory[0]
        source[:] = memory
        rules.forget_hidden(tables, sight.scratch[0], seat)
    hidden = state.actor != seat
    for entry in range(shown):
        value = (source[sight.places[seat, entry]] >> sight.shifts[entry]) & sight.masks[entry]
        if hidden and sight.acting[entry]:
            value = int64(0)
        if value < sight.least[entry]:
            value = sight.least[entry]
        elif value > sight.most[entry]:
            value = sight.most[entry]
        out[entry] = value
    count = int64(0)
    if not hidden and state.status == Status.RUNNING:
        count = min(options.count, sight.actions)
    for choice in range(sight.actions):
        at = shown + choice * sight.width
        if choice < count:
            out[at + KIND] = options.kind[choice]
            out[at + A] = options.a[choice]
            out[at + B] = options.b[choice]
            for entry in range(at + B + 1, at + sight.width):
                out[entry] = 0.0
            rules.features(tables, state, options, int64(choice), out, at + B + 1)
            for entry in range(at, at + sight.width):
                if out[entry] < sight.low[entry]:
                    out[entry] = sight.low[entry]
                elif out[entry] > sight.high[entry]:
                    out[entry] = sight.high[entry]
        elif mask[choice]:
            for entry in range(at, at + sight.width):
                out[entry] = 0.0
        mask[choice] = choice < count


class Observer:
    """Writes observations of games of one setup.

    Parameters
    ----------
    rules : Rules
    prepared : Prepared
        The game.

    Attributes
    ----------
    entries : tuple of Entry
        What each number of an observation is: first the position, then `option_entries` for each action in turn.
    option_entries : tuple of Entry
        What is said of one option: kind, a and b, as `options` of a game has them, and what the game says besides.
    position : int
        Entries of the position.
    actions : int
        Size of the action space. An action is the place of an option in `options`.
    sight : Sight
    """

    def __init__(self, rules: Rules, prepared: Any) -> None:
        self.rules, self.tables = rules, prepared.tables[0]
        self.actions = min(MOST_ACTIONS, int(rules.option_list["kind"].shape[0]))
        players = int(self.tables.players)
        listed = rules.observed or _everything(rules)
        found = [each for observed in listed for each in _spread(rules, observed, players)]
        self.position = len(found)
        self.option_entries = (
            Entry("kind", 0, max(1, len(rules.verbs) - 1) if rules.verbs else FAR, _kinds(rules)),
            Entry("a", -1, FAR, "first number of the option"),
            Entry("b", -1, FAR, "second number of the option"),
            *rules.option_features,
        )
        shown = tuple(entry for entry, *_ in found)
        self.entries = shown + tuple(
            Entry(f"option.{choice}.{each.name}", min(0, each.low), max(0, each.high), each.meaning)
            for choice in range(self.actions)
            for each in self.option_entries
        )
        columns = list(zip(*(rest for _, *rest in found), strict=True))
        scratch = new_record(rules.state)
        self.sight = Sight(
            places=np.ascontiguousarray(np.array(columns[0], np.int64).T),
            shifts=np.array(columns[1], np.int64),
            masks=np.array(columns[2], np.int64),
            acting=np.array(columns[3], np.int64),
            least=np.array([entry.low for entry in shown], np.int64),
            most=np.array([entry.high for entry in shown], np.int64),
            low=np.array([entry.low for entry in self.entries], np.float32),
            high=np.array([entry.high for entry in self.entries], np.float32),
            careful=int64(not rules.observed),
            actions=int64(self.actions),
            width=int64(len(self.option_entries)),
            scratch=scratch,
            memory=scratch.view(np.int64).reshape(1, -1),
        )

    def observe(self, room: Workspace, seat: int) -> Floats32:
        """Return what a seat sees of the game in a workspace."""
        out, mask = np.zeros(len(self.entries), np.float32), np.zeros(self.actions, np.bool_)
        look(self.tables, room.states[GAME], room.memory[GAME], room.lists[GAME], self.sight, int64(seat), out, mask)
        return out


def _kinds(rules: Rules) -> str:
    named = ", ".join(f"{code} {verb}" for code, verb in enumerate(rules.verbs))
    return f"what the option does{f': {named}' if named else ''}"


def _everything(rules: Rules) -> list[Observed]:
    """Return all fields of a position, for a game that names none."""
    names = [name for name in rules.state.names or () if name not in UNSEEN]
    return [Observed(name, -FAR, FAR, f"field {name} of the state, with what is hidden put in order") for name in names]


def _spread(rules: Rules, observed: Observed, players: int) -> Iterator[tuple[Entry, list[int], int, int, int]]:
    """Yield the entries of a field: each with its word by seat, shift, mask, and whether only the actor sees it."""
    dtype, offset = rules.state.fields[observed.field][:2]  # type: ignore[index]
    word, shape = int(offset) // 8, dtype.shape
    seated = observed.of != "table"
    inner = int(np.prod(shape[1 if seated else 0 :], dtype=np.int64))
    names = observed.labels or ("",) if inner == 1 else observed.labels or tuple(map(str, range(inner)))
    others = range(players if observed.of == "players" else 1)
    for away in others:
        for place, name in enumerate(names):
            if observed.labels and not name:
                continue
            whose = ("me" if away == 0 else str(away)) if seated else ""
            at = [
                word + ((seat + away) % players * inner if seated else 0) + (0 if observed.bits else place)
                for seat in range(players)
            ]
            full = ".".join(filter(None, (observed.field, whose, name)))
            entry = Entry(full, observed.low, observed.high, observed.meaning)
            yield entry, at, place if observed.bits else 0, 1 if observed.bits else -1, int(observed.acting)
