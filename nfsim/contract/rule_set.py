"""What every game must offer to be run, logged and replayed, and the registry that finds it by name.

A rule set is a package ``nfsim/games/<name>`` with a module ``ruleset`` that holds ``RULE_SET``. Everything
that runs games knows only this contract. The modules of a game are imported on first use, so that the
command line starts quickly and compiles nothing it does not need.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.catalogue import Catalogue
from nfsim.contract.objectives import DEFAULT_WORDS, Campaign, Length, Objective, Words
from nfsim.contract.series import SeriesRules
from nfsim.contract.tables import LEVELS, Table
from nfsim.contract.tuner import Aim, Tuner
from nfsim.contract.view import Hint, View
from nfsim.errors import BadInput, nearest

NAMES = ("new_frontiers",)
"""Rule sets that exist; a new one is a folder beside the others and its name here."""


class Prepared(Protocol):
    """A scenario's game, checked and ready to play: everything that does not change from game to game."""

    @property
    def tile_hash(self) -> str:
        """SHA-256 of the tile set after patches."""

    @property
    def rulings(self) -> Mapping[str, str]:
        """Reading in force for every ruling, by switch."""


class Engine(Protocol):
    """Plays games and holds the rows they wrote. One engine belongs to one thread of one process.

    Attributes
    ----------
    asked, options_seen : ndarray of int64, axis decision
        Decisions asked and options offered in them since the engine was made or `reset`.
    """

    asked: NDArray[np.int64]
    options_seen: NDArray[np.int64]

    def play(self, root: int, first: int, count: int) -> int:
        """Play games ``first``, ``first + 1`` … and replace the rows held by theirs.

        Returns
        -------
        int
            Games played: at most `count`, at least 1, as many as fit in the buffers.
        """

    def rows(self) -> Mapping[str, Any]:
        """Return the rows of the last call by table: recarrays that the next call overwrites."""

    def reset(self) -> None:
        """Set `asked` and `options_seen` to zero."""


class Game(Protocol):
    """One game played decision by decision.

    Attributes
    ----------
    rounds_ended : int
        Rounds that are over.
    """

    rounds_ended: int

    @property
    def finished(self) -> bool:
        """Whether the game is over."""

    @property
    def decision(self) -> tuple[int, int]:
        """Seat that must decide, and the code of what."""

    @property
    def options(self) -> Sequence[object]:
        """Legal choices; empty when the game is over."""

    def choose(self, choice: int) -> None:
        """Carry out an option and play on to the next decision."""

    def suggest(self) -> int:
        """Return the option that the acting seat's policy would choose."""

    def advice(self, rollouts: int = 200) -> Hint:
        """Return what a strong policy expects of the options at hand, after so many games tried with each."""

    def claims(self) -> Sequence[int]:
        """Return how the game at its end can claim each objective, as codes of `nfsim.contract.series`."""

    def scores(self) -> Sequence[Mapping[str, int]]:
        """Return every player's score and its parts, the total first."""

    def transcript(self) -> Iterator[str]:
        """Play on to the end and yield what happens, line by line."""


class Ruling(Protocol):
    """One point that the rules leave open."""

    @property
    def cite(self) -> str:
        """Number as cited: R1, R2 …."""

    @property
    def switch(self) -> str:
        """Key under ``[rules]`` in a scenario."""

    @property
    def question(self) -> str:
        """What is open."""

    @property
    def choices(self) -> tuple[str, ...]:
        """Readings that can be chosen."""

    @property
    def seed(self) -> str:
        """Reading under the profile ``seed``."""

    @property
    def table(self) -> str:
        """Reading under the profile ``table``."""

    @property
    def sources(self) -> str:
        """Where the readings come from."""


class Policy(Protocol):
    """Who decides for a seat; `engine` and `game` of the rule set take it. It can travel between processes."""

    @property
    def name(self) -> str:
        """Its label in the log."""

    @property
    def summary(self) -> str:
        """What it does, in one line."""

    @property
    def digest(self) -> str:
        """SHA-256 of what decides how it plays: another digest plays other games."""

    @property
    def spec(self) -> str:
        """What finds it again: a name, the whole path of a file, or ``module:function``."""

    @property
    def text(self) -> str:
        """What its file says."""

    @property
    def compiled(self) -> bool:
        """Whether it decides inside compiled code; otherwise processes play faster than threads."""

    @property
    def slow(self) -> bool:
        """Whether it plays less than about a thousand games a second: runs are then cut into smaller chunks."""

    def called(self, name: str) -> Policy:
        """Return the same policy under another label."""

    def aiming(self, objective: int, objectives: int) -> Policy | None:
        """Return the same policy aiming at one objective, as if it alone were open; None if it cannot aim."""

    def details(self) -> dict[str, Any]:
        """Return what it plays by, ready for JSON; ``kind`` comes first."""


def _without_words(_key: str, _value: str) -> str:
    return ""


@dataclass(frozen=True)
class RuleSet:
    """One game's rules as the rest of the program sees them.

    Attributes
    ----------
    name, title : str
        Name of the package and of the game.
    version : str
        Raised with every change that changes results.
    section : tuple of str
        Top-level keys of a scenario that `read_settings` takes.
    tables : tuple of Table
        Tables in the order of the row buffers.
    decisions : tuple of str
        Names of the kinds of decision, by code.
    rulings : tuple of Ruling
        Open points of the rules.
    read_settings : callable
        ``(data, file) -> settings``: checks the game's part of a scenario; raises `BadInput` naming `file`.
    dump : callable
        ``settings -> dict``: all keys with their values, defaults included; `read_settings` reads it back.
    prepare : callable
        ``(settings, origin) -> Prepared``; `origin` is the file named in errors.
    players : callable
        ``prepared -> int``: seats that a policy decides for.
    labels : callable
        ``(prepared, list) -> labels by code`` for the lists that columns name; '' where a code is unused.
    provenance : callable
        ``prepared -> dict``: counts of records by status, and ``text``, the sentence every result carries.
    objectives : callable
        ``prepared -> objectives`` that are open, in the order of their codes in the table ``objectives``; none if the
        game has none.
    facts : callable
        ``prepared -> dict``: what this game's reports need besides the tables; it stands in the manifest.
    policies : callable
        ``() -> policies`` that are built in.
    policy : callable
        ``(spec, origin, base) -> Policy``: the policy that a text names. A file is looked up from the folder
        `base`; `origin` is the file or option named in errors.
    engine : callable
        ``(prepared, policies, level) -> Engine`` with one `Policy`, or name of one, per seat.
    game : callable
        ``(prepared, policies, root, number) -> Game``.
    view : callable, optional
        ``(game, seat) -> View``, for a game just begun; without it no person can play the game.
    tuner : callable, optional
        ``(prepared, aim) -> Tuner``; without it the game's policies cannot be tuned.
    levels : tuple of str
        Log levels; each writes its own tables and those of all before it. The first are `nfsim.contract.tables.LEVELS`.
    words : Words
        What the game calls what every game has.
    setting : callable
        ``(key, value) -> words``: a setting as titles and labels say it, ``("setup.rounds", "12") -> "12 rounds"``; the
        value as TOML writes it; '' where the game has no words for it.
    campaigns : tuple of Campaign
        What ``nfsim difficulty`` can ask about; none: it takes scenarios only.
    lengths : tuple of Length
        Lengths of its solo form, the shortest first; with fewer than two there are none to compare.
    other_tables : tuple of Table
        Tables that commands of their own write, by the command: `(command, table)`.
    notes : callable, optional
        ``(prepared, policies) -> sentences`` about policies that a reader of results should know.
    catalogue : callable, optional
        ``() -> Catalogue``: cards or tiles as records; without it only keys of scenarios can be swept.
    series : callable, optional
        ``() -> SeriesRules``: how campaigns are played out as a series of games; without it they are not.
    metrics : callable, optional
        ``() -> nfsim.report.metrics.Metrics``: what reports and studies show of this game besides the standard columns.
    tuned : callable, optional
        ``prepared -> name`` of the built-in policy whose weights are tuned for such a game: what studies play beside
        the policy of a scenario.
    stored : Path, optional
        File of rates of a strong player that were measured once (`nfsim.studies.stored`).
    """

    name: str
    title: str
    version: str
    section: tuple[str, ...]
    tables: tuple[Table, ...]
    decisions: tuple[str, ...]
    rulings: tuple[Ruling, ...]
    read_settings: Callable[[Mapping[str, Any], object], Any]
    dump: Callable[[Any], dict[str, Any]]
    prepare: Callable[[Any, object], Any]
    players: Callable[[Any], int]
    labels: Callable[[Any, str], Sequence[str]]
    provenance: Callable[[Any], dict[str, Any]]
    objectives: Callable[[Any], Sequence[Objective]]
    facts: Callable[[Any], dict[str, Any]]
    policies: Callable[[], Sequence[Policy]]
    policy: Callable[[str, object, Path], Policy]
    engine: Callable[[Any, Sequence[Any], str], Engine]
    game: Callable[[Any, Sequence[Any], int, int], Game]
    view: Callable[[Any, int], View] | None = None
    tuner: Callable[[Any, Aim], Tuner] | None = None
    notes: Callable[[Any, Sequence[Any]], Sequence[str]] | None = None
    levels: tuple[str, ...] = LEVELS
    words: Words = DEFAULT_WORDS
    setting: Callable[[str, str], str] = _without_words
    campaigns: tuple[Campaign, ...] = ()
    lengths: tuple[Length, ...] = ()
    other_tables: tuple[tuple[str, Table], ...] = ()
    catalogue: Callable[[], Catalogue] | None = None
    series: Callable[[], SeriesRules] | None = None
    metrics: Callable[[], Any] | None = None
    tuned: Callable[[Any], str] | None = None
    stored: Path | None = None

    def need_catalogue(self, origin: object) -> Catalogue:
        """Return the catalogue; raises `BadInput` that names `origin` if the game has none."""
        if self.catalogue is None:
            raise BadInput(origin, "", f"{self.title} has no {self.words.records} to look up or change")
        return self.catalogue()

    def tables_at(self, level: str) -> tuple[Table, ...]:
        """Return the tables that a log level writes."""
        return tuple(table for table in self.tables if self.writes(level, table))

    def writes(self, level: str, table: Table) -> bool:
        """Tell whether a log level writes a table."""
        return self.levels.index(table.level) <= self.levels.index(level)


def load_rule_set(name: str, file: object = "", key: str = "game") -> RuleSet:
    """Import a rule set.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    file, key : object, str
        Where the name stands, for the error.

    Raises
    ------
    BadInput
        If there is no rule set of that name.
    """
    if name not in _REGISTRY:
        raise BadInput(file, key, f'unknown game "{name}"', nearest(name, _REGISTRY))
    found = _REGISTRY[name]
    if isinstance(found, str):
        found = _REGISTRY[name] = importlib.import_module(found).RULE_SET
    return found


def register(rule_set: RuleSet) -> None:
    """Add a rule set that is not part of the package, for example a small one made for a test."""
    _REGISTRY[rule_set.name] = rule_set


_REGISTRY: dict[str, RuleSet | str] = {name: f"nfsim.games.{name}.ruleset" for name in NAMES}
