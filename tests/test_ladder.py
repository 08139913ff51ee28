"""Ladders of real games: every seating on the same deals, what is printed and written, what is refused."""

import itertools
import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

import nfsim.cli
from nfsim.compiled.status import Status
from nfsim.contract.rule_set import load_rule_set
from nfsim.errors import BadInput
from nfsim.report import theme
from nfsim.report.charts import heat_map
from nfsim.report.svg import file, raw
from nfsim.run.progress import Stopped
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.stats.paired import paired_rates
from nfsim.stats.tournament import clustered_rate, win_shares
from nfsim.studies.ladder.games import KeptBatches, all_seatings, check_ladder, label_of, play_ladder
from nfsim.studies.ladder.page import rungs_picture, win_matrix_picture
from nfsim.studies.ladder.solo_ladder import rungs
from nfsim.studies.ladder.standings import standings

POLICIES = ("uniform", "balanced")
DEALS = 40


def objectives(scenario):
    return scenario.rule_set.objectives(scenario.prepared)


def play(name, deals=DEALS, **options):
    scenario = read_scenario(name, overrides={"games": deals})
    return play_ladder(scenario, check_ladder(scenario, POLICIES), 1, **options)


@pytest.fixture(scope="module")
def three():
    return play("rift_3p")


@pytest.fixture
def command(capsys):
    """Run the command in this process; return exit code, standard output and standard error."""

    def call(*arguments):
        nfsim.cli.console._console.cache_clear()  # consoles remember whether their stream is a terminal
        code = nfsim.cli.main(["ladder", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def strict(text):
    """Read JSON that has no NaN in it."""

    def refuse(word):
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


def test_balanced_wins_at_least_99_of_100_games_against_uniform():
    pairs = standings(play("rift_2p", 3_000), 1)["pairs"]
    row = pairs.row(by_predicate=pl.col("one") == "balanced", named=True)
    assert row["games"] == 2 * row["n"]
    assert row["low"] >= 0.99


@pytest.mark.parametrize("policy", [0, 1])
def test_a_policy_against_itself_wins_exactly_its_share(three, policy):
    scores = np.stack([win_shares(result.won)[:, seat] for seat, result in three.seatings(policy, policy)], axis=1)
    found = clustered_rate(scores)
    assert (found.rate, found.low, found.high) == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_two_seats_are_played_once_for_both_directions():
    seatings = all_seatings(3, 2)
    assert len(seatings) == len(set(seatings)) == 9
    pairs = standings(play("rift_2p"), 1)["pairs"]
    there, back = pairs.to_dicts()
    assert there["rate"] + back["rate"] == pytest.approx(1)
    assert there["low"] + back["high"] == pytest.approx(1)


def test_with_more_seats_each_policy_is_alone_in_every_seat():
    assert all_seatings(2, 3) == [
        (0, 0, 0),
        (1, 1, 1),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
    ]
    assert all_seatings(3, 1) == [(0,), (1,), (2,)]


def test_games_are_those_of_the_seed_with_these_players(three):
    scenario = read_scenario("rift_3p")
    names = ("balanced", "uniform", "balanced")
    seats = sample(scenario.rule_set, scenario.prepared, names, root=1, games=DEALS)["seats"].reshape(DEALS, 3)
    assert (three.games[1, 0, 1].score == seats["score"]).all()
    assert (three.games[1, 0, 1].won == seats["won"]).all()


def test_the_number_of_threads_changes_nothing(three):
    for jobs in (1, 2):
        again = play("rift_3p", jobs=jobs)
        for players, result in three.games.items():
            assert all((a == b).all() for a, b in zip(result.columns(), again.games[players].columns(), strict=True))


def test_lots_put_together_are_the_whole(three, monkeypatch):
    monkeypatch.setattr("nfsim.studies.ladder.games.BATCH", 15)
    again = play("rift_3p")
    assert (again.games[0, 1, 1].score == three.games[0, 1, 1].score).all()


def test_a_deal_with_an_unfinished_game_is_left_out_for_everyone(monkeypatch, three):
    def broken(rule_set, prepared, policies, **options):
        rows = sample(rule_set, prepared, policies, **options)
        if tuple(map(label_of, policies)) == ("uniform", "balanced", "balanced"):
            rows["games"]["status"][7] = Status.ROUND_LIMIT
        return rows

    monkeypatch.setattr("nfsim.studies.ladder.games.sample", broken)
    found = play("rift_3p")
    assert (found.deals, found.unfinished) == (DEALS - 1, {"round_limit": 1})
    for players, result in found.games.items():
        assert (result.score == np.delete(three.games[players].score, 7, axis=0)).all()


def test_games_that_all_break_off_are_one_sentence(command):
    code, out, err = command("rift_2p", "--policies", "uniform,balanced", "--games", 5, "--set", "setup.rounds=2")
    assert (code, out) == (2, "")
    assert "finished by the rules" in err
    assert len(err.splitlines()) == 1


def test_the_ratings_are_anchored_at_the_first_policy_and_order_the_policies(three):
    first, second = standings(three, 1)["ratings"].to_dicts()
    assert (first["rating"], first["rating_low"], first["rating_high"]) == (0, 0, 0)
    assert 0 < second["rating_low"] < second["rating"] < second["rating_high"]
    own = three.games[1, 1, 1]
    assert second["score"] == pytest.approx(own.score.mean())
    assert second["score_low"] < second["score"] < second["score_high"]
    assert second["rounds"] == pytest.approx(own.rounds.mean())


def test_json_is_one_object_with_all_numbers(command):
    code, out, _ = command("rift_2p", "--policies", "uniform,balanced", "--games", DEALS, "--json")
    assert code == 0
    found = strict(out)
    assert (found["ok"], found["deals"], found["players"], found["seed"]) == (True, DEALS, 2, 1)
    assert found["policies"] == list(POLICIES)
    assert {row["one"] for row in found["pairs"]} == {row["policy"] for row in found["ratings"]} == set(POLICIES)
    for row in found["pairs"]:
        assert row["low"] <= row["rate"] <= row["high"]
        assert (row["n"], row["equal"]) == (DEALS, 0.5)
    assert "sourced" in found["tiles"]["share"]["text"]


def test_tables_say_what_was_played_with_n_and_intervals(command):
    code, out, _ = command("rift_4p", "--policies", "uniform,balanced", "--games", 31, "--seed", 4)
    assert code == 0
    assert "31 deals, seed 4" in out
    assert "Policies: uniform, balanced" in out
    assert "sourced" in out
    assert "equal: 25 %" in out
    assert "against 3 of" in out
    assert "124" in out  # games of a pair: 31 deals in 4 seatings
    assert "0 (fixed)" in out
    assert "mean VPs, all seats this policy" in out
    assert "Tiles: reconstructed, hash " in out


def test_few_deals_have_no_interval_that_cannot_be_relied_on(command):
    found = strict(command("rift_2p", "--policies", "uniform,balanced", "--games", 3, "--json")[1])
    assert [row["score_low"] for row in found["ratings"]] == [None, None]
    assert found["ratings"][1]["rating_low"] is None
    assert all(row["high"] - row["low"] > 0.3 for row in found["pairs"])


def test_solo_rungs_are_the_rates_of_each_policy_and_their_differences(command):
    arguments = ("solo_campaign1_short", "--policies", "uniform,balanced", "--games", 400)
    found = strict(command(*arguments, "--json")[1])
    conditions = list(dict.fromkeys(row["objective"] for row in found["rungs"]))
    assert len(conditions) == 5
    rates = {(row["objective"], row["policy"]): row["rate"] for row in found["rungs"]}
    assert 0 < rates["Any condition", "balanced"] <= sum(rates[name, "balanced"] for name in conditions[:-1])
    for row in found["steps"][:-1]:
        name = row["what"]
        assert row["difference"] == pytest.approx(rates[name, "balanced"] - rates[name, "uniform"])
        assert row["low"] <= row["difference"] <= row["high"]
    weak, strong = (row["mean"] for row in found["score"])
    assert found["steps"][-1]["difference"] == pytest.approx(strong - weak)
    text = command(*arguments)[1]
    for name in [*conditions, "mean VPs", "uniform to balanced", "400 deals"]:
        assert name in text


QUICK = """
kind = "planner"
plan = "plans after one rollout"
thinking = { plans = true, plan_rollouts = 1 }
"""


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """Return a policy file: a planner that thinks little."""
    file = tmp_path_factory.mktemp("policies") / "quick.toml"
    file.write_text(QUICK)
    return str(file)


@pytest.fixture(scope="module")
def aimed(quick):
    scenario = read_scenario("solo_campaign1_short", overrides={"games": DEALS})
    return scenario, play_ladder(scenario, check_ladder(scenario, ["balanced", quick]), 3)


def only_open(policy, condition):
    """Return whether a policy has been told that this condition is the only one open."""
    return policy.worth is not None and np.flatnonzero(policy.worth[:, 0]).tolist() == [condition]


@pytest.mark.parametrize("condition", range(4))
def test_an_aimed_set_is_the_same_deals_with_one_condition_open(aimed, quick, condition):
    scenario, ladder = aimed
    worth = np.zeros((4, 2))
    worth[condition, 0] = 1
    told = replace(scenario.rule_set.policy(quick, "", Path()), worth=worth)
    options = {"root": 3, "games": DEALS, "tables": ("seats", "objectives")}
    found = sample(scenario.rule_set, scenario.prepared, [told], **options)
    assert (ladder.aimed[1, condition].score[:, 0] == found["seats"]["score"]).all()
    assert (ladder.met(1, condition) == found["objectives"]["met"].reshape(DEALS, 4)[:, condition]).all()
    assert (ladder.aimed[1, condition].score != ladder.games[1,].score).any()


def test_a_policy_that_cannot_aim_has_equal_numbers(aimed):
    scenario, ladder = aimed
    assert [ladder.aims(0), ladder.aims(1)] == [False, True]
    found = rungs(ladder, objectives(scenario), WORDS)["rungs"]
    by_condition = found.filter(pl.col("objective") != "Any condition")
    own = by_condition.filter(policy="balanced")
    for name in ("k", "rate", "low", "high"):
        assert own[f"aimed_{name}"].to_list() == own[name].to_list()
    other = by_condition.filter(policy="quick")
    assert other["aimed_k"].to_list() == [int(ladder.aimed[1, place].met[:, place].sum()) for place in range(4)]
    assert other["aimed_k"].to_list() != other["k"].to_list()


def test_a_policy_keeps_its_label_when_told_what_to_aim_at():
    policy = read_scenario("solo_campaign1_short").rule_set.policy("planner", "", Path())
    told = policy.aiming(2, 4)
    assert only_open(told, 2)
    assert told.name == policy.name
    assert told.digest != policy.digest


@pytest.mark.parametrize("name", ["balanced", "search", "examples.greedy:choose"])
def test_a_policy_that_does_not_plan_cannot_aim(name):
    assert read_scenario("solo_campaign1_short").rule_set.policy(name, "", Path()).aiming(0, 4) is None


def test_planner_told_to_aim_at_colonizer_meets_it_more_often():
    scenario = read_scenario("solo_campaign1_short")
    place = list(scenario.rule_set.labels(scenario.prepared, "objective")).index("Colonizer")
    tuned, planner = check_ladder(scenario, ["tuned_solo_short", "planner"])
    met = [
        sample(scenario.rule_set, scenario.prepared, [policy], root=1, games=1_000, tables=["objectives"])
        for policy in (tuned, planner.aiming(place, 4))
    ]
    before, after = (rows["objectives"]["met"].reshape(-1, 4)[:, place] for rows in met)
    assert paired_rates(before, after).low > 0


def test_a_deal_with_an_unfinished_aimed_game_is_left_out_for_everyone(monkeypatch, aimed, quick):
    def broken(rule_set, prepared, policies, **options):
        rows = sample(rule_set, prepared, policies, **options)
        if only_open(policies[0], 2):
            rows["games"]["status"][5] = Status.ROUND_LIMIT
        return rows

    monkeypatch.setattr("nfsim.studies.ladder.games.sample", broken)
    scenario, whole = aimed
    found = play_ladder(scenario, check_ladder(scenario, ["balanced", quick]), 3)
    assert (found.deals, found.unfinished) == (DEALS - 1, {"round_limit": 1})
    assert (found.games[0,].score == np.delete(whole.games[0,].score, 5, axis=0)).all()
    assert (found.met(1, 0) == np.delete(whole.met(1, 0), 5)).all()


def test_steps_compare_aimed_rates_and_mark_what_is_not_above_zero(command, quick):
    arguments = ("solo_campaign1_short", "--policies", f"balanced,uniform,{quick}", "--games", DEALS)
    found = strict(command(*arguments, "--json")[1])
    assert found["aimed"]
    rates = {(row["objective"], row["policy"]): row for row in found["rungs"]}
    for row in found["steps"]:
        assert row["above"] == (row["low"] > 0)
        aims = row["after"] == "quick" and row["what"] not in ("Any condition", "VPs")
        assert row["games"] == ("aimed" if aims else "as played")
        assert row["baseline"] == (aims and row["what"] == "Great Victory")
        if aims:
            before, after = (rates[row["what"], row[side]]["aimed_rate"] for side in ("before", "after"))
            assert row["difference"] == pytest.approx(after - before)
    text = command(*arguments)[1]
    assert "baseline: Great Victory asks for VPs only" in text
    assert "quick, aimed" in text
    marks = sum(row["above"] is False and not row["baseline"] for row in found["steps"])
    assert text.count("  not above zero\n") == marks > 0


def test_no_aim_plays_one_set_for_each_policy(command, quick, monkeypatch):
    played = []

    def counted(rule_set, prepared, policies, **options):
        played.append(label_of(policies[0]))
        return sample(rule_set, prepared, policies, **options)

    monkeypatch.setattr("nfsim.studies.ladder.games.sample", counted)
    arguments = ("solo_campaign1_short", "--policies", f"balanced,{quick}", "--games", 30, "--json")
    without = strict(command(*arguments, "--no-aim")[1])
    assert played == ["balanced", "quick"]
    assert not without["aimed"]
    found = strict(command(*arguments)[1])
    assert played[2:] == ["balanced", "quick", *["quick"] * 4]
    as_played = [{name: row[name] for name in without["rungs"][0]} for row in found["rungs"]]
    assert without["rungs"] == as_played
    assert {row["games"] for row in without["steps"]} == {"as played"}


def test_solo_rates_are_those_of_a_run(tmp_path):
    from nfsim.report.parts.outcomes import objective_rates
    from nfsim.run.execute import run

    scenario = read_scenario("solo_campaign1_short", overrides={"games": 400, "policy": "balanced"})
    run(scenario, tmp_path / "run", jobs=1)
    expected = objective_rates(nfsim.load(tmp_path / "run"), "Any condition").select("objective", "k", "low")
    found = rungs(play("solo_campaign1_short", 400), objectives(scenario), WORDS)["rungs"].filter(policy="balanced")
    assert set(found.select("objective", "k", "low").rows()) == set(expected.rows())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policies", "uniform,balancd"], ["--policies", 'did you mean "balanced"']),
        (["--policies", "uniform"], ["--policies", "at least two"]),
        (["--policies", "uniform,uniform"], ["--policies", "named twice"]),
        (["--policies", ""], ["--policies"]),
        (["--policies", "uniform,balanced", "--games", "0"], ["games"]),
        (["--policies", "uniform,balanced", "--games", "few"], ["--games", "whole number"]),
        (["--policies", "uniform,balanced", "--jobs", "0"], ["--jobs"]),
        (["--policies", "uniform,balanced", "--h1", "9"], ["--h1", "with --until only"]),
        (["--policies", "uniform,balanced,planner", "--until"], ["--policies", "3 policies", "name two"]),
        (["--policies", "uniform,balanced", "--until", "--h1", "-5"], ["--h1", "must be above --h0"]),
        (["--policies", "uniform,balanced", "--until", "--alpha", "2"], ["--alpha", "must be from"]),
        ([], ["--policies"]),
    ],
)
def test_bad_input_is_one_sentence(command, arguments, words):
    code, out, err = command("rift_2p", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("nfsim: ")
    assert len(err.splitlines()) == 1
    assert [word for word in words if word not in err] == []


@pytest.mark.parametrize(("policies", "accepted"), [("uniform,balanced", "H1"), ("balanced,uniform", "H0")])
def test_until_it_is_decided_which_of_two_hypotheses_holds(command, tmp_path, policies, accepted):
    code, out, err = command("rift_2p", "--policies", policies, "--until", "--json", "--out", tmp_path)
    assert code == 0, err
    found = strict(out)
    assert found["decision"]["accepted"] == accepted
    assert found["decision"]["games"] == 2 * found["decision"]["deals"] < 250
    assert found["test"]["expected_deals"]["h1"] > found["decision"]["deals"]  # clearer than the hypotheses ask
    assert strict((tmp_path / "ladder.json").read_text())["decision"] == found["decision"]
    last = pl.read_csv(tmp_path / "ladder_looks.csv")["deals"][-1]
    assert last == found["decision"]["deals"]


def test_until_says_hypotheses_and_expected_games_before_and_the_decision_after(command):
    text = command("rift_2p", "--policies", "uniform,balanced", "--until", "--h1", "50", "--beta", "0.1")[1]
    before, _, after = text.partition("\n\n")
    assert "H0: balanced is at most 0 points stronger than uniform." in before
    assert "H1: it is at least 50 points stronger." in before
    assert "at most 0.05 (alpha) if H0 is true, 0.1 (beta) if H1 is true." in before
    assert "Expected: about" in before
    assert after.startswith("H1 accepted after ")


def test_until_without_enough_deals_is_undecided(command):
    text = command("rift_2p", "--policies", "uniform,balanced", "--until", "--games", 2)[1]
    assert "Undecided after 2 deals (4 games)" in text


def test_policies_that_choose_alike_are_said_to(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    preset = Path(nfsim.__file__).parent / "games/new_frontiers/policies/presets/balanced.toml"
    Path("copy.toml").write_bytes(preset.read_bytes())
    for scenario, more in (("rift_2p", ()), ("solo_campaign1_short", ()), ("rift_2p", ("--until",))):
        text = command(scenario, "--policies", "balanced,copy.toml", "--games", 3, *more)[1]
        assert "balanced and copy made the same choices" in text
        text = command(scenario, "--policies", "balanced,uniform", "--games", 3, *more)[1]
        assert "made the same choices" not in text


def test_names_are_taken_with_blanks_around_them():
    found = check_ladder(read_scenario("rift_2p"), [" uniform", "balanced "])
    assert tuple(map(label_of, found)) == POLICIES


def test_an_error_is_json_too_if_asked_for(command):
    code, out, _ = command("rift_2p", "--policies", "uniform", "--json")
    assert (code, strict(out)["exit_code"]) == (2, 2)


def interrupted_at(batch):
    """Return what plays games until a batch, by its place, which is interrupted."""
    batches = itertools.count()

    def play_batch(*args, **options):
        if next(batches) == batch:
            raise KeyboardInterrupt
        return sample(*args, **options)

    return play_batch


def test_ctrl_c_without_a_folder_says_that_nothing_is_kept(command, monkeypatch):
    monkeypatch.setattr("nfsim.studies.ladder.games.sample", interrupted_at(0))
    code, _, err = command("rift_2p", "--policies", "uniform,balanced")
    words = "nfsim: interrupted: nothing is kept without --out; with it the same command would go on\n"
    assert (code, err) == (130, words)


@pytest.fixture
def small_lots(monkeypatch):
    monkeypatch.setattr("nfsim.studies.ladder.games.FEWEST", 10)
    monkeypatch.setattr("nfsim.studies.ladder.games.BATCHES", 4)


BATCHES = 16  # of the ladder below: four sets of games


def test_an_interrupted_ladder_goes_on_to_the_same_files(command, monkeypatch, tmp_path, small_lots):
    arguments = ("rift_2p", "--policies", "uniform,balanced", "--games", DEALS, "--out")
    command(*arguments, tmp_path / "whole")
    with monkeypatch.context() as patch:
        patch.setattr("nfsim.studies.ladder.games.sample", interrupted_at(5))
        code, _, err = command(*arguments, tmp_path / "out")
    assert code == 130
    assert f"interrupted: 50 of 160 games are kept in {tmp_path / 'out' / 'batches'}; the same command goes on" in err
    played = []

    def counted(*args, **options):
        played.append(options["games"].start)
        return sample(*args, **options)

    monkeypatch.setattr("nfsim.studies.ladder.games.sample", counted)
    assert command(*arguments, tmp_path / "out")[0] == 0
    assert len(played) == BATCHES - 5
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("damaged", [b"", b"short", lambda content: content[:-1] + bytes([content[-1] ^ 1])])
def test_a_lot_that_was_changed_is_played_again(monkeypatch, tmp_path, small_lots, damaged):
    with monkeypatch.context() as patch:
        patch.setattr("nfsim.studies.ladder.games.sample", interrupted_at(3))
        with pytest.raises(Stopped, match="30 of 160 games are kept"):
            play("rift_2p", kept=KeptBatches(tmp_path / "batches"))
    batch = min((tmp_path / "batches").glob("*.batch"))
    content = batch.read_bytes()
    batch.write_bytes(damaged if isinstance(damaged, bytes) else damaged(content))
    found = play("rift_2p", kept=KeptBatches(tmp_path / "batches"))
    assert batch.read_bytes() == content
    for players, results in play("rift_2p").games.items():
        assert all(
            (one == two).all() for one, two in zip(results.columns(), found.games[players].columns(), strict=True)
        )


def test_games_of_another_ladder_are_not_taken(monkeypatch, tmp_path, small_lots):
    first = KeptBatches(tmp_path / "batches")
    play("rift_2p", kept=first)
    for name, options in (("base_2p", {}), ("rift_2p", {"deals": 41})):
        other = KeptBatches(tmp_path / "batches")
        monkeypatch.setattr("nfsim.studies.ladder.games.sample", interrupted_at(0))
        with pytest.raises(Stopped, match=r"interrupted: 0 of"):
            play(name, kept=other, **options)


def contents(folder):
    """Return the files under a folder."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_the_help_teaches_with_examples(command):
    code, out, _ = command("--help")
    assert code == 0
    assert "For example:\n" in out
    assert "nfsim ladder rift_2p --policies uniform,balanced" in out


@pytest.mark.parametrize(
    ("scenario", "tables"), [("rift_3p", ["pairs", "ratings"]), ("solo_campaign2_short", ["rungs", "score", "steps"])]
)
def test_files_hold_the_same_numbers_and_a_chart(command, tmp_path, scenario, tables):
    out = tmp_path / "new" / "ladder"
    arguments = (scenario, "--policies", "uniform,balanced", "--games", 35, "--out", out, "--json")
    found = strict(command(*arguments)[1])
    names = [*(f"ladder_{name}.csv" for name in tables), "ladder.json", "ladder.png", "ladder.svg"]
    assert sorted(file.name for file in out.iterdir()) == sorted(names)
    assert [str(out / name) for name in names] == found.pop("files")
    assert strict((out / "ladder.json").read_text()) == found
    for name in tables:
        read = pl.read_csv(out / f"ladder_{name}.csv")
        assert read.height == len(found[name])
        assert read.columns == list(found[name][0])
    assert (out / "ladder.png").read_bytes().startswith(b"\x89PNG")
    svg = ET.fromstring((out / "ladder.svg").read_text())
    text = " ".join(svg.itertext())
    assert "uniform" in text
    assert "balanced" in text
    assert "prefers-color-scheme: dark" in text


def test_a_folder_that_cannot_be_made_is_named(command, tmp_path):
    (tmp_path / "taken").write_text("")
    code, _, err = command("rift_2p", "--policies", "uniform,balanced", "--games", 2, "--out", tmp_path / "taken" / "x")
    assert code == 2
    assert "cannot be written" in err


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_equal_strength_has_the_middle_colour_whatever_the_number_of_players(players):
    equal = 1 / players
    assert heat_map.step_of(equal, equal) == 2
    assert [heat_map.step_of(rate, equal) for rate in (0.0, 1.0)] == [0, 4]
    steps = [heat_map.step_of(rate, equal) for rate in np.linspace(0, 1, 101)]
    assert steps == sorted(steps)


def texts_of(figure):
    """Return the boxes of all visible texts in pixels."""
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw(renderer)
    found = figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_visible() and artist.get_text())
    return [text.get_window_extent(renderer) for text in found]


WORDS = load_rule_set("new_frontiers").words
NAMES = ["uniform", "a_policy_with_quite_a_long_name_version_2", "aim:Satisfied Populace", "tuned_2026-11-30"]


def pictures():
    row = {"n": 2000, "rate": 0.999, "low": 0.996, "high": 1.0}
    pairs = pl.DataFrame([{"one": a, "others": b, "equal": 0.25, **row} for a in NAMES for b in NAMES if a != b])
    rates = pl.DataFrame([{"policy": a, "objective": c, **row} for c in ("Builder", "Colonizer") for a in NAMES])
    about = "A scenario with a long title (setup.rounds=12, rules.profile=table): 2,000 deals, seed 123456789"
    told = {"aims": True} | {f"aimed_{name}": row[name] for name in ("rate", "low", "high")}
    untold = dict.fromkeys(told) | {"aims": True}
    aimed = [
        {"policy": a, "objective": c, **row, **(told if c == "Builder" else untold)}
        for c in ("Builder", "Any condition")
        for a in NAMES
    ]
    aimed = pl.DataFrame(aimed, infer_schema_length=None)
    return (
        win_matrix_picture(pairs, NAMES, about),
        rungs_picture(rates, about, WORDS),
        rungs_picture(aimed, about, WORDS),
    )


@pytest.mark.parametrize("place", [0, 1, 2], ids=["win_matrix", "rungs", "aimed"])
def test_long_names_neither_overlap_nor_leave_the_chart(place):
    figure = pictures()[place].figure
    boxes = texts_of(figure)
    width, height = figure.canvas.get_width_height()
    assert len(boxes) > 20
    assert all(b.x0 >= -1 and b.y0 >= -1 and b.x1 <= width + 1 and b.y1 <= height + 1 for b in boxes)
    pairs = [(a, b) for i, a in enumerate(boxes) for b in boxes[:i]]
    assert not [(a, b) for a, b in pairs if a.shrunk(0.98, 0.9).overlaps(b.shrunk(0.98, 0.9))]


def test_the_chart_tells_rates_aimed_at_from_those_as_played():
    picture = pictures()[2]
    key = [text.get_text() for text in picture.figure.legends[0].get_texts()]
    assert key == ["aimed at: only this one open", "as played: any one open"]
    aimed, any_condition = picture.figure.axes
    paper = theme.colour("paper")
    fills = [
        [line.get_markerfacecolor() for line in ax.lines if len(line.get_xdata()) == 1] for ax in (aimed, any_condition)
    ]
    assert sorted(face == paper for face in fills[0]) == [False] * len(NAMES) + [True] * len(NAMES)
    assert fills[1] == [paper] * len(NAMES)
    assert "As played: Builder" in picture.alt


def test_names_are_written_as_text_into_the_drawing():
    picture = replace(pictures()[0], title="a < b & c")
    svg = ET.fromstring(file(raw(picture.figure), picture.title, picture.alt))
    assert svg[0].text == "a < b & c"


def test_an_unknown_policy_is_found_before_a_game_is_played():
    with pytest.raises(BadInput, match="unknown policy"):
        check_ladder(read_scenario("rift_2p"), ["uniform", "nobody"])


def test_a_folder_that_cannot_be_written_is_said_before_any_game_is_played(command, tmp_path, monkeypatch):
    monkeypatch.setattr("nfsim.studies.ladder.study.play_ladder", lambda *_, **__: pytest.fail("games were played"))
    (tmp_path / "file").write_text("")
    code, _, err = command("rift_2p", "--policies", "uniform,balanced", "--out", tmp_path / "file")
    assert code == 2
    assert "cannot be written" in err


def test_a_folder_holds_the_tables_of_the_last_ladder_only(command, tmp_path):
    for scenario in ("solo_campaign1_short", "rift_2p"):
        code, _, _ = command(scenario, "--policies", "uniform,balanced", "--games", 12, "--out", tmp_path)
        assert code == 0
    assert {path.stem for path in tmp_path.glob("*.csv")} == {"ladder_pairs", "ladder_ratings"}
