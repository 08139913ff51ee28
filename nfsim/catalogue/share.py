"""Share of the records in play that are reconstructed, sourced or patched: stated with every result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from nfsim.catalogue.records import STATUSES, Record


@dataclass(frozen=True)
class Share:
    """How many records in play have each status.

    Attributes
    ----------
    total, sourced, partly, reconstructed, patched : int
        Records in play, and those of each status.
    by_kind : dict of str to dict of str to int
        The same for each kind of record.
    words : dict of str to str
        Each kind's plural, for sentences.
    """

    total: int = 0
    sourced: int = 0
    partly: int = 0
    reconstructed: int = 0
    patched: int = 0
    by_kind: dict[str, dict[str, int]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Share:
        """Count records."""
        by_kind: dict[str, Counter[str]] = {}
        words: dict[str, str] = {}
        for record in records:
            by_kind.setdefault(record.kind, Counter())[record.status] += 1
            words[record.kind] = record.several()
        kinds = {
            kind: {"total": counts.total()} | {status: counts[status] for status in STATUSES}
            for kind, counts in by_kind.items()
        }
        return cls._of_counts(kinds, words)

    @classmethod
    def together(cls, shares: Sequence[Share], kind: str) -> Share:
        """Put games together whose records differ in one kind only: its records are added up."""
        added, words = Counter[str](), dict(shares[0].words)
        for share in shares:
            added.update(share.by_kind.get(kind, {}))
            words |= share.words
        return cls._of_counts(shares[0].by_kind | {kind: dict(added)}, words)

    @classmethod
    def _of_counts(cls, kinds: dict[str, dict[str, int]], words: dict[str, str]) -> Share:
        sums = {name: sum(counts.get(name, 0) for counts in kinds.values()) for name in ("total", *STATUSES)}
        return cls(**sums, by_kind=kinds, words=words)

    def counts(self) -> dict[str, Any]:
        """Return the counts as a manifest has them."""
        found = asdict(self)
        del found["words"]
        return found

    @property
    def percent(self) -> float:
        """Reconstructed records in percent of all; 0 without records."""
        return 100.0 * self.reconstructed / self.total if self.total else 0.0

    def describe(self) -> str:
        """Return one sentence for people."""
        parts = [
            f"{counts['reconstructed']} of {counts['total']} {self.words[kind]}"
            for kind, counts in self.by_kind.items()
        ]
        rest = [f"{number} {words}" for number, words in (
            (self.partly, "partly sourced"), (self.sourced, "sourced"), (self.patched, "patched by the scenario"),
        ) if number]  # fmt: skip
        return (
            f"Reconstructed, not sourced: {', '.join(parts)} ({self.percent:.0f} % of {self.total} records; "
            f"{', '.join(rest) if rest else 'no other'})."
        )
