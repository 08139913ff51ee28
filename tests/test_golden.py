"""Whole games against transcripts kept in `golden/`: a change of the rules shows here.

`make regenerate` writes them anew; read the difference before keeping it. The games are played by `uniform` with the
tiles kept in `data/golden_tiles`, so that neither tuning a policy nor a better tile set touches them.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from nfsim.games.new_frontiers.game import Game
from nfsim.games.new_frontiers.settings import read_settings
from nfsim.games.new_frontiers.tables import prepare

FOLDER = Path(__file__).parent / "golden"
TILES = str(Path(__file__).parent / "data" / "golden_tiles")
GAMES: dict[str, dict[str, Any]] = {
    "solo_campaign1_short": {"players": 1, "campaign": 1, "rounds": 10},
    "solo_campaign6_long": {"players": 1, "campaign": 6, "rounds": 12},
    "base_3p_no_goals": {"players": 3, "expansion": "base", "goals": False},
    "rift_4p": {"players": 4},
    "rift_2p_table": {"players": 2},
}
RULES = {"rift_2p_table": {"profile": "table"}}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_as_it_always_did(name: str) -> None:
    settings = read_settings({"setup": GAMES[name], "rules": RULES.get(name, {}), "tiles": TILES}, name)
    game = Game.new(prepare(settings, name), 1, 0, ["uniform"])
    text = "\n".join(game.transcript()) + "\n"
    file = FOLDER / f"{name}.txt"
    if os.environ.get("NFSIM_REGENERATE"):
        file.write_text(text, encoding="utf-8")
        pytest.skip("written anew")
    assert text == file.read_text(encoding="utf-8")
