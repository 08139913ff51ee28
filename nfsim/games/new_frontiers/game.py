"""One game from Python, decision by decision, over the same compiled engine that simulations use."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Self

from nfsim.compiled.jit import int64
from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.contract.view import Hint
from nfsim.games.new_frontiers import setup, words
from nfsim.games.new_frontiers.advice import advise
from nfsim.games.new_frontiers.codes import Action, ChosenBy, EndReason, label
from nfsim.games.new_frontiers.desk import new_desk
from nfsim.games.new_frontiers.playing import NO_CHOICE, play_on
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.policies.shelf import RECORDS
from nfsim.games.new_frontiers.position import Position
from nfsim.games.new_frontiers.state import Event
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.thinking import consider, load_thinking
from nfsim.games.new_frontiers.turn import Turn
from nfsim.policies.presets import Preset
from nfsim.policies.user_policy import UserPolicy


class Game(Position):
    """A game in progress. Make one with `Game.new`; it stops at the first decision.

    Attributes
    ----------
    state : record of STATE
        The whole position; `layout.py` says what every field means. Do not write to it.
    choices : list of int
        Options chosen so far: with the seed and the game's number they replay the game.
    selections : list of list of (seat, Action, ChosenBy)
        What was selected, by round.
    event : Event
        DECISION while a seat must choose, FINISHED when the game is over.

    Examples
    --------
    >>> from nfsim.games.new_frontiers.settings import read_settings
    >>> from nfsim.games.new_frontiers.tables import prepare
    >>> game = Game.new(prepare(read_settings({"setup": {"players": 2}}, "example")), root=1, game=0)
    >>> game.decision[1].name, len(game.options)
    ('CHOOSE_SIDE', 2)
    >>> game.choose(0)
    """

    def __init__(
        self, prepared: Prepared, root: int, game: int, policies: Sequence[str | Preset] | None = None
    ) -> None:
        states, self._memory, lists = new_desk()
        super().__init__(prepared, states, lists)
        self.root, self.number = root, game
        players = int(self._tables.players)
        chosen = list(policies or ["balanced"])
        chosen = chosen * players if len(chosen) == 1 else chosen
        self._own = {seat: policy for seat, policy in enumerate(chosen) if isinstance(policy, UserPolicy)}
        self._policies = RECORDS.load(chosen, prepared)
        get_ready(self._tables, self._policies)
        load_thinking(self._tables, states, self._memory, lists, self._policies)
        self.choices: list[int] = []
        self.selections: list[list[tuple[int, Action, ChosenBy]]] = []
        self.event = Event.DECISION
        self._turn: Turn | None = None
        setup.begin(self._tables, self.state, self._memory[0], int64(root), int64(game))
        self._play_on(NO_CHOICE)

    @classmethod
    def new(cls, prepared: Prepared, root: int, game: int, policies: Sequence[str | Preset] | None = None) -> Self:
        """Set up game number `game` of the run with seed `root` and play on to the first decision.

        Parameters
        ----------
        prepared : Prepared
            From `tables.prepare`.
        root, game : int
            Seed of the run and number of the game.
        policies : sequence of str or Preset, optional
            Who `suggest` asks: one for all seats, or one per seat; default `balanced`.
        """
        return cls(prepared, root, game, policies)

    @classmethod
    def replay(cls, prepared: Prepared, root: int, game: int, choices: Iterable[int]) -> Self:
        """Play a game again from its choices; `choices` may also be the beginning of a game."""
        played = cls(prepared, root, game)
        for choice in choices:
            played.choose(choice)
        return played

    def _play_on(self, choice: int) -> None:
        """Carry out a choice and play on to the next decision, or to the end."""
        self._suggested: int | None = None
        while True:
            event = play_on(
                self._tables, self.state, self.shown_options, self._policies, int64(0), int64(choice), int64(1)
            )
            self.event = Event(int(event))
            if self.event != Event.ROUND_ENDED:
                return
            choice = NO_CHOICE
            state = self.state
            turns = range(int(state.n_turns))
            self.selections.append(
                [
                    (int(state.turn_seat[t]), Action(int(state.turn_action[t])), ChosenBy(int(state.turn_by[t])))
                    for t in turns
                ]
            )

    def draws(self) -> list[tuple[str, str | int]]:
        """Return the random outcomes since the last choice: (world | goal | mat | stack | seat, name)."""
        return words.drawn_words(self.prepared, self.state)

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
        self._play_on(choice)

    def suggest(self) -> int:
        """Return the option that the acting seat's policy would choose, exactly as in a simulation.

        Raises
        ------
        PolicyFailed
            If it is a function of the user's that fails.
        """
        own = self._own.get(self.decision[0])
        if self._suggested is None and own is not None:
            self._turn = self._turn or Turn(self.prepared, self._states, self._lists)
            self._suggested = own.ask(self._turn.at(self.number))
        if self._suggested is None:
            self._suggested = int(consider(self._tables, self._states, self._memory, self._lists, self._policies))
        return self._suggested

    def advice(self, rollouts: int = 200) -> Hint:
        """Return what a strong policy expects of the options at hand; see `advice.advise`."""
        return advise(self, rollouts)

    def transcript(self) -> Iterator[str]:
        """Play on to the end with the policies and yield what happens, line by line."""
        rounds = len(self.selections)
        if not self.choices:
            yield from (words.mat_text(self.prepared, self.state, seat) for seat in range(int(self._tables.players)))
        yield from self._drawn_lines()
        while not self.finished:
            seat, decision = self.decision
            choice = self.suggest()
            text = words.option_text(self.prepared, self.state, *self.options[choice])
            others = len(self.options) - 1
            yield f"  seat {seat} {label(decision)}: {text}  ({others} other option{'s' if others > 1 else ''})"
            self.choose(choice)
            yield from self._drawn_lines()
            if len(self.selections) > rounds:
                rounds = len(self.selections)
                yield from self._round_lines()
        yield from self._end_lines()

    def _drawn_lines(self) -> Iterator[str]:
        drawn = self.draws()
        if drawn:
            yield "    drawn: " + "; ".join(f"{kind} {name}" for kind, name in drawn)

    def _round_lines(self) -> Iterator[str]:
        taken = [
            f"seat {seat} {label(action)}" + ("" if by == ChosenBy.PLAYER else f" ({label(by)})")
            for seat, action, by in self.selections[-1]
        ]
        yield f"--- end of round {len(self.selections)}: " + ", ".join(taken)
        yield self.describe()

    def _end_lines(self) -> Iterator[str]:
        mask = int(self.state.end_mask)
        reasons = [label(reason) for reason in EndReason if mask >> reason & 1]
        yield f"=== {STATUS_LABELS[Status(int(self.state.status))]} after round {int(self.state.round_no)}: " + (
            ", ".join(reasons) or "no end condition"
        )
        for seat, parts in enumerate(self.scores()):
            yield f"seat {seat}: " + ", ".join(f"{name} {value}" for name, value in parts.items())
        yield from words.conditions_text(self.prepared, self.state)
