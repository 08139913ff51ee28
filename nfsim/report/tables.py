"""Tables of a report: the numbers that are read rather than seen, written out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from nfsim.report.picture import Group


@dataclass(frozen=True)
class ReportTable:
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
    notes : sequence of str
        For each row a few words under its first cell; none if empty.
    keys : sequence of sequences of (float, str or None)
        For each row what each cell is sorted by; None: always last. A reader can sort and search the table then. None
        if empty.
    """

    name: str
    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str
    frame: pl.DataFrame
    notes: Sequence[str] = ()
    keys: Sequence[Sequence[float | str | None]] = ()


def without_run(group: Group, table: ReportTable) -> ReportTable:
    """Leave out the column that names the run if there is only one."""
    if len(group) > 1:
        return table
    place = table.head.index("Run")

    def rest(cells: Sequence[str]) -> list[str]:
        return [*cells[:place], *cells[place + 1 :]]

    align = table.align[:place] + table.align[place + 1 :]
    return replace(table, head=rest(table.head), rows=[rest(row) for row in table.rows], align=align)
