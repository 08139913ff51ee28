"""Classes a tile belongs to, as the bit masks of the tables."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from nfsim.errors import BadInput
from nfsim.games.new_frontiers import layout, rulings
from nfsim.games.new_frontiers.codes import (
    Class,
    Effect,
    Good,
    Phase,
    RequirementKind,
    StockpileKind,
    TileKind,
    WorldType,
    label,
)
from nfsim.games.new_frontiers.settings import Settings
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_BY_NAME, Power
from nfsim.games.new_frontiers.tiles.play import InPlay
from nfsim.games.new_frontiers.tiles.records import KEYWORDS, Colony, Development, Empire, World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.validation import unknown

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


STOCKPILES = {label(kind): kind for kind in StockpileKind}
LARGE_SPACES = 2  # spaces of the development mat that a 9-cost tile takes (P)
IN_STACK, FACE_UP = 1, 2  # goal_in_game


def fill(table: Any, play: InPlay, tiles: TileSet, settings: Settings) -> list[str]:
    """Write what is in play into a zeroed TABLES record.

    Parameters
    ----------
    table : record
        `tables[0]` of a new TABLES recarray.
    play : InPlay
        Records in play; their ids are their places.
    tiles : TileSet
        The set they are from, for the numbers that stand on no tile.
    settings : Settings
        Setup and rulings.

    Returns
    -------
    list of str
        The name of each tile id, '' for unused ones.
    """
    readings = settings.readings
    names = [""] * layout.TILES
    # the same memory: a record looks a field up anew each time, which took most of the time of a check of a tile set
    lists = SimpleNamespace(**{name: table[name] for name in table.dtype.names if table.dtype[name].shape})
    table.kind[:] = -1
    for field in ("type", "good"):
        table[field][:] = -1
    table.scoring[:, :, 2] = -1
    table.stack_face[:] = table.mat_side[:] = -1
    penalties = _penalties(play.worlds, readings)
    for tile, world in enumerate(play.worlds):
        names[tile] = world.name
        _fill_colony(lists, tile, world, readings)
        lists.cost[tile], lists.defense[tile], lists.colonists[tile] = world.cost, world.defense, world.colonists
        lists.penalty[tile], lists.copies[tile] = penalties[tile], world.copies
    table.n_mats = len(play.mats)
    for mat, (_, *sides) in enumerate(play.mats):
        for side, home in enumerate(sides):
            tile = layout.HOME0 + 2 * mat + side
            names[tile] = home.name
            lists.mat_side[mat, side] = tile
            _fill_colony(lists, tile, home, readings)
    table.n_stacks = len(play.stacks)
    tile = layout.DEV0
    for stack, (_, faces) in enumerate(play.stacks):
        copies = tiles.numbers.copies.large if faces[0].group == "large" else tiles.numbers.copies.small
        lists.stack_copies[stack] = copies[settings.setup.players - 1]
        for face, development in enumerate(faces):
            names[tile] = development.name
            lists.stack_face[stack, face] = tile
            _fill_development(lists, tile, development, readings)
            tile += 1
    _fill_setup(table, tiles, settings, readings)
    _fill_goals(table, play)
    _fill_conditions(table, play, tiles, settings, names)
    _fill_campaign(table, play, tiles, settings)
    return names


def _fill_colony(lists: Any, tile: int, colony: Colony, readings: dict[str, str]) -> None:
    lists.kind[tile] = TileKind.HOME if isinstance(colony, Empire) else TileKind.WORLD
    lists.mask[tile], lists.good_mask[tile] = colony_masks(colony, readings, home=isinstance(colony, Empire))
    lists.type[tile], lists.good[tile] = TYPE_CODES[colony.type], GOOD_CODES[colony.good]
    lists.military[tile] = colony.military
    lists.spaces[tile] = 1
    _fill_tile(lists, tile, colony, readings)
    amounts = dict.fromkeys(Effect, 0)
    for power in colony.powers:
        amounts[power.effect] += power.amount
    windfall = lists.type[tile] == WorldType.WINDFALL
    lists.place_good[tile] = int(windfall or amounts[Effect.SETTLE_PLACE_GOOD] > 0)
    lists.credits_this[tile] = amounts[Effect.PRODUCE_CREDITS_THIS]
    lists.bonus_this[tile] = amounts[Effect.TRADE_BONUS_THIS]
    lists.no_sale[tile] = int(amounts[Effect.TRADE_NO_SALE] > 0)


def _fill_development(lists: Any, tile: int, development: Development, readings: dict[str, str]) -> None:
    lists.kind[tile] = TileKind.DEVELOPMENT
    lists.mask[tile] = lists.good_mask[tile] = development_mask(development, readings)
    lists.cost[tile] = development.cost
    lists.spaces[tile] = LARGE_SPACES if development.group == "large" else 1
    _fill_tile(lists, tile, development, readings)


def _fill_tile(lists: Any, tile: int, record: Colony | Development, readings: dict[str, str]) -> None:
    lists.vp[tile] = record.vp
    lists.keywords[tile] = keyword_bits(record.keywords, readings)
    lists.n_powers[tile] = len(record.powers)
    for place, power in enumerate(record.powers):
        lists.power[tile, place] = power_row(power)
    lists.n_scorings[tile] = len(record.scoring)
    for place, line in enumerate(record.scoring):
        lists.scoring[tile, place] = (line.measure, line.each, line.most)


def power_row(power: Power) -> tuple[int, ...]:
    """Return a power as a row of `tables.power`, in the order of POWER_FIELDS."""
    return tuple(int(getattr(power, field, 0)) for field in layout.POWER_FIELDS)


def _penalties(worlds: list[World], readings: dict[str, str]) -> list[int]:
    """Penalties as printed, or by R10 `one_one_six`: the strongest Xeno world -8, the next -6, the rest -3."""
    printed = [world.penalty for world in worlds]
    if readings["penalty_counts"] == "printed":
        return printed
    xeno = [place for place, world in enumerate(worlds) if world.penalty]
    for rank, place in enumerate(sorted(xeno, key=lambda place: (-worlds[place].defense, place))):
        printed[place] = (-8, -6)[rank] if rank < 2 else -3
    return printed


def _fill_setup(table: Any, tiles: TileSet, settings: Settings, readings: dict[str, str]) -> None:
    setup, numbers = settings.setup, tiles.numbers
    at = setup.players - 1  # place in lists by players
    rift = setup.expansion == "starry_rift"
    table.players = setup.players
    table.dummies = 2 if setup.solo else 0
    two = readings["two_player_selections"] == "two" and setup.players == 2
    table.selections = 2 if two else 1
    table.goals = int(setup.goals)
    table.campaign = setup.campaign_played
    table.round_limit = setup.round_limit
    table.limit_is_end = int(setup.solo)
    table.supply_vp = numbers.supplies.vp_chips[at]
    colonists = getattr(numbers.supplies, f"colonists_{readings['colonist_supply']}")
    table.supply_colonists = colonists[at]
    table.explore_worlds = numbers.drawn.worlds_rift if rift else numbers.drawn.worlds_base
    table.chart_goals = numbers.drawn.goals_rift if rift else numbers.drawn.goals_base
    table.start_credits[: setup.players] = numbers.credits.by_place[at]
    prices = {good: getattr(numbers.prices, label(good)) for good in (Good.NOVELTY, Good.RARE, Good.GENES, Good.ALIEN)}
    for good, price in prices.items():
        table.price[good] = price
    table.price[Good.ANY] = max(prices.values())
    table.world_limit = numbers.ends.world_limit
    table.colony_end = numbers.ends.colonies
    table.development_end = getattr(numbers.ends, f"developments_{readings['development_end']}")
    table.colonist_end = getattr(numbers.ends, f"colonists_{readings['colonist_end']}")
    table.ruling[:] = rulings.encode(readings)


def _fill_goals(table: Any, play: InPlay) -> None:
    table.n_goals = len(play.goals)
    for place, goal in enumerate(play.goals):
        table.goal_in_game[place] = IN_STACK if goal in play.goals_used else 0
        table.goal_measure[place] = MEASURE_BY_NAME[goal.measure]
        table.goal_stockpile[place] = STOCKPILES[goal.stockpile]
        table.goal_n_steps[place] = len(goal.steps)
        for number, step in enumerate(goal.steps):
            table.goal_need[place, number], table.goal_vp[place, number] = step.need, step.vp
            table.goal_plus[place, number] = step.plus


def _fill_conditions(table: Any, play: InPlay, tiles: TileSet, settings: Settings, names: list[str]) -> None:
    length = settings.setup.thresholds
    table.n_objectives = len(play.conditions)
    table.chip_last = settings.readings["so_close_when"] == "campaign_lost"
    by_name = {name.casefold(): tile for tile, name in enumerate(names) if name}
    for place, condition in enumerate(play.conditions):
        table.condition_vp[place] = getattr(condition, f"{length}_vp")
        requirements = getattr(condition, f"{length}_requires")
        table.condition_n[place] = len(requirements)
        for number, requirement in enumerate(requirements):
            measure = requirement.measure
            if requirement.kind == RequirementKind.OWNS:
                if requirement.tile.casefold() not in by_name:
                    problem, _, remedy = unknown("tile", requirement.tile, filter(None, names)).partition("; ")
                    key = f"{condition.title}, {length}_requires"
                    raise BadInput(tiles.file("condition"), key, problem, remedy)
                measure = by_name[requirement.tile.casefold()]
            table.condition_kind[place, number] = requirement.kind
            table.condition_measure[place, number] = measure
            table.condition_least[place, number] = requirement.least
            table.condition_need[place, number] = requirement.need


def _fill_campaign(table: Any, play: InPlay, tiles: TileSet, settings: Settings) -> None:
    """Write what single campaigns change (000 p. 2)."""
    campaigns, played = tiles.numbers.campaigns, settings.setup.campaign_played
    table.mastery_stack = -1
    if played == campaigns.prestige:
        names = [goal.name for goal in play.goals]
        if campaigns.prestige_goal not in names:
            raise BadInput(tiles.file("goal"), "", f'campaign {played} needs the goal "{campaigns.prestige_goal}"')
        table.goal_in_game[names.index(campaigns.prestige_goal)] = FACE_UP
    if played == campaigns.mastery:
        wanted = campaigns.mastery_development
        found = [place for place, (_, faces) in enumerate(play.stacks) if wanted in [face.name for face in faces]]
        if not found or len(play.stacks[found[0]][1]) < 2:
            raise BadInput(tiles.file("development"), "", f'campaign {played} needs the two-sided stack of "{wanted}"')
        table.mastery_stack = found[0]
