"""Settings -> Prepared: the tile set, patched, checked and written into one TABLES record."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nfsim.catalogue import patches
from nfsim.catalogue.share import Share
from nfsim.engine.records import new_record
from nfsim.errors import BadInput
from nfsim.games.new_frontiers import layout
from nfsim.games.new_frontiers.settings import Settings
from nfsim.games.new_frontiers.tiles.encode import fill
from nfsim.games.new_frontiers.tiles.play import select
from nfsim.games.new_frontiers.tiles.tile_set import TileSet


@dataclass(frozen=True)
class Names:
    """Names for the numbers in tables and log.

    Attributes
    ----------
    tile : list of str
        By tile id; '' for unused ids.
    goal, condition, stack : list of str
        By goal, condition of the campaign played, development stack.
    mat : list of str
        Number printed on the empire mat, by mat.
    """

    tile: list[str]
    goal: list[str]
    condition: list[str]
    stack: list[str]
    mat: list[str]


@dataclass(frozen=True)
class Prepared:
    """Everything a run needs to know about the tiles and the setup.

    Attributes
    ----------
    tables : recarray
        One TABLES record; compiled functions take `tables[0]`.
    names : Names
    share : Share
        How many of the records in play are reconstructed.
    tile_hash : str
        SHA-256 of the tile set after patches.
    rulings : dict of str to str
        The reading in force for each switch.
    tile_set : TileSet
        The tile set after patches.
    settings : Settings
    """

    tables: Any
    names: Names
    share: Share
    tile_hash: str
    rulings: dict[str, str]
    tile_set: TileSet
    settings: Settings


def prepare(settings: Settings, origin: object = "scenario", base: Path | None = None) -> Prepared:
    """Load, patch, check and encode the tile set of a scenario.

    Parameters
    ----------
    settings : Settings
        This game's part of the scenario.
    origin : object
        The scenario file, for messages.
    base : Path, optional
        Folder that a relative `tiles` folder is looked up from; if none is given, that of `origin` when it
        is a Path, else the current one.

    Raises
    ------
    BadInput
        If the set cannot be read, patched, played, or has no room in the tables.
    """
    if base is None and isinstance(origin, Path):
        base = origin.parent
    tiles = patches.apply(TileSet.load(settings.tiles, base), settings.patch, origin)
    return prepare_set(tiles, settings, origin)


def prepare_set(tiles: TileSet, settings: Settings, origin: object = "scenario") -> Prepared:
    """Do the same as `prepare` for a tile set at hand."""
    readings = settings.readings
    try:
        play = select(tiles, settings.setup, readings)
        tables = new_record(layout.TABLES)
        tile_names = fill(tables[0], play, tiles, settings)
    except BadInput as error:
        if settings.patch:  # the set could be played before, so it is the patches
            key = ", ".join(part for part in ("patch", error.key) if part)
            raise BadInput(origin, key, error.problem, error.remedy) from None
        raise
    names = Names(
        tile=tile_names,
        goal=[goal.name for goal in play.goals],
        condition=[condition.name for condition in play.conditions],
        stack=[" / ".join(face.name for face in faces) for _, faces in play.stacks],
        mat=[str(mat) for mat, *_ in play.mats],
    )
    return Prepared(tables, names, Share.of(play.records()), tiles.hash, readings, tiles, settings)
