"""Draws the worlds of an alternative bag; `sampling.py` describes the distribution as a whole.

Within military and non-military worlds everything that the manual's table counts is exchanged, never made up: so a set
that satisfies the table goes on doing so, but for a few rows that are met by drawing again. A world whose cost or
powers are drawn anew gets the printed VPs that keep it even with its price, in credits: by the formula that the worlds
of the built-in set were made by (`data/worlds.toml` states it in words, its step 4).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nfsim.catalogue.sampling import RNG
from nfsim.games.new_frontiers.codes import Class, Effect, label
from nfsim.games.new_frontiers.tiles.grammar import CONSUMERS, MEASURE_NAME, Power, Scoring
from nfsim.games.new_frontiers.tiles.records import NEEDS_GOOD, World

VP = 0.9  # credits a printed VP is worth
PRODUCTION = {"novelty": 0.9, "rare": 1.6, "genes": 2.4, "alien": 3.2, "any": 1.6}
WINDFALL = {"novelty": 0.6, "rare": 1.3, "genes": 1.9, "alien": 2.6, "any": 0.9}
# tiles that a scoring line or a counting power counts, the tile itself included
COUNTED = {"uplift": 2.3, "alien": 2.5, "imperium": 2.4, "rebel_military": 2.9, "rebel": 2.9}
COUNTED_ELSE = 2.4
# how often a power with a filter works, against one without
SHARE = {"any": 1.0, "novelty": 0.5, "rare": 0.45, "genes": 0.45, "alien_good": 0.45, "rebel": 0.55, "xeno": 0.3,
         "uplift": 0.5}  # fmt: skip
SHARE_ELSE = 0.45
# credits for each unit of a power's amount
UNIT = {
    Effect.EXPLORE_DRAW: 0.5, Effect.EXPLORE_PICK: 0.9, Effect.EXPLORE_CREDITS: 0.9, Effect.EXPLORE_COLONISTS: 1.0,
    Effect.DEVELOP_CREDITS: 1.0, Effect.DEVELOP_DISCOUNT: 1.0, Effect.DEVELOP_COLONISTS: 0.8,
    Effect.SETTLE_AFTER_DRAW: 0.6, Effect.SETTLE_COLONISTS: 1.0, Effect.SETTLE_AFTER_CREDITS: 1.0,
    Effect.SETTLE_AFTER_COLONISTS: 0.8, Effect.SETTLE_AFTER_CHIPS: 1.1, Effect.SETTLE_SECOND: 2.2,
    Effect.PRODUCE_CREDITS: 1.0, Effect.PRODUCE_CREDITS_THIS: 0.8, Effect.PRODUCE_COLONISTS: 0.8,
    Effect.PRODUCE_WINDFALL: 0.9, Effect.PRODUCE_CREDITS_PER_KIND: 1.7,
    Effect.TRADE_BONUS_THIS: 0.5, Effect.CONSUME_CREDITS: 1.0, Effect.CONSUME_CHIPS: 1.6, Effect.SETTLE_PLACE_GOOD: 0.7,
}  # fmt: skip
FILTERED_UNIT = {Effect.SETTLE_MILITARY: 0.8, Effect.SETTLE_DISCOUNT: 1.1, Effect.TRADE_BONUS: 1.0}
PER_TILE_UNIT = {Effect.SETTLE_MILITARY_PER: 0.7, Effect.PRODUCE_CREDITS_PER: 0.6}


@functools.cache
def power_worth(power: Power) -> float:
    """Return what a power on a world is worth, in credits; 0 for one that is only a restriction."""
    name, amount = label(power.filter), power.amount
    if power.effect in FILTERED_UNIT:
        return FILTERED_UNIT[power.effect] * amount * SHARE.get(name, SHARE_ELSE)
    if power.effect in PER_TILE_UNIT:
        return PER_TILE_UNIT[power.effect] * amount * COUNTED.get(name, COUNTED_ELSE)
    if power.effect == Effect.SETTLE_PAY_MILITARY:
        return 1.0 + 0.2 * amount
    if power.effect == Effect.SETTLE_TEMP_MILITARY:
        return (0.3 if power.credits else 0.25) * amount
    gain = 1.1 * power.vp + 0.65 * (power.credits + power.colonists)
    if power.effect == Effect.CONSUME_GOODS:
        often = {1: 1.0, 2: 0.6}.get(amount, 0.4) * (1.0 if power.filter == Class.ANY else 0.75)
        return gain * often * (1 + 0.5 * (power.times - 1))
    if power.effect == Effect.CONSUME_DIFFERENT:
        return gain * 0.45
    if power.effect == Effect.CONSUME_KINDS:
        return gain * (1 + 0.45 * (amount - 1))
    half = 0.5 if power.effect == Effect.DEVELOP_DISCOUNT and power.filter == Class.NINE_COST else 1.0
    return UNIT.get(power.effect, 0.0) * amount * half


def powers_worth(powers: tuple[Power, ...]) -> float:
    """Return what all powers of a world are worth, in credits."""
    return sum(map(power_worth, powers))


def scoring_worth(lines: tuple[Scoring, ...]) -> float:
    """Return what variable VPs are worth, in credits."""
    return sum(VP * line.each * COUNTED.get(MEASURE_NAME[line.measure], COUNTED_ELSE) for line in lines)


def good_worth(kind: str, good: str) -> float:
    """Return what a world's good is worth, in credits; 0 for a gray world."""
    return {"production": PRODUCTION, "windfall": WINDFALL}.get(kind, {}).get(good, 0.0)


def price(military: bool, cost_or_defense: int, colonists: int) -> float:
    """Return what settling a world takes, in credits."""
    plain = 0.7 + 0.8 * cost_or_defense if military else 0.5 + cost_or_defense
    return plain + 0.6 * (colonists - 1)


TABLE_COUNTS = ("type", "good", "colonists")  # fields that the manual's table counts and that are exchanged


class Unlucky(Exception):  # noqa: N818 - says what happened
    """A draw that cannot be finished; the next one may."""


@dataclass(frozen=True)
class Mood:
    """What is drawn once for a whole set.

    Attributes
    ----------
    loose : float
        How far the set departs from the built-in one: chance of a tile to give up what it has, 0.2 to 1.
    worlds : float
        Credits by which worlds are worth more than their price on average.
    developments : float
        VPs by which small developments are better than in the built-in set.
    """

    loose: float
    worlds: float
    developments: float

    def __str__(self) -> str:
        """Return how far the set departs from the built-in one."""
        return f"{self.loose:.0%} loose"


@dataclass(eq=False)
class Draft:
    """A world being drawn: its record, the fields that are free, and their values so far."""

    record: World
    free: frozenset[str]
    new: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """Return a field as it is now."""
        return self.new[name] if name in self.new else getattr(self.record, name)

    @property
    def size(self) -> str:
        """The field that says how hard it is to settle."""
        return "defense" if self.record.military else "cost"

    def off(self, powers: tuple[Power, ...], level: float) -> float:
        """Return how far the world would be from its price with these powers and no printed VPs, in credits."""
        worth = good_worth(self.type, self.good) + powers_worth(powers) + scoring_worth(self.scoring)
        return worth - level - price(self.record.military, getattr(self, self.size), self.colonists)


def free_fields(record: World) -> frozenset[str]:
    """Return the fields of a world that no source gives and that may be drawn."""
    if record.status not in ("partly", "reconstructed"):
        return frozenset()
    fixed = {"name", "rift", "military", "keywords", *(TABLE_COUNTS if record.when or record.copies != 1 else ())}
    return frozenset(record.reconstructed) - fixed


TOLERANCE = 0.5  # credits a world may be off its price, as in the built-in set
FIXED_TOLERANCE = 1.0  # the same where cost, VPs and powers are sourced: so far is the furthest that is sourced
GOOD_CLASS = {"novelty": Class.NOVELTY, "rare": Class.RARE, "genes": Class.GENES, "alien": Class.ALIEN_GOOD}
TIED = (Effect.SETTLE_PLACE_GOOD, Effect.TRADE_NO_SALE)  # powers that stay with the good they are about


def draw_values(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Draw powers, variable VPs and printed VPs, so that each world is even with its price."""
    highest = max((draft.record.vp for draft in group), default=0)
    bundles = [d.record for d in group if not any(power.effect in TIED for power in d.record.powers)]
    open_ = [d for d in group if {"vp", "powers"} <= d.free and d.record.status == "reconstructed"]
    closed = [d for d in group if d not in open_ and {d.size, "vp", "powers"} & d.free]
    sizes = sorted({getattr(draft.record, draft.size) for draft in group})
    for draft in closed:
        _draw_closed(draft, sizes, highest, mood, rng)
    for draft in group:  # drawn goods and colonists must not contradict what is sourced beside them
        fixed = draft not in open_ and draft not in closed and draft.new
        if fixed and abs(draft.off(draft.powers, mood.worlds) + VP * draft.vp) > FIXED_TOLERANCE:
            raise Unlucky
    done = _place_tied(open_, highest, mood, rng)
    if all(draft.vp < highest for draft in [*closed, *done] + [d for d in group if "vp" not in d.free]):
        done += _place_highest([d for d in open_ if d not in done], bundles, highest, mood, rng)
    done += _scorings([d for d in open_ if d not in done], bundles, mood, rng)
    vps = range(highest + 1)
    for draft in open_:
        if draft not in done:
            kept = rng.random() >= mood.loose and _choose(draft, [draft.record], vps, mood, rng)
            if not kept and not _choose(draft, bundles, vps, mood, rng):
                raise Unlucky


def _fitting(draft: Draft, powers: tuple[Power, ...], vps: Iterable[int], level: float) -> list[int]:
    off = draft.off(powers, level)
    return [vp for vp in vps if abs(off + VP * vp) <= TOLERANCE + 1e-9]


def _choose(draft: Draft, donors: Sequence[World], vps: Sequence[int], mood: Mood, rng: RNG) -> bool:
    """Give a world powers as some donor has them, and the printed VPs that fit; False if none do."""
    for place in rng.permutation(len(donors)):
        powers = _as_here(donors[place], draft)
        fits = [] if powers is None else _fitting(draft, powers, vps, mood.worlds)
        if powers is not None and fits:
            draft.new |= {"powers": powers, "vp": int(rng.choice(fits))}
            return True
    return False


def _as_here(donor: World, draft: Draft) -> tuple[Power, ...] | None:
    """Return a donor's powers with its own good and keyword replaced by the world's; None if they do not fit."""
    turned = {GOOD_CLASS[donor.good]: GOOD_CLASS[draft.good]} if {donor.good, draft.good} <= set(GOOD_CLASS) else {}
    theirs, mine = ([Class[word.upper()] for word in words if word != "xeno"][:1]
                    for words in (donor.keywords, draft.keywords))  # fmt: skip
    turned |= dict(zip(theirs, mine, strict=False))
    for power in donor.powers:
        if power.effect in TIED or (power.effect in NEEDS_GOOD and draft.type == "gray"):
            return None
        if power.filter == Class.XENO and not draft.record.rift:
            return None  # the base game's tiles do not know Xeno worlds
    return tuple(replace(power, filter=turned.get(power.filter, power.filter)) for power in donor.powers)


def _place_tied(open_: list[Draft], highest: int, mood: Mood, rng: RNG) -> list[Draft]:
    """Give powers that belong to a kind of good to one of the worlds that have it."""
    done: list[Draft] = []
    for donor in [d.record for d in open_ if any(power.effect in TIED for power in d.record.powers)]:
        alike = [d for d in open_ if d.good == donor.good and d.type == donor.type and d not in done]
        fits = {id(d): _fitting(d, donor.powers, range(highest + 1), mood.worlds) for d in alike}
        alike = [d for d in alike if fits[id(d)]]
        if not alike:
            raise Unlucky
        draft = alike[rng.integers(len(alike))]
        draft.new |= {"powers": donor.powers, "vp": int(rng.choice(fits[id(draft)]))}
        done.append(draft)
    return done


def _place_highest(open_: list[Draft], bundles: Sequence[World], highest: int, mood: Mood, rng: RNG) -> list[Draft]:
    """Give the highest VPs, which the manual's table wants to be seen, to one of the worlds dear enough for them."""
    for place in rng.permutation(len(open_)):
        draft = open_[place]
        if draft.off((), mood.worlds) + VP * highest <= TOLERANCE and _choose(draft, bundles, [highest], mood, rng):
            return [draft]
    raise Unlucky


def _scorings(open_: list[Draft], bundles: Sequence[World], mood: Mood, rng: RNG) -> list[Draft]:
    """Give each line of variable VPs to a world with a keyword of the world that has it now."""
    donors = [draft for draft in open_ if "scoring" in draft.free and draft.record.scoring]
    allowed = {word for draft in donors for word in draft.keywords}
    for draft in donors:
        draft.new["scoring"] = ()
    done: list[Draft] = []
    for donor in donors:
        line = replace(donor.record.scoring[0], each=int(rng.integers(1, 3)))
        words = set(donor.keywords)
        alike = [d for d in open_ if "scoring" in d.free and words & set(d.keywords) <= set(d.keywords) <= allowed]
        alike = [d for d in alike if words & set(d.keywords) and d not in done and not d.record.when]
        for place in rng.permutation(len(alike)):
            alike[place].new["scoring"] = (line,)
            if _choose(alike[place], bundles, [0], mood, rng):
                done.append(alike[place])
                break
            alike[place].new["scoring"] = ()
        else:
            raise Unlucky
    return done


def _draw_closed(draft: Draft, seen: Sequence[int], highest: int, mood: Mood, rng: RNG) -> None:
    """Draw what is free on a partly sourced world: its powers keep their kind, and what is known is kept."""
    sizes = seen if draft.size in draft.free else [getattr(draft, draft.size)]
    found = []
    for size in sizes:
        for powers in _variants(draft.record.powers) if "powers" in draft.free else [draft.record.powers]:
            trial = Draft(draft.record, draft.free, {**draft.new, draft.size: size})
            vps = range(highest + 1) if "vp" in draft.free else [draft.record.vp]
            found += [(size, powers, vp) for vp in _fitting(trial, powers, vps, mood.worlds)]
    if not found:
        raise Unlucky
    size, powers, vp = found[rng.integers(len(found))]
    for field, value in ((draft.size, size), ("powers", powers), ("vp", vp)):
        if field in draft.free:
            draft.new[field] = value


def _variants(powers: tuple[Power, ...]) -> list[tuple[Power, ...]]:
    """Return powers of the same kind, with one number moved by 1."""
    found = [powers]
    for place, power in enumerate(powers):
        field = "vp" if power.effect in CONSUMERS and power.vp else "amount"
        for number in (getattr(power, field) - 1, getattr(power, field) + 1):
            if number >= 1:
                moved = replace(power, **{field: number})
                found.append((*powers[:place], moved, *powers[place + 1 :]))
    return found


PENALTIES = ((2, 2, 4), (2, 1, 5), (1, 2, 5), (1, 1, 6))  # worlds with -8, -6, -3: chips suffice, none missing
TRIES = 1000


def draw_worlds(worlds: Sequence[World], mood: Mood, rng: RNG) -> list[dict[str, Any]]:
    """Draw the free fields of all worlds.

    Returns
    -------
    list of dict
        New values by field, in the order of `worlds`.

    Raises
    ------
    Unlucky
        If what is drawn first leaves nothing for what is drawn later.
    """
    found: dict[int, Draft] = {}
    for military in (True, False):
        places = [place for place, world in enumerate(worlds) if world.military == military]
        for _ in range(TRIES):
            group = [Draft(worlds[place], free_fields(worlds[place]), {}) for place in places]
            try:
                _goods(group, mood, rng)
                _sizes(group, mood, rng)
                _colonists(group, mood, rng)
                draw_values(group, mood, rng)
            except Unlucky:
                continue
            _penalties(group, rng)
            found |= dict(zip(places, group, strict=True))
            break
        else:
            raise Unlucky
    return [found[place].new for place in range(len(worlds))]


def _shuffle(drafts: list[Draft], fields: Sequence[str], rng: RNG) -> None:
    """Exchange some fields together among drafts."""
    held = [tuple(getattr(draft, field) for field in fields) for draft in drafts]
    for draft, place in zip(drafts, rng.permutation(len(drafts)), strict=True):
        draft.new.update(zip(fields, held[place], strict=True))


def _goods(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Exchange type and good; ALIEN goes with Alien goods, and the good of any kind stays."""
    givers = [d for d in group if {"type", "good"} <= d.free and rng.random() < mood.loose]
    _shuffle([d for d in givers if "alien" not in d.keywords and d.good not in ("alien", "any")], ("type", "good"), rng)
    _shuffle([d for d in givers if d.type != "gray" and d.good != "any"], ("type",), rng)
    base = [draft for draft in group if not draft.record.rift]
    if sum(d.good == "novelty" for d in base) != sum(d.record.good == "novelty" for d in base):
        raise Unlucky  # a source counts the Novelty worlds of the base game


def _sizes(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Draw how many worlds have each cost or defense, and which."""
    chosen = [draft for draft in group if {draft.size, "vp"} <= draft.free]
    if not chosen:
        return
    field = chosen[0].size
    old = np.array([getattr(draft.record, field) for draft in chosen])
    seen = np.arange(old.min(), old.max() + 1)
    ends = [int(old.min()), int(old.max())] if old.min() < old.max() else [int(old.min())]  # each is seen once at least
    counts = [float((old == value).sum()) - (value in ends) for value in seen]
    shares = rng.dirichlet([max(count, 0.25) for count in counts])
    new = np.sort([*ends, *rng.choice(seen, len(chosen) - len(ends), p=shares)])
    order = np.argsort(old + rng.normal(0.0, mood.loose * (seen[-1] - seen[0]) / 3, len(chosen)), kind="stable")
    for place, value in zip(order, new, strict=True):
        chosen[place].new[field] = int(value)


def _colonists(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Exchange the numbers of colonists; dearer worlds are likelier to take more."""
    chosen = [draft for draft in group if "colonists" in draft.free]
    rank = [getattr(draft, draft.size) + rng.gumbel(0.0, 1.0 + mood.loose) for draft in chosen]
    numbers = sorted(draft.record.colonists for draft in chosen)
    for place, number in zip(np.argsort(rank, kind="stable"), numbers, strict=True):
        chosen[place].new["colonists"] = number


def _penalties(drafts: list[Draft], rng: RNG) -> None:
    """Draw how many Xeno worlds show each penalty; the stronger ones show more."""
    xeno = [draft for draft in drafts if "penalty" in draft.free and draft.record.penalty]
    if not xeno:
        return
    values = sorted(draft.record.penalty for draft in xeno)
    if len(xeno) == sum(PENALTIES[0]) and len(xeno) == sum("xeno" in draft.keywords for draft in drafts):
        mix = PENALTIES[rng.integers(len(PENALTIES))]
        values = [-8] * mix[0] + [-6] * mix[1] + [-3] * mix[2]
    order = np.argsort([-draft.defense + rng.random() / 2 for draft in xeno], kind="stable")
    for place, value in zip(order, values, strict=True):
        xeno[place].new["penalty"] = value
