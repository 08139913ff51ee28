"""What games lack that miss a condition: VPs, the rest of what it asks for, or both, and by how many VPs.

Every pipeline here goes over the table `conditions` once, however many games it holds.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from nfsim.report.picture import Group
from nfsim.report.source import Condition, Source
from nfsim.stats.bootstrap import Estimate, count_interval, quantile_of
from nfsim.stats.frames import Tables, label
from nfsim.stats.intervals import with_rates

VP_ONLY, REST_ONLY, BOTH = "only VPs", "only the rest", "both"
HALVES = (VP_ONLY, BOTH, REST_ONLY)  # what touches each other in a bar: what lacks VPs, what lacks the rest
NEAR = 3  # VPs that the So Close chip can mend
MOST_LACKING = 1_000  # VPs; more, which no game lacks by the rules, counts as so many: every number up to it is counted
COLUMNS = ("met", "margin", "requires_met")
QUARTILES = {"q25": 0.25, "median": 0.5, "q75": 0.75}
SCHEMA: dict[str, type[pl.DataType]] = {
    "objective": pl.String, "misses": pl.Int64, "n": pl.Int64, "near": pl.Int64,
    "q25": pl.Float64, "median": pl.Float64, "q75": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


def logged(source: Source) -> bool:
    """Tell whether a run is solo and its log says what misses lack."""
    return bool(source.conditions) and source.logs("objectives", *COLUMNS)


def halves(tables: Tables, only: str | None = None) -> pl.DataFrame:
    """Return what misses lack.

    Parameters
    ----------
    tables : mapping
        Of one run.
    only : str, optional
        The one condition wanted.

    Returns
    -------
    DataFrame
        condition, half (of `HALVES`), games, n (games that missed it), k, rate, low, high: share of the misses; and
        share, share_low, share_high: of all games. Games that broke off count as missed only if they lacked something.
    """
    short, rest = pl.col("margin") < 0, ~pl.col("requires_met").cast(pl.Boolean)
    missed = ~pl.col("met").cast(pl.Boolean)
    cases = {VP_ONLY: short & ~rest, BOTH: short & rest, REST_ONLY: ~short & rest}
    counts = (
        _rows(tables, only)
        .group_by(label("objective"))
        .agg(
            pl.len().cast(pl.Int64).alias("games"),
            *((missed & case).sum().cast(pl.Int64).alias(name) for name, case in cases.items()),
        )
        .sort("objective")
        .collect(engine="streaming")
    )
    each = counts.unpivot(HALVES, index=["objective", "games"], variable_name="half", value_name="k")
    each = each.with_columns(pl.col("k").sum().over("objective").alias("n"))
    names = {"rate": "share", "low": "share_low", "high": "share_high"}
    of_games = with_rates(each.select("k", pl.col("games").alias("n"))).select(
        pl.col(*names).name.map(names.__getitem__)
    )
    found = with_rates(each.select("objective", "half", "games", "n", "k"))
    return pl.concat([found, of_games], how="horizontal").sort("objective", maintain_order=True)


def shortfalls(tables: Tables, only: str | None = None) -> pl.DataFrame:
    """Return by how many VPs games miss a condition.

    Returns
    -------
    DataFrame
        condition, misses; n (misses that lack VPs), q25, median, q75 of the VPs they lack, low, high (of the median);
        and near, near_rate, near_low, near_high: misses that lack at most `NEAR` VPs and nothing else, as a share of
        all misses. Quantiles are null where no game lacks VPs.
    """
    short, rest = pl.col("margin") < 0, ~pl.col("requires_met").cast(pl.Boolean)
    counts = (
        _rows(tables, only)
        .filter(~pl.col("met").cast(pl.Boolean) & (short | rest))
        .group_by(
            label("objective"),
            (-pl.col("margin").cast(pl.Int64)).clip(0, MOST_LACKING).alias("lacks"),
            rest.alias("rest"),
        )
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .sort("objective", "lacks")
        .collect(engine="streaming")
    )
    rows = [_shortfall(name, own) for (name,), own in counts.group_by("objective", maintain_order=True)]
    found = pl.DataFrame(rows, schema=SCHEMA)
    near = with_rates(found.select(pl.col("near").alias("k"), pl.col("misses").alias("n")))
    return found.with_columns(near[name].alias(f"near_{name}") for name in ("rate", "low", "high"))


def _rows(tables: Tables, only: str | None) -> pl.LazyFrame:
    rows = tables["objectives"].select("objective", *COLUMNS)
    return rows if only is None else rows.filter(label("objective") == only)


def _shortfall(name: object, counts: pl.DataFrame) -> dict[str, object]:
    """Sum up the counted shortfalls of one condition."""
    lacking = counts.filter(pl.col("lacks") > 0)
    near = lacking.filter((pl.col("lacks") <= NEAR) & ~pl.col("rest"))["k"].sum()
    row: dict[str, object] = {"objective": name, "misses": counts["k"].sum(), "n": 0, "near": near}
    if not lacking.is_empty():
        times = np.bincount(lacking["lacks"].to_numpy(), weights=lacking["k"].to_numpy()).astype(np.int64)
        found = median(times)
        row |= {"n": found.n, "low": found.low, "high": found.high}
        row |= {quartile: float(quantile_of(times, 0, q)) for quartile, q in QUARTILES.items()}
    return row


def median(times: npt.ArrayLike, first: int = 0) -> Estimate:
    """Return the median of VPs with its bootstrap interval, from how often each number from `first` on occurred."""
    return count_interval([times], lambda counts: quantile_of(counts, first))


def asked(conditions: Sequence[Condition]) -> Mapping[str, tuple[str, ...]]:
    """Return the halves of its requirement that a miss of each condition can lack, by the condition's name."""
    return {
        each.name: HALVES if each.vp and each.requires else (VP_ONLY,) if each.vp else (REST_ONLY,)
        for each in conditions
    }


def by_run(group: Group) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return `halves` and `shortfalls` of all runs whose log has them, with the column run; conditions as printed."""
    found: list[list[pl.DataFrame]] = [[], []]
    for source in group:
        if logged(source) and source.games:
            place = {condition.name: i for i, condition in enumerate(source.conditions)}
            for frames, numbers in zip(found, (halves, shortfalls), strict=True):
                order = pl.col("objective").replace_strict(place, default=len(place), return_dtype=pl.Int64)
                frames.append(
                    numbers(source.tables)
                    .sort(order, maintain_order=True)
                    .select(pl.lit(source.label).alias("run"), pl.all())
                )
    both = [pl.concat(frames) if frames else pl.DataFrame() for frames in found]
    return both[0], both[1]
