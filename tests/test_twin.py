"""The plain-Python twin alone, and twin against engine: same decisions, options and positions all through games.

`NFSIM_TWIN_GAMES=200 pytest tests/test_twin.py` plays so many games per configuration, and on more invented sets.
"""

import os
from pathlib import Path

import pytest
from twin.compare import play_games
from twin.invent import invent
from twin.position import Setup
from twin.table import TwinTable, play_alone, readings
from twin.tiles import load

from nfsim.games.new_frontiers.rulings import RULINGS

GAMES = int(os.environ.get("NFSIM_TWIN_GAMES", "0"))
LENGTHS = ((10, "short"), (12, "long"))
SOLO = [Setup(1, "starry_rift", True, campaign, *length) for campaign in range(1, 7) for length in LENGTHS]
TABLES = [Setup(n, "base", False) for n in range(2, 6)]
TABLES += [Setup(n, "starry_rift", goals) for n in range(2, 6) for goals in (True, False)]
TABLES += [Setup(3, "base", True)]
alone = pytest.mark.soak  # the same twin plays beside the engine below, where what it loses is a difference
OTHERS = [(info.switch, choice) for info in RULINGS for choice in info.choices if choice != info.seed]


def test_the_twin_shares_no_code_with_the_engine() -> None:
    allowed = {"compare.py", "engine_table.py", "table.py"}  # drivers, and ruling names
    for path in (Path(__file__).parent / "twin").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert path.name in allowed or "nfsim" not in text.replace('"nfsim"', ""), path
        assert "import numpy" not in text, path


def name(setup: Setup) -> str:
    solo = f"campaign{setup.campaign}-{setup.length}" if setup.players == 1 else f"{setup.players}p"
    return f"{setup.expansion}-{solo}" + ("" if setup.goals else "-no-goals")


@alone
@pytest.mark.parametrize("setup", SOLO + TABLES, ids=name)
def test_the_twin_alone_plays_whole_games_without_losing_anything(setup: Setup) -> None:
    for seed in range(GAMES or 4):
        table = TwinTable.alone(setup, seed)
        assert play_alone(table, seed) > 10
        result = table.result()
        assert 1 <= result["rounds"] <= setup.rounds
        assert min(result["ranks"]) == 1
        for score in table.scores():
            assert -40 <= sum(score.values()) <= 150


@alone
@pytest.mark.parametrize(("switch", "choice"), OTHERS)
def test_the_twin_alone_plays_under_every_reading(switch: str, choice: str) -> None:
    for seed in range(GAMES or 2):
        for setup in (Setup(1, "starry_rift", True, 1, 12, "long"), Setup(2, "starry_rift", True)):
            play_alone(TwinTable.alone(setup, seed, readings("seed", **{switch: choice})), seed)


@alone
def test_the_twin_alone_plays_invented_tile_sets(tmp_path: Path) -> None:
    for seed in range(GAMES or 8):
        folder = invent(tmp_path / str(seed), seed)
        for setup in (Setup(1, "starry_rift", True, 5, 12, "long"), Setup(3, "starry_rift", True)):
            play_alone(TwinTable.alone(setup, seed, tiles=load(setup.expansion, readings(), folder)), seed)


# --- against the engine: decisions, options in order, positions, scores with their parts, ends, conditions

FEW = Setup(1, "starry_rift", True, 5, 12, "long"), Setup(2, "starry_rift", True), Setup(4, "starry_rift", True)


@pytest.mark.parametrize("setup", SOLO + TABLES, ids=name)
def test_engine_and_twin_agree(setup: Setup) -> None:
    play_games(setup, GAMES or 3, readings())


@pytest.mark.parametrize("setup", FEW, ids=name)
def test_engine_and_twin_agree_in_the_profile_table(setup: Setup) -> None:
    play_games(setup, GAMES or 4, readings("table"))


@pytest.mark.parametrize("setups", [FEW[:2], pytest.param(FEW[2:], marks=pytest.mark.soak)], ids=["few", "four"])
@pytest.mark.parametrize(("switch", "choice"), OTHERS)
def test_engine_and_twin_agree_under_every_reading(switch: str, choice: str, setups: tuple[Setup, ...]) -> None:
    for setup in setups:
        play_games(setup, GAMES or 1, readings("seed", **{switch: choice}), seed=2, first=1)  # 1: eagerly


@pytest.mark.parametrize(
    "number",
    [pytest.param(number, marks=() if number < 4 else pytest.mark.soak) for number in range(max(8, GAMES // 4))],
)
def test_engine_and_twin_agree_on_invented_tile_sets(tmp_path: Path, number: int) -> None:
    folder = invent(tmp_path / "tiles", number)
    for setup in (*FEW, Setup(3, "base", True)):
        play_games(setup, GAMES or 1, readings("table" if number % 2 else "seed"), folder, seed=3)
