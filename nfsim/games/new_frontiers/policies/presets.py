"""Policies by name or file: what a preset file says, checked.

A preset is one TOML file. The built-in ones stand in `presets/`; `nfsim tune` writes such files, and a person may
write one by hand: `kind = "weights"` with the tables `effects`, `params` and `likes`, all of it or, with
`inherit = "balanced"`, only what differs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from nfsim.engine.rules import Kind
from nfsim.errors import BadInput, nearest
from nfsim.files import parse_toml, read_text
from nfsim.games.new_frontiers.codes import Class, Effect, label
from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.games.new_frontiers.policies.kinds import PARAMS
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.validation import checked

Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
MOST_BYTES = 1_000_000  # a policy is a page
ORDER = ("uniform", "balanced", "military", "xeno_hunter", "consumer", "trader", "colonizer", "builder", "goal_chaser")
PLACES: dict[str, dict[str, int]] = {
    "effects": {label(effect): int(effect) for effect in Effect},
    "params": {label(param): int(param) for param in Param},
    "likes": {label(class_): int(class_) for class_ in Class},
}
"""Keys of a preset's tables, with their places in the vectors."""


class Thinking(BaseModel):
    """Table `thinking` of a preset that looks ahead.

    Attributes
    ----------
    plans : bool
        Solo: aims at a condition.
    plan_rollouts, plan_every : int
        Rollouts per open condition, and rounds between two plans.
    rollouts, candidates, horizon : int
        SEARCH: rollouts per option, options tried, rounds played on (0: to the end).
    weights : dict of str to str
        Presets by which rollouts are played: `solo_short`, `solo_long`, `players_2`, `players`.
    aims : bool
        Whether to take the weights made for a condition where there are any (`aims.py`).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    plans: bool = False
    plan_rollouts: Annotated[int, Field(ge=1, le=100_000)] = 32
    plan_every: Annotated[int, Field(ge=1, le=100)] = 1
    rollouts: Annotated[int, Field(ge=1, le=100_000)] = 64
    candidates: Annotated[int, Field(ge=1, le=512)] = 6
    horizon: Annotated[int, Field(ge=0, le=100)] = 0
    weights: dict[Literal["solo_short", "solo_long", "players_2", "players"], str] = Field(default_factory=dict)
    aims: bool = True


def _as_json(found: dict[str, Any]) -> dict[str, Any]:
    """Refuse what JSON cannot say: dates, and numbers that are none."""
    try:
        json.dumps(found, allow_nan=False)
    except (TypeError, ValueError):
        raise ValueError("must hold nothing but text, finite numbers, true, false, lists and tables") from None
    return found


class _File(BaseModel):
    """A preset file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: Literal["uniform", "weights", "planner", "search"]
    plan: Annotated[str, Field(min_length=1, max_length=300)]
    inherit: str | None = None
    effects: dict[str, Number] = Field(default_factory=dict)
    params: dict[str, Number] = Field(default_factory=dict)
    likes: dict[str, Number] = Field(default_factory=dict)
    target: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    thinking: Thinking | None = None
    provenance: Annotated[dict[str, Any], AfterValidator(_as_json)] = Field(default_factory=dict)


@dataclass(frozen=True)
class Preset:
    """A policy as its file says; what `nfsim.contract.rule_set.Policy` asks for.

    Attributes
    ----------
    name : str
        Its label in the log.
    kind : Kind
    plan : str
        One line.
    params : ndarray of float64, shape (PARAMS,)
        By `Effect` and `Param`; what is not named is 0.
    likes : ndarray of float64, shape (CLASSES,)
    thinking : Thinking or None
        For PLANNER and SEARCH.
    provenance : dict
        How it was found: objective, seeds, tile-set hash ….
    worth : ndarray of float64, shape (condition, 2), optional
        Of claiming each condition without and with the chip; by default each condition counts 1, no chip.
    target : str, optional
        WEIGHTS: the win condition it aims at.
    spec : str
        What finds it again: its name, or the whole path of its file.
    text : str
        What its file says.
    """

    name: str
    kind: Kind
    plan: str
    params: NDArray[np.float64] = field(repr=False)
    likes: NDArray[np.float64] = field(repr=False)
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
        """Whether it aims at conditions of a solo game."""
        return self.thinking is not None and self.thinking.plans

    def aiming(self, condition: int, conditions: int) -> Self | None:
        """Return the same policy told that only one of so many conditions is open; None if it aims at none."""
        if not self.plans:
            return None
        worth = np.zeros((conditions, 2))
        worth[condition, 0] = 1.0
        return replace(self, worth=worth)

    def details(self) -> dict[str, Any]:
        """Return its kind and all that it plays by; parameters that are 0 are left out."""
        vectors = {"effects": self.params, "params": self.params, "likes": self.likes}
        return {
            "kind": self.kind.name.lower(),
            **{
                section: {key: float(vector[place]) for key, place in PLACES[section].items() if vector[place]}
                for section, vector in vectors.items()
            },
            "target": self.target,
            "thinking": self.thinking.model_dump() if self.thinking is not None else None,
            "provenance": dict(self.provenance),
        }

    @property
    def digest(self) -> str:
        """SHA-256 of all that decides how it plays, the weights of its rollouts included."""
        from nfsim.games.new_frontiers.policies import aims

        content = [self.kind.name.encode(), self.params.tobytes(), self.likes.tobytes()]
        if self.worth is not None:
            content.append(self.worth.tobytes())
        if self.target is not None:
            content.append(f"target {self.target}".encode())
        if self.thinking is not None:
            content.append(self.thinking.model_dump_json().encode())
            content += [get(name).digest.encode() for _, name in sorted(self.thinking.weights.items())]
            content.append(aims.digest().encode() if self.thinking.aims else b"")
        return hashlib.sha256(b"\0".join(content)).hexdigest()


def parse(text: str, name: str, origin: object) -> Preset:
    """Read a preset's text.

    Raises
    ------
    BadInput
        If it is no TOML, or a key is unknown or out of range.
    """
    found = checked(_File, parse_toml(text, origin), origin)
    values, likes = _inherited(found.inherit, name, origin)
    for section, target in (("effects", values), ("params", values), ("likes", likes)):
        places = PLACES[section]
        for key, value in getattr(found, section).items():
            if key not in places:
                raise BadInput(origin, f"{section}.{key}", "is not a parameter", nearest(key, places))
            target[places[key]] = value
    if values[Param.EXPLORE_BONUS] < 0:  # -1 would divide by 0
        raise BadInput(origin, "params.explore_bonus", f"must be at least 0, not {values[Param.EXPLORE_BONUS]:g}")
    kind = Kind[found.kind.upper()]
    thinking = found.thinking
    if kind in (Kind.PLANNER, Kind.SEARCH) and thinking is None:
        raise BadInput(origin, "thinking", f'is missing for kind "{found.kind}"', "add a table [thinking]")
    if kind not in (Kind.PLANNER, Kind.SEARCH) and thinking is not None:
        raise BadInput(origin, "thinking", f'is not for kind "{found.kind}"', "planner and search look ahead")
    if found.target is not None and kind != Kind.WEIGHTS:
        raise BadInput(origin, "target", f'is not for kind "{found.kind}"', 'kind = "weights" can aim at a condition')
    if thinking is not None:
        for key, preset in thinking.weights.items():
            where = f"thinking.weights.{key}"
            if preset not in names():
                raise BadInput(origin, where, f'unknown policy "{preset}"', nearest(preset, names()))
            if get(preset).kind != Kind.WEIGHTS:
                raise BadInput(origin, where, f"{preset} has no weights", 'take a preset of kind "weights"')
    return Preset(
        name, kind, found.plan, values, likes, thinking, found.provenance, target=found.target, spec=name, text=text
    )


def _inherited(parent: str | None, name: str, origin: object) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the numbers that a preset begins with: those of the built-in preset it inherits from, else 0."""
    if parent is None:
        return np.zeros(PARAMS), np.zeros(CLASSES)
    if parent not in names() or (parent == name and not isinstance(origin, Path)):  # a Path: a user's file of that name
        raise BadInput(origin, "inherit", f'there is no policy "{parent}" to inherit from', nearest(parent, names()))
    found = get(parent)
    if found.kind != Kind.WEIGHTS:
        raise BadInput(origin, "inherit", f"{parent} has no weights", 'take a preset of kind "weights"')
    return found.params.copy(), found.likes.copy()


@cache
def names() -> tuple[str, ...]:
    """Return the names of the built-in presets: simple ones first, then the tuned, then those that look ahead."""
    found = [entry.name.removesuffix(".toml") for entry in files(__package__).joinpath("presets").iterdir()]
    rank = {name: place for place, name in enumerate(ORDER)}
    last = {"planner": 1, "search": 2, "search_planner": 3}
    return tuple(sorted(found, key=lambda name: (last.get(name, 0), rank.get(name, len(rank)), name)))


@cache
def get(name: str) -> Preset:
    """Return a built-in preset.

    Raises
    ------
    BadInput
        If there is none of that name; the nearest one is suggested.
    """
    if name not in names():
        raise BadInput("", "policy", f'unknown policy "{name}"', nearest(name, names()))
    file = f"{name}.toml"
    return parse(files(__package__).joinpath("presets", file).read_text(encoding="utf-8"), name, file)


def read(path: Path) -> Preset:
    """Read a preset file of the user's; it is called by its file name.

    Raises
    ------
    BadInput
        Naming the file and what is wrong in it.
    """
    text = read_text(path, MOST_BYTES, "a policy file", "nfsim policies lists those that need no file")
    return replace(parse(text, path.stem, path), spec=str(path.resolve()))


def resolve(policy: str | Preset) -> Preset:
    """Return the preset of a name, or a preset as it is."""
    return get(policy) if isinstance(policy, str) else policy


def distinct(policies: Sequence[str | Preset]) -> list[str]:
    """Return the names of some policies, each once, in order: the labels of the column `policy`."""
    return list(dict.fromkeys(policy if isinstance(policy, str) else policy.name for policy in policies))
