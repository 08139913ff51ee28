"""A tile set of the game: its kinds of record, the numbers that stand on no tile (`setup.toml`), and its patches.

Lists by players have solo first, then 2 to 5 players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from nfsim.catalogue import patches
from nfsim.catalogue.record_set import NumberTable, RecordSet
from nfsim.catalogue.records import Name
from nfsim.games.new_frontiers.layout import DEVELOPMENTS, EXPLORED, SEATS
from nfsim.games.new_frontiers.tiles.records import Condition, Development, Empire, Goal, World

Small = Annotated[int, Field(ge=0, le=20)]
Supply = Annotated[int, Field(ge=1, le=400)]
ByPlayers = Annotated[list[Small], Field(min_length=SEATS, max_length=SEATS)]
SupplyByPlayers = Annotated[list[Supply], Field(min_length=SEATS, max_length=SEATS)]

README = """\
A tile set for nfsim: New Frontiers with The Starry Rift
========================================================
One CSV file (UTF-8) per kind: worlds, developments, empires, goals, conditions; setup.toml has the numbers
that stand on no tile. Edit them in a spreadsheet or an editor and save them as "CSV UTF-8".

Use it:     nfsim run SCENARIO.toml --set tiles=DIR
Check it:   nfsim tiles check DIR     (says what cannot be played, and what differs from the manual's table)

powers      phase.effect(filter) amount key=value; several are joined by "; ". Examples:
            settle.military(rebel) 2; trade.bonus(genes) 1; consume.goods(novelty) 1 vp=1 times=2
scoring     2 per rebel_military; 1 per imperium max 8
steps       3:2 5:5 6+:8     (from 3 on 2 VPs, from 5 on 5, from 6 on 8)
requires    7 colony; 2 goals_scored at_least=8; owns "Contact Specialist"; no_military
yes/no      military, rift
status      sourced, partly, reconstructed or patched: set it to sourced, say where the value comes from in source,
            and clear reconstructed (the fields that are not sourced) when you have typed in what a tile really shows:
            every result states the share that is not sourced
vp          0 if none is printed: a blank cell is refused
when        switch=choice: the record is in the set only under that reading of a ruling (nfsim rules lists them)
copies      how many of the world lie in the bag
A wrong name or number stops the load with file, line, record and column named.
"""


class Supplies(NumberTable):
    """What lies in the supply at the start; `colonists` has a list for each reading of R1."""

    vp_chips: SupplyByPlayers
    colonists_ten_plus_four: SupplyByPlayers
    colonists_twelve_per_player: SupplyByPlayers


class Credits(NumberTable):
    """Credits at the start: by place in the first round's order, for solo and 2 to 5 players."""

    by_place: Annotated[list[list[Small]], Field(min_length=SEATS, max_length=SEATS)]

    @model_validator(mode="after")
    def _one_per_place(self) -> Self:
        for place, row in enumerate(self.by_place):
            if len(row) != place + 1:
                raise ValueError(f"by_place: list {place + 1} must have {place + 1} numbers, not {len(row)}")
        return self


class Copies(NumberTable):
    """Copies of each development in its stack, by players."""

    small: ByPlayers
    large: ByPlayers


class Drawn(NumberTable):
    """Worlds drawn in Explore, goals drawn in Chart Galactic Goals, without and with the Rift."""

    worlds_base: Annotated[int, Field(ge=1, le=10)]
    worlds_rift: Annotated[int, Field(ge=1, le=10)]
    goals_base: Annotated[int, Field(ge=1, le=10)]
    goals_rift: Annotated[int, Field(ge=1, le=10)]


class Prices(NumberTable):
    """Credits for a good sold; a good of any kind sells as the dearest."""

    novelty: Small
    rare: Small
    genes: Small
    alien: Small


class Ends(NumberTable):
    """Limits and ends of the game; the names behind the underscore are readings of R2 and R3."""

    world_limit: Annotated[int, Field(ge=1, le=EXPLORED - 4)]
    colonies: Annotated[int, Field(ge=2, le=12)]
    developments_tenth_tile: Annotated[int, Field(ge=1, le=DEVELOPMENTS - 4)]
    developments_eleventh_space: Annotated[int, Field(ge=1, le=DEVELOPMENTS - 4)]
    colonists_four_left: Annotated[int, Field(ge=0, le=20)]
    colonists_empty: Annotated[int, Field(ge=0, le=20)]


class Campaigns(NumberTable):
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


class TileSet(RecordSet):
    """All records of a set, for base and Rift."""

    kinds = (World, Development, Empire, Goal, Condition)
    numbers_model = Numbers
    numbers_head = "# The numbers that stand on no tile. Lists by players: solo first, then 2 to 5 players."
    package, built_in_name = "nfsim.games.new_frontiers", "reconstructed"
    thing, things = "tile", "tiles"
    lookup = "nfsim tiles list shows all"
    readme = README

    @property
    def worlds(self) -> tuple[World, ...]:
        """Worlds of the bag."""
        return self.of_kind("world")

    @property
    def developments(self) -> tuple[Development, ...]:
        """Faces of development stacks."""
        return self.of_kind("development")

    @property
    def empires(self) -> tuple[Empire, ...]:
        """Sides of empire mats."""
        return self.of_kind("empire")

    @property
    def goals(self) -> tuple[Goal, ...]:
        """Goal tiles."""
        return self.of_kind("goal")

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Conditions of all campaigns."""
        return self.of_kind("condition")


class Patch(patches.Patch):
    """One change of the tile set.

    Attributes
    ----------
    campaign : int, optional
        For a condition whose name occurs in several campaigns.
    """

    sets = TileSet
    kind: Literal["world", "development", "empire", "goal", "condition"]
    campaign: Annotated[int, Field(ge=1, le=6)] | None = None


def conditions_in_play(prepared: Any) -> list[Condition]:
    """Return the conditions of a prepared game, none if it is not solo."""
    campaign = prepared.settings.setup.campaign_played
    return [
        condition
        for condition in prepared.tile_set.conditions
        if condition.campaign == campaign and condition.holds(prepared.rulings)
    ]


def doubts(games: Sequence[Any]) -> str:
    """Say in one sentence which conditions of prepared games have numbers that no source gives; '' if none has."""
    names: dict[str, list[str]] = {}
    for game in games:
        for condition in conditions_in_play(game):
            if found := condition.doubt(game.settings.setup.thresholds):
                names.setdefault(found, []).append(condition.name)
    listed = "; ".join(f"{', '.join(of_doubt)} ({found})" for found, of_doubt in names.items())
    return f"Conditions with numbers that no source gives: {listed}." if listed else ""
