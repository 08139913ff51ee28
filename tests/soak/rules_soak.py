"""A million random games per rule configuration, bounds-checked, with everything counted anew after each round.

`python -m soak.rules_soak [--games N] [--profiles seed,table]` with tests/ on the path, compiled with
NUMBA_BOUNDSCHECK=1; exit code 1 if a rule was broken.
"""

import argparse
import contextlib
import os
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

ROOT = 2026
CHUNK = 5_000
Setup = dict[str, Any]


def configurations(profiles: Sequence[str] = ("seed",)) -> dict[str, Setup]:
    """Every configuration of the rules by its name: players, expansion and goals; solo campaigns in both lengths."""
    setups: list[Setup] = [
        {"players": players, "expansion": expansion, "goals": goals}
        for players in (2, 3, 4, 5)
        for expansion in ("base", "starry_rift")
        for goals in (True, False)
    ]
    lengths = [(campaign, rounds) for campaign in range(1, 7) for rounds in (10, 12)]
    setups += [{"players": 1, "campaign": campaign, "rounds": rounds} for campaign, rounds in lengths]
    return {
        f"{_name(setup)}{'' if profile == 'seed' else f', {profile}'}": {"setup": setup, "rules": {"profile": profile}}
        for profile in profiles
        for setup in setups
    }


def _name(setup: Setup) -> str:
    if setup["players"] == 1:
        return f"solo, campaign {setup['campaign']}, {setup['rounds']} rounds"
    box = "base" if setup["expansion"] == "base" else "Rift"
    return f"{setup['players']} players, {box}, {'goals' if setup['goals'] else 'no goals'}"


@dataclass
class Tally:
    """What games of a configuration have shown.

    Attributes
    ----------
    games, rounds, decisions : int
        Checked.
    broken : dict of str to int
        How often each check failed.
    first : dict of str to str
        Where it failed first.
    """

    games: int = 0
    rounds: int = 0
    decisions: int = 0
    broken: dict[str, int] = field(default_factory=dict)
    first: dict[str, str] = field(default_factory=dict)

    def add(self, other: "Tally") -> None:
        """Add what other games have shown."""
        self.games += other.games
        self.rounds += other.rounds
        self.decisions += other.decisions
        for what, count in other.broken.items():
            self.broken[what] = self.broken.get(what, 0) + count
            self.first.setdefault(what, other.first[what])


class Checker:
    """Plays and checks games of one configuration; one per thread."""

    def __init__(self, data: Setup, policy: str = "uniform") -> None:
        from nfsim.engine.records import quick
        from nfsim.engine.workspace import new_workspace
        from nfsim.games.new_frontiers.layout import CLASSES, DEV0, EFFECTS, TILES, WORLDS
        from nfsim.games.new_frontiers.policies.shelf import RECORDS
        from nfsim.games.new_frontiers.rules import RULES
        from nfsim.games.new_frontiers.settings import read_settings
        from nfsim.games.new_frontiers.tables import prepare
        from soak import checks

        prepared = prepare(read_settings(data, "soak"))
        self.prepared, self.room = prepared, new_workspace(RULES)
        self.tables = prepared.tables[0]
        self.state = self.room.states[0]
        self.stack_of = np.full(TILES, -1, np.int64)
        for stack, faces in enumerate(self.tables.stack_face[: self.tables.n_stacks]):
            self.stack_of[[face for face in faces if face >= DEV0]] = stack
        self.scratch = np.zeros((WORLDS + EFFECTS, CLASSES), np.int64)
        self.found = np.zeros(len(checks.Broken), np.int64)
        self.where = np.zeros((len(checks.Broken), 3), np.int64)
        self.done = np.zeros(4, np.int64)
        self.names = [what.name.lower() for what in checks.Broken]
        policies = RECORDS.load([policy] * int(self.tables.players), prepared)
        self._before = self.tables, quick(policies), self.stack_of
        self._after = quick(self.room.states), self.room.memory, quick(self.room.lists), self.scratch
        self._checks: Any = checks

    def play(self, first: int, games: int, root: int = ROOT) -> Tally:
        """Play games `first` … `first + games - 1`; an index outside an array ends them and is counted."""
        for kept in (self.found, self.where, self.done):
            kept[:] = 0
        numbers = np.int64(root), np.int64(first), np.int64(games)
        error = ""
        try:
            self._checks.play_checked(*self._before, *numbers, *self._after, self.found, self.where, self.done)
        except (IndexError, ZeroDivisionError) as problem:
            error = repr(problem)
        tally = Tally(*map(int, self.done[:3]))
        for what in np.flatnonzero(self.found):
            game, round_no, seat = self.where[what]
            tally.broken[self.names[what]] = int(self.found[what])
            tally.first[self.names[what]] = f"seed {root}, game {game}, round {round_no}, seat {seat}"
        if error:
            tally.broken["error"] = 1
            tally.first["error"] = f"seed {root}, game {self.done[3]}: {error}"
        return tally

    def look_again(self) -> set[str]:
        """Check the position that the last game ended in once more and name what is broken; without dummies only."""
        self.found[:] = 0
        zero, kept = np.int64(0), (self.scratch, self.found, self.where)
        self._checks.check_table(self.tables, self.state, self.stack_of, zero, zero, zero, *kept)
        for seat in range(int(self.tables.players)):
            self._checks.check_seat(self.tables, self.state, np.int64(seat), zero, *kept)
        return {self.names[what] for what in np.flatnonzero(self.found)}

    def look_at_options(self, state: Any, options: Any) -> set[str]:
        """Check the options of a decision and name what is broken."""
        self.found[:] = 0
        options.best = 0
        self._checks.check_options(self.tables, state, options, self.stack_of, np.int64(0), self.found, self.where)
        return {self.names[what] for what in np.flatnonzero(self.found)}


_kept = threading.local()


def _chunk(key: str, data: Setup, games: int, first: int, _stop: object = None) -> Tally:
    if getattr(_kept, "key", None) != key:
        _kept.key, _kept.checker = key, Checker(data)
    return _kept.checker.play(first, min(CHUNK, games - first))


def soak(name: str, data: Setup, games: int, workers: int) -> Tally:
    """Play so many games of a configuration on several threads."""
    from nfsim.run.worker_pool import in_threads

    tally = Tally()
    work = partial(_chunk, name, data, games)
    with contextlib.closing(in_threads(work, range(0, games, CHUNK), workers)) as tallies:
        for found in tallies:
            tally.add(found)
    return tally


def main() -> int:
    """Run the soak and print a line per configuration."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000, help="per configuration")
    parser.add_argument("--profiles", default="seed", help="of the rulings, separated by commas")
    parser.add_argument("--only", default="", help="configurations whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    from nfsim.compiled import jit

    if not jit.BOUNDS_CHECKED:
        sys.stderr.write("set NUMBA_BOUNDSCHECK=1: an index outside an array is found only then\n")
        return 2
    every = configurations(given.profiles.split(","))
    wanted = {name: data for name, data in every.items() if given.only in name}
    if not wanted:
        sys.stderr.write(f"no configuration's name contains {given.only!r}; there are: {'; '.join(every)}\n")
        return 2
    began, whole, failed = time.perf_counter(), Tally(), 0
    for name, data in wanted.items():
        started = time.perf_counter()
        tally = soak(name, data, given.games, given.jobs)
        seconds = time.perf_counter() - started
        verdict = "; ".join(f"{what} {n:,} times, first {tally.first[what]}" for what, n in tally.broken.items())
        text = f"{tally.games:>11,} games {tally.rounds:>12,} rounds {tally.decisions:>13,} decisions {seconds:6.0f} s"
        print(f"{name:<36}{text}  {verdict or 'nothing broken'}", flush=True)
        failed += bool(verdict)
        whole.add(tally)
    print(
        f"rules: {whole.games:,} games, {whole.rounds:,} rounds and {whole.decisions:,} decisions checked, "
        f"{sum(whole.broken.values()):,} violations, {time.perf_counter() - began:,.0f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
