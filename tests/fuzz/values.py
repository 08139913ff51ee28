"""Values that a file may hold where a sensible one is expected."""

import datetime as dt
import math

from hypothesis import strategies as st

NAMES = (
    "", " ", "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=1+1", "-1+cmd|' /C calc'!A0", "@x",
    "🪐🚀", "\u202eright to left", "e\u0301\u0308\u0323", "a\nb", "a\tb", "\x1b[31mred", "a\0b",
    "../../outside/kept.txt",
    "/etc/passwd", "/dev/zero", "/dev/full", "~nobody_of_this_name", "..", ".", "C:\\Windows", "\\\\server\\share",
    "{{ 7 * 7 }}", "{% for x in y %}", "${HOME}", "%s%n", "$(touch planted)", "os:system", "planted:choose",
    "antigravity:geohash", "Gem World", "balanced", "uniform", "true", "1e999", "0x10", "x" * 5_000, "ſ", "İ", "ß",
    "settle.military(rebel) 2", "trade.bonus(genes) 1; " * 50, "2 per rebel_military", "3:2 5:5 6+:8", "owns \"Gem\"",
    "𝟏", "١٢", "−1", "1_000", "+5", "1.0", "nan", "inf", "null", "None",
)  # fmt: skip
NUMBERS = (
    0, 1, -1, 2, 3, 7, 60, 61, 127, 128, 255, 256, 32767, 32768, -32769, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64,
    -(2**63) - 1, 10**12, 10**30, -(10**30), 10**400, 0.0, -0.0, 0.5, 1e-320, 1e6, 1e308, -1e308,
    math.inf, -math.inf, math.nan,
)  # fmt: skip
DATES = (dt.date(2024, 2, 29), dt.time(1, 2, 3), dt.datetime(1, 1, 1, tzinfo=dt.UTC))


def nested(depth: int, table: bool) -> object:
    """Return lists or tables in each other."""
    value: object = 1
    for _ in range(depth):
        value = {"a": value} if table else [value]
    return value


SCALARS = st.one_of(
    st.sampled_from(NUMBERS), st.sampled_from(NAMES), st.sampled_from(DATES), st.booleans(), st.none(),
    st.integers(-(10**6), 10**6), st.floats(), st.text(max_size=20),
)  # fmt: skip
BIG = st.one_of(
    st.builds(nested, st.sampled_from([1, 15, 30, 90]), st.booleans()),
    st.builds(lambda n: "x" * n, st.sampled_from([201, 4097, 10**6])),
    st.builds(lambda n: [0] * n, st.sampled_from([0, 21, 10_000])),
    st.builds(lambda n: {f"k{i}": i for i in range(n)}, st.sampled_from([0, 50, 5_000])),
)
VALUES = st.one_of(SCALARS, SCALARS, SCALARS, st.lists(SCALARS, max_size=3), BIG)
KEYS = st.one_of(st.sampled_from(NAMES), st.text(max_size=8))
