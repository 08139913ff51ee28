"""Running a scenario: on one thread or many, into a folder, from where an earlier try stopped."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput, nearest
from nfsim.log.addresses import is_address, without_file
from nfsim.log.folder import RunFolder, as_read_back, identity_in
from nfsim.log.manifest import build_manifest
from nfsim.log.records import ChunkRecord, games_in, run_key
from nfsim.run import worker_pool
from nfsim.run.chunks import Chunk, Job, plan, play_chunk, play_one
from nfsim.run.cluster import Cluster, ClusterFailed
from nfsim.run.part_store import AddressFolder, open_run
from nfsim.run.progress import Result, Watch, keeping
from nfsim.run.provenance import about_run, run_identity
from nfsim.run.scenario import DEFAULT_SEED, LARGEST_SEED, Scenario
from nfsim.run.until import Looks, Running, Until
from nfsim.run.worker_pool import WorkersLost

MOST_JOBS = 4096


def run(
    scenario: Scenario,
    out: Path | str,
    *,
    seed: int = DEFAULT_SEED,
    jobs: int | None = None,
    level: str = "rounds",
    watch: Watch | None = None,
    until: Until | None = None,
    cluster: Cluster | None = None,
) -> Result:
    """Play a scenario and write its tables and manifest.

    Parameters
    ----------
    scenario : Scenario
        What to play.
    out : path
        Run folder. A finished identical run in it is left as it is; an unfinished one is completed.
    seed : int
        Root seed. Same scenario and seed: same rows.
    jobs : int, optional
        Threads, or processes if a policy is written in Python; by default as many as there are cores.
    level : {"rounds", "games", "tiles"}
        How much is logged.
    watch : Watch, optional
        Hears of progress.
    until : Until, optional
        Plays on until a rate is known well enough, instead of the scenario's number of games.
    cluster : Cluster, optional
        Entered; its workers play, and `jobs` says nothing. Then `out` may be an address that fsspec knows.

    Returns
    -------
    Result

    Raises
    ------
    BadInput
        If the folder cannot be used or an option is impossible.
    Stopped
        If the run was interrupted; what is complete is kept.
    """
    check_options(seed, jobs)
    check_level(scenario.rule_set, level)
    out = without_file(out)
    if cluster is None and is_address(out):
        raise BadInput("--out", "", "an address is for --backend dask", "name a folder")
    if until is not None and is_address(out):
        raise BadInput("--out", "", "an address does not go with --until, which reads what was played", "name a folder")
    watch = watch or Watch()
    identity = run_identity(scenario, seed, level)
    folder = open_run(out, identity if until is None else until.identity(identity))
    planned = scenario.games if until is None else None
    with folder:
        finished = folder.finished()
        if finished is not None:
            return Result(folder.path, finished, 0)
        began, clock = datetime.now(UTC), time.perf_counter()
        slow = any(policy.slow for policy in scenario.seated)
        looks = None if until is None else Looks(until, Path(folder.path).absolute(), slow)
        job = Job(
            rule_set=scenario.rule_set,
            prepared=scenario.prepared,
            policies=scenario.seated,
            level=level,
            root=seed,
            folder=Path(folder.path).absolute(),  # a worker process, or a user's function, may be in another folder
            key=run_key(folder.identity),
        )
        running = Running(scenario, looks, watch.rate)
        kept = folder.start()
        records: dict[int, ChunkRecord] = {}
        stages: Iterable[list[Chunk]] = [plan(scenario.games, slow)] if looks is None else looks.stages(records)
        played, workers, kinds = 0, 1, len(scenario.rule_set.decisions)
        with keeping(folder.path, lambda: _kept(folder), planned, broken=(ClusterFailed, WorkersLost)):
            for number, chunks in enumerate(stages):
                records |= {chunk.first: kept[chunk.first] for chunk in chunks if _is_done(chunk, kept, kinds)}
                missing = [chunk for chunk in chunks if chunk.first not in records]
                if missing and not played:
                    if cluster is None:
                        warm_up(job, watch.compiling)
                    else:
                        cluster.begin(job, folder, watch.compiling)
                goal = max(chunk.first + chunk.games for chunk in chunks)
                running.look(chunks, records)
                if number == 0:
                    watch.started(goal, games_in(records))
                else:
                    watch.going_on(goal)
                    watch.advanced(sum(chunk.games for chunk in chunks) - sum(chunk.games for chunk in missing))
                here = worker_pool.workers_for(jobs, missing)
                workers = max(workers, here if cluster is None else cluster.threads)
                side_by_side = _side_by_side(job, missing, here) if cluster is None else cluster.play(missing)
                with contextlib.closing(side_by_side) as complete:
                    for record in complete:
                        records[record.first] = record
                        watch.advanced(record.games)
                        running.add(record)
                played += sum(chunk.games for chunk in missing)
            if looks is not None:
                scenario = replace(scenario, games=looks.games, resolved=scenario.resolved | {"games": looks.games})
            about = about_run(scenario, seed, level) | {
                "started": began.isoformat(timespec="seconds"),
                "wall_seconds": round(time.perf_counter() - clock, 3),
                "threads": workers,
                **({} if looks is None else {"until": looks.about()}),
            }
            rule_set = scenario.rule_set
            tables = rule_set.tables_at(level)
            manifest = build_manifest(about, folder.identity, tables, rule_set.decisions, list(records.values()))
            folder.finish(manifest)
    return Result(folder.path, manifest, played)


def _side_by_side(job: Job, chunks: Sequence[Chunk], workers: int) -> Generator[ChunkRecord, None, None]:
    """Play chunks on this machine and yield their records."""
    side_by_side = worker_pool.in_threads if worker_pool.all_compiled(job.policies) else worker_pool.in_processes
    return side_by_side(partial(play_chunk, job), chunks, workers)


def holds_another(out: Path | str, scenario: Scenario, seed: int = DEFAULT_SEED, level: str = "rounds") -> bool:
    """Tell whether a folder holds a run, finished or not, that is not this one."""
    return identity_in(Path(out)) not in (None, as_read_back(run_identity(scenario, seed, level)))


def check_options(seed: int, jobs: int | None) -> None:
    """Refuse impossible options, by the names they have on the command line."""
    if not 0 <= seed <= LARGEST_SEED:
        raise BadInput("--seed", "", f"must be from 0 to {LARGEST_SEED}, not {seed}")
    if jobs is not None and not 1 <= jobs <= MOST_JOBS:
        raise BadInput("--jobs", "", f"must be from 1 to {MOST_JOBS}, not {jobs}")


def check_level(rule_set: RuleSet, level: str) -> None:
    """Refuse a log level that a game does not have."""
    if level not in rule_set.levels:
        raise BadInput("--log", "", f'unknown level "{level}"', nearest(level, rule_set.levels))


def warm_up(job: Job, compiling: Callable[[int], None]) -> None:
    """Compile or load the rules of a job once, before any worker starts."""
    worker_pool.warm_up(job.rule_set, partial(play_one, job), compiling)


def _is_done(chunk: Chunk, records: Mapping[int, ChunkRecord], kinds: int) -> bool:
    record = records.get(chunk.first)
    if record is None or record.games != chunk.games:
        return False
    return len(record.asked) == len(record.options_seen) == kinds  # else somebody changed it


def _kept(folder: RunFolder | AddressFolder) -> int:
    """Count the games that are there: a worker may have finished a chunk after the last one that was heard of."""
    return games_in(folder.complete())
