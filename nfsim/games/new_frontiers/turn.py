"""What a function of the user's sees of New Frontiers, beside what `nfsim.engine.position.Turn` shows of any game."""

from __future__ import annotations

from nfsim.engine import position
from nfsim.games.new_frontiers import words
from nfsim.games.new_frontiers.position import InWords, Tile

__all__ = ["Tile", "Turn"]


class Turn(InWords, position.Turn):
    """The game at a decision of one seat; good for that decision only, so keep nothing of it.

    In `seen` other seats' face-down goals, the goal stack, the bag's contents and the random streams are gone; it is
    scored as if the game ended now.
    """

    def describe(self) -> str:
        """Return the position in words, as the seat may know it."""
        return words.describe(self.prepared, self.seen)
