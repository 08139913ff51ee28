"""When a campaign's conditions are met (000 p. 2-3); So Close is tested in `test_so_close.py`."""

from collections.abc import Callable

import pytest
from lab import Table
from lab_tiles import Tile, development, goal, producer, world

from nfsim.games.new_frontiers import solo


def condition(requires: str, vp: int = 0, tiles: tuple[Tile, ...] = (), rules: dict[str, str] | None = None) -> Table:
    """A solo table of campaign 1 with one condition added."""
    fields = {"campaign": 1, "short_vp": vp, "long_vp": 200, "short_requires": requires}
    added = {"do": "add", "kind": "condition", "name": "Lab Condition", "set": fields}
    return Table(1, [*tiles, added], rules=rules)


def met(table: Table) -> bool:
    """Whether the condition added is met in the position as it is."""
    table.score()
    return bool(solo.condition_met(table.tables, table.state, 0, table.prepared.names.condition.index("Lab Condition")))


@pytest.mark.parametrize(("chips", "expected"), [(29, False), (30, True), (31, True)])
def test_a_condition_needs_its_vps_or_more(chips: int, expected: bool) -> None:
    """000 p. 3: equal or exceed."""
    table = condition("", vp=30)
    table.give(0, chips=chips)
    assert met(table) is expected


def test_a_condition_needs_vps_and_every_requirement() -> None:
    """000 p. 3: and."""
    table = condition("1 colony; 2 colony", vp=10)
    table.give(0, chips=30)
    assert not met(table)


UPLIFT = world("Pack", keywords=["uplift"], copies=3)
ALIEN = development("Relic", 1, keywords=["alien"])
TOWER = development("Tower", 9, group="large", stack="ZZ", powers=["settle.military 6"])
GOALS = (goal("Small", "chips_held", "3:2"), goal("Big", "chips_held", "3:8"))
FORT, MINE = world("Fort", defense=2), producer("Mine", "rare")
BAZAAR, YARD = producer("Bazaar", "any", copies=3), world("Yard", powers=["produce.credits 1"])


def stock(kind: str, amount: int) -> Callable[[Table], None]:
    """Give the player a stockpile."""

    def give(table: Table) -> None:
        table.state.stockpile[0, ["worlds", "colonists", "credits", "chips"].index(kind)] = amount

    return give


def several(*steps: Callable[[Table], object]) -> Callable[[Table], None]:
    """Do one thing after the other."""

    def all_of_them(table: Table) -> None:
        for step in steps:
            step(table)

    return all_of_them


def chips(amount: int) -> Callable[[Table], None]:
    """Give the player VP chips."""
    return lambda table: table.give(0, chips=amount)


def tiles(*names: str) -> Callable[[Table], None]:
    """Give the player colonies and developments."""

    def place(table: Table) -> None:
        for name in names:
            table.developed(0, name) if name in ("Relic", "Tower") else table.colony(0, name)

    return place


def up(*names: str) -> Callable[[Table], None]:
    """Put goals into play."""
    return several(*[lambda table, name=name: table.goal_up(name) for name in names])


@pytest.mark.parametrize(
    ("requires", "enough", "too_little"),
    [
        ("3 colony", tiles("Pack", "Fort"), tiles("Pack", "Relic")),  # the home counts (000 p. 4)
        ("2 development", tiles("Relic", "Tower"), tiles("Relic", "Pack")),
        ("1 nine_cost", tiles("Tower"), tiles("Relic")),
        ("2 uplift_colony", tiles("Pack", "Pack"), tiles("Pack", "Relic")),
        ("1 alien", tiles("Relic"), tiles("Pack")),
        ("6 military_strength", tiles("Tower"), tiles("Fort")),
        ("1 production", tiles("Mine"), tiles("Pack")),
        ("2 keywords", tiles("Pack", "Relic"), tiles("Pack", "Pack")),
        ("1 good_kinds", tiles("Mine"), tiles("Pack", "Relic")),
        ("2 good_kinds", tiles("Mine", "Bazaar"), tiles("Bazaar")),  # any kind: one kind more (000 p. 3)
        ("4 good_kinds", tiles("Mine", "Bazaar", "Bazaar", "Bazaar"), tiles("Mine", "Bazaar", "Bazaar")),
        ("2 different_powers", tiles("Tower", "Yard"), tiles("Tower")),  # Military is of the Settle phase
        ("1 rare", tiles("Mine"), tiles("Fort")),
        ("1 military", tiles("Fort"), tiles("Mine")),
        ("5 chips_all", several(chips(3), stock("chips", 2)), several(chips(4), stock("credits", 9))),
        ("5 chips_held", chips(5), several(chips(4), stock("chips", 9))),
        ("3 stockpiled_worlds", stock("worlds", 3), stock("worlds", 2)),
        ("5 total_vp", chips(5), chips(4)),
        ("2 goals_scored", several(up("Small", "Big"), chips(3)), several(up("Small"), chips(3))),
        ("1 goals_scored at_least=8", several(up("Big"), chips(3)), several(up("Small"), chips(3))),
        ('owns "Tower"', tiles("Tower"), tiles("Relic")),
        ('owns "Pack"', tiles("Pack"), lambda table: table.explored(0, "Pack")),
        ("no_military", tiles("Pack"), tiles("Tower")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_requirement_is_met_by_enough_and_not_by_too_little(
    requires: str, enough: Callable[[Table], None], too_little: Callable[[Table], None]
) -> None:
    """000 p. 3: everything that a campaign can list."""
    for give, expected in ((enough, True), (too_little, False)):
        table = condition(requires, tiles=(UPLIFT, ALIEN, TOWER, FORT, MINE, BAZAAR, YARD, *GOALS))
        give(table)
        assert met(table) is expected


def test_a_goal_not_in_play_is_not_scored() -> None:
    """000 p. 3: goals that score."""
    table = condition("1 goals_scored", tiles=GOALS)
    chips(3)(table)
    assert not met(table)


@pytest.mark.parametrize(
    ("choice", "tower", "fort"), [("total_zero", False, True), ("no_military_colony", True, False)]
)
def test_what_no_military_means(choice: str, tower: bool, fort: bool) -> None:
    """R17: total Military 0, or no military colony."""
    for name, expected in (("Tower", tower), ("Fort", fort)):
        table = condition("no_military", tiles=(TOWER, FORT), rules={"no_military": choice})
        tiles(name)(table)
        assert met(table) is expected


@pytest.mark.parametrize(("choice", "twelve", "seven"), [("vp_chips", True, False), ("colonies", False, True)])
def test_what_satisfied_populace_requires(choice: str, twelve: bool, seven: bool) -> None:
    """R18: 12 VP chips, or 7 colonies."""
    for give, expected in ((several(chips(12)), twelve), (tiles(*["Peak"] * 6), seven)):
        table = Table(1, [world("Peak", vp=10, copies=6), world("Crown", vp=30)], rules={"satisfied_populace": choice})
        give(table)
        tiles("Crown")(table)
        table.score()
        place = table.prepared.names.condition.index("Satisfied Populace")
        assert bool(solo.condition_met(table.tables, table.state, 0, place)) is expected
