"""The numbers of a ladder: from its raw results to small frames, and from those to printed tables."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.report import numbers
from nfsim.run.ladder import Ladder
from nfsim.stats.intervals import ENOUGH, mean_interval, with_rates
from nfsim.stats.outcomes import ANY_CONDITION
from nfsim.stats.tournament import (
    ahead_of_others,
    clustered_rate,
    paired_rate_difference,
    ratings,
    win_shares,
)

Frames = dict[str, pl.DataFrame]

NOTHING = float("nan")
VP = "VPs"


def standings(ladder: Ladder, conditions: Sequence[str], seed: int) -> Frames:
    """Return the frames of a ladder by name.

    Parameters
    ----------
    ladder : Ladder
        What was played; at least one deal.
    conditions : sequence of str
        Solo: names of the conditions.
    seed : int
        Of the bootstrap.

    Returns
    -------
    dict
        Several players: `pairs` (both directions; one, others, n, games, rate, low, high, equal, worth) and `ratings`
        (policy, n, rating, vp, rounds, each with low and high). Solo: `rungs` (policy, condition, n, k, rate, low,
        high), `vp` (policy, n, mean, low, high) and `steps` (before, after, what, n, difference, low, high).
    """
    if ladder.seats == 1:
        return {"rungs": _rungs(ladder, conditions), "vp": _vp(ladder), "steps": _steps(ladder, conditions)}
    return {"pairs": _pairs(ladder), "ratings": _ratings(ladder, seed)}


def _pairs(ladder: Ladder) -> pl.DataFrame:
    rows = []
    for one, others in itertools.permutations(range(len(ladder.policies)), 2):
        scores = [win_shares(result.won)[:, seat] for seat, result in ladder.seatings(one, others)]
        found = clustered_rate(np.stack(scores, axis=1))
        names = {"one": ladder.policies[one], "others": ladder.policies[others]}
        rows.append(names | found._asdict() | {"equal": 1 / ladder.seats})
    return pl.DataFrame(rows)


def _ratings(ladder: Ladder, seed: int) -> pl.DataFrame:
    count = len(ladder.policies)
    scores = {}
    for i, j in itertools.combinations(range(count), 2):
        ahead = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(i, j)]
        behind = [ahead_of_others(result.rank, seat) for seat, result in ladder.seatings(j, i)]
        scores[i, j] = (np.mean(ahead, axis=0) + 1 - np.mean(behind, axis=0)) / 2
    rated = ratings(count, scores, seed=seed)
    rows = []
    for i, name in enumerate(ladder.policies):
        own = ladder.games[(i,) * ladder.seats]
        row = {"policy": name, "n": ladder.deals, "rating": float(rated.rating[i])}
        row |= {"rating_low": float(rated.low[i]), "rating_high": float(rated.high[i])}
        # the players of one game are not independent: its mean is one value
        for what, values in (("vp", own.vp.mean(axis=1)), ("rounds", own.rounds)):
            mean, low, high = _mean(values)
            row |= {what: mean, f"{what}_low": low, f"{what}_high": high}
        rows.append(row)
    return pl.DataFrame(rows)


def _met(ladder: Ladder, conditions: Sequence[str]) -> list[tuple[str, list[np.ndarray]]]:
    """Return for each condition, and for any of them, whether each policy met it, deal by deal."""
    own = [ladder.games[(i,)] for i in range(len(ladder.policies))]
    each = [(name, [result.met[:, place] for result in own]) for place, name in enumerate(conditions)]
    return [*each, (ANY_CONDITION, [result.won[:, 0] for result in own])]


def _rungs(ladder: Ladder, conditions: Sequence[str]) -> pl.DataFrame:
    rows = [
        {"policy": policy, "condition": name, "n": ladder.deals, "k": int(met.sum())}
        for name, by_policy in _met(ladder, conditions)
        for policy, met in zip(ladder.policies, by_policy, strict=True)
    ]
    return with_rates(pl.DataFrame(rows))


def _vp(ladder: Ladder) -> pl.DataFrame:
    rows = []
    for i, policy in enumerate(ladder.policies):
        mean, low, high = _mean(ladder.games[(i,)].vp[:, 0])
        rows.append({"policy": policy, "n": ladder.deals, "mean": mean, "low": low, "high": high})
    return pl.DataFrame(rows)


def _steps(ladder: Ladder, conditions: Sequence[str]) -> pl.DataFrame:
    rows = []
    for i, (before, after) in enumerate(itertools.pairwise(ladder.policies)):
        found = [(name, paired_rate_difference(met[i], met[i + 1])) for name, met in _met(ladder, conditions)]
        found.append((VP, _mean(ladder.games[(i + 1,)].vp[:, 0] - ladder.games[(i,)].vp[:, 0])))
        for what, (difference, low, high) in found:
            rows.append(
                {"before": before, "after": after, "what": what, "n": ladder.deals}
                | {"difference": difference, "low": low, "high": high}
            )
    return pl.DataFrame(rows)


def _mean(values: np.ndarray) -> tuple[float, float, float]:
    n, mean, low, high = mean_interval(values)
    return (mean, low, high) if n >= ENOUGH else (mean, NOTHING, NOTHING)


def print_tournament(frames: Frames, seats: int) -> None:
    """Print who beats whom, the ratings, and what each policy does among its like."""
    pairs = frames["pairs"]
    if seats == 2:  # the other direction is the same games
        place = {name: i for i, name in enumerate(frames["ratings"]["policy"])}
        pairs = pairs.filter(
            pl.col("one").replace_strict(place, return_dtype=pl.Int64)
            < pl.col("others").replace_strict(place, return_dtype=pl.Int64)
        )
    equal = numbers.percent(1 / seats, 0 if 100 % seats == 0 else 1)
    others = "against" if seats == 2 else f"against {seats - 1} of"
    rows = [
        [r["one"], r["others"], numbers.rate(r["rate"], r["low"], r["high"]), numbers.integer(r["n"]),
         numbers.integer(r["games"]), numbers.signed(r["worth"], 2)]
        for r in pairs.to_dicts()
    ]  # fmt: skip
    heads = ["one", others, f"wins (95 % interval; equal: {equal})", "deals", "games", "worth"]
    print_table(heads, rows, title="Every seating of every pair on the same deals", right=[2, 3, 4, 5])
    say("worth: independent games that one of these games is worth; above 1, seatings of one deal evened out its luck")
    say()
    rows = [
        [r["policy"], _rating(r), numbers.mean(r["vp"], r["vp_low"], r["vp_high"]),
         numbers.mean(r["rounds"], r["rounds_low"], r["rounds_high"])]
        for r in frames["ratings"].to_dicts()
    ]  # fmt: skip
    heads = ["policy", "rating (95 % interval)", "mean VPs by itself", "rounds by itself"]
    print_table(heads, rows, title="Ratings: who ends ahead of whom; 400 points are odds of 10 to 1", right=[1, 2, 3])


def _rating(row: dict[str, float]) -> str:
    low, high = row["rating_low"], row["rating_high"]
    if low == high == 0:
        return "0 (fixed)"
    bounds = "interval unknown" if np.isnan(low) else numbers.value_interval(low, high, 0)
    return f"{numbers.signed(row['rating'])} ({bounds})"


def print_rungs(frames: Frames) -> None:
    """Print how often each policy met each condition, and what each step of the ladder changed."""
    rates, steps = frames["rungs"], frames["steps"]
    policies = frames["vp"]["policy"].to_list()
    rows = []
    for name in rates["condition"].unique(maintain_order=True):
        found = rates.filter(pl.col("condition") == name).select("rate", "low", "high").rows()
        rows.append([name, *(numbers.rate(*each) for each in found)])
    rows.append([f"mean {VP}", *(numbers.mean(*each) for each in frames["vp"].select("mean", "low", "high").rows())])
    title = "Conditions met (95 % interval)"
    print_table(["condition", *policies], rows, title=title, right=range(1, len(policies) + 1))
    say()
    rows = []
    for name in steps["what"].unique(maintain_order=True):
        found = steps.filter(pl.col("what") == name).select("difference", "low", "high").rows()
        rows.append([name if name != VP else f"mean {VP}", *(_difference(name, *each) for each in found)])
    heads = ["condition", *(f"{a} to {b}" for a, b in itertools.pairwise(policies))]
    title = "What each step changes on the same deals (percentage points, VPs; 95 % interval)"
    print_table(heads, rows, title=title, right=range(1, len(policies)))


def _difference(what: str, value: float, low: float, high: float) -> str:
    scale = 1 if what == VP else 100
    sign = "+" if value > 0 else ""
    return sign + numbers.mean(scale * value, scale * low, scale * high)
