"""The printed tables of a ladder: who beats whom and the ratings, or rates of objectives and what each step changes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.contract.objectives import Words
from nfsim.report import formatting
from nfsim.studies.ladder.solo_ladder import AIMED, PLAYED
from nfsim.studies.ladder.standings import Frames


def print_tournament(frames: Frames, seats: int, words: Words) -> None:
    """Print who beats whom, the ratings, and what each policy does among its like."""
    pairs = frames["pairs"]
    if seats == 2:  # the other direction is the same games
        place = {name: i for i, name in enumerate(frames["ratings"]["policy"])}
        pairs = pairs.filter(
            pl.col("one").replace_strict(place, return_dtype=pl.Int64)
            < pl.col("others").replace_strict(place, return_dtype=pl.Int64)
        )
    equal = formatting.percent(1 / seats, 0 if 100 % seats == 0 else 1)
    others = "against" if seats == 2 else f"against {seats - 1} of"
    rows = [
        [r["one"], r["others"], formatting.rate(r["rate"], r["low"], r["high"]), formatting.integer(r["n"]),
         formatting.integer(r["games"]), formatting.signed(r["worth"], 2)]
        for r in pairs.to_dicts()
    ]  # fmt: skip
    heads = ["one", others, f"wins (95 % interval; equal: {equal})", "deals", "games", "worth"]
    print_table(heads, rows, title="Every seating of every pair on the same deals", right=[2, 3, 4, 5])
    say("worth: independent games that one of these games is worth; above 1, seatings of one deal evened out its luck")
    say()
    rows = [
        [r["policy"], _rating(r), formatting.mean(r["score"], r["score_low"], r["score_high"]),
         formatting.mean(r["rounds"], r["rounds_low"], r["rounds_high"])]
        for r in frames["ratings"].to_dicts()
    ]  # fmt: skip
    heads = [
        "policy",
        "rating (95 % interval)",
        f"mean {words.score}, all seats this policy",
        "rounds, all seats this policy",
    ]
    print_table(heads, rows, title="Ratings: who ends ahead of whom; 400 points are odds of 10 to 1", right=[1, 2, 3])


def _rating(row: dict[str, float]) -> str:
    low, high = row["rating_low"], row["rating_high"]
    if low == high == 0:
        return "0 (fixed)"
    bounds = "interval unknown" if np.isnan(low) else formatting.value_interval(low, high, 0)
    return f"{formatting.signed(row['rating'])} ({bounds})"


def print_rungs(frames: Frames, words: Words) -> None:
    """Print how often each policy met each objective, and what each step of the ladder changed."""
    rates, steps = frames["rungs"], frames["steps"]
    aims = "aims" in rates.columns
    policies = frames["score"]["policy"].to_list()
    rows = []
    for name in rates["objective"].unique(maintain_order=True):
        found = rates.filter(pl.col("objective") == name).select("rate", "low", "high").rows()
        rows.append([name, *(formatting.rate(*each) for each in found)])
    rows.append(
        [
            f"mean {words.score}",
            *(formatting.mean(*each) for each in frames["score"].select("mean", "low", "high").rows()),
        ]
    )
    title = f"{words.objectives.capitalize()} met{' as played, any of them open' if aims else ''} (95 % interval)"
    print_table([words.objective, *policies], rows, title=title, right=range(1, len(policies) + 1))
    for before, after in itertools.pairwise(policies):
        say()
        own = steps.filter((pl.col("before") == before) & (pl.col("after") == after))
        _print_step(before, after, own, frames, words)
    if aims:
        say()
        say("aimed: games with this one as the only one open; policies that cannot aim play as always")
    baseline = steps.filter("baseline")["what"].unique(maintain_order=True).to_list()
    if baseline:
        asks = "asks" if len(baseline) == 1 else "ask"
        tuned = f"a player tuned for {words.score} aims at that anyway"
        say(f"baseline: {', '.join(baseline)} {asks} for {words.score} only; {tuned}")


def _print_step(before: str, after: str, steps: pl.DataFrame, frames: Frames, words: Words) -> None:
    aimed = AIMED in steps["games"]
    heads = [f"{name}, aimed" if aimed and _aims(frames, name) else name for name in (before, after)]
    rows = []
    for row in steps.to_dicts():
        what = f"mean {words.score}" if row["what"] == words.score else row["what"]
        name = f"{what}, {PLAYED}" if aimed and row["games"] == PLAYED else what
        rows.append([name, *_levels(row, frames, words), _difference(row, words), _mark(row)])
    title = f"{before} to {after}: difference on the same deals (percentage points, {words.score}; 95 % interval)"
    print_table([words.objective, *heads, "difference", ""], rows, title=title, right=[1, 2, 3])


def _aims(frames: Frames, policy: str) -> bool:
    return bool(frames["rungs"].filter(pl.col("policy") == policy)["aims"].any())


def _levels(step: Mapping[str, Any], frames: Frames, words: Words) -> Iterator[str]:
    """Write what a step's difference is between."""
    prefix = "aimed_" if step["games"] == AIMED else ""
    for policy in (step["before"], step["after"]):
        if step["what"] == words.score:
            row = frames["score"].row(by_predicate=pl.col("policy") == policy, named=True)
            yield formatting.mean(row["mean"], row["low"], row["high"])
        else:
            own = (pl.col("policy") == policy) & (pl.col("objective") == step["what"])
            row = frames["rungs"].row(by_predicate=own, named=True)
            yield formatting.rate(*(row[f"{prefix}{name}"] for name in ("rate", "low", "high")))


def _difference(step: Mapping[str, Any], words: Words) -> str:
    scale = 1 if step["what"] == words.score else 100
    return formatting.change(*(scale * step[name] for name in ("difference", "low", "high")))


def _mark(step: Mapping[str, Any]) -> str:
    if step["baseline"]:
        return "baseline"
    return "not above zero" if step["above"] is False else ""
