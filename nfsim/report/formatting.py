"""How numbers are written: percentages, means, intervals as lo–hi, the same in charts, tables and text."""

import math

import polars as pl
import polars.selectors as cs

from nfsim.files import csv_cell

MINUS = "−"
TINY = 0.00005  # a rate below it reads 0.00 %
SAME_DIGITS = 10  # of a number in a file
NOISE = 1e-12  # what is smaller is a file's 0: sums that cancel out leave 1e-17, never twice the same
P_VALUES = r"(^|_)p(_adjusted)?$"  # columns in which what is that small says something
NOTHING = 1e-9  # what is smaller is a rounding artefact


def integer(value: int) -> str:
    """Write a count: 20,000."""
    return f"{value:,}"


def with_article(noun: str) -> str:
    """Write a noun with its article: a card, an objective."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def signed(value: float, decimals: int = 0) -> str:
    """Write a number with a true minus sign; an empty dash for what is not known."""
    if math.isnan(value):
        return "–"
    text = f"{value:.{decimals}f}"
    # -0.0 is a rounding artefact, not a number anyone wants to read
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", MINUS)


def percent(rate: float, decimals: int = 1) -> str:
    """Write a rate: 23.4 %."""
    return "–" if math.isnan(rate) else f"{100 * rate:.{decimals}f} %"


def rate_interval(low: float, high: float, decimals: int = 1) -> str:
    """Write a rate's interval in percent, without the sign: 22.8–24.0."""
    return "–" if math.isnan(low) else f"{100 * low:.{decimals}f}–{100 * high:.{decimals}f}"


def value_interval(low: float, high: float, decimals: int = 1) -> str:
    """Write a mean's interval: 37.9–38.4; below zero with a word, since two dashes cannot be read."""
    if math.isnan(low) or math.isnan(high):
        return "–"
    between = " to " if low < 0 or high < 0 else "–"
    return f"{signed(low, decimals)}{between}{signed(high, decimals)}"


def rate(value: float, low: float, high: float) -> str:
    """Write a rate with its interval: 23.4 % (22.8–24.0), finer where it is nearly 0 or 100 %.

    An interval too small for that does not read as certainty: 0.00 % (below 0.01), 100.00 % (above 99.99).
    """
    decimals = 2 if high < 0.01 or low > 0.99 else 1
    if 0 < high < TINY or 0 < 1 - low < TINY:
        return f"{percent(value, decimals)} ({'below 0.01' if high < TINY else 'above 99.99'})"
    return f"{percent(value, decimals)} ({rate_interval(low, high, decimals)})"


def percent_tick(share: float, _place: int | None = None) -> str:
    """Write a share at an axis, with the decimals it needs: 5 %, 2.5 %."""
    return f"{100 * share:.6g} %"


def mean(value: float, low: float, high: float, decimals: int = 1) -> str:
    """Write a mean with its interval: 38.1 (37.9–38.4); NaN bounds say that n is too small for one."""
    if math.isnan(value):
        return "–"
    interval = "n too small" if math.isnan(low) or math.isnan(high) else value_interval(low, high, decimals)
    return f"{signed(value, decimals)} ({interval})"


def change(value: float, low: float, high: float, decimals: int = 1) -> str:
    """Write a difference with its sign and interval: +3.2 (+3.0 to +3.4), finer where it is nearly nothing.

    Where the whole interval lies within 1 of zero it has at least two decimals, within 0.1 at least three.
    """
    if math.isnan(value):
        return "–"
    known = not (math.isnan(low) or math.isnan(high))
    decimals = max(decimals, finer(low, high) if known else finer(value))
    bounds = f"{bound(low, decimals)} to {bound(high, decimals)}" if known else "n too small"
    return f"{plus(value, decimals)} ({bounds})"


def finer(*values: float) -> int:
    """Return the decimals that differences of this size need at least; none if they are exactly zero."""
    most = max(map(abs, values))
    return 0 if most == 0 or most >= 1 else 2 if most >= 0.1 else 3


def bound(value: float, decimals: int) -> str:
    """Write the bound of a difference; one that rounds to zero keeps its side of it: +0.00."""
    text = plus(value, decimals)
    if abs(value) < NOTHING or float(text.replace(MINUS, "-")) != 0:
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def points(value: float, low: float, high: float) -> str:
    """Write a difference of two rates in percentage points: +18.8 points (+18.1 to +19.4)."""
    number, _, bounds = change(100 * value, 100 * low, 100 * high).partition(" ")
    return f"{number} points {bounds}" if bounds else number


def plus(value: float, decimals: int = 1) -> str:
    """Write a number with its sign, also if it is above zero."""
    text = signed(value, decimals)
    return text if text[0] in f"{MINUS}–" or float(text) == 0 else f"+{text}"


def arrow(before: str, after: str) -> str:
    """Write what something was and what it became: 46 % → 50 %, which is no interval."""
    return f"{before} → {after}"


def p_value(p: float) -> str:
    """Write a p-value; an empty dash where there was nothing to test."""
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def csv_of(frame: pl.DataFrame) -> bytes:
    """Write numbers as CSV, the same ones in every report about the same tables.

    Sums on several threads differ from one report to the next in their last digits. So `SAME_DIGITS` are written, and 0
    for what is within `NOISE` of it, unless it is a p-value: those are no sums that cancel out. Texts pass through
    `csv_cell`: names of files may stand in them.
    """
    texts = cs.string() | cs.categorical() | cs.enum()
    guarded = frame.with_columns(texts.cast(pl.String).map_elements(csv_cell, pl.String)).rename(csv_cell)
    rounded = guarded.with_columns(cs.float().round_sig_figs(SAME_DIGITS))
    summed = cs.float() - cs.matches(P_VALUES)
    return (
        rounded.with_columns(pl.when(summed.abs() < NOISE).then(0.0).otherwise(summed).name.keep()).write_csv().encode()
    )
