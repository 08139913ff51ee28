"""Policies by name: presets from `presets.toml` as records for the compiled code."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from nfsim.errors import BadInput, nearest
from nfsim.games.new_frontiers.codes import Effect, label
from nfsim.games.new_frontiers.layout import SEATS
from nfsim.games.new_frontiers.policies.kinds import POLICY, Kind
from nfsim.games.new_frontiers.policies.params import Param

FILE = "presets.toml"


@cache
def presets() -> dict[str, dict[str, Any]]:
    """Return every preset by name: `kind`, `plan`, and where the kind has any, `effects` and `params`."""
    text = files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return tomllib.loads(text)


def names() -> tuple[str, ...]:
    """Return the names of the policies, in the order of the file."""
    return tuple(presets())


def vector(name: str) -> np.ndarray[Any, Any]:
    """Return a preset's parameters, shape (PARAMS,), in the order of `Effect` and `Param`."""
    preset = presets()[name]
    values = np.zeros(POLICY["params"].shape)
    effects = {label(effect): int(effect) for effect in Effect}
    params = {label(param): int(param) for param in Param}
    for section, places in (("effects", effects), ("params", params)):
        for key, value in preset.get(section, {}).items():
            if key not in places:
                raise BadInput(FILE, f"{name}.{section}.{key}", "is not a parameter", nearest(key, places))
            values[places[key]] = value
    return values


def load(policies: Sequence[str]) -> Any:
    """Return the policies of the seats as records, shape (SEATS,), for `kernel.play_games`.

    Parameters
    ----------
    policies : sequence of str
        A name per seat; seats without one play `uniform`, which matters to nobody.

    Raises
    ------
    BadInput
        If a name is unknown; the nearest one is suggested.
    """
    records = np.zeros(SEATS, POLICY).view(np.recarray)
    distinct = list(dict.fromkeys(policies))
    for seat, name in enumerate(policies):
        if name not in presets():
            raise BadInput("", "policy", f"'{name}' is not a policy", nearest(name, names()))
        records[seat].kind = Kind[presets()[name]["kind"].upper()]
        records[seat].name = distinct.index(name)
        records[seat].params = vector(name)
    return records
