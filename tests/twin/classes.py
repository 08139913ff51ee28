"""Which classes a tile belongs to: what filters of powers and counted things mean."""

from functools import cache

from twin.tiles import KINDS_OF_GOODS, Tile

MILITARY = ("settle.military", "settle.military_per")  # permanent or specialised
PHASES = ("explore", "develop", "settle", "produce", "trade", "consume")


def kind_of_good(kind: str) -> str:
    """The class of a kind of goods; plain `alien` is the keyword."""
    return "alien_good" if kind == "alien" else kind


@cache
def classes(tile: Tile, any_counts: bool) -> frozenset[str]:
    """All classes of a tile. `any_counts`: a good of any kind counts as every kind (R22; 000 p. 3)."""
    found = {"any"} | set(tile.keywords)
    found |= {f"{phase}_power" for phase in PHASES if any(power.phase == phase for power in tile.powers)}
    if any(power.effect in MILITARY for power in tile.powers):
        found.add("military_power")
    if tile.kind == "development":
        return frozenset(found | {"development", "nine_cost" if tile.cost == 9 else "small"})

    found |= {"colony", "military" if tile.military else "non_military", tile.type}
    found |= {f"{word}_colony" for word in ("uplift", "alien", "imperium", "rebel") if word in tile.keywords}
    if tile.kind == "home":
        found.add("home")
    if tile.military:
        found |= {f"{word}_military" for word in ("rebel", "xeno") if word in tile.keywords}
    if tile.good != "none":
        found.add("has_good")
    for kind in KINDS_OF_GOODS:
        if tile.good == kind or (tile.good == "any" and any_counts):
            found |= {kind_of_good(kind), f"{kind}_{tile.type}"}
            if kind in ("novelty", "rare"):
                found.add("novelty_or_rare")
    return frozenset(found)


def good_classes(tile: Tile) -> frozenset[str]:
    """Classes of the good on a colony when it is sold or spent: a good of any kind may be each kind."""
    return classes(tile, any_counts=True)
