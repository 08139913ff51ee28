"""Thresholds that can be moved: counted right, embedded harmlessly, written out where no script runs."""

import json
import re

import polars as pl
import pytest
from synthetic_runs import CONDITIONS, manifest, numbers, solo_run, solo_tables, table_run, write_run

from nfsim.report.build import build_report, read_all
from nfsim.report.formatting import rate
from nfsim.report.parts.moved_thresholds import objective_sliders, part
from nfsim.report.sliders import Counts, Slider, curve, embedded, parts, table
from nfsim.stats.intervals import wilson

EVIL = '</script><script>alert("x")</script><!--'

SHORT = Counts("10 rounds", 40, 10, {38: 1, 40: 2, 45: 3})
LONG = Counts("12 rounds", 50, 20, {-2: 5, 55: 4})


def test_a_rate_counts_the_games_that_reach_a_threshold():
    assert [SHORT.at(vp) for vp in (0, 38, 39, 40, 41, 45, 46)] == [6, 6, 5, 5, 3, 3, 0]


def test_counts_are_dense_from_the_lowest_vps_on():
    assert SHORT.dense == (38, [1, 0, 2, 0, 0, 0, 0, 3])
    assert Counts("none", 40, 10, {}).dense == (0, [])


def test_a_slider_reaches_all_games_and_beyond_the_printed_thresholds():
    assert Slider("A", "", [SHORT, LONG]).span == (-2, 65)
    assert Slider("A", "", [SHORT]).span == (30, 55)
    assert Slider("A", "", [Counts("none", 40, 10, {})]).span == (30, 50)


def test_equal_printed_thresholds_are_one_mark():
    same = Counts("other", 40, 5, {})
    assert Slider("A", "", [LONG, SHORT, same]).printed == {40: ["10 rounds", "other"], 50: ["12 rounds"]}
    assert Slider("A", "", [Counts("free", 0, 5, {})]).printed == {}


def test_marks_that_would_touch_stand_one_above_the_other():
    def lower(*printed):
        runs = [Counts(f"run {vp}", vp, 10, {0: 5, 100: 5}) for vp in printed]
        return [mark["lower"] for mark in parts([Slider("A", "", runs)], "x")[0]["printed"]]

    assert lower(40, 60) == [False, False]
    assert lower(40, 45, 50) == [False, True, False]


def test_the_curve_has_every_threshold_with_n_and_interval():
    frame = curve([Slider("A", "", [SHORT, LONG])])
    for counts in (SHORT, LONG):
        own = frame.filter(run=counts.run)
        assert own["score"].to_list() == list(range(-2, 66))
        assert own["k"].to_list() == [counts.at(vp) for vp in own["score"]]
        low, high = wilson(own["k"].to_numpy(), counts.n)
        assert own["low"].to_list() == pytest.approx(low.tolist())
        assert own["high"].to_list() == pytest.approx(high.tolist())
        assert set(own["n"]) == {counts.n}


def test_the_table_has_the_printed_threshold_and_five_vps_around_it():
    found = table([Slider("A", "7+ colonies", [SHORT, LONG])], "name", "Title", "objective")
    assert found.rows[0] == ["A", "10 rounds", *(f"{vp}+: {rate(k / 10, *map(float, wilson(k, 10)))}"
                             for vp, k in ((35, 6), (40, 5), (45, 3))), "10"]  # fmt: skip
    assert found.notes == ["7+ colonies", "7+ colonies"]


def test_embedded_numbers_cannot_end_their_element_and_read_back_as_they_were():
    text = str(embedded([Slider(EVIL, EVIL, [Counts(EVIL, 40, 10, {40: 2})])]))
    assert not set("<>&") & set(text)
    run = json.loads(text)["sliders"][0]["runs"][0]
    assert run == {"run": EVIL, "printed": 40, "n": 10, "first": 40, "games": [2]}


def test_a_slider_of_a_logged_run_counts_what_met_the_rest(tmp_path):
    (group,) = read_all([solo_run(tmp_path / "a", 300, 10), solo_run(tmp_path / "b", 200, 12)])
    sliders = objective_sliders(group)
    assert [slider.name for slider in sliders] == [name for name, *_ in CONDITIONS["short"]]
    for rounds, n, place, length in ((10, 300, 0, "short"), (12, 200, 1, "long")):
        tables = solo_tables(n, rounds, seed=rounds)
        for slider, (name, vp, _) in zip(sliders, CONDITIONS[length], strict=True):
            met = tables["objectives"].filter(objective=name)
            counts = slider.runs[place]
            assert (counts.printed, counts.n) == (vp, n)
            assert counts.at(vp) == met["met"].sum()
            assert sum(counts.met.values()) == met["requires_met"].sum()


def test_runs_without_what_is_needed_have_no_sliders(tmp_path):
    older = solo_tables(20)
    older["objectives"] = older["objectives"].drop("requires_met")
    runs = [write_run(tmp_path / "older", older, manifest()), table_run(tmp_path / "table", 20, 3),
            solo_run(tmp_path / "empty", 0, 12)]  # fmt: skip
    for group in read_all(runs):
        assert part(group).empty


@pytest.mark.usefixtures("undrawn")
def test_a_condition_named_like_a_script_is_shown_and_does_nothing(tmp_path):
    tables = solo_tables(30)
    tables["objectives"] = tables["objectives"].with_columns(pl.lit(EVIL).alias("objective"))
    about = manifest(objectives=[{"campaign": "1", "name": EVIL, "score": 40, "requires": EVIL}], title=EVIL)
    page = build_report([write_run(tmp_path / "run", tables, about)], tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    assert len(re.findall("<script", text)) == len(re.findall("</script", text)) == 2
    assert "&lt;/script&gt;&lt;script&gt;alert(" in text
    assert "<!--" not in text


@pytest.mark.usefixtures("undrawn")
def test_only_the_pages_own_script_may_run(tmp_path):
    text = build_report([solo_run(tmp_path / "run", 30)], tmp_path / "out").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert "default-src &#39;none&#39;" in policy
    assert re.search(r"script-src &#39;sha256-[\w+/=]+&#39;;", policy)


@pytest.mark.usefixtures("undrawn")
def test_the_numbers_behind_sliders_are_in_csv_and_markdown(tmp_path):
    out = tmp_path / "out"
    build_report([solo_run(tmp_path / "a", 300, 10), solo_run(tmp_path / "b", 200, 12)], out)
    rows = [row for row in numbers(out, "thresholds_moved") if row["run"] == "12 rounds"]
    assert {row["objective"] for row in rows} == {name for name, *_ in CONDITIONS["long"]}
    markdown = (out / "report.md").read_text(encoding="utf-8")
    assert markdown.count("### Move the thresholds") == 1, "no heading twice"
    at = next(row for row in rows if row["objective"] == "Builder" and row["score"] == "45")
    written = rate(*(float(at[name]) for name in ("rate", "low", "high")))
    assert f"45+: {written}" in markdown
