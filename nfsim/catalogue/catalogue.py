"""The catalogue of a game: its set of records, and what commands and studies do with it; a game fills in what it knows.

See `nfsim.contract.catalogue.Catalogue`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from nfsim.catalogue import compare, sampling
from nfsim.catalogue.record_set import RecordSet
from nfsim.catalogue.sampling import Sample
from nfsim.catalogue.share import Share
from nfsim.contract.catalogue import Turned
from nfsim.errors import BadInput


@dataclass(frozen=True)
class Difference:
    """What a source says of a whole set and what the set has instead."""

    says: str
    has: str
    source: str

    def __str__(self) -> str:
        """Return it as one line."""
        return f"manual: {self.says} ({self.source}); this set: {self.has}"


@dataclass(frozen=True)
class Findings:
    """What a check of a set found.

    Attributes
    ----------
    differences : list of Difference
        From what sources say of the whole set.
    share : Share
        Of all records of the set under the readings checked.
    """

    differences: list[Difference]
    share: Share

    @property
    def exit_code(self) -> int:
        """0 if the set agrees with its sources, 1 if not."""
        return 1 if self.differences else 0


class RecordCatalogue:
    """A game's catalogue; a subclass says what its sets are, and what only the game knows.

    Attributes
    ----------
    set_type : type of RecordSet
    key : str
        Key of a scenario that names the set.
    levers : sequence of str
        Factors that can be swept.
    agrees_with : str
        What a check holds a set against, for messages.
    """

    set_type: ClassVar[type[RecordSet]]
    key: ClassVar[str]
    levers: ClassVar[Sequence[str]] = ()
    agrees_with: ClassVar[str] = "its sources"

    @property
    def sets(self) -> Sequence[str]:
        """Names of the built-in sets."""
        return (self.set_type.built_in_name,)

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of record."""
        return tuple(self.set_type.models())

    def load(self, name: str, base: Path | None = None) -> RecordSet:
        """Return a set by name, the usual one for ''."""
        return self.set_type.load(name or self.sets[0], base)

    def changes(self, records: RecordSet) -> list[compare.Differing]:
        """Return where a set differs from the built-in one."""
        built_in = self.set_type.built_in()
        return [] if records is built_in else compare.compare(records, built_in)

    def check(self, records: RecordSet, rules: Mapping[str, str]) -> Findings:
        """Check a set that was loaded.

        Parameters
        ----------
        records : RecordSet
        rules : mapping of str to str
            `[rules]` of a scenario: which readings hold.

        Raises
        ------
        BadInput
            If some game that uses its records cannot be played with it.
        """
        readings = self.readings(rules)
        for words, settings in self.cases(records, rules):
            try:
                self.prepare(records, settings)
            except BadInput as error:
                raise BadInput(error.file, error.key, f"{error.problem} (found with {words})", error.remedy) from None
        in_set = [record for record in records if record.holds(readings)]
        return Findings(self.differences(records, readings), Share.of(in_set))

    def draw(self, prepared: Any, seed: int, number: int, out: Path) -> None:
        """Write a set drawn at random from the game's, without its patches, unless it is there.

        Raises
        ------
        BadInput
            If the folder holds the whole of another set, with which runs may have been played.
        """
        records = self.load(self.set_of(prepared))
        held = sampling.held(out, self.set_type)
        if not held:
            self.sample(seed, number, records).write(out, force=True)
        elif held != (seed, number, records.hash):
            raise BadInput(
                out, "", f"holds another set, drawn from other {self.set_type.things}", "name another folder with --out"
            )

    def sample(self, seed: int, number: int, records: Any) -> Sample:
        """Draw a set; a game overrides it if its sets can be varied."""
        raise BadInput("", "", f"no other {self.set_type.things} can be drawn for this game")

    def lever_title(self, name: str) -> str:
        """Return what a heading calls a lever."""
        return name

    def turn(self, prepared: Any, name: str, value: float, seed: int, option: object) -> Turned:
        """Set a lever; a game that has some overrides it."""
        raise BadInput(option, "", "is no lever of this game")

    @abstractmethod
    def readings(self, rules: Mapping[str, str]) -> Mapping[str, str]:
        """Return the reading in force for each ruling under `[rules]` of a scenario; raises `BadInput`."""

    @abstractmethod
    def cases(self, records: Any, rules: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        """Yield games that together use every record in each role it can have: in words, and their settings."""

    @abstractmethod
    def prepare(self, records: Any, settings: Any) -> Any:
        """Return a game prepared with a set; raises `BadInput` if it cannot be played."""

    def differences(self, records: Any, readings: Mapping[str, str]) -> list[Difference]:
        """Return where a set contradicts what sources say of the whole of it."""
        return []

    @abstractmethod
    def set_of(self, prepared: Any) -> str:
        """Return the name or folder of the set that a prepared game was made from."""

    @abstractmethod
    def in_play(self, prepared: Any) -> Mapping[str, Any]:
        """Return by name the records that can be left out and priced one by one."""

    @abstractmethod
    def without(self, prepared: Any, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the patches after which nobody can have what a record is about."""

    @abstractmethod
    def dearer(self, prepared: Any, name: str, by: int) -> Sequence[Mapping[str, Any]]:
        """Return the patches that move a record's price; raises `BadInput` if it cannot go there."""
