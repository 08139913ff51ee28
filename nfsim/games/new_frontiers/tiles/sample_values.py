"""Draws powers, variable VPs and printed VPs of the worlds of an alternative bag, each even with its price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from nfsim.games.new_frontiers.codes import Class, Effect
from nfsim.games.new_frontiers.tiles.grammar import CONSUMERS, Power
from nfsim.games.new_frontiers.tiles.records import NEEDS_GOOD, World
from nfsim.games.new_frontiers.tiles.sample_draft import RNG, Draft, Mood, Unlucky
from nfsim.games.new_frontiers.tiles.worth import VP

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
