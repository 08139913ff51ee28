"""What a position of New Frontiers says of itself in words: people, functions of users and transcripts share it."""

from __future__ import annotations

from typing import Any

from nfsim.engine.position import Position
from nfsim.games.new_frontiers import board, words
from nfsim.games.new_frontiers.codes import Decision, label
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.games.new_frontiers.scoring import Part


class InWords(Position):
    """A position with this game's names."""

    @property
    def decision(self) -> tuple[int, Decision]:
        """Seat that must decide, and what."""
        return int(self.state.actor), Decision(int(self.state.decision))

    @property
    def decision_label(self) -> str:
        """What must be decided, as the log names it."""
        return label(self.decision[1])

    def words(self, choice: int) -> tuple[str | int, ...]:
        """Return an option in words, for example `("take", "Gem World")`."""
        return words.option_words(self.prepared, self.state, *self.options[choice])

    def option_text(self, choice: int) -> str:
        """Return an option as a line of a transcript says it."""
        return words.option_text(self.prepared, self.state, *self.options[choice])

    def describe(self) -> str:
        """Return the position in words."""
        return words.describe(self.prepared, self.state)

    def parts(self, state: Any) -> list[dict[str, int]]:
        """Return every player's score and its parts, as a state has them."""
        return [{label(part): int(state.score[seat, part]) for part in Part} for seat in range(self.players)]

    def look(self, seat: int) -> Any:
        """Return a copy of the state as a seat may know it, scored as if the game ended now."""
        return board.seen_by(self.prepared, self.state, seat)

    def preset(self, name: str) -> Any:
        """Return the built-in policy of a name."""
        return SHELF.get(name)
