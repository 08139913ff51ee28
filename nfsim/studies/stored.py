"""Rates of a player too slow to play again each time: measured once, dated, with the command that measures them.

``python -m nfsim.studies.stored`` makes such a file from what the command prints with ``--json``.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import tomli_w
from pydantic import BaseModel, ConfigDict, Field

from nfsim.files import parse_toml, read_text, write_atomic
from nfsim.stats.intervals import with_rates
from nfsim.studies.difficulty.numbers import AIMED
from nfsim.validation import checked

MOST_BYTES = 100_000


class StoredRate(BaseModel):
    """How often an objective was met by a player that aimed at it."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid")

    campaign: str
    rounds: int = Field(ge=1)
    objective: str
    n: int = Field(ge=1)
    k: int = Field(ge=0)


class Stored(BaseModel):
    """What was measured, when, and how.

    Attributes
    ----------
    policy : str
    date : date
    command : str
        What measures it again: the same command gives the same numbers.
    records : str
        Hash of the cards or tiles that were played with.
    rates : list of StoredRate
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy: str
    date: dt.date
    command: str
    records: str
    rates: list[StoredRate]

    def frame(self, campaign: str) -> pl.DataFrame:
        """Return the rates of a campaign with the columns of `nfsim.studies.difficulty.numbers.rates` that answer."""
        rows = [
            {**rate.model_dump(), "player": self.policy, "games": AIMED}
            for rate in self.rates
            if rate.campaign == campaign
        ]
        return with_rates(pl.DataFrame(rows)) if rows else pl.DataFrame()


def read_stored(file: Path) -> Stored:
    """Read such a file; `BadInput` names it and what is wrong."""
    text = read_text(file, MOST_BYTES, "stored results", "make it again")
    return checked(Stored, parse_toml(text, file), file)


def stored_of(found: Any, policy: str, command: str) -> Stored:
    """Return what is stored of the object that ``nfsim difficulty --json`` prints."""
    rates = [
        {name: row[name] for name in ("campaign", "rounds", "objective", "n", "k")}
        for row in found["rates"]
        if row["player"] == policy and row["games"] == AIMED
    ]
    today = dt.datetime.now(tz=dt.UTC).date()
    records = found["tiles"]["hash"]
    return Stored.model_validate(
        {"policy": policy, "date": today, "command": command, "records": records, "rates": rates}
    )


def main(arguments: Sequence[str]) -> int:
    """Write such a file: JSON, policy, command, where to."""
    source, policy, command, target = arguments
    found = stored_of(json.loads(Path(source).read_text("utf-8")), policy, command)
    write_atomic(Path(target), tomli_w.dumps(found.model_dump()).encode())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
