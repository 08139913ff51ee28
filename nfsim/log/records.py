"""Records of complete chunks: small files while a run is under way, a list in the manifest when it is finished."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from nfsim.errors import BadInput
from nfsim.files import parse_json, read_bytes, write_atomic
from nfsim.log.check import Count, digest_of, part_path
from nfsim.log.contents import rows_in
from nfsim.log.parts import READERS, PartFile, is_whole

MOST_BYTES = 10_000_000  # of a record
CHUNKS = "chunks"  # folder of the records of a run under way


@dataclass(frozen=True)
class ChunkRecord:
    """What is known about one complete chunk.

    Attributes
    ----------
    first, games : int
        Games ``first`` … ``first + games - 1``.
    parts : list of PartFile
    statuses : dict of str to int
        Games by how they ended.
    asked, options_seen : list of int, axis decision
        See `nfsim.contract.rule_set.Engine`.
    cpu_seconds : float
    wins : float or None
        Games that seat 0 won, shared wins split; None where nobody counted.
    run : str
        `run_key` of the run that it is a piece of.
    """

    __pydantic_config__ = ConfigDict(strict=True)

    first: Count
    games: Annotated[int, Field(gt=0)]
    parts: list[PartFile]
    statuses: dict[str, Count]
    asked: list[Count]
    options_seen: list[Count]
    cpu_seconds: float
    wins: float | None = None
    run: str = ""


_RECORD: TypeAdapter[ChunkRecord] = TypeAdapter(ChunkRecord)


def run_key(identity: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a run's identity: what its records are known by."""
    return digest_of(identity)


def save_record(folder: Path, name: str, record: ChunkRecord) -> None:
    """Note that a chunk is complete; its parts are already there."""
    write_atomic(folder / CHUNKS / f"{name}.json", record_text(record))


def record_from(content: bytes | str) -> ChunkRecord:
    """Return the record that JSON holds; pydantic's ``ValidationError`` if it holds none."""
    return _RECORD.validate_json(content)


def saved_records(folder: Path, identity: Mapping[str, Any]) -> Iterator[ChunkRecord]:
    """Yield the records of a run under way in the order of their games; see `readable_records`."""
    return readable_records(map(_content, sorted((folder / CHUNKS).glob("*.json"))), identity)


def _content(file: Path) -> bytes:
    try:
        return read_bytes(file, MOST_BYTES, "a record")
    except BadInput:
        return b""


def readable_records(contents: Iterable[bytes], identity: Mapping[str, Any]) -> Iterator[ChunkRecord]:
    """Yield the records that files hold; those that are damaged, or of another run, are left out and played again."""
    key = run_key(identity)
    for content in contents:
        with contextlib.suppress(ValueError):  # pydantic's ValidationError is one
            told = parse_json(content)
            record = record_from(content)
            if record.run == key and told.get("digest") == digest_of(told):
                yield record


def record_text(record: ChunkRecord) -> bytes:
    """Return what the file of a record holds."""
    told = asdict(record)
    return json.dumps({**told, "digest": digest_of(told)}).encode()


def listed_records(manifest: Mapping[str, Any]) -> Iterator[ChunkRecord]:
    """Yield the records that a manifest lists."""
    parts: dict[int, list[dict[str, Any]]] = {}
    for name, table in manifest["tables"].items():
        for part in table["parts"]:
            place = {key: part.get(key) for key in ("file", "rows", "bytes", "sha256")}
            parts.setdefault(part.get("first"), []).append({"table": name, **place})
    key = run_key(manifest.get("identity", {}))
    for chunk in manifest.get("chunks", []):
        with contextlib.suppress(ValidationError):
            yield record_from(json.dumps({**chunk, "parts": parts.get(chunk.get("first"), []), "run": key}))


def listing(record: ChunkRecord) -> dict[str, Any]:
    """Return what a manifest keeps of a record; its parts are listed with their tables, and whose it is is plain."""
    return {name: value for name, value in asdict(record).items() if name not in ("parts", "run")}


def whole(folder: Path, records: Iterable[ChunkRecord], *, content: bool) -> dict[int, ChunkRecord]:
    """Return the records whose parts are there as they were written, by first game.

    Parameters
    ----------
    folder : Path
        Of the run.
    records : iterable of ChunkRecord
    content : bool
        Compare checksums and rows too, which reads every part.
    """

    def as_written(part: PartFile) -> bool:
        try:
            place = part_path(folder, part.file)
        except BadInput:
            return False
        intact = is_whole(place, part.bytes, part.sha256 if content else None)
        return intact and (not content or rows_in(place) == part.rows)  # a record is believed in nothing

    return kept_where(as_written, records)


def kept_where(as_written: Callable[[PartFile], bool], records: Iterable[ChunkRecord]) -> dict[int, ChunkRecord]:
    """Return the records all of whose parts are as they were written, by first game; several threads ask."""

    def checked(record: ChunkRecord) -> ChunkRecord | None:
        return record if all(map(as_written, record.parts)) else None

    with ThreadPoolExecutor(READERS) as readers:
        return {record.first: record for record in readers.map(checked, records) if record is not None}


def games_in(records: Mapping[int, ChunkRecord]) -> int:
    """Count the games of chunks."""
    return sum(record.games for record in records.values())
