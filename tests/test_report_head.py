"""What a report says about its runs, and the numbers where seats are pooled or games are few."""

import re

import polars as pl
import pytest
from synthetic_runs import manifest, numbers, read, solo_run, solo_tables, table_run, table_tables, write_run

from nfsim.cli.report import command
from nfsim.report.build import build_report
from nfsim.stats.intervals import mean_interval

pytestmark = pytest.mark.usefixtures("undrawn")


def test_a_mean_over_several_seats_has_one_interval(tmp_path):
    """The game is the unit: the distribution and the total of the sources say the same."""
    run = table_run(tmp_path / "run", 120, 4)
    text = read(build_report([run], tmp_path / "out"))
    per_game = table_tables(120, 4)["seats"].group_by("game").agg(pl.col("score").mean())["score"]
    _, mean, low, high = mean_interval(per_game)
    total = next(row for row in numbers(tmp_path / "out", "score_sources") if row["source"] == "Total")
    assert [float(total[c]) for c in ("mean", "low", "high")] == pytest.approx([mean, low, high])
    written = f"{mean:.1f} ({low:.1f}–{high:.1f})"
    assert f"mean {written}, median" in text
    assert f"Total {written}" in text


def test_few_games_give_a_mean_without_an_interval(tmp_path):
    tables = solo_tables(40)
    names = tables["goals"]["goal"].to_list()
    vp = [8 if i % 9 == 0 else 0 for i in range(len(names))]
    tables["goals"] = tables["goals"].with_columns(pl.Series("score", vp))
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
    long = solo_run(tmp_path / "long", 40, 12, scenario=scenario(12), changes=["setup.rounds=12"])
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
    for given, folder in ((runs[:1], "a"), (runs, "a_vs_c"), ([runs[0], runs[0]], "a")):
        again = (tmp_path / "reports" / folder).exists()
        command(given)
        said = capsys.readouterr()
        assert f"reports/{folder}/report.html" in said.out + said.err
        assert ("(replaced)" in said.out + said.err) == again
    assert sorted(path.name for path in (tmp_path / "reports").iterdir()) == ["a", "a_vs_c"]


def test_further_runs_say_only_what_differs_from_the_first(tmp_path):
    runs = [solo_run(tmp_path / name, 40, seed=seed) for name, seed in (("a", 1), ("b", 2), ("c", 3))]
    page = build_report(runs, tmp_path / "out")
    for text in (read(page), page.with_suffix(".md").read_text(encoding="utf-8")):
        cards = text[text.rindex("Where the numbers come from") : text.rindex("What the numbers can")]
        assert cards.count("Tile set") == cards.count("Versions") == 1
        assert cards.count("Seed") == cards.count("Folder") == 3
        assert "only what differs from" in cards


def test_what_only_the_first_run_has_is_none_in_the_others(tmp_path):
    patch = [{"do": "remove", "kind": "world", "name": "Comet Zone", "set": {}}]
    runs = [solo_run(tmp_path / "a", 40, scenario=scenario(patch=patch)), solo_run(tmp_path / "b", 40)]
    text = read(build_report(runs, tmp_path / "out"))
    assert "<dt>Patches</dt><dd>none</dd>" in text


def test_more_policies_than_a_line_holds_are_counted(tmp_path):
    runs = [solo_run(tmp_path / name, 40, policies=[name]) for name in ("one", "two", "three", "four")]
    text = read(build_report(runs, tmp_path / "out"))
    basis = text[text.index('<p class="basis">') : text.index('<div id="results">')]
    assert "40 games each; 4 policies; seed 1" in basis
    assert "<dd>four</dd>" in text


def test_the_sign_in_a_policys_name_is_explained(tmp_path):
    text = read(build_report([solo_run(tmp_path / "a", 40, policies=["planner@Builder"])], tmp_path / "out"))
    assert "Behind the @ in a policy" in text


def test_the_claims_hold_for_a_page_about_campaigns_too(tmp_path):
    text = read(build_report([solo_run(tmp_path / "a", 40)], tmp_path / "out"))
    assert "So Close is not used" not in text
    assert "So Close counts only where it is named" in text


def test_how_games_end_is_said_once(tmp_path):
    text = read(build_report([table_run(tmp_path / "a", 40, 3)], tmp_path / "out"))
    assert len(re.findall(r"<h\d[^>]*>How games end", text)) == 1
