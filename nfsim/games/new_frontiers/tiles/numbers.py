"""The numbers of a game that stand on no tile: supplies, copies, prices, ends (`setup.toml`).

Lists by players have solo first, then 2 to 5 players.
"""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nfsim.games.new_frontiers.layout import DEVELOPMENTS, EXPLORED, SEATS
from nfsim.games.new_frontiers.tiles.fields import Name, Text

Small = Annotated[int, Field(ge=0, le=20)]
Supply = Annotated[int, Field(ge=1, le=400)]
ByPlayers = Annotated[list[Small], Field(min_length=SEATS, max_length=SEATS)]
SupplyByPlayers = Annotated[list[Supply], Field(min_length=SEATS, max_length=SEATS)]


class Table(BaseModel):
    """One table of the file; `source` says where its numbers come from."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    source: Text = ""
    note: Text = ""


class Supplies(Table):
    """What lies in the supply at the start; `colonists` has a list for each reading of R1."""

    vp_chips: SupplyByPlayers
    colonists_ten_plus_four: SupplyByPlayers
    colonists_twelve_per_player: SupplyByPlayers


class Credits(Table):
    """Credits at the start: by place in the first round's order, for solo and 2 to 5 players."""

    by_place: Annotated[list[list[Small]], Field(min_length=SEATS, max_length=SEATS)]

    @model_validator(mode="after")
    def _one_per_place(self) -> Self:
        for place, row in enumerate(self.by_place):
            if len(row) != place + 1:
                raise ValueError(f"by_place: list {place + 1} must have {place + 1} numbers, not {len(row)}")
        return self


class Copies(Table):
    """Copies of each development in its stack, by players."""

    small: ByPlayers
    large: ByPlayers


class Drawn(Table):
    """Worlds drawn in Explore, goals drawn in Chart Galactic Goals, without and with the Rift."""

    worlds_base: Annotated[int, Field(ge=1, le=10)]
    worlds_rift: Annotated[int, Field(ge=1, le=10)]
    goals_base: Annotated[int, Field(ge=1, le=10)]
    goals_rift: Annotated[int, Field(ge=1, le=10)]


class Prices(Table):
    """Credits for a good sold; a good of any kind sells as the dearest."""

    novelty: Small
    rare: Small
    genes: Small
    alien: Small


class Ends(Table):
    """Limits and ends of the game; the names behind the underscore are readings of R2 and R3."""

    world_limit: Annotated[int, Field(ge=1, le=EXPLORED - 4)]
    colonies: Annotated[int, Field(ge=2, le=12)]
    developments_tenth_tile: Annotated[int, Field(ge=1, le=DEVELOPMENTS - 4)]
    developments_eleventh_space: Annotated[int, Field(ge=1, le=DEVELOPMENTS - 4)]
    colonists_four_left: Annotated[int, Field(ge=0, le=20)]
    colonists_empty: Annotated[int, Field(ge=0, le=20)]


class Campaigns(Table):
    """What single campaigns change: a goal in play from the start, a stack whose side is chosen."""

    prestige: Annotated[int, Field(ge=1, le=6)]
    prestige_goal: Name
    mastery: Annotated[int, Field(ge=1, le=6)]
    mastery_development: Name


class Numbers(BaseModel):
    """All of `setup.toml`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    supplies: Supplies
    credits: Credits
    copies: Copies
    drawn: Drawn
    prices: Prices
    ends: Ends
    campaigns: Campaigns


def to_toml(numbers: Numbers) -> str:
    """Write the numbers as TOML that reads back equal."""
    lines = ["# The numbers that stand on no tile. Lists by players: solo first, then 2 to 5 players.", ""]
    for name, table in numbers:
        lines.append(f"[{name}]")
        lines += [f"{key} = {_toml_value(value)}" for key, value in table if value != ""]
        lines.append("")
    return "\n".join(lines)


def _toml_value(value: object) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(_toml_value(entry) for entry in value) + "]"
    return str(value)
