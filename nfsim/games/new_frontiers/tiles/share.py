"""Share of the records in play that are reconstructed, sourced or patched: stated with every result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from nfsim.games.new_frontiers.tiles.records import Condition, Record

PLURALS = {"world": "worlds", "development": "developments", "empire": "home colonies", "goal": "goals",
           "condition": "conditions"}  # fmt: skip
STATUSES = ("sourced", "partly", "reconstructed", "patched")


@dataclass(frozen=True)
class Share:
    """How many records in play have each status.

    Attributes
    ----------
    total, sourced, partly, reconstructed, patched : int
        Records in play, and those of each status.
    by_kind : dict of str to dict of str to int
        The same for each kind of record.
    """

    total: int = 0
    sourced: int = 0
    partly: int = 0
    reconstructed: int = 0
    patched: int = 0
    by_kind: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Share:
        """Count records."""
        by_kind: dict[str, Counter[str]] = {}
        for record in records:
            by_kind.setdefault(record.kind, Counter())[record.status] += 1
        kinds = {
            kind: {"total": counts.total()} | {status: counts[status] for status in STATUSES}
            for kind, counts in by_kind.items()
        }
        return cls._of_counts(kinds)

    @classmethod
    def of_campaigns(cls, shares: Sequence[Share]) -> Share:
        """Put games together that differ in their conditions only, as those of several campaigns do."""
        conditions = Counter[str]()
        for share in shares:
            conditions.update(share.by_kind.get("condition", {}))
        return cls._of_counts(shares[0].by_kind | {"condition": dict(conditions)})

    @classmethod
    def _of_counts(cls, kinds: dict[str, dict[str, int]]) -> Share:
        sums = {name: sum(counts.get(name, 0) for counts in kinds.values()) for name in ("total", *STATUSES)}
        return cls(**sums, by_kind=kinds)

    @property
    def percent(self) -> float:
        """Reconstructed records in percent of all; 0 without records."""
        return 100.0 * self.reconstructed / self.total if self.total else 0.0

    def describe(self) -> str:
        """Return one sentence for people."""
        parts = [
            f"{counts['reconstructed']} of {counts['total']} {PLURALS[kind]}" for kind, counts in self.by_kind.items()
        ]
        rest = [f"{number} {words}" for number, words in (
            (self.partly, "partly sourced"), (self.sourced, "sourced"), (self.patched, "patched by the scenario"),
        ) if number]  # fmt: skip
        return (
            f"Reconstructed, not sourced: {', '.join(parts)} ({self.percent:.0f} % of {self.total} records; "
            f"{', '.join(rest) if rest else 'no other'})."
        )


def conditions_in_play(prepared: Any) -> list[Condition]:
    """Return the conditions of a prepared game, none if it is not solo."""
    campaign = prepared.settings.setup.campaign_played
    return [
        condition
        for condition in prepared.tile_set.conditions
        if condition.campaign == campaign and condition.holds(prepared.rulings)
    ]


def doubts(games: Sequence[Any]) -> str:
    """Say in one sentence which conditions of prepared games have numbers that no source gives; '' if none has."""
    names: dict[str, list[str]] = {}
    for game in games:
        for condition in conditions_in_play(game):
            if found := condition.doubt(game.settings.setup.thresholds):
                names.setdefault(found, []).append(condition.name)
    listed = "; ".join(f"{', '.join(of_doubt)} ({found})" for found, of_doubt in names.items())
    return f"Conditions with numbers that no source gives: {listed}." if listed else ""
