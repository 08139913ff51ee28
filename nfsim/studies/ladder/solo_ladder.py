"""The numbers of a ladder of one player: rates as played and when aimed at, and what each step changes."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

import numpy as np
import polars as pl

from nfsim.contract.objectives import Objective, Words
from nfsim.stats.intervals import with_rates
from nfsim.stats.paired import paired_rates
from nfsim.studies.ladder.games import Ladder
from nfsim.studies.ladder.standings import Frames, mean_of

PLAYED, AIMED = "as played", "aimed"
AIMED_COLUMNS = ("k", "rate", "low", "high")


def score_only(objectives: Sequence[Objective]) -> list[str]:
    """Return the names of the objectives that ask for a score and nothing else."""
    return [objective.name for objective in objectives if not objective.requires]


def rungs(ladder: Ladder, objectives: Sequence[Objective], words: Words) -> Frames:
    """Return the frames of a solo ladder by name.

    Parameters
    ----------
    ladder : Ladder
        What was played; at least one deal.
    objectives : sequence of Objective
        Of the game.
    words : Words
        Of the game.

    Returns
    -------
    dict
        `rungs`: policy, objective, n, k, rate, low, high of the games as played, any objective open. If a policy was
        told what to aim at, also aims (whether this one was) and aimed_k, aimed_rate, aimed_low, aimed_high: with the
        objective as the only one open, and as played for a policy that cannot aim; null for any objective.
        `score`: policy, n, mean, low, high, as played.
        `steps`: before, after, what (an objective, any, or the score), games (``aimed`` or ``as played``), n,
        difference, low, high (parts of 1, or the score), above (whether the whole interval is above 0; null without
        one), baseline (whether the objective asks for a score only and the step is from a policy that cannot aim to
        one that does).
    """
    names, baseline = [objective.name for objective in objectives], score_only(objectives)
    return {
        "rungs": _rates(ladder, names, words),
        "score": _scores(ladder),
        "steps": _steps(ladder, names, baseline, words),
    }


def _counted(ladder: Ladder, found: Sequence[tuple[str, Sequence[np.ndarray]]]) -> pl.DataFrame:
    rows = [
        {"policy": policy, "objective": name, "n": ladder.deals, "k": int(met.sum())}
        for name, by_policy in found
        for policy, met in zip(ladder.policies, by_policy, strict=True)
    ]
    return with_rates(pl.DataFrame(rows))


def _rates(ladder: Ladder, objectives: Sequence[str], words: Words) -> pl.DataFrame:
    own = [ladder.games[i,] for i in range(len(ladder.policies))]
    played = [(name, [result.met[:, place] for result in own]) for place, name in enumerate(objectives)]
    found = _counted(ladder, [*played, (words.any_objective, [result.won[:, 0] for result in own])])
    if not ladder.aimed:
        return found
    aims = {policy: ladder.aims(i) for i, policy in enumerate(ladder.policies)}
    aimed = _counted(ladder, _aimed(ladder, objectives)).rename({name: f"aimed_{name}" for name in AIMED_COLUMNS})
    found = found.with_columns(aims=pl.col("policy").replace_strict(aims, return_dtype=pl.Boolean))
    return found.join(aimed.drop("n"), on=["policy", "objective"], how="left", maintain_order="left")


def _aimed(ladder: Ladder, objectives: Sequence[str]) -> list[tuple[str, list[np.ndarray]]]:
    """Return for each objective whether each policy met it when told to aim at it, deal by deal."""
    policies = range(len(ladder.policies))
    return [(name, [ladder.met(i, place) for i in policies]) for place, name in enumerate(objectives)]


def _scores(ladder: Ladder) -> pl.DataFrame:
    rows = []
    for i, policy in enumerate(ladder.policies):
        mean, low, high = mean_of(ladder.games[i,].score[:, 0])
        rows.append({"policy": policy, "n": ladder.deals, "mean": mean, "low": low, "high": high})
    return pl.DataFrame(rows)


def _steps(ladder: Ladder, objectives: Sequence[str], baseline: Collection[str], words: Words) -> pl.DataFrame:
    rows = []
    for i, (before, after) in enumerate(itertools.pairwise(ladder.policies)):
        aimed = ladder.aims(i) or ladder.aims(i + 1)
        begins = ladder.aims(i + 1) and not ladder.aims(i)
        old, new = ladder.games[i,], ladder.games[i + 1,]
        found = [
            (name, AIMED if aimed else PLAYED, paired_rates(met[i], met[i + 1]).interval)
            for name, met in _aimed(ladder, objectives)
        ]
        found.append((words.any_objective, PLAYED, paired_rates(old.won[:, 0], new.won[:, 0]).interval))
        found.append((words.score, PLAYED, mean_of(new.score[:, 0] - old.score[:, 0])))
        for what, games, (difference, low, high) in found:
            rows.append(
                {"before": before, "after": after, "what": what, "games": games, "n": ladder.deals}
                | {"difference": difference, "low": low, "high": high}
                | {"above": None if np.isnan(low) else bool(low > 0), "baseline": begins and what in baseline}
            )
    return pl.DataFrame(rows, schema_overrides={"above": pl.Boolean}, infer_schema_length=None)
