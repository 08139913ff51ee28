"""How hard objectives are: rates of each player, and which differences between objectives the games support."""

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
from nfsim.studies.difficulty.variants import Planned

AIMED, PLAYED = "aimed", "as played"
SIGNIFICANT = 0.05

Key = tuple[str, int, str]
"""Campaign, rounds, player."""


@dataclass(frozen=True)
class Variant:
    """Games of one player in one campaign and length.

    Attributes
    ----------
    campaign : str
        Name of the objectives that are set together.
    rounds : int
    player : str
        Who played, by the name that is the same in both lengths.
    aim : str
        The objective that the policy plays for as the only one open; '' if it played as always.
    source : Source
        The run.
    """

    campaign: str
    rounds: int
    player: str
    aim: str
    source: Source = field(repr=False)

    @property
    def key(self) -> Key:
        """What variants share whose objectives are compared with each other."""
        return self.campaign, self.rounds, self.player


def variant_of(planned: Planned, source: Source) -> Variant:
    """Return the games that were played of what was planned."""
    if planned.reading:
        source = read_otherwise(source, planned.reading, planned.aim)
    return Variant(planned.campaign.name, planned.length.rounds, planned.player, planned.aim, source)


def chosen(variants: Sequence[Variant]) -> Iterator[tuple[Variant, str]]:
    """Return for each objective and player the variant that says how hard it is, in the order of reading.

    That is the variant aimed at it, or the one as played of a policy that cannot aim.
    """
    by_aim = {(variant.key, variant.aim): variant for variant in variants}
    for campaign, rounds in dict.fromkeys((variant.campaign, variant.rounds) for variant in variants):
        own = [variant for variant in variants if (variant.campaign, variant.rounds) == (campaign, rounds)]
        for objective in own[0].source.objectives:
            for key in dict.fromkeys(variant.key for variant in own):
                yield by_aim.get((key, objective.name)) or by_aim[key, ""], objective.name
        usual = {objective.name for objective in own[0].source.objectives}
        for variant in own:
            if variant.aim and variant.aim not in usual:
                yield variant, variant.aim  # another reading of an objective


def rates(variants: Sequence[Variant]) -> pl.DataFrame:
    """Return how often each objective was met by each player, and the scores of those games.

    Returns
    -------
    DataFrame
        campaign, rounds, objective, player, games (`AIMED` or `PLAYED`), n, k, rate, low, high, score (median),
        score_low,
        score_high, and needs (score asked for; 0: none). Last of each campaign and length the rates of any objective,
        as
        played, by the players that played so.
    """
    rows = []
    scores = {id(variant): _scores(variant) for variant in variants}
    for variant, objective in chosen(variants):
        met = _met(variant, objective)["met"]
        needs = {each.name: each.score for each in variant.source.objectives}[objective]
        rows.append(_row(variant, objective, len(met), int(met.sum()), needs, scores[id(variant)]))
    for variant in variants:
        if not variant.aim:
            won = variant.source.tables["seats"].select(pl.col("won").cast(pl.Boolean)).collect()["won"]
            rows.append(
                _row(variant, variant.source.words.any_objective, len(won), int(won.sum()), 0, scores[id(variant)])
            )
    found = with_rates(pl.DataFrame(rows))
    place = {
        each: i for i, each in enumerate(dict.fromkeys((variant.campaign, variant.rounds) for variant in variants))
    }
    order = pl.Series("place", [place[row] for row in found.select("campaign", "rounds").rows()])
    return found.with_columns(order).sort("place", maintain_order=True).drop("place")


def bag_rates(variants: Sequence[tuple[int, Variant]], found: pl.DataFrame) -> pl.DataFrame:
    """Return how often each objective was met with other sets of records.

    Parameters
    ----------
    variants : sequence of (int, Variant)
        Number of the set, and its games aimed at one objective.
    found : DataFrame
        As `rates` returns it: what the same policy does with the game's own set.

    Returns
    -------
    DataFrame
        campaign, rounds, objective, player, bag, n, k, rate, low, high, and change: the rate less that with the own
        set.
    """
    if not variants:
        return pl.DataFrame()
    rows = []
    for bag, variant in variants:
        met = _met(variant, variant.aim)["met"]
        own = found.filter(
            (pl.col("campaign") == variant.campaign) & (pl.col("rounds") == variant.rounds)
            & (pl.col("player") == variant.player) & (pl.col("objective") == variant.aim)
        )["rate"][0]  # fmt: skip
        rows.append({
            "campaign": variant.campaign, "rounds": variant.rounds, "objective": variant.aim, "player": variant.player,
            "bag": bag, "n": len(met), "k": int(met.sum()), "own": own,
        })  # fmt: skip
    return with_rates(pl.DataFrame(rows)).with_columns((pl.col("rate") - pl.col("own")).alias("change")).drop("own")


def _row(variant: Variant, objective: str, n: int, k: int, needs: int, score: Mapping[str, float]) -> dict[str, object]:
    return {
        "campaign": variant.campaign, "rounds": variant.rounds, "objective": objective, "player": variant.player,
        "games": AIMED if variant.aim else PLAYED, "n": n, "k": k, "needs": needs, **score,
    }  # fmt: skip


def _scores(variant: Variant) -> dict[str, float]:
    counts = variant.source.tables["seats"].group_by(pl.col("score").cast(pl.Int64)).len().sort("score").collect()
    lowest = int(counts["score"][0])
    found = median(np.bincount(counts["score"] - lowest, weights=counts["len"]).astype(np.int64), lowest)
    return {"score": found.value, "score_low": found.low, "score_high": found.high}


def _met(variant: Variant, objective: str) -> pl.DataFrame:
    """Return whether each game of a variant met a objective: game, met."""
    rows = variant.source.tables["objectives"].filter(label("objective") == objective)
    return rows.select("game", pl.col("met").cast(pl.Boolean)).sort("game").collect()


def missing(variants: Sequence[Variant]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return what misses lack, as `misses.halves` and `misses.shortfalls`, with campaign, rounds and player (`run`)."""
    found: tuple[list[pl.DataFrame], list[pl.DataFrame]] = ([], [])
    for variant, objective in chosen(variants):
        tables, near = variant.source.tables, mended(variant.source.metrics)
        about = (
            pl.lit(variant.campaign).alias("campaign"), pl.lit(variant.rounds, pl.Int64).alias("rounds"),
            pl.lit(f"{variant.rounds} rounds").alias("panel"), pl.lit(variant.player).alias("run"), pl.all(),
        )  # fmt: skip
        found[0].append(halves(tables, objective).select(about))
        found[1].append(shortfalls(tables, near, objective).select(about))
    return pl.concat(found[0]), pl.concat(found[1])


def comparisons(variants: Sequence[Variant]) -> pl.DataFrame:
    """Compare the objectives of a campaign with each other, player by player, on the same games.

    Returns
    -------
    DataFrame
        campaign, rounds, player, objective, other, n (games that both have), rate, other_rate, difference (of the
        rates: objective minus other), low, high, p, p_adjusted (Benjamini and Hochberg over the comparisons of a
        campaign), and easier: the objective that is easier, '' where no difference is shown.
    """
    rows = []
    groups: dict[Key, list[tuple[str, pl.DataFrame]]] = {}
    for variant, objective in chosen(variants):
        groups.setdefault(variant.key, []).append((objective, _met(variant, objective)))
    for (campaign, rounds, player), found in groups.items():
        for (one, met), (other, other_met) in itertools.combinations(found, 2):
            before, after = _pairs(other_met, met)
            test = paired_rates(before, after)
            rows.append({
                "campaign": campaign, "rounds": rounds, "player": player, "objective": one, "other": other, "n": test.n,
                "rate": test.after, "other_rate": test.before, "difference": test.difference, "low": test.low,
                "high": test.high, "p": test.p,
            })  # fmt: skip
    if not rows:
        return pl.DataFrame()
    sure, difference = pl.col("p_adjusted") < SIGNIFICANT, pl.col("difference")
    easier = (
        pl.when(sure & (difference > 0))
        .then("objective")
        .when(sure & (difference < 0))
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
    """Return which objectives are the easiest and the hardest for each player.

    Parameters
    ----------
    found, compared : DataFrame
        As `rates` and `comparisons` return them.
    any_objective : str
        What the rows of any objective are called.

    Returns
    -------
    dict
        By campaign, rounds and player: the objective of the highest rate and all that do not differ from it clearly;
        and the same for the lowest rate. A list of all objectives says that none differs.
    """
    apart = set() if compared.is_empty() else {
        frozenset((row["objective"], row["other"], (row["campaign"], row["rounds"], row["player"])))
        for row in compared.filter(pl.col("easier") != "").to_dicts()
    }  # fmt: skip
    ends = {}
    each = found.filter(pl.col("objective") != any_objective)
    for (campaign, rounds, player), own in each.group_by("campaign", "rounds", "player", maintain_order=True):
        key = (str(campaign), int(str(rounds)), str(player))
        ranked = own.sort("rate", descending=True, maintain_order=True)["objective"].to_list()
        ends[key] = (_alike(ranked, key, apart), _alike(ranked[::-1], key, apart))
    return ends


def _alike(ranked: Sequence[str], key: Key, apart: set[frozenset[object]]) -> list[str]:
    """Return the first of some objectives and those that do not differ from it clearly."""
    first = ranked[0]
    return [first, *(other for other in ranked[1:] if frozenset((first, other, key)) not in apart)]
