"""Streams: known values, uniformity, independence, and the same numbers compiled and uncompiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import stats

from nfsim.compiled import rng
from nfsim.compiled.rng import Purpose

SMALLEST, LARGEST = -(2**63), 2**63 - 1

KNOWN_DRAWS = [1157161598772781030, 12732650428299659986, 3026086862948385534]
KNOWN_DICE = [0, 4, 0, 0, 3, 1, 2, 4, 0, 5]

# A sample over signs and extremes; printed by a second process, see below.
SAMPLE = """
import json, sys
import numpy as np
from nfsim.compiled import rng
rows = []
for root in (0, 1, -1, 12345, -(2**63), 2**63 - 1):
    for game in (0, 1, 19_999, 2**40):
        for purpose in (1, 2, 3, 16, 20):
            key = rng.stream(root, game, purpose)
            values = np.arange(12)
            after = rng.shuffle(key, 7, values, 9)
            rows.append([int(key), int(rng.draw(key, 0)), int(rng.draw(key, 2**40)),
                         int(rng.below(key, 3, 73)), int(rng.below(key, 4, 3_000_000_000)),
                         float(rng.unit(key, 5)).hex(), int(after), values.tolist()])
json.dump(rows, sys.stdout)
"""


def chi_square_p(counts: np.ndarray) -> float:
    return float(stats.chisquare(counts).pvalue)


def test_known_seed_gives_known_numbers():
    """A change here means that every published result has other games behind the same seed."""
    key = rng.stream(1, 2, 3)
    assert key == 5197949761870614441
    assert [int(rng.draw(key, counter)) for counter in range(3)] == KNOWN_DRAWS
    assert [rng.below(key, counter, 6) for counter in range(10)] == KNOWN_DICE
    assert rng.unit(key, 0) == KNOWN_DRAWS[0] // 2**11 / 2**53


def test_draw_is_the_published_splitmix64_finalizer():
    def reference(x: int) -> int:
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB % 2**64
        return x ^ (x >> 31)

    for key in (0, 1, -1, SMALLEST, LARGEST):
        for counter in (0, 1, 1000):
            weyl = (counter + 1) * 0x9E3779B97F4A7C15 % 2**64
            assert int(rng.draw(key, counter)) == reference(weyl ^ (key % 2**64))


def test_the_same_place_in_a_stream_always_gives_the_same_number():
    key = rng.stream(5, 6, Purpose.DRAWS)
    forwards = [rng.below(key, counter, 1000) for counter in range(100)]
    backwards = [rng.below(key, counter, 1000) for counter in reversed(range(100))]
    assert forwards == backwards[::-1]


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 73, 1000])
def test_below_is_uniform(n):
    key = rng.stream(2026, 0, Purpose.DRAWS)
    values = np.array([rng.below(key, counter, n) for counter in range(40_000)])
    assert values.min() >= 0
    assert values.max() < n
    if n > 1:
        assert chi_square_p(np.bincount(values, minlength=n)) > 1e-3


def test_below_stays_uniform_where_multiply_and_shift_alone_would_not():
    """With n at three quarters of 2**32 plain multiply-and-shift hits every third number twice as often."""
    n = 3 * 2**30
    key = rng.stream(2026, 1, Purpose.DRAWS)
    values = np.array([rng.below(key, counter, n) for counter in range(30_000)])
    assert values.max() < n
    assert chi_square_p(np.bincount(values % 3, minlength=3)) > 1e-3


@pytest.mark.parametrize("n", [0, -1, 2**32, SMALLEST, LARGEST])
def test_below_refuses_an_impossible_size_with_minus_one(n):
    assert rng.below(rng.stream(1, 1, 1), 0, n) == -1


def test_unit_is_uniform_and_never_one():
    key = rng.stream(2026, 2, Purpose.DRAWS)
    values = np.array([rng.unit(key, counter) for counter in range(40_000)])
    assert values.min() >= 0.0
    assert values.max() < 1.0
    assert stats.kstest(values, "uniform").pvalue > 1e-3


def test_the_first_number_of_successive_games_is_uniform():
    for purpose in (Purpose.SETUP, Purpose.DRAWS, Purpose.POLICY):
        values = [rng.below(rng.stream(1, game, purpose), 0, 73) for game in range(20_000)]
        assert chi_square_p(np.bincount(values, minlength=73)) > 1e-3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((1, 0, Purpose.DRAWS), (1, 1, Purpose.DRAWS)),
        ((1, 0, Purpose.DRAWS), (2, 0, Purpose.DRAWS)),
        ((1, 0, Purpose.DRAWS), (1, 0, Purpose.SETUP)),
        ((1, 0, Purpose.POLICY), (1, 0, Purpose.POLICY + 1)),
        ((0, 1, Purpose.DRAWS), (1, 0, Purpose.DRAWS)),
    ],
)
def test_neighbouring_streams_are_independent(first, second):
    key_1, key_2 = rng.stream(*first), rng.stream(*second)
    pairs = [rng.below(key_1, c, 8) * 8 + rng.below(key_2, c, 8) for c in range(20_000)]
    assert chi_square_p(np.bincount(pairs, minlength=64)) > 1e-3


def test_successive_numbers_of_a_stream_are_independent():
    key = rng.stream(2026, 3, Purpose.DRAWS)
    values = np.array([rng.below(key, counter, 8) for counter in range(40_001)])
    for lag in (1, 2, 7):
        pairs = values[:-lag] * 8 + values[lag:]
        # every second pair, so that pairs share no number at lag 1
        assert chi_square_p(np.bincount(pairs[::2], minlength=64)) > 1e-3


def test_every_stream_of_a_run_has_its_own_key():
    purposes = [Purpose.SETUP, Purpose.DRAWS, Purpose.CHANCE_SPARE, *(Purpose.POLICY + s for s in range(5))]
    keys = {rng.stream(root, game, p) for root in range(5) for game in range(2000) for p in purposes}
    assert len(keys) == 5 * 2000 * len(purposes)


def test_flipping_one_bit_of_the_key_flips_half_of_the_result():
    keys = [rng.stream(1, game, 1) for game in range(200)]
    for bit in range(0, 63, 7):
        flips = [(int(rng.draw(k, 0)) ^ int(rng.draw(k ^ (1 << bit), 0))).bit_count() for k in keys]
        assert 30 < np.mean(flips) < 34


def test_shuffle_gives_every_order_equally_often():
    orders: dict[tuple[int, ...], int] = {}
    for game in range(12_000):
        values = np.arange(4)
        rng.shuffle(rng.stream(9, game, Purpose.SETUP), 0, values, 4)
        orders[tuple(values.tolist())] = orders.get(tuple(values.tolist()), 0) + 1
    assert len(orders) == 24
    assert chi_square_p(np.array(list(orders.values()))) > 1e-3


def test_shuffle_leaves_the_rest_alone_and_says_how_far_the_counter_went():
    key = rng.stream(1, 1, Purpose.SETUP)
    values = np.arange(10)
    assert rng.shuffle(key, 5, values, 6) == 10
    assert sorted(values[:6].tolist()) == list(range(6))
    assert values[6:].tolist() == [6, 7, 8, 9]
    for count in (0, 1):
        assert rng.shuffle(key, 5, values, count) == 5


def test_compiled_and_uncompiled_give_the_same_numbers():
    outputs = []
    for disabled in ("0", "1"):
        environment = {**os.environ, "NUMBA_DISABLE_JIT": disabled}
        run = subprocess.run(
            # warnings are errors: uncompiled, numpy must not complain about the arithmetic that wraps round
            [sys.executable, "-W", "error", "-c", SAMPLE],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        outputs.append(json.loads(run.stdout))
    assert outputs[0] == outputs[1]
    assert len(outputs[0]) == 120


def test_a_stream_costs_one_compiled_variant_whatever_the_caller_passes():
    if not hasattr(rng.stream, "signatures"):
        pytest.skip("not compiled")
    rng.stream(1, 2, 3)
    rng.stream(-1, np.int64(2), int(Purpose.POLICY) + 1)
    plain = [types for types in rng.stream.signatures if "Purpose" not in str(types)]
    assert len(plain) == 1  # the tests above also pass a bare Purpose
