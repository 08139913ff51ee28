"""The numbers of a solo ladder: rates as played and when aimed at, what each step changes, and the printed tables."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from nfsim.cli.console import print_table, say
from nfsim.cli.standings import Frames, mean_of
from nfsim.contract.objectives import Objective
from nfsim.games.new_frontiers.analysis.outcomes import ANY_CONDITION
from nfsim.report import formatting
from nfsim.stats.intervals import with_rates
from nfsim.stats.paired import paired_rates
from nfsim.studies.ladder import Ladder

VP = "VPs"
PLAYED, AIMED = "as played", "aimed"
AIMED_COLUMNS = ("k", "rate", "low", "high")


def score_only(objectives: Sequence[Objective]) -> list[str]:
    """Return the names of the objectives that ask for a score and nothing else."""
    return [objective.name for objective in objectives if not objective.requires]


def rungs(ladder: Ladder, conditions: Sequence[str], baseline: Collection[str] = ()) -> Frames:
    """Return the frames of a solo ladder by name.

    Parameters
    ----------
    ladder : Ladder
        What was played; at least one deal.
    conditions : sequence of str
        Names of the conditions.
    baseline : collection of str
        Names of those that ask for VPs only.

    Returns
    -------
    dict
        `rungs`: policy, condition, n, k, rate, low, high of the games as played, any condition open. If a policy was
        told what to aim at, also aims (whether this one was) and aimed_k, aimed_rate, aimed_low, aimed_high: with the
        condition as the only one open, and as played for a policy that cannot aim; null for any condition.
        `vp`: policy, n, mean, low, high, as played.
        `steps`: before, after, what (a condition, any, or VPs), games (``aimed`` or ``as played``), n, difference, low,
        high (parts of 1, or VPs), above (whether the whole interval is above 0; null without one), baseline (whether
        the condition asks for VPs only and the step is from a policy that cannot aim to one that does).
    """
    return {"rungs": _rates(ladder, conditions), "score": _vp(ladder), "steps": _steps(ladder, conditions, baseline)}


def _counted(ladder: Ladder, found: Sequence[tuple[str, Sequence[np.ndarray]]]) -> pl.DataFrame:
    rows = [
        {"policy": policy, "objective": name, "n": ladder.deals, "k": int(met.sum())}
        for name, by_policy in found
        for policy, met in zip(ladder.policies, by_policy, strict=True)
    ]
    return with_rates(pl.DataFrame(rows))


def _rates(ladder: Ladder, conditions: Sequence[str]) -> pl.DataFrame:
    own = [ladder.games[i,] for i in range(len(ladder.policies))]
    played = [(name, [result.met[:, place] for result in own]) for place, name in enumerate(conditions)]
    found = _counted(ladder, [*played, (ANY_CONDITION, [result.won[:, 0] for result in own])])
    if not ladder.aimed:
        return found
    aims = {policy: ladder.aims(i) for i, policy in enumerate(ladder.policies)}
    aimed = _counted(ladder, _aimed(ladder, conditions)).rename({name: f"aimed_{name}" for name in AIMED_COLUMNS})
    found = found.with_columns(aims=pl.col("policy").replace_strict(aims, return_dtype=pl.Boolean))
    return found.join(aimed.drop("n"), on=["policy", "objective"], how="left", maintain_order="left")


def _aimed(ladder: Ladder, conditions: Sequence[str]) -> list[tuple[str, list[np.ndarray]]]:
    """Return for each condition whether each policy met it when told to aim at it, deal by deal."""
    policies = range(len(ladder.policies))
    return [(name, [ladder.met(i, place) for i in policies]) for place, name in enumerate(conditions)]


def _vp(ladder: Ladder) -> pl.DataFrame:
    rows = []
    for i, policy in enumerate(ladder.policies):
        mean, low, high = mean_of(ladder.games[i,].vp[:, 0])
        rows.append({"policy": policy, "n": ladder.deals, "mean": mean, "low": low, "high": high})
    return pl.DataFrame(rows)


def _steps(ladder: Ladder, conditions: Sequence[str], baseline: Collection[str]) -> pl.DataFrame:
    rows = []
    for i, (before, after) in enumerate(itertools.pairwise(ladder.policies)):
        aimed = ladder.aims(i) or ladder.aims(i + 1)
        begins = ladder.aims(i + 1) and not ladder.aims(i)
        old, new = ladder.games[i,], ladder.games[i + 1,]
        found = [
            (name, AIMED if aimed else PLAYED, paired_rates(met[i], met[i + 1]).interval)
            for name, met in _aimed(ladder, conditions)
        ]
        found.append((ANY_CONDITION, PLAYED, paired_rates(old.won[:, 0], new.won[:, 0]).interval))
        found.append((VP, PLAYED, mean_of(new.vp[:, 0] - old.vp[:, 0])))
        for what, games, (difference, low, high) in found:
            rows.append(
                {"before": before, "after": after, "what": what, "games": games, "n": ladder.deals}
                | {"difference": difference, "low": low, "high": high}
                | {"above": None if np.isnan(low) else bool(low > 0), "baseline": begins and what in baseline}
            )
    return pl.DataFrame(rows, schema_overrides={"above": pl.Boolean}, infer_schema_length=None)


def print_rungs(frames: Frames) -> None:
    """Print how often each policy met each condition, and what each step of the ladder changed."""
    rates, steps = frames["rungs"], frames["steps"]
    aims = "aims" in rates.columns
    policies = frames["score"]["policy"].to_list()
    rows = []
    for name in rates["objective"].unique(maintain_order=True):
        found = rates.filter(pl.col("objective") == name).select("rate", "low", "high").rows()
        rows.append([name, *(formatting.rate(*each) for each in found)])
    rows.append(
        [f"mean {VP}", *(formatting.mean(*each) for each in frames["score"].select("mean", "low", "high").rows())]
    )
    title = "Conditions met as played, any of them open (95 % interval)" if aims else "Conditions met (95 % interval)"
    print_table(["objective", *policies], rows, title=title, right=range(1, len(policies) + 1))
    for before, after in itertools.pairwise(policies):
        say()
        own = steps.filter((pl.col("before") == before) & (pl.col("after") == after))
        _print_step(before, after, own, frames)
    if aims:
        say()
        say("aimed: games with this condition as the only one open; policies that cannot aim play as always")
    baseline = steps.filter("baseline")["what"].unique(maintain_order=True).to_list()
    if baseline:
        asks = "asks" if len(baseline) == 1 else "ask"
        say(f"baseline: {', '.join(baseline)} {asks} for VPs only; a player tuned for VPs aims at that anyway")


def _print_step(before: str, after: str, steps: pl.DataFrame, frames: Frames) -> None:
    aimed = AIMED in steps["games"]
    heads = [f"{name}, aimed" if aimed and _aims(frames, name) else name for name in (before, after)]
    rows = []
    for row in steps.to_dicts():
        what = f"mean {VP}" if row["what"] == VP else row["what"]
        name = f"{what}, {PLAYED}" if aimed and row["games"] == PLAYED else what
        rows.append([name, *_levels(row, frames), _difference(row), _mark(row)])
    title = f"{before} to {after}: difference on the same deals (percentage points, VPs; 95 % interval)"
    print_table(["objective", *heads, "difference", ""], rows, title=title, right=[1, 2, 3])


def _aims(frames: Frames, policy: str) -> bool:
    return bool(frames["rungs"].filter(pl.col("policy") == policy)["aims"].any())


def _levels(step: Mapping[str, Any], frames: Frames) -> Iterator[str]:
    """Write what a step's difference is between."""
    prefix = "aimed_" if step["games"] == AIMED else ""
    for policy in (step["before"], step["after"]):
        if step["what"] == VP:
            row = frames["score"].row(by_predicate=pl.col("policy") == policy, named=True)
            yield formatting.mean(row["mean"], row["low"], row["high"])
        else:
            own = (pl.col("policy") == policy) & (pl.col("objective") == step["what"])
            row = frames["rungs"].row(by_predicate=own, named=True)
            yield formatting.rate(*(row[f"{prefix}{name}"] for name in ("rate", "low", "high")))


def _difference(step: Mapping[str, Any]) -> str:
    scale = 1 if step["what"] == VP else 100
    return formatting.change(*(scale * step[name] for name in ("difference", "low", "high")))


def _mark(step: Mapping[str, Any]) -> str:
    if step["baseline"]:
        return "baseline"
    return "not above zero" if step["above"] is False else ""
