"""A position in a game, to be read: the part that people, own policies and transcripts share."""

from __future__ import annotations

from typing import Any

from nfsim.games.new_frontiers import words
from nfsim.games.new_frontiers.codes import Decision, label
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.state import Step
from nfsim.games.new_frontiers.tables import Prepared


class Position:
    """A position over records that somebody else moves on.

    Parameters
    ----------
    prepared : Prepared
        The game.
    states : recarray of STATE, shape (rollouts.STATES,)
        The game comes first.
    lists : recarray of OPTION_LIST, shape (rollouts.LISTS,)
        The options of the decision at hand come first.

    Attributes
    ----------
    prepared : Prepared
    state : record of STATE
        The whole position, hidden information included; `layout.py` says what every field means. Do not write to it.
    """

    def __init__(self, prepared: Prepared, states: Any, lists: Any) -> None:
        self.prepared = prepared
        self.state = states[0]
        self._tables = prepared.tables[0]
        self._states, self._lists = states, lists
        self.shown_options = lists[0]

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.step == Step.OVER)

    @property
    def decision(self) -> tuple[int, Decision]:
        """Seat that must decide, and what."""
        return int(self.state.actor), Decision(int(self.state.decision))

    @property
    def options(self) -> list[tuple[int, int, int]]:
        """Legal choices as (kind, a, b), see `codes.Option`; empty when the game is over."""
        if self.finished:
            return []
        shown = self.shown_options
        n = int(shown.count)
        return list(zip(shown.kind[:n].tolist(), shown.a[:n].tolist(), shown.b[:n].tolist(), strict=True))

    def words(self, choice: int) -> tuple[str | int, ...]:
        """Return an option in words, for example `("take", "Gem World")`."""
        return words.option_words(self.prepared, self.state, *self.options[choice])

    def describe(self) -> str:
        """Return the position in words."""
        return words.describe(self.prepared, self.state)

    def scores(self) -> list[dict[str, int]]:
        """Return every player's score and its parts, as of the last round's end."""
        return parts(self.prepared, self.state)


def parts(prepared: Prepared, state: Any) -> list[dict[str, int]]:
    """Return every player's score and its parts, as a state has them."""
    players = int(prepared.tables[0].players)
    return [{label(part): int(state.score[seat, part]) for part in Part} for seat in range(players)]
