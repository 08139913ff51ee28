"""A person's game without a terminal: undo, what happened, saves and what they refuse."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_rules
import pytest

from nfsim.contract import rule_set
from nfsim.errors import BadInput
from nfsim.run import saved_games
from nfsim.run.scenario import scenario_from
from nfsim.run.session import CannotUndo, NotTheGame, Session


def begin(seed: int = 1, policy: str = "balanced", **setup: Any) -> Session:
    """A session of solo with 3 rounds unless `setup` says otherwise."""
    setup = setup or {"players": 1, "rounds": 3}
    return Session(scenario_from({"game": "new_frontiers", "policy": policy, "setup": setup}, "test", "test"), seed, 0)


def until(session: Session, done: Callable[[Session], bool]) -> Session:
    """Choose the first option until something holds."""
    while not done(session):
        assert not session.game.finished
        session.choose(0)
    return session


def looks(session: Session) -> tuple[Any, ...]:
    """Everything a person sees."""
    return session.view.position(), session.view.options(), session.happened


def resume(file: Path) -> Session:
    return saved_games.resume(file, lambda seconds: None)[0]


def changed(file: Path, **keys: Any) -> Path:
    file.write_text(json.dumps(json.loads(file.read_text()) | keys))
    return file


def test_a_session_always_stands_at_a_decision_of_the_person() -> None:
    session = begin(players=3, rounds=2)
    while not session.game.finished:
        assert session.asks
        assert session.view.options()
        session.choose(len(session.view.options()) - 1)
    assert not session.asks
    assert session.view.options() == []


def test_undo_restores_position_options_and_log_step_by_step() -> None:
    session = begin()
    before = looks(session)
    session.choose(1)
    between = looks(session)
    session.choose(1)  # Develop: nothing is drawn
    session.undo()
    assert looks(session) == between
    session.undo()
    assert looks(session) == before
    with pytest.raises(CannotUndo, match="nothing to undo"):
        session.undo()


def test_undo_goes_back_to_a_drawing_decision_and_no_further() -> None:
    session = begin()
    session.choose(0)
    session.choose(0)  # Explore
    drawn = looks(session)
    session.choose(3)  # which world is taken reveals nothing
    session.undo()
    assert looks(session) == drawn
    with pytest.raises(CannotUndo, match="8 worlds were drawn"):
        session.undo()


def test_undo_takes_back_what_others_did_since() -> None:
    session = begin(players=2, rounds=8)
    while not session.game.finished:
        before, count = looks(session), len(session.choices)
        session.choose(0)
        if session.undoable and len(session.choices) > count + 1:
            session.undo()
            assert looks(session) == before
            return
    pytest.fail("no other seat decided without a draw")


def test_what_happened_names_what_dummies_select_and_who_chose_it() -> None:
    session = begin(rounds=5, players=1)
    told: list[str] = []
    while not session.game.finished:
        session.choose(0)
        told += session.happened
    for turns in session.game.selections:
        assert len(turns) == 3
    dummies = [line for line in told if line.startswith("dummy")]
    mine = [line for line in told if line.startswith("you: ")]
    assert len(dummies) == 2 * len(session.game.selections)
    assert any("(its rule)" in line for line in dummies)
    assert any("(chosen by you)" in line for line in dummies)
    assert mine
    assert [line for line in told if line.startswith("---")] == [f"--- round {n} ends" for n in range(1, 6)]


@pytest.mark.parametrize("policy", ["balanced", "uniform"])
def test_a_resumed_game_goes_on_as_if_it_had_never_stopped(tmp_path: Path, policy: str) -> None:
    session = begin(players=3, rounds=5, policy=policy)
    for _ in range(6):
        session.choose(0)
    saved_games.save(session, tmp_path / "game.json")
    again = resume(tmp_path / "game.json")
    assert looks(again) == looks(session)
    for each in (session, again):
        until(each, lambda s: s.game.finished)
    assert again.choices == session.choices
    assert again.game.scores() == session.game.scores()


def test_a_finished_game_can_be_looked_at_again(tmp_path: Path) -> None:
    session = until(begin(), lambda s: s.game.finished)
    saved_games.save(session, tmp_path / "game.json")
    assert resume(tmp_path / "game.json").view.result() == session.view.result()


@pytest.mark.parametrize(
    ("key", "word"),
    [("version", "the version of the rules"), ("tiles", "the tile set"), ("rules.goal_steps", "rules.goal_steps")],
)
def test_a_save_of_another_game_is_refused_by_name(tmp_path: Path, key: str, word: str) -> None:
    session, file = begin(), tmp_path / "game.json"
    saved_games.save(session, file)
    identity = json.loads(file.read_text())["identity"]
    with pytest.raises(BadInput, match=word):
        resume(changed(file, identity=identity | {key: "another"}))


def test_a_change_that_changes_nothing_played_is_a_warning(tmp_path: Path) -> None:
    session, file = begin(), tmp_path / "game.json"
    saved_games.save(session, file)
    identity = json.loads(file.read_text())["identity"]
    changed(file, identity=identity | {"source": "another", "parameters.balanced": "another"})
    _, warnings = saved_games.resume(file, lambda seconds: None)
    assert len(warnings) == 2
    assert any("source" in text for text in warnings)
    assert any("balanced" in text for text in warnings)


@pytest.mark.parametrize(
    "keys",
    [{"choices": [1, 2]}, {"choices": [1]}, {"choices": [9999]}, {"choices": [-1]}, {"choices": "1"}, {"seed": 2},
     {"seed": -1}, {"fingerprint": 5}, {"format": "another"}, {"unknown": 1}, {"scenario": {}}],
    ids=str,
)  # fmt: skip
def test_a_damaged_save_is_refused(tmp_path: Path, keys: dict[str, Any]) -> None:
    session, file = begin(), tmp_path / "game.json"
    session.choose(1)
    session.choose(1)
    saved_games.save(session, file)
    with pytest.raises(BadInput, match=r"game\.json"):
        resume(changed(file, **keys))


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"seed": ' + b"9" * 6000 + b"}"])
def test_what_is_no_save_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(content)
    with pytest.raises(BadInput, match=r"game\.json"):
        resume(file)
    with pytest.raises(BadInput, match="is there and is no saved game"):
        saved_games.save(begin(), file)
    assert file.read_bytes() == content


def test_choices_that_do_not_fit_are_no_game() -> None:
    with pytest.raises(NotTheGame):
        Session(begin().scenario, 1, 0, [0, 99])


def test_a_game_without_a_view_cannot_be_played_by_a_person() -> None:
    rule_set.register(fake_rules.RULE_SET)
    with pytest.raises(BadInput, match="Dice cannot be played by a person"):
        Session(scenario_from({"game": "fake", "policy": "roll"}, "test", "test"), 1, 0)
