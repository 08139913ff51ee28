"""How near finished games came to conditions, from their rows: it gives a search for rare claims a slope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nfsim.games.new_frontiers.codes import Class, Measure, RequirementKind
from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.policies.judging import Nearness

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.tables import Prepared

Floats = NDArray[np.float64]
UNKNOWN = 0.5  # part of a requirement reached, where nothing says how much is missing
NEVER = -1  # `round_settled` of a tile that is not the player's own

COLUMNS: dict[int, str] = {
    Class.COLONY: "colonies",
    Class.DEVELOPMENT: "developments",
    Class.NINE_COST: "nine_cost",
    Class.ALIEN: "tiles_alien",
    Class.IMPERIUM: "tiles_imperium",
    Class.REBEL: "tiles_rebel",
    Class.UPLIFT: "tiles_uplift",
    Class.UPLIFT_COLONY: "colonies_uplift",
    Class.NOVELTY: "colonies_novelty",
    Class.RARE: "colonies_rare",
    Class.GENES: "colonies_genes",
    Class.ALIEN_GOOD: "colonies_alien",
    Class.XENO_MILITARY: "xeno_conquered",
    Measure.MILITARY_STRENGTH: "military",
    Measure.CHIPS_ALL: "vp_chips",
    Measure.GOODS: "goods",
    Measure.STOCKPILED_WORLDS: "stockpiled_worlds",
    Measure.STOCKPILED_COLONISTS: "stockpiled_colonists",
    Measure.STOCKPILED_CREDITS: "stockpiled_credits",
    Measure.STOCKPILED_CHIPS: "stockpiled_chips",
    Measure.CREDITS: "credits",
    Measure.TOTAL_VP: "score",
}
KINDS: dict[int, tuple[str, ...]] = {  # measures that count how many of these are not 0; of keywords, those logged
    Measure.GOOD_KINDS: ("colonies_novelty", "colonies_rare", "colonies_genes", "colonies_alien"),
    Measure.KEYWORDS: ("tiles_alien", "tiles_imperium", "tiles_rebel", "tiles_uplift"),
}
GOALS: dict[int, str] = {0: "goals_scored", 1: "goals_scored", 8: "goals_8"}  # by the VPs a goal must give


def nearness(prepared: Prepared, conditions: Sequence[int]) -> Nearness:
    """Return how near games come to the nearest of some conditions."""
    tables = prepared.tables[0]
    listed = int(tables.n_objectives)

    def near(rows: Mapping[str, Any]) -> Floats:
        requires = rows["objectives"]["requires_met"].reshape(-1, listed)
        found = np.zeros(len(requires))
        for condition in conditions:
            found = np.maximum(found, near_to(tables, rows, condition, requires[:, condition]))
        return found

    return Nearness(near, "tiles" if needs_tiles(tables, conditions) else "games")


def near_to(tables: Any, rows: Mapping[str, Any], condition: int, requires_met: Any) -> Floats:
    """Return how near final positions are to a condition, 0 to 1: the product of the parts reached.

    Parameters
    ----------
    tables : record of TABLES
    rows : mapping
        Rows of solo games by table.
    condition : int
    requires_met : ndarray, shape (game,)
        Column of `objectives`: used for a requirement that no other row shows.
    """
    near = np.ones(len(rows["seats"]))
    if tables.condition_vp[condition] > 0:
        near = np.clip(rows["seats"]["score"] / tables.condition_vp[condition], 0.0, 1.0)
    for i in range(tables.condition_n[condition]):
        near = near * _part(tables, rows, condition, i, np.where(requires_met, 1.0, UNKNOWN))
    return near


def _part(tables: Any, rows: Mapping[str, Any], condition: int, i: int, otherwise: Floats) -> Any:
    """Return which part of a requirement is reached."""
    kind, number = tables.condition_kind[condition, i], int(tables.condition_measure[condition, i])
    if kind == RequirementKind.OWNS:
        return np.where(tiles_that(rows, lambda tile: tile == number) > 0, 1.0, UNKNOWN)
    if kind == RequirementKind.NO_MILITARY:
        return 1.0 / (1.0 + np.maximum(0, rows["seats"]["military"]))
    have = _measured(tables, rows, number, int(tables.condition_least[condition, i]))
    if have is None:
        return otherwise
    return np.minimum(1.0, (0.5 + have) / (0.5 + tables.condition_need[condition, i]))


def _measured(tables: Any, rows: Mapping[str, Any], number: int, least: int) -> Any:
    """Return what rows show of a class or measure; None if nothing."""
    seats = rows["seats"]
    if number in COLUMNS:
        return seats[COLUMNS[number]]
    if number < CLASSES:
        return tiles_that(rows, lambda tile: (tables.mask[tile] >> number) & 1 == 1)
    if number == Measure.GOALS_SCORED:
        return seats[GOALS[least]] if least in GOALS else None
    if number == Measure.CHIPS_HELD:
        return seats["vp_chips"] - seats["stockpiled_chips"]
    return np.sum([seats[name] > 0 for name in KINDS[number]], axis=0) if number in KINDS else None


def tiles_that(rows: Mapping[str, Any], belongs: Callable[[Any], Any]) -> Any:
    """Return by game how many of the player's own tiles are meant."""
    tiles, games = rows["tiles"], rows["seats"]["game"]
    own = tiles["round_settled"] != NEVER
    return np.bincount((tiles["game"] - games[0])[own & belongs(tiles["tile"])], minlength=len(games))


def needs_tiles(tables: Any, conditions: Sequence[int]) -> bool:
    """Return whether nearness to some conditions shows only in the rows of single tiles."""
    for condition in conditions:
        for i in range(tables.condition_n[condition]):
            kind, number = tables.condition_kind[condition, i], int(tables.condition_measure[condition, i])
            counted = kind == RequirementKind.AT_LEAST and number < CLASSES and number not in COLUMNS
            if kind == RequirementKind.OWNS or counted:
                return True
    return False
