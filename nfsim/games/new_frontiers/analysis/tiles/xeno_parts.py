"""What a report says about Xeno worlds: what becomes of them, and what they cost."""

from __future__ import annotations

import polars as pl

from nfsim.games.new_frontiers.analysis import scoring
from nfsim.games.new_frontiers.analysis.tiles.xeno import ANY, BEATEN, DRAWN, KEPT, LOST, STEPS, fates, logged, shares
from nfsim.report.charts import xeno_fate
from nfsim.report.formatting import integer, mean, rate
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, one_axes, pooled, spoken, stack_runs
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.intervals import reliable

TITLE = "Xeno worlds"


def part(group: Group) -> Part:
    """Return the part about Xeno worlds."""
    penalties = scoring.xeno(group)
    pictures = [] if penalties is None else [penalties]
    usable = [source for source in group if logged(source)]
    if not usable:
        return Part(TITLE, pictures=pictures)
    worlds, rates = (by_policy(stack_runs(usable, numbers), usable) for numbers in (fates, shares))
    text = [
        "A Xeno world that is taken may be placed or put back; a placed one is conquered later, or costs VPs at the "
        f"end. {DRAWN}, worlds are counted per game, everything else per player; a world put back and drawn again "
        "counts again. Shares rest on worlds, their intervals on games: the worlds of one game are not independent."
        + pooled(usable)
    ]
    return Part(TITLE, text, [table(usable, worlds, rates)], [picture(worlds, usable), *pictures])


def table(group: Group, worlds: pl.DataFrame, rates: pl.DataFrame) -> ReportTable:
    """Return worlds per game, shares and VPs lost, the runs and policies below each other."""
    cells = {(r["run"], r["step"]): (mean(r["mean"], r["low"], r["high"], 2), r["n"]) for r in
             reliable(worlds).to_dicts()}  # fmt: skip
    cells |= {
        (r["run"], r["share"]): ("–" if r["rate"] is None else rate(r["rate"], r["low"], r["high"]), r["n"])
        for r in rates.to_dicts()
    }
    runs = worlds["run"].unique(maintain_order=True).to_list()
    rows, notes = [], []
    for name in (DRAWN, *STEPS, KEPT, BEATEN, ANY, LOST):
        for run in runs:
            value, n = cells[run, name]
            rows.append([name, run, value, integer(n)])
            notes.append({DRAWN: "per game", LOST: "per player"}.get(name, "per player" if name in STEPS else ""))
    named = (worlds.rename({"step": "figure", "mean": "value"}), rates.rename({"share": "figure", "rate": "value"}))
    frame = pl.concat(
        [one.select("run", "policy", "figure", "n", "value", "low", "high") for one in named], how="vertical_relaxed"
    )
    several = len(group) == 1 and len(runs) > 1
    head = ["Xeno worlds", "Policy" if several else "Run", "Mean or share (95 % interval)", "n"]
    made = ReportTable("xeno_worlds", "What becomes of Xeno worlds", head, rows, "llrr", frame, notes)
    return made if several else without_run(group, made)


def picture(worlds: pl.DataFrame, group: Group) -> Picture:
    """Return the chart of what becomes of Xeno worlds."""
    order = {name: place for place, name in enumerate([DRAWN, *STEPS])}
    frame = (
        reliable(worlds.filter(pl.col("step") != LOST))
        .sort(pl.col("step").replace_strict(order, return_dtype=pl.Int64), maintain_order=True)
    )  # fmt: skip
    return Picture(
        "xeno_fate",
        "What becomes of Xeno worlds",
        "Mean number of Xeno worlds: drawn from the bag per game, then per player. Not kept: put back when they were "
        "taken. Penalised: placed and not conquered at the end." + pooled(group),
        "Mean number of Xeno worlds. " + spoken(frame, "step", "mean", xeno_fate.write),
        worlds,
        one_axes(xeno_fate.draw, frame, "step"),
    )


def by_policy(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Let the column run name the policy too where a run has several, and nothing else if there is one run."""
    name = pl.concat_str("run", "policy", separator=", ") if len(group) > 1 else pl.col("policy")
    several = pl.col("policy").n_unique().over("run") > 1
    return frame.with_columns(pl.when(several).then(name).otherwise("run").alias("run"))
