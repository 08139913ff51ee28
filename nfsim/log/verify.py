"""Everything that can be wrong with the folder of a run, file by file; nothing is changed."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import filelock

from nfsim.errors import BadInput
from nfsim.files import TEMPORARY
from nfsim.log.check import MANIFEST, RUN, is_as_written, part_path, read_identity, read_manifest
from nfsim.log.contents import Expected, wrong_inside
from nfsim.log.folder import LOCK
from nfsim.log.parts import READERS, chunk_name, what_is_wrong
from nfsim.log.records import CHUNKS, ChunkRecord, saved_records

PART = re.compile(r"\d{12}\.parquet")  # of a chunk that was not complete: overwritten or removed by the next try
MOST_NAMED = 5  # stretches of games
MOST_FOREIGN = 20  # files


@dataclass(frozen=True)
class Finding:
    """Something that is wrong.

    Attributes
    ----------
    file : str
        In the run's folder; '' for the run as a whole.
    problem : str
    foreign : bool
        Whether it is about files that are none of the run's.
    """

    file: str
    problem: str
    foreign: bool = False


@dataclass(frozen=True)
class Verified:
    """What was found in a run's folder.

    Attributes
    ----------
    folder : Path
    finished, locked : bool
        Whether all games are there, and whether another process is writing.
    games, planned : int, int or None
        Games in parts that are whole, and games that there should be; None if the run stops by a rule.
    unit : str
        What is counted as games: "games", or "campaigns".
    files, bytes : int
        Parts looked at.
    findings : list of Finding
    """

    folder: Path
    finished: bool
    locked: bool
    games: int
    planned: int | None
    unit: str
    files: int
    bytes: int
    findings: list[Finding]


def is_run(folder: Path) -> bool:
    """Tell whether a folder is that of a run, finished or not."""
    return (folder / MANIFEST).is_file() or (folder / RUN).is_file()


def was_run(folder: Path) -> bool:
    """Tell whether a folder holds tables of a run that has lost what says which run it is."""
    return not is_run(folder) and any(PART.fullmatch(file.name) for file in folder.glob("*/*.parquet"))


def verify_run(
    folder: Path, started: Callable[[int, int], None] | None = None, advanced: Callable[[int], None] | None = None
) -> Verified:
    """Look at every file of a run: checksums, contents, games, what else lies there.

    Parameters
    ----------
    folder : Path
        `is_run`.
    started, advanced : callable, optional
        Hear how many parts there are, and 0, and then of parts that have been looked at.
    """
    locked = is_locked(folder)
    finished = (folder / MANIFEST).is_file()
    try:
        parts, planned, findings = _finished(folder) if finished else _unfinished(folder)
    except BadInput as error:
        name = MANIFEST if finished else RUN
        problem = ": ".join(part for part in (error.key, error.problem) if part)
        return Verified(folder, finished, locked, 0, None, "games", 0, 0, [Finding(name, problem)])
    if started is not None:
        started(len(parts), 0)
    damaged: set[int] = set()
    with ThreadPoolExecutor(READERS) as readers:
        for part, problem in zip(parts, readers.map(partial(_wrong_with, folder), parts), strict=True):
            if advanced is not None:
                advanced(1)
            if problem:
                findings.append(Finding(part.file, problem))
                damaged.add(part.first)
    chunks = {part.first: part.games for part in parts}
    games = sum(count for first, count in chunks.items() if first not in damaged)
    tables = {part.table for part in parts}
    unit = "games" if "games" in tables or not tables else min(tables)
    if not finished:
        of = "" if planned is None else f" of {planned:,}"
        findings.insert(0, Finding("", f"is not finished: {games:,}{of} {unit} are there"))
    if not locked:
        strays = _foreign(folder, {part.file for part in parts}, finished)
        findings += islice(strays, MOST_FOREIGN)
        if more := sum(1 for _ in strays):
            findings.append(Finding("", f"holds {more:,} more files that are not of this run", foreign=True))
    size = sum(part.bytes or 0 for part in parts)
    return Verified(folder, finished, locked, games, planned, unit, len(parts), size, findings)


def is_locked(folder: Path) -> bool:
    """Tell whether another process is writing a folder."""
    if not (folder / LOCK).is_file():
        return False
    try:
        with filelock.FileLock(folder / LOCK, timeout=0):
            return False
    except filelock.Timeout:
        return True
    except OSError:  # nobody writes where nobody may
        return False


def _finished(folder: Path) -> tuple[list[Expected], int, list[Finding]]:
    """Return the parts that a manifest lists, the number of games, and what is wrong with the list itself."""
    manifest = read_manifest(folder)
    findings = []
    if not is_as_written(manifest):
        findings.append(Finding(MANIFEST, "was changed since it was written: its digest is another"))
    tables = manifest["tables"]
    parts = [
        Expected(
            table=name,
            file=part["file"],
            first=part.get("first") or 0,
            games=part.get("games") or 0,
            rows=part.get("rows"),
            bytes=part.get("bytes"),
            sha256=part.get("sha256"),
            columns=table["columns"],
            numbered="games" in tables,
        )
        for name, table in tables.items()
        for part in table["parts"]
    ]
    games = int(manifest.get("games", 0))
    findings += [Finding(MANIFEST, problem) for problem in _gaps(_listed(manifest), games)]
    for name, table in tables.items():
        rows, said = sum(part.rows or 0 for part in parts if part.table == name), table.get("rows")
        if said not in (None, rows):
            findings.append(Finding(MANIFEST, f"lists {rows:,} rows of {name} in parts, {said:,} in all"))
    return parts, games, findings


def _listed(manifest: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return first game and number of games of each chunk: of the table of games where there is one."""
    tables = manifest["tables"]
    parts = tables["games"]["parts"] if "games" in tables else manifest.get("chunks", [])
    return sorted((int(part.get("first") or 0), int(part.get("games") or 0)) for part in parts)


def _gaps(chunks: Iterable[tuple[int, int]], games: int) -> Iterator[str]:
    """Say which games are listed not at all, or more than once."""
    found, expected = [], 0
    for first, count in [*chunks, (games, 0)]:
        if first > expected:
            found.append(f"games {expected:,} to {first - 1:,} are in no part")
        elif first < expected:
            found.append(f"games {first:,} to {expected - 1:,} are listed twice, or are more than there should be")
        expected = max(expected, first + count)
    yield from found[:MOST_NAMED]
    if len(found) > MOST_NAMED:
        yield f"and {len(found) - MOST_NAMED} more stretches of games"


def _unfinished(folder: Path) -> tuple[list[Expected], int | None, list[Finding]]:
    """Return the parts of complete chunks, the number of games planned, and records that cannot be read."""
    identity = read_identity(folder / RUN)
    games = identity.get("games")
    records: dict[str, ChunkRecord] = {chunk_name(record.first): record for record in saved_records(folder, identity)}
    findings = [
        Finding(f"{CHUNKS}/{file.name}", "is not the record of a chunk of this run as it was written")
        for file in sorted((folder / CHUNKS).glob("*.json"))
        if file.stem not in records
    ]
    parts = [
        Expected(
            table=part.table,
            file=part.file,
            first=record.first,
            games=record.games,
            rows=part.rows,
            bytes=part.bytes,
            sha256=part.sha256,
            numbered=any(other.table == "games" for other in record.parts),
        )
        for record in records.values()
        for part in record.parts
    ]
    return parts, games if isinstance(games, int) else None, findings


def _wrong_with(folder: Path, part: Expected) -> str:
    try:
        path = part_path(folder, part.file)
    except BadInput as error:
        return error.problem
    return what_is_wrong(path, part.bytes, part.sha256) or wrong_inside(path, part)


def _of_the_system(name: str) -> bool:
    """Tell whether a file is one that a desktop leaves in folders it has shown."""
    return name in (".DS_Store", "Thumbs.db", "desktop.ini") or name.startswith("._")


def _foreign(folder: Path, known: set[str], finished: bool) -> Iterator[Finding]:
    """Name the files that are none of the run's."""
    own = known | {MANIFEST, RUN, LOCK}
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            file = Path(place, name).relative_to(folder).as_posix()
            record = file.startswith(f"{CHUNKS}/")  # those that cannot be read are findings of their own
            left_over = not finished and (record or PART.fullmatch(name) or name.endswith(TEMPORARY))
            if file not in own and not left_over and not _of_the_system(name):
                yield Finding(file, "is not a file of this run", foreign=True)
