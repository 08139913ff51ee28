"""A game that a person plays against policies: choices, undo, what happened. It prints nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nfsim.contract.rule_set import Game
from nfsim.contract.view import Hint, View
from nfsim.errors import BadInput
from nfsim.run.scenario import Scenario
from nfsim.run.worker_pool import warm_up_steps

PERSON = 0  # the seat of the person
HINTS = ":hints"  # what hints need is compiled with the first one: few who run the rules ask for any
HINT_SECONDS = 30


class CannotUndo(Exception):  # noqa: N818 - says what happened
    """Why the last decision stands, as one sentence."""


class NotTheGame(Exception):  # noqa: N818 - says what happened
    """Choices that do not fit the game they are to be replayed in."""


@dataclass(frozen=True)
class _Mark:
    """A decision of the person, to go back to.

    Attributes
    ----------
    at : int
        Choices made before it.
    happened : tuple of str
        What had happened since the decision before it.
    """

    at: int
    happened: tuple[str, ...]


def get_ready(scenario: Scenario, seed: int, compiling: Callable[[int], None]) -> None:
    """Compile the rules if no start has done so yet; `compiling` is told beforehand how many seconds that takes."""
    warm_up_steps(scenario.rule_set, scenario.prepared, scenario.seated, seed, compiling)


class Session:
    """One game of a scenario with a person in seat 0; it always stands at a decision of that seat, or at the end.

    Parameters
    ----------
    scenario : Scenario
        Its policies decide for the other seats; the person's own one is asked for hints.
    seed, number : int
        Root seed and number of the game: the game of that number in a run with that seed.
    choices : sequence of int
        Choices of all seats to begin with, from a saved game.

    Attributes
    ----------
    game, view : Game, View
        Made anew by `undo`.
    choices : list of int
        Of all seats so far.
    happened : list of str
        What happened since the person's last decision, that decision first.

    Raises
    ------
    BadInput
        If no person can play the scenario's game.
    NotTheGame
        If a choice of `choices` is not possible.
    """

    game: Game
    view: View

    def __init__(self, scenario: Scenario, seed: int, number: int, choices: Sequence[int] = ()) -> None:
        self.scenario, self.seed, self.number = scenario, seed, number
        self._begin(choices)

    def _begin(self, choices: Sequence[int]) -> None:
        """Start the game, make the choices given, and let the other seats go on to the person's next decision."""
        rule_set = self.scenario.rule_set
        if rule_set.view is None:
            raise BadInput("SCENARIO", "game", f"{rule_set.title} cannot be played by a person", "use nfsim run")
        self.game = rule_set.game(self.scenario.prepared, self.scenario.seated, self.seed, self.number)
        self.view = rule_set.view(self.game, PERSON)
        self.choices: list[int] = []
        self.happened = self.view.news()
        self._digest = hashlib.sha256()
        self._marks: list[_Mark] = []
        self._sealed = ""  # what has been revealed since the last mark
        for choice in choices:
            if not self.game.finished and not self.asks:
                self.game.suggest()  # takes from the seat's random stream what it took then
            if not 0 <= choice < len(self.game.options):
                raise NotTheGame
            self._make(choice)
        self._others()

    @property
    def asks(self) -> bool:
        """Whether the person must decide."""
        return not self.game.finished and self.game.decision[0] == PERSON

    @property
    def undoable(self) -> bool:
        """Whether the person's last decision can be taken back."""
        return bool(self._marks) and not self._sealed

    @property
    def fingerprint(self) -> str:
        """SHA-256 of every decision so far: who, what, of how many options, and which was taken."""
        return self._digest.hexdigest()

    def choose(self, choice: int) -> None:
        """Carry out an option of the person, and let the other seats go on to the person's next decision.

        Raises
        ------
        IndexError
            If there is no such option.
        """
        if not self.asks or not 0 <= choice < len(self.game.options):
            raise IndexError(f"option {choice} of {len(self.game.options)}")
        self._make(choice)
        self._others()

    def undo(self) -> None:
        """Go back to the person's last decision, and take back what other seats decided since.

        Raises
        ------
        CannotUndo
            If there is none, or something random or hidden has come to light since.
        """
        if not self._marks:
            raise CannotUndo("nothing to undo: you have not decided anything yet")
        if self._sealed:
            raise CannotUndo(f"your last decision stands: since then {self._sealed}")
        mark = self._marks[-1]
        self._begin(self.choices[: mark.at])
        self.happened = list(mark.happened)

    def hint(self, compiling: Callable[[int], None] = lambda _: None) -> Hint:
        """Return what a strong policy expects of the options.

        Parameters
        ----------
        compiling : callable
            Hears, if what hints alone need is not compiled yet, how many seconds that takes.
        """
        from nfsim.compiled import jit

        part = self.scenario.rule_set.name + HINTS
        if not jit.is_warm(part):
            compiling(HINT_SECONDS)
        with jit.warming(part):
            return self.game.advice()

    def _others(self) -> None:
        while not self.game.finished and not self.asks:
            self._make(self.game.suggest())

    def _make(self, choice: int) -> None:
        """Carry out a choice of whoever must decide, and note what it brought."""
        seat, kind = self.game.decision
        if seat == PERSON:
            self._marks.append(_Mark(len(self.choices), tuple(self.happened)))
            self.happened, self._sealed = [], ""
        told = self.view.told(choice)
        self._digest.update(f"{seat} {int(kind)} {len(self.game.options)} {choice}\n".encode())
        self.game.choose(choice)
        self.choices.append(choice)
        self.happened += [told] * bool(told) + self.view.news()
        self._sealed = self._sealed or self.view.revealed()
