"""One game of New Frontiers from Python: what `nfsim.engine.game` plays, in this game's words."""

from __future__ import annotations

from nfsim.games.new_frontiers import words
from nfsim.games.new_frontiers.codes import Action, ChosenBy, EndReason, label
from nfsim.games.new_frontiers.position import InWords
from nfsim.games.new_frontiers.rules import RULES
from nfsim.games.new_frontiers.turn import Turn
from nfsim.run import one_game


class Game(InWords, one_game.Game):
    """A game in progress; `nfsim.engine.game.Game` says what it can do.

    Attributes
    ----------
    state : record of STATE
        The whole position; `layout.py` says what every field means. Do not write to it.
    selections : list of list of (seat, Action, ChosenBy)
        What was selected, by round.

    Examples
    --------
    >>> game = Game.from_scenario("rift_2p", seed=1)
    >>> game.decision[1].name, len(game.options)
    ('CHOOSE_SIDE', 2)
    >>> game.choose(0)
    """

    own_rules = RULES
    turn = Turn
    claim_unit = "chance to meet a condition"

    @property
    def selections(self) -> list[list[tuple[int, Action, ChosenBy]]]:
        """What was selected, by round that is over: seat, action, who decided it."""
        return self._selections

    def begun(self) -> None:
        """Make room for what was selected."""
        self._selections: list[list[tuple[int, Action, ChosenBy]]] = []

    def note_round(self) -> None:
        """Keep what was selected in the round that has just ended."""
        state = self.state
        self._selections.append(
            [
                (int(state.turn_seat[t]), Action(int(state.turn_action[t])), ChosenBy(int(state.turn_by[t])))
                for t in range(int(state.n_turns))
            ]
        )

    def objective_names(self) -> list[str]:
        """Return the names of the conditions."""
        return self.prepared.names.condition

    def draws(self) -> list[tuple[str, str | int]]:
        """Return the random outcomes since the last choice: (world | goal | mat | stack | seat, name)."""
        return words.drawn_words(self.prepared, self.state)

    def opening(self) -> list[str]:
        """Return each seat's mat."""
        return [words.mat_text(self.prepared, self.state, seat) for seat in range(self.players)]

    def round_text(self) -> str:
        """Return what was selected in the last round."""
        taken = [
            f"seat {seat} {label(action)}" + ("" if by == ChosenBy.PLAYER else f" ({label(by)})")
            for seat, action, by in self._selections[-1]
        ]
        return ", ".join(taken)

    def ending(self) -> list[str]:
        """Return what ended the game, and the conditions."""
        mask = int(self.state.end_mask)
        reasons = [label(reason) for reason in EndReason if mask >> reason & 1]
        return [", ".join(reasons) or "no end condition", *words.conditions_text(self.prepared, self.state)]
