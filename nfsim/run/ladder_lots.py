"""Lots of games that a ladder keeps in its folder while it is under way, so that it can go on.

A file is one table of whole numbers after its own SHA-256, and its name is the hash of all that decides what is in it:
the rules, who plays, which games. So it is found again by whoever asks for the same games, and by nobody else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import filelock
import numpy as np
from numpy.typing import NDArray

from nfsim.errors import BadInput
from nfsim.files import read_bytes, write_atomic
from nfsim.log.folder import LOCK, cannot_write, in_use, lock_of
from nfsim.run.about import run_identity
from nfsim.run.scenario import Scenario

FOLDER = "lots"
ENDING = ".lot"
NUMBERS = np.dtype("<i8")
HASH_BYTES = hashlib.sha256().digest_size

Table = NDArray[np.int64]


class Lot(NamedTuple):
    """Games that are played and kept together.

    Attributes
    ----------
    players : tuple
        Name and digest of the policy in each seat; the digest says what it is told to aim at, too.
    first, games : int
    """

    players: tuple[tuple[str, str], ...]
    first: int
    games: int


class KeptLots:
    """Complete lots of one ladder.

    Parameters
    ----------
    folder : Path or None
        Where they are kept; None: nowhere.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._identity: dict[str, Any] = {}
        self._files: set[Path] = set()

    def begin(self, scenario: Scenario, seed: int) -> None:
        """Hear what is played; the scenario's own policies and number of games play no part."""
        apart = ("games", "policy.", "parameters.")
        identity = run_identity(scenario, seed, "games").items()
        self._identity = {key: value for key, value in identity if not key.startswith(apart)}

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Let no other process keep lots in the folder.

        Raises
        ------
        BadInput
            If another one does, or the folder cannot be written.
        """
        if self.folder is None:
            yield
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = lock_of(self.folder)
            lock.acquire()
        except filelock.Timeout:
            raise in_use(self.folder) from None
        except OSError as error:
            raise cannot_write(self.folder, error) from None
        try:
            yield
        finally:
            lock.release()

    def find(self, lot: Lot, columns: int) -> Table | None:
        """Return a lot that is complete; None if it is not there, or is not as it was written."""
        if self.folder is None:
            return None
        size = HASH_BYTES + lot.games * columns * NUMBERS.itemsize
        with contextlib.suppress(BadInput):
            content = read_bytes(self._file(lot), size, "a lot of a ladder")
            digest, numbers = content[:HASH_BYTES], content[HASH_BYTES:]
            if len(content) == size and hashlib.sha256(numbers).digest() == digest:
                return np.frombuffer(numbers, NUMBERS).reshape(lot.games, columns).astype(np.int64)
        return None

    def add(self, lot: Lot, table: Table) -> None:
        """Keep a lot that is complete."""
        if self.folder is not None:
            numbers = np.ascontiguousarray(table, NUMBERS).tobytes()
            write_atomic(self._file(lot), hashlib.sha256(numbers).digest() + numbers)

    def remove(self) -> None:
        """Remove these lots, which are needed no more, and the folder if nothing else is in it."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            for file in self._files:
                file.unlink(missing_ok=True)
            if {entry.name for entry in self.folder.iterdir()} <= {LOCK}:
                (self.folder / LOCK).unlink(missing_ok=True)
                self.folder.rmdir()

    def _file(self, lot: Lot) -> Path:
        assert self.folder is not None
        text = json.dumps([self._identity, lot], sort_keys=True)
        file = self.folder / f"{hashlib.sha256(text.encode()).hexdigest()}{ENDING}"
        self._files.add(file)
        return file
