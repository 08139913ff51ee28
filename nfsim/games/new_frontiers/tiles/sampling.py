"""Alternative bags: tile sets that differ from a given one only in what nobody outside the box knows.

A set drawn here satisfies the manual's table of worlds as the given one does, and keeps every sourced record and
every sourced field. The rest is drawn from a distribution that is an assumption, a prior over bags, not knowledge:

Once for a whole set are drawn how far it departs from the given one (`loose`, uniform from 0.2 to 1: the chance that a
tile gives up what it has), how much worlds are worth above their price (normal, mean 0.1, sd 0.3 credits: the sourced
worlds lie at 0.35, standard error 0.25), and how much better small developments are (normal, mean 0, sd 0.25 VPs).

Worlds, separately military and non-military ones (names, keywords and boxes stay: exchanging all else is the same):
type and good are exchanged, with new pairs of type and good; Alien goods stay with ALIEN. How many have each cost or
defense is drawn (Dirichlet around the given numbers; the lowest and the highest occur at least once), and which: by the
old rank with noise. Colonists are exchanged, dearer worlds being likelier to take 2. Powers are drawn with replacement
from those that such worlds have, filters turned to the world's own good or keyword; powers against Xeno worlds stay in
the Rift. Variable VPs go to worlds with the same keyword, 1 or 2 VPs a tile. Printed VPs are what keeps the world
within 0.5 credits of its price, as the built-in ones were made (`sample_worlds`); one world has the highest that the
manual names. Penalties of Xeno worlds are one of the four mixes with each of -3, -6, -8 that the chips allow, the
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
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nfsim.catalogue import sampling
from nfsim.catalogue.sampling import RNG, Sample, with_values
from nfsim.errors import BadInput
from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.codes import Class, Effect
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import prepare_set
from nfsim.games.new_frontiers.tiles.grammar import Scoring
from nfsim.games.new_frontiers.tiles.manual import differences
from nfsim.games.new_frontiers.tiles.records import Development, Empire, Goal, TileRecord
from nfsim.games.new_frontiers.tiles.sample_worlds import Mood, Unlucky, draw_worlds
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

READINGS = ("world", "development")  # of R11, which exchanges a world that the table counts
LARGEST_GAMES: tuple[dict[str, Any], ...] = ({"players": 5}, {"players": 1, "campaign": 6})  # room is needed here most
KINDS = ("world", "development", "empire", "goal")  # of record that are drawn
New = list[dict[str, Any]]  # new values by field, in the order of the records
# developments whose kind of power a source gives though its numbers are reconstructed: they keep it
KIND_PUBLIC = ("Consumer Markets", "Contact Specialist", "Galactic Trendsetters", "Improved Logistics", "Rebel Cantina",
               "Uplift Researchers")  # fmt: skip
VP_A_CREDIT = 0.75  # printed VPs that a credit of cost is worth on small developments (`data/developments.toml`)
STEP = 0.8  # VPs by which a small development may leave the cost curve when its cost or VPs move
MOVES = ((0, 0), (1, 0), (1, 1), (-1, 0), (-1, -1))  # of cost and printed VPs
MOST_EACH = 3  # VPs a scoring line gives per tile
LINE_TRIES = 200
MOST_NEED = {"good_kinds": 4, "keywords": 6}  # more there are not
HOME = ("type", "good", "vp", "powers")


def free(record: TileRecord, *fields: str) -> bool:
    """Tell whether all of these fields may be drawn."""
    return record.status in ("partly", "reconstructed") and set(fields) <= set(record.reconstructed)


def _exchanged(records: Sequence[TileRecord], new: New, places: list[int], fields: Sequence[str], rng: RNG) -> None:
    """Exchange fields together among the records at some places."""
    held = [{field: new[place].get(field, getattr(records[place], field)) for field in fields} for place in places]
    for place, other in zip(places, rng.permutation(len(places)), strict=True):
        new[place] |= held[other]


def _groups(records: Sequence[Any], key: Callable[[Any], object]) -> list[list[int]]:
    """Return places of records by a key, in the order in which the keys occur."""
    found: dict[object, list[int]] = {}
    for place, record in enumerate(records):
        found.setdefault(key(record), []).append(place)
    return list(found.values())


def draw_developments(records: Sequence[Development], mood: Mood, rng: RNG) -> New:
    """Draw powers, costs and VPs of small developments, powers and scoring lines of large ones."""
    new: New = [{} for _ in records]

    def gives_up(record: Development) -> bool:
        # a public name speaks for the powers that the sister game's card of that name has
        chance = mood.loose * (1.0 if "name" in record.reconstructed else 0.5)
        return record.name not in KIND_PUBLIC and rng.random() < chance

    for group in _groups(records, lambda record: (record.group == "large", record.rift)):
        large = records[group[0]].group == "large"
        fields = ("powers",) if large else ("powers", "cost", "vp")
        givers = [place for place in group if free(records[place], *fields) and gives_up(records[place])]
        _exchanged(records, new, givers, fields, rng)
        if large:
            _scorings(records, new, [p for p in group if free(records[p], "scoring")], mood, rng)
        else:
            _costs(records, new, [p for p in group if free(records[p], "cost", "vp")], mood, rng)
    return new


def _costs(records: Sequence[Development], new: New, places: list[int], mood: Mood, rng: RNG) -> None:
    """Move costs and printed VPs by at most 1, near the cost curve and within what is seen."""
    if not places:
        return
    costs, vps = ([getattr(records[place], field) for place in places] for field in ("cost", "vp"))
    for place in places:
        cost, vp = (new[place].get(field, getattr(records[place], field)) for field in ("cost", "vp"))
        moves = [
            (cost + dearer, vp + better)
            for dearer, better in MOVES
            if abs(better - VP_A_CREDIT * dearer - mood.developments) <= STEP
            and min(costs) <= cost + dearer <= max(costs)
            and min(vps) <= vp + better <= max(vps)
        ]
        if moves and rng.random() < mood.loose:
            new[place]["cost"], new[place]["vp"] = moves[rng.integers(len(moves))]


def _scorings(records: Sequence[Development], new: New, places: list[int], mood: Mood, rng: RNG) -> None:
    """Exchange the last scoring lines of large developments, then move one number of some by 1."""
    several = [place for place in places if len(records[place].scoring) > 1]
    givers = [place for place in several if rng.random() < mood.loose / 2]
    for _ in range(LINE_TRIES):
        lasts = [records[givers[other]].scoring[-1] for other in rng.permutation(len(givers))]
        lines = [(*records[place].scoring[:-1], last) for place, last in zip(givers, lasts, strict=True)]
        if all(len({line.measure for line in own}) == len(own) for own in lines):
            break
    else:
        raise Unlucky
    now: dict[int, tuple[Scoring, ...]] = {place: records[place].scoring for place in several}
    now |= dict(zip(givers, lines, strict=True))
    for place, own in now.items():  # a single line is the whole tile: moving it would double or lose it
        which, by = int(rng.integers(len(own))), int(rng.integers(-1, 2))
        each = min(max(own[which].each + by, 1), MOST_EACH)
        new[place]["scoring"] = (*own[:which], replace(own[which], each=each), *own[which + 1 :])


def draw_homes(records: Sequence[Empire], mood: Mood, rng: RNG) -> New:
    """Exchange good, VPs and powers of home colonies of a box, then move some VPs between 1 and 2.

    Powers that give Military are exchanged among themselves, so every mat that has a side without keeps one.
    """
    new: New = [{} for _ in records]
    for group in _groups(records, lambda record: (record.rift, _gives_military(record))):
        places = [p for p in group if free(records[p], *HOME) and records[p].status == "reconstructed"]
        _exchanged(records, new, [p for p in places if rng.random() < mood.loose], HOME, rng)
    for place, record in enumerate(records):
        vp = new[place].get("vp", record.vp)
        if free(record, "vp") and vp in (1, 2) and rng.random() < mood.loose / 4:
            new[place]["vp"] = 3 - vp
    return new


def _gives_military(record: Empire) -> bool:
    """Tell whether a home has Military against every world; what counts against some kinds only is specialised."""
    return any(
        (power.effect == Effect.SETTLE_MILITARY and power.filter == Class.ANY)
        or power.effect == Effect.SETTLE_MILITARY_PER
        for power in record.powers
    )


def draw_goals(records: Sequence[Goal], rng: RNG) -> New:
    """Move what a goal asks for by 1, all its steps together."""
    new: New = []
    for record in records:
        by = int(rng.choice((-1, 0, 1), p=(0.25, 0.5, 0.25)))
        steps = tuple(replace(step, need=step.need + by) for step in record.steps)
        fits = steps[0].need >= 1 and steps[-1].need <= MOST_NEED.get(record.measure, 99)
        new.append({"steps": steps} if free(record, "steps") and fits else {})
    return new


def draw(seed: int, number: int = 1, tiles: TileSet | None = None) -> Sample:
    """Draw a set without writing it.

    Parameters
    ----------
    seed, number : int
        The set drawn; both not negative. Sets of one seed differ by their number.
    tiles : TileSet, optional
        Whose unknown fields are drawn anew; the built-in set if none is given.

    Raises
    ------
    BadInput
        If seed or number is negative, the set has nothing to draw or does not satisfy the manual's table itself,
        or no set that does is found.
    """
    base = tiles or TileSet.built_in()
    sampling.check_drawable(base, KINDS, seed, number)
    found = _against_manual(base)
    if found:
        raise BadInput(base.name, "", f"differs from the manual's table, so its worlds cannot be exchanged: {found}",
                       "nfsim tiles check lists all differences")  # fmt: skip
    return sampling.draw(base, _once, KINDS, seed, number)


def _once(base: TileSet, rng: RNG) -> tuple[TileSet, Mood] | None:
    """Draw a set; None if it came out against the manual's table, or too large to be played."""
    mood = Mood(
        loose=float(rng.uniform(0.2, 1.0)),
        worlds=float(rng.normal(0.1, 0.3)),
        developments=float(np.clip(rng.normal(0.0, 0.25), -0.5, 0.5)),
    )
    try:
        new = {
            "world": draw_worlds(base.worlds, mood, rng),
            "development": draw_developments(base.developments, mood, rng),
            "empire": draw_homes(base.empires, mood, rng),
            "goal": draw_goals(base.goals, rng),
        }
    except Unlucky:
        return None
    tiles = with_values(base, new)
    if _against_manual(tiles):
        return None
    tiles.check_together()
    try:
        for settings in _largest():
            prepare_set(tiles, settings)
    except BadInput:  # more powers of a sort than one empire has room for
        return None
    return tiles, mood


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
