"""Series of games: game after game, each with a claim of an objective, until one allows none; no Python per game.

A leg of a series is played until each of its objectives has been claimed, by a game for each. A series has one help or
more kinds of it, spent together: the first claim that needs any spends it. What may be claimed is the game's own
`rules.claim`; what claims are worth is planned by whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.status import Status
from nfsim.engine import rules
from nfsim.engine.kernel import go_on
from nfsim.engine.playing import NO_CHOICE, begin, get_ready
from nfsim.engine.records import I8, Floats, Ints, Record, Records, new_record
from nfsim.engine.rules import MET, MISSED, Rules
from nfsim.engine.workspace import GAME, Log, Workspace, new_log, new_workspace

FINISHED = int(Status.FINISHED)
BATCH = 256  # runs between two hand-overs of rows

SERIES_ROW = np.dtype(
    [
        ("run", I8),  # number of the run through the series
        ("leg", I8),  # place of the leg in the series
        ("place", I8),  # of the game in its run
        ("game", I8),  # its number under the seed
        ("target", I8),  # objective that the policy aimed at when the game ended; -1 none
        ("claimed", I8),  # objective claimed; -1 none, and the series was lost
        ("help", I8),  # MET, or the kind of help that the claim needed
        ("won", I8),  # 1: the leg was won; the same in all its rows
    ]
)


class Leg(NamedTuple):
    """One leg.

    Attributes
    ----------
    number : int
        Its place.
    first : int
        Games of the legs before it.
    games : int
        Games of a whole run: game i of run r has number ``r * games + i``.
    worth : float64 array, shape (mask, help, objective, 2)
        Of claiming an objective without and with help, by what is open and whether there is help; 0: it cannot be so.
    """

    number: int
    first: int
    games: int
    worth: Floats


class Runs(NamedTuple):
    """Runs through a series, each an int64 array, shape (run,); changed by every leg.

    Attributes
    ----------
    number : ndarray
    help : ndarray
        1 while help is there.
    alive : ndarray
        1 while nothing is lost.
    status : ndarray
        Set to the status of a game that was not finished by the rules; such a game loses the series.
    """

    number: Ints
    help: Ints
    alive: Ints
    status: Ints


@njit
def play_leg(
    tables: Record, policies: Records, root: int, leg: Leg, runs: Runs, room: Workspace, log: Log, rows: Records
) -> int:
    """Play one leg of each run that is still in it, and write its rows.

    Parameters
    ----------
    tables : record of TABLES
        Of the leg.
    policies : recarray of POLICY, shape (policy,)
        As `kernel.play_games` takes them; `worth` of the first one is set before each game.
    root : int
        Seed.
    leg : Leg
    runs : Runs
    room : Workspace
    log : Log
        Of level 0; nothing is written.
    rows : recarray of SERIES_ROW, shape (capacity,)
        Filled from the first place on.

    Returns
    -------
    int
        Rows written.
    """
    get_ready(tables, policies)
    policy = policies[0]
    state = room.states[GAME]
    at = int64(0)
    for i in range(len(runs.number)):
        if runs.alive[i] == 0:
            continue
        begun = at
        mask = (int64(1) << tables.n_objectives) - 1
        place = leg.first
        while mask > 0 and runs.alive[i] > 0:
            game = runs.number[i] * leg.games + place
            for objective in range(tables.n_objectives):
                policy.worth[objective, 0] = leg.worth[mask, runs.help[i], objective, 0]
                policy.worth[objective, 1] = leg.worth[mask, runs.help[i], objective, 1]
            begin(tables, state, room.memory[GAME], root, game)
            go_on(tables, policies, game, room, log, int64(NO_CHOICE))
            claimed = int64(MISSED)
            if state.status == FINISHED:
                claimed = best_claim(tables, state, leg.worth[mask, runs.help[i]])
            else:
                runs.status[i] = state.status
            row = rows[at]
            at += 1
            row.run = runs.number[i]
            row.leg = leg.number
            row.place = place
            row.game = game
            row.target = policy.use - policy.first_mind if policy.plans else policy.target
            row.claimed = claimed
            row.help = MET
            place += 1
            if claimed < 0:
                runs.alive[i] = 0
            else:
                row.help = rules.claim(tables, state, int64(0), claimed)
                if row.help != MET:
                    runs.help[i] = 0
                mask ^= int64(1) << claimed
        for written in range(begun, at):
            rows[written].won = runs.alive[i]
    return at


@njit
def best_claim(tables: Record, state: Record, worth: Floats) -> int:
    """Return the objective to claim: of most worth, of equal ones the first; -1 if none can be claimed."""
    best = int64(-1)
    most = 0.0
    for objective in range(tables.n_objectives):
        if worth[objective, 0] > most or worth[objective, 1] > most:
            help_ = rules.claim(tables, state, int64(0), int64(objective))
            gain = 0.0
            if help_ == MET:
                gain = worth[objective, 0]
            elif help_ > MET:
                gain = worth[objective, 1]
            if gain > most:
                most = gain
                best = int64(objective)
    return best


class SeriesEngine:
    """Plays runs through a series; see `nfsim.contract.rule_set.Engine`. What it counts as a game is a run.

    Parameters
    ----------
    rules : Rules
    legs : sequence of Prepared
        The games of the legs.
    worths : sequence of ndarray
        By leg: `Leg.worth`.
    policy : Policy
    helped : bool
        Whether a run begins with help.
    tables : callable
        ``(rows, statuses) -> mapping of str to rows``: from rows of SERIES_ROW, sorted by game, and how each run's
        last game ended, to the tables that are logged.
    """

    def __init__(
        self,
        rules: Rules,
        legs: Sequence[Any],
        worths: Sequence[Floats],
        policy: Any,
        helped: bool,
        tables: Callable[[Any, Ints], dict[str, Any]],
    ) -> None:
        self._legs, self._worths, self._helped, self._tables = legs, worths, helped, tables
        self._policies = [rules.load_policies([policy], leg) for leg in legs]
        self._sizes = [int(leg.tables[0].n_objectives) for leg in legs]
        self._room = new_workspace(rules)
        self._log = new_log(rules, legs[0].tables[0], 0, (), 1)
        self._buffer = new_record(SERIES_ROW, BATCH * sum(self._sizes))
        self._rows: dict[str, Any] = {}
        self.asked = np.zeros(0, np.int64)  # decisions are not counted here
        self.options_seen = np.zeros(0, np.int64)

    def play(self, root: int, first: int, count: int) -> int:
        """Play runs and replace the rows held by theirs; return how many were played."""
        n = min(count, BATCH)
        runs = Runs(
            np.arange(first, first + n, dtype=np.int64),
            np.full(n, int(self._helped), np.int64),
            np.ones(n, np.int64),
            np.full(n, FINISHED, np.int64),
        )
        before, at, games = 0, 0, sum(self._sizes)
        for number, prepared in enumerate(self._legs):
            leg = Leg(number, before, games, self._worths[number])
            at += int(
                play_leg(
                    prepared.tables[0],
                    self._policies[number],
                    int64(root),
                    leg,
                    runs,
                    self._room,
                    self._log,
                    self._buffer[at:],
                )
            )
            before += self._sizes[number]
        order = np.argsort(self._buffer.game[:at], kind="stable")
        self._rows = self._tables(self._buffer[:at][order], runs.status)
        return n

    def rows(self) -> dict[str, Any]:
        """Return the rows of the last call by table."""
        return self._rows

    def reset(self) -> None:
        """Do nothing: there are no counts."""
