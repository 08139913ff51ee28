"""`nfsim play` as a person sees it: in a real terminal, and on a pipe."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from terminal import Terminal

from nfsim.cli import console, main
from nfsim.cli.table import Table, heard, undisturbed
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.game import Game
from nfsim.run import saved_games
from nfsim.run.campaign import Campaign
from nfsim.run.scenario import scenario_from

ROOT = Path(__file__).parents[1]
SHORT = ("solo_campaign1_short", "--set", "setup.rounds=2", "--seed", "1")
SAVE = Path("plays", "solo_campaign1_short_seed1_game0.json")
Open = Callable[..., Terminal]
Pipe = Callable[..., tuple[int, str, str]]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Open]:
    """Open terminals in an empty folder."""
    opened: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        opened.append(Terminal(tmp_path, *arguments))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pipe:
    """Run `nfsim play` in this process with lines from a pipe; return exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(lines: bytes, *arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), "utf-8"))
        console._console.cache_clear()  # consoles remember whether their stream is a terminal
        code = main(["play", *arguments])
        return code, *capsys.readouterr()

    return run


def board(text: str) -> str:
    """The last position and options in a text."""
    return text[max(text.rfind("\nRound "), text.rfind("\nSetup ")) :].rpartition("\n")[0]


def test_a_whole_game_is_played_in_a_terminal_and_ends_with_scores_and_conditions(terminal: Open) -> None:
    table = terminal(*SHORT)
    text, asked = table.first, 0
    while "Game over" not in text and asked < 200:
        text, asked = table.ask("0"), asked + 1
    assert "Game over after round 2" in text
    assert re.search(r"you +\d+ VPs?, chips \d+", text)
    assert len(re.findall(r"(Great Victory|Colonizer|Builder|Satisfied Populace) (not )?met", text)) == 4
    assert str(SAVE) in text
    assert table.end()[0] == 0


def test_colours_are_for_terminals_only(terminal: Open, pipe: Pipe) -> None:
    assert "\x1b[1;36m" in terminal(*SHORT).raw
    assert "\x1b[" not in pipe(b"0\n", *SHORT)[1]


def test_help_hints_and_tiles_are_explained_without_a_decision(terminal: Open) -> None:
    table = terminal(*SHORT)
    before = board(table.first)
    assert "undo" in table.ask("?")
    assert re.search(r"mat \d+ side A", table.ask("? 0"))
    assert "costs 2 credits" in table.ask("? gem world")
    assert "did you mean" in table.ask("? Gem Wrold")
    hint = table.ask("hint")
    assert "The best first, by chance to meet a condition:" in hint
    assert "Which condition to aim at, the best first:" in hint
    assert hint.count("  best\n") == 2
    assert len(re.findall("  (best|too close to call|worse)$", hint, re.M)) == 2 + 4  # both sides, and four conditions
    assert "%" not in hint  # games played on by quick players are no forecast
    assert board(table.ask("board")) == before


def test_undo_takes_back_a_decision_until_something_is_drawn(terminal: Open) -> None:
    table = terminal(*SHORT)
    assert "Nothing to undo" in table.ask("undo")
    before = board(table.first)
    assert "Round 1 of 2" in table.ask("1")
    assert board(table.ask("undo")) == before
    table.ask("1")
    assert "drawn: " in table.ask("0")  # Explore
    assert "Your last decision stands: since then 8 worlds were drawn." in table.ask("undo")


def test_bad_input_is_answered_with_what_is_possible(terminal: Open) -> None:
    table, possible = terminal(*SHORT), "type a number from 0 to 1, or ? for help."
    answers = dict.fromkeys(("7", "-1", "one", "0 1", "²", "? 99", "9" * 300, "ä"), possible)
    answers |= {"save /": "choose another name.", "save ~no_such_user/x": "there is no home folder ~no_such_user/x."}
    for line, words in answers.items():
        assert words in table.ask(line), line
    assert "Round 1" in table.ask("0")


def test_a_saved_game_goes_on_in_the_same_position(terminal: Open) -> None:
    table = terminal(*SHORT)
    table.ask("1")
    last = table.ask("0")
    assert "Saved in mine.json." in table.ask("save mine.json")
    table.press("quit\n")
    assert table.end()[0] == 0
    again = terminal("--resume", "mine.json")
    assert board(again.first) == board(last)
    assert "drawn: " in again.ask("log")
    assert "Your last decision stands" in again.ask("undo")


def test_ctrl_c_saves_and_exits_with_130(terminal: Open, tmp_path: Path) -> None:
    table = terminal(*SHORT)
    last = table.ask("1")
    table.press("\x03")
    code, text = table.end()
    assert code == 130
    assert f"nfsim play --resume {SAVE}" in text
    assert "Traceback" not in text
    assert board(terminal("--resume", str(SAVE)).first) == board(last)


def test_a_signal_waits_until_what_was_typed_is_kept() -> None:
    kept = []

    def typed() -> None:
        with undisturbed():
            signal.raise_signal(signal.SIGINT)
            kept.append("what was typed")

    with pytest.raises(KeyboardInterrupt):
        typed()
    assert kept == ["what was typed"]


def test_ctrl_d_saves_and_exits_with_0(terminal: Open, tmp_path: Path) -> None:
    table = terminal(*SHORT)
    table.press("\x04")
    code, text = table.end()
    assert code == 0
    assert str(SAVE) in text
    assert (tmp_path / SAVE).is_file()


def test_the_end_of_a_pipe_saves_and_exits_with_0(pipe: Pipe) -> None:
    code, out, errors = pipe(b"1\nnonsense\n0", *SHORT)
    assert (code, errors) == (0, "")
    assert '"nonsense" is no option: type a number from 0 to 6' in out
    assert out.splitlines()[-1] == f"The game is saved; go on with: nfsim play --resume {SAVE}"
    assert json.loads(SAVE.read_text())["choices"] == [1, 0]


def test_what_is_not_text_is_only_a_bad_line(pipe: Pipe) -> None:
    code, out, _ = pipe(b"\xff\xfe\x00\n\x1b[31m\n1\n", *SHORT)
    assert code == 0
    assert out.count("is no option") == 2
    assert "\x1b" not in out
    assert json.loads(SAVE.read_text())["choices"] == [1]


def test_json_is_one_object_with_position_and_options(pipe: Pipe) -> None:
    found = json.loads(pipe(b"1\n", *SHORT, "--json")[1])
    assert (found["ok"], found["exit_code"], found["finished"]) == (True, 0, False)
    assert found["choices"] == [1]
    assert "Explore" in found["options"]
    assert any(line.startswith("Round 1 of 2") for line in found["lines"])


def test_a_second_game_is_kept_beside_the_first(pipe: Pipe) -> None:
    pipe(b"1\n", *SHORT)
    pipe(b"0\n", *SHORT)
    kept = [json.loads(file.read_text())["choices"] for file in Path("plays").iterdir()]
    assert sorted(kept) == [[0], [1]]  # their names say the second at most, so they may stand in any order


def test_a_game_that_cannot_be_kept_is_played_all_the_same(pipe: Pipe) -> None:
    Path("plays").write_text("a file where the folder should be")
    code, out, _ = pipe(b"1\nsave elsewhere.json\n", *SHORT)
    assert code == 0
    assert out.count("The game cannot be kept: ") == 1
    assert "Round 1 of 2" in out
    assert "The game is not saved: " in out
    assert Path("elsewhere.json").is_file()


def test_a_file_that_is_no_saved_game_is_not_replaced(pipe: Pipe) -> None:
    Path("precious.txt").write_text("precious")
    assert "is there and is no saved game" in pipe(b"save precious.txt\n", *SHORT)[1]
    assert Path("precious.txt").read_text() == "precious"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "SCENARIO: is missing"),
        (("solo_campaign1_short", "--seed", "-1"), "--seed: must be from 0"),
        (("solo_campaign1_short", "--game", "x"), "--game: must be a whole number"),
        (("solo_campaign1_short", "--policy", "nobody"), "unknown policy"),
        (("--resume", "nowhere.json"), "nowhere.json: there is no such file"),
        (("--resume", "plays/nowhere.json"), "nowhere.json: there is no such file"),
    ],
)
def test_impossible_options_are_refused_by_name(pipe: Pipe, arguments: tuple[str, ...], words: str) -> None:
    code, _, errors = pipe(b"", *arguments)
    assert code == 2
    assert words in errors
    assert len(errors.splitlines()) == 1
    assert not Path("plays").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--seed", "2"), "--seed: is 2, but"),
        (("--set", "setup.rounds=3"), "changes nothing in a saved game"),
        (("solo_campaign2_short", "--set", "setup.rounds=2"), "setup.campaign"),
        (("rift_2p",), "setup.players"),
    ],
)
def test_a_saved_game_is_not_changed_from_outside(pipe: Pipe, arguments: tuple[str, ...], words: str) -> None:
    pipe(b"1\n", *SHORT)
    code, _, errors = pipe(b"", "--resume", str(SAVE), *arguments)
    assert code == 2
    assert words in errors


def test_the_same_scenario_may_be_named_with_a_saved_game(pipe: Pipe) -> None:
    pipe(b"1\n", *SHORT)
    assert pipe(b"", *SHORT, "--seed", "1", "--game", "0", "--resume", str(SAVE))[0] == 0


def test_a_deal_is_new_unless_a_seed_is_named_and_can_be_dealt_again(pipe: Pipe) -> None:
    new = ("solo_campaign1_short", "--set", "setup.rounds=2")
    found = [pipe(b"", *new)[1] for _ in range(2)]
    seeds = [re.search(r"the same command with --seed (\d+) deals it again", text)[1] for text in found]  # type: ignore[index]
    assert seeds[0] != seeds[1]
    again = pipe(b"", *new, "--seed", seeds[0])[1]
    assert "deals it again" not in again
    assert board(again).partition("\nThe game")[0] == board(found[0]).partition("\nThe game")[0]


def test_a_save_that_another_terminal_plays_is_refused_and_not_overwritten(pipe: Pipe) -> None:
    pipe(b"1\n", *SHORT)
    before = SAVE.read_bytes()
    with saved_games.held(SAVE):
        code, out, errors = pipe(b"0\n", "--resume", str(SAVE))
        assert (code, out) == (2, "")
        assert errors.count("\n") == 1
        assert "is being played in another terminal; leave the game there first" in errors
        assert "is being played in another terminal" in pipe(f"save {SAVE}\n".encode(), *SHORT)[1]
    assert SAVE.read_bytes() == before
    assert pipe(b"0\n", "--resume", str(SAVE))[0] == 0


def test_a_terminal_that_is_closed_loses_nothing(terminal: Open, tmp_path: Path) -> None:
    table = terminal(*SHORT)
    last = table.ask("1")
    table.hang_up()
    assert board(terminal("--resume", str(SAVE)).first) == board(last)


FIRST = ("--campaign", "1", "--seed", "1")
CAMPAIGN = Path("plays", "campaign1_short_seed1_game0.json")
MET, WITH_CHIP, MISSED = 0, 1, 3  # codes of `nfsim.contract.series`
GAME = b"0\n" * 20  # a game of two rounds and part of the next; claims take the first that is offered, too


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Begin a campaign of games of two rounds, or go on; each game ends with the claims given. Return the output."""
    data = {"game": "new_frontiers", "setup": {"players": 1, "campaign": 1, "rounds": 2}}

    def run(lines: bytes, *codes: int, chip: bool = False) -> str:
        monkeypatch.setattr(Game, "claims", lambda _: codes)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), "utf-8"))
        file, playing = tmp_path / "campaign.json", None
        if file.exists():
            playing, _ = saved_games.resume(file, lambda _: None)
        playing = playing or Campaign.begin(scenario_from(data, "test", "test"), 1, 0, chip=chip)
        Table(playing, file, quiet=False).play()
        return capsys.readouterr().out

    return run


def test_a_campaign_is_four_games_with_a_claim_after_each_and_goes_on_between_sittings(sit: Callable[..., str]) -> None:
    text = sit(GAME + b"quit\n", MET, MET, MET, MET)
    assert "Game 1 of 4; open conditions: Great Victory, Colonizer, Builder, Satisfied Populace." in text
    assert "Choose what you claim:\n  0  Great Victory\n  1  Colonizer" in text
    assert "Game 1 of 4: claimed Great Victory." in text
    assert "The campaign is saved; go on with: nfsim play --resume" in text
    text = sit(6 * GAME, MET, MET, MET, MET)
    assert "You have won the campaign: all 4 conditions are claimed." in text
    assert "The campaign is kept in" in text.splitlines()[-1]
    assert "You have won the campaign" in sit(b"", MET, MET, MET, MET)


def test_a_game_that_meets_no_open_condition_loses_the_campaign(sit: Callable[..., str]) -> None:
    text = sit(6 * GAME, MET, MISSED, MISSED, WITH_CHIP)
    assert "You have lost the campaign: game 2 of 4 meets no condition that is open." in text


def test_the_chip_is_offered_where_it_mends_a_miss_and_a_claim_spends_it(sit: Callable[..., str]) -> None:
    text = sit(6 * GAME, MISSED, WITH_CHIP, WITH_CHIP, MISSED, chip=True)
    assert "You have the So Close chip." in text
    assert "  0  Colonizer with the So Close chip: −3 VPs\n  1  Builder with the So Close chip: −3 VPs" in text
    assert "Game 1 of 4: claimed Colonizer with the So Close chip: −3 VPs." in text
    assert "You have lost the campaign: game 2 of 4" in text


def test_the_chip_mends_nothing_while_an_open_condition_is_met(sit: Callable[..., str]) -> None:
    """R32."""
    text = sit(GAME, MET, WITH_CHIP, WITH_CHIP, MISSED, chip=True)
    assert "Choose what you claim:\n  0  Great Victory\n0-0 or ? > " in text


def test_a_claim_in_a_save_that_its_game_does_not_allow_is_refused(sit: Callable[..., str]) -> None:
    sit(GAME, MET, MET, MET, MET)
    with pytest.raises(BadInput, match="do not lead to the game that was saved"):
        sit(b"", MISSED, MET, MET, MET)


def test_a_campaign_is_begun_by_its_number_and_kept(pipe: Pipe) -> None:
    assert "go on with: nfsim play --resume plays/campaign1_short_seed1" in pipe(b"1\n", *FIRST)[1]
    found = json.loads(pipe(b"", "--resume", str(CAMPAIGN), "--json")[1])
    assert found["choices"] == [1]
    assert found["campaign"]["open"] == ["Great Victory", "Colonizer", "Builder", "Satisfied Populace"]
    assert "--campaign: changes nothing in a saved game" in pipe(b"", "--resume", str(CAMPAIGN), *FIRST)[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--campaign", "1", "solo_campaign1_short"), "and --campaign name two games"),
        (("--campaign", "all"), "--campaign: is one at a time; for example --campaign 1"),
        (("--campaign", "9"), 'there is no campaign "9"'),
        (("solo_campaign1_short", "--so-close"), "--so-close: is for campaigns"),
        (("--campaign", "1", "--game", "4611686018427387904"), "--game: must be below"),
        (("--campaign", "1", "--rounds", "11"), "--rounds: must be 10 (short) or 12 (long)"),
    ],
)
def test_impossible_campaigns_are_refused_by_name(pipe: Pipe, arguments: tuple[str, ...], words: str) -> None:
    code, _, errors = pipe(b"", *arguments)
    assert (code, errors.count("\n")) == (2, 1)
    assert words in errors


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_signal_to_a_piped_game_saves_it_and_is_told_once(tmp_path: Path, options: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "nfsim", "play", *SHORT, *options], cwd=tmp_path, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    until = time.monotonic() + 60
    while not (tmp_path / SAVE).is_file() and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    process.wait(60)  # before its input ends, which ends the game, too
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    if options:
        assert (json.loads(said)["save"], json.loads(said)["exit_code"], errors) == (str(SAVE), 130, "")
    else:
        assert errors == f"nfsim: interrupted: the game is saved; go on with: nfsim play --resume {SAVE}\n"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to threads")
def test_a_signal_that_is_not_heard_while_a_line_is_read_is_sent_again() -> None:
    came = []

    def hard_of_hearing(number: int, _: object) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt

    def waits() -> None:
        with heard():
            signal.raise_signal(signal.SIGINT)
            time.sleep(30)

    before = signal.signal(signal.SIGINT, hard_of_hearing)
    try:
        with pytest.raises(KeyboardInterrupt):
            waits()
    finally:
        signal.signal(signal.SIGINT, before)
    assert came == [signal.SIGINT, signal.SIGINT]
