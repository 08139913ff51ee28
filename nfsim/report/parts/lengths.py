"""How long games last and why they end."""

import math
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from nfsim.report.charts.distributions import BARS, draw_histogram
from nfsim.report.charts.rows import RUN_WIDTH, wrap
from nfsim.report.formatting import integer, mean, percent, rate, signed
from nfsim.report.page import Part
from nfsim.report.parts.seats import of_run
from nfsim.report.picture import Group, Picture, panels, stack
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.frames import Tables, games, label
from nfsim.stats.intervals import ENOUGH, with_mean_bounds, with_rates

ALL_GAMES = "All games"
QUANTILES = {"median": 0.5, "q10": 0.1, "q90": 0.9}
MOMENTS = {"end_reason": pl.String, "k": pl.Int64, "mean": pl.Float64, "sd": pl.Float64} | dict.fromkeys(
    QUANTILES, pl.Float64
)


def round_distribution(tables: Tables) -> pl.DataFrame:
    """Return how often games lasted each number of rounds: rounds, n (games), k, rate, low, high.

    Numbers between those seen are there with k = 0.
    """
    counts = tables["games"].group_by(pl.col("rounds").cast(pl.Int64)).agg(pl.len().cast(pl.Int64).alias("k")).collect()
    if counts.is_empty():
        return with_rates(counts.with_columns(pl.lit(0, pl.Int64).alias("n")))
    first, last = (int(x) for x in counts.select(a=pl.col("rounds").min(), b=pl.col("rounds").max()).row(0))
    every = pl.DataFrame({"rounds": pl.int_range(first, last + 1, eager=True, dtype=pl.Int64)})
    full = every.join(counts, on="rounds", how="left", maintain_order="left").with_columns(pl.col("k").fill_null(0))
    return with_rates(full.with_columns(pl.lit(games(tables), pl.Int64).alias("n")).select("rounds", "n", "k"))


def endings(tables: Tables) -> pl.DataFrame:
    """Return why games ended and how long they were.

    Returns
    -------
    DataFrame
        end_reason (most frequent first, where the log has reasons; `ALL_GAMES` last), n (games), k (that ended so),
        rate, low, high; rounds
        (mean), rounds_low, rounds_high (t interval), median, q10, q90 (between them are 80 % of the games). Empty
        without games.
    """
    counts = (
        _reasons(tables)
        .group_by("end_reason", pl.col("rounds").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .collect(engine="streaming")  # a few rows, however many games there are
        .with_columns(label("end_reason"))
        .sort("rounds")
    )
    known = counts["end_reason"].null_count() < len(counts)
    each = [_moments(reason, own) for (reason,), own in counts.group_by("end_reason")] if known else []
    each.sort(key=lambda row: (-row["k"], row["end_reason"] or ""))
    rows = [*each, *([_moments(ALL_GAMES, counts)] if len(counts) else [])]
    found = pl.DataFrame(rows, schema=MOMENTS)
    bounds = with_mean_bounds(found.with_columns(pl.col("k").alias("n"))).rename(
        {"mean": "rounds", "low": "rounds_low", "high": "rounds_high"}
    )
    counted = with_rates(bounds.with_columns(pl.lit(int(counts["k"].sum()), pl.Int64).alias("n")))
    return counted.select(
        "end_reason", "n", "k", "rate", "low", "high", "rounds", "rounds_low", "rounds_high", "median", "q10", "q90"
    )


def _reasons(tables: Tables) -> pl.LazyFrame:
    """Return the games, with why they ended: null in games that know no reasons."""
    games = tables["games"]
    if "end_reason" in games.collect_schema():
        return games
    return games.with_columns(pl.lit(None, pl.String).alias("end_reason"))


def _moments(reason: object, counts: pl.DataFrame) -> dict[str, Any]:
    """Return games, mean, standard deviation and quantiles of lengths that are counted: rounds (rising), k (games)."""
    rounds, k = counts["rounds"].to_numpy(), counts["k"].to_numpy()
    n, mean = int(k.sum()), float(np.average(rounds, weights=k))
    squares = float((k * (rounds - mean) ** 2).sum())
    # the game nearest to the quantile's place, games being numbered from 0 in order of their length
    places = [math.floor(q * (n - 1) + 0.5) for q in QUANTILES.values()]
    at = dict(zip(QUANTILES, rounds[np.searchsorted(k.cumsum(), places, side="right")].tolist(), strict=True))
    return {"end_reason": reason, "k": n, "mean": mean, "sd": math.sqrt(squares / (n - 1)) if n > 1 else None} | at


def endings_table(frame: pl.DataFrame, group: Group) -> ReportTable:
    """Return why games ended, and after how many rounds; see `endings`."""
    rows = []
    for r in frame.to_dicts():
        bounds = (r["rounds_low"], r["rounds_high"]) if r["k"] >= ENOUGH else (float("nan"), float("nan"))
        rows.append([
            r["run"], str(r["end_reason"]).replace("_", " "), rate(r["rate"], r["low"], r["high"]), integer(r["k"]),
            mean(r["rounds"], *bounds), f"{signed(r['median'])} ({signed(r['q10'])}–{signed(r['q90'])})",
        ])  # fmt: skip
    head = ["Run", "End", "Share (95 % interval)", "Games", "Rounds (95 % interval)", "Median (middle 80 %)"]
    return without_run(group, ReportTable("endings", "How games end", head, rows, "llrrrr", frame))


def part(group: Group) -> Part:
    """Return the part about how long games last and why they end; the picture only with several players."""
    title = "How games end"
    played = [source for source in group if source.games]
    if not played:
        return Part(title)
    ends = stack(played, endings)
    table = endings_table(ends, group)
    if group[0].players < 2:
        return Part(title, tables=[table])
    frame = stack(played, round_distribution)
    said = [
        f"{of_run(r['run'], group)}Half of the games last {r['median']:.0f} rounds or fewer; the middle 80 % last "
        f"{r['q10']:.0f} to {r['q90']:.0f} (n = {integer(r['n'])})."
        for r in ends.filter(pl.col("end_reason") == ALL_GAMES).to_dicts()
    ]
    rounds = frame["rounds"].to_list()
    span = min(rounds), max(rounds)

    def draw(own: pl.DataFrame, ax: Axes, i: int) -> None:
        draw_histogram(own.rename({"rounds": "score"}), ax, (), i, span)
        ax.set_title(wrap(own["run"][0], RUN_WIDTH))
        ax.set_xlabel(f"rounds (n = {integer(own['n'][0])})")

    words = [f"{r['run']}: {r['rounds']} rounds {percent(r['rate'])}" for r in frame.to_dicts() if r["k"]]
    picture = Picture(
        "rounds",
        "Length of games",
        "Share of games by rounds played: bars end at the estimate, thin lines are 95 % intervals.",
        f"Histograms of rounds played. {' '.join(said)} {'; '.join(words)}.",
        frame,
        panels(frame, draw, BARS + 0.8, share_x=True),
    )
    return Part(title, said, [table], [picture])
