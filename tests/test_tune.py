"""Searches for better weights: they improve a bad start, go on where they stopped, and say where results come from."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pytest

import nfsim.cli
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.codes import Effect
from nfsim.games.new_frontiers.layout import CLASSES
from nfsim.games.new_frontiers.policies import nearness
from nfsim.games.new_frontiers.policies.shelf import SHELF
from nfsim.run.sample import sample
from nfsim.run.scenario import read_scenario
from nfsim.studies import tune as searching
from nfsim.studies.tune import TuneState

BAD = 'kind = "weights"\nplan = "knows nothing"\n[params]\nchip = 1.0\ncredit_rounds = 5.0\nrounds_guess = 10.0\n'
TINY = ("--games", "20", "--generations", "4", "--population", "4", "--held-out", "100")


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run `nfsim` in a folder that holds `bad.toml`; return exit code, standard output and standard error."""
    (tmp_path / "bad.toml").write_text(BAD)
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        nfsim.cli.console._console.cache_clear()
        code = nfsim.cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def tuned(call, *arguments, scenario="solo_campaign1_short"):
    """Tune and return what --json says."""
    code, out, err = call("tune", scenario, "--from", "bad.toml", *arguments, "--json")
    assert code == 0, err
    return json.loads(out)


def test_a_bad_start_is_improved_on_games_that_the_search_never_played(call):
    found = tuned(call, "--games", 40, "--generations", 12, "--population", 8, "--held-out", 1000, "--out", "a.toml")
    assert found["held_out"]["difference_low"] > 0
    assert found["held_out"]["start"] < found["held_out"]["low"]


def test_the_figure_is_that_of_the_file_as_it_is_written(call):
    found = tuned(call, *TINY, "--out", "a.toml")
    scenario = read_scenario("solo_campaign1_short")
    policy = SHELF.read(Path("a.toml"))
    rows = sample(scenario.rule_set, scenario.prepared, [policy], root=found["held_out_seed"], games=100)
    assert found["held_out"]["n"] == 100
    assert found["held_out"]["value"] == pytest.approx(rows["seats"]["score"].mean(), rel=1e-4)


def test_a_file_says_where_it_comes_from(call):
    options = ("--objective", "Idealist", "--seed", 7, "--only", "likes,params")
    found = tuned(call, *options, *TINY, "--out", "a.toml", scenario="solo_campaign2_short")
    policy = SHELF.read(Path("a.toml"))
    assert found["file"] == "a.toml"
    stated = dict(policy.provenance)
    assert {key: found[key] for key in stated} == stated
    assert (stated["value"], stated["objectives"], policy.target) == ("met", ["Idealist"], "Idealist")
    assert (stated["start"], stated["start_parameters"]) == ("bad", SHELF.read(Path("bad.toml")).digest)
    assert stated["tile_hash"] == read_scenario("solo_campaign2_short").prepared.tile_hash
    assert (stated["seed"], stated["games"], stated["generations"], stated["population"]) == (7, 20, 4, 4)
    assert stated["changed"] == ["params", "likes"]
    assert not policy.vectors["params"][: len(Effect)].any()


def test_threads_change_nothing(call):
    tuned(call, *TINY, "--out", "one.toml", "--jobs", 1)
    tuned(call, *TINY, "--out", "two.toml", "--jobs", 2)
    assert Path("one.toml").read_bytes() == Path("two.toml").read_bytes()


def test_an_interrupted_search_goes_on_to_what_an_undisturbed_one_finds(call, monkeypatch):
    tuned(call, *TINY, "--out", "whole.toml")
    add = TuneState.add

    def interrupt(state, generation):
        add(state, generation)
        if len(state.generations) == 2:
            raise KeyboardInterrupt

    command = ("tune", "solo_campaign1_short", "--from", "bad.toml", *TINY, "--out", "cut.toml")
    with monkeypatch.context() as patch:
        patch.setattr(TuneState, "add", interrupt)
        code, _, err = call(*command)
    assert code == 130
    assert "2 of 4 generations are kept in cut.toml.search.json; the same command goes on" in err
    assert not Path("cut.toml").exists()
    added = []
    monkeypatch.setattr(TuneState, "add", lambda state, generation: (added.append(1), add(state, generation)))
    assert call(*command)[0] == 0
    assert len(added) == 2
    assert Path("cut.toml").read_bytes() == Path("whole.toml").read_bytes()
    assert not Path("cut.toml.search.json").exists()


def test_a_finished_search_is_left_and_another_does_not_overwrite_it(call, monkeypatch):
    command = ("tune", "solo_campaign1_short", "--from", "bad.toml", *TINY, "--out", "a.toml")
    assert call(*command)[0] == 0
    with monkeypatch.context() as patch:
        patch.setattr(searching, "tune", None)  # nothing is played
        code, _, err = call(*command)
    assert (code, "was finished before" in err) == (0, True)
    before = Path("a.toml").read_bytes()
    code, _, err = call(*command, "--seed", 2)
    assert code == 2
    assert "a.toml is there already, from another search" in err
    assert Path("a.toml").read_bytes() == before


def test_a_finished_file_that_lost_its_figures_is_another_file(call):
    command = ("tune", "solo_campaign1_short", "--from", "bad.toml", *TINY, "--out", "a.toml")
    assert call(*command)[0] == 0
    Path("a.toml").write_text(Path("a.toml").read_text().replace("start_low", "start_lowest"))
    code, _, err = call(*command)
    assert (code, "a.toml is there already" in err) == (2, True)


def test_a_name_that_leaves_no_room_for_the_state_is_refused(call):
    code, out, err = call("tune", "solo_campaign1_short", *TINY, "--out", "a" * 245 + ".toml")
    assert (code, out, "give a shorter --out" in err) == (2, "", True)
    assert [file.name for file in Path().iterdir()] == ["bad.toml"]


def test_a_disk_that_cannot_be_written_is_refused_before_anything_is_played(call, monkeypatch):
    def refuse(folder):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(searching, "try_writing", refuse)
    monkeypatch.setattr(searching, "warm_up", lambda *_: pytest.fail("something was played"))
    code, out, err = call("tune", "solo_campaign1_short", *TINY, "--out", "a.toml")
    assert (code, out) == (2, "")
    assert "--out: a.toml cannot be written (Read-only file system); name another folder" in err


def test_a_generation_that_did_not_reach_the_disk_is_not_counted(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    state = TuneState(tmp_path / "a.search.json", {}, [])
    state.add(searching.Generation(values=[1.0], mark=1.0))
    monkeypatch.setattr(searching, "write_atomic", refuse)
    with pytest.raises(OSError, match="Read-only"):
        state.add(searching.Generation(values=[2.0], mark=2.0))
    assert len(state.generations) == 1


def test_the_state_of_another_search_and_a_damaged_one_are_refused(call, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    command = ("tune", "solo_campaign1_short", "--from", "bad.toml", *TINY, "--out", "a.toml")
    with monkeypatch.context() as patch:
        patch.setattr(searching.Watch, "generation", interrupt)
        assert call(*command)[0] == 130
    code, _, err = call(*command, "--sigma", 0.5)
    assert (code, "a.toml.search.json: holds another search (sigma is 0.2 there, 0.5 here)" in err) == (2, True)
    state = json.loads(Path("a.toml.search.json").read_text())
    state["generations"][0]["mark"] += 1
    Path("a.toml.search.json").write_text(json.dumps(state))
    code, _, err = call(*command)
    assert (code, "generation 0: is not of this search's candidates" in err) == (2, True)
    Path("a.toml.search.json").write_text('{"identity": ')
    code, _, err = call(*command)
    assert (code, "is not the state of a search" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--from", "balancd"], ["--from", 'did you mean "balanced"?']),
        (["--from", "uniform"], ["--from", "uniform has no weights"]),
        (["--from", "none.toml"], ["none.toml", "there is no such file"]),
        (["--value", "scor"], ["--value", 'did you mean "score"?']),
        (["--value", "win"], ["--value", "does not fit a scenario for one player"]),
        (["--value", "met"], ["--objective", "is missing"]),
        (["--value", "score", "--objective", "Nobody"], ["--objective", '"Nobody"']),
        (["--against", "balanced"], ["--against", "leave it out"]),
        (["--only", "effects,like"], ["--only", 'did you mean "likes"?']),
        (["--games", "0"], ["--games", "from 1"]),
        (["--generations", "0"], ["--generations", "from 1"]),
        (["--population", "2"], ["--population", "from 4"]),
        (["--held-out", "1"], ["--held-out", "from 100"]),
        (["--sigma", "nan"], ["--sigma"]),
        (["--seed", "1000000000"], ["--seed", "999999999"]),
        (["--jobs", "0"], ["--jobs", "from 1"]),
        (["--plan", ""], ["--plan", "1 to 300"]),
        (["--out", "a.txt"], ["--out", ".toml"]),
        (["--out", "no/a.toml"], ["--out", "no folder"]),
        (["--out", "bad.toml"], ["--out", "is there already"]),
    ],
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(call, options, words):
    code, out, err = call("tune", "solo_campaign1_short", "--out", "a.toml", *options)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert [word for word in words if word not in err] == []
    assert [file.name for file in Path().iterdir()] == ["bad.toml"]


def test_against_itself_every_policy_wins_its_share(call):
    options = ("--out", "a.toml", *TINY)
    code, out, err = call("tune", "rift_2p", "--from", "balanced", *options, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["against"], found["held_out"]["start"], found["held_out"]["n"]) == (["balanced"], 0.5, 50)


def test_claims_count_the_games_in_which_any_of_the_conditions_is_met():
    scenario = read_scenario("solo_campaign1_short")
    names = scenario.prepared.names.condition[:2]
    tuner = scenario.rule_set.tuner(scenario.prepared, searching_aim(objectives=tuple(names)))
    found = tuner.play()(tuner.start, 3, 0, 200)
    rows = sample(scenario.rule_set, scenario.prepared, ["balanced"], root=3, games=200, tables=("objectives",))
    met = rows["objectives"]["met"].reshape(200, -1)[:, :2].any(axis=1)
    assert (found.plain == met).all()
    assert 0 < met.mean() < 1
    # the search follows more than that, but never against it
    assert found.smooth[met].min() > found.smooth[~met].max()
    assert len(np.unique(found.smooth[~met])) > 10


def test_own_tiles_are_counted_as_the_log_counts_them():
    scenario = read_scenario("solo_campaign1_short")
    seated, names = scenario.seated, ("seats", "tiles")
    rows = sample(scenario.rule_set, scenario.prepared, seated, root=1, games=300, tables=names)
    tables = scenario.prepared.tables[0]
    classes = [class_ for class_ in nearness.COLUMNS if class_ < CLASSES]
    assert len(classes) > 10
    for class_ in classes:
        found = nearness.tiles_that(rows, lambda tile, class_=class_: (tables.mask[tile] >> class_) & 1 == 1)
        assert (found == rows["seats"][nearness.COLUMNS[class_]]).all(), class_


def test_a_search_for_a_tile_that_a_condition_names_sees_who_owns_it():
    scenario = read_scenario("solo_campaign2_short")
    tuner = scenario.rule_set.tuner(scenario.prepared, searching_aim(objectives=("Peace Envoy",)))
    rows = sample(scenario.rule_set, scenario.prepared, scenario.seated, root=4, games=300, tables=("seats", "tiles"))
    labels = scenario.rule_set.labels(scenario.prepared, "tile")
    tiles = rows["tiles"]
    named = (tiles["tile"] == list(labels).index("Contact Specialist")) & (tiles["round_settled"] > 0)
    owners = np.isin(np.arange(300), tiles["game"][named])
    smooth = tuner.play()(tuner.start, 4, 0, 300).smooth
    # owners are nearer than others of the same VPs and Military
    military, vps = rows["seats"]["military"], rows["seats"]["score"]
    alike = (military == np.bincount(military[owners]).argmax()) & (vps < vps_asked(scenario, "Peace Envoy"))
    near = smooth / vps
    assert 3 < (alike & owners).sum() < alike.sum() - 3
    assert near[alike & owners].min() > near[alike & ~owners].max()


def vps_asked(scenario, condition):
    return scenario.prepared.tables[0].condition_vp[scenario.prepared.names.condition.index(condition)]


def searching_aim(**aim):
    return nfsim.contract.rule_set.Aim("balanced", **aim)


def test_candidates_stay_within_bounds_however_far_the_search_goes():
    scenario = read_scenario("solo_campaign1_short")
    tuner = scenario.rule_set.tuner(scenario.prepared, searching_aim())
    far = np.full(len(tuner.lower), -1e9)
    policy = tuner.policy(far)
    effects = policy.vectors["params"][: len(Effect)]
    assert (np.delete(effects, Effect.TRADE_NO_SALE) >= 0).all()
    assert effects[Effect.TRADE_NO_SALE] == -1e6
    assert tuner.policy(-far).vectors["params"][Effect.TRADE_NO_SALE] == 0


def test_a_preset_written_and_read_plays_the_same():
    scenario = read_scenario("solo_campaign2_short")
    tuner = scenario.rule_set.tuner(scenario.prepared, searching_aim(objectives=("Idealist",)))
    policy = tuner.policy(np.random.default_rng(1).normal(size=len(tuner.lower)))
    assert SHELF.parse(policy.written(), "a", "a.toml").digest == policy.digest
    assert policy.digest != tuner.start.digest


class Recorder:
    """A tuner whose only parameter is best at 1; it notes which deals were played."""

    lower, upper = np.array([-5.0, -5.0]), np.array([5.0, 5.0])
    start = np.zeros(2)

    def __init__(self):
        self.played = []

    def deals(self, games):
        return games

    def policy(self, vector):
        return np.round(vector, 3)

    def play(self):
        def play(policy, root, first, deals):
            self.played.append((root, first, deals))
            values = np.full(deals, -float(((policy - 1) ** 2).sum()))
            return nfsim.contract.tuner.Outcome(values, values)

        return play


def test_candidates_of_a_generation_share_their_games_and_no_other_generation_plays_them(tmp_path):
    tuner = Recorder()
    plan = searching.Plan(seed=5, games=10, generations=30, population=6, held_out=1200)
    state = TuneState.open(tmp_path / "a.toml", {})
    scenario = read_scenario("solo_campaign1_short")
    found = searching.tune(scenario, tuner, plan, state, jobs=1, watch=searching.Watch())
    searched = [lot for lot in tuner.played if lot[0] == 5][-30 * 6 :]
    assert searched == [(5, generation * 10, 10) for generation in range(30) for _ in range(6)]
    assert [lot for lot in tuner.played if lot[0] != 5] == [
        (5 + searching.HELD_OUT, first, deals) for _ in range(2) for first, deals in ((0, 500), (500, 500), (1000, 200))
    ]
    assert found.result.plain.mean() > -0.1 > found.start.plain.mean()


def test_a_policy_tuned_on_other_tiles_is_noted(call):
    tuned(call, *TINY, "--out", "a.toml")
    run = ("run", "solo_campaign1_short", "--games", 20, "--policy", "a.toml")
    assert "other tiles" not in call(*run, "--out", "same")[2]
    assert call("tiles", "export", "--out", "mine")[0] == 0
    worlds = Path("mine/worlds.csv")
    worlds.write_text(worlds.read_text().replace("Gem World", "Jewel World"))
    code, _, err = call(*run, "--out", "other", "--set", "tiles=mine")
    assert code == 0, err
    assert "a was tuned on other tiles (reconstructed)" in err
    notes = [json.loads(Path(folder, "manifest.json").read_text())["notes"] for folder in ("same", "other")]
    assert notes == [[], ["a was tuned on other tiles (reconstructed)"]]


def test_a_policy_that_aims_at_a_condition_of_another_scenario_is_refused(call):
    Path("aims.toml").write_text('target = "Idealist"\n' + BAD)
    assert call("run", "solo_campaign2_short", "--games", 20, "--policy", "aims.toml", "--out", "a")[0] == 0
    for scenario in ("solo_campaign1_short", "rift_2p"):
        code, _, err = call("run", scenario, "--games", 20, "--policy", "aims.toml", "--out", scenario)
        assert (code, 'aims.toml: target: "Idealist" is no objective' in err) == (2, True)


def test_only_weights_can_aim(tmp_path):
    with pytest.raises(BadInput, match="target"):
        SHELF.parse('kind = "uniform"\nplan = "x"\ntarget = "Idealist"\n', "a", "a.toml")
