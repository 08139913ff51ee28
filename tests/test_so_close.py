"""How a final position can claim a condition, with or without the So Close chip (seed 000 p. 3)."""

from collections.abc import Sequence

import numpy as np
import pytest
from lab import Table
from lab_tiles import goal

from nfsim.compiled.jit import int64
from nfsim.engine.claims import best_claim
from nfsim.games.new_frontiers.codes import ChipUse, Class
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.solo import claim

CLASSES = {label.name.lower(): label for label in Class}


def use(
    target: tuple[int, str],
    vp: int,
    goals: Sequence[int] = (),
    tiles: Sequence[str] = (),
    rules: dict[str, str] | None = None,
    **has: int,
) -> ChipUse:
    """How a position claims a condition of so many VPs and these requirements.

    `goals` are the VPs of the goals in play, `tiles` developments owned, `has` numbers of classes, of Military or VP
    chips.
    """
    needs, requires = target
    condition = {"campaign": 1, "short_vp": needs, "long_vp": 200, "short_requires": requires}
    names = [f"Goal {place} of {vps}" for place, vps in enumerate(goals)]
    made = [goal(name, "colony", f"1:{vps}") for name, vps in zip(names, goals, strict=True)]  # the home is a colony
    table = Table(
        1, [*made, {"do": "add", "kind": "condition", "name": "Lab Condition", "set": condition}], rules=rules
    )
    for name in names:
        table.goal_up(name)
    table.developed(0, *tiles)
    state = table.state
    for name, amount in has.items():
        if name in CLASSES:
            state.counts[0, CLASSES[name]] = amount
        else:
            state[{"military_strength": "military", "chips_all": "chips"}[name]][0] = amount
    state.score[0, Part.TOTAL] = vp
    return ChipUse(int(claim(table.tables, state, 0, table.prepared.names.condition.index("Lab Condition"))))


UPLIFT_EMISSARY = (60, "5 uplift_colony")  # long campaign 2


def test_manual_p3_62_vps_and_4_uplift_colonies_use_the_minus_1_side() -> None:
    assert use(UPLIFT_EMISSARY, 62, uplift_colony=4) == ChipUse.COUNT


def test_manual_p3_57_vps_and_5_uplift_colonies_use_the_minus_3_side() -> None:
    assert use(UPLIFT_EMISSARY, 57, uplift_colony=5) == ChipUse.VP


def test_the_manuals_condition_is_the_built_in_one() -> None:
    tables = (prepared := Table(1, campaign=2, rounds=12).prepared).tables[0]
    place = prepared.names.condition.index("Uplift Emissary")
    assert (tables.condition_vp[place], tables.condition_n[place]) == (60, 1)
    assert (tables.condition_measure[place, 0], tables.condition_need[place, 0]) == (Class.UPLIFT_COLONY, 5)


def test_the_chip_mends_one_miss_only() -> None:
    assert use(UPLIFT_EMISSARY, 57, uplift_colony=4) == ChipUse.MISSED


@pytest.mark.parametrize(
    ("vp", "expected"), [(60, ChipUse.NONE), (59, ChipUse.VP), (57, ChipUse.VP), (56, ChipUse.MISSED)]
)
def test_the_vp_threshold_may_be_missed_by_up_to_3(vp: int, expected: ChipUse) -> None:
    assert use(UPLIFT_EMISSARY, vp, uplift_colony=5) == expected


def test_a_count_may_be_missed_by_exactly_1() -> None:
    assert use(UPLIFT_EMISSARY, 62, uplift_colony=3) == ChipUse.MISSED


@pytest.mark.parametrize(("chips", "expected"), [(12, ChipUse.NONE), (9, ChipUse.VP), (8, ChipUse.MISSED)])
def test_vp_chips_may_be_missed_by_up_to_3(chips: int, expected: ChipUse) -> None:
    assert use((40, "12 chips_all"), 41, chips_all=chips) == expected


def test_an_owned_development_is_never_waived() -> None:
    envoy = (40, 'owns "Contact Specialist"')
    assert use(envoy, 45) == ChipUse.MISSED
    assert use(envoy, 45, tiles=["Contact Specialist"]) == ChipUse.NONE


@pytest.mark.parametrize(
    ("reading", "has"),
    [("total_zero", {"military_strength": 1}), ("no_military_colony", {"military": 1})],
)
def test_no_military_is_never_waived(reading: str, has: dict[str, int]) -> None:
    """R17: in either reading."""
    rules = {"no_military": reading}
    assert use((40, "no_military"), 45, rules=rules) == ChipUse.NONE
    assert use((40, "no_military"), 45, rules=rules, **has) == ChipUse.MISSED


@pytest.mark.parametrize("short", ["imperium", "rebel", "alien"])
def test_of_several_counts_any_one_may_be_1_short(short: str) -> None:
    domination = (50, "3 imperium; 3 rebel; 2 alien")
    enough = {"imperium": 3, "rebel": 3, "alien": 2}
    assert use(domination, 55, **{**enough, short: enough[short] - 1}) == ChipUse.COUNT


def test_of_several_counts_only_one_may_be_short() -> None:
    assert use((50, "3 imperium; 3 rebel; 2 alien"), 55, imperium=2, rebel=2, alien=2) == ChipUse.MISSED


@pytest.mark.parametrize(
    ("goals", "expected"),
    [([8, 8], ChipUse.NONE), ([8, 5], ChipUse.VP), ([8, 4], ChipUse.MISSED), ([8], ChipUse.MISSED),
     ([5, 5], ChipUse.MISSED), ([8, 3, 5], ChipUse.VP)],
)  # fmt: skip
def test_the_number_of_goals_stands_but_the_vps_of_one_may_drop(goals: list[int], expected: ChipUse) -> None:
    assert use((50, "2 goals_scored at_least=8"), 55, goals) == expected


def test_a_plain_number_of_goals_may_be_1_short() -> None:
    assert use((50, "4 goals_scored"), 55, [2, 3, 5]) == ChipUse.COUNT


@pytest.mark.parametrize(("reading", "expected"), [("yes", ChipUse.COUNT), ("no", ChipUse.MISSED)])
def test_r26_says_whether_a_listed_military_may_be_1_short(reading: str, expected: ChipUse) -> None:
    rules = {"so_close_military": reading}
    assert use((50, "9 military_strength"), 55, rules=rules, military_strength=8) == expected


def test_every_measure_in_vps_has_the_minus_3_side() -> None:
    """000 p. 3: a VP threshold, VP chip requirement, or a requirement measured in VPs."""
    assert use((0, "50 total_vp"), 47) == ChipUse.VP
    assert use((0, "50 total_vp"), 46) == ChipUse.MISSED


@pytest.mark.parametrize(("choice", "claimed"), [("campaign_lost", "Easy"), ("any_game", "Hard")])
def test_r32_when_the_chip_may_be_spent(choice: str, claimed: str) -> None:
    """One condition is met, a better one missed by 1 VP: instead of losing the campaign, or in any game."""
    made = [
        {"do": "add", "kind": "condition", "name": name, "set": {"campaign": 1, "short_vp": vp, "long_vp": 200}}
        for name, vp in (("Easy", 20), ("Hard", 21))
    ]
    table = Table(1, made, rules={"so_close_when": choice})
    table.state.score[0, Part.TOTAL] = 20
    names = table.prepared.names.condition
    worth = np.zeros((len(table.tables.condition_vp), 2))
    worth[names.index("Easy")], worth[names.index("Hard")] = (0.5, 0.4), (1.0, 0.9)
    best, gain = best_claim(table.tables, table.state, int64(0), worth)
    assert (names[int(best)], float(gain)) == (claimed, 0.5 if claimed == "Easy" else 0.9)
    worth[names.index("Easy")] = 0.0  # claimed before: it is open no more
    best, gain = best_claim(table.tables, table.state, int64(0), worth)
    assert (names[int(best)], float(gain)) == ("Hard", 0.9)
