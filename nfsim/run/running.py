"""What the games so far say of a rate while a run is under way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from nfsim.log.records import ChunkRecord
from nfsim.run.plan import Chunk
from nfsim.run.scenario import Scenario
from nfsim.run.until import ANY, Looks

Tell = Callable[[str, float, int, tuple[float, float] | None], None]
"""Hears a rate's name, successes, games, and the interval of a rule that looks again and again: `Watch.rate`."""


class Running:
    """Counts what chunks won as they come, and tells.

    Parameters
    ----------
    scenario : Scenario
        A solo game's rate is that of meeting any condition, another's that of seat 0.
    looks : Looks or None
        Of a run that stops by a rule: then its rate and interval are told, after each look.
    tell : callable
    """

    def __init__(self, scenario: Scenario, looks: Looks | None, tell: Tell) -> None:
        facts = scenario.rule_set.facts(scenario.prepared)
        self._name = ANY if facts.get("conditions") else "seat 0"
        self._looks, self._tell = looks, tell
        self._k, self._n = 0.0, 0

    def look(self, chunks: Sequence[Chunk], records: Mapping[int, ChunkRecord]) -> None:
        """Take what is there already of the chunks to be played next, and what the last look said."""
        for chunk in chunks:
            if chunk.first in records:
                self._count(records[chunk.first])
        self._say()

    def add(self, record: ChunkRecord) -> None:
        """Take a chunk that was played."""
        self._count(record)
        if self._looks is None:
            self._say()

    def _count(self, record: ChunkRecord) -> None:
        if record.wins is not None:  # older versions did not count
            self._k += record.wins
            self._n += record.games

    def _say(self) -> None:
        if self._looks is None:
            if self._n:
                self._tell(self._name, self._k, self._n, None)
        elif self._looks.looks:
            last = self._looks.looks[-1]
            self._tell(self._looks.until.rate, last["k"], last["n"], (last["low"], last["high"]))
