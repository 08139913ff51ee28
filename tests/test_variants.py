"""Variants of a study: what its folder may hold already, and what is said before anything is played."""

from contextlib import nullcontext

import fake_rules
import pytest

from nfsim.contract import rule_set
from nfsim.errors import BadInput
from nfsim.run.cluster import ClusterFailed
from nfsim.run.options import Options
from nfsim.run.progress import Stopped, Watch
from nfsim.run.scenario import scenario_from
from nfsim.studies.study import (
    LONGEST_NAME,
    Variant,
    check_study,
    default_folder,
    folder_name,
    notes,
    play_variants,
    read_study,
    study,
)


@pytest.fixture(autouse=True)
def known():
    rule_set.register(fake_rules.RULE_SET)


def variant(rounds, games=5, policy="roll"):
    data = {"game": "fake", "games": games, "policy": policy, "setup": {"rounds": rounds}}
    return Variant(scenario_from(data, "test", "test"), {"rounds": f"rounds={rounds}", "policy": policy})


def play(out, *variants, seed=1):
    return play_variants(variants, out, Options(seed, 1))


def refused(out, *variants, **more):
    """Return the message with which a study is refused; nothing may have been played or written."""
    before = sorted(out.rglob("*"))
    with pytest.raises(BadInput) as error:
        play(out, *variants, **more)
    assert sorted(out.rglob("*")) == before
    return str(error.value)


def test_a_study_may_be_extended(tmp_path):
    play(tmp_path, variant(3), variant(4))
    play(tmp_path, variant(2), variant(3), variant(4))
    assert [played.factors["rounds"] for played in read_study(tmp_path)] == ["rounds=2", "rounds=3", "rounds=4"]


def test_variants_whose_runs_changed_places_are_not_taken_for_each_other(tmp_path, command):
    play(tmp_path, variant(3), variant(4))
    one, other = (played.folder for played in read_study(tmp_path))
    one.rename(tmp_path / "aside")
    other.rename(one)
    (tmp_path / "aside").rename(other)
    with pytest.raises(
        BadInput, match=r'is not the run of the variant "rounds=3, roll"; give the folders .* names back'
    ):
        study(tmp_path)
    code, text, _ = command("verify", tmp_path)
    assert code == 1
    assert f"these are not the runs of their variants: {one.name}, {other.name}" in text
    assert "Give the folders of the runs their names back, or remove them and run the study again." in text
    assert "plays what is missing" not in text


@pytest.mark.parametrize("name", ["manifest.json", "run.json"])
def test_an_variant_that_holds_the_unfinished_or_finished_run_of_another_is_told(tmp_path, name):
    play(tmp_path, variant(3), variant(4))
    one, other = read_study(tmp_path)
    (one.folder / "manifest.json").unlink()
    (other.folder / "manifest.json").rename(one.folder / name)
    assert (one.holds_another, other.holds_another) == (True, False)


@pytest.mark.parametrize("content", ["{", '{"format": 2}', "[]"])
def test_verify_looks_at_all_variants_though_the_manifest_of_one_is_damaged(tmp_path, command, content):
    play(tmp_path, variant(3), variant(4))
    one, other = (played.folder for played in read_study(tmp_path))
    (one / "manifest.json").write_text(content)
    next((other / "games").iterdir()).unlink()
    code, text, error = command("verify", tmp_path)
    assert (code, error) == (1, "")
    assert f"{one / 'manifest.json'}: " in text
    assert ".parquet: is missing" in text


def test_verify_looks_at_all_variants_though_the_list_of_the_study_is_damaged(tmp_path, command):
    play(tmp_path, variant(3), variant(4))
    (tmp_path / "study.json").write_text("[")
    code, text, error = command("verify", tmp_path)
    assert (code, error) == (1, "")
    assert f"{tmp_path}: study.json cannot be read as the list of a study" in text
    assert text.count("all is well") == 2


def test_verify_says_that_a_damaged_list_without_runs_is_no_study(tmp_path, command):
    (tmp_path / "study.json").write_text("[")
    code, text, error = command("verify", tmp_path)
    assert (code, text) == (2, "")
    assert "study.json: cannot be read as the list of a study" in error


def test_another_study_is_not_replaced(tmp_path):
    play(tmp_path, variant(3), variant(4))
    said = refused(tmp_path, variant(2), variant(3))
    assert 'holds another study: 1 of its variants would be left out ("rounds=4, roll")' in said
    assert "--out" in said


def test_a_study_with_the_same_levels_of_other_factors_is_another_one(tmp_path):
    play(tmp_path, variant(3), variant(4))
    turned = [Variant(each.scenario, dict(reversed(each.factors.items()))) for each in (variant(3), variant(4))]
    assert "all of its variants" in refused(tmp_path, *turned)


def test_of_many_variants_that_would_be_left_out_a_few_are_named(tmp_path):
    play(tmp_path, *map(variant, range(1, 6)))
    assert refused(tmp_path, variant(9)).count("roll") == 3


def test_a_damaged_list_is_written_again(tmp_path):
    play(tmp_path, variant(3))
    (tmp_path / "study.json").write_text("[")
    play(tmp_path, variant(4))
    assert [played.factors["rounds"] for played in read_study(tmp_path)] == ["rounds=4"]


@pytest.mark.parametrize("content", ['{"variants": 3}', "my own notes", ""])
def test_a_file_of_something_else_with_the_name_of_the_list_is_not_replaced(tmp_path, content):
    (tmp_path / "study.json").write_text(content)
    (tmp_path / "runs" / "mine").mkdir(parents=True)  # holds no run
    said = refused(tmp_path, variant(3))
    assert said.startswith(f"{tmp_path / 'study.json'}: is no list of a study")
    assert len(said.splitlines()) == 1
    assert (tmp_path / "study.json").read_text() == content


def test_a_folder_with_the_name_of_the_list_is_refused_before_anything_is_played(tmp_path):
    play(tmp_path, variant(3))
    (tmp_path / "study.json").unlink()
    (tmp_path / "study.json").mkdir()
    assert "study.json: is no list of a study" in refused(tmp_path, variant(3), variant(4))


def test_a_list_is_checked_before_all_variants_are_known(tmp_path):
    play(tmp_path, variant(3), variant(4))
    check_study([variant(3)], tmp_path, all_variants=False)
    with pytest.raises(BadInput, match="all of its variants"):
        check_study([variant(5)], tmp_path, all_variants=False)


def test_another_run_of_a_later_variant_is_refused_before_the_first_variant_is_played(tmp_path):
    play(tmp_path, variant(4, games=5))
    said = refused(tmp_path, variant(3, games=6), variant(4, games=6))
    assert "games is 5 there, 6 here" in said


def test_a_study_of_another_seed_is_refused_in_a_few_words(tmp_path):
    play(tmp_path, variant(3))
    assert refused(tmp_path, variant(3), seed=2).endswith(
        "holds another run: seed is 1 there, 2 here; name another folder with --out"
    )


def test_a_study_that_a_cluster_broke_off_says_that_the_same_command_goes_on(tmp_path):
    class Lost(Watch):
        def advanced(self, games):
            raise ClusterFailed("the scheduler is gone")

    watches = iter([Watch(), Lost()])
    with pytest.raises(Stopped) as stopped:
        play_variants([variant(3), variant(4)], tmp_path, Options(1, 1, watching=lambda *_: nullcontext(next(watches))))
    assert str(stopped.value) == (
        f"the scheduler is gone: 1 of 2 variants are kept in {tmp_path}; the same command goes on from there"
    )
    assert stopped.value.exit_code == 1


def test_hashes_are_not_named_where_words_say_what_differs(tmp_path):
    play(tmp_path, variant(3))
    other = Variant(variant(4).scenario, variant(3).factors)  # another setup, so another hash of the tiles
    assert refused(tmp_path, other).partition("holds another run: ")[2].startswith("setup.rounds is 3 there, 4 here;")


def test_a_default_folder_names_what_is_asked_for():
    assert default_folder("thresholds", "1", "planner", "aim=Star Builder").as_posix() == (
        "runs/thresholds_1_planner_aim_Star_Builder"
    )


def test_a_default_folder_is_one_folder_under_runs_whatever_is_asked_for():
    found = default_folder("sweep", "../a/b.toml", "x" * 300)
    assert found.parent.as_posix() == "runs"
    assert len(found.name) == LONGEST_NAME


@pytest.mark.parametrize("letter", ["x", "é", "龍", "𒀀"])
def test_names_of_folders_fit_whatever_their_letters_are(tmp_path, letter):
    name = folder_name(["ab", letter * 300])
    (tmp_path / f"{name}-12").mkdir()
    assert name.startswith(f"ab_{letter}{letter}")
    assert LONGEST_NAME - 4 < len(name.encode()) <= LONGEST_NAME


@pytest.mark.parametrize(("arguments", "name"), [
    ("thresholds", "thresholds_1"),
    ("thresholds --campaign 2 --policy aiming", "thresholds_2"),
    ("thresholds --policy planner --set aim=Builder", "thresholds_1_planner_aim_Builder"),
    ("difficulty", "difficulty_1"),
    ("difficulty --campaign 1,2 --rounds 10 --policies balanced,planner", "difficulty_1_2_10_balanced_planner"),
    ("difficulty --search 50", "difficulty_1_search"),
    ("sweep rift_2p --vary setup.rounds=8,9", "sweep_rift_2p_setup.rounds"),
    ("sweep rift_2p --vary setup.rounds=8,9 --policy uniform", "sweep_rift_2p_setup.rounds_uniform"),
])  # fmt: skip
def test_the_default_folder_of_a_command_names_what_is_not_its_default(command, tmp_path, monkeypatch, arguments, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / name).write_text("a file, so that the folder is refused by name and nothing is played")
    code, _, error = command(*arguments.split())
    assert (code, f"runs/{name}: cannot be written" in error) == (2, True)


def test_a_note_that_holds_in_all_variants_is_said_once():
    assert notes([variant(3), variant(4)], lambda _, policies: [f"{policies[0].name} is loaded"]) == ["roll is loaded"]


def test_a_note_that_holds_in_some_variants_says_in_which():
    variants = [variant(3), variant(4, policy="throw"), variant(5)]
    assert notes(variants, lambda _, policies: [f"{policies[0].name} is loaded"]) == [
        "in 2 of 3 variants (rounds=3, roll; rounds=5, roll): roll is loaded",
        "in 1 of 3 variants (rounds=4, throw): throw is loaded",
    ]


def test_a_note_that_holds_in_many_variants_says_in_how_many():
    variants = [*map(variant, range(1, 8)), variant(9, policy="throw")]
    assert (
        notes(variants, lambda _, policies: [f"{policies[0].name} is loaded"])[0]
        == "in 7 of 8 variants: roll is loaded"
    )
