"""How often each objective would be met with another threshold of the score: a slider each."""

import polars as pl

from nfsim.report.formatting import with_article
from nfsim.report.page import Part
from nfsim.report.picture import Group
from nfsim.report.sliders import Counts, Slider, table
from nfsim.report.source import Source
from nfsim.report.tables import without_run
from nfsim.stats.frames import Tables, label

TITLE = "Move the thresholds"


def part(group: Group) -> Part:
    """Return the sliders of runs with objectives; nothing for other runs, or logs without what they need."""
    sliders = objective_sliders([source for source in group if source.games])
    if not sliders:
        return Part(TITLE)
    words = group[0].words
    said = (
        f"How hard would {with_article(words.objective)} be with another threshold in {words.score}, its other "
        "requirements "
        "kept? The games are those that were played: whoever knew of another threshold might have played for it. The "
        "CSV file has every threshold."
    )
    found = table(sliders, "thresholds_moved", TITLE, words.objective)
    return Part(TITLE, [said], [without_run(group, found)], sliders=sliders)


def objective_sliders(group: Group) -> list[Slider]:
    """Return a slider for each objective, in the order of the runs."""
    found: dict[str, list[Counts]] = {}
    needs: dict[str, str] = {}
    for source in group:
        for name, counts in objective_counts(source).items():
            found.setdefault(name, []).append(counts)
    for source in group:
        for objective in source.objectives:
            needs.setdefault(objective.name, objective.requires)
    return [Slider(name, needs[name], found[name], group[0].words.score) for name in needs if name in found]


def objective_counts(source: Source) -> dict[str, Counts]:
    """Return for each objective of a run how many games that fulfil the rest ended with each score."""
    if source.players != 1 or not source.logs("objectives", "margin", "requires_met"):
        return {}
    seen = margins(source.tables)
    found = {}
    for objective in source.objectives:
        own = seen.filter(pl.col("objective") == objective.name)
        met = {objective.score + margin: k for margin, k in own.select("margin", "k").rows() if k}
        if not own.is_empty():
            found[objective.name] = Counts(source.label, objective.score, int(own["n"].sum()), met)
    return found


def margins(tables: Tables) -> pl.DataFrame:
    """Return how far games were above or below each objective's threshold.

    Returns
    -------
    DataFrame
        objective, margin, n (games), k (of them, those that fulfil every other requirement).
    """
    return (
        tables["objectives"]
        .group_by(label("objective"), pl.col("margin").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("n"), pl.col("requires_met").cast(pl.Int64).sum().alias("k"))
        .sort("objective", "margin")
        .collect()
    )
