"""Levers on the bag and on single tiles: what a lever is set to becomes the patches of a scenario.

No lever changes how many worlds lie in the bag. `xeno` changes how many of them are Xeno worlds: plain military worlds
come in the place of those that leave, and leave for those that come. All others change a share: some worlds leave and
others come twice. Xeno worlds never leave and never come twice then, though
they count for the share; homes are not in the bag. Worlds that leave are spread over the kinds of goods (gray and any
kind being two of them) as the side they leave has them, those that come over the kinds that side has: so the others
shrink or grow in proportion. Which worlds of a kind is chosen by the seed; with the same seed a larger change begins
with the worlds of a smaller one. What a lever does not name moves along: Genes worlds, say, are more often military.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from nfsim.catalogue.levers import MOST_COPIES, PERCENT, Lever, Patch, check_lever, exchanged, in_turn, patches_between
from nfsim.catalogue.patches import change
from nfsim.contract.catalogue import Turned
from nfsim.errors import BadInput
from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.games.new_frontiers.tiles.records import Development, World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.validation import unknown

CHIPS = {-3: 6, -6: 2, -8: 2}  # penalty chips in the box: no more worlds can show a penalty (000 p. 1)
DEAREST = 30  # the highest cost a record may have: more than anybody gathers
MOST_COLONISTS = 4


def _share(what: str, usual: tuple[int, ...]) -> Lever:
    return Lever(f"share of {what} among all worlds, their number unchanged", PERCENT, 0, 100, usual)


LEVERS: Mapping[str, Lever] = {
    "xeno": Lever("number of Xeno worlds in the bag", "worlds", 0, sum(CHIPS.values()), (0, 2, 4, 6, 8)),
    "military": _share("military worlds", (20, 35, 50, 65, 80)),
    "novelty": _share("worlds with Novelty goods", (10, 20, 30, 40)),
    "rare": _share("worlds with Rare Elements goods", (10, 20, 30, 40)),
    "genes": _share("worlds with Genes goods", (10, 20, 30, 40)),
    "alien": _share("worlds with Alien goods", (5, 15, 25, 35)),
}


def patches_for(tiles: TileSet | Prepared, lever: str, value: float, seed: int) -> Turned:
    """Set a lever on the bag.

    Parameters
    ----------
    tiles : TileSet or Prepared
        The set, for a game with the Rift under the default rulings; or what a scenario plays with.
    lever : str
        A name in `LEVERS`.
    value : float
        A whole number of worlds, or a share in percent.
    seed : int
        Chooses among worlds that would do; not negative.

    Raises
    ------
    BadInput
        For an unknown lever, a value out of its range, or Xeno worlds in a bag without any.
    """
    check_lever(LEVERS, lever, value, seed)
    bag = _bag(tiles)
    rng = np.random.default_rng(seed)
    if lever == "xeno":
        return _set_xeno(bag, int(value), rng)
    if lever == "military":
        return _set_share(bag, lever, lambda world: world.military, value, rng)
    return _set_share(bag, lever, lambda world: world.good == lever, value, rng)


def blank(record: World | Development) -> Patch:
    """Return the patch that leaves of a tile only its name and place: out of reach, and worth nothing.

    Notes
    -----
    Taking a tile out changes more than that tile: without a world the bag is one smaller and every later draw is
    another one; without one face of a stack no coin is flipped for it, and what is shuffled after it comes out
    differently. A blank keeps its place, so that a game with the tile and one without it are the same until somebody
    would take it. A blank world can still be shown and taken; it is no Xeno world, so nobody is penalised for it.
    """
    nothing: Patch = {"cost": DEAREST, "vp": 0, "keywords": [], "powers": [], "scoring": []}
    if isinstance(record, World):
        nothing |= {
            "military": False, "defense": 0, "penalty": 0, "colonists": MOST_COLONISTS, "type": "gray", "good": "none"
        }  # fmt: skip
    return change(record, nothing)


def moved(record: World | Development, by: int) -> Patch | None:
    """Return the patch that moves a tile's cost (a military world's defense); None where it cannot go there."""
    if isinstance(record, World) and record.military:
        moved, field, bounds = record.defense + by, "defense", range(1, 21)
    else:
        moved, field, bounds = record.cost + by, "cost", range(DEAREST + 1)
    return change(record, {field: moved}) if moved in bounds else None


def off_offer(tiles: TileSet | Prepared, name: str) -> list[Patch]:
    """Return patches that put a world or development out of reach.

    Its place stays: a world goes on lying in the bag as a blank, a development in its stack at a cost that nobody
    pays. So nothing else in the deal moves, and the other face of its stack is not seen more often (`blank`).
    """
    return [blank(_tile(tiles, name))]


def cost(tiles: TileSet | Prepared, name: str, by: int) -> list[Patch]:
    """Return patches that move a tile's cost, or a military world's defense.

    Raises
    ------
    BadInput
        If there is no such world or development, or the cost would leave 0 to 30, the defense 1 to 20.
    """
    record = _tile(tiles, name)
    patch = moved(record, by)
    if patch is None:
        military = isinstance(record, World) and record.military
        has = f"defense {record.defense}" if isinstance(record, World) and military else f"cost {record.cost}"
        bounds = "a defense is 1 to 20" if military else f"a cost is 0 to {DEAREST}"
        raise BadInput(record.title, "", f"has {has}, which cannot be moved by {by:+d}", bounds)
    return [patch] if by else []


def _tile(tiles: TileSet | Prepared, name: str) -> World | Development:
    """Return the world or development of a name, the one in the set under the rulings if there are two."""
    tile_set, readings, _ = _in_force(tiles)
    records: list[World | Development] = [*tile_set.worlds, *tile_set.developments]
    found = [record for record in records if record.name.casefold() == name.strip().casefold()]
    if not found:
        names = [record.name for record in records]
        problem, _, remedy = unknown("world or development", name, names, TileSet.lookup).partition("; ")
        raise BadInput("tile", "", problem, remedy)
    return next((record for record in found if record.holds(readings)), found[0])


def _in_force(tiles: TileSet | Prepared) -> tuple[TileSet, dict[str, str], bool]:
    """Return the set, the readings and whether the Rift is in play."""
    if isinstance(tiles, Prepared):
        return tiles.tile_set, tiles.rulings, tiles.settings.setup.expansion == "starry_rift"
    return tiles, rulings.in_force("seed", {}), True


def _bag(tiles: TileSet | Prepared) -> list[World]:
    """Return the worlds of the bag, one entry a copy."""
    tile_set, readings, rift = _in_force(tiles)
    worlds = [world for world in tile_set.worlds if world.holds(readings) and (rift or not world.rift)]
    return [world for world in worlds for _ in range(world.copies)]


def _is_xeno(world: World) -> bool:
    return "xeno" in world.keywords


def _set_xeno(bag: list[World], number: int, rng: np.random.Generator) -> Turned:
    """Take Xeno worlds out, or put some in twice as long as there are chips for their penalties."""
    xeno = [world for world in bag if _is_xeno(world)]
    if not xeno:
        raise BadInput("lever xeno", "", "needs Xeno worlds, and the bag has none", "they come with the Rift")
    order = in_turn(xeno, lambda world: world.penalty, rng)
    kept = order[:number]
    shown = Counter(world.penalty for world in kept)
    while len(kept) < number:
        again = next(
            (w for w in order if shown[w.penalty] < CHIPS.get(w.penalty, 0) and kept.count(w) < MOST_COPIES), None
        )
        if again is None:
            break
        order.append(order.pop(order.index(again)))  # each once more before any comes a third time
        kept.append(again)
        shown[again.penalty] += 1
    mix = ", ".join(f"{shown[penalty]} x {penalty}" for penalty in sorted(shown, reverse=True) if shown[penalty])
    others = _with_plain(bag, len(xeno) - len(kept), rng)
    total = len(others) + len(kept)
    text = f"{len(kept)} Xeno worlds in place of {len(xeno)}{f' ({mix})' if mix else ''}, {total} worlds in all"
    if len(kept) != len(xeno):
        text += f", {abs(len(kept) - len(xeno))} plain military worlds {'more' if len(kept) < len(xeno) else 'fewer'}"
    return Turned(patches_between(bag, others + kept), float(len(kept)), text)


def _with_plain(bag: list[World], more: int, rng: np.random.Generator) -> list[World]:
    """Return the worlds that are no Xeno worlds, with so many plain military ones once more, or left out if negative.

    Goods stay in proportion. A bag without such worlds grows or shrinks after all.
    """
    others = [world for world in bag if not _is_xeno(world)]
    plain = in_turn([world for world in others if world.military], lambda world: world.good, rng)
    for place in range(min(abs(more), len(plain))):
        if more > 0:
            others.append(plain[place])
        else:
            others.remove(plain[place])
    return others


def _set_share(
    bag: list[World], lever: str, fits: Callable[[World], bool], percent: float, rng: np.random.Generator
) -> Turned:
    """Exchange worlds of one side for worlds of the other until the share is as near as can be."""
    now = sum(map(fits, bag))
    wanted = round(percent / 100 * len(bag))
    movable = [world for world in bag if not _is_xeno(world)]
    inside = in_turn([world for world in movable if fits(world)], _kind(lever), rng)
    outside = in_turn([world for world in movable if not fits(world)], _kind(lever), rng)
    leaving, coming = (outside, inside) if wanted > now else (inside, outside)
    new, moved = exchanged(bag, leaving, coming, abs(wanted - now))
    shares = [100 * sum(map(counts, new)) / len(new) for counts in (fits, lambda world: world.military)]
    text = f"{lever}: {shares[0]:.1f} % of {len(new)} worlds, {sum(map(fits, new))} in place of {now}"
    if moved < abs(wanted - now):
        why = "Xeno worlds stay" if coming else "no world of that side is there to come twice"
        text += f"; {percent:g} % cannot be reached, as {why}"
    if lever != "military":
        text += f"; {shares[1]:.1f} % are military"
    return Turned(patches_between(bag, new), shares[0], text)


def _kind(lever: str) -> Callable[[World], object]:
    """Return what is kept in proportion: goods, and with goods as the lever military worlds of each as well."""
    return (lambda world: world.good) if lever == "military" else (lambda world: (world.good, world.military))
