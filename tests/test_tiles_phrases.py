"""Requirements read as people say them."""

import pytest

from nfsim.games.new_frontiers.tiles.grammar import parse_requirement, requirement_phrase
from nfsim.games.new_frontiers.tiles.tile_set import TileSet


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("7 colony", "7+ colonies"),
        ("2 nine_cost", "2+ 9-cost developments"),
        ("12 chips_all", "12+ VP chips"),
        ("5 uplift_colony", "5+ UPLIFT colonies"),
        ("3 rebel", "3+ REBEL tiles"),
        ("2 goals_scored at_least=8", "2+ goals worth 8 VPs"),
        ("4 goals_scored", "4+ goals scored"),
        ('owns "Contact Specialist"', "owns Contact Specialist"),
        ("no_military", "no Military"),
    ],
)
def test_a_requirement_reads_as_people_say_it(text: str, phrase: str) -> None:
    assert requirement_phrase(parse_requirement(text)) == phrase


def test_no_requirement_of_the_built_in_campaigns_shows_an_underscore() -> None:
    conditions = TileSet.built_in().conditions
    shown = [requirement_phrase(r) for c in conditions for r in (*c.short_requires, *c.long_requires)]
    assert shown
    assert not [phrase for phrase in shown if "_" in phrase]
