"""Runs of a few hundred long pieces, such as campaigns: lot after lot on all threads, each complete in the folder.

`execute.run` cuts a run into chunks of ten thousand games and more, one a thread; here a whole run may be smaller.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
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
from nfsim.run.sample import sample
from nfsim.run.scenario import Scenario

FEWEST = 200  # pieces of a lot: what an interruption can cost
LOTS = 50

Prepare = Callable[[], tuple[Any, Mapping[str, Any]]]
"""Gets ready what is played; returns it, and what the manifest says of it."""


def lots(pieces: int) -> list[Chunk]:
    """Cut a run into lots; they depend on the number of pieces and nothing else."""
    size = max(FEWEST, -(-pieces // LOTS))
    return [Chunk(first, min(size, pieces - first)) for first in range(0, pieces, size)]


def run_in_lots(
    scenario: Scenario,
    out: Path,
    identity: Mapping[str, Any],
    prepare: Prepare,
    *,
    table: Table,
    ends: str,
    seed: int,
    jobs: int | None,
    watch: Watch,
) -> Result:
    """Play a scenario's pieces into a folder, from where an earlier try stopped.

    Parameters
    ----------
    scenario : Scenario
        Its rule set plays the pieces; `games` says how many.
    out : Path
        Run folder, as for `execute.run`.
    identity : mapping
        What makes two runs the same.
    prepare : callable
        Called once if there is anything to play.
    table : Table
        What is written.
    ends : str
        Name of the table with the `status` of each piece.
    seed, jobs, watch : int, int, Watch
        As for `execute.run`.

    Raises
    ------
    BadInput
        If the folder cannot be used.
    Stopped
        If the run was interrupted, or the disk is full; complete lots are kept.
    """
    with RunFolder(out, identity) as folder:
        finished = folder.finished()
        if finished is not None:
            return Result(folder.path, finished, 0)
        began, clock = datetime.now(UTC), time.perf_counter()
        records = folder.start()
        kept = {lot.first: records[lot.first] for lot in lots(scenario.games) if _is_done(lot, records)}
        before = games_in(kept)
        with keeping(folder.path, lambda: games_in(kept), scenario.games, table.name):
            prepared, about = prepare()
            played = replace(scenario, prepared=prepared)
            watch.started(played.games, before)
            for lot in lots(played.games):
                if lot.first not in kept:
                    kept[lot.first] = _play_lot(
                        played, lot, folder.path, table, ends, seed, jobs, watch, run_key(folder.identity)
                    )
            found = about_run(played, seed, table.level) | {
                **about,
                "started": began.isoformat(timespec="seconds"),
                "wall_seconds": round(time.perf_counter() - clock, 3),
            }
            manifest = build_manifest(found, folder.identity, [table], (), list(kept.values()))
            folder.finish(manifest)
    return Result(folder.path, manifest, scenario.games - before)


def _play_lot(
    scenario: Scenario, lot: Chunk, folder: Path, table: Table, ends: str, seed: int, jobs: int | None, watch: Watch,
    key: str,
) -> ChunkRecord:  # fmt: skip
    """Play a lot, write its rows, and note that it is complete."""
    started = time.process_time()
    rule_set, prepared = scenario.rule_set, scenario.prepared
    rows = sample(
        rule_set, prepared, scenario.seated, root=seed, first=lot.first, games=lot.games, tables=(table.name, ends),
        jobs=jobs, on_games=watch.advanced, compiling=watch.compiling,
    )  # fmt: skip

    def labels(name: str) -> Sequence[str]:
        return rule_set.labels(prepared, name)

    writer = PartWriter([plan_table(table, labels)])
    writer.add(rows)
    statuses = np.bincount(rows[ends]["status"], minlength=len(STATUS_LABELS))
    record = ChunkRecord(
        first=lot.first,
        games=lot.games,
        parts=writer.write(folder, lot.name),
        statuses={STATUS_LABELS[code]: int(n) for code, n in enumerate(statuses) if n},
        asked=[],
        options_seen=[],
        cpu_seconds=time.process_time() - started,
        run=key,
    )
    save_record(folder, lot.name, record)
    return record


def _is_done(lot: Chunk, records: Mapping[int, ChunkRecord]) -> bool:
    return lot.first in records and records[lot.first].games == lot.games  # else somebody changed it
