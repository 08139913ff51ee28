"""A game in progress as one seat sees it, as far as every game can say it; see `nfsim.contract.view.View`."""

from __future__ import annotations

from nfsim.contract.view import Row
from nfsim.engine.game import Game
from nfsim.errors import BadInput


class SeatView:
    """A view over a game's own words; a game says more where it has more to say.

    Parameters
    ----------
    game : Game
        Just begun, or at the decision from which on the view follows it.
    seat : int
        Who looks.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.told_rounds = game.rounds_ended

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        return "you" if seat == self.seat else f"seat {seat}"

    def position(self) -> list[Row]:
        """Return the whole position."""
        return [Row(self.game.describe())]

    def supply(self) -> list[Row]:
        """Return what can be bought or drawn and is not part of `position`."""
        return []

    def question(self) -> str:
        """Return what the seat must decide."""
        return f"{self.game.decision_label.replace('_', ' ').capitalize()}:"

    def options(self) -> list[str]:
        """Return the options of the decision at hand, in words."""
        if self.game.finished or self.game.decision[0] != self.seat:
            return []
        return [self.option(choice) for choice in range(len(self.game.options))]

    def option(self, choice: int) -> str:
        """Return one of them."""
        return self.game.option_text(choice)

    def tiles(self, choice: int) -> list[str]:
        """Return the names of what an option is about."""
        return []

    def explain(self, name: str) -> list[Row]:
        """Explain whatever has a name; `BadInput` if nothing has it."""
        raise BadInput("", "", f'nothing is called "{name}"')

    def signs(self) -> list[Row]:
        """Explain the signs in use: none."""
        return []

    def told(self, choice: int) -> str:
        """Return what the seat may hear of a choice about to be made, by whomever."""
        return f"{self.name(self.game.decision[0])}: {self.game.option_text(choice)}"

    def news(self) -> list[str]:
        """Return what happened by itself since the last choice: ends of rounds, draws."""
        lines = [line for ended in range(self.told_rounds, self.game.rounds_ended) for line in self.round_news(ended)]
        self.told_rounds = self.game.rounds_ended
        return lines + self.drawn()

    def round_news(self, ended: int) -> list[str]:
        """Return what there is to say of a round that has ended, from 0."""
        return [f"--- round {ended + 1} ends"]

    def drawn(self) -> list[str]:
        """Return the random outcomes since the last choice that the seat may know."""
        return [f"drawn: {kind} {name}" for kind, name in self.game.draws()]

    def revealed(self) -> str:
        """Return what the last choice brought to light."""
        count = len(self.game.draws())
        return f"{count} {'was' if count == 1 else 'were'} drawn" if count else ""

    def result(self) -> list[Row]:
        """Return the final scores with their parts, and whatever else was to be reached."""
        reason, *more = self.game.ending()
        rows = [Row(f"Game over after round {int(self.game.state.round_no)}", (reason,), strong=True)]
        for seat, parts in enumerate(self.game.scores()):
            rows.append(Row(f"  {self.name(seat)}", tuple(f"{name} {value}" for name, value in parts.items())))
        return rows + [Row(f"  {line}") for line in more]
