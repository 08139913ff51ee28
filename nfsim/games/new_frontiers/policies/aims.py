"""Weights made for one condition each: what PLANNER plays by while it aims at it.

Each is a preset file `aims/LENGTH/CAMPAIGN_CONDITION.toml`, found by `nfsim tune --condition` like any other. Where a
condition has none (one of another tile set, or of one's own), the planner aims with weights for none in particular.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.policies.presets import Preset

LENGTHS = ("short", "long")


@cache
def load(length: str) -> dict[str, Preset]:
    """Return the presets by `key` for the thresholds of a length."""
    from nfsim.games.new_frontiers.policies import presets

    folder = files(__package__).joinpath("aims", length)
    found = {}
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else ():
        name = file.name.removesuffix(".toml")
        found[name] = presets.parse(file.read_text(encoding="utf-8"), name, f"aims/{length}/{file.name}")
    return found


@cache
def usual(length: str) -> Preset:
    """Return the weights for a condition that has none of its own: with them searches began."""
    from nfsim.games.new_frontiers.policies import presets

    name = f"aim_{length}.toml"
    return presets.parse(files(__package__).joinpath("starts", name).read_text(encoding="utf-8"), name, name)


def key(campaign: int, condition: str) -> str:
    """Return the name of the preset that aims at a condition."""
    return f"{campaign}_{re.sub('[^a-z0-9]+', '_', condition.lower())}"


@cache
def digest() -> str:
    """Return a SHA-256 of all weights."""
    made = {f"{length}/{name}": preset for length in LENGTHS for name, preset in load(length).items()}
    made |= {length: usual(length) for length in LENGTHS}
    found = [f"{name} {preset.digest}" for name, preset in sorted(made.items())]
    return hashlib.sha256("\n".join(found).encode()).hexdigest()
