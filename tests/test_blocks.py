"""Questions about all rows of a game are answered block by block, as if all games had been there at once."""

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import nfsim
from nfsim.games.new_frontiers.analysis import goals
from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.report.parts import owned
from nfsim.report.parts.by_round import by_round
from nfsim.report.source import Source, read
from nfsim.stats import frames

QUESTIONS = {
    "goal points": lambda source: goals.goal_points(source.tables),
    "goals by drawer": lambda source: goals.scored_by(source.tables),
    "goals by policy": lambda source: goals.scored_by_policy(source.tables),
    "value of drawing": lambda source: goals.drawing_value(source.tables),
    "records owned": lambda source: owned.owners(source.tables, METRICS.holdings),
    "rounds": by_round,
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    folder = tmp_path_factory.mktemp("blocks") / "run"
    nfsim.play("rift_3p", folder, games=60, policy=["balanced", "uniform", "uniform"], log="tiles")
    return read(folder)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_size_of_blocks_changes_no_answer(source: Source, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = QUESTIONS[question](source)
    monkeypatch.setattr(frames, "BLOCK", 42)  # seven games of three seats
    assert len(list(frames.blocks(source.tables))) == 9
    found = QUESTIONS[question](source)
    assert_frame_equal(whole, found, rel_tol=1e-9)
    assert not whole.is_empty()


def test_every_game_is_in_one_block(source: Source) -> None:
    blocks = [block["games"].select("game").collect()["game"] for block in frames.blocks(source.tables, 25)]
    assert [len(block) for block in blocks] == [25, 25, 10]
    assert pl.concat(blocks).to_list() == list(range(60))
