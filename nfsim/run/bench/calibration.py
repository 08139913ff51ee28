"""The yardstick: a fixed loop of the engine's kind of work, run beside each case.

On a slower machine, or one on which others work, loop and case slow down alike, so their ratio stays. The loop
stands alone: it uses nothing of the project that could itself become slower.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from nfsim.compiled import jit

RECORDS = 1024  # times 136 bytes: about as much as a game, its tables and its options take
SLOTS = 16
STEPS = 40_000_000
_RECORD = np.dtype([("count", np.int64), ("slot", np.int64, (SLOTS,))])
_MULTIPLIER, _ODD = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x9E3779B97F4A7C15)
_HIGH, _MIDDLE, _LOW = np.uint64(40), np.uint64(30), np.uint64(27)


def _steps(records: Any, key: np.uint64, n: int) -> int:
    """Take n steps: a random number, a field of a record read and written, a branch that nobody can predict."""
    total = 0
    for _ in range(n):
        key = (key + _ODD) * _MULTIPLIER
        key ^= key >> _LOW
        record = records[np.int64(key >> _HIGH) & (RECORDS - 1)]
        place = np.int64(key >> _MIDDLE) & (SLOTS - 1)
        record.slot[place] += np.int64(key >> _HIGH) & 7
        if record.slot[place] & 1:
            record.count += 1
        else:
            total += record.count
    return total


@cache
def _compiled() -> Any:
    # not decorated: no rule depends on this loop, so a change of it must not have the rules compiled anew
    return jit.njit_wrapping(_steps)


def speed(steps: int = STEPS) -> float:
    """Return how many million steps of the loop this thread takes in a CPU-second."""
    records = np.zeros(RECORDS, _RECORD).view(np.recarray)
    _compiled()(records, np.uint64(1), np.int64(1))  # loaded
    started = time.thread_time()
    _compiled()(records, np.uint64(1), np.int64(steps))
    return round(steps / (time.thread_time() - started) / 1e6, 3)


def two_at_once(steps: int = 5 * STEPS) -> float:
    """Return how many times as fast two threads take steps as one: 2 on two cores that have nothing else to do."""

    def seconds(workers: int) -> float:
        with ThreadPoolExecutor(workers) as pool:
            started = time.perf_counter()
            for _ in pool.map(speed, [steps] * workers):
                pass
            return time.perf_counter() - started

    one, two = seconds(1), seconds(2)
    return (one + seconds(1)) / two
