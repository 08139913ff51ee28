"""Where the rows of a run go: a folder, or an address that fsspec knows, such as ``s3://bucket/run``."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

from nfsim.errors import BadInput
from nfsim.log.addresses import is_address
from nfsim.log.check import MANIFEST, RUN, check_manifest, identity_of, is_as_written, is_complete
from nfsim.log.folder import Identity, RunFolder, as_read_back, check_same
from nfsim.log.manifest import manifest_text, run_text
from nfsim.log.parts import READERS, Part, chunk_name
from nfsim.log.records import CHUNKS, MOST_BYTES, ChunkRecord, games_in, kept_where, listed_records, readable_records
from nfsim.run.places import Address, Folder, Place


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

        def as_written(part: Part) -> bool:
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


def place_of(run: RunFolder | AddressFolder) -> Place:
    """Return where workers put the parts of a run that has been started."""
    return Folder.of(run.path) if isinstance(run, RunFolder) else Address(run.path)
