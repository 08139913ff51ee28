"""The folder of one run: who may write it, what is complete in it, and whether it is the same run.

While a run is under way the folder holds ``run.json`` (what is being run) and one record per complete chunk
in ``chunks/``. When all chunks are there, the records become ``manifest.json`` and vanish. So a run that was
stopped at any moment leaves complete chunks, which are kept, and files with temporary names, which are
removed.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import filelock

from nfsim.errors import BadInput
from nfsim.log.parts import TEMPORARY, Part, sha256, write_atomic

MANIFEST = "manifest.json"
RUN = "run.json"
CHUNKS = "chunks"
LOCK = ".lock"
FORMAT = 1  # of manifest and records

Identity = Mapping[str, Any]
"""What makes two runs the same: dotted key to value. Equal identities give equal rows."""


@dataclass(frozen=True)
class ChunkRecord:
    """What is known about one complete chunk."""

    first: int
    games: int
    parts: list[Part]
    statuses: dict[str, int]
    asked: list[int]
    options_seen: list[int]
    cpu_seconds: float


class RunFolder:
    """A locked run folder; use it in a ``with`` block.

    Parameters
    ----------
    path : Path
        Made if it does not exist.
    identity : mapping
        Of the run that is to be written here.

    Raises
    ------
    BadInput
        If it cannot be written, belongs to another run or to something else, or another process writes it.
    """

    def __init__(self, path: Path, identity: Identity) -> None:
        self.path = path
        self.identity = json.loads(json.dumps(identity))  # as it will be read back
        self._lock = filelock.FileLock(path / LOCK, timeout=0)

    def __enter__(self) -> RunFolder:
        """Make, lock and check the folder."""
        made = not self.path.exists()
        try:
            self._check_purpose()
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
            if made:
                self._start()
        except filelock.Timeout:
            raise BadInput(self.path, "", "another process is writing this folder") from None
        except OSError as error:
            raise cannot_write(self.path, error) from None
        try:
            self._check_identity()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let others write the folder."""
        self._lock.release()

    @property
    def finished(self) -> bool:
        """Whether the run in the folder is complete."""
        return (self.path / MANIFEST).is_file()

    def start(self) -> dict[int, ChunkRecord]:
        """Get ready to write chunks.

        Returns
        -------
        dict of int to ChunkRecord
            Complete chunks of an earlier try, by first game; their parts have been checked.
        """
        try:
            self._start()
            for stray in self.path.glob(f"*/*{TEMPORARY}"):
                stray.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        return {record.first: record for record in self._records()}

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest: from now on the run is complete."""
        content = json.dumps(manifest, indent=1, ensure_ascii=False).encode()
        write_atomic(self.path / MANIFEST, content + b"\n", lasting=True)
        (self.path / RUN).unlink(missing_ok=True)
        shutil.rmtree(self.path / CHUNKS, ignore_errors=True)

    def _start(self) -> None:
        (self.path / CHUNKS).mkdir(exist_ok=True)
        if not (self.path / RUN).is_file():
            content = json.dumps({"format": FORMAT, "identity": self.identity}, indent=1, ensure_ascii=False)
            write_atomic(self.path / RUN, content.encode() + b"\n")

    def _check_purpose(self) -> None:
        """Refuse to write among files that are not a run."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise BadInput(self.path, "", "is a file, not a folder")
        names = {entry.name for entry in self.path.iterdir()} - {LOCK}
        if names and not names & {MANIFEST, RUN}:
            raise BadInput(self.path, "", "holds other files and no run", "name a new or empty folder")

    def _check_identity(self) -> None:
        for name in (MANIFEST, RUN):
            file = self.path / name
            if file.is_file():
                there = read_json(file).get("identity")
                if not isinstance(there, dict):
                    raise BadInput(file, "identity", "is missing: not a file of this program")
                if there != self.identity:
                    raise BadInput(
                        self.path, "", f"holds another run: {differences(there, self.identity)}",
                        "name another folder with --out",
                    )  # fmt: skip
                return

    def _records(self) -> Iterator[ChunkRecord]:
        for file in sorted((self.path / CHUNKS).glob("*.json")):
            with contextlib.suppress(BadInput, KeyError, TypeError, OSError):  # damaged: play it again
                data = read_json(file)
                parts = [Part(**part) for part in data.pop("parts")]
                if all(is_whole(self.path, part) for part in parts):
                    yield ChunkRecord(parts=parts, **data)


def save_record(folder: Path, name: str, record: ChunkRecord) -> None:
    """Note that a chunk is complete; its parts are already there."""
    write_atomic(folder / CHUNKS / f"{name}.json", json.dumps(asdict(record)).encode())


def is_whole(folder: Path, part: Part) -> bool:
    """Tell whether a part file is there with the content it was written with."""
    path = folder / part.file
    return path.is_file() and path.stat().st_size == part.bytes and sha256(path) == part.sha256


def read_json(file: Path) -> dict[str, Any]:
    """Read a JSON file that this program wrote; `BadInput` if it is anything else."""
    try:
        data = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise BadInput(file, "", f"cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise BadInput(file, "", "is not JSON: damaged, or not a file of this program") from None
    if not isinstance(data, dict):
        raise BadInput(file, "", "is not a JSON object")
    return data


def differences(there: Identity, here: Identity) -> str:
    """Say in words where two identities differ, the first few places."""
    found = []
    for key in sorted({*there, *here}):
        old, new = there.get(key, "not set"), here.get(key, "not set")
        if old != new:
            short = [str(value)[:40] for value in (old, new)]
            found.append(f"{key} is {short[0]} there, {short[1]} here")
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return "; ".join(found[:3]) + more


def cannot_write(path: Path, error: OSError) -> BadInput:
    """Make the message about a folder that cannot be written."""
    return BadInput(path, "", f"cannot be written ({error.strerror or error})", "name another folder with --out")
