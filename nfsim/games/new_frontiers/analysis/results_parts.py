"""The parts every report has: results, victory points, goals."""

from collections.abc import Sequence

from nfsim.games.new_frontiers.analysis import figures, scoring, tables
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture
from nfsim.report.tables import ReportTable


def results(group: Group) -> Part:
    """Return how often conditions were met, or seats won."""
    met, won = figures.condition_frame(group), figures.win_frame(group)
    return _part(
        "Results",
        [tables.conditions(met, group), tables.wins(won, group)],
        [figures.conditions(met), figures.wins(won)],
    )


def victory_points(group: Group) -> Part:
    """Return how VPs are distributed and where they come from."""
    return _part("Victory points", [], [figures.distribution(group), figures.seats(group), scoring.sources(group)])


def goals(group: Group) -> Part:
    """Return what goals give."""
    return _part("Goals", [], [scoring.goals(group), scoring.steps(group)])


def _part(title: str, found: Sequence[ReportTable | None], drawn: Sequence[Picture | None]) -> Part:
    """Return a part of what there is: a table or picture that does not apply to the runs is None."""
    return Part(
        title,
        tables=[table for table in found if table is not None],
        pictures=[picture for picture in drawn if picture is not None],
    )
