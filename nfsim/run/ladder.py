"""Playing a ladder: several policies on the same deals, every seating of every pair, or one after the other solo.

Solo, a policy that can aim plays the deals once more for each condition, told that this one alone is open.

A deal is a game's number under one seed: empires, goals, start order and bag are the same whoever plays it. Only raw
results are kept here; `nfsim.stats.tournament` makes rates and ratings of them.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from nfsim.core.status import STATUS_LABELS, Status
from nfsim.errors import BadInput
from nfsim.run.ladder_lots import KeptLots, Lot, Table
from nfsim.run.ladder_results import Aim, Ladder, Players, Results, seated_alone
from nfsim.run.sample import Rows, sample
from nfsim.run.scenario import Scenario
from nfsim.run.seating import check_policies
from nfsim.run.watching import Watch, keeping

LOT = 20_000  # deals played at once at most: their rows are in memory until they are summed up
FEWEST, FEWEST_SLOW = 2_000, 200  # unless there are no more: what an interruption can cost
LOTS = 50
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
    if len(names) < 2:
        raise BadInput(OPTION, "", "names one policy", f"give at least two, for example {names[0]},uniform")
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
    *,
    deals: int,
    seed: int,
    aim: bool = True,
    jobs: int | None = None,
    watch: Watch | None = None,
    kept: KeptLots | None = None,
) -> Ladder:
    """Play all games of a ladder.

    Parameters
    ----------
    scenario : Scenario
        What is played; its own policies and number of games play no part.
    policies : sequence
        As `check_ladder` returns them.
    deals : int
        Games of each seating, and of each aim: numbers 0 … `deals` - 1 of the seed.
    aim : bool
        Solo: whether policies that can aim also play with each condition as the only one open.
    seed, jobs, watch : int, int, Watch
        As in `nfsim.run.execute.run`.
    kept : KeptLots, optional
        Keeps complete lots of games, until it is told to remove them; without it an interruption loses everything.

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
    watch = watch or Watch()
    seats = scenario.rule_set.players(scenario.prepared)
    seatings = {players: [policies[player] for player in players] for players in all_seatings(len(policies), seats)}
    aiming = _aiming(scenario, policies) if aim and seats == 1 else {}
    conditions = len(scenario.rule_set.labels(scenario.prepared, "condition")) if seats == 1 else 0
    kept = kept or KeptLots(None)
    kept.begin(scenario, seed)
    sets = [*seatings.values(), *([policy] for policy in aiming.values())]
    planned = [_lots(seated, deals) for seated in sets]
    total = deals * len(sets)
    complete: set[Lot] = set()

    def games_kept() -> int:
        return sum(lot.games for lot in complete)

    with kept.locked(), contextlib.ExitStack() as stopping:
        if kept.folder is not None:
            stopping.enter_context(keeping(kept.folder, games_kept, total))
        columns = 3 * seats + conditions + 2
        there = {lot: kept.find(lot, columns) for lots in planned for lot in lots}
        complete.update(lot for lot, table in there.items() if table is not None)
        watch.started(total, games_kept())
        played = []
        for seated, lots in zip(sets, planned, strict=True):
            tables = []
            for lot in lots:
                table = there.pop(lot)
                if table is None:
                    table = _play(scenario, seated, lot, seats, seed, jobs, watch)
                    kept.add(lot, table)
                    complete.add(lot)
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
    """Return the policies that can aim, told of each condition that it is the only one open."""
    conditions = len(scenario.rule_set.labels(scenario.prepared, "condition"))
    found = {
        (place, condition): policy.aiming(condition, conditions)
        for place, policy in enumerate(policies)
        for condition in range(conditions)
    }
    return {key: policy for key, policy in found.items() if policy is not None}


def _lots(seated: Sequence[Any], deals: int) -> list[Lot]:
    """Cut the games of some players into lots; they depend on who plays and the number of deals, nothing else."""
    players = tuple((label_of(policy), str(getattr(policy, "digest", ""))) for policy in seated)
    fewest = FEWEST_SLOW if any(getattr(policy, "slow", False) for policy in seated) else FEWEST
    size = min(LOT, max(fewest, -(-deals // LOTS)))
    return [Lot(players, first, min(size, deals - first)) for first in range(0, deals, size)]


def _play(
    scenario: Scenario, policies: Sequence[Any], lot: Lot, seats: int, seed: int, jobs: int | None, watch: Watch
) -> Table:
    tables = ("games", "seats", "conditions") if seats == 1 else ("games", "seats")
    rows = sample(
        scenario.rule_set, scenario.prepared, policies, root=seed, first=lot.first, games=lot.games, tables=tables,
        jobs=jobs, on_games=watch.advanced, compiling=watch.compiling,
    )  # fmt: skip
    return _table(rows, seats)


def _table(rows: Rows, seats: int) -> Table:
    """Sort the rows of a lot of games into one line a deal: won, rank and VPs by seat, met, rounds, status."""
    games, by_seat = rows["games"], rows["seats"].reshape(-1, seats)
    met = [rows["conditions"]["met"].reshape(len(games), -1)] if "conditions" in rows else []
    return np.column_stack([*(by_seat[name] for name in ("won", "rank", "vp")), *met, games["rounds"], games["status"]])
