"""What New Frontiers has to say about logged runs: its metrics, pictures and tables, question by question.

It uses statistics and reports; nothing of the rules imports it. `parts` is what a report asks for, the other modules
are called by the commands that play what a question needs.
"""

from collections.abc import Sequence

from nfsim.games.new_frontiers.analysis import (
    by_round_part,
    figures,
    misses_parts,
    multiplayer,
    multiplayer_play,
    scoring,
    tables,
    threshold_part,
    xeno_part,
)
from nfsim.games.new_frontiers.analysis.sliders import moved_thresholds
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture
from nfsim.report.tables import Table


def parts(group: Group) -> list[Part]:
    """Return the parts of a report about runs that can be compared, in the order in which they are read."""
    return [
        part(
            "Results", [tables.conditions(group), tables.wins(group)], [figures.conditions(group), figures.wins(group)]
        ),
        *multiplayer.parts(group),
        threshold_part.part(group),
        moved_thresholds(group),
        misses_parts.part(group),
        part("Victory points", [], [figures.distribution(group), figures.seats(group), scoring.sources(group)]),
        by_round_part.part(group),
        xeno_part.part(group),
        part("Goals", [], [scoring.goals(group), scoring.steps(group)]),
        *multiplayer_play.parts(group),
    ]


def part(title: str, found: Sequence[Table | None], drawn: Sequence[Picture | None]) -> Part:
    """Return a part of what there is: a table or picture that does not apply to the runs is None."""
    return Part(
        title,
        tables=[table for table in found if table is not None],
        pictures=[picture for picture in drawn if picture is not None],
    )
