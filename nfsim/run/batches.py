"""Runs of a few hundred long pieces, such as campaigns: batch after batch on all threads, each complete in the folder.

`execute.run` cuts a run into chunks of ten thousand games and more, one a thread; here a whole run may be smaller.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.compiled.status import STATUS_LABELS
from nfsim.contract.tables import Table
from nfsim.log.folder import RunFolder
from nfsim.log.manifest import build_manifest
from nfsim.log.parts import PartWriter
from nfsim.log.records import ChunkRecord, games_in, run_key, save_record
from nfsim.log.schema import plan_table
from nfsim.run.chunks import Chunk
from nfsim.run.progress import Result, Watch, keeping
from nfsim.run.provenance import about_run
from nfsim.run.sample import Rows, sample
from nfsim.run.scenario import Scenario

FEWEST = 200  # pieces of a batch: what an interruption can cost
BATCHES = 50

Prepare = Callable[[], tuple[Any, Mapping[str, Any]]]
"""Gets ready what is played; returns it, and what the manifest says of it."""


@dataclass(frozen=True)
class Batches:
    """What is played in batches.

    Attributes
    ----------
    scenario : Scenario
        Its rule set plays the pieces; `games` says how many.
    identity : mapping
        What makes two runs the same.
    prepare : callable
        Called once if there is anything to play.
    table : Table
        What is written.
    ends : str
        Name of the table with the `status` of each piece.
    """

    scenario: Scenario
    identity: Mapping[str, Any]
    prepare: Prepare
    table: Table
    ends: str


def cut(pieces: int) -> list[Chunk]:
    """Cut a run into batches; they depend on the number of pieces and nothing else."""
    size = max(FEWEST, -(-pieces // BATCHES))
    return [Chunk(first, min(size, pieces - first)) for first in range(0, pieces, size)]


def run_in_batches(batches: Batches, out: Path, *, seed: int, jobs: int | None, watch: Watch) -> Result:
    """Play pieces into a folder, from where an earlier try stopped.

    Parameters
    ----------
    batches : Batches
    out : Path
        Run folder, as for `execute.run`.
    seed, jobs, watch : int, int, Watch
        As for `execute.run`.

    Raises
    ------
    BadInput
        If the folder cannot be used.
    Stopped
        If the run was interrupted, or the disk is full; complete batches are kept.
    """
    scenario, table = batches.scenario, batches.table
    with RunFolder(out, batches.identity) as folder:
        finished = folder.finished()
        if finished is not None:
            return Result(folder.path, finished, 0)
        began, clock = datetime.now(UTC), time.perf_counter()
        records = folder.start()
        kept = {each.first: records[each.first] for each in cut(scenario.games) if _is_done(each, records)}
        before = games_in(kept)
        with keeping(folder.path, lambda: games_in(kept), scenario.games, table.name):
            prepared, about = batches.prepare()
            played = replace(batches, scenario=replace(scenario, prepared=prepared))
            watch.started(scenario.games, before)
            for batch in cut(scenario.games):
                if batch.first not in kept:
                    rows = _play(played, batch, seed, jobs, watch)
                    kept[batch.first] = _keep(played, batch, rows, folder)
            found = about_run(played.scenario, seed, table.level) | {
                **about,
                "started": began.isoformat(timespec="seconds"),
                "wall_seconds": round(time.perf_counter() - clock, 3),
            }
            manifest = build_manifest(found, folder.identity, [table], (), list(kept.values()))
            folder.finish(manifest)
    return Result(folder.path, manifest, scenario.games - before)


@dataclass(frozen=True)
class _Played:
    rows: Rows
    cpu_seconds: float


def _play(batches: Batches, batch: Chunk, seed: int, jobs: int | None, watch: Watch) -> _Played:
    scenario, started = batches.scenario, time.process_time()
    numbers = range(batch.first, batch.first + batch.games)
    rows = sample(
        scenario.rule_set, scenario.prepared, scenario.seated, root=seed, games=numbers,
        tables=(batches.table.name, batches.ends), jobs=jobs, watch=watch,
    )  # fmt: skip
    return _Played(rows, time.process_time() - started)


def _keep(batches: Batches, batch: Chunk, played: _Played, folder: RunFolder) -> ChunkRecord:
    """Write the rows of a batch, and note that it is complete."""
    started, scenario = time.process_time(), batches.scenario

    def labels(name: str) -> Sequence[str]:
        return scenario.rule_set.labels(scenario.prepared, name)

    writer = PartWriter([plan_table(batches.table, labels)])
    writer.add(played.rows)
    statuses = np.bincount(played.rows[batches.ends]["status"], minlength=len(STATUS_LABELS))
    record = ChunkRecord(
        first=batch.first,
        games=batch.games,
        parts=writer.write(folder.path, batch.name),
        statuses={STATUS_LABELS[code]: int(n) for code, n in enumerate(statuses) if n},
        asked=[],
        options_seen=[],
        cpu_seconds=played.cpu_seconds + time.process_time() - started,
        run=run_key(folder.identity),
    )
    save_record(folder.path, batch.name, record)
    return record


def _is_done(batch: Chunk, records: Mapping[int, ChunkRecord]) -> bool:
    return batch.first in records and records[batch.first].games == batch.games  # else somebody changed it
