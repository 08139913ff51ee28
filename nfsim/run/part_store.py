"""Where the parts of a run go: a folder, or an address that fsspec knows, such as ``s3://bucket/run``."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import secrets
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from nfsim.errors import BadInput, one_line
from nfsim.files import TEMPORARY, parse_json, write_atomic
from nfsim.log.addresses import is_address
from nfsim.log.check import MANIFEST, RUN, check_manifest, identity_of, is_as_written, is_complete
from nfsim.log.folder import Identity, RunFolder, as_read_back, check_same
from nfsim.log.manifest import manifest_text, run_text
from nfsim.log.parts import READERS, PartFile, chunk_name, save_parts
from nfsim.log.records import (
    CHUNKS,
    MOST_BYTES,
    ChunkRecord,
    games_in,
    kept_where,
    listed_records,
    readable_records,
    record_text,
    save_record,
)

INSTALL = "pip install 'nfsim[cluster]'"
LOOKS, PAUSE = 4, 0.5  # a network file system may show a new file only after a moment

Contents = Sequence[tuple[PartFile, Any]]


class PartStore(Protocol):
    """Where workers put what they have played; it travels to them."""

    def put(self, name: str, record: ChunkRecord, contents: Contents) -> bool:
        """Write parts, and then the record that says they are complete; False if that is left to who asked."""

    def close(self) -> None:
        """Clean up, when no worker needs it any more."""


@dataclass(frozen=True)
class Folder:
    """A run folder that workers may see under the same name, or not.

    Attributes
    ----------
    path : Path
        Absolute.
    token : str
        Content of a file that was put there for this run: who finds it sees the same folder.
    """

    path: Path
    token: str

    @classmethod
    def of(cls, path: Path) -> Folder:
        """Put a token into a run folder that has been started."""
        place = cls(path.absolute(), secrets.token_hex(16))
        write_atomic(place.file, place.token.encode(), lasting=True)
        return place

    @property
    def file(self) -> Path:
        """The token's file; its name is one of those that are cleared away when a run goes on."""
        return self.path / CHUNKS / f"seen-{self.token[:8]}{TEMPORARY}"

    def put(self, name: str, record: ChunkRecord, contents: Contents) -> bool:
        """Write a chunk, if this process sees the folder and may write there."""
        if not _sees(self):
            return False
        save_parts(self.path, contents)
        save_record(self.path, name, record)
        return True

    def close(self) -> None:
        """Take the token away."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)


@functools.lru_cache(maxsize=16)
def _sees(place: Folder) -> bool:
    """Look for the token, once a process."""
    for look in range(LOOKS):
        if look:
            time.sleep(PAUSE)
        with contextlib.suppress(OSError, ValueError):
            if place.file.read_text("utf-8") == place.token:
                tempfile.TemporaryFile(dir=place.file.parent).close()  # reading is not enough
                return True
    return False


@dataclass(frozen=True)
class Address:
    """An address of fsspec, which every worker must be able to write."""

    url: str

    def put(self, name: str, record: ChunkRecord, contents: Contents) -> bool:
        """Write a chunk; its record comes last."""
        for part, content in contents:
            self.write(part.file, bytes(content))
        self.note(name, record)
        return True

    def note(self, name: str, record: ChunkRecord) -> None:
        """Write the record of a chunk, whose parts are there."""
        self.write(f"{CHUNKS}/{name}.json", record_text(record))

    def close(self) -> None:
        """Nothing has to be cleaned up."""

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        with self._reaching("written") as (system, root):
            path = f"{root}/{name}"
            system.makedirs(path.rpartition("/")[0], exist_ok=True)
            system.pipe_file(path, content)

    def read(self, name: str) -> bytes | None:
        """Read a file; None if there is none."""
        with self._reaching("read") as (system, root):
            try:
                return bytes(system.cat_file(f"{root}/{name}"))
            except FileNotFoundError:
                return None

    def read_json(self, name: str) -> dict[str, Any] | None:
        """Read a JSON object; None if there is no such file, or it holds anything else."""
        try:
            return parse_json(self.read(name) or b"")
        except ValueError:
            return None

    def digest(self, name: str) -> str:
        """Return the SHA-256 of a file in hexadecimal; '' if there is none."""
        content = self.read(name)
        return "" if content is None else hashlib.sha256(content).hexdigest()

    def sizes(self) -> dict[str, int]:
        """Return the size of every file under the address, by its name there."""
        with self._reaching("read") as (system, root):
            system.invalidate_cache()
            try:
                found = system.find(root, detail=True)
            except FileNotFoundError:
                return {}
            return {name.removeprefix(root).lstrip("/"): int(about["size"]) for name, about in found.items()}

    def remove(self, name: str) -> None:
        """Remove a file or everything under a name, if it is there."""
        with self._reaching("written") as (system, root), contextlib.suppress(FileNotFoundError):
            system.rm(f"{root}/{name}", recursive=True)

    @contextlib.contextmanager
    def _reaching(self, done: str) -> Iterator[tuple[Any, str]]:
        try:
            from fsspec.core import url_to_fs
        except ImportError:
            raise BadInput("--out", "", f"{self.url} is an address, which needs fsspec", INSTALL) from None
        try:
            system, root = url_to_fs(self.url)
            yield system, str(root).rstrip("/")
        except Exception as error:  # each of the libraries behind fsspec has errors of its own
            said = one_line(str(error)) or type(error).__name__
            raise BadInput("--out", "", f"{self.url} cannot be {done} ({said})") from None


def open_run(out: Path | str, identity: Identity) -> RunFolder | AddressFolder:
    """Return the run at `out`, not yet entered."""
    return AddressFolder(str(out), identity) if is_address(out) else RunFolder(Path(out), identity)


class AddressFolder:
    """A run at an address; what `RunFolder` is for a folder, as far as that is possible there.

    There is no lock: nothing keeps two runs from writing to one address. To go on with a run, or to find that it is
    complete, every part is read back and its checksum compared, as in a folder: several at a time, none is kept.

    Parameters
    ----------
    url : str
    identity : mapping
        Of the run that is to be written there.
    """

    def __init__(self, url: str, identity: Identity) -> None:
        self.path = url.rstrip("/")
        self.identity = as_read_back(identity)
        self._there = Address(self.path)
        self._intact: dict[int, ChunkRecord] = {}  # of a finished run that was damaged

    def __enter__(self) -> AddressFolder:
        """Check what is there.

        Raises
        ------
        BadInput
            If it cannot be reached, or belongs to another run or to something else.
        """
        self._manifest = self._there.read_json(MANIFEST)
        found = self._manifest or self._there.read_json(RUN)
        if found is not None:
            check_same(self.path, identity_of(found, self.path), self.identity)
        elif self._there.sizes():
            raise BadInput(self.path, "", "holds other files and no run", "name a new or empty one")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is locked."""

    def finished(self) -> dict[str, Any] | None:
        """Return the manifest of the run if it is complete and every part is as it was written."""
        manifest = self._manifest
        if manifest is None:
            return None
        check_manifest(manifest, f"{self.path}/{MANIFEST}")
        if not is_as_written(manifest):
            return None
        self._intact = self._whole(listed_records(manifest), content=True)
        if not is_complete(manifest, games_in(self._intact)):
            return None
        self._tidy()
        return manifest

    def start(self) -> dict[int, ChunkRecord]:
        """Get ready to write chunks, and return those that are complete; see `nfsim.log.folder.RunFolder.start`."""
        self._there.write(RUN, run_text(self.identity))
        with ThreadPoolExecutor(READERS) as writers:  # before the manifest goes: nothing is lost if this is interrupted
            noted = [(chunk_name(record.first), record) for record in self._intact.values()]
            list(writers.map(lambda each: self._there.note(*each), noted))
        self._there.remove(MANIFEST)
        self._manifest = None
        others = (record for record in self._saved() if record.first not in self._intact)
        return self._intact | self._whole(others, content=True)

    def complete(self) -> dict[int, ChunkRecord]:
        """Return the chunks that are complete, by first game, after a look at their sizes."""
        records = self._saved() if self._manifest is None else listed_records(self._manifest)
        return self._whole(records, content=False)

    def _saved(self) -> list[ChunkRecord]:
        """Return the records of a run under way, those that can be read."""
        sizes = self._there.sizes()
        names = sorted(name for name, size in sizes.items() if name.startswith(f"{CHUNKS}/") and size <= MOST_BYTES)
        with ThreadPoolExecutor(READERS) as readers:
            contents = (content or b"" for content in readers.map(self._there.read, names))
            return list(readable_records(contents, self.identity))

    def _whole(self, records: Iterable[ChunkRecord], *, content: bool) -> dict[int, ChunkRecord]:
        """Return the records whose parts are as they were written.

        As `nfsim.log.records.whole`, but rows are not compared: that would fetch each part once more, and who trusts
        the checksum trusts the rows that are listed beside it.
        """
        sizes = self._there.sizes()

        def as_written(part: PartFile) -> bool:
            if sizes.get(part.file) != part.bytes:
                return False
            return not content or self._there.digest(part.file) == part.sha256

        return kept_where(as_written, records)

    def finish(self, manifest: Mapping[str, Any]) -> None:
        """Write the manifest: from now on the run is complete."""
        self._there.write(MANIFEST, manifest_text(manifest))
        self._manifest = dict(manifest)
        self._tidy()

    def _tidy(self) -> None:
        """Remove what only a run under way needs."""
        with contextlib.suppress(BadInput):
            self._there.remove(RUN)
            self._there.remove(CHUNKS)


def store_of(run: RunFolder | AddressFolder) -> PartStore:
    """Return where workers put the parts of a run that has been started."""
    return Folder.of(run.path) if isinstance(run, RunFolder) else Address(run.path)
