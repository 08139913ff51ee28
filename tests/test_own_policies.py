"""Policies of users: weights from a file, functions in Python, by the command line and from scenarios."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import psutil
import pytest

import nfsim
import nfsim.cli
from nfsim.engine.workspace import new_workspace
from nfsim.errors import BadInput, PolicyFailed
from nfsim.games.new_frontiers.rules import RULES
from nfsim.games.new_frontiers.turn import Turn
from nfsim.run import execute
from nfsim.run.chunks import MOST_SLOW, plan
from nfsim.run.execute import run
from nfsim.run.progress import Stopped
from nfsim.run.replay import transcript
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.run.seating import check_policies
from nfsim.stats.intervals import wilson

ROOT = Path(__file__).parents[1]
TABLES = ("games", "seats", "rounds", "selections", "goals", "objectives", "tiles")
MINE = """
import numpy as np

def advised(game):
    "Does what balanced does."
    return game.suggest()

def by_chance(game):
    return int(game.random() * len(game.options))

def as_numpy(game):
    return np.int64(game.suggest("uniform"))

def late(game):
    return 512 if game.number == 3 and game.round == 2 else 0

def breaks(game):
    return {}["nothing"] if game.number == 150 else 0

def two(one, another):
    return 0

NUMBER = 5
"""
WEIGHTS = 'kind = "weights"\nplan = "mine"\n[params]\nvp = {vp}\ncredit = 1.0\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of the user's with a module, as the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "vps.toml").write_text(WEIGHTS.format(vp=1.0))
    return tmp_path


def rows(name, policies, games=12, **options):
    scenario = read_scenario(name)
    seats = scenario.rule_set.players(scenario.prepared)
    seated = check_policies(scenario.rule_set, policies, seats, "--policy")
    options = {"root": 3, "games": games, "tables": TABLES, "jobs": 1} | options
    return sample(scenario.rule_set, scenario.prepared, seated, **options)


def same(one, two, but=()):
    for name in one:
        columns = [column for column in one[name].dtype.names if column not in but]
        assert len(one[name]) == len(two[name])
        assert all((one[name][column] == two[name][column]).all() for column in columns), name


def tables(folder):
    return {name: table.collect() for name, table in nfsim.load(folder).items()}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["solo_campaign1_short", "rift_3p", "base_2p"])
def test_a_function_that_follows_balanced_writes_the_rows_of_balanced(name):
    same(rows(name, ["mine:advised"]), rows(name, ["balanced"]))


@pytest.mark.usefixtures("here")
def test_a_function_at_one_seat_leaves_the_others_to_their_own_policies():
    mixed = rows("rift_3p", ["balanced", "mine:advised", "uniform"])
    same(mixed, rows("rift_3p", ["balanced", "balanced", "uniform"]), but=["policy"])


@pytest.mark.usefixtures("here")
def test_advice_of_uniform_draws_what_uniform_draws():
    same(rows("rift_2p", ["mine:as_numpy"]), rows("rift_2p", ["uniform"]))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("adviser", ["planner", "search"])
def test_advice_of_a_policy_that_thinks_is_what_it_plays(adviser):
    Path("thinks.py").write_text(f'def choose(game):\n    return game.suggest("{adviser}")\n')
    followed, played = (rows("solo_campaign1_short", [name], games=1) for name in ("thinks:choose", adviser))
    same(followed, played, but=["aimed"])  # a function aims at nothing that the log could name


@pytest.mark.usefixtures("here")
def test_random_numbers_belong_to_the_game_whichever_games_are_played_before_it():
    together = rows("rift_2p", ["mine:by_chance"], games=6)
    alone = rows("rift_2p", ["mine:by_chance"], games=range(5, 6))
    assert (together["seats"][together["seats"]["game"] == 5] == alone["seats"]).all()
    assert len(set(together["seats"]["score"])) > 1


def test_processes_write_the_rows_of_one_process(here):
    scenario = read_scenario("solo_campaign1_short", overrides={"games": 120, "policy": "mine:by_chance"})
    run(scenario, here / "one", jobs=1)
    run(scenario, here / "two", jobs=2)
    assert all(one.equals(two) for one, two in zip(tables("one").values(), tables("two").values(), strict=True))
    same(rows("rift_2p", ["mine:by_chance"], jobs=2, games=25), rows("rift_2p", ["mine:by_chance"], games=25))


def test_a_run_with_a_function_is_replayed_as_it_was_played(here):
    scenario = read_scenario("solo_campaign1_short", overrides={"games": 5, "policy": "mine:by_chance"})
    run(scenario, "out", jobs=1)
    with pytest.raises(BadInput, match=r"names code in Python, .mine:by_chance., which is run only if you name it"):
        transcript(Path("out"), 4)
    warnings, lines = transcript(Path("out"), 4, allowed=["mine:by_chance"])
    total = tables("out")["seats"].row(4, named=True)["score"]
    assert warnings == []
    assert f"seat 0: total {total}," in "\n".join(lines)
    with (here / "mine.py").open("a") as file:
        file.write("# a remark\n")
    warnings, _ = transcript(Path("out"), 4, allowed=["mine:by_chance"])
    assert "policy mine:by_chance has changed" in warnings[0]


def test_a_scenario_file_cannot_have_code_run_that_the_user_did_not_name(here, command):
    (here / "planted.py").write_text("raise SystemExit('ran')\n")
    Path("trial.toml").write_text('inherit = "solo_campaign1_short.toml"\npolicy = "planted:choose"\n')
    code, _, error = command("run", "trial.toml", "--games", 2)
    assert (code, "trial.toml: policy: names code in Python" in error) == (2, True)
    assert "planted" not in sys.modules
    assert command("run", "trial.toml", "--games", 2, "--policy", "mine:by_chance", "--jobs", 1)[0] == 0


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(("policy", "file"), [("mine:by_chance", "mine.py"), ("vps.toml", "vps.toml")])
def test_a_run_does_not_go_on_with_another_version_of_a_policy(policy, file):
    settings = {"games": 5, "policy": policy}
    run(read_scenario("solo_campaign1_short", overrides=settings), "out", jobs=1)
    assert run(read_scenario("solo_campaign1_short", overrides=settings), "out", jobs=1).played == 0
    Path(file).write_text(MINE + "# a remark\n" if file == "mine.py" else WEIGHTS.format(vp=2.0))
    with pytest.raises(BadInput, match=f"holds another run: parameters.{policy.removesuffix('.toml')}"):
        run(read_scenario("solo_campaign1_short", overrides=settings), "out", jobs=1)


@pytest.mark.usefixtures("here")
def test_a_file_with_the_weights_of_balanced_plays_as_balanced(command):
    _, text, _ = command("policies", "balanced", "--toml")
    Path("mine.toml").write_text(text)
    same(rows("rift_2p", ["mine.toml"]), rows("rift_2p", ["balanced"]))
    assert (
        rows("rift_2p", ["vps.toml"])["seats"]["score"].tolist()
        != rows("rift_2p", ["balanced"])["seats"]["score"].tolist()
    )


def test_a_scenario_names_files_beside_itself_and_the_command_line_from_where_it_runs(here, command):
    (here / "scenarios").mkdir()
    (here / "scenarios" / "trial.toml").write_text('inherit = "solo_campaign1_short.toml"\npolicy = "beside.toml"\n')
    (here / "scenarios" / "beside.toml").write_text(WEIGHTS.format(vp=3.0))
    assert command("run", "scenarios/trial.toml", "--games", 5)[0] == 0
    assert nfsim.load("runs/trial").manifest["policies"] == ["beside"]
    assert nfsim.load("runs/trial").manifest["scenario"]["policy"] == [str(here / "scenarios" / "beside.toml")]
    assert command("replay", "runs/trial", 3)[0] == 0
    assert command("run", "scenarios/trial.toml", "--games", 5, "--policy", "vps.toml", "--out", "out")[0] == 0
    assert nfsim.load("out").manifest["policies"] == ["vps"]


def test_two_files_of_one_name_have_different_labels(here):
    for folder in ("a", "b"):
        (here / folder).mkdir()
        (here / folder / "vps.toml").write_text(WEIGHTS.format(vp=len(folder)))
    (here / "balanced.toml").write_text(WEIGHTS.format(vp=1.0))
    rule_set = read_scenario("rift_3p").rule_set
    found = check_policies(rule_set, ["a/vps.toml", "b/vps.toml", "a/vps.toml"], 3, "--policy")
    assert [policy.name for policy in found] == ["a/vps", "b/vps", "a/vps"]
    found = check_policies(rule_set, ["balanced.toml", "balanced", "vps.toml"], 3, "--policy")
    assert [policy.name for policy in found] == [f"{here.name}/balanced", "balanced", "vps"]


MISTAKES = {
    "missing.toml": "missing.toml: there is no such file",
    "wrong.toml": "wrong.toml: params.vpp: is not a parameter",
    "balancd": 'unknown policy "balancd"; did you mean "balanced"?',
    "nowhere:choose": 'there is no module "nowhere" in',
    "mine:advise": 'mine has no function "advise"; did you mean "advised"?',
    "mine:NUMBER": "mine:NUMBER is no function",
    "mine:two": "mine:two must take one argument",
    "mine:": "names no function",
    "broken:choose": "SyntaxError in broken.py, line 2",
    "asks:choose": "ModuleNotFoundError in asks.py, line 3: No module named 'nothing_of_that_name'",
    "odd:choose": "odd:choose cannot be imported: BaseException in odd.py, line 1: odd",
    "makes:choose": "makes:choose cannot be imported: RuntimeError in makes.py, line 2: no",
}


@pytest.mark.parametrize("policy", MISTAKES)
@pytest.mark.parametrize("arguments", [["run", "rift_2p", "--policy"], ["ladder", "rift_2p", "--policies"]])
def test_a_policy_that_cannot_be_used_is_one_sentence_and_exit_code_2(here, command, policy, arguments):
    (here / "wrong.toml").write_text('kind = "weights"\nplan = "mine"\n[params]\nvpp = 1.0\n')
    (here / "broken.py").write_text("\ndef choose(game:\n")
    (here / "asks.py").write_text("import math\n\nimport nothing_of_that_name\n")
    (here / "odd.py").write_text("raise BaseException('odd')\n")
    (here / "makes.py").write_text("def __getattr__(name):\n    raise RuntimeError('no')\n")
    code, out, err = command(*arguments, f"{policy},uniform")
    assert (code, out) == (2, "")
    assert MISTAKES[policy] in err
    assert err.count("\n") == 1
    assert "Traceback" not in err


UNFIT = {
    "a number of 5,000 digits": ('kind = "weights"\n[params]\nvp = ' + "9" * 5000, "has too many digits"),
    "2,000 lists in each other": ('kind = "weights"\na = ' + "[" * 2000 + "]" * 2000, "nested too deeply"),
    "a date where it comes from": ('kind = "weights"\n[provenance]\nday = 2020-01-01\n', "provenance: must hold"),
    "no number where it comes from": ('kind = "weights"\n[provenance]\nrate = nan\n', "provenance: must hold"),
    "a table for those that look ahead": ('kind = "weights"\n[thinking]\n', "thinking: is not for kind"),
    "rollouts without weights": ('kind = "search"\n[thinking.weights]\nplayers = "search"\n', "search has no weights"),
    "what would divide by 0": ('kind = "weights"\n[params]\nexplore_bonus = -1\n', "explore_bonus: must be at least 0"),
}


@pytest.mark.parametrize("what", UNFIT)
def test_weights_that_cannot_be_played_by_are_one_sentence_and_exit_code_2(here, command, what):
    text, words = UNFIT[what]
    (here / "unfit.toml").write_text('plan = "mine"\n' + text)
    code, out, err = command("policies", "unfit.toml", "--json")
    assert (code, json.loads(out)["exit_code"]) == (2, 2)
    assert err.count("\n") == 1
    assert "unfit.toml: " in err
    assert words in err


def test_a_file_may_have_the_name_of_the_policy_it_inherits_from(here, command):
    (here / "balanced.toml").write_text('kind = "weights"\nplan = "mine"\ninherit = "balanced"\n')
    code, out, _ = command("policies", "balanced.toml", "--json")
    built_in = command("policies", "balanced", "--json")[1]
    assert code == 0
    assert json.loads(out)["policies"][0]["parameters"] == json.loads(built_in)["policies"][0]["parameters"]


def test_what_a_function_prints_is_no_part_of_the_result(here, command):
    (here / "talks.py").write_text("print('here')\n\ndef choose(game):\n    print('think')\n    return 0\n")
    code, out, err = command(
        "run", "solo_campaign1_short", "--games", 1, "--jobs", 1, "--policy", "talks:choose", "--json"
    )
    assert (code, json.loads(out)["games"]) == (0, 1)
    assert "here" in err
    assert "think" in err


FAILURES = {
    "mine:late": "policy mine:late returned 512, but the options are 0 to",
    "words:choose": "policy words:choose returned 'settle', which is not the number of an option",
    "forgets:choose": "policy forgets:choose returned None",
    "truth:choose": "policy truth:choose returned True",
    "counts:choose": "policy counts:choose returned a int, but the options are 0 to",
    "closes:choose": "policy closes:choose broke off with GeneratorExit in closes.py, line 2",
    "shouts:choose": "policy shouts:choose broke off with ValueError in shouts.py, line 2: " + "a" * 300 + "… (in",
    "leaves:choose": "policy leaves:choose broke off with SystemExit in leaves.py, line 2",
}


@pytest.mark.parametrize("policy", FAILURES)
def test_a_function_that_returns_no_option_stops_with_one_sentence_and_exit_code_1(here, command, policy):
    bodies = {"words": "return 'settle'", "forgets": "pass", "truth": "return True", "leaves": "raise SystemExit",
              "counts": "return 10**5000", "closes": "raise GeneratorExit",
              "shouts": "raise ValueError('a' * 999)"}  # fmt: skip
    for name, body in bodies.items():
        (here / f"{name}.py").write_text(f"def choose(game):\n    {body}\n")
    code, out, err = command("run", "solo_campaign1_short", "--games", 9, "--policy", policy, "--jobs", 1, "--json")
    assert (code, json.loads(out)["exit_code"]) == (1, 1)
    assert err.startswith(f"nfsim: {FAILURES[policy]}")
    assert "(in game " in err
    assert "seat 0, decision " in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_complete_when_a_function_fails_is_kept(jobs):
    scenario = read_scenario("solo_campaign1_short", overrides={"games": 200, "policy": "mine:breaks"})
    with pytest.raises(Stopped, match=r"KeyError in mine.py, line 18: 'nothing' \(in game 150, seat 0") as caught:
        run(scenario, "out", jobs=jobs)
    assert caught.value.exit_code == 1
    assert caught.value.kept in ((100,) if jobs == 1 else (0, 100))  # the other process may be ended first
    assert len(list(Path("out/chunks").glob("*.json"))) == caught.value.kept // 100


@pytest.mark.soak
def test_worker_processes_that_began_in_another_folder_write_where_the_run_is(here, monkeypatch):
    for folder in ("one", "two"):  # the second run has the workers of the first
        (here / folder).mkdir()
        (here / folder / "mine.py").write_text(MINE)
        monkeypatch.chdir(here / folder)
        run(read_scenario("solo_campaign1_short", overrides={"games": 120, "policy": "mine:as_numpy"}), "out", jobs=2)
        assert len(tables("out")["games"]) == 120


@pytest.mark.usefixtures("here")
def test_a_function_edited_during_a_run_is_refused_by_the_workers(here):
    rule_set = read_scenario("rift_2p").rule_set
    policy = check_policies(rule_set, ["mine:advised"], 1, "--policy")[0]
    (here / "mine.py").write_text(MINE + "# a remark\n")
    with pytest.raises(PolicyFailed, match=r"mine\.py has changed since the run began"):
        policy.ask(Turn(RULES, read_scenario("rift_2p").prepared, new_workspace(RULES)))


def test_chunks_of_functions_are_small_and_cover_every_game():
    for games in (1, 99, 100, 1_001, 123_456):
        parts = plan(games, slow=True)
        assert [chunk.first for chunk in parts] == list(range(0, games, parts[0].games))
        assert sum(chunk.games for chunk in parts) == games
        assert parts[0].games <= MOST_SLOW


RUN = ["-m", "nfsim", "run", "solo_campaign1_short", "--games", "1600", "--policy", "mine:by_chance", "--jobs", "2"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "how", [*(pytest.param(how, marks=pytest.mark.soak) for how in ("ctrl-c", "terminate")), "kill"]
)
def test_a_stopped_run_keeps_chunks_and_leaves_no_process(here, how):
    started = subprocess.Popen([sys.executable, *RUN, "--out", "out"], start_new_session=True, text=True,
                               stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)})  # fmt: skip
    while not list((here / "out" / "chunks").glob("*.json")):
        assert started.poll() is None, started.communicate()
        time.sleep(0.05)
    workers = psutil.Process(started.pid).children(recursive=True)
    assert len(workers) >= 2
    if how == "ctrl-c":
        os.killpg(started.pid, signal.SIGINT)  # as a terminal does: to all of them
    else:
        started.send_signal(signal.SIGTERM if how == "terminate" else signal.SIGKILL)
    if how == "kill":
        started.wait()
    else:
        err = started.communicate(timeout=60)[1]
        assert started.returncode == 130
        assert "the same command goes on from there: nfsim run" in err
        assert "Traceback" not in err
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive


@pytest.mark.usefixtures("here")
def test_a_turn_shows_what_the_seat_may_know():
    Path("looks.py").write_text(
        "import re\n"
        "from nfsim.games.new_frontiers.words import describe as game_describe\n"
        "found = []\n"
        "def goals(text):\n"
        "    return re.findall(r'(?:Goals: |, )([^,:]+) \\(face', text)\n"
        "def choose(game):\n"
        "    seat, decision = game.decision\n"
        "    assert seat == game.seat and game.credits == game.seen.credits[seat]\n"
        "    hidden = [other for other in range(3) if other != seat and game.state.goal_down[other] >= 0]\n"
        "    assert all(game.seen.goal_down[other] < 0 for other in hidden)\n"
        "    secret = {game.prepared.names.goal[game.state.goal_down[other]] for other in hidden}\n"
        "    assert not game.seen.bag.any() and not secret & set(goals(game.describe()))\n"
        "    assert secret <= set(goals(game_describe(game.prepared, game.state)))\n"
        "    found.append((len(hidden), [game.tile(choice) for choice in range(len(game.options))]))\n"
        "    return game.suggest()\n"
    )
    rows("rift_3p", ["looks:choose"], games=2)
    found = sys.modules["looks"].found
    assert any(hidden for hidden, _ in found)
    names = {tile.name for _, tiles in found for tile in tiles if tile is not None}
    assert len(names) > 20


def test_policies_are_listed_with_all_they_play_by(command):
    code, out, _ = command("policies", "--json")
    listed = {policy["name"]: policy for policy in json.loads(out)["policies"]}
    file = tomllib.loads(command("policies", "balanced", "--toml")[1])
    assert code == 0
    assert listed["balanced"]["kind"] == "weights"
    for section in ("effects", "params"):
        assert listed["balanced"][section] == {key: value for key, value in file[section].items() if value}
    assert listed["search"]["thinking"]["rollouts"] > 0
    shown = command("policies", "balanced")[1]
    assert "settle_military" in shown
    assert "balanced" in command("policies")[1]


@pytest.mark.usefixtures("here")
def test_a_function_is_shown_with_its_file_and_has_no_weights(command):
    code, out, _ = command("policies", "mine:advised", "--json")
    (found,) = json.loads(out)["policies"]
    assert code == 0
    assert (found["kind"], found["summary"]) == ("own", "Does what balanced does.")
    assert Path(found["file"]).name == "mine.py"
    assert command("policies", "mine:advised", "--toml")[0] == 2
    assert command("policies", "--toml")[0] == 2


def test_a_ladder_and_a_person_meet_own_policies(here, command):
    code, out, _ = command("ladder", "rift_2p", "--policies", "mine:by_chance,vps.toml", "--games", 4, "--json")
    assert code == 0
    assert json.loads(out)["policies"] == ["mine:by_chance", "vps"]
    scenario = read_scenario("rift_2p", overrides={"policy": "balanced,mine:by_chance"})
    played = scenario.rule_set.game(scenario.prepared, scenario.seated, 1, 0)
    while not played.finished:
        played.choose(played.suggest())
    seats = rows("rift_2p", ["balanced", "mine:by_chance"], games=1, root=1)["seats"]
    assert [score["total"] for score in played.scores()] == seats["score"].tolist()


@pytest.mark.parametrize("policy", ["examples.greedy:choose", "examples/my_weights.toml"])
def test_the_worked_examples_beat_uniform(monkeypatch, policy):
    monkeypatch.chdir(ROOT)
    seats = rows("rift_2p", [policy, "uniform"], games=60)["seats"].reshape(-1, 2)
    won = int((seats["rank"][:, 0] == 1).sum())
    assert wilson(won, len(seats))[0] > 0.5


def test_a_function_that_is_slow_stops_between_games(monkeypatch, here):
    (here / "sleepy.py").write_text("import time\ndef choose(game):\n    time.sleep(0.001)\n    return 0\n")
    scenario = read_scenario("solo_campaign1_short", overrides={"games": 40, "policy": "sleepy:choose"})
    asked = []
    engine = scenario.rule_set.engine(scenario.prepared, scenario.seated, "games")
    play = type(engine).play
    monkeypatch.setattr(type(engine), "play", lambda self, *given: asked.append(given[2]) or play(self, *given))
    run(scenario, "out", jobs=1)
    assert np.max(asked) < 40
    assert execute.holds_another("out", scenario) is False
