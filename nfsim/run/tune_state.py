"""What a search keeps beside its output after every generation: the values told, so that it can go on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nfsim.errors import BadInput
from nfsim.files import parse_json, read_text, write_atomic
from nfsim.validation import checked, quoted

ENDING = ".search.json"
MOST_BYTES = 50_000_000
CLOSE = 1e-6  # candidates asked for again may differ by rounding of another processor, not by more
AGAIN = "remove the file to begin anew, or give another --out"

Finite = Annotated[float, Field(allow_inf_nan=False)]


class Generation(BaseModel):
    """One generation.

    Attributes
    ----------
    values : list of float
        By candidate; the higher the better.
    mark : float
        Sum of all numbers of its candidates: shows whether the same ones are asked for again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    values: list[Finite]
    mark: Finite

    @classmethod
    def of(cls, asked: NDArray[np.float64], values: NDArray[np.float64]) -> Generation:
        """Return what is kept of a generation."""
        return cls(values=values.tolist(), mark=float(asked.sum()))


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")

    identity: dict[str, Any]
    generations: list[Generation]


@dataclass
class TuneState:
    """Generations told so far, kept in a file.

    Attributes
    ----------
    path : Path
    identity : mapping
        What makes the search the same, except for its length.
    generations : list of Generation
    """

    path: Path
    identity: Mapping[str, Any]
    generations: list[Generation]

    @classmethod
    def open(cls, out: Path, identity: Mapping[str, Any]) -> TuneState:
        """Return the state kept beside an output, empty if there is none.

        Raises
        ------
        BadInput
            If the file cannot be used, or is of another search.
        """
        path = out.with_name(out.name + ENDING)
        told = json.loads(json.dumps(dict(identity)))
        try:
            if not path.exists():
                return cls(path, told, [])
        except OSError as error:  # the output's name is short enough, this one is not
            raise BadInput(path, "", f"cannot be used ({error.strerror})", "give a shorter --out") from None
        try:
            data = parse_json(read_text(path, MOST_BYTES, "a search's state"))
        except ValueError:
            raise BadInput(path, "", "is not the state of a search", AGAIN) from None
        kept = checked(_Kept, data, path)
        for key in {**told, **kept.identity}:
            there, here = kept.identity.get(key), told.get(key)
            if there != here:
                problem = f"holds another search ({key} is {quoted(there)} there, {quoted(here)} here)"
                raise BadInput(path, "", problem, AGAIN)
        return cls(path, told, kept.generations)

    def known(self, number: int, asked: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the values of a generation's candidates, None if they must be judged.

        Raises
        ------
        BadInput
            If the values kept are of other candidates.
        """
        if number >= len(self.generations):
            return None
        kept = self.generations[number]
        if len(kept.values) != len(asked) or abs(kept.mark - asked.sum()) > CLOSE * max(
            1.0, float(np.abs(asked).sum())
        ):
            raise BadInput(self.path, f"generation {number}", "is not of this search's candidates", AGAIN)
        return np.array(kept.values)

    def add(self, generation: Generation) -> None:
        """Keep one more generation."""
        self.generations.append(generation)
        content = {"identity": self.identity, "generations": [kept.model_dump() for kept in self.generations]}
        write_atomic(self.path, json.dumps(content).encode())

    def remove(self) -> None:
        """Forget the file: the search is finished."""
        self.path.unlink(missing_ok=True)
