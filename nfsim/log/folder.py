"""The folder of one run: who may write it, what is complete in it, and whether it is the same run.

While a run is under way the folder holds ``run.json`` (what is being run) and one record per complete chunk
in ``chunks/``. When all chunks are there, the records become ``manifest.json`` and vanish. So a run that was
stopped at any moment leaves complete chunks, which are kept, and files with temporary names, which are
removed.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import filelock

from nfsim.errors import BadInput
from nfsim.files import TEMPORARY, write_atomic
from nfsim.log.check import MANIFEST, RUN, is_as_written, is_complete, read_identity, read_manifest
from nfsim.log.manifest import manifest_text, run_text
from nfsim.log.parts import chunk_name
from nfsim.log.records import CHUNKS, ChunkRecord, games_in, listed_records, save_record, saved_records, whole

LOCK = ".lock"
GLANCE = 0.3  # seconds to wait for a lock: nfsim verify holds it for a moment to see whether anybody else does
HASH = re.compile("[0-9a-f]{64}")

Identity = Mapping[str, Any]
"""What makes two runs the same: dotted key to value. Equal identities give equal rows."""


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
        self.identity = as_read_back(identity)
        self._intact: dict[int, ChunkRecord] = {}  # of a finished run that was damaged
        self._lock = lock_of(path)

    def __enter__(self) -> RunFolder:
        """Make, lock and check the folder."""
        try:
            made = not self.path.exists()
            self._check_purpose()
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except filelock.Timeout:
            raise in_use(self.path) from None
        except OSError as error:
            raise cannot_write(self.path, error) from None
        try:
            if made:
                self._start()
            check_identity(self.path, self.identity)
        except BaseException as error:
            self._lock.release()
            if isinstance(error, OSError):
                raise cannot_write(self.path, error) from None
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let others write the folder."""
        self._lock.release()

    def finished(self) -> dict[str, Any] | None:
        """Return the manifest of the run if it is complete and every part is as it was written."""
        if not (self.path / MANIFEST).is_file():
            return None
        manifest = read_manifest(self.path)
        if not is_as_written(manifest):
            return None
        self._intact = whole(self.path, listed_records(manifest), content=True)
        if not is_complete(manifest, games_in(self._intact)):
            return None
        self._tidy()
        return manifest

    def start(self) -> dict[int, ChunkRecord]:
        """Get ready to write chunks; of a finished run that `finished` found damaged, intact chunks are taken over.

        Returns
        -------
        dict of int to ChunkRecord
            Complete chunks of an earlier try, by first game; their parts have been checked.
        """
        try:
            self._start()
            for record in self._intact.values():  # before the manifest goes: nothing is lost if this is interrupted
                save_record(self.path, chunk_name(record.first), record)
            (self.path / MANIFEST).unlink(missing_ok=True)
            for pattern in ("*", "*/*"):
                for stray in self.path.glob(f"{pattern}{TEMPORARY}"):
                    stray.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(self.path, error) from None
        others = (record for record in saved_records(self.path, self.identity) if record.first not in self._intact)
        return self._intact | whole(self.path, others, content=True)

    def complete(self) -> dict[int, ChunkRecord]:
        """Return the chunks that are complete, by first game, after a look at their sizes."""
        done = (self.path / MANIFEST).is_file()
        records = listed_records(read_manifest(self.path)) if done else saved_records(self.path, self.identity)
        return whole(self.path, records, content=False)

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest: from now on the run is complete."""
        write_atomic(self.path / MANIFEST, manifest_text(manifest), lasting=True)
        self._tidy()

    def _tidy(self) -> None:
        """Remove what only a run under way needs."""
        with contextlib.suppress(OSError):
            (self.path / RUN).unlink(missing_ok=True)
            shutil.rmtree(self.path / CHUNKS, ignore_errors=True)

    def _start(self) -> None:
        if not (self.path / RUN).is_file():  # first of all: it says whose folder this is, also after a power cut
            write_atomic(self.path / RUN, run_text(self.identity), lasting=True)
        (self.path / CHUNKS).mkdir(exist_ok=True)

    def _check_purpose(self) -> None:
        """Refuse to write among files that are not a run."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise BadInput(self.path, "", "is a file, not a folder")
        names = {entry.name for entry in self.path.iterdir() if not self._is_of_a_start(entry)}
        if names and not names & {MANIFEST, RUN}:
            raise BadInput(self.path, "", "holds other files and no run", "name a new or empty folder")

    @staticmethod
    def _is_of_a_start(entry: Path) -> bool:
        """Tell whether this is what a start leaves that was killed, or found the disk full, before `RUN` was there."""
        if entry.name == CHUNKS:
            return entry.is_dir() and not any(entry.iterdir())
        return entry.name == LOCK or (entry.name.startswith(f"{RUN}.") and entry.name.endswith(TEMPORARY))


def check_identity(path: Path, identity: Identity) -> None:
    """Refuse a folder that holds another run, finished or not; one that holds none is as good as the same run.

    Raises
    ------
    BadInput
        Says where the two differ.
    """
    there = identity_in(path)
    if there is not None:
        check_same(path, there, as_read_back(identity))


def check_same(path: Path | str, there: Identity, here: Identity) -> None:
    """Refuse a folder or address whose run is another than the one that is to be played."""
    if there != here:
        raise BadInput(path, "", f"holds another run: {differences(there, here)}", "name another folder with --out")


def identity_in(path: Path) -> Identity | None:
    """Return the identity of the run in a folder, finished or not; None if there is none."""
    file = next((path / name for name in (MANIFEST, RUN) if (path / name).is_file()), None)
    return None if file is None else read_identity(file)


def as_read_back(identity: Identity) -> dict[str, Any]:
    """Return an identity as it is when it has been written to a file and read."""
    found: dict[str, Any] = json.loads(json.dumps(identity))
    return found


def lock_of(path: Path) -> filelock.BaseFileLock:
    """Return the lock of whoever writes a folder; the system takes it back when that process ends."""
    return filelock.FileLock(path / LOCK, timeout=GLANCE)


def remove_run(path: Path, tables: Iterable[str]) -> None:
    """Remove a run, finished or not, with its folder.

    Parameters
    ----------
    path : Path
        The run folder.
    tables : iterable of str
        Names of the tables it can have.

    Raises
    ------
    BadInput
        If it is not a run, holds anything else, or another process writes it: nothing is removed then.
    """
    for name in (MANIFEST, RUN):
        if (path / name).is_file():
            read_identity(path / name)
    others = {entry.name for entry in path.iterdir()} - {MANIFEST, RUN, CHUNKS, LOCK, *tables}
    if others:
        raise BadInput(path, "", f"holds another run and other files ({min(others)})", "name another folder")
    try:
        with lock_of(path):
            shutil.rmtree(path)
    except filelock.Timeout:
        raise in_use(path) from None
    except OSError as error:
        raise cannot_write(path, error) from None


def differences(there: Identity, here: Identity) -> str:
    """Say in words where two identities differ, the first few places; hashes only if nothing else does."""
    found: list[str] = []
    hashed: list[str] = []
    for key in sorted({*there, *here}):
        values = there.get(key, "not set"), here.get(key, "not set")
        if values[0] != values[1]:
            old, new = (short(value) for value in values)
            rest = hashed if any(HASH.fullmatch(str(value)) for value in values) else found
            rest.append(f"{key} is {old} there, {new} here")
    found = found or hashed
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return "; ".join(found[:3]) + more


def short(value: object) -> str:
    """Return the beginning of a value of an identity, of a hash as much as reports show."""
    text = str(value)
    return text[:8] if HASH.fullmatch(text) else text[:40]


def in_use(path: Path) -> BadInput:
    """Make the message about a folder that another process writes."""
    return BadInput(path, "", "another process is writing this folder")


def cannot_write(path: Path, error: OSError) -> BadInput:
    """Make the message about a folder that cannot be written."""
    return BadInput(path, "", f"cannot be written ({error.strerror or error})", "name another folder")
