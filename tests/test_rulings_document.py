"""RULINGS.md says what `rulings.py` does."""

from importlib.resources import files

import pytest

from nfsim.games.new_frontiers.rulings import RULINGS

TEXT = files("nfsim.games.new_frontiers").joinpath("RULINGS.md").read_text(encoding="utf-8")
SECTIONS = dict(part.split("\n", 1) for part in TEXT.split("\n## ")[1:])


def test_every_ruling_has_a_section_in_order():
    assert list(SECTIONS)[: len(RULINGS)] == [f"{info.cite} `{info.switch}`" for info in RULINGS]


@pytest.mark.parametrize("info", RULINGS, ids=lambda info: info.cite)
def test_a_section_names_question_readings_defaults_and_sources(info):
    section = SECTIONS[f"{info.cite} `{info.switch}`"]
    assert info.question in section
    assert f"Sources: {info.sources}." in section
    readings = [line.split("`")[1] for line in section.splitlines() if line.startswith("- `")]
    assert tuple(readings) == info.choices
    for profile, default in (("seed", info.seed), ("table", info.table)):
        line = next(line for line in section.splitlines() if line.startswith(f"- `{default}`"))
        assert profile in line
