"""Random numbers from explicit counters: the same game gives the same numbers in any process and order.

A stream is a 64-bit key made from (root seed, game number, purpose); its numbers are a hash of key and
counter. There is no hidden state: the caller keeps the counter, in a field of the game's record, and raises
it after each draw.

Keys and counters are int64, like all fields of a record. Inside, everything is uint64 and wraps round on
purpose; every literal is a uint64 too, because int64 with uint64 would become float64 and lose the low bits.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import njit_wrapping


class Purpose(IntEnum):
    """What a stream is for; pass ``int(Purpose.DRAWS)``, for the bare name compiles a variant of its own."""

    SETUP = 1  # dealing empires, goals, start order
    DRAWS = 2  # the bag
    CHANCE_SPARE = 3  # free for chance that is neither of these
    POLICY = 16  # plus the seat: 16, 17, ...; so that changing a policy does not reshuffle the bag


# odd, with the bits of the golden ratio: successive counters land far apart
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
# multipliers and shifts of David Stafford's mix 13, as in splitmix64
_MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
_SHIFT_UNIT = np.uint64(11)
_SHIFT_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_TWO_TO_32 = np.uint64(1 << 32)
_ONE = np.uint64(1)
_UNIT = 2.0**-53


@njit_wrapping
def _mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits; a bijection in which every input bit moves every output bit."""
    x = (x ^ (x >> _SHIFT_1)) * _MULTIPLY_1
    x = (x ^ (x >> _SHIFT_2)) * _MULTIPLY_2
    return x ^ (x >> _SHIFT_3)


@njit_wrapping
def stream(root: int, game: int, purpose: int) -> int:
    """Make the key of a stream.

    Parameters
    ----------
    root : int
        Root seed of the run, any int64.
    game : int
        Number of the game, any int64.
    purpose : int
        ``int`` of a `Purpose`; for policies ``int(Purpose.POLICY) + seat``.

    Returns
    -------
    int
        Key, an int64 that may be negative.
    """
    # mixed after each part: neighbouring seeds, games and purposes give unrelated keys
    key = _mix(np.uint64(np.int64(root)) + _GAMMA)
    key = _mix(key ^ ((np.uint64(np.int64(game)) + _ONE) * _GAMMA))
    key = _mix(key ^ ((np.uint64(np.int64(purpose)) + _ONE) * _GAMMA))
    return np.int64(key)  # type: ignore[return-value]  # an int64 is what compiled callers store


@njit_wrapping
def draw(key: int, counter: int) -> np.uint64:
    """Give 64 random bits.

    Parameters
    ----------
    key : int
        From `stream`.
    counter : int
        Position in the stream, from 0.

    Returns
    -------
    numpy.uint64
        Do not add it to an int64: the sum would be a float64. Most callers want `below` or `unit`.
    """
    # xor rather than plus: with plus, all streams would be pieces of one long sequence
    return _mix((np.uint64(np.int64(counter)) + _ONE) * _GAMMA ^ np.uint64(np.int64(key)))


@njit_wrapping
def below(key: int, counter: int, n: int) -> int:
    """Give a random integer, each of 0, 1, ..., n - 1 exactly as likely as another.

    Parameters
    ----------
    key, counter : int
        As for `draw`. One position of the counter is used, whatever happens inside.
    n : int
        From 1 to 2**32 - 1.

    Returns
    -------
    int
        Below n; -1 (never a legal index) if n is out of range.

    Notes
    -----
    Lemire's multiply-and-shift on 32 bits; the values that would make some results likelier are thrown away,
    and the same position is hashed once more. That happens in fewer than n of 2**32 draws.
    """
    if n < 1 or n > 0xFFFFFFFF:
        return np.int64(-1)  # type: ignore[return-value]
    size = np.uint64(np.int64(n))
    bits = draw(key, counter)
    product = (bits >> _SHIFT_HALF) * size
    if (product & _LOW_HALF) < size:  # only then a division is needed
        surplus = _TWO_TO_32 % size
        while (product & _LOW_HALF) < surplus:
            bits = _mix(bits + _GAMMA)
            product = (bits >> _SHIFT_HALF) * size
    return np.int64(product >> _SHIFT_HALF)  # type: ignore[return-value]


@njit_wrapping
def unit(key: int, counter: int) -> float:
    """Give a random float64 in [0, 1): one of 2**53 equally spaced values. Parameters as for `draw`."""
    return np.float64(draw(key, counter) >> _SHIFT_UNIT) * _UNIT


@njit_wrapping
def shuffle(key: int, counter: int, values: NDArray[np.int64], count: int) -> int:
    """Shuffle the first `count` values in place, every order equally likely.

    Parameters
    ----------
    key, counter : int
        As for `draw`.
    values : ndarray of int64, shape (capacity,)
        Changed in place; what stands behind the first `count` is left alone.
    count : int
        From 0 to the capacity.

    Returns
    -------
    int
        The counter after it: ``counter + count - 1`` (`counter` itself if there is nothing to shuffle).
    """
    position = counter
    for last in range(count - 1, 0, -1):
        other = below(key, position, last + 1)
        position += 1
        kept = values[last]
        values[last] = values[other]
        values[other] = kept
    return position
