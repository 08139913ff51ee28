"""What New Frontiers has to say about logged runs: its metrics, pictures and tables, question by question.

It uses statistics and reports; nothing of the rules imports it. `parts` is what a report asks for, the other modules
are called by the commands that play what a question needs. A module ``x`` has the numbers, ``x_parts`` the words,
tables and pictures about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nfsim.report.page import Part
    from nfsim.report.picture import Group


def parts(group: Group) -> list[Part]:
    """Return the parts of a report about runs that can be compared, in the order in which they are read."""
    # imported here: every run prints numbers of `outcomes`, and must not wait for what draws charts
    from nfsim.games.new_frontiers.analysis import by_round_parts, results_parts
    from nfsim.games.new_frontiers.analysis.multiplayer import parts as multiplayer
    from nfsim.games.new_frontiers.analysis.multiplayer import play_parts as multiplayer_play
    from nfsim.games.new_frontiers.analysis.solo import misses_parts, sliders, threshold_parts
    from nfsim.games.new_frontiers.analysis.tiles import xeno_parts

    return [
        results_parts.results(group),
        *multiplayer.parts(group),
        threshold_parts.part(group),
        sliders.moved_thresholds(group),
        misses_parts.part(group),
        results_parts.victory_points(group),
        by_round_parts.part(group),
        xeno_parts.part(group),
        results_parts.goals(group),
        *multiplayer_play.parts(group),
    ]
