"""Policies by name or file: what a preset file says, checked.

A preset is one TOML file. A game's own ones stand in the folder `presets` of its `Shelf`; `nfsim tune` writes such
files, and a person may write one by hand: `kind = "weights"` with a table for each section of the game's parameters,
all of it or, with `inherit = "balanced"`, only what differs.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
import tomli_w
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from nfsim.errors import BadInput, nearest
from nfsim.files import parse_toml, read_text
from nfsim.policies.kinds import Kind
from nfsim.validation import checked

Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
MOST_BYTES = 1_000_000  # a policy is a page
PRESETS, AIMS, STARTS = "presets", "aims", "starts"  # folders of a shelf
LAST = {"planner": 1, "search": 2, "search_planner": 3}  # policies that look ahead are listed behind the others


class Thinking(BaseModel):
    """Table `thinking` of a preset that looks ahead.

    Attributes
    ----------
    plans : bool
        Aims at an objective, where there are any.
    plan_rollouts, plan_every : int
        Rollouts per open objective, and rounds between two plans.
    rollouts, candidates, horizon : int
        SEARCH: rollouts per option, options tried, rounds played on (0: to the end).
    weights : dict of str to str
        Presets by which rollouts are played, by the form of the game (`Shelf.forms`).
    aims : bool
        Whether to take the weights made for an objective where there are any.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    plans: bool = False
    plan_rollouts: Annotated[int, Field(ge=1, le=100_000)] = 32
    plan_every: Annotated[int, Field(ge=1, le=100)] = 1
    rollouts: Annotated[int, Field(ge=1, le=100_000)] = 64
    candidates: Annotated[int, Field(ge=1, le=512)] = 6
    horizon: Annotated[int, Field(ge=0, le=100)] = 0
    weights: dict[str, str] = Field(default_factory=dict)
    aims: bool = True


def _as_json(found: dict[str, Any]) -> dict[str, Any]:
    """Refuse what JSON cannot say: dates, and numbers that are none."""
    try:
        json.dumps(found, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("must hold nothing but text, finite numbers, true, false, lists and tables") from None
    return found


class _File(BaseModel):
    """A preset file, but for the sections of the game."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: Literal["uniform", "weights", "planner", "search"]
    plan: Annotated[str, Field(min_length=1, max_length=300)]
    inherit: str | None = None
    target: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    thinking: Thinking | None = None
    provenance: Annotated[dict[str, Any], AfterValidator(_as_json)] = Field(default_factory=dict)


@dataclass(frozen=True)
class Section:
    """A table of a preset file.

    Attributes
    ----------
    vector : str
        The vector that its numbers go to.
    places : mapping of str to int
        By key: place in the vector.
    """

    vector: str
    places: Mapping[str, int]


@dataclass(frozen=True)
class Preset:
    """A policy as its file says; what `nfsim.contract.rule_set.Policy` asks for.

    Attributes
    ----------
    shelf : Shelf
        Of its game.
    name : str
        Its label in the log.
    kind : Kind
    plan : str
        One line.
    vectors : mapping of str to ndarray of float64
        Its parameters; what is not named is 0.
    thinking : Thinking or None
        For PLANNER and SEARCH.
    provenance : dict
        How it was found: what was tuned, seeds, hash of the cards or tiles ….
    worth : ndarray of float64, shape (objective, 2), optional
        Of claiming each objective without and with help; by default each one counts 1, with no help.
    target : str, optional
        WEIGHTS: the objective it aims at.
    spec : str
        What finds it again: its name, or the whole path of its file.
    text : str
        What its file says.
    """

    shelf: Shelf = field(repr=False)
    name: str
    kind: Kind
    plan: str
    vectors: Mapping[str, NDArray[np.float64]] = field(repr=False)
    thinking: Thinking | None = None
    provenance: Mapping[str, Any] = field(default_factory=dict, repr=False)
    worth: NDArray[np.float64] | None = None
    target: str | None = None
    spec: str = ""
    text: str = field(default="", repr=False)

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return self.plan

    @property
    def compiled(self) -> bool:
        """Whether it decides inside the compiled code."""
        return self.kind != Kind.OWN

    @property
    def slow(self) -> bool:
        """Whether it looks ahead, or is a function in Python."""
        return self.kind == Kind.OWN or self.thinking is not None

    def called(self, name: str) -> Self:
        """Return the same policy under another label."""
        return replace(self, name=name)

    @property
    def plans(self) -> bool:
        """Whether it aims at objectives."""
        return self.thinking is not None and self.thinking.plans

    def aiming(self, objective: int, objectives: int) -> Self | None:
        """Return the same policy told that only one of so many objectives is open; None if it aims at none."""
        if not self.plans:
            return None
        worth = np.zeros((objectives, 2))
        worth[objective, 0] = 1.0
        return replace(self, worth=worth)

    def sections(self) -> dict[str, dict[str, float]]:
        """Return its parameters by section and name; those that are 0 are left out."""
        return {
            name: {
                key: float(self.vectors[section.vector][place])
                for key, place in section.places.items()
                if self.vectors[section.vector][place]
            }
            for name, section in self.shelf.sections.items()
        }

    def details(self) -> dict[str, Any]:
        """Return its kind and all that it plays by; parameters that are 0 are left out."""
        return {
            "kind": self.kind.name.lower(),
            **self.sections(),
            "target": self.target,
            "thinking": self.thinking.model_dump() if self.thinking is not None else None,
            "provenance": dict(self.provenance),
        }

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides how it plays, the weights of its rollouts included."""
        content = [self.kind.name.encode(), *(vector.tobytes() for vector in self.vectors.values())]
        if self.worth is not None:
            content.append(self.worth.tobytes())
        if self.target is not None:
            content.append(f"target {self.target}".encode())
        if self.thinking is not None:
            content.append(self.thinking.model_dump_json().encode())
            content += [self.shelf.get(name).digest.encode() for _, name in sorted(self.thinking.weights.items())]
            content.append(self.shelf.aims_digest.encode() if self.thinking.aims else b"")
        return hashlib.sha256(b"\0".join(content)).hexdigest()

    def written(self) -> str:
        """Return a WEIGHTS preset as a file that reads back equal; weights of 0 are left out."""
        content: dict[str, Any] = {"kind": "weights", "plan": self.plan}
        if self.target is not None:
            content["target"] = self.target
        content |= {name: values for name, values in self.sections().items() if values}
        return tomli_w.dumps({**content, "provenance": dict(self.provenance)})


@dataclass(frozen=True, eq=False)
class Shelf:
    """Where the presets of a game stand and what their numbers mean; a game has one, as a constant of a module.

    Its package has the folders `presets`, and if there are weights made for one objective each, `aims` and `starts`.

    Attributes
    ----------
    module, constant : str
        Where it stands: so it travels between processes.
    vectors : mapping of str to int
        Sizes of the parameter vectors; fields of the game's POLICY have the same names.
    sections : mapping of str to Section
        Tables of a preset file.
    forms : tuple of str
        Forms of the game for which rollouts can be played by presets of their own.
    order : tuple of str
        Presets that are listed first, in this order.
    usual : str
        Preset by which rollouts are played where none is named.
    least : mapping of (section, key) to float
        Parameters that may not be smaller, for any policy.
    groups : tuple of str
        Folders of `aims`; for each there is a file `starts/aim_GROUP.toml` with the weights for other objectives.
    """

    module: str
    constant: str
    vectors: Mapping[str, int]
    sections: Mapping[str, Section]
    forms: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    usual: str = "balanced"
    least: Mapping[tuple[str, str], float] = field(default_factory=dict)
    groups: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the name of the constant: what has been read stays with the process."""
        return _shelf, (self.module, self.constant)

    @cached_property
    def _folder(self) -> Traversable:
        return files(self.module.rpartition(".")[0])

    @cached_property
    def _file(self) -> type[_File]:
        tables: dict[str, Any] = {name: (dict[str, Number], Field(default_factory=dict)) for name in self.sections}
        return create_model("_File", __base__=_File, **tables)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the presets: simple ones first, then the tuned, then those that look ahead."""
        found = [entry.name.removesuffix(".toml") for entry in self._folder.joinpath(PRESETS).iterdir()]
        rank = {name: place for place, name in enumerate(self.order)}
        return tuple(sorted(found, key=lambda name: (LAST.get(name, 0), rank.get(name, len(rank)), name)))

    @cached_property
    def _read(self) -> dict[str, Preset]:
        return {}

    def get(self, name: str) -> Preset:
        """Return a preset of the game.

        Raises
        ------
        BadInput
            If there is none of that name; the nearest one is suggested.
        """
        if name not in self.names:
            raise BadInput("", "policy", f'unknown policy "{name}"', nearest(name, self.names))
        if name not in self._read:
            file = f"{name}.toml"
            text = self._folder.joinpath(PRESETS, file).read_text(encoding="utf-8")
            self._read[name] = self.parse(text, name, file)
        return self._read[name]

    def resolve(self, policy: str | Preset) -> Preset:
        """Return the preset of a name, or a preset as it is."""
        return self.get(policy) if isinstance(policy, str) else policy

    def read(self, path: Path) -> Preset:
        """Read a preset file of the user's; it is called by its file name.

        Raises
        ------
        BadInput
            Naming the file and what is wrong in it.
        """
        text = read_text(path, MOST_BYTES, "a policy file", "nfsim policies lists those that need no file")
        return replace(self.parse(text, path.stem, path), spec=str(path.resolve()))

    def parse(self, text: str, name: str, origin: object) -> Preset:
        """Read a preset's text.

        Raises
        ------
        BadInput
            If it is no TOML, or a key is unknown or out of range.
        """
        found = checked(self._file, parse_toml(text, origin), origin)
        vectors = self._inherited(found.inherit, name, origin)
        for table, section in self.sections.items():
            for key, value in getattr(found, table).items():
                if key not in section.places:
                    raise BadInput(origin, f"{table}.{key}", "is not a parameter", nearest(key, section.places))
                vectors[section.vector][section.places[key]] = value
        for (table, key), least in self.least.items():
            value = vectors[self.sections[table].vector][self.sections[table].places[key]]
            if value < least:
                raise BadInput(origin, f"{table}.{key}", f"must be at least {least:g}, not {value:g}")
        kind = Kind[found.kind.upper()]
        if found.target is not None and kind != Kind.WEIGHTS:
            problem = f'is not for kind "{found.kind}"'
            raise BadInput(origin, "target", problem, 'kind = "weights" can aim at an objective')
        self._check_thinking(kind, found.thinking, origin)
        return Preset(
            self,
            name,
            kind,
            found.plan,
            vectors,
            found.thinking,
            found.provenance,
            target=found.target,
            spec=name,
            text=text,
        )

    def _check_thinking(self, kind: Kind, thinking: Thinking | None, origin: object) -> None:
        ahead, word = kind in (Kind.PLANNER, Kind.SEARCH), kind.name.lower()
        if ahead and thinking is None:
            raise BadInput(origin, "thinking", f'is missing for kind "{word}"', "add a table [thinking]")
        if not ahead and thinking is not None:
            raise BadInput(origin, "thinking", f'is not for kind "{word}"', "planner and search look ahead")
        for form, preset in thinking.weights.items() if thinking is not None else ():
            where = f"thinking.weights.{form}"
            if form not in self.forms:
                raise BadInput(origin, where, "is no form of the game", nearest(form, self.forms))
            if preset not in self.names:
                raise BadInput(origin, where, f'unknown policy "{preset}"', nearest(preset, self.names))
            if self.get(preset).kind != Kind.WEIGHTS:
                raise BadInput(origin, where, f"{preset} has no weights", 'take a preset of kind "weights"')

    def zeros(self) -> dict[str, NDArray[np.float64]]:
        """Return parameters that are all 0."""
        return {name: np.zeros(size) for name, size in self.vectors.items()}

    def _inherited(self, parent: str | None, name: str, origin: object) -> dict[str, NDArray[np.float64]]:
        """Return the numbers that a preset begins with: those of the preset of the game it inherits from, else 0."""
        if parent is None:
            return self.zeros()
        # a Path: a user's file of that name
        if parent not in self.names or (parent == name and not isinstance(origin, Path)):
            problem = f'there is no policy "{parent}" to inherit from'
            raise BadInput(origin, "inherit", problem, nearest(parent, self.names))
        found = self.get(parent)
        if found.kind != Kind.WEIGHTS:
            raise BadInput(origin, "inherit", f"{parent} has no weights", 'take a preset of kind "weights"')
        return {key: vector.copy() for key, vector in found.vectors.items()}

    @cache  # noqa: B019 - a game has one shelf
    def aimed(self, group: str) -> dict[str, Preset]:
        """Return the weights made for one objective each, by the names of their files, of a group.

        Each is a preset file `aims/GROUP/NAME.toml`, found by `nfsim tune --objective` like any other.
        """
        folder = self._folder.joinpath(AIMS, group)
        found = {}
        for file in sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else ():
            name = file.name.removesuffix(".toml")
            found[name] = self.parse(file.read_text(encoding="utf-8"), name, f"{AIMS}/{group}/{file.name}")
        return found

    @cache  # noqa: B019 - a game has one shelf
    def aimed_else(self, group: str) -> Preset:
        """Return the weights for an objective that has none of its own: with them searches began."""
        name = f"aim_{group}.toml"
        return self.parse(self._folder.joinpath(STARTS, name).read_text(encoding="utf-8"), name, name)

    @cached_property
    def aims_digest(self) -> str:
        """SHA-256 of all weights made for one objective each."""
        found = [f"{name} {preset.digest}" for name, preset in sorted(self._all_aimed())]
        return hashlib.sha256("\n".join(found).encode()).hexdigest()

    def _all_aimed(self) -> Iterator[tuple[str, Preset]]:
        for group in self.groups:
            yield group, self.aimed_else(group)
            for name, preset in self.aimed(group).items():
                yield f"{group}/{name}", preset


def _shelf(module: str, constant: str) -> Shelf:
    found: Shelf = getattr(importlib.import_module(module), constant)
    return found


def distinct(policies: Sequence[str | Preset]) -> list[str]:
    """Return the names of some policies, each once, in order: the labels of the column `policy`."""
    return list(dict.fromkeys(policy if isinstance(policy, str) else policy.name for policy in policies))


def file_name(text: str) -> str:
    """Return a text as the name of a file: ``Great Victory!`` is ``great_victory_``."""
    return re.sub("[^a-z0-9]+", "_", text.lower())
