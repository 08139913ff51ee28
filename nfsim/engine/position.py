"""A position in a game, to be read: by people, by functions of the user's, by transcripts."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from nfsim.compiled.jit import int64
from nfsim.compiled.rng import unit
from nfsim.compiled.status import Status
from nfsim.engine.observed import Entry
from nfsim.engine.observing import Bools, Floats32, Observer
from nfsim.engine.playing import ASK_AGAIN, get_ready, play_on
from nfsim.engine.records import quick
from nfsim.engine.rules import Rules
from nfsim.engine.search import consider, load_thinking
from nfsim.engine.workspace import GAME, Workspace, new_workspace, quick_workspace


class Position:
    """A position over records that somebody else moves on; a game adds what it has in words.

    Parameters
    ----------
    rules : Rules
    prepared : Prepared
        The game.
    room : Workspace
        What it is played on.

    Attributes
    ----------
    prepared : Prepared
    state : record of STATE
        The whole position, hidden information included; the game says what every field means. Do not write to it.
    fields : record of STATE
        The same, read by name in brackets, ``fields["round_no"]``; where a `Turn` has it that is faster.
    """

    def __init__(self, rules: Rules, prepared: Any, room: Workspace) -> None:
        self.rules, self.prepared, self.room = rules, prepared, room
        self.tables = prepared.tables[0]
        self.state = room.states[GAME]
        self.shown_options = room.lists[GAME]
        self.fields: Any = self.state
        self._observer: Observer | None = None

    @property
    def seat(self) -> int:
        """Seat that must decide."""
        return int(self.fields["actor"])

    @property
    def round(self) -> int:
        """Round being played; 0 during setup."""
        return int(self.fields["round_no"])

    @property
    def seen(self) -> Any:
        """The position (record of STATE) as the seat that must decide may know it; what is hidden from it is gone."""
        return self.look(self.seat)

    @property
    def players(self) -> int:
        """Seats that somebody decides for."""
        return int(self.tables.players)

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.state.status != Status.RUNNING)

    @property
    def decision(self) -> tuple[int, int]:
        """Seat that must decide, and the code of what."""
        return int(self.state.actor), int(self.state.decision)

    @property
    def decision_label(self) -> str:
        """What must be decided, as the log names it."""
        return str(self.decision[1])

    @property
    def options(self) -> list[tuple[int, int, int]]:
        """Legal choices as (kind, a, b); empty when the game is over."""
        if self.finished:
            return []
        shown = self.shown_options
        n = int(shown.count)
        return list(zip(shown.kind[:n].tolist(), shown.a[:n].tolist(), shown.b[:n].tolist(), strict=True))

    def words(self, choice: int) -> tuple[str | int, ...]:
        """Return an option in words, for example `("take", "Gem World")`."""
        return self.options[choice]

    def option_text(self, choice: int) -> str:
        """Return an option as a line of a transcript says it."""
        return " ".join(map(str, self.words(choice)))

    def describe(self) -> str:
        """Return the position in words."""
        return ""

    def scores(self) -> list[dict[str, int]]:
        """Return every player's score and its parts, the total first, as of the last round's end."""
        return self.parts(self.state)

    def parts(self, state: Any) -> list[dict[str, int]]:
        """Return every player's score and its parts, the total first, as a state has them."""
        return [{"total": int(state.score[seat, 0])} for seat in range(self.players)]

    def look(self, seat: int) -> Any:
        """Return a copy of the state as a seat may know it: what is hidden from it is gone, random streams included."""
        states = new_workspace(self.rules).states
        states[GAME] = self.state
        seen = states[GAME]
        if not self.finished:
            self.rules.forget_hidden(self.tables, seen, int64(seat))
            seen.drawn_n = seen.draw_key = seen.draw_counter = 0
            seen.policy_key[:] = seen.policy_counter[:] = 0
        return seen

    def preset(self, name: str) -> Any:
        """Return the built-in policy of a name."""
        return name

    # --- in numbers, for agents

    @property
    def observer(self) -> Observer:
        """What writes observations of this game: their names, ranges and meanings."""
        if self._observer is None:
            self._observer = Observer(self.rules, self.prepared)
        return self._observer

    def observe(self, seat: int | None = None) -> Floats32:
        """Return the position and its options as a vector of numbers; only what a seat may know is in it.

        Parameters
        ----------
        seat : int, optional
            Who looks, by default the one that must decide. To others the options are not shown.

        Returns
        -------
        float32 array, shape (entry,)
            `observation_entries` says what each entry is.
        """
        seat = self.seat if seat is None else int(seat)
        if not 0 <= seat < self.players:
            raise IndexError(f"seat {seat} of {self.players}")
        return self.observer.observe(self.room, seat)

    def action_mask(self, seat: int | None = None) -> Bools:
        """Return which actions a seat may choose: action `i` is option `i`.

        Parameters
        ----------
        seat : int, optional
            By default the one that must decide; for any other no action is legal.

        Returns
        -------
        bool array, shape (action,)
            Always of the same length.
        """
        mask = np.zeros(self.observer.actions, np.bool_)
        if not self.finished and seat in (None, self.seat):
            mask[: int(self.shown_options.count)] = True
        return mask

    def observation_entries(self) -> tuple[Entry, ...]:
        """Return name, lowest and highest value, and meaning of every entry of `observe`, in order."""
        return self.observer.entries

    def random(self) -> float:
        """Return a random number from 0 to below 1, from the own stream of the seat that must decide.

        The same game gives the same numbers in the same order, whatever the number of processes. What is drawn in the
        game and other seats have streams of their own; only `suggest` with a policy that uses chance draws from this
        one too.
        """
        seat = self.seat
        found = float(unit(self.state.policy_key[seat], self.state.policy_counter[seat]))
        self.state.policy_counter[seat] += 1
        return found


class Turn(Position):
    """What a function of the user's sees when it must decide; good for that decision only, so keep nothing of it.

    Attributes
    ----------
    number : int
        Number of the game in the run.
    """

    def __init__(self, rules: Rules, prepared: Any, room: Workspace) -> None:
        super().__init__(rules, prepared, room)
        self._quick = quick(prepared.tables)[0], quick_workspace(room)
        self._advisers: dict[str, Any] = {}
        self.fields = self._quick[1].states[GAME]
        self.number = self._seat = -1
        self._seen: Any = None
        self._offered: list[tuple[int, int, int]] | None = None

    def at(self, number: int) -> Self:
        """Turn to the decision at hand of game `number`."""
        self.number, self._seat = number, int(self.fields["actor"])
        self._seen = self._offered = None
        return self

    @property
    def seat(self) -> int:
        """The seat that decides: yours."""
        return self._seat

    @property
    def options(self) -> list[tuple[int, int, int]]:
        """Legal choices as (kind, a, b)."""
        if self._offered is None:
            self._offered = super().options
        return self._offered

    @property
    def seen(self) -> Any:
        """The position (record of STATE) as the seat may know it; what is hidden from it is gone."""
        if self._seen is None:
            self._seen = self.look(self.seat)
        return self._seen

    def observe(self, seat: int | None = None) -> Floats32:
        """Return what your seat sees as a vector of numbers; `observation_entries` says what each entry is.

        Raises
        ------
        IndexError
            If another seat is asked for: what it alone knows is hidden from you.
        """
        if seat not in (None, self.seat):
            raise IndexError(f"seat {seat}: you are seat {self.seat} and see what that one sees")
        return super().observe(self.seat)

    def scores(self) -> list[dict[str, int]]:
        """Return every player's score and its parts as if the game ended now, as far as the seat may know them."""
        return self.parts(self.seen)

    def suggest(self, policy: str = "balanced") -> int:
        """Return the option that a built-in policy would choose here.

        Raises
        ------
        BadInput
            If there is no such policy.
        """
        tables, room = self._quick
        if policy not in self._advisers:
            adviser = self.rules.load_policies([self.preset(policy)] * self.players, self.prepared)
            get_ready(tables, adviser)
            load_thinking(tables, room, quick(adviser))
            self._advisers[policy] = quick(adviser)
        adviser = self._advisers[policy]
        # the decision stands: the adviser weighs its options, and thinks longer if it does so
        play_on(tables, room.states[GAME], room.lists[GAME], adviser, int64(0), int64(ASK_AGAIN), int64(1))
        return int(consider(tables, room, adviser))
