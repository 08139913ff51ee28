"""What differs between two sets, record by record, in what can change a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nfsim.catalogue.record_set import NUMBERS, RecordSet
from nfsim.catalogue.records import Record

ASIDE = ("status", "source", "reconstructed", "note")  # where a value comes from changes no game


@dataclass(frozen=True)
class Differing:
    """A record, or a number of `setup.toml`, that is not as in the other set.

    Attributes
    ----------
    title : str
        Kind and name.
    how : {"added", "removed", "changed"}
    fields : tuple of (field, old, new)
        What changed, as the files write it.
    """

    title: str
    how: str
    fields: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        if self.how != "changed":
            return f"{self.title}: {self.how}"
        return f"{self.title}: " + "; ".join(f"{name} {old} -> {new}" for name, old, new in self.fields)


def compare(records: RecordSet, base: RecordSet) -> list[Differing]:
    """Return where `records` differs from `base`; a record that was renamed is one removed and one added."""
    new, old = _by_key(records), _by_key(base)
    found = []
    for key in dict.fromkeys([*new, *old]):
        for place in range(max(len(new.get(key, [])), len(old.get(key, [])))):
            after, before = (alike[place] if place < len(alike) else None
                             for alike in (new.get(key, []), old.get(key, [])))  # fmt: skip
            found += _compared(after, before)
    numbers = tuple(_numbers(base.numbers.model_dump(), records.numbers.model_dump()))
    return found + ([Differing(NUMBERS, "changed", numbers)] if numbers else [])


def counts(differences: Sequence[Differing]) -> dict[str, int]:
    """Count differences by how."""
    counted = Counter(each.how for each in differences)
    return {how: counted[how] for how in ("added", "removed", "changed")}


def summary(differences: Sequence[Differing]) -> str:
    """Return the counts as a phrase for people."""
    listed = ", ".join(f"{number} {how}" for how, number in counts(differences).items() if number)
    number = len(differences)
    if not number:
        return "no record differs from the built-in set"
    return f"{number} record{'s differ' if number > 1 else ' differs'} from the built-in set ({listed})"


def _by_key(records: RecordSet) -> dict[tuple[object, ...], list[Record]]:
    found: dict[tuple[object, ...], list[Record]] = {}
    for record in records:
        found.setdefault((record.kind, *record.key), []).append(record)
    return found


def _compared(after: Record | None, before: Record | None) -> list[Differing]:
    if before is None or after is None:
        record = after or before
        assert record is not None
        return [Differing(record.title, "removed" if after is None else "added")]
    old, new = before.fields(), after.fields()
    fields = tuple(
        (name, _text(old[name]), _text(new[name])) for name in new if name not in ASIDE and old[name] != new[name]
    )
    return [Differing(after.title, "changed", fields)] if fields else []


def _numbers(old: Any, new: Any, prefix: str = "") -> Iterator[tuple[str, str, str]]:
    """Compare nested tables key by key."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys(name for name in (*old, *new) if name not in ASIDE):
            yield from _numbers(old.get(key), new.get(key), f"{prefix}.{key}" if prefix else str(key))
    elif old != new:
        yield prefix, _text(old), _text(new)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value)) or "none"
    return str(value) if value not in ("", None) else "none"
