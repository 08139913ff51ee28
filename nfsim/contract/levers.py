"""What `nfsim sweep` must know of a game to turn its tiles step by step; a game offers it through `RuleSet.levers`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol


class Turned(NamedTuple):
    """A lever set to a value.

    Attributes
    ----------
    patches : sequence of dict
        What a scenario has under ``[[patch]]`` then; none where the tiles are so already.
    reached : float
        The value that was reached: tiles are whole, so a share may be missed by a little.
    text : str
        What was done, in a few words.
    """

    patches: Sequence[Mapping[str, Any]]
    reached: float
    text: str


class Levers(Protocol):
    """Turns tiles, and draws other ones."""

    @property
    def names(self) -> Sequence[str]:
        """Factors that can be swept, with a pattern such as ``cost.TILE`` for those that name a tile."""

    def title(self, name: str) -> str:
        """Return what a heading calls one of `names`, with its unit."""

    def turn(self, prepared: Any, name: str, value: float, seed: int, option: object) -> Turned:
        """Set a lever on a prepared game's tiles.

        Parameters
        ----------
        prepared : Prepared
            The game before.
        name : str
            One of `names`.
        value : float
            As given on the command line.
        seed : int
            Chooses among tiles that would do.
        option : object
            What errors name.

        Raises
        ------
        BadInput
            If there is no such lever, or its value cannot be reached.
        """

    def draw(self, prepared: Any, seed: int, number: int, out: Path) -> None:
        """Write a tile set drawn at random as a folder, unless it is there.

        Parameters
        ----------
        prepared : Prepared
            The game whose unknown tiles are drawn anew; its patches are left out.
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
