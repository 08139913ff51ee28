"""What commands and studies ask of a game's catalogue: its cards or tiles as records; offered by `RuleSet.catalogue`.

`nfsim.catalogue.catalogue.RecordCatalogue` does all of it for a game that declares its records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class Turned(NamedTuple):
    """A lever set to a value.

    Attributes
    ----------
    patches : sequence of dict
        What a scenario has under ``[[patch]]`` then; none where the records are so already.
    reached : float
        The value that was reached: records are whole, so a share may be missed by a little.
    text : str
        What was done, in a few words.
    """

    patches: Sequence[Mapping[str, Any]]
    reached: float
    text: str


class Catalogue(Protocol):
    """The records that a game is played with, and what can be done to them."""

    @property
    def agrees_with(self) -> str:
        """What a check holds a set against, in words."""

    @property
    def key(self) -> str:
        """Key of a scenario that names the set."""

    @property
    def sets(self) -> Sequence[str]:
        """Names of the built-in sets, the usual one first."""

    @property
    def kinds(self) -> Sequence[str]:
        """Kinds of record."""

    @property
    def levers(self) -> Sequence[str]:
        """Factors that can be swept, with a pattern such as ``cost.TILE`` for those that name a record."""

    def lever_title(self, name: str) -> str:
        """Return what a heading calls one of `levers`, with its unit."""

    def load(self, name: str, base: Path | None = None) -> Any:
        """Return a set by name, or from a folder that is looked up from `base`; raises `BadInput`."""

    def check(self, records: Any, rules: Mapping[str, str]) -> Any:
        """Return what is found wrong with a set under some readings; raises `BadInput` if it cannot be played."""

    def sample(self, seed: int, number: int, records: Any) -> Any:
        """Return a set that differs from another only in what is not known."""

    def turn(self, prepared: Any, name: str, value: float, seed: int, option: object) -> Turned:
        """Set a lever on a prepared game's records.

        Parameters
        ----------
        prepared : Prepared
            The game before.
        name : str
            One of `levers`.
        value : float
            As given on the command line.
        seed : int
            Chooses among records that would do.
        option : object
            What errors name.

        Raises
        ------
        BadInput
            If there is no such lever, or its value cannot be reached.
        """

    def draw(self, prepared: Any, seed: int, number: int, out: Path) -> None:
        """Write a set drawn at random as a folder, unless it is there.

        Parameters
        ----------
        prepared : Prepared
            The game whose unknown records are drawn anew; its patches are left out.
        seed, number : int
            The set drawn: the same two give the same one.
        out : Path
            Its folder.
        """

    def in_play(self, prepared: Any) -> Mapping[str, Any]:
        """Return by name the records of a prepared game that can be left out and priced one by one."""

    def without(self, prepared: Any, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the patches after which nobody can have what a record of `in_play` is about."""

    def dearer(self, prepared: Any, name: str, by: int) -> Sequence[Mapping[str, Any]]:
        """Return the patches that move the price of a record of `in_play`; raises `BadInput` if it cannot go there."""
