"""The plan of a run: fixed chunks of games, the same whatever the number of threads.

A chunk is the unit of work, of writing and of resuming: its games become one part file per table.
"""

from __future__ import annotations

from dataclasses import dataclass

from nfsim.log.parts import chunk_name

FEWEST = 10_000  # below this files have too few rows for good compression
MOST = 20_000  # above this a chunk takes needless memory and is a long time to lose
CHUNKS = 8  # enough for progress and for several threads in a small run
FEWEST_SLOW, MOST_SLOW = 100, 1_000  # for slow policies: a chunk takes seconds


@dataclass(frozen=True)
class Chunk:
    """Games ``first`` … ``first + games - 1``."""

    first: int
    games: int

    @property
    def name(self) -> str:
        """Name of its part files."""
        return chunk_name(self.first)


def chunk_size(games: int, slow: bool = False) -> int:
    """Return the number of games per chunk; it depends on nothing else, so that an unfinished run can go on."""
    fewest, most = (FEWEST_SLOW, MOST_SLOW) if slow else (FEWEST, MOST)
    return min(most, max(fewest, -(-games // CHUNKS)))


def plan(games: int, slow: bool = False) -> list[Chunk]:
    """Cut games 0 … `games` - 1 into chunks, smaller ones for slow policies."""
    size = chunk_size(games, slow)
    return [Chunk(first, min(size, games - first)) for first in range(0, games, size)]
