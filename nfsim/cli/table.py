"""The table at which a person plays: prints the position, reads commands, keeps the game; bad input ends nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nfsim.cli.console import console, on_terminal, say
from nfsim.cli.options import path
from nfsim.contract.view import Row
from nfsim.errors import BadInput, visible
from nfsim.files import real
from nfsim.run import saved_games
from nfsim.run.campaign import Campaign, Claim
from nfsim.run.session import CannotUndo, Session

if TYPE_CHECKING:
    from pathlib import Path

HELP = (
    Row("a number", ("choose that option",)),
    Row("? 3", ("explain what option 3 is about",)),
    Row("? NAME", ("explain whatever has a name in this game; a part of the name will do",)),
    Row("hint", ("what a strong policy would do",)),
    Row("undo", ("take back your last decision, as long as nothing was drawn or revealed since",)),
    Row("log", ("what happened since your last decision",)),
    Row("board", ("show the position and your options again",)),
    Row("stacks", ("what can still be bought or drawn",)),
    Row("save [FILE]", ("save the game; without a name where it is kept anyway",)),
    Row("quit", ("leave; the game is saved. Ctrl-C and the end of the input do the same",)),
)
WIDTH = 100  # at most; also where the output is no terminal
NARROWEST = 40
LABELS = 15  # columns for labels
SEPARATOR = ", "
AGAIN = 0.3  # seconds after which a signal that was not heard is sent again
MOST_SHOWN = 40  # characters of an input in an answer


class Table:
    """One game, or one campaign, at a terminal or on a pipe.

    Parameters
    ----------
    playing : Session or Campaign
    file : Path
        Where it is kept.
    quiet : bool
        Print nothing, for JSON; `summary` has all lines.
    dealt : str
        What there is to say of the deal before anything else.
    """

    def __init__(self, playing: Session | Campaign, file: Path, *, quiet: bool, dealt: str = "") -> None:
        self.campaign = playing if isinstance(playing, Campaign) else None
        self.session = playing.session if isinstance(playing, Campaign) else playing
        self.file, self.quiet, self._dealt = file, quiet, dealt
        self.lines: list[str] = []
        self._problem = ""  # why the game could not be kept
        self._stdin = sys.stdin
        if hasattr(self._stdin, "reconfigure"):
            self._stdin.reconfigure(errors="replace")  # whatever is typed is at worst an unknown command
        with contextlib.suppress(ImportError):  # lines can be edited and called back where this is there
            import readline  # noqa: F401 - importing it is all that is needed

    @property
    def _options(self) -> list[str]:
        """What can be chosen now: options of the decision, or claims at a game's end; none when all is over."""
        if not self.session.game.finished:
            return self.session.view.options()
        return [] if self.campaign is None else [self._claim_text(claim) for claim in self.campaign.claims]

    @property
    def where(self) -> str:
        """Where the game is kept, and how to go on."""
        if self._problem:
            return f"the game is not saved: {self._problem}"
        what = "the game" if self.campaign is None else "the campaign"
        if not self._options:
            return f"{what} is kept in {self.file}"
        return f"{what} is saved; go on with: nfsim play --resume {self.file}"

    def play(self) -> bool:
        """Play until the end, `quit` or the end of the input; return whether it was interrupted."""
        try:
            self._keep()
            self._say(f"{self.session.scenario.shown_title}, seed {self.session.seed}, game {self.session.number}")
            if self._dealt:
                self._say(self._dealt)
            self._stand()
            self._show(log=True)
            while self._options:
                line = self._ask()
                if line is None or self._obey(line):
                    break
            self._say(self.where[:1].upper() + self.where[1:])
        except KeyboardInterrupt:
            self._say()
            return True
        return False

    def summary(self) -> dict[str, Any]:
        """Return what `--json` prints besides the exit code."""
        session = self.session
        return {
            "finished": not self._options,
            "save": None if self._problem else str(self.file),
            "seed": session.seed,
            "game": session.number,
            "choices": session.choices,
            "options": self._options,
            "scores": [dict(parts) for parts in session.game.scores()] if session.game.finished else None,
            **({} if self.campaign is None else {"campaign": self._standing(self.campaign)}),
            "lines": self.lines,
        }

    def _standing(self, campaign: Campaign) -> dict[str, Any]:
        return {
            "number": campaign.number,
            "claimed": [won.claim.objective for won in campaign.won],
            "open": campaign.open,
            "chip": campaign.has_chip,
            "won": True if campaign.is_won else False if campaign.is_lost else None,
        }

    def _obey(self, line: str) -> bool:
        """Carry out a line; return whether the game is to be left."""
        word, _, rest = line.strip().partition(" ")
        name, rest = word.casefold(), rest.strip()
        if name.startswith("?") and len(name) > 1:  # ?3 as well as ? 3
            name, rest = "?", f"{word[1:]} {rest}".strip()
        if name in ("quit", "exit", "q"):
            return True
        commands = {"?": self._explain, "help": self._explain, "hint": self._hint, "undo": self._undo,
                    "log": self._log, "board": self._board, "stacks": self._stacks, "save": self._save}  # fmt: skip
        try:
            if name in commands:
                commands[name](rest)
            elif (number := self._number(line)) is not None:
                with undisturbed():  # what is typed is carried out and kept, whatever ends the command
                    self._choose(number)
                    self._keep()
                self._show(log=True)
            elif name:
                self._say(f'"{_short(line.strip())}" is no option: {self._possible}.')
        except (BadInput, CannotUndo) as error:
            text = str(error)
            self._say(f"{text[:1].upper()}{text[1:]}.")
        return False

    def _choose(self, number: int) -> None:
        """Carry out an option, or claim an objective and go on with the next game."""
        if not self.session.game.finished:
            self.session.choose(number)
            return
        assert self.campaign is not None
        self.campaign = self.campaign.claim(self.campaign.claims[number])
        self.session = self.campaign.session
        self._stand()

    def _stand(self) -> None:
        """Say where a campaign stands."""
        if self.campaign is None:
            return
        campaign, words = self.campaign, self.session.scenario.rule_set.words
        games = len(campaign.objectives)
        for place, won in enumerate(campaign.won, 1):
            self._say(f"Game {place} of {games}: claimed {self._claim_text(won.claim)}.")
        if not campaign.is_won:
            chip = f" You have the {campaign.rules.chip}." if campaign.has_chip else ""
            place = len(campaign.won) + 1
            self._say(f"Game {place} of {games}; open {words.objectives}: {', '.join(campaign.open)}.{chip}")

    def _claim_text(self, claim: Claim) -> str:
        assert self.campaign is not None
        rules = self.campaign.rules
        return claim.objective + (f" with the {rules.chip}: {rules.sides[claim.side]}" if claim.side else "")

    @property
    def _possible(self) -> str:
        return f"type a number from 0 to {len(self._options) - 1}, or ? for help"

    def _number(self, text: str) -> int | None:
        """Return the option that a text names, None if it names none."""
        given = text.strip()
        if not (given.isascii() and given.isdigit() and len(given) < 6):
            return None
        return int(given) if int(given) < len(self._options) else None

    def _explain(self, rest: str) -> None:
        if not rest:
            self._rows((*HELP, *self.session.view.signs()))
            return
        names = [rest]
        if rest.isascii() and rest.isdigit():
            number = self._number(rest)
            if number is None:
                self._say(f"There is no option {_short(rest)}: {self._possible}.")
                return
            if self.session.game.finished and self.campaign is not None:
                names = [self.campaign.claims[number].objective]
            else:
                names = self.session.view.tiles(number)
            if not names:
                self._say(f"Option {rest} is about nothing that has a name; ? NAME explains what has one.")
        for name in names:
            self._rows(self.session.view.explain(name))

    def _hint(self, _: str) -> None:
        if self.session.game.finished:
            self._say("The game is over: no hint says what to claim.")
            return

        def compiling(seconds: int) -> None:
            self._say(f"The first hint on this machine takes about {seconds} s: it compiles what it needs.")

        options, hint = self.session.view.options(), self.session.hint(compiling)
        width = max(len(options[each.choice]) for each in hint.options)
        self._say(f"Asked: {hint.adviser}, which plays {hint.n} games on with each option.")
        self._say(f"The best first, by {hint.unit}:")
        for place, each in enumerate(hint.options):
            self._say(f"{each.choice:>3}  {options[each.choice].ljust(width)}  {_standing(place, each.close)}")
        if hint.aims:
            objective = self.session.scenario.rule_set.words.objective
            self._say(f"Which {objective} to aim at, the best first:")
            width = max(len(aim.objective) for aim in hint.aims)
            for place, aim in enumerate(hint.aims):
                self._say(f"     {aim.objective.ljust(width)}  {_standing(place, aim.close)}")

    def _undo(self, _: str) -> None:
        self.session.undo()
        self._keep()
        self._say("Your last decision is taken back.")
        self._show(log=False)

    def _log(self, _: str) -> None:
        happened = self.session.happened or ["nothing has happened yet"]
        self._rows(Row("log" if place == 0 else "", (text,)) for place, text in enumerate(happened))

    def _board(self, _: str) -> None:
        self._show(log=False)

    def _stacks(self, _: str) -> None:
        self._rows(self.session.view.supply())

    def _save(self, rest: str) -> None:
        try:
            file = path("save", rest).expanduser() if rest else self.file
        except RuntimeError:  # ~ of nobody
            raise BadInput("save", "", f"there is no home folder {_short(rest)}") from None
        with contextlib.nullcontext() if real(file) == real(self.file) else saved_games.held(file):
            saved_games.save(self.session, file, self.campaign)
        if file == self.file:
            self._problem = ""
        self._say(f"Saved in {file}.")

    def _keep(self) -> None:
        """Save the game where it is kept; a failure is said once and does not end the game."""
        try:
            saved_games.save(self.session, self.file, self.campaign)
            self._problem = ""
        except BadInput as error:
            if not self._problem:
                self._say(f"The game cannot be kept: {error}; save FILE takes another name.")
            self._problem = str(error)

    def _show(self, *, log: bool) -> None:
        view, finished = self.session.view, self.session.game.finished
        if log:
            self._say()
            self._log("")
        self._say()
        self._rows(view.result() if finished else view.position())
        if self._options:
            self._say()
            self._say("Choose what you claim:" if finished else view.question(), style="bold")
            for line in in_columns(self._options, width()):
                self._say(line)
        elif self.campaign is not None:
            self._say()
            self._say(self._end(self.campaign), style="bold")

    def _end(self, campaign: Campaign) -> str:
        games, words = len(campaign.objectives), self.session.scenario.rule_set.words
        if campaign.is_won:
            return f"You have won the campaign: all {games} {words.objectives} are claimed."
        place = len(campaign.won) + 1
        return f"You have lost the campaign: game {place} of {games} meets no {words.objective} that is open."

    def _ask(self) -> str | None:
        """Read a line; None at the end of the input."""
        prompt = f"0-{len(self._options) - 1} or ? > "
        if self._stdin is None:
            return None
        if self._stdin.isatty() and not self.quiet:
            try:
                with heard():
                    return input(prompt)
            except EOFError:
                self._say()
                return None
        line = self._stdin.readline()
        self._say(prompt + line.strip())
        return line or None

    def _rows(self, found: Iterable[Row]) -> None:
        for row in found:
            for label, text in lay_out(row, width()):
                self._line(label, text, strong=row.strong)

    def _say(self, text: str = "", *, style: str | None = None) -> None:
        self.lines.append(visible(text))
        if not self.quiet:
            say(text, style=style)

    def _line(self, label: str, text: str, *, strong: bool) -> None:
        """Print a label and its text, in colours where there are any."""
        whole = visible(f"{label}{text}").rstrip()
        self.lines.append(whole)
        if self.quiet:
            return
        if not on_terminal():
            say(whole)
            return
        from rich.text import Text

        styled = Text(whole, style="bold" if strong else "")
        styled.stylize("bold cyan" if strong else "cyan", 0, min(len(label), len(whole)))
        console().print(styled, soft_wrap=True)


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Let no signal get lost while a line is read.

    One that comes between `input`'s prompt and its waiting is noted by Python and looked at after the next key. So it
    is sent again as long as the block goes on.
    """
    if not hasattr(signal, "pthread_kill"):
        yield
        return
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    reader, over = threading.get_ident(), threading.Event()

    def send_again() -> None:
        while number := os.read(woken, 1):
            if not over.wait(AGAIN):
                signal.pthread_kill(reader, number[0])

    thread = threading.Thread(target=send_again, daemon=True)
    before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    thread.start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(before)
        os.close(wake)
        thread.join()
        os.close(woken)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Let signals that end a command wait for the end of the block.

    Blocking them in this thread would not do: a thread of some library would take them.
    """
    waiting: list[int] = []
    before: dict[int, Any] = {}
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and callable(signal.getsignal(number)):
            with contextlib.suppress(ValueError):  # only a main thread may set this
                before[number] = signal.signal(number, lambda number, _: waiting.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if waiting:
        signal.raise_signal(waiting[0])


def _short(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def width() -> int:
    """Return the columns to use."""
    return max(NARROWEST, min(WIDTH, console().width)) if on_terminal() else WIDTH


def lay_out(row: Row, columns: int) -> list[tuple[str, str]]:
    """Return a row as lines: (label, text), the label only on the first.

    Items stay whole where they fit on a line; a longer one is broken at spaces.
    """
    label = row.label if not row.items else row.label.ljust(LABELS - 1) + " "
    blank, room = " " * LABELS, columns - max(LABELS, len(label))
    lines: list[str] = [""]
    for place, item in enumerate(row.items):
        text = item + (SEPARATOR.rstrip() if place < len(row.items) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(text) <= room:
            lines[-1] += f" {text}"
            continue
        parts = [text] if len(text) <= room else _broken(text, room)
        lines = [*lines[:-1], *parts] if not lines[-1] else [*lines, *parts]
        room = columns - LABELS
    return [(label if place == 0 else blank, line) for place, line in enumerate(lines)]


def _standing(place: int, close: bool) -> str:
    """Say how an option stands to the best one, the first."""
    return "best" if place == 0 else "too close to call" if close else "worse"


def _broken(text: str, room: int) -> list[str]:
    return textwrap.wrap(text, room, subsequent_indent="  ", break_on_hyphens=False)


def in_columns(texts: Sequence[str], columns: int, few: int = 6) -> list[str]:
    """Return numbered texts from 0 on, one a line if they are few or long, else side by side, numbered downwards."""
    numbered = [f"{number:>3}  {text}" for number, text in enumerate(texts)]
    broad = max(map(len, numbered), default=1) + 2
    beside = max(1, (columns + 2) // broad) if len(texts) > few else 1
    high = -(-len(texts) // beside)
    lines = [numbered[place::high] for place in range(high)]
    return ["".join(text.ljust(broad) for text in line).rstrip() for line in lines]
