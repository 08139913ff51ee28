"""The So Close chip and the Gauntlet (seed 000 p. 3)."""

import pytest

from nfsim.games.new_frontiers.campaigns import Campaign, Gauntlet, Position, Target, claim_with
from nfsim.games.new_frontiers.codes import Class, Measure
from nfsim.games.new_frontiers.rulings import in_force
from nfsim.games.new_frontiers.tiles.grammar import parse_requirement

READINGS = in_force("seed", {})


def target(vp, *requires):
    return Target("Condition", vp, tuple(map(parse_requirement, requires)))


def position(vp, goals=(), tiles=(), **counts):
    named = {label.name.lower(): int(label) for label in (*Class, *Measure)}
    return Position(vp, {named[name]: n for name, n in counts.items()}, tuple(goals), frozenset(tiles))


UPLIFT_EMISSARY = target(60, "5 uplift_colony")  # long campaign 2


def test_manual_p3_62_vps_and_4_uplift_colonies_use_the_minus_1_side():
    assert claim_with(UPLIFT_EMISSARY, position(62, uplift_colony=4), READINGS, chip=True) == "count"


def test_manual_p3_57_vps_and_5_uplift_colonies_use_the_minus_3_side():
    assert claim_with(UPLIFT_EMISSARY, position(57, uplift_colony=5), READINGS, chip=True) == "vp"


def test_the_chip_mends_one_miss_only():
    assert claim_with(UPLIFT_EMISSARY, position(57, uplift_colony=4), READINGS, chip=True) is None


def test_without_the_chip_a_near_miss_is_a_miss():
    assert claim_with(UPLIFT_EMISSARY, position(62, uplift_colony=4), READINGS, chip=False) is None


@pytest.mark.parametrize(("vp", "use"), [(60, "none"), (59, "vp"), (57, "vp"), (56, None)])
def test_the_vp_threshold_may_be_missed_by_up_to_3(vp, use):
    assert claim_with(UPLIFT_EMISSARY, position(vp, uplift_colony=5), READINGS, chip=True) == use


def test_a_count_may_be_missed_by_exactly_1():
    assert claim_with(UPLIFT_EMISSARY, position(62, uplift_colony=3), READINGS, chip=True) is None


def test_vp_chips_may_be_missed_by_up_to_3():
    populace = target(40, "12 chips_all")
    assert claim_with(populace, position(41, chips_all=9), READINGS, chip=True) == "vp"
    assert claim_with(populace, position(41, chips_all=8), READINGS, chip=True) is None


def test_an_owned_development_is_never_waived():
    envoy = target(40, 'owns "Contact Specialist"')
    assert claim_with(envoy, position(45), READINGS, chip=True) is None
    assert claim_with(envoy, position(45, tiles=["Contact Specialist"]), READINGS, chip=True) == "none"


def test_no_military_is_never_waived():
    peaceful = target(40, "no_military")
    assert claim_with(peaceful, position(45, military_strength=1), READINGS, chip=True) is None


def test_of_several_counts_any_one_may_be_1_short():
    domination = target(50, "3 imperium", "3 rebel", "2 alien")
    assert claim_with(domination, position(55, imperium=3, rebel=2, alien=2), READINGS, chip=True) == "count"
    assert claim_with(domination, position(55, imperium=2, rebel=2, alien=2), READINGS, chip=True) is None


def test_of_goals_that_must_each_give_8_the_number_stands_but_one_goals_vps_may_drop():
    prestige = target(50, "2 goals_scored at_least=8")
    assert claim_with(prestige, position(55, goals=[8, 5]), READINGS, chip=True) == "vp"
    assert claim_with(prestige, position(55, goals=[8, 3]), READINGS, chip=True) is None
    assert claim_with(prestige, position(55, goals=[8]), READINGS, chip=True) is None
    assert claim_with(prestige, position(55, goals=[5, 5]), READINGS, chip=True) is None


def test_a_plain_number_of_goals_may_be_1_short():
    assert claim_with(target(50, "4 goals_scored"), position(55, goals=[2, 3, 5]), READINGS, chip=True) == "count"


@pytest.mark.parametrize(("reading", "use"), [("yes", "count"), ("no", None)])
def test_r26_says_whether_a_listed_military_may_be_1_short(reading, use):
    readings = in_force("seed", {"so_close_military": reading})
    warlord = target(50, "9 military_strength")
    assert claim_with(warlord, position(55, military_strength=8), readings, chip=True) == use


def test_a_spent_chip_is_gone_for_the_rest_of_the_campaign():
    campaign = Campaign([UPLIFT_EMISSARY, Target("Great", 70)], READINGS, chip=True)
    campaign.claim(position(62, uplift_colony=4), "Condition")
    assert campaign.claimable(position(68)) == {}


def test_a_campaign_is_won_when_every_condition_is_claimed_and_lost_by_one_game_without():
    campaign = Campaign([Target("Great", 70)], READINGS)
    campaign.claim(position(71), "Great")
    assert campaign.won
    other = Campaign([Target("Great", 70)], READINGS)
    other.claim(position(69), None)
    assert other.lost
    assert not other.won


def test_claiming_what_was_not_met_is_refused():
    with pytest.raises(ValueError, match="cannot be claimed"):
        Campaign([Target("Great", 70)], READINGS).claim(position(69), "Great")


def test_the_gauntlet_has_one_chip_for_all_campaigns():
    series = Gauntlet([[Target("Great", 70)], [Target("Epic", 80)]], READINGS)
    series.campaign().claim(position(68), "Great")
    second = series.campaign()
    assert [t.name for t in second.open] == ["Epic"]
    assert not second.chip
    second.claim(position(81), "Epic")
    assert series.won
