"""Classes a tile belongs to, as the bit masks of the tables."""

from __future__ import annotations

from collections.abc import Iterable

from nfsim.games.new_frontiers.codes import Class, Effect, Good, Phase, WorldType, label
from nfsim.games.new_frontiers.tiles.fields import KEYWORDS
from nfsim.games.new_frontiers.tiles.grammar import Power
from nfsim.games.new_frontiers.tiles.records import Colony, Development

KINDS_OF_GOODS = (Good.NOVELTY, Good.RARE, Good.GENES, Good.ALIEN)
GOOD_CODES = {label(good): good for good in Good}
TYPE_CODES = {label(kind): kind for kind in WorldType}
_PHASE = {effect: Phase[effect.name.split("_", 1)[0]] for effect in Effect}
_PHASE_CLASS = {phase: Class[f"{phase.name}_POWER"] for phase in Phase}


def bits(classes: Iterable[Class]) -> int:
    """Return the mask with the bit of each class."""
    mask = 0
    for member in classes:
        mask |= 1 << member
    return mask


def has(mask: int, member: Class) -> bool:
    """Tell whether a mask has a class."""
    return bool(mask >> member & 1)


def keywords_in_force(keywords: Iterable[str], readings: dict[str, str]) -> list[str]:
    """Return a tile's keywords; under R13 `none` the fifth one of the base game does not exist."""
    return [word for word in keywords if word != "terraforming" or readings["fifth_keyword"] == "terraforming"]


def good_classes(good: Good, kind: WorldType) -> set[Class]:
    """Classes that come from a world's good and type; all four kinds' for a good of any kind."""
    kinds = KINDS_OF_GOODS if good == Good.ANY else (good,) if good != Good.NONE else ()
    classes = {Class[kind.name]}
    for member in kinds:
        classes.add(Class.ALIEN_GOOD if member == Good.ALIEN else Class[member.name])
        classes.add(Class[f"{member.name}_{kind.name}"])
    if {Good.NOVELTY, Good.RARE} & set(kinds):
        classes.add(Class.NOVELTY_OR_RARE)
    if kinds:
        classes.add(Class.HAS_GOOD)
    return classes


def power_classes(powers: Iterable[Power]) -> set[Class]:
    """Classes that come from the phases in which a tile has a power."""
    classes = {_PHASE_CLASS[_PHASE[power.effect]] for power in powers}
    if any(power.effect in (Effect.SETTLE_MILITARY, Effect.SETTLE_MILITARY_PER) for power in powers):
        classes.add(Class.MILITARY_POWER)
    return classes


def colony_masks(colony: Colony, readings: dict[str, str], *, home: bool) -> tuple[int, int]:
    """Return `mask` and `good_mask` of a world or a home.

    They differ for a good of any kind only: it always feeds and sells as every kind, and counts as
    every kind or as none by R22.
    """
    words = keywords_in_force(colony.keywords, readings)
    good, kind = GOOD_CODES[colony.good], TYPE_CODES[colony.type]
    classes = {Class.ANY, Class.COLONY, Class.MILITARY if colony.military else Class.NON_MILITARY}
    for word in words:
        classes.add(Class[word.upper()])
        if word in ("alien", "imperium", "rebel", "uplift"):
            classes.add(Class[f"{word.upper()}_COLONY"])
    if colony.military:
        classes |= {Class[f"{word.upper()}_MILITARY"] for word in ("rebel", "xeno") if word in words}
    if home:
        classes.add(Class.HOME)
    classes |= power_classes(colony.powers)
    feeding = classes | good_classes(good, kind)
    if good == Good.ANY and readings["any_good_counts"] == "none":
        return bits(classes | {Class[kind.name], Class.HAS_GOOD}), bits(feeding)
    return bits(feeding), bits(feeding)


def development_mask(development: Development, readings: dict[str, str]) -> int:
    """Return the mask of a development."""
    classes = {Class.ANY, Class.DEVELOPMENT, Class.NINE_COST if development.group == "large" else Class.SMALL}
    classes |= {Class[word.upper()] for word in keywords_in_force(development.keywords, readings)}
    return bits(classes | power_classes(development.powers))


def keyword_bits(keywords: Iterable[str], readings: dict[str, str]) -> int:
    """Return the mask of `Keyword`s of a tile."""
    return sum(1 << KEYWORDS[word] for word in keywords_in_force(keywords, readings))
