"""What a report says about its runs, and the numbers where seats are pooled or games are few."""

import re

import polars as pl
import pytest
from synthetic_runs import manifest, numbers, read, solo_run, solo_tables, table_run, table_tables, write_run

from nfsim.cli.report import command
from nfsim.report.build import build_report
from nfsim.stats.intervals import mean_interval


def test_a_mean_over_several_seats_has_one_interval(tmp_path):
    """The game is the unit: the distribution and the total of the sources say the same."""
    run = table_run(tmp_path / "run", 120, 4)
    text = read(build_report([run], tmp_path / "out"))
    per_game = table_tables(120, 4)["seats"].group_by("game").agg(pl.col("vp").mean())["vp"]
    _, mean, low, high = mean_interval(per_game)
    total = next(row for row in numbers(tmp_path / "out", "vp_sources") if row["source"] == "Total")
    assert [float(total[c]) for c in ("mean", "low", "high")] == pytest.approx([mean, low, high])
    written = f"{mean:.1f} ({low:.1f}–{high:.1f})"
    assert f"mean {written}, median" in text
    assert f"Total {written}" in text


def test_few_games_give_a_mean_without_an_interval(tmp_path):
    tables = solo_tables(40)
    names = tables["goals"]["goal"].to_list()
    vp = [8 if i % 9 == 0 else 0 for i in range(len(names))]
    tables["goals"] = tables["goals"].with_columns(pl.Series("vp", vp))
    text = read(build_report([write_run(tmp_path / "run", tables, manifest())], tmp_path / "out"))
    rows = numbers(tmp_path / "out", "goal_vp")
    assert all(int(row["n"]) < 30 and float(row["low"]) >= 0 for row in rows)
    assert f"{rows[0]['goal']} {float(rows[0]['mean']):.2f} (n too small)" in text
    assert "Below n = 30" in text
    steps = numbers(tmp_path / "out", "goal_steps")
    widest = max(steps, key=lambda row: float(row["high"]) - float(row["low"]))
    half = 50 * (float(widest["high"]) - float(widest["low"]))
    assert f"up to ±{half:.1f} points, where n is {widest['n']}" in text


def scenario(rounds=10, **rest):
    setup = {"players": 1, "rounds": rounds, "campaign": 1, "length": "short" if rounds <= 10 else "long"}
    return {"title": "Solo campaign 1, 10 rounds", "game": "new_frontiers", "setup": setup, **rest}


def heading(page):
    return re.search(r"<h1>(.*?)</h1>", read(page)).group(1)


def test_the_heading_does_not_contradict_the_run(tmp_path):
    long = solo_run(tmp_path / "long", 40, 12, scenario=scenario(12))
    assert heading(build_report([long], tmp_path / "a")) == "Solo campaign 1, 10 rounds (changed: 12 rounds)"
    short = solo_run(tmp_path / "short", 40, scenario=scenario())
    table = solo_run(tmp_path / "table", 40, scenario=scenario(rules={"profile": "table"}))
    page = build_report([short, table], tmp_path / "b")
    assert heading(page) == "Solo campaign 1, 10 rounds · Solo campaign 1, 10 rounds (rules.profile=table)"
    assert {row["run"] for row in numbers(tmp_path / "b", "win_rate")} == {
        "10 rounds",
        "10 rounds, rules.profile=table",
    }
    set_so = solo_run(tmp_path / "set", 40, scenario=scenario(), changes=["rules.profile=table"])
    page = build_report([set_so], tmp_path / "c")
    assert heading(page) == "Solo campaign 1, 10 rounds (changed: rules.profile=table)"
    assert "<dt>Changed</dt><dd>rules.profile=table</dd>" in read(page)
    assert "<dt>Rounds</dt><dd>10</dd>" in read(page)


def test_tile_set_and_patches_are_in_words(tmp_path):
    patch = [
        {"do": "change", "kind": "world", "name": "Gem World", "set": {"cost": 5}},
        {"do": "remove", "kind": "world", "name": "Comet Zone", "set": {}},
        {"do": "duplicate", "kind": "world", "name": "Lost Species Ark World", "set": {}, "copies": 3},
        {"do": "add", "kind": "goal", "set": {"name": "New One"}},
    ]
    about = {"set": "my_tiles", "hash": "0123456789abcdef", "share": {"total": 4, "reconstructed": 3, "text": "x"}}
    run = solo_run(tmp_path / "run", 40, scenario=scenario(patch=patch), tiles=about)
    text = read(build_report([run], tmp_path / "out"))
    assert "my_tiles, hash 01234567<" in text
    assert "Gem World: cost = 5; Comet Zone: removed; Lost Species Ark World: 3 copies; New One: added" in text
    assert "75 % of the tile set reconstructed" in text


def test_the_default_folder_names_the_runs_and_replacing_is_said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runs = [str(solo_run(tmp_path / name, 20, rounds)) for name, rounds in (("a", 10), ("b", 11), ("c", 12))]
    for given, folder in ((runs[:1], "a"), (runs[:2], "a_vs_b"), (runs, "a_vs_c"), ([runs[0], runs[0]], "a")):
        again = (tmp_path / "reports" / folder).exists()
        command(given)
        said = capsys.readouterr()
        assert f"reports/{folder}/report.html" in said.out + said.err
        assert ("(replaced)" in said.out + said.err) == again
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == ["a", "a_vs_b", "a_vs_c"]
