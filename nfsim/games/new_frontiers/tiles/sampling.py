"""Alternative bags: tile sets that differ from a given one only in what nobody outside the box knows.

A set drawn here satisfies the manual's table of worlds as the given one does, and keeps every sourced record and
every sourced field. The rest is drawn from a distribution that is an assumption, a prior over bags, not knowledge:

Once for a whole set are drawn how far it departs from the given one (`loose`, uniform from 0.2 to 1: the chance that a
tile gives up what it has), how much worlds are worth above their price (normal, mean 0.1, sd 0.3 credits: the sourced
worlds lie at 0.35, standard error 0.25), and how much better small developments are (normal, mean 0, sd 0.25 VPs).

Worlds, separately military and non-military ones (names, keywords and boxes stay: exchanging all else is the same):
type and good are exchanged, with new pairs of type and good; Alien goods stay with ALIEN. How many have each cost or
defense is drawn (Dirichlet around the given numbers; the lowest and the highest occur at least once), and which: by
the old rank with noise. Colonists are exchanged, dearer worlds being likelier to take 2. Powers are drawn with
replacement from those that such worlds have, filters turned to the world's own good or keyword; powers against Xeno
worlds stay in the Rift. Variable VPs go to worlds with the same keyword, 1 or 2 VPs a tile. Printed VPs are what keeps
the world within 0.5 credits of its price, as the built-in ones were made (`worth.py`); one world has the highest that
the manual names. Penalties of Xeno worlds are one of the four mixes with each of -3, -6, -8 that the chips allow, the
stronger worlds showing more. A partly sourced world keeps the kind of its powers. What comes out against the manual's
table, or leaves no VPs that fit, is drawn again.

Small developments exchange powers with cost and VPs within their box, half as readily where the name is public; a
kind of power that a source gives is kept. Then some costs and VPs move by at most 1, near the cost curve. Large ones
exchange powers and last scoring lines, and one number of a line may move by 1. Home colonies exchange good, VPs and
powers within their box, those with Military among themselves, and some VPs move between 1 and 2. Half the goals whose
steps are not sourced ask for 1 more or less.

Not varied: keywords, names, which box a tile is in, pairing of sides, campaigns and their thresholds, the numbers of
`setup.toml`, and the vocabulary of powers itself: a power that no given tile has never turns up.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import prepare_set
from nfsim.games.new_frontiers.tiles import csv_files
from nfsim.games.new_frontiers.tiles.manual import differences
from nfsim.games.new_frontiers.tiles.read import built_in, record_from
from nfsim.games.new_frontiers.tiles.records import Record
from nfsim.games.new_frontiers.tiles.sample_draft import RNG, Mood, Unlucky
from nfsim.games.new_frontiers.tiles.sample_others import draw_developments, draw_goals, draw_homes
from nfsim.games.new_frontiers.tiles.sample_worlds import draw_worlds
from nfsim.games.new_frontiers.tiles.tileset import TileSet, check_together

TRIES = 20
META = "sample.json"
READINGS = ("world", "development")  # of R11, which exchanges a world that the table counts
LARGEST_GAMES: tuple[dict[str, Any], ...] = ({"players": 5}, {"players": 1, "campaign": 6})  # room is needed here most


@dataclass(frozen=True)
class Sample:
    """A set drawn.

    Attributes
    ----------
    tiles : TileSet
    seed, number : int
        What it was drawn with: the same two give the same set.
    mood : Mood
        What was drawn once for the whole set.
    base : str
        Hash of the set it was drawn from.
    drawn : dict of str to int
        Records that differ from it, by kind.
    """

    tiles: TileSet
    seed: int
    number: int
    mood: Mood
    base: str
    drawn: dict[str, int]

    def describe(self) -> dict[str, Any]:
        """Return what `sample.json` in the folder says."""
        return {"seed": self.seed, "number": self.number, "hash": self.tiles.hash, "drawn_from": self.base,
                "mood": asdict(self.mood), "records_drawn": self.drawn}  # fmt: skip


def sample_tiles(seed: int, out: Path, *, number: int = 1, tiles: TileSet | None = None, force: bool = False) -> Sample:
    """Draw a set and write it as a folder that `--set tiles=DIR` takes.

    Parameters
    ----------
    seed, number : int
        The set drawn; both not negative. Sets of one seed differ by their number.
    out : Path
        New or empty folder.
    tiles : TileSet, optional
        Whose unknown fields are drawn anew; the built-in set if none is given.
    force : bool
        Replace files of the same names.

    Raises
    ------
    BadInput
        If the folder holds files, or the set cannot be varied (see `draw`).
    """
    sample = draw(seed, number, tiles)
    csv_files.export(sample.tiles, out, force=force)
    text = json.dumps(sample.describe(), indent=2) + "\n"
    try:
        write_atomic(out / META, text.encode())
    except OSError as error:
        raise BadInput(out / META, "", f"cannot be written: {error.strerror or error}") from error
    return replace(sample, tiles=replace(sample.tiles, name=str(out), suffix=".csv"))


def draw(seed: int, number: int = 1, tiles: TileSet | None = None) -> Sample:
    """Draw a set without writing it.

    Raises
    ------
    BadInput
        If seed or number is negative, the set has nothing to draw or does not satisfy the manual's table itself,
        or no set that does is found.
    """
    for name, value in (("seed", seed), ("number", number)):
        if value < 0:
            raise BadInput(f"--{name}", "", f"must not be negative, not {value}")
    base = tiles or built_in()
    drawable = (record for record in base if record.kind != "condition" and record.status != "sourced")
    if not any(record.reconstructed for record in drawable):
        raise BadInput(base.name, "", "has nothing to draw: every field of every record is sourced")
    found = _against_manual(base)
    if found:
        raise BadInput(base.name, "", f"differs from the manual's table, so its worlds cannot be exchanged: {found}",
                       "nfsim tiles check lists all differences")  # fmt: skip
    rng = np.random.default_rng([seed, number])
    for _ in range(TRIES):
        mood = Mood(
            loose=float(rng.uniform(0.2, 1.0)),
            worlds=float(rng.normal(0.1, 0.3)),
            developments=float(np.clip(rng.normal(0.0, 0.25), -0.5, 0.5)),
        )
        drawn = _once(base, mood, rng)
        if drawn is not None:
            changed = {
                kind: sum(new is not old for new, old in zip(drawn.of_kind(kind), base.of_kind(kind), strict=True))
                for kind in ("world", "development", "empire", "goal")
            }
            return Sample(drawn, seed, number, mood, base.hash, changed)
    raise BadInput(base.name, "", f"no set that satisfies the manual's table was found in {TRIES} attempts",
                   "too little is left free to exchange, or the numbers typed in contradict each other")  # fmt: skip


def _once(base: TileSet, mood: Mood, rng: RNG) -> TileSet | None:
    """Draw a set; None if it came out against the manual's table, or too large to be played."""
    try:
        tiles = replace(
            base,
            worlds=_with(base.worlds, draw_worlds(base.worlds, mood, rng)),
            developments=_with(base.developments, draw_developments(base.developments, mood, rng)),
            empires=_with(base.empires, draw_homes(base.empires, mood, rng)),
            goals=_with(base.goals, draw_goals(base.goals, rng)),
        )
    except Unlucky:
        return None
    if _against_manual(tiles):
        return None
    check_together(tiles)
    try:
        for settings in _largest():
            prepare_set(tiles, settings)
    except BadInput:  # more powers of a sort than one empire has room for
        return None
    return tiles


@functools.cache
def _largest() -> list[Any]:
    return [read_settings({"setup": setup}, "setup") for setup in LARGEST_GAMES]


def _against_manual(tiles: TileSet) -> str:
    """Return the first difference from the manual's table under either reading of R11; '' if there is none."""
    for reading in READINGS:
        found = differences(tiles, rulings.in_force("seed", {"trendsetters": reading}))
        if found:
            return str(found[0])
    return ""


def _with(records: Sequence[Any], new: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    """Return records with new values; one that stays as it was is the same object."""
    return tuple(_changed(record, values) for record, values in zip(records, new, strict=True))


def _changed(record: Record, values: Mapping[str, Any]) -> Record:
    differing = {field: value for field, value in values.items() if value != getattr(record, field)}
    if not differing:
        return record
    fields = record.fields()
    drawn = f"drawn anew, not known: {', '.join(field for field in fields if field in differing)}"
    return record_from(record.kind, fields | differing | {"note": drawn}, META)
