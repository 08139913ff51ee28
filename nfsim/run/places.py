"""Where workers put the parts of a run: a folder that they see, or an address that fsspec knows."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import secrets
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nfsim.errors import BadInput, one_line
from nfsim.files import TEMPORARY, parse_json, write_atomic
from nfsim.log.parts import Part, save_parts
from nfsim.log.records import CHUNKS, ChunkRecord, record_text, save_record

INSTALL = "pip install 'nfsim[cluster]'"
LOOKS, PAUSE = 4, 0.5  # a network file system may show a new file only after a moment

Contents = Sequence[tuple[Part, Any]]


class Place(Protocol):
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
