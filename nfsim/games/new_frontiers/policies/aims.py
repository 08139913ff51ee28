"""Weights made for one condition each: what PLANNER plays by while it aims at it.

`aims_short.toml` and `aims_long.toml` hold one row of numbers per condition, in the order of `keys`. Where a
condition has none (another tile set, a changed condition), the planner takes its plain weights and aims with these.
"""

from __future__ import annotations

import hashlib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.games.new_frontiers.policies.kinds import PARAMS

Weights = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Parameters, shape (PARAMS,), and likes, shape (CLASSES,)."""


def _text(length: str) -> str:
    file = files(__package__).joinpath(f"aims_{length}.toml")
    return file.read_text(encoding="utf-8") if file.is_file() else ""


@cache
def load(length: str) -> dict[str, Weights]:
    """Return the weights by condition, `"campaign name"` as key, for the thresholds of a length."""
    from nfsim.games.new_frontiers.policies.presets import PLACES

    data: dict[str, Any] = tomllib.loads(_text(length))
    found = {}
    for name, row in data.get("aims", {}).items():
        values, likes = np.zeros(PARAMS), np.zeros(CLASSES)
        for key, value in zip(data["keys"], row, strict=True):
            section, _, part = key.partition(".")
            (likes if section == "likes" else values)[PLACES[section][part]] = value
        found[name] = (values, likes)
    return found


def key(campaign: int, condition: str) -> str:
    """Return a condition's key."""
    return f"{campaign} {condition}"


def provenance(length: str) -> dict[str, Any]:
    """Return how the weights were found."""
    found: dict[str, Any] = tomllib.loads(_text(length)).get("provenance", {})
    return found


@cache
def digest() -> str:
    """Return a SHA-256 of all weights."""
    return hashlib.sha256((_text("short") + "\0" + _text("long")).encode()).hexdigest()
