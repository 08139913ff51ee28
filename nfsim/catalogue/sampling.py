"""Sets drawn at random: the same in all that is known, drawn anew in what is not; what is drawn how is the game's."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from nfsim.catalogue.csv_files import LIMIT
from nfsim.catalogue.record_set import RecordSet
from nfsim.catalogue.records import Record
from nfsim.errors import BadInput
from nfsim.files import TEMPORARY, parse_json, read_text, write_atomic

TRIES = 20
META = "sample.json"
BEGUN = "unfinished.json"  # what is being drawn, until all sets are there
STRAY = f"{BEGUN}.*{TEMPORARY}"  # what is left of it by a try that was killed while it was first written

RNG = np.random.Generator
Sets = TypeVar("Sets", bound=RecordSet)
Draw = Callable[[Any, RNG], tuple[Any, Any] | None]
"""``(set, random numbers) -> (another set, what was drawn once for the whole of it)``; None: it must be tried again."""


@dataclass(frozen=True)
class Sample:
    """A set drawn.

    Attributes
    ----------
    records : RecordSet
    seed, number : int
        What it was drawn with: the same two give the same set.
    mood : dataclass
        What was drawn once for the whole set.
    base : str
        Hash of the set it was drawn from.
    drawn : dict of str to int
        Records that differ from it, by kind.
    """

    records: Any
    seed: int
    number: int
    mood: Any
    base: str
    drawn: dict[str, int]

    def __str__(self) -> str:
        """Return what was drawn, in a line."""
        return f"{sum(self.drawn.values())} records drawn anew, {self.mood}, hash {self.records.hash[:8]}"

    def describe(self) -> dict[str, Any]:
        """Return what `sample.json` in the folder says."""
        return {"seed": self.seed, "number": self.number, "hash": self.records.hash, "drawn_from": self.base,
                "mood": asdict(self.mood), "records_drawn": self.drawn}  # fmt: skip

    def write(self, out: Path, *, force: bool = False) -> Sample:
        """Write the set as a folder that a scenario can name, and return it as it is read from there.

        Raises
        ------
        BadInput
            If the folder holds files already, unless `force`, or cannot be written.
        """
        self.records.export(out, force=force)
        text = json.dumps(self.describe(), indent=2) + "\n"
        try:
            write_atomic(out / META, text.encode())
        except OSError as error:
            raise BadInput(out / META, "", f"cannot be written: {error.strerror or error}") from error
        return replace(self, records=replace(self.records, name=str(out), suffix=".csv"))


def draw(base: RecordSet, once: Draw, kinds: Sequence[str], seed: int, number: int) -> Sample:
    """Draw a set without writing it.

    Parameters
    ----------
    base : RecordSet
        Whose unknown fields are drawn anew.
    once : callable
        Draws, and may have bad luck.
    kinds : sequence of str
        Kinds of record that it varies.
    seed, number : int
        The set drawn; sets of one seed differ by their number.

    Raises
    ------
    BadInput
        If every try had bad luck.
    """
    rng = np.random.default_rng([seed, number])
    for _ in range(TRIES):
        found = once(base, rng)
        if found is not None:
            records, mood = found
            changed = {
                kind: sum(new is not old for new, old in zip(records.of_kind(kind), base.of_kind(kind), strict=True))
                for kind in kinds
            }
            return Sample(records, seed, number, mood, base.hash, changed)
    raise BadInput(base.name, "", f"no set that agrees with what is known was found in {TRIES} attempts",
                   "too little is left free to exchange, or the numbers typed in contradict each other")  # fmt: skip


def check_drawable(base: RecordSet, kinds: Sequence[str], seed: int, number: int) -> None:
    """Refuse a negative seed or number, and a set in which everything is known."""
    for name, value in (("seed", seed), ("number", number)):
        if value < 0:
            raise BadInput(f"--{name}", "", f"must not be negative, not {value}")
    drawable = (record for kind in kinds for record in base.of_kind(kind) if record.status != "sourced")
    if not any(record.reconstructed for record in drawable):
        raise BadInput(base.name, "", "has nothing to draw: every field of every record is sourced")


def with_values(base: Sets, new: Mapping[str, Sequence[Mapping[str, Any]]]) -> Sets:
    """Return a set with new values for the records of some kinds, noted as drawn.

    A record that stays as it was is the same object.
    """

    def changed(record: Record, values: Mapping[str, Any]) -> Any:
        differing = {field: value for field, value in values.items() if value != getattr(record, field)}
        if not differing:
            return record
        fields = record.fields()
        drawn = f"drawn anew, not known: {', '.join(field for field in fields if field in differing)}"
        return base.record(record.kind, fields | differing | {"note": drawn}, META)

    return base.replacing({kind: map(changed, base.of_kind(kind), values) for kind, values in new.items()})


def held(folder: Path, sets: type[RecordSet]) -> tuple[int, int, str] | None:
    """Return seed, number and origin of the set that a folder holds whole: its `sample.json` is written last."""
    if not (folder / META).is_file():
        return None
    try:
        found: Any = parse_json(read_text(folder / META, LIMIT, "the record of a set drawn"))
        whole = sets.load_folder(folder).hash == found["hash"]
        return (found["seed"], found["number"], found["drawn_from"]) if whole else None
    except (BadInput, ValueError, KeyError, TypeError):
        return None


def write_several(
    folder: Path, places: Mapping[str, tuple[int, Path]], plan: Mapping[str, Any], make: Callable[[int], Sample]
) -> Iterator[tuple[str, Sample]]:
    """Draw and write sets one after the other, or take what an earlier try has left of them.

    Parameters
    ----------
    folder : Path
        New or empty, unless it holds an earlier try at the same plan.
    places : mapping of str to (int, Path)
        By name: number and folder of each set.
    plan : mapping
        What is being drawn.
    make : callable
        ``number -> Sample``.

    Raises
    ------
    BadInput
        If the folder holds anything else.
    OSError
        If the disk is at fault.
    """
    content = json.dumps(plan).encode()
    begun = _begun(folder, content)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / BEGUN, content)
        for stray in folder.rglob(f"*{TEMPORARY}" if begun else STRAY):
            stray.unlink()
        for name, (number, place) in places.items():
            complete = begun and (place / META).is_file()  # written last: the set is complete, and may be in use
            yield name, make(number) if complete else make(number).write(place, force=True)
        (folder / BEGUN).unlink()
    except BadInput as error:
        if isinstance(error.__cause__, OSError):  # the disk, and no fault of the records
            raise error.__cause__ from None
        raise


def _begun(folder: Path, plan: bytes) -> bool:
    """Tell whether an earlier try at the same sets was interrupted; refuse a folder with other files."""
    try:
        entries = folder.iterdir() if folder.exists() else ()
        # what a try leaves that was killed before `BEGUN` was there says nothing about whose folder it is
        names = {entry.name for entry in entries if not entry.match(STRAY)}
        same = BEGUN in names and (folder / BEGUN).read_bytes()[: len(plan) + 1] == plan
    except OSError as error:
        raise BadInput(folder, "", f"cannot be written: {error.strerror or error}") from None
    if names and not same:
        raise BadInput(folder, "", "already holds files", "name another folder")
    return same
