"""Tables of a report: the numbers that are read rather than seen, written out."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from nfsim.report.figures import condition_frame
from nfsim.report.numbers import integer, percent, rate, rate_interval, signed
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
    words : int
        So many columns at the left are words, the others numbers.
    frame : DataFrame
        The numbers behind it.
    """

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int
    frame: pl.DataFrame


def conditions(group: Group) -> Table | None:
    """How often each condition was met, with what it needs."""
    frame = condition_frame(group)
    if frame.is_empty():
        return None
    rows = [
        [r["condition"], r["run"], Condition("", r["vp"] or 0, r["requires"] or "").needs or "–",
         integer(r["k"]), integer(r["n"]), percent(r["rate"], digits(r)), rate_interval(r["low"], r["high"], digits(r))]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Condition", "Run", "Needs", "Met", "n", "Rate", "95 % interval"]
    return Table("win_rate", "Conditions", head, rows, 3, frame)


def digits(row: dict[str, float]) -> int:
    """Return the decimals for a rate, as charts write it."""
    return 2 if row["high"] < 0.01 or row["low"] > 0.99 else 1


def endings(group: Group) -> Table | None:
    """Why games ended, and after how many rounds."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = stack(played, outcomes.endings)
    rows = [
        [r["run"], str(r["end_reason"]).replace("_", " "), integer(r["n"]), rate(r["rate"], r["low"], r["high"]),
         signed(r["rounds"], 1)]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Run", "End", "n", "Share (95 % interval)", "Mean rounds"]
    return Table("endings", "How games ended", head, rows, 2, frame)


TABLES = (conditions, endings)
