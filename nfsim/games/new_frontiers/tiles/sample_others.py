"""Draws what no source gives of developments, home colonies and goals; `sampling.py` describes the distribution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nfsim.games.new_frontiers.codes import Class, Effect
from nfsim.games.new_frontiers.tiles.grammar import Scoring
from nfsim.games.new_frontiers.tiles.records import Development, Empire, Goal, Record
from nfsim.games.new_frontiers.tiles.sample_draft import RNG, Mood, Unlucky

New = list[dict[str, Any]]  # new values by field, in the order of the records
# developments whose kind of power a source gives though its numbers are reconstructed: they keep it
KIND_PUBLIC = ("Consumer Markets", "Contact Specialist", "Galactic Trendsetters", "Improved Logistics", "Rebel Cantina",
               "Uplift Researchers")  # fmt: skip
VP_A_CREDIT = 0.75  # printed VPs that a credit of cost is worth on small developments (`data/developments.toml`)
STEP = 0.8  # VPs by which a small development may leave the cost curve when its cost or VPs move
MOVES = ((0, 0), (1, 0), (1, 1), (-1, 0), (-1, -1))  # of cost and printed VPs
MOST_EACH = 3  # VPs a scoring line gives per tile
TRIES = 200
MOST_NEED = {"good_kinds": 4, "keywords": 6}  # more there are not
HOME = ("type", "good", "vp", "powers")


def free(record: Record, *fields: str) -> bool:
    """Tell whether all of these fields may be drawn."""
    return record.status in ("partly", "reconstructed") and set(fields) <= set(record.reconstructed)


def _exchanged(records: Sequence[Record], new: New, places: list[int], fields: Sequence[str], rng: RNG) -> None:
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
    for _ in range(TRIES):
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
