"""What a world is worth and what it costs, in credits: the formula the worlds of the built-in set were made by.

`data/worlds.toml` states it in words (its step 4). Drawing other bags needs it again: a world whose cost or
powers are drawn anew gets the printed VPs that keep it even with its price.
"""

from __future__ import annotations

import functools

from nfsim.games.new_frontiers.codes import Class, Effect, label
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_NAME, Power, Scoring

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
