"""The tiles of the game as commands and studies see them: see `nfsim.contract.catalogue.Catalogue`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nfsim.catalogue.catalogue import Difference, RecordCatalogue
from nfsim.catalogue.levers import PERCENT
from nfsim.catalogue.sampling import Sample
from nfsim.contract.catalogue import Turned
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.rulings import BY_SWITCH
from nfsim.games.new_frontiers.settings import Settings, read_settings
from nfsim.games.new_frontiers.tables import Prepared, prepare_set
from nfsim.games.new_frontiers.tiles import levers, manual, sampling
from nfsim.games.new_frontiers.tiles.records import Development, World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

BAG, COST = "bag.", "cost."


class TileCatalogue(RecordCatalogue):
    """Levers are those on the bag (``bag.xeno`` …) and the price of a single tile (``cost.Gem World``)."""

    set_type = TileSet
    key = "tiles"
    levers = (*(f"{BAG}{lever}" for lever in levers.LEVERS), f"{COST}TILE")
    agrees_with = "the manual's table of worlds"

    def readings(self, rules: Mapping[str, str]) -> dict[str, str]:
        """Return the reading in force for each ruling."""
        return read_settings({"rules": dict(rules)}, "rules").readings

    def cases(self, records: TileSet, rules: Mapping[str, str]) -> Iterator[tuple[str, Settings]]:
        """Yield each number of players, with and without the Rift and goals, each campaign, and each reading named."""
        for settings in setups(records, dict(rules)):
            readings = ", ".join(f"{key} = {value}" for key, value in settings.rules.items())
            yield f"{_name(settings)}{', ' + readings if readings else ''}", settings

    def prepare(self, records: TileSet, settings: Settings) -> Prepared:
        """Return a game prepared with a tile set."""
        return prepare_set(records, settings)

    def differences(self, records: TileSet, readings: Mapping[str, str]) -> list[Difference]:
        """Return where the worlds differ from the manual's table."""
        return manual.differences(records, readings)

    def sample(self, seed: int, number: int, records: TileSet) -> Sample:
        """Draw a tile set that agrees with the manual's table as the given one does."""
        return sampling.draw(seed, number, records)

    def set_of(self, prepared: Prepared) -> str:
        """Return the name or folder of the tile set, without patches."""
        return prepared.settings.tiles

    def in_play(self, prepared: Prepared) -> dict[str, World | Development]:
        """Return the developments and worlds of the game by name."""
        names = set(prepared.names.tile)
        records: list[World | Development] = [*prepared.tile_set.developments, *prepared.tile_set.worlds]
        return {record.name: record for record in records if record.name in names}

    def without(self, prepared: Prepared, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the patches that put a tile out of reach."""
        return levers.off_offer(prepared, name)

    def dearer(self, prepared: Prepared, name: str, by: int) -> Sequence[Mapping[str, Any]]:
        """Return the patches that move a tile's cost, or a military world's defense."""
        return levers.cost(prepared, name, by)

    def lever_title(self, name: str) -> str:
        """Return what a heading calls a lever: of one on the bag what it sets, with the unit."""
        if name.startswith(COST):
            return f"{name.removeprefix(COST)} cost"
        lever = levers.LEVERS[name.removeprefix(BAG)]
        unit = " in percent" if lever.unit == PERCENT else ""
        return lever.summary.removeprefix("number of ").partition(" among ")[0] + unit

    def turn(self, prepared: Prepared, name: str, value: float, seed: int, option: object) -> Turned:
        """Set a lever on the game's tiles; the cost or defense of a tile is moved by `value`."""
        try:
            if name.startswith(COST):
                return _moved(prepared, name.removeprefix(COST), value, option)
            return levers.patches_for(prepared, name.removeprefix(BAG), value, seed)
        except BadInput as error:
            raise BadInput(option, "", error.problem, error.remedy) from None


def _moved(prepared: Any, name: str, by: float, option: object) -> Turned:
    if by != int(by):
        raise BadInput(option, "", f"{by:g} is no whole number", "costs are whole credits")
    patches = levers.cost(prepared, name, int(by))
    field, value = next(iter(patches[0]["set"].items())) if patches else ("cost", None)
    text = f"{name}: {field} {value}, moved by {int(by):+d}" if patches else f"{name}: {field} as it is"
    return Turned(patches, float(by), text)


def setups(tiles: TileSet, rules: dict[str, str]) -> Iterator[Settings]:
    """Yield settings that together use every record of a set in each role it can have."""

    def one(setup: dict[str, Any], **more: str) -> Settings:
        return read_settings({"setup": setup, "rules": {**rules, **more}}, "setup")

    for players in (2, 3, 4, 5):
        for expansion in ("starry_rift", "base"):
            for goals in (True, False):
                yield one({"players": players, "expansion": expansion, "goals": goals})
    switches = {record.when.partition("=")[0] for record in tiles if record.when}
    readings = [{}, *({switch: choice} for switch in sorted(switches) for choice in BY_SWITCH[switch].choices)]
    for more in [*readings, {"rift_stacks": "one_sided"}]:
        for campaign in sorted({condition.campaign for condition in tiles.conditions}):
            for rounds in (10, 12):
                yield one({"players": 1, "campaign": campaign, "rounds": rounds}, **more)


def _name(settings: Settings) -> str:
    setup = settings.setup
    if setup.solo:
        return f"solo campaign {setup.campaign_played}, {setup.thresholds}"
    box = "the Rift" if setup.expansion == "starry_rift" else "the base game"
    return f"{setup.players} players, {box}, {'with' if setup.goals else 'without'} goals"
