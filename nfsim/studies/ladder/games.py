"""A ladder: several policies on the same deals, every seating of every pair, or one after the other alone.

What has been played is kept in the ladder's folder while it is under way, so that it can go on. A file there is one
table of whole numbers after its own SHA-256, and its name is the hash of all that decides what is in it: the rules,
who plays, which games. So it is found again by whoever asks for the same games, and by nobody else.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

import filelock
import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.errors import BadInput
from nfsim.files import read_bytes, write_atomic
from nfsim.log.folder import LOCK, cannot_write, in_use, lock_of
from nfsim.run.options import Options
from nfsim.run.progress import Watch, keeping
from nfsim.run.provenance import run_identity
from nfsim.run.sample import Rows, sample
from nfsim.run.scenario import Scenario
from nfsim.run.seating import check_policies

FOLDER = "batches"
ENDING = ".batch"
NUMBERS = np.dtype("<i8")
HASH_BYTES = hashlib.sha256().digest_size

Table = NDArray[np.int64]


class Batch(NamedTuple):
    """Games that are played and kept together.

    Attributes
    ----------
    players : tuple
        Name and digest of the policy in each seat; the digest says what it is told to aim at, too.
    first, games : int
    """

    players: tuple[tuple[str, str], ...]
    first: int
    games: int


class KeptBatches:
    """Complete batches of one ladder.

    Parameters
    ----------
    folder : Path or None
        Where they are kept; None: nowhere.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._identity: dict[str, Any] = {}
        self._files: set[Path] = set()

    def begin(self, scenario: Scenario, seed: int) -> None:
        """Hear what is played; the scenario's own policies and number of games play no part."""
        apart = ("games", "policy.", "parameters.")
        identity = run_identity(scenario, seed, "games").items()
        self._identity = {key: value for key, value in identity if not key.startswith(apart)}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let no other process keep batches in the folder.

        Raises
        ------
        BadInput
            If another one does, or the folder cannot be written.
        """
        if self.folder is None:
            yield
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = lock_of(self.folder)
            lock.acquire()
        except filelock.Timeout:
            raise in_use(self.folder) from None
        except OSError as error:
            raise cannot_write(self.folder, error) from None
        try:
            yield
        finally:
            lock.release()

    def find(self, batch: Batch, columns: int) -> Table | None:
        """Return a batch that is complete; None if it is not there, or is not as it was written."""
        if self.folder is None:
            return None
        size = HASH_BYTES + batch.games * columns * NUMBERS.itemsize
        with contextlib.suppress(BadInput):
            content = read_bytes(self._file(batch), size, "a batch of a ladder")
            digest, numbers = content[:HASH_BYTES], content[HASH_BYTES:]
            if len(content) == size and hashlib.sha256(numbers).digest() == digest:
                return np.frombuffer(numbers, NUMBERS).reshape(batch.games, columns).astype(np.int64)
        return None

    def add(self, batch: Batch, table: Table) -> None:
        """Keep a batch that is complete."""
        if self.folder is not None:
            numbers = np.ascontiguousarray(table, NUMBERS).tobytes()
            write_atomic(self._file(batch), hashlib.sha256(numbers).digest() + numbers)

    def remove(self) -> None:
        """Remove these batches, which are needed no more, and the folder if nothing else is in it."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            for file in self._files:
                file.unlink(missing_ok=True)
            if {entry.name for entry in self.folder.iterdir()} <= {LOCK}:
                (self.folder / LOCK).unlink(missing_ok=True)
                self.folder.rmdir()

    def _file(self, batch: Batch) -> Path:
        assert self.folder is not None
        text = json.dumps([self._identity, batch], sort_keys=True)
        file = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}{ENDING}"
        self._files.add(file)
        return file


Array = NDArray[Any]
Players = tuple[int, ...]
"""Places of the policies in the seats."""
Aim = tuple[int, int]
"""Place of a policy, and objective that it is told is the only one open."""


@dataclass(frozen=True)
class Results:
    """What every game of some players came to, deal by deal.

    Attributes
    ----------
    won, rank, score : ndarray of int64, shape (deals, seats)
    met : ndarray of int64, shape (deals, objectives)
        One seat: objectives met; no columns otherwise.
    rounds, status : ndarray of int64, shape (deals,)
    """

    won: Array
    rank: Array
    score: Array
    met: Array
    rounds: Array
    status: Array

    @classmethod
    def of(cls, table: Table, seats: int) -> Results:
        """Return the results that a table holds, a line a deal, its columns as `_table` puts them side by side."""
        won, rank, score, met, ends = np.split(table, [seats, 2 * seats, 3 * seats, table.shape[1] - 2], axis=1)
        return cls(won, rank, score, met, ends[:, 0], ends[:, 1])

    def only(self, deals: Array) -> Results:
        """Return the results of some deals, by their places."""
        return Results(*(column[deals] for column in self.columns()))

    def columns(self) -> tuple[Array, ...]:
        """Return all arrays, in order."""
        return tuple(getattr(self, each.name) for each in fields(self))


@dataclass(frozen=True)
class Ladder:
    """Results of all games of a ladder.

    Attributes
    ----------
    policies : tuple of str
        What they are called, in the order given; everything else speaks of their places.
    seats : int
        Seats of a game.
    games : dict
        By the places of the policies in the seats, for example ``(0, 1, 1)``. Only deals of which every game was
        finished by the rules.
    deals : int
        Deals kept.
    unfinished : dict of str to int
        Games that were not finished by the rules, by status; their deals are left out everywhere.
    aimed : dict
        One seat: games on the same deals with one objective open, by `Aim`; policies that cannot aim have none.
    """

    policies: tuple[str, ...]
    seats: int
    games: dict[Players, Results] = field(repr=False)
    deals: int
    unfinished: dict[str, int]
    aimed: dict[Aim, Results] = field(default_factory=dict, repr=False)

    def aims(self, policy: int) -> bool:
        """Return whether a policy played games in which it was told what to aim at."""
        return (policy, 0) in self.aimed

    def met(self, policy: int, objective: int) -> Array:
        """Return whether a policy met a objective when told to aim at it, or as it plays anyway if it cannot aim.

        Returns
        -------
        ndarray of int64, shape (deals,)
        """
        found: Array = self.aimed.get((policy, objective), self.games[policy,]).met[:, objective]
        return found

    def seatings(self, one: int, others: int) -> list[tuple[int, Results]]:
        """Return the games of one seat against the others: the seat that is alone in each, and their results."""
        return [(seat, self.games[seated_alone(one, others, seat, self.seats)]) for seat in range(self.seats)]


def seated_alone(one: int, others: int, seat: int, seats: int) -> Players:
    """Return who sits where if one policy sits in a seat and another in all others."""
    return tuple(one if place == seat else others for place in range(seats))


BATCH = 20_000  # deals played at once at most: their rows are in memory until they are summed up
FEWEST, FEWEST_SLOW = 2_000, 200  # unless there are no more: what an interruption can cost
BATCHES = 50
OPTION = "--policies"


def check_ladder(scenario: Scenario, policies: Sequence[str]) -> tuple[Any, ...]:
    """Return the policies of a ladder as the rule set's engine takes them, or say what is wrong with them.

    Raises
    ------
    BadInput
        If there are fewer than two, one is unknown or named twice, or the scenario has an aim of its own.
    """
    if "aim" in scenario.resolved:
        raise BadInput(
            scenario.name, "aim", "changes nothing in a ladder", "leave it out: a ladder tells policies itself"
        )
    names = tuple(name.strip() for name in policies)
    found = check_policies(scenario.rule_set, names, len(names), OPTION)
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise BadInput(OPTION, "", f'"{twice[0]}" is named twice', "a policy is as strong as itself: name others")
    # one file by two paths, or two files of one name: they would share a row
    labels = [label_of(policy) for policy in found]
    for place, label in enumerate(labels):
        if label in labels[:place]:
            one, other = names[labels.index(label)], names[place]
            raise BadInput(OPTION, "", f'"{one}" and "{other}" are both called {label}', "name each policy once")
    if len(names) < 2:
        usual = [policy.name for policy in scenario.rule_set.policies() if policy.name != labels[0]]
        raise BadInput(OPTION, "", "names one policy", f"give at least two, for example {names[0]},{usual[0]}")
    return found


def label_of(policy: Any) -> str:
    """Return what a policy is called: a name is called by itself."""
    return policy if isinstance(policy, str) else str(policy.name)


def all_seatings(policies: int, seats: int) -> list[Players]:
    """Return who sits where in the games of a ladder.

    Every policy by itself in all seats; then for each pair one of the first among the second in every seat, and the
    other way round. With two seats the second half is the same seatings and is not listed twice.
    """
    own = [(policy,) * seats for policy in range(policies)]
    if seats == 1:
        return own
    mixed = [
        seated_alone(one, others, seat, seats)
        for one, others in itertools.permutations(range(policies), 2)
        for seat in range(seats)
    ]
    return list(dict.fromkeys([*own, *mixed]))


def play_ladder(
    scenario: Scenario,
    policies: Sequence[Any],
    seed: int,
    *,
    aim: bool = True,
    jobs: int | None = None,
    watch: Watch | None = None,
    kept: KeptBatches | None = None,
) -> Ladder:
    """Play all games of a ladder.

    Parameters
    ----------
    scenario : Scenario
        What is played, and how many deals: the games of each seating, and of each aim. Its own policies play no part.
    policies : sequence
        As `check_ladder` returns them.
    aim : bool
        One seat: whether policies that can aim also play with each objective as the only one open.
    seed, jobs, watch : int, int, Watch
        As in `nfsim.run.execute.run`.
    kept : KeptBatches, optional
        Keeps complete batches of games, until it is told to remove them; without it an interruption loses everything.

    Returns
    -------
    Ladder

    Raises
    ------
    BadInput
        If no deal is left: each has a game that was not finished by the rules; or the folder cannot be used.
    Stopped
        If the ladder was interrupted, or the disk is full, and a folder keeps what is complete.
    """
    watch, deals = watch or Watch(), scenario.games
    seats = scenario.rule_set.players(scenario.prepared)
    seatings = {players: [policies[player] for player in players] for players in all_seatings(len(policies), seats)}
    aiming = _aiming(scenario, policies) if aim and seats == 1 else {}
    objectives = len(scenario.rule_set.objectives(scenario.prepared)) if seats == 1 else 0
    kept = kept or KeptBatches(None)
    kept.begin(scenario, seed)
    sets = [*seatings.values(), *([policy] for policy in aiming.values())]
    planned = [_batches(seated, deals) for seated in sets]
    total = deals * len(sets)
    complete: set[Batch] = set()

    def games_kept() -> int:
        return sum(batch.games for batch in complete)

    with kept.locked(), contextlib.ExitStack() as stopping:
        if kept.folder is not None:
            stopping.enter_context(keeping(kept.folder, games_kept, total))
        columns = 3 * seats + objectives + 2
        there = {batch: kept.find(batch, columns) for batches in planned for batch in batches}
        complete.update(batch for batch, table in there.items() if table is not None)
        watch.started(total, games_kept())
        played = []
        for seated, batches in zip(sets, planned, strict=True):
            tables = []
            for batch in batches:
                table = there.pop(batch)
                if table is None:
                    table = _play(scenario, seated, batch, seats, seed, jobs, watch)
                    kept.add(batch, table)
                    complete.add(batch)
                tables.append(table)
            played.append(Results.of(np.concatenate(tables), seats))
    games = dict(zip(seatings, played, strict=False))
    aimed = dict(zip(aiming, played[len(seatings) :], strict=True))
    status = np.stack([result.status for result in (*games.values(), *aimed.values())])
    bad = status != Status.FINISHED
    counts = np.bincount(status[bad], minlength=len(STATUS_LABELS))
    keep = np.flatnonzero(~bad.any(axis=0))
    if len(keep) < deals:
        games = {players: result.only(keep) for players, result in games.items()}
        aimed = {key: result.only(keep) for key, result in aimed.items()}
    unfinished = {STATUS_LABELS[code]: int(n) for code, n in enumerate(counts) if n}
    if not len(keep):
        listed = ", ".join(f"{n} {name}" for name, n in unfinished.items())
        raise BadInput(
            scenario.name, "", f"no deal has only games that were finished by the rules ({listed})",
            "play more deals, or raise the scenario's limits",
        )  # fmt: skip
    return Ladder(tuple(map(label_of, policies)), seats, games, len(keep), unfinished, aimed)


def _aiming(scenario: Scenario, policies: Sequence[Any]) -> dict[Aim, Any]:
    """Return the policies that can aim, told of each objective that it is the only one open."""
    objectives = len(scenario.rule_set.objectives(scenario.prepared))
    found = {
        (place, objective): policy.aiming(objective, objectives)
        for place, policy in enumerate(policies)
        for objective in range(objectives)
    }
    return {key: policy for key, policy in found.items() if policy is not None}


def _batches(seated: Sequence[Any], deals: int) -> list[Batch]:
    """Cut the games of some players into batches; they depend on who plays and the number of deals, nothing else."""
    players = tuple((label_of(policy), str(getattr(policy, "digest", ""))) for policy in seated)
    fewest = FEWEST_SLOW if any(getattr(policy, "slow", False) for policy in seated) else FEWEST
    size = min(BATCH, max(fewest, -(-deals // BATCHES)))
    return [Batch(players, first, min(size, deals - first)) for first in range(0, deals, size)]


def find_or_play(
    scenario: Scenario, policies: Sequence[Any], batch: Batch, options: Options, watch: Watch, kept: KeptBatches
) -> Table:
    """Return a batch of games that is kept, or play it and keep it."""
    seats = scenario.rule_set.players(scenario.prepared)
    objectives = len(scenario.rule_set.objectives(scenario.prepared)) if seats == 1 else 0
    table = kept.find(batch, 3 * seats + objectives + 2)
    if table is None:
        table = _play(scenario, policies, batch, seats, options.seed, options.jobs, watch)
        kept.add(batch, table)
    else:
        watch.advanced(batch.games)
    return table


def _play(
    scenario: Scenario, policies: Sequence[Any], batch: Batch, seats: int, seed: int, jobs: int | None, watch: Watch
) -> Table:
    tables = ("games", "seats", "objectives") if seats == 1 else ("games", "seats")
    rows = sample(
        scenario.rule_set, scenario.prepared, policies, root=seed, games=range(batch.first, batch.first + batch.games),
        tables=tables, jobs=jobs, watch=watch,
    )  # fmt: skip
    return _table(rows, seats)


def _table(rows: Rows, seats: int) -> Table:
    """Sort the rows of a batch of games into one line a deal: won, rank and score by seat, met, rounds, status."""
    games, by_seat = rows["games"], rows["seats"].reshape(-1, seats)
    met = [rows["objectives"]["met"].reshape(len(games), -1)] if "objectives" in rows else []
    return np.column_stack(
        [*(by_seat[name] for name in ("won", "rank", "score")), *met, games["rounds"], games["status"]]
    )
