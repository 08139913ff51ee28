"""The records of one game: what is in play under a scenario's setup and rulings, and whether it can be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from nfsim.errors import BadInput
from nfsim.games.new_frontiers import layout
from nfsim.games.new_frontiers.codes import ADDITIVE_EFFECTS, Class, Effect
from nfsim.games.new_frontiers.settings import Setup
from nfsim.games.new_frontiers.tiles.grammar import CONSUMERS, Power
from nfsim.games.new_frontiers.tiles.records import Condition, Development, Empire, Goal, TileRecord, World
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

# what one empire can gather, and the room for it
ROOM = {
    "special": (layout.SPECIALS, "powers with a filter"),
    "feeder": (layout.FEEDERS, "consume powers"),
    "temp": (layout.TEMPS, "powers of temporary Military"),
    "second": (layout.STATE["settled"].shape[0] - 1, "further settles"),
}


@dataclass(frozen=True)
class InPlay:
    """Records of one game, in the order of the files.

    Attributes
    ----------
    stacks : list of (str, list of Development)
        Development stacks: id, face A and, if it has one, face B.
    mats : list of (int, Empire, Empire)
        Empire mats: number, side A, side B.
    goals : list of Goal
        All goals of the set; `goals_used` are those of this game.
    """

    worlds: list[World]
    stacks: list[tuple[str, list[Development]]]
    mats: list[tuple[int, Empire, Empire]]
    goals: list[Goal]
    goals_used: list[Goal]
    conditions: list[Condition]

    def records(self) -> Iterable[TileRecord]:
        """Iterate over the records that this game rests on."""
        yield from self.worlds
        for _, faces in self.stacks:
            yield from faces
        for _, *sides in self.mats:
            yield from sides
        yield from self.goals_used
        yield from self.conditions


def select(tiles: TileSet, setup: Setup, readings: dict[str, str]) -> InPlay:
    """Return what is in play; R12, R11, R18 decide through `when`, R25 through the Rift's faces.

    Raises
    ------
    BadInput
        If the set cannot be played so: too few records, or more than the layout has room for.
    """
    rift = setup.expansion == "starry_rift"

    def here(record: TileRecord) -> bool:
        return record.holds(readings) and (rift or not getattr(record, "rift", False))

    worlds = [world for world in tiles.worlds if here(world) and world.copies]
    stacks: dict[str, list[Development]] = {}
    for face in tiles.developments:
        if here(face) and not (face.rift and face.face == "B" and _one_sided(face, readings["rift_stacks"])):
            stacks.setdefault(face.stack_id, []).append(face)
    sides: dict[int, dict[str, Empire]] = {}
    for home in tiles.empires:
        if here(home):
            sides.setdefault(home.mat, {})[home.side] = home
    for mat, pair in sides.items():
        if len(pair) < 2:
            missing = "B" if "A" in pair else "A"
            raise BadInput(
                tiles.file("empire"), f"mat {mat}", f"has no side {missing}", "a mat has a side A and a side B"
            )
    goals = [goal for goal in tiles.goals if goal.holds(readings)]
    play = InPlay(
        worlds=worlds,
        stacks=[(stack, sorted(faces, key=lambda face: face.face)) for stack, faces in stacks.items()],
        mats=[(mat, pair["A"], pair["B"]) for mat, pair in sorted(sides.items())],
        goals=goals,
        goals_used=[goal for goal in goals if setup.goals and (rift or not goal.rift)],
        conditions=[c for c in tiles.conditions if c.campaign == setup.campaign_played and c.holds(readings)],
    )
    _check_enough(tiles, play, setup)
    _check_room(tiles, play, setup, readings)
    return play


def _one_sided(face: Development, reading: str) -> bool:
    """Tell whether a Rift development has one side only (R25)."""
    return reading == "one_sided" or (reading == "large_one_sided" and face.group == "large")


def _check_enough(tiles: TileSet, play: InPlay, setup: Setup) -> None:
    drawn = tiles.numbers.drawn
    draw = drawn.worlds_rift if setup.expansion == "starry_rift" else drawn.worlds_base
    needs = [
        ("world", sum(world.copies for world in play.worlds), draw + setup.players, "worlds in the bag"),
        ("development", len(play.stacks), 1, "development stacks"),
        ("empire", len(play.mats), setup.players, "empire mats"),
        ("goal", len(play.goals_used), int(setup.goals), "goals"),
        ("condition", len(play.conditions), int(setup.solo), f"conditions of campaign {setup.campaign_played}"),
    ]
    for kind, found, least, what in needs:
        if found < least:
            who = "solo" if setup.solo else f"{setup.players} players"
            raise BadInput(tiles.file(kind), "", f"cannot be played: {who} need at least {least} {what}, not {found}")


def _check_room(tiles: TileSet, play: InPlay, setup: Setup, readings: dict[str, str]) -> None:
    faces = sum(len(faces) for _, faces in play.stacks)
    holds = [
        ("world", len(play.worlds), layout.WORLDS, "different worlds"),
        ("world", sum(world.copies for world in play.worlds), layout.BAG, "worlds in the bag"),
        ("development", len(play.stacks), layout.STACKS, "development stacks"),
        ("development", faces, layout.DEVS, "developments"),
        ("empire", len(play.mats), min(layout.MATS, layout.HOMES // 2), "empire mats"),
        ("goal", len(play.goals), layout.GOALS, "goals"),
        ("world", _most_taken(tiles, play, setup.players), layout.FRESH, "worlds taken in one Explore action"),
        ("condition", len(play.conditions), layout.CONDITIONS, "conditions of a campaign"),
    ]
    for sort, (room, what) in ROOM.items():
        holds.append(("development", _worst_case(tiles, play, sort, readings), room, f"{what} in one empire"))
    for kind, found, room, what in holds:
        if found > room:
            raise BadInput(tiles.file(kind), "", f"there is room for at most {room} {what}, not {found}")


def sort_of(power: Power) -> str:
    """Which of a seat's lists a power goes to: special, feeder, temp, second, or '' for none."""
    if power.effect == Effect.SETTLE_SECOND:
        return "second"
    if power.effect in CONSUMERS:
        return "feeder"
    if power.effect == Effect.SETTLE_TEMP_MILITARY:
        return "temp"
    if power.effect < ADDITIVE_EFFECTS:
        if power.filter != Class.ANY or power.effect == Effect.SETTLE_PAY_MILITARY:
            return "special"
    return ""


def _worst_case(tiles: TileSet, play: InPlay, sort: str, readings: dict[str, str]) -> int:
    """Most powers of a sort that one seat could gather: a home, all its worlds, all its developments."""

    def number(tile: World | Development | Empire) -> int:
        chosen = [power for power in tile.powers if sort_of(power) == sort]
        return sum(power.amount for power in chosen) if sort == "second" else len(chosen)

    ends = tiles.numbers.ends
    n_worlds = ends.world_limit + 2 if readings["xeno_over_limit"] == "may_exceed" else ends.world_limit
    n_developments = max(ends.developments_tenth_tile, ends.developments_eleventh_space)
    worlds = sorted((number(world) for world in play.worlds for _ in range(world.copies)), reverse=True)
    stacks = sorted((max(map(number, faces)) for _, faces in play.stacks), reverse=True)
    home = max((number(side) for _, *sides in play.mats for side in sides), default=0)
    return home + sum(worlds[:n_worlds]) + sum(stacks[:n_developments])


def _most_taken(tiles: TileSet, play: InPlay, players: int) -> int:
    """Most worlds that all seats together could take in one Explore action: shown ones and blind draws."""

    def total(effect: Effect) -> int:
        def number(tile: World | Development | Empire) -> int:
            return sum(power.amount for power in tile.powers if power.effect == effect)

        copies = tiles.numbers.copies
        found = sum(number(world) * world.copies for world in play.worlds)
        for _, faces in play.stacks:
            in_stack = (copies.large if faces[0].group == "large" else copies.small)[players - 1]
            found += max(map(number, faces)) * min(players, in_stack)
        homes = sorted((max(number(side) for side in sides) for _, *sides in play.mats), reverse=True)
        return found + sum(homes[:players])

    shown = max(tiles.numbers.drawn.worlds_base, tiles.numbers.drawn.worlds_rift)
    return min(shown, players + 1 + total(Effect.EXPLORE_PICK)) + total(Effect.EXPLORE_DRAW)
