"""Thresholds, 10 rounds against 12: how likely each number of VPs is, which long threshold is as hard as a short one.

For a condition the curve is P(VP >= x and every other requirement met). A final score is a whole number, so only the
curve's values at whole x are probabilities; the long threshold that is exactly as hard as the printed short one lies
between two of them in general and is found on straight lines between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from nfsim.report.source import Source
from nfsim.stats.bootstrap import count_interval
from nfsim.stats.frames import label
from nfsim.stats.intervals import Floats, wilson, with_rates
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import Difference, independent_counts, paired_counts

FEW = 10  # games that must meet a condition, and miss it, before a threshold as hard can be named
SHORT_ROUNDS = 10

Pair = tuple[Source, Source]
Counts = npt.NDArray[np.int64]

EQUAL: dict[str, type[pl.DataType]] = {
    "objective": pl.String, "requires": pl.String, "requires_long": pl.String, "score_short": pl.Int64,
    "score_long": pl.Int64, "n": pl.Int64, "met_short": pl.Int64, "rate_short": pl.Float64, "rate_long": pl.Float64,
    "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "correlation": pl.Float64,
    "equal_vp": pl.Float64, "equal_low": pl.Float64, "equal_high": pl.Float64, "nearest_vp": pl.Int64,
    "nearest_rate": pl.Float64,
    "nearest_low": pl.Float64, "nearest_high": pl.Float64, "short_low": pl.Float64, "short_high": pl.Float64,
    "long_low": pl.Float64, "long_high": pl.Float64,
}  # fmt: skip


class Evidence(NamedTuple):
    """What two runs say about one condition, counted.

    Attributes
    ----------
    n_short, n_long, k_short : int
        Games, and short games that met the condition as printed.
    first : int
        Lowest final score of the long run.
    long : ndarray of int64, shape (1 + scores,)
        Long games that missed a requirement besides VPs; then, of those that met them all, how many ended with
        `first` VPs, `first` + 1 and so on.
    joint : ndarray of int64, shape (2, 1 + scores), optional
        The same for the games that missed the condition in the short run, and for those that met it; None if the
        two runs did not play the same deals.
    """

    n_short: int
    n_long: int
    k_short: int
    first: int
    long: Counts
    joint: Counts | None

    @property
    def reached(self) -> Floats:
        """P(VP >= x and requirements met) in the long run for x = `first`, …, one above the highest score."""
        return _reached(self.long[None], self.n_long)[0]

    def compared(self, vp: int) -> Difference:
        """Compare how often the condition was met: short as printed, then long with a threshold of `vp`."""
        at = min(max(vp - self.first, 0), self.long.size - 1) + 1
        if self.joint is None:
            return independent_counts(self.k_short, self.n_short, float(self.long[at:].sum()), self.n_long)
        missed, met = self.joint[:, :at].sum(axis=1).tolist(), self.joint[:, at:].sum(axis=1).tolist()
        return paired_counts(neither=missed[0], lost=missed[1], gained=met[0], kept=met[1])

    def threshold(self) -> float:
        """Return the long threshold that is met as often as the short condition, see `crossing`."""
        return float(crossing(self.reached[None], self.first, np.array([self.k_short / self.n_short]))[0])

    def interval(self, seed: Sequence[int]) -> tuple[float, float]:
        """Return the bootstrap interval of `threshold`: games (deals, if both runs played the same) drawn anew."""
        if self.joint is None:
            short = [self.n_short - self.k_short, self.k_short]
            found = count_interval([short, self.long], self._apart, seed=seed)
        else:
            found = count_interval([self.joint], self._together, seed=seed)
        return found.low, found.high

    def _apart(self, short: Counts, long: Counts) -> Floats:
        return crossing(_reached(long, self.n_long), self.first, short[:, 1] / self.n_short)

    def _together(self, joint: Counts) -> Floats:
        return crossing(_reached(joint.sum(axis=1), self.n_long), self.first, joint[:, 1].sum(axis=1) / self.n_short)


def crossing(reached: Floats, first: int, rate: Floats) -> Floats:
    """Return where falling curves come down to a rate.

    Parameters
    ----------
    reached : ndarray, shape (curves, values)
        Never rising, 0 at the end: the curves at `first`, `first` + 1, …
    first : int
        Where they begin.
    rate : ndarray, shape (curves,)
        The rate wanted of each.

    Returns
    -------
    ndarray, shape (curves,)
        On straight lines between whole numbers; the highest x where the curve is flat at the rate. -inf where even
        the curve's beginning is below the rate, inf where the rate is 0.
    """
    above = (reached >= rate[:, None]).sum(axis=1) - 1  # the last value that is not below the rate
    inside = (above >= 0) & (rate > 0)
    at = np.where(inside, above, 0)
    rows = np.arange(len(rate))
    here, next_one = reached[rows, at], reached[rows, np.minimum(at + 1, reached.shape[1] - 1)]
    fall = np.where(here > next_one, here - next_one, 1.0)
    found = first + at + (here - rate) / fall
    return np.where(inside, found, np.where(rate > 0, -np.inf, np.inf))


def is_long(source: Source) -> bool:
    """Return whether a solo run is evaluated by the long thresholds."""
    length = source.say("scenario", "setup", "length", default=None)
    rounds = source.say("scenario", "setup", "rounds", default=SHORT_ROUNDS)
    return bool(length == "long") if length in ("short", "long") else int(rounds) > SHORT_ROUNDS


def pairs(group: Sequence[Source]) -> list[Pair]:
    """Return the short and long runs of a group that belong together: same tiles, same players if there is a choice.

    Empty where the group is not solo, holds one length only, or was logged without what the curves need.
    """
    usable = [s for s in group if s.conditions and s.games and s.logs("objectives", "requires_met")]
    short, long = ([source for source in usable if is_long(source) is wanted] for wanted in (False, True))
    found: list[Pair] = []
    for one in list(short):
        peer = next((other for other in long if _played(other) == _played(one)), None)
        if peer is not None:
            found.append((one, peer))
            short.remove(one)
            long.remove(peer)
    # weights are made for one length, so that the names of a pair's policies may differ
    if len(short) == len(long) == 1 and _played(short[0])[1] == _played(long[0])[1]:
        found.append((short[0], long[0]))
    return found


def same_games(pair: Pair) -> bool:
    """Return whether game 17 of one run had the same deal as game 17 of the other: then they are compared in pairs.

    Runs of unequal size count as independent even with the same seed, so that all their games count; intervals are then
    on the wide side.
    """
    one, other = (source.say("seed", default=None) for source in pair)
    return pair[0].games == pair[1].games and one is not None and bool(one == other)


def lengths(pair: Pair) -> tuple[str, str]:
    """Return what to call the two runs beside each other: their lengths, or their labels if that says more."""
    short, long = pair
    return (short.length, long.length) if short.length != long.length else (short.label, long.label)


def curves(source: Source) -> pl.DataFrame:
    """Return for each condition how often at least x VPs were reached with every other requirement met.

    Returns
    -------
    DataFrame
        condition (in the campaign's order), vp (every x from the lowest final score of the run to one above its
        highest), n (games), k, rate, low, high (Wilson, for each x alone).
    """
    counts = (
        source.tables["objectives"]
        .filter(pl.col("requires_met").cast(pl.Boolean))
        .group_by(label("objective").alias("objective"), pl.col("margin").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .collect(engine="streaming")
    )
    first, last = _scores(source)
    grid = np.arange(first, last + 2)
    parts = []
    for condition in source.conditions:
        own = counts.filter(pl.col("objective") == condition.name)
        k = np.zeros(grid.size, np.int64)
        k[own["margin"].to_numpy() + condition.vp - first] = own["k"].to_numpy()
        columns = {"objective": condition.name, "score": grid, "n": source.games, "k": k[::-1].cumsum()[::-1]}
        parts.append(pl.DataFrame(columns))
    return with_rates(pl.concat(parts))


def equally_hard(pair: Pair, seed: int = 0) -> pl.DataFrame:
    """Return the long threshold that would be exactly as hard as the printed short one, condition by condition.

    Parameters
    ----------
    pair : (Source, Source)
        The short and the long run.
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        condition, requires, requires_long (it may ask for more), score_short and score_long (printed), n, met_short
        (games), rate_short, rate_long (at the printed thresholds), difference (long minus short) with low, high, p,
        p_adjusted (Benjamini–Hochberg over the conditions) and the correlation of the two over the deals; equal_vp, a
        real number, with the bootstrap interval equal_low to equal_high; nearest_vp, the whole threshold whose rate
        nearest_rate is closest to the short one; and Wilson's intervals of the three rates: short_low, short_high,
        long_low, long_high, nearest_low, nearest_high. equal_vp is inf where the short condition was never met, -inf
        where the long one is met less often even without a threshold, and NaN where fewer than `FEW` games met or
        missed the short condition: the curve is flat there, and any threshold as good as the next. Its interval and
        nearest_vp are then null.
    """
    short, long = pair
    printed = {condition.name: condition for condition in long.conditions}
    rows: list[dict[str, Any]] = []
    for place, condition in enumerate(c for c in short.conditions if c.name in printed):
        other = printed[condition.name]
        found = evidence(pair, condition.name, other.vp)
        compared = found.compared(other.vp)._asdict()
        rows.append({
            "objective": condition.name, "requires": condition.requires, "requires_long": other.requires,
            "score_short": condition.vp, "score_long": other.vp, "met_short": found.k_short, "rate_short": compared["before"],
            "rate_long": compared["after"], "equal_vp": found.threshold(), **compared,
            **_bounds("short", compared["before"], found.n_short), **_bounds("long", compared["after"], found.n_long),
        })  # fmt: skip
        if found.k_short and min(found.k_short, found.n_short - found.k_short) < FEW:
            rows[-1]["equal_vp"] = np.nan
        elif np.isfinite(rows[-1]["equal_vp"]):
            nearest = int(np.abs(found.reached - compared["before"]).argmin())
            rate = float(found.reached[nearest])
            low, high = found.interval([seed, place])
            rows[-1] |= {
                "nearest_vp": found.first + nearest, "nearest_rate": rate, **_bounds("nearest", rate, found.n_long),
                # below a threshold of 0 there is none
                "equal_low": max(low, 0.0), "equal_high": min(high, found.first + found.reached.size),
            }  # fmt: skip
    return with_adjusted(pl.DataFrame([{name: row.get(name) for name in EQUAL} for row in rows], schema=EQUAL))


def _bounds(name: str, rate: float, n: int) -> dict[str, float]:
    low, high = wilson(rate * n, n)
    return {f"{name}_low": float(low), f"{name}_high": float(high)}


def evidence(pair: Pair, condition: str, score_long: int) -> Evidence:
    """Count what two runs say about a condition whose printed long threshold is given."""
    short, long = pair
    first, last = _scores(long)
    able = pl.when(pl.col("requires_met").cast(pl.Boolean)).then(pl.col("margin").cast(pl.Int64))
    place = (able + score_long - first + 1).fill_null(0).alias("place")

    def of(source: Source, column: pl.Expr) -> pl.LazyFrame:
        return source.tables["objectives"].filter(pl.col("objective") == condition).select("game", column)

    met, size = pl.col("met").cast(pl.Int64), last - first + 2
    if same_games(pair):
        joint = np.zeros((2, size), np.int64)
        for block, other in zip(short.blocks(), long.blocks(), strict=True):
            both = of(block, met).join(of(other, place), on="game")
            counts = both.group_by("met", "place").len().collect(engine="streaming")
            joint[counts["met"].to_numpy(), counts["place"].to_numpy()] += counts["len"].to_numpy()
        n = int(joint.sum())
        return Evidence(n, n, int(joint[1].sum()), first, joint.sum(axis=0), joint)
    k = int(of(short, met).select(pl.col("met").sum()).collect(engine="streaming").item())
    counts = of(long, place).group_by("place").len().collect(engine="streaming")
    alone = np.zeros(size, np.int64)
    alone[counts["place"].to_numpy()] = counts["len"].to_numpy()
    return Evidence(short.games, long.games, k, first, alone, None)


def _reached(counts: Counts, n: int) -> Floats:
    """Return P(VP >= x and requirements met) from counts, shape (curves, 1 + scores); 0 is added at the end."""
    falling = counts[:, :0:-1].cumsum(axis=1)[:, ::-1] / n
    return np.concatenate([falling, np.zeros((len(counts), 1))], axis=1)


def _scores(source: Source) -> tuple[int, int]:
    """Return the lowest and the highest final score of a run."""
    vp = pl.col("score").cast(pl.Int64)
    low, high = source.tables["seats"].select(vp.min().alias("low"), vp.max().alias("high")).collect().row(0)
    return int(low), int(high)


def _played(source: Source) -> tuple[str, str]:
    """Return who played, and the hash of the tiles."""
    return source.policies, str(source.say("tiles", "hash"))
