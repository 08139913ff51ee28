"""Series of games: game after game, each with a claim of an objective, until one allows none; no Python per game.

A campaign of a series is played until each of its objectives has been claimed, by a game for each. The first claim that
needs the chip spends it, for the whole series. What may be claimed is the game's own `rules.claim`; what claims are
worth is planned by whoever asks; see `nfsim.contract.series`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.status import Status
from nfsim.contract.series import MET, Series
from nfsim.contract.tables import Table
from nfsim.engine import rules
from nfsim.engine.claims import best_claim
from nfsim.engine.kernel import go_on
from nfsim.engine.playing import NO_CHOICE, begin, get_ready
from nfsim.engine.records import Floats, Ints, Record, Records, new_record
from nfsim.engine.rules import Rules
from nfsim.engine.search import load_thinking
from nfsim.engine.workspace import GAME, Log, Workspace, new_log, new_workspace

FINISHED = int(Status.FINISHED)
BATCH = 256  # runs between two hand-overs of rows


class Stage(NamedTuple):
    """One campaign in its series.

    Attributes
    ----------
    number : int
        As the column ``campaign`` has it.
    first : int
        Games, and objectives, of the campaigns before it.
    games : int
        Games of a whole run: game i of run r has number ``r * games + i``.
    worth : float64 array, shape (mask, chip, objective, 2)
        Of claiming an objective without and with the chip, in each position; 0: it cannot be claimed so.
    """

    number: int
    first: int
    games: int
    worth: Floats


class Runs(NamedTuple):
    """Runs through a series, each an int64 array, shape (run,); changed by every campaign.

    Attributes
    ----------
    number : ndarray
    chip : ndarray
        1 with the chip.
    alive : ndarray
        1 while nothing is lost.
    status : ndarray
        Set to the status of a game that was not finished by the rules; such a game loses the series.
    """

    number: Ints
    chip: Ints
    alive: Ints
    status: Ints


@njit
def play_campaign(
    tables: Record, policies: Records, root: int, stage: Stage, runs: Runs, room: Workspace, log: Log, rows: Records
) -> int:
    """Play one campaign of each run that is still in it, and write its rows.

    Parameters
    ----------
    tables : record of TABLES
        Of the stage.
    policies : recarray of POLICY, shape (policy,)
        As `kernel.play_games` takes them; `worth` of the first one is set before each game.
    root : int
        Seed.
    stage : Stage
    runs : Runs
    room : Workspace
    log : Log
        Of level 0; nothing is written.
    rows : recarray of `SeriesRules.table`, shape (capacity,)
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
        place = stage.first
        while mask > 0 and runs.alive[i] > 0:
            game = runs.number[i] * stage.games + place
            for objective in range(tables.n_objectives):
                policy.worth[objective, 0] = stage.worth[mask, runs.chip[i], objective, 0]
                policy.worth[objective, 1] = stage.worth[mask, runs.chip[i], objective, 1]
            begin(tables, state, room.memory[GAME], root, game)
            go_on(tables, policies, game, room, log, int64(NO_CHOICE))
            claimed = int64(-1)
            if state.status == FINISHED:
                claimed, _ = best_claim(tables, state, int64(0), stage.worth[mask, runs.chip[i]])
            else:
                runs.status[i] = state.status
            row = rows[at]
            at += 1
            row.campaign_run = runs.number[i]
            row.campaign = stage.number
            row.game_in_run = place
            row.game = game
            target = policy.use - policy.first_mind if policy.plans else policy.target
            row.target = stage.first + target if target >= 0 else int64(-1)
            row.claimed = int64(-1)
            row.chip_used = MET
            place += 1
            if claimed < 0:
                runs.alive[i] = 0
            else:
                row.claimed = stage.first + claimed
                row.chip_used = rules.claim(tables, state, int64(0), claimed)
                if row.chip_used != MET:
                    runs.chip[i] = 0
                mask ^= int64(1) << claimed
        for written in range(begun, at):
            rows[written].won = runs.alive[i]
    return at


class SeriesEngine:
    """Plays runs through a series; see `nfsim.contract.rule_set.Engine`. What it counts as a game is a run.

    Parameters
    ----------
    rules : Rules
    series : Series
        With the worth of claims.
    table, ends : Table
        As `nfsim.contract.series.SeriesRules` has them.
    """

    def __init__(self, rules: Rules, series: Series, table: Table, ends: Table) -> None:
        self._series, self._names = series, (table.name, ends.name)
        self._policies = [rules.load_policies([series.policy], game) for game in series.campaigns]
        self._room = new_workspace(rules)
        load_thinking(series.campaigns[0].tables[0], self._room, self._policies[0])
        self._log = new_log(rules, series.campaigns[0].tables[0], 0, (), 1)
        self._buffer = new_record(table.dtype, BATCH * series.games)
        self._ends = new_record(ends.dtype, BATCH)
        self._rows: dict[str, Any] = {}
        self.asked = np.zeros(0, np.int64)  # decisions are not counted here
        self.options_seen = np.zeros(0, np.int64)

    def play(self, root: int, first: int, count: int) -> int:
        """Play runs and replace the rows held by theirs; return how many were played."""
        series, n = self._series, min(count, BATCH)
        runs = Runs(
            np.arange(first, first + n, dtype=np.int64),
            np.full(n, int(series.chip), np.int64),
            np.ones(n, np.int64),
            np.full(n, FINISHED, np.int64),
        )
        before, at = 0, 0
        for place, game in enumerate(series.campaigns):
            stage = Stage(series.numbers[place], before, series.games, series.worth[place])
            policies, rows = self._policies[place], self._buffer[at:]
            at += int(play_campaign(game.tables[0], policies, int64(root), stage, runs, self._room, self._log, rows))
            before += series.sizes[place]
        order = np.argsort(self._buffer.game[:at], kind="stable")
        self._ends[:n].status = runs.status
        self._rows = dict(zip(self._names, (self._buffer[:at][order], self._ends[:n]), strict=True))
        return n

    def rows(self) -> dict[str, Any]:
        """Return the rows of the last call by table."""
        return self._rows

    def reset(self) -> None:
        """Do nothing: there are no counts."""
