"""The runs a report is about: their tables, and what their manifests say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.contract.objectives import Objective, Words, together
from nfsim.contract.rule_set import NAMES, RuleSet, load_rule_set
from nfsim.errors import BadInput
from nfsim.log.read import load
from nfsim.report.log_checks import check_sound
from nfsim.report.metrics import DEFAULT, Metrics
from nfsim.stats.frames import blocks, games, label, players


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
        Games logged; seats that a policy decides for.
    label : str
        What charts call it, unlike the labels of the runs it is compared with.
    objectives : tuple of Objective
        What was to be reached; none if the game has no objectives.
    """

    folder: Path
    manifest: Mapping[str, Any]
    tables: Mapping[str, pl.LazyFrame]
    games: int
    players: int
    label: str = ""
    objectives: tuple[Objective, ...] = field(default=())

    def say(self, *keys: str, default: Any = "") -> Any:
        """Return what the manifest has under nested keys, or the default."""
        found: Any = self.manifest
        for key in keys:
            if not isinstance(found, Mapping) or key not in found:
                return default
            found = found[key]
        return found

    def catalogue(self, *keys: str, default: Any = "") -> Any:
        """Return what the manifest says about the records that were played, as `say` does."""
        return self.say("tiles", *keys, default=default)

    @property
    def game(self) -> str:
        """The rule set that was played."""
        return str(self.say("game") or self.say("scenario", "game") or NAMES[0])

    @property
    def title(self) -> str:
        """The scenario's title."""
        return str(self.say("title") or self.say("scenario", "title") or self.folder.name)

    @property
    def rules(self) -> RuleSet:
        """The game's rule set."""
        return load_rule_set(self.game, self.folder)

    @property
    def words(self) -> Words:
        """What the game calls what every game has."""
        return self.rules.words

    @property
    def metrics(self) -> Metrics:
        """What the game tells about its figures."""
        metrics: Metrics = self.rules.metrics() if self.rules.metrics is not None else DEFAULT
        return metrics

    @property
    def rounds(self) -> int | None:
        """The rounds that a game with one player was set to; None where its rules have no lengths to choose from."""
        if self.players != 1:
            return None
        keys = {key for each in self.rules.lengths for key, value in each.settings.items() if value == each.rounds}
        found = [self.say("scenario", *key.split("."), default=None) for key in keys]
        return next((value for value in found if isinstance(value, int)), None)

    @property
    def length(self) -> str:
        """The length of a game with one player in words, where there are lengths to choose from; '' for other games."""
        return f"{self.rounds} rounds" if self.rounds is not None else ""

    @property
    def longer(self) -> bool:
        """Whether a game with one player is played by a longer length than the shortest."""
        lengths = self.rules.lengths
        if self.players != 1 or not lengths:
            return False
        for place, each in enumerate(lengths):
            others = {key: value for key, value in each.settings.items() if value != each.rounds}
            if others and all(self.say("scenario", *key.split("."), default=None) == v for key, v in others.items()):
                return place > 0
        return self.rounds is not None and self.rounds > lengths[0].rounds

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
    def campaign(self) -> str:
        """The campaign that its objectives belong to, in words; '' if they stand alone."""
        name = self.objectives[0].campaign if self.objectives else ""
        titles = {each.name: each.title for each in self.rules.campaigns}
        return titles.get(name, f"Campaign {name}") if name else ""

    @property
    def group(self) -> tuple[str, int, str]:
        """What a run must share with others to be compared with them: game, players, and the campaign."""
        return self.game, self.players, self.campaign


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
    groups = together(list(map(objective_of, manifest.get("objectives") or [])))
    if any(len(names) > 1 for names in groups.values()) and "objectives" in tables:
        tables["objectives"] = titled(tables["objectives"], {each.name: names[0] for each, names in groups.items()})
    return Source(
        folder=folder,
        manifest=manifest,
        tables=tables,
        games=games(tables),
        players=players(tables),
        objectives=tuple(groups),
    )


def titled(table: pl.LazyFrame, names: Mapping[str, str]) -> pl.LazyFrame:
    """Return the rows of some objectives under other names.

    Parameters
    ----------
    table : LazyFrame
        `objectives`.
    names : mapping of str to str
        By new name: that in the table.
    """
    new = {old: name for name, old in names.items()}
    kept = table.filter(label("objective").is_in(list(new)))
    return kept.with_columns(label("objective").replace_strict(new, return_dtype=pl.Enum(list(names))))


def read_otherwise(source: Source, objective: str, title: str) -> Source:
    """Return a run for one of its objectives alone, under a title."""
    (found,) = (each for each in source.objectives if each.name == objective)
    tables = {**source.tables, "objectives": titled(source.tables["objectives"], {title: objective})}
    return replace(source, tables=tables, objectives=(replace(found, name=title),))


def objective_of(found: Mapping[str, Any]) -> Objective:
    """Return an objective as a manifest lists it."""
    requires, doubt, campaign = (str(found.get(key) or "") for key in ("requires", "doubt", "campaign"))
    return Objective(str(found.get("name", "")), int(found.get("score") or 0), requires, doubt, campaign)
