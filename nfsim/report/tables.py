"""Tables of a report: the numbers that are read rather than seen, written out."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from nfsim.report.figures import condition_frame
from nfsim.report.numbers import integer, rate, signed
from nfsim.report.picture import Group, stack
from nfsim.report.source import Condition
from nfsim.stats import outcomes


@dataclass(frozen=True)
class Table:
    """A table ready to be put on a page.

    Attributes
    ----------
    name : str
        Name of its file; a figure with the same numbers has the same.
    title : str
        Heading.
    head : sequence of str
        Names of the columns.
    rows : sequence of sequences of str
        Cells as written.
    align : str
        A letter for each column: l for words, r for numbers.
    frame : DataFrame
        The numbers behind it.
    """

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str
    frame: pl.DataFrame


def conditions(group: Group) -> Table | None:
    """How often each condition was met, with what it needs."""
    frame = condition_frame(group)
    if frame.is_empty():
        return None
    rows = [
        [r["condition"], r["run"], rate(r["rate"], r["low"], r["high"]), integer(r["k"]), integer(r["n"]),
         Condition("", r["vp"] or 0, r["requires"] or "").needs or "–"]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Condition", "Run", "Rate (95 % interval)", "Met", "n", "Needs"]
    return Table("win_rate", "Conditions", head, rows, "llrrrl", frame)


def endings(group: Group) -> Table | None:
    """Why games ended, and after how many rounds."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = stack(played, outcomes.endings)
    rows = [
        [r["run"], str(r["end_reason"]).replace("_", " "), rate(r["rate"], r["low"], r["high"]), integer(r["n"]),
         signed(r["rounds"], 1)]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Run", "End", "Share (95 % interval)", "n", "Mean rounds"]
    return Table("endings", "How games ended", head, rows, "llrrr", frame)


TABLES = (conditions, endings)
