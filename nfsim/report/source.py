"""The runs a report is about: their tables, and what their manifests say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.contract.rule_set import NAMES
from nfsim.errors import BadInput
from nfsim.log.read import load
from nfsim.report.log_checks import check_sound
from nfsim.stats.frames import blocks, games, players


@dataclass(frozen=True)
class Condition:
    """A solo condition: name, VP threshold, what else it requires, and what of that no source gives."""

    name: str
    vp: int
    requires: str
    doubt: str = ""

    @property
    def needs(self) -> str:
        """The whole requirement in words."""
        parts = (f"{self.vp}+ VPs" if self.vp else "", self.requires.replace("_", " "))
        return "; ".join(filter(None, parts)) + (f" ({self.doubt})" if self.doubt else "")


@dataclass(frozen=True)
class Source:
    """One run.

    Attributes
    ----------
    folder : Path
        Where it was written.
    manifest : mapping
        What it says about itself.
    tables : mapping
        Table name to LazyFrame.
    games, players : int
        Games logged; seats with an empire.
    label : str
        What charts call it, unlike the labels of the runs it is compared with.
    """

    folder: Path
    manifest: Mapping[str, Any]
    tables: Mapping[str, pl.LazyFrame]
    games: int
    players: int
    label: str = ""
    conditions: tuple[Condition, ...] = field(default=())

    def say(self, *keys: str, default: Any = "") -> Any:
        """Return what the manifest has under nested keys, or the default."""
        found: Any = self.manifest
        for key in keys:
            if not isinstance(found, Mapping) or key not in found:
                return default
            found = found[key]
        return found

    @property
    def game(self) -> str:
        """The rule set that was played."""
        return str(self.say("game") or self.say("scenario", "game") or NAMES[0])

    @property
    def title(self) -> str:
        """The scenario's title."""
        return str(self.say("title") or self.say("scenario", "title") or self.folder.name)

    @property
    def length(self) -> str:
        """The length of a solo game in words; '' for other games."""
        rounds = self.say("scenario", "setup", "rounds", default=None)
        return f"{rounds} rounds" if self.players == 1 and isinstance(rounds, int) else ""

    @property
    def seat_policies(self) -> list[str]:
        """The policies by seat."""
        named = self.say("policies", default=[])
        return [named] * self.players if isinstance(named, str) else [str(name) for name in named]

    @property
    def policies(self) -> str:
        """The policies by seat, one name if all are the same."""
        names = self.seat_policies
        return ", ".join(names if len(set(names)) > 1 else names[:1])

    def logs(self, table: str, *columns: str) -> bool:
        """Tell whether a table was logged with some columns: other levels and older versions lack some."""
        return table in self.tables and set(columns) <= set(self.tables[table].collect_schema())

    def blocks(self, size: int | None = None) -> Iterator[Source]:
        """Cut the run into pieces of so many games, see `nfsim.stats.frames.blocks`; `games` is that of the run."""
        return (replace(self, tables=tables) for tables in blocks(self.tables, size))

    @property
    def group(self) -> tuple[str, int, str]:
        """What a run must share with others to be compared with them: game, players, and the solo campaign."""
        listed = self.say("objectives", default=[])
        return self.game, self.players, str(listed[0].get("campaign", "")) if listed else ""


def read(folder: Path) -> Source:
    """Open a run.

    Raises
    ------
    BadInput
        If the folder is not a finished run.
    """
    run = load(folder)
    manifest: Mapping[str, Any] = run.manifest
    if "campaigns" in run:
        raise BadInput(folder, "", "holds campaigns, not games", "nfsim campaign prints and charts them")
    check_sound(folder, run)
    tables = {name: run[name] for name in run}
    listed = manifest.get("objectives") or []
    return Source(
        folder=folder,
        manifest=manifest,
        tables=tables,
        games=games(tables),
        players=players(tables),
        conditions=tuple(
            Condition(
                str(c.get("name", "")),
                int(c.get("score") or 0),
                str(c.get("requires") or ""),
                str(c.get("doubt") or ""),
            )
            for c in listed
        ),
    )
