"""What can be turned on this game's tiles, as `nfsim sweep` asks for it: see `nfsim.contract.levers.Levers`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nfsim.contract.levers import Turned
from nfsim.errors import BadInput
from nfsim.files import parse_json, read_text
from nfsim.games.new_frontiers.tiles import levers, read, sampling
from nfsim.games.new_frontiers.tiles.csv_files import LIMIT

BAG, COST = "bag.", "cost."


class TileLevers:
    """Levers on the bag (``bag.xeno`` …) and on the price of a single tile (``cost.Gem World``)."""

    @property
    def names(self) -> Sequence[str]:
        """Factors that can be swept."""
        return (*(f"{BAG}{lever}" for lever in levers.LEVERS), f"{COST}TILE")

    def title(self, name: str) -> str:
        """Return what a heading calls a lever: of one on the bag what it sets, with the unit."""
        if name.startswith(COST):
            return f"{name.removeprefix(COST)} cost"
        lever = levers.LEVERS[name.removeprefix(BAG)]
        unit = " in percent" if lever.unit == "percent" else ""
        return lever.summary.removeprefix("number of ").partition(" among ")[0] + unit

    def turn(self, prepared: Any, name: str, value: float, seed: int, option: object) -> Turned:
        """Set a lever on a prepared game's tiles; the cost or defense of a tile is moved by `value`."""
        try:
            if name.startswith(COST):
                return _moved(prepared, name.removeprefix(COST), value, option)
            found = levers.patches_for(prepared, name.removeprefix(BAG), value, seed)
        except BadInput as error:
            raise BadInput(option, "", error.problem, error.remedy) from None
        return Turned(found.patches, found.reached, found.text)

    def draw(self, prepared: Any, seed: int, number: int, out: Path) -> None:
        """Write a bag drawn at random from the game's tile set without its patches, unless it is there.

        Raises
        ------
        BadInput
            If the folder holds the whole of another bag, with which runs may have been played.
        """
        tiles = read.load(prepared.settings.tiles)
        held = _held(out)
        if not held:
            sampling.sample_tiles(seed, out, number=number, tiles=tiles, force=True)
        elif held != (seed, number, tiles.hash):
            raise BadInput(out, "", "holds another bag, drawn from other tiles", "name another folder with --out")

    def in_play(self, prepared: Any) -> Mapping[str, Any]:
        """Return the developments and worlds of a prepared game by name."""
        names = set(prepared.names.tile)
        records = [*prepared.tile_set.of_kind("development"), *prepared.tile_set.of_kind("world")]
        return {record.name: record for record in records if record.name in names}

    def without(self, prepared: Any, name: str) -> Sequence[Mapping[str, Any]]:
        """Return the patches after which nobody can have a tile."""
        return levers.off_offer(prepared, name)

    def dearer(self, prepared: Any, name: str, by: int) -> Sequence[Mapping[str, Any]]:
        """Return the patches that move the price of a tile."""
        return levers.cost(prepared, name, by)


def _held(folder: Path) -> tuple[int, int, str] | None:
    """Return seed, number and origin of the bag that a folder holds whole: its `sample.json` is written last."""
    if not (folder / sampling.META).is_file():
        return None
    try:
        found: Any = parse_json(read_text(folder / sampling.META, LIMIT, "the record of a set drawn"))
        whole = read.load_folder(folder).hash == found["hash"]
        return (found["seed"], found["number"], found["drawn_from"]) if whole else None
    except (BadInput, ValueError, KeyError, TypeError):
        return None


def _moved(prepared: Any, name: str, by: float, option: object) -> Turned:
    if by != int(by):
        raise BadInput(option, "", f"{by:g} is no whole number", "costs are whole credits")
    patches = levers.cost(prepared, name, int(by))
    field, value = next(iter(patches[0]["set"].items())) if patches else ("cost", None)
    text = f"{name}: {field} {value}, moved by {int(by):+d}" if patches else f"{name}: {field} as it is"
    return Turned(patches, float(by), text)
