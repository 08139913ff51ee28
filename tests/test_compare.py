"""nfsim compare: what two runs differ in, with intervals, largest first."""

import json
import re

import numpy as np
import polars as pl
import pytest
from synthetic_runs import manifest, solo_run, solo_tables, table_run, table_tables, write_run

from nfsim.report.naming import labelled
from nfsim.report.source import read
from nfsim.stats.intervals import mean_interval, wilson
from nfsim.stats.paired import independent_means, paired_means, paired_rates
from nfsim.studies.compare import usage
from nfsim.studies.compare.numbers import RATE, compare, paired, settings_that_differ, shown
from nfsim.studies.compare.page import answer, level


def sources(*folders):
    """Open runs and label them."""
    return labelled([read(folder) for folder in folders])


def row(frame, figure):
    """Return the only row of a figure."""
    (found,) = frame.filter(pl.col("figure") == figure).to_dicts()
    return found


def test_a_rate_and_its_difference_are_those_of_the_games(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 500, 10), solo_run(tmp_path / "b", 500, 12))
    met = [
        solo_tables(500, rounds, seed=rounds)["objectives"].filter(pl.col("objective") == "Builder")["met"].to_numpy()
        for rounds in (10, 12)
    ]
    found, expected = row(compare(one, two), "Builder"), paired_rates(*met)
    assert {name: found[name] for name in ("before", "after", "difference", "low", "high", "n")} == {
        name: getattr(expected, name) for name in ("before", "after", "difference", "low", "high", "n")
    }


def test_games_of_one_seed_are_paired_by_their_number(tmp_path):
    tables = solo_tables(300)
    shuffled = {name: frame.sort("game", descending=True) for name, frame in tables.items()}
    shuffled["seats"] = shuffled["seats"].with_columns(score=pl.col("score") + 2)
    about = manifest(games=300)
    one, two = sources(write_run(tmp_path / "a", tables, about), write_run(tmp_path / "b", shuffled, about))
    found = row(compare(one, two), "VPs")
    assert (found["difference"], found["low"], found["high"]) == (2, 2, 2)
    assert found["correlation"] == pytest.approx(1)


def test_only_the_games_that_both_have_are_compared(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 500, 10), solo_run(tmp_path / "b", 200, 12))
    vps = [
        solo_tables(n, rounds, seed=rounds)["seats"]["score"].to_numpy()[:200] for n, rounds in ((500, 10), (200, 12))
    ]
    found = row(compare(one, two), "VPs")
    assert found["n"] == 200
    assert found["difference"] == pytest.approx(paired_means(*vps).difference)


def test_runs_with_different_seeds_are_independent_samples(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 400, 10), solo_run(tmp_path / "b", 300, 12, seed=2))
    vps = [solo_tables(n, rounds, seed=rounds)["seats"]["score"].to_numpy() for n, rounds in ((400, 10), (300, 12))]
    assert not paired(one, two)
    found, expected = row(compare(one, two), "VPs"), independent_means(*vps)
    assert (found["low"], found["high"]) == pytest.approx((expected.low, expected.high))
    assert np.isnan(found["correlation"])


def test_a_shared_win_counts_in_equal_parts(tmp_path):
    tables = table_tables(4, 2)
    won = pl.Series("won", [True, True, True, False, False, True, True, False])
    tables["seats"] = tables["seats"].with_columns(won)
    about = manifest(games=4, policies=["balanced"] * 2)
    one, two = sources(write_run(tmp_path / "a", tables, about), write_run(tmp_path / "b", tables, about))
    found = row(compare(one, two), "Wins of seat 0 (balanced)")
    assert found["before"] == pytest.approx((0.5 + 1 + 0 + 1) / 4)


def test_players_of_one_game_count_as_one_value(tmp_path):
    one, two = sources(table_run(tmp_path / "a", 50, 4), table_run(tmp_path / "b", 50, 4))
    assert row(compare(one, two), "VPs")["n"] == 50


def test_the_largest_difference_stands_first(tmp_path):
    frame = compare(*sources(solo_run(tmp_path / "a", 500, 10), solo_run(tmp_path / "b", 500, 12)))
    sizes = frame["effect"].abs().to_list()
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0.5


def test_equal_runs_differ_in_nothing(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 200), solo_run(tmp_path / "b", 200))
    frame = compare(one, two)
    assert (frame["difference"] == 0).all()
    assert shown(frame).is_empty()
    assert settings_that_differ(one, two) == []


@pytest.mark.soak
def test_with_chance_alone_few_figures_are_said_to_differ(tmp_path):
    """Benjamini–Hochberg: with no true difference, a family of figures has a false one in about 5 % of comparisons."""
    said = 0
    for seed in range(40):
        folders = [
            write_run(tmp_path / f"{seed}{name}", solo_tables(150, seed=2 * seed + k), manifest(games=150, seed=k))
            for k, name in enumerate("ab")
        ]
        said += not shown(compare(*sources(*folders))).is_empty()
    assert said <= 6  # 2 expected; more than 6 of 40 has a chance below 1 %


def test_settings_that_differ_are_named_with_both_values(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 50, 10), solo_run(tmp_path / "b", 50, 12))
    assert ("setup.rounds", "10", "12") in settings_that_differ(one, two)


def test_the_words_name_both_runs_and_the_interval(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 500, 10), solo_run(tmp_path / "b", 500, 12))
    frame = compare(one, two)
    text = " ".join(answer(one, two, frame).text)
    assert "from 10 rounds to 12 rounds" in text
    assert f"+{row(frame, 'VPs')['difference']:.2f}" in text


def test_levels_of_rare_rates_are_not_rounded_to_nothing():
    rare = {"unit": RATE, "n": 20_000, "before": 0.0, "before_low": 0.0, "before_high": 0.0002}
    rare |= {"after": 0.0002, "after_low": 0.0001, "after_high": 0.0005}
    assert [level(rare, which) for which in ("before", "after")] == ["0.00 % (0.00–0.02)", "0.02 % (0.01–0.05)"]


def test_both_levels_have_intervals_of_their_own(tmp_path):
    one, two = sources(solo_run(tmp_path / "a", 200, 10), solo_run(tmp_path / "b", 200, 12))
    frame = compare(one, two)
    met, vps = row(frame, "Builder"), row(frame, "VPs")
    tables = solo_tables(200, 12, seed=12)
    assert (met["after_low"], met["after_high"]) == pytest.approx(
        [float(bound) for bound in wilson(200 * met["after"], 200)]
    )
    expected = mean_interval(tables["seats"]["score"].to_numpy())
    assert (vps["after"], vps["after_low"], vps["after_high"]) == pytest.approx(expected[1:])
    assert f"{vps['after']:.2f} ({vps['after_low']:.2f}–{vps['after_high']:.2f})" in answer(one, two, frame).text[1]


def test_below_thirty_games_a_mean_has_no_interval(tmp_path):
    frame = compare(*sources(solo_run(tmp_path / "a", 29, 10), solo_run(tmp_path / "b", 29, 12)))
    assert level(row(frame, "VPs"), "before").endswith("(n too small)")


def test_rates_are_between_0_and_1_and_have_intervals(tmp_path):
    frame = compare(*sources(solo_run(tmp_path / "a", 500, 10), solo_run(tmp_path / "b", 500, 12)))
    rates = frame.filter(pl.col("unit") == RATE)
    assert rates.select(pl.col("before", "after").is_between(0, 1).all()).row(0) == (True, True)
    assert (rates["low"] <= rates["high"]).all()


@pytest.mark.usefixtures("undrawn")
def test_the_command_compares_two_runs_and_writes_one_page(tmp_path, command):
    runs = solo_run(tmp_path / "a", 200, 10), solo_run(tmp_path / "b", 200, 12)
    code, out, _ = command("compare", *runs, "--out", tmp_path / "out")
    assert code == 0
    assert out.startswith("Yes, they differ: ")
    assert out.index("What differs by more than chance") < out.index("What sets them apart")
    assert re.search(r"Rounds +10 +12", out)
    assert re.search(r"^Tiles: ", out, re.MULTILINE)
    assert [file.name for file in (tmp_path / "out").rglob("*.html")] == ["report.html"]


@pytest.mark.usefixtures("undrawn")
def test_json_has_every_difference(tmp_path, command):
    runs = solo_run(tmp_path / "a", 200, 10), solo_run(tmp_path / "b", 200, 12)
    code, out, _ = command("compare", *runs, "--out", tmp_path / "out", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["paired"] is True
    assert {"figure", "n", "difference", "low", "high", "p_adjusted"} <= set(found["differences"][0])


@pytest.mark.usefixtures("undrawn")
def test_scenarios_are_played_with_the_seed_of_the_run_they_are_compared_with(tmp_path, command):
    base = tmp_path / "base"
    assert command("run", "solo_campaign1_short", "--games", 60, "--seed", 9, "--out", base)[0] == 0
    code, out, err = command(
        "compare", base, "solo_campaign1_short", "--set", "rules.profile=table", "--out", tmp_path / "out", "--json"
    )
    found = json.loads(out)
    assert (code, found["paired"]) == (0, True), err
    assert {run["games"] for run in found["runs"]} == {60}
    assert any(row["setting"].startswith("rules.") for row in found["settings"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere", "nothing"], "nowhere"),
        (["{run}", "{run}", "--games", "5"], "--games"),
        (["{run}", "{run}", "--set", "setup.rounds=12"], "--set"),
        (["{run}", "{empty}"], "empty"),
        (["solo_campaign1_short", "{run}", "--seed", "-1"], "--seed"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_one_sentence(tmp_path, command, words, said):
    run = solo_run(tmp_path / "run", 20)
    (tmp_path / "empty").mkdir()
    words = [word.format(run=run, empty=tmp_path / "empty") for word in words]
    code, _, err = command("compare", *words, "--out", tmp_path / "out")
    assert code == 2
    assert said in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("undrawn")
def test_use_of_changed_tiles_is_said_of_these_games_and_of_the_built_in_players(tmp_path, command):
    file = tmp_path / "dearer.toml"
    file.write_text('[[patch]]\ndo = "change"\nkind = "development"\nname = "Space Marines"\nset = { cost = 4 }\n')
    code, out, err = command(
        "compare", "rift_2p", "rift_2p", "--patch", file, "--games", 40, "--out", tmp_path / "out", "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    said = next(text for text in found["answer"] if text.startswith("The changed tile."))
    first, *others = found["use"]
    assert first["n"] == 40
    assert f"Space Marines was explored or built in {100 * first['taken'] / 40:.1f} %" in said
    assert {"balanced", "uniform", "tuned_2p"} <= {row["policy"] for row in others}
    assert "Of the built-in players, these use it most: " in said


def test_patches_that_both_have_are_no_change():
    patch = {"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 5}}
    other = {**patch, "name": "Old Earth"}
    assert usage.changed({"patch": [patch]}, {"patch": [{**patch, "copies": None}, other]}) == ["Old Earth"]
