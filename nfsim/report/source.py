"""The runs a report is about: their tables, what their manifests say, and what to call them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from nfsim.errors import BadInput
from nfsim.log.read import load
from nfsim.stats.outcomes import games, players

MOST_RUNS = 6  # compared in one chart: more cannot be told apart


@dataclass(frozen=True)
class Condition:
    """A solo condition as printed: name, VP threshold, what else it requires."""

    name: str
    vp: int
    requires: str

    @property
    def needs(self) -> str:
        """The whole requirement in words."""
        return "; ".join(
            part for part in (f"{self.vp}+ VPs" if self.vp else "", self.requires.replace("_", " ")) if part
        )


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
    def title(self) -> str:
        """The scenario's title."""
        return str(self.say("title") or self.say("scenario", "title") or self.folder.name)

    @property
    def length(self) -> str:
        """The length of a solo game in words; '' for other games."""
        rounds = self.say("scenario", "setup", "rounds", default=None)
        return f"{rounds} rounds" if self.players == 1 and isinstance(rounds, int) else ""

    @property
    def policies(self) -> str:
        """The policies by seat, one name if all are the same."""
        named = self.say("policies", default=[])
        names = [named] if isinstance(named, str) else [str(name) for name in named]
        return ", ".join(names if len(set(names)) > 1 else names[:1])

    @property
    def group(self) -> tuple[int, str]:
        """What a run must share with others to be compared with them: players, and the solo campaign."""
        listed = self.say("conditions", default=[])
        return self.players, str(listed[0].get("campaign", "")) if listed else ""


def read(folder: Path) -> Source:
    """Open a run.

    Raises
    ------
    BadInput
        If the folder is not a finished run.
    """
    run = load(folder)
    manifest: Mapping[str, Any] = run.manifest
    tables = {name: run[name] for name in ("games", "seats", "goals", "conditions") if name in run}
    listed = manifest.get("conditions") or []
    return Source(
        folder=folder,
        manifest=manifest,
        tables=tables,
        games=games(tables),
        players=players(tables),
        conditions=tuple(
            Condition(str(c.get("name", "")), int(c.get("vp") or 0), str(c.get("requires") or "")) for c in listed
        ),
    )


def read_all(folders: Sequence[Path]) -> list[list[Source]]:
    """Open runs and sort them into groups that can be compared, each run with its label.

    Parameters
    ----------
    folders : sequence of Path
        Run folders; one named twice counts once.

    Returns
    -------
    list of list of Source
        Groups in the order of their first run, at most `MOST_RUNS` runs in each.
    """
    if not folders:
        raise BadInput("report", "RUNS", "no run folder given", "name at least one folder written by nfsim run")
    groups: dict[tuple[int, str], list[Source]] = {}
    for folder in {folder.resolve(): folder for folder in folders}.values():
        source = read(folder)
        groups.setdefault(source.group, []).append(source)
    chunks = [g[i : i + MOST_RUNS] for g in groups.values() for i in range(0, len(g), MOST_RUNS)]
    return [labelled(chunk) for chunk in chunks]


def labelled(group: Sequence[Source]) -> list[Source]:
    """Give each run of a group the shortest label that tells them apart."""
    parts: list[Callable[[Source], str]] = [
        lambda s: s.length or s.title,
        lambda s: s.policies,
        lambda s: f"seed {s.say('seed')}",
        lambda s: s.title,
        lambda s: s.folder.name,
        lambda s: str(s.folder),
    ]
    ways: list[list[Callable[[Source], str]]] = [
        parts[:1],
        parts[:2],
        [parts[3]],
        parts[:3],
        [parts[3], parts[4]],
    ]
    for way in [*ways, [parts[5]]]:
        labels = [", ".join(part(source) for part in way) for source in group]
        if len(set(labels)) == len(labels):
            break
    return [replace(source, label=label) for source, label in zip(group, labels, strict=True)]
