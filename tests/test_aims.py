"""Aiming pays: for every condition of every campaign, against the same player not aiming, on the same deals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nfsim.games.new_frontiers.policies.shelf import SHELF, aim_name
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.stats.paired import paired_rates

GAMES = 3000


def conditions() -> Iterator[Any]:
    """All of them; by default one of each campaign in each length, every place among them."""
    for campaign in range(1, 7):
        for length in ("short", "long"):
            for place in range(4):
                rest = () if place == (campaign + 2 * (length == "long")) % 4 else pytest.mark.soak
                yield pytest.param(campaign, length, place, marks=rest)


@pytest.mark.parametrize(("campaign", "length", "place"), list(conditions()))
def test_aiming_at_a_condition_meets_it_more_often(campaign: int, length: str, place: int) -> None:
    scenario = read_scenario(Path(f"solo_campaign{campaign}_{length}"), [], {})
    prepared = scenario.prepared
    name = prepared.names.condition[place]
    met = []
    for preset in (SHELF.get(f"tuned_solo_{length}"), SHELF.get("planner").aiming(place, 4)):
        found = sample(scenario.rule_set, prepared, [preset], root=31, games=GAMES, tables=("objectives",), jobs=2)
        rows = found["objectives"]
        met.append(rows["met"][rows["objective"] == place])
    needs_only_vps = int(prepared.tables[0].condition_n[place]) == 0
    difference, low, high = paired_rates(*met).interval
    if needs_only_vps:  # the tuned player is after VPs anyway: aiming must only not be worse
        assert high > 0, f"{name}: {difference:+.4f}"
    else:
        assert low > 0, f"{name}: {difference:+.4f} ({low:+.4f} to {high:+.4f}), without aiming {met[0].mean():.4f}"


@pytest.mark.parametrize("length", SHELF.groups)
def test_every_condition_has_weights_of_its_own(length: str) -> None:
    wanted = {
        aim_name(campaign, name)
        for campaign in range(1, 7)
        for name in read_scenario(Path(f"solo_campaign{campaign}_{length}"), [], {}).prepared.names.condition
    }
    assert set(SHELF.aimed(length)) == wanted


@pytest.mark.parametrize("length", SHELF.groups)
def test_weights_for_a_condition_say_how_they_were_found(length: str) -> None:
    for name, preset in SHELF.aimed(length).items():
        assert preset.provenance["objectives"] == [preset.target], name
        assert preset.provenance["value"] == "met", name
        held_out = preset.provenance["held_out"]
        assert held_out["n"] >= 10_000, name
        assert held_out["low"] <= held_out["value"] <= held_out["high"], name


@pytest.mark.parametrize(("length", "requires"), [("short", "4 uplift_colony"), ("long", "5 uplift_colony; 8 colony")])
def test_aiming_pays_for_a_condition_that_has_no_weights_of_its_own(length: str, requires: str) -> None:
    patch = f'{{do = "change", kind = "condition", name = "Colonizer", set = {{{length}_requires = "{requires}"}}}}'
    rename = '{do = "change", kind = "condition", name = "Colonizer", set = {name = "My Own"}}'
    scenario = read_scenario(Path(f"solo_campaign1_{length}"), [f"patch=[{patch}, {rename}]"], {})
    place = scenario.prepared.names.condition.index("My Own")
    met = []
    for preset in (SHELF.get(f"tuned_solo_{length}"), SHELF.get("planner").aiming(place, 4)):
        found = sample(scenario.rule_set, scenario.prepared, [preset], root=31, games=GAMES, tables=("objectives",))
        met.append(found["objectives"]["met"][found["objectives"]["objective"] == place])
    assert paired_rates(*met).low > 0
