"""How hard objectives are: rates of each rung, and which differences between objectives the games support."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from nfsim.report.parts.misses import halves, median, mended, shortfalls
from nfsim.report.source import Source, read_otherwise
from nfsim.stats.frames import label
from nfsim.stats.intervals import with_rates
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import paired_rates
from nfsim.studies.difficulty.arms import Planned

AIMED, PLAYED = "aimed", "as played"
SIGNIFICANT = 0.05

Key = tuple[str, int, str]
"""Campaign, rounds, rung."""


@dataclass(frozen=True)
class Arm:
    """Games of one rung in one campaign and length.

    Attributes
    ----------
    campaign : str
        Name of the objectives that are set together.
    rounds : int
    rung : str
        Who played, by the name that is the same in both lengths.
    aim : str
        The objective that the policy was told is the only one open; '' if it played as always.
    source : Source
        The run.
    """

    campaign: str
    rounds: int
    rung: str
    aim: str
    source: Source = field(repr=False)

    @property
    def key(self) -> Key:
        """What arms share whose objectives are compared with each other."""
        return self.campaign, self.rounds, self.rung


def arm_of(planned: Planned, source: Source) -> Arm:
    """Return the games that were played of what was planned."""
    if planned.reading:
        source = read_otherwise(source, planned.reading, planned.aim)
    return Arm(planned.campaign.name, planned.length.rounds, planned.rung, planned.aim, source)


def chosen(arms: Sequence[Arm]) -> Iterator[tuple[Arm, str]]:
    """Return for each objective and rung the arm that says how hard it is, in the order of reading.

    That is the arm aimed at it, or the one as played of a policy that cannot aim.
    """
    by_aim = {(arm.key, arm.aim): arm for arm in arms}
    for campaign, rounds in dict.fromkeys((arm.campaign, arm.rounds) for arm in arms):
        own = [arm for arm in arms if (arm.campaign, arm.rounds) == (campaign, rounds)]
        for objective in own[0].source.objectives:
            for key in dict.fromkeys(arm.key for arm in own):
                yield by_aim.get((key, objective.name)) or by_aim[key, ""], objective.name
        usual = {objective.name for objective in own[0].source.objectives}
        for arm in own:
            if arm.aim and arm.aim not in usual:
                yield arm, arm.aim  # another reading of an objective


def rates(arms: Sequence[Arm]) -> pl.DataFrame:
    """Return how often each objective was met by each rung, and the scores of those games.

    Returns
    -------
    DataFrame
        campaign, rounds, objective, rung, games (`AIMED` or `PLAYED`), n, k, rate, low, high, score (median),
        score_low,
        score_high, and needs (score asked for; 0: none). Last of each campaign and length the rates of any objective,
        as
        played, by the rungs that played so.
    """
    rows = []
    scores = {id(arm): _scores(arm) for arm in arms}
    for arm, objective in chosen(arms):
        met = _met(arm, objective)["met"]
        needs = {each.name: each.score for each in arm.source.objectives}[objective]
        rows.append(_row(arm, objective, len(met), int(met.sum()), needs, scores[id(arm)]))
    for arm in arms:
        if not arm.aim:
            won = arm.source.tables["seats"].select(pl.col("won").cast(pl.Boolean)).collect()["won"]
            rows.append(_row(arm, arm.source.words.any_objective, len(won), int(won.sum()), 0, scores[id(arm)]))
    found = with_rates(pl.DataFrame(rows))
    place = {each: i for i, each in enumerate(dict.fromkeys((arm.campaign, arm.rounds) for arm in arms))}
    order = pl.Series("place", [place[row] for row in found.select("campaign", "rounds").rows()])
    return found.with_columns(order).sort("place", maintain_order=True).drop("place")


def bag_rates(arms: Sequence[tuple[int, Arm]], found: pl.DataFrame) -> pl.DataFrame:
    """Return how often each objective was met with other sets of records.

    Parameters
    ----------
    arms : sequence of (int, Arm)
        Number of the set, and its games aimed at one objective.
    found : DataFrame
        As `rates` returns it: what the same policy does with the game's own set.

    Returns
    -------
    DataFrame
        campaign, rounds, objective, rung, bag, n, k, rate, low, high, and change: the rate less that with the own set.
    """
    if not arms:
        return pl.DataFrame()
    rows = []
    for bag, arm in arms:
        met = _met(arm, arm.aim)["met"]
        own = found.filter(
            (pl.col("campaign") == arm.campaign) & (pl.col("rounds") == arm.rounds) & (pl.col("rung") == arm.rung)
            & (pl.col("objective") == arm.aim)
        )["rate"][0]  # fmt: skip
        rows.append({
            "campaign": arm.campaign, "rounds": arm.rounds, "objective": arm.aim, "rung": arm.rung, "bag": bag,
            "n": len(met), "k": int(met.sum()), "own": own,
        })  # fmt: skip
    return with_rates(pl.DataFrame(rows)).with_columns((pl.col("rate") - pl.col("own")).alias("change")).drop("own")


def _row(arm: Arm, objective: str, n: int, k: int, needs: int, score: Mapping[str, float]) -> dict[str, object]:
    return {
        "campaign": arm.campaign, "rounds": arm.rounds, "objective": objective, "rung": arm.rung,
        "games": AIMED if arm.aim else PLAYED, "n": n, "k": k, "needs": needs, **score,
    }  # fmt: skip


def _scores(arm: Arm) -> dict[str, float]:
    counts = arm.source.tables["seats"].group_by(pl.col("score").cast(pl.Int64)).len().sort("score").collect()
    lowest = int(counts["score"][0])
    found = median(np.bincount(counts["score"] - lowest, weights=counts["len"]).astype(np.int64), lowest)
    return {"score": found.value, "score_low": found.low, "score_high": found.high}


def _met(arm: Arm, objective: str) -> pl.DataFrame:
    """Return whether each game of an arm met a objective: game, met."""
    rows = arm.source.tables["objectives"].filter(label("objective") == objective)
    return rows.select("game", pl.col("met").cast(pl.Boolean)).sort("game").collect()


def missing(arms: Sequence[Arm]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what misses lack, as `misses.halves` and `misses.shortfalls`, with campaign, rounds and rung (`run`)."""
    found: tuple[list[pl.DataFrame], list[pl.DataFrame]] = ([], [])
    for arm, objective in chosen(arms):
        tables, near = arm.source.tables, mended(arm.source.metrics)
        about = (
            pl.lit(arm.campaign).alias("campaign"), pl.lit(arm.rounds, pl.Int64).alias("rounds"),
            pl.lit(f"{arm.rounds} rounds").alias("panel"), pl.lit(arm.rung).alias("run"), pl.all(),
        )  # fmt: skip
        found[0].append(halves(tables, objective).select(about))
        found[1].append(shortfalls(tables, near, objective).select(about))
    return pl.concat(found[0]), pl.concat(found[1])


def comparisons(arms: Sequence[Arm]) -> pl.DataFrame:
    """Compare the objectives of a campaign with each other, rung by rung, on the same games.

    Returns
    -------
    DataFrame
        campaign, rounds, rung, objective, other, n (games that both have), rate, other_rate, difference (of the
        rates: objective minus other), low, high, p, p_adjusted (Benjamini and Hochberg over the comparisons of a
        campaign), and easier: the objective that is easier, '' where they cannot be told apart.
    """
    rows = []
    groups: dict[Key, list[tuple[str, pl.DataFrame]]] = {}
    for arm, objective in chosen(arms):
        groups.setdefault(arm.key, []).append((objective, _met(arm, objective)))
    for (campaign, rounds, rung), found in groups.items():
        for (one, met), (other, other_met) in itertools.combinations(found, 2):
            before, after = _pairs(other_met, met)
            test = paired_rates(before, after)
            rows.append({
                "campaign": campaign, "rounds": rounds, "rung": rung, "objective": one, "other": other, "n": test.n,
                "rate": test.after, "other_rate": test.before, "difference": test.difference, "low": test.low,
                "high": test.high, "p": test.p,
            })  # fmt: skip
    if not rows:
        return pl.DataFrame()
    told, difference = pl.col("p_adjusted") < SIGNIFICANT, pl.col("difference")
    easier = (
        pl.when(told & (difference > 0))
        .then("objective")
        .when(told & (difference < 0))
        .then("other")
        .otherwise(pl.lit(""))
        .alias("easier")
    )
    families = pl.DataFrame(rows).partition_by("campaign", maintain_order=True)
    return pl.concat([with_adjusted(family).with_columns(easier) for family in families])


def _pairs(before: pl.DataFrame, after: pl.DataFrame) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    both = before.join(after, on="game", suffix="_after")
    return both["met"].to_numpy(), both["met_after"].to_numpy()


def extremes(found: pl.DataFrame, compared: pl.DataFrame, any_objective: str) -> dict[Key, tuple[list[str], list[str]]]:
    """Return which objectives are the easiest and the hardest for each rung.

    Parameters
    ----------
    found, compared : DataFrame
        As `rates` and `comparisons` return them.
    any_objective : str
        What the rows of any objective are called.

    Returns
    -------
    dict
        By campaign, rounds and rung: the objective of the highest rate and all that cannot be told apart from it; and
        the same for the lowest rate. A list of all objectives says that nothing can be told.
    """
    told = set() if compared.is_empty() else {
        frozenset((row["objective"], row["other"], (row["campaign"], row["rounds"], row["rung"])))
        for row in compared.filter(pl.col("easier") != "").to_dicts()
    }  # fmt: skip
    ends = {}
    each = found.filter(pl.col("objective") != any_objective)
    for (campaign, rounds, rung), own in each.group_by("campaign", "rounds", "rung", maintain_order=True):
        key = (str(campaign), int(str(rounds)), str(rung))
        ranked = own.sort("rate", descending=True, maintain_order=True)["objective"].to_list()
        ends[key] = (_alike(ranked, key, told), _alike(ranked[::-1], key, told))
    return ends


def _alike(ranked: Sequence[str], key: Key, told: set[frozenset[object]]) -> list[str]:
    """Return the first of some objectives and those that cannot be told apart from it."""
    first = ranked[0]
    return [first, *(other for other in ranked[1:] if frozenset((first, other, key)) not in told)]
