"""How often each solo condition would be met with another VP threshold: a slider each."""

import polars as pl

from nfsim.report.page import Part
from nfsim.report.picture import Group
from nfsim.report.sliders import Counts, Slider, table
from nfsim.report.source import Source
from nfsim.report.tables import without_run
from nfsim.stats.frames import Tables, label

TITLE = "Move the thresholds"


def moved_thresholds(group: Group) -> Part:
    """Return the sliders of a group of solo runs; nothing for other runs, or logs without what they need."""
    sliders = condition_sliders([source for source in group if source.games])
    if not sliders:
        return Part(TITLE)
    said = (
        "How hard would a condition be with another VP threshold, its other requirements kept? The games are those "
        "that were played: whoever knew of another threshold might have played for it. The CSV file has "
        "every threshold."
    )
    return Part(TITLE, [said], [without_run(group, table(sliders, "thresholds_moved", TITLE))], sliders=sliders)


def condition_sliders(group: Group) -> list[Slider]:
    """Return a slider for each condition of solo runs, in the order of the campaign."""
    found: dict[str, list[Counts]] = {}
    needs: dict[str, str] = {}
    for source in group:
        for name, counts in condition_counts(source).items():
            found.setdefault(name, []).append(counts)
    for source in group:
        for condition in source.conditions:
            needs.setdefault(condition.name, condition.requires.replace("_", " "))
    return [Slider(name, needs[name], found[name]) for name in needs if name in found]


def condition_counts(source: Source) -> dict[str, Counts]:
    """Return for each condition of a run how many games that fulfil the rest ended with each number of VPs."""
    if source.players != 1 or not source.logs("objectives", "requires_met"):
        return {}
    thresholds = {condition.name: condition.vp for condition in source.conditions}
    seen = margins(source.tables)
    found = {}
    for name, printed in thresholds.items():
        own = seen.filter(pl.col("objective") == name)
        met = {printed + margin: k for margin, k in own.select("margin", "k").rows() if k}
        if not own.is_empty():
            found[name] = Counts(source.label, printed, int(own["n"].sum()), met)
    return found


def margins(tables: Tables) -> pl.DataFrame:
    """Return how far games were above or below each condition's threshold.

    Returns
    -------
    DataFrame
        condition, vp_margin, n (games), k (of them, those that fulfil every other requirement).
    """
    return (
        tables["objectives"]
        .group_by(label("objective"), pl.col("margin").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("requires_met").cast(pl.Int64).sum().alias("k"))
        .sort("objective", "margin")
        .collect()
    )
