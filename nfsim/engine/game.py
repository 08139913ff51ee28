"""One game from Python, decision by decision, over the same compiled code that simulations use."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, Self

from nfsim.compiled.jit import int64
from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.contract.series import MISSED
from nfsim.contract.view import Hint
from nfsim.engine.advice import advise
from nfsim.engine.playing import NO_CHOICE, begin, get_ready, play_on
from nfsim.engine.position import Position, Turn
from nfsim.engine.rules import Event, Rules
from nfsim.engine.search import consider, load_thinking
from nfsim.engine.workspace import GAME, new_workspace


class Game(Position):
    """A game in progress; it stops at the first decision. A game's own class names its rules and its words.

    Parameters
    ----------
    prepared : Prepared
    root, game : int
        Seed of the run and number of the game.
    policies : sequence of Policy or str, optional
        Who `suggest` asks: one for all seats, or one per seat; default `default_policy`.

    Attributes
    ----------
    state : record of STATE
        The whole position. Do not write to it.
    root, number : int
        Seed of the run and number of the game.
    choices : list of int
        Options chosen so far: with the seed and the game's number they replay the game.
    rounds_ended : int
        Rounds that are over.
    event : Event
        DECISION while a seat must choose, FINISHED when the game is over.
    """

    own_rules: ClassVar[Rules]
    turn: ClassVar[type[Turn]] = Turn
    default_policy: ClassVar[str] = "balanced"
    claim_unit: ClassVar[str] = "chance to meet an objective"

    def __init__(self, prepared: Any, root: int, game: int, policies: Sequence[Any] | None = None) -> None:
        super().__init__(self.own_rules, prepared, new_workspace(self.own_rules))
        self.root, self.number = root, game
        chosen = list(policies or [self.default_policy])
        chosen = chosen * self.players if len(chosen) == 1 else chosen
        self._asked = {seat: policy for seat, policy in enumerate(chosen) if not getattr(policy, "compiled", True)}
        self.policies = self.rules.load_policies(chosen, prepared)
        get_ready(self.tables, self.policies)
        load_thinking(self.tables, self.room, self.policies)
        self.choices: list[int] = []
        self.rounds_ended = 0
        self.event = Event.DECISION
        self._turn: Turn | None = None
        self.begun()
        begin(self.tables, self.state, self.room.memory[GAME], int64(root), int64(game))
        self.play_on(NO_CHOICE)

    @classmethod
    def new(cls, prepared: Any, root: int, game: int, policies: Sequence[Any] | None = None) -> Self:
        """Set up game number `game` of the run with seed `root` and play on to the first decision.

        Parameters
        ----------
        prepared : Prepared
        root, game : int
            Seed of the run and number of the game.
        policies : sequence of Policy or str, optional
            Who `suggest` asks: one for all seats, or one per seat.
        """
        return cls(prepared, root, game, policies)

    @classmethod
    def replay(cls, prepared: Any, root: int, game: int, choices: Iterable[int]) -> Self:
        """Play a game again from its choices; `choices` may also be the beginning of a game."""
        played = cls(prepared, root, game)
        for choice in choices:
            played.choose(choice)
        return played

    def clone(self) -> Self:
        """Return the same game apart: each is played on without the other, with the same random numbers to come."""
        twin = copy.copy(self)
        twin.room = new_workspace(self.rules)
        twin.room.memory[:], twin.room.lists[:] = self.room.memory, self.room.lists
        twin.state = twin.fields = twin.room.states[GAME]
        twin.shown_options = twin.room.lists[GAME]
        twin.policies = self.policies.copy()  # those that plan note their plans there
        twin._turn = twin._observer = None
        for name, value in vars(self).items():
            if isinstance(value, list):  # choices, and what a game of its own class notes
                setattr(twin, name, list(value))
        return twin

    def play_on(self, choice: int) -> None:
        """Carry out a choice and play on to the next decision, or to the end; tests call it after changing a state."""
        self._suggested: int | None = None
        while True:
            event = play_on(
                self.tables, self.state, self.shown_options, self.policies, int64(0), int64(choice), int64(1)
            )
            self.event = Event(int(event))
            if self.event != Event.ROUND_ENDED:
                return
            choice = NO_CHOICE
            self.rounds_ended += 1
            self.note_round()

    def begun(self) -> None:
        """Make ready for what `note_round` notes."""

    def note_round(self) -> None:
        """Note what a round that has just ended leaves to be told; called before the next one begins."""

    def choose(self, choice: int) -> None:
        """Carry out an option and play on to the next decision.

        Raises
        ------
        IndexError
            If there is no such option, or the game is over.
        """
        if not 0 <= choice < len(self.options):
            raise IndexError(f"option {choice} of {len(self.options)}: choose a number from `options`")
        self.choices.append(int(choice))
        self.state.drawn_n = 0
        self.play_on(choice)

    def suggest(self, policy: str | None = None) -> int:
        """Return the option that a policy would choose.

        Parameters
        ----------
        policy : str, optional
            Name of a built-in one. Otherwise the acting seat's own is asked, and answers exactly as in a simulation.

        Raises
        ------
        PolicyFailed
            If it is a function of the user's that fails.
        BadInput
            If there is no policy of that name.
        """
        if policy is not None:
            return self._at_turn().suggest(policy)
        asked = self._asked.get(self.seat)
        if self._suggested is None and asked is not None:
            self._suggested = asked.ask(self._at_turn())
        if self._suggested is None:
            self._suggested = int(consider(self.tables, self.room, self.policies))
        return self._suggested

    def _at_turn(self) -> Turn:
        self._turn = self._turn or self.turn(self.rules, self.prepared, self.room)
        return self._turn.at(self.number)

    def advice(self, rollouts: int = 200) -> Hint:
        """Return what a strong policy expects of the options at hand; see `nfsim.engine.advice.advise`."""
        adviser = self.preset(self.rules.adviser)
        return advise(self, adviser, self.objective_names(), self.claim_unit, rollouts)

    def claims(self) -> list[int]:
        """Return how the game at its end can claim each objective: `nfsim.contract.series.MET` … `MISSED`."""
        if self.state.status != Status.FINISHED:  # not finished by the rules
            return [MISSED] * int(self.tables.n_objectives)
        objectives = range(int(self.tables.n_objectives))
        return [int(self.rules.claim(self.tables, self.state, int64(0), int64(each))) for each in objectives]

    def objective_names(self) -> list[str]:
        """Return the names of the game's objectives."""
        return []

    # --- in words

    def draws(self) -> list[tuple[str, str | int]]:
        """Return the random outcomes since the last choice: what was drawn, and its name."""
        return []

    def opening(self) -> list[str]:
        """Return what there is to say of a game that has just begun, line by line."""
        return []

    def round_text(self) -> str:
        """Return what happened in the last round, in one line."""
        return ""

    def ending(self) -> list[str]:
        """Return why the game ended, and then, line by line, what else there is to say beside the scores."""
        return [""]

    def transcript(self) -> Iterator[str]:
        """Play on to the end with the policies and yield what happens, line by line."""
        rounds = self.rounds_ended
        if not self.choices:
            yield from self.opening()
        yield from self._drawn_lines()
        while not self.finished:
            choice, others = self.suggest(), len(self.options) - 1
            yield (
                f"  seat {self.decision[0]} {self.decision_label}: {self.option_text(choice)}"
                f"  ({others} other option{'s' if others > 1 else ''})"
            )
            self.choose(choice)
            yield from self._drawn_lines()
            if self.rounds_ended > rounds:
                rounds = self.rounds_ended
                text = self.round_text()
                yield f"--- end of round {rounds}" + (f": {text}" if text else "")
                yield self.describe()
        yield from self._end_lines()

    def _drawn_lines(self) -> Iterator[str]:
        drawn = self.draws()
        if drawn:
            yield "    drawn: " + "; ".join(f"{kind} {name}" for kind, name in drawn)

    def _end_lines(self) -> Iterator[str]:
        reason, *more = self.ending()
        status = STATUS_LABELS[Status(int(self.state.status))]
        yield f"=== {status} after round {int(self.state.round_no)}" + (f": {reason}" if reason else "")
        for seat, parts in enumerate(self.scores()):
            yield f"seat {seat}: " + ", ".join(f"{name} {value}" for name, value in parts.items())
        yield from more
