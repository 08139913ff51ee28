"""Thresholds of two lengths: curves, the equally hard long threshold, what is said and drawn, the command."""

import contextlib
import io
import json
import math

import numpy as np
import polars as pl
import pytest
from synthetic_runs import manifest, numbers, write_run

import nfsim.cli
from nfsim.report.naming import labelled
from nfsim.report.parts import thresholds
from nfsim.report.parts.thresholds import Evidence, crossing, curves, equally_hard, pairs, same_games
from nfsim.report.source import read
from nfsim.stats.intervals import wilson
from nfsim.stats.paired import paired_rates

NAME = "Builder"


def solo(folder, vp, meets, threshold, rounds, **changes):
    """Write a solo run of one condition: final scores, and whether its other requirements are met."""
    games, vp, meets = np.arange(len(vp)), np.asarray(vp), np.asarray(meets, bool)
    tables = {
        "games": pl.DataFrame({"game": games, "rounds": rounds, "end_reason": "round_limit", "status": "finished"}),
        "seats": pl.DataFrame({"game": games, "seat": 0, "policy": "balanced", "score": vp, "won": meets}),
        "objectives": pl.DataFrame({
            "game": games, "campaign": 1, "objective": NAME, "met": meets & (vp >= threshold),
            "margin": vp - threshold, "requires_met": meets,
        }),
        "goals": pl.DataFrame(schema={"game": pl.Int64, "seat": pl.Int64, "goal": pl.String, "score": pl.Int64}),
    }  # fmt: skip
    scenario = {"title": "Solo", "setup": {"players": 1, "rounds": rounds, "campaign": 1}}
    listed = [{"campaign": "1", "name": NAME, "score": threshold, "requires": "2+ 9-cost developments"}]
    return write_run(folder, tables, manifest(**{"scenario": scenario, "objectives": listed, **changes}))


def two(tmp_path, short, long, meets=(None, None), thresholds=(40, 50), **changes):
    """Open a short and a long run with these scores."""
    met = [np.ones(len(vp), bool) if m is None else m for m, vp in zip(meets, (short, long), strict=True)]
    folders = [
        solo(tmp_path / "short", short, met[0], thresholds[0], 10),
        solo(tmp_path / "long", long, met[1], thresholds[1], 12, **changes),
    ]
    return labelled([read(folder) for folder in folders])


def test_a_curve_counts_games_with_at_least_x_vps_that_meet_the_rest(tmp_path):
    (source,) = labelled([read(solo(tmp_path / "run", [10, 12, 12, 13], [True, True, False, True], 12, 10))])
    assert curves(source).select("score", "k", "n").rows() == [
        (10, 3, 4),
        (11, 2, 4),
        (12, 2, 4),
        (13, 1, 4),
        (14, 0, 4),
    ]


def test_the_equally_hard_threshold_lies_on_the_line_between_two_whole_ones(tmp_path):
    # half of the short games reach 40; of the long ones 60 % reach 52 and 40 % reach 53
    short, long = [40] * 50 + [39] * 50, [51] * 40 + [52] * 20 + [53] * 40
    (row,) = equally_hard(tuple(two(tmp_path, short, long))).to_dicts()
    assert row["equal_score"] == pytest.approx(52.5)
    assert (row["rate_short"], row["rate_long"]) == (0.5, 1.0)


def test_the_nearest_whole_threshold_is_the_one_of_the_nearest_rate(tmp_path):
    short, long = [40] * 50 + [39] * 50, [51] * 45 + [52] * 20 + [53] * 35
    (row,) = equally_hard(tuple(two(tmp_path, short, long))).to_dicts()
    assert (row["nearest_score"], row["nearest_rate"]) == (52, pytest.approx(0.55))


def test_a_shift_by_whole_vps_is_found_exactly(tmp_path):
    vp = np.random.default_rng(1).poisson(42, 2_000)
    (row,) = equally_hard(tuple(two(tmp_path, vp, vp + 13))).to_dicts()
    assert row["equal_score"] == pytest.approx(53)
    # the same games on both sides: every bootstrap draw finds the same shift
    assert (row["equal_low"], row["equal_high"]) == pytest.approx((53, 53))


def test_games_of_one_seed_are_compared_in_pairs(tmp_path):
    rng = np.random.default_rng(2)
    short = rng.poisson(42, 800)
    long = short + rng.poisson(9, 800)
    (row,) = equally_hard(tuple(two(tmp_path, short, long))).to_dicts()
    expected = paired_rates(short >= 40, long >= 50)
    assert (row["difference"], row["low"], row["high"], row["p"]) == pytest.approx(
        (expected.difference, expected.low, expected.high, expected.p)
    )


def test_pairing_makes_the_thresholds_interval_narrower(tmp_path):
    rng = np.random.default_rng(3)
    short = rng.poisson(42, 800)
    long = short + rng.poisson(9, 800)
    widths = []
    for name, seed in (("same", 1), ("other", 2)):
        (tmp_path / name).mkdir()
        pair = tuple(two(tmp_path / name, short, long, seed=seed))
        assert same_games(pair) is (seed == 1)
        (row,) = equally_hard(pair).to_dicts()
        widths.append(row["equal_high"] - row["equal_low"])
    assert widths[0] < 0.8 * widths[1]


def test_a_condition_never_met_has_no_equally_hard_threshold(tmp_path):
    pair = tuple(two(tmp_path, [30] * 40, [55] * 40))
    frame = equally_hard(pair)
    assert frame["equal_score"][0] == math.inf
    assert frame["equal_low"][0] is None
    assert "never met" in thresholds.said(pair, frame)[1]


def test_a_requirement_that_is_harder_by_itself_leaves_no_threshold(tmp_path):
    meets = (np.ones(100, bool), np.arange(100) < 20)
    pair = tuple(two(tmp_path, [45] * 60 + [30] * 40, [80] * 100, meets))
    frame = equally_hard(pair)
    assert frame["equal_score"][0] == -math.inf
    assert "even without a threshold" in thresholds.said(pair, frame)[1]


def test_a_single_game_that_met_it_is_too_few_to_name_a_threshold(tmp_path):
    pair = tuple(two(tmp_path, [45] + [30] * 99, [55] * 100, (None, np.zeros(100, bool))))
    assert "too few to name a threshold" in thresholds.said(pair, equally_hard(pair))[1]


def test_a_condition_whose_requirements_are_never_met_is_not_drawn(tmp_path):
    never = np.zeros(40, bool)
    part = thresholds.part(two(tmp_path, [45] * 40, [55] * 40, (never, never)))
    assert part.tables
    assert not part.pictures


@pytest.mark.parametrize("met", [1, 5, 95, 99])
def test_where_hardly_any_game_met_or_missed_it_no_threshold_is_named(tmp_path, met):
    part = thresholds.part(two(tmp_path, [40] * met + [30] * (100 - met), [51] * 90 + [60] * 10))
    (row,) = part.tables[0].rows
    assert row[-1] == "–"
    assert "too few to name a threshold" in part.text[2]


def test_every_rate_of_a_threshold_has_wilsons_interval(tmp_path):
    short, long = [40] * 50 + [39] * 50, [51] * 45 + [52] * 20 + [53] * 35
    (row,) = equally_hard(tuple(two(tmp_path, short, long))).to_dicts()
    for which, k in (("short", 50), ("long", 100), ("nearest", 55)):
        assert (row[f"{which}_low"], row[f"{which}_high"]) == pytest.approx(tuple(map(float, wilson(k, 100))))


def test_a_condition_that_hardly_any_game_came_near_is_left_out_of_the_chart(tmp_path):
    meets = (np.arange(100) < 3, np.arange(100) < 3)
    part = thresholds.part(two(tmp_path, [45] * 100, [55] * 100, meets))
    assert part.pictures == []


def test_where_curves_come_down_to_a_rate():
    curve = np.array([[0.9, 0.5, 0.5, 0.1, 0.0]])
    found = [float(crossing(curve, 20, np.array([rate]))[0]) for rate in (0.9, 0.7, 0.5, 0.3, 0.05, 0.95, 0.0)]
    assert found == pytest.approx([20, 20.5, 22, 22.5, 23.5, -math.inf, math.inf])


@pytest.mark.soak
def test_the_interval_of_the_threshold_covers_the_truth():
    # short: half of a very large population meets it; long: scores 40 to 59, each equally likely
    rng = np.random.default_rng(4)
    truth, covered = 50.0, 0
    for i in range(300):
        k = int(rng.binomial(400, 0.5))
        long = np.array([0, *rng.multinomial(400, [0.05] * 20)])
        low, high = Evidence(400, 400, k, 40, long, None).interval([i])
        covered += low <= truth <= high
    assert 0.92 <= covered / 300 <= 0.98


def test_a_pair_is_a_short_and_a_long_run_of_the_same_player(tmp_path):
    vp, meets = [45] * 30, [True] * 30
    runs = [
        read(solo(tmp_path / f"{who}{rounds}", vp, meets, 40, rounds, policies=[who]))
        for who in ("balanced", "planner")
        for rounds in (12, 10)
    ]
    named = [(short.folder.name, long.folder.name) for short, long in pairs(runs)]
    assert sorted(named) == [("balanced10", "balanced12"), ("planner10", "planner12")]


def test_runs_on_other_tiles_are_no_pair(tmp_path):
    assert pairs(two(tmp_path, [45] * 30, [55] * 30, tiles={"hash": "other", "share": {"text": ""}})) == []


def test_a_log_without_requirements_has_no_such_part(tmp_path):
    pair = two(tmp_path, [45] * 30, [55] * 30)
    bare = pair[1].tables["objectives"].drop("requires_met")
    object.__setattr__(pair[1], "tables", {**pair[1].tables, "objectives": bare})
    assert thresholds.part(pair).empty


def test_the_part_names_the_printed_and_the_equally_hard_threshold(tmp_path):
    short, long = [40] * 50 + [39] * 50, [51] * 40 + [52] * 20 + [53] * 40
    part = thresholds.part(two(tmp_path, short, long))
    (table,) = part.tables
    assert table.rows[0][:4] == [NAME, "40 → 50", "50.0 % (40.4–59.6)", "100.0 % (96.3–100.0)"]
    assert table.rows[0][5].startswith("52.5 (")
    assert "n = 100 each" in table.title
    assert "equally hard 52.5" in part.pictures[0].alt
    assert part.pictures[0].frame["run"].unique().sort().to_list() == ["10 rounds", "12 rounds"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [1, 2])
def test_hardly_any_games_do_not_break_it(tmp_path, games):
    part = thresholds.part(two(tmp_path, [45] * games, [55] * games))
    assert part.tables


def test_a_player_that_aims_is_said_to_play_for_the_printed_thresholds(tmp_path):
    pair = two(tmp_path, [45] * 30, [55] * 30)
    assert not any("plays for the printed" in text for text in thresholds.part(pair).text)
    aimed = pair[1].tables["objectives"].with_columns(aimed=True)
    object.__setattr__(pair[1], "tables", {**pair[1].tables, "objectives": aimed})
    assert set(thresholds.planned(pair)) <= set(thresholds.part(pair).text)
    assert thresholds.planned(pair)


def nfsim_thresholds(out, *arguments):
    """Run the command; return the thresholds of campaign 1 by condition."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert nfsim.cli.main(["thresholds", *arguments, "--out", str(out), "--json"]) == 0
    (campaign,) = json.loads(printed.getvalue())["campaigns"]
    return {row["objective"]: row for row in campaign["thresholds"]}


def test_the_command_answers_in_json_and_writes_a_page(tmp_path, capsys):
    assert nfsim.cli.main(["thresholds", "--games", "300", "--out", str(tmp_path / "out"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    (campaign,) = found["campaigns"]
    rows = {row["objective"]: row for row in campaign["thresholds"]}
    row = rows["Great Victory"]
    assert (row["score_short"], row["score_long"], row["n"]) == (55, 70, 300)
    (at,) = [
        r for r in campaign["curves"] if (r["run"], r["objective"], r["score"]) == ("12 rounds", "Great Victory", 70)
    ]
    assert at["rate"] == row["rate_long"]
    written = {r["objective"]: float(r["equal_score"]) for r in numbers(tmp_path / "out", "thresholds")}
    assert written["Builder"] == pytest.approx(rows["Builder"]["equal_score"], rel=1e-9)  # ten digits
    # each condition is played by the player that aims at it, in both lengths
    played = [json.loads(file.read_text())["policies"][0] for file in tmp_path.glob("out/runs/*/manifest.json")]
    aims = [name.partition(" and ")[0] for name in rows]  # two that ask for the same are played for once
    assert sorted(played) == sorted(2 * [f"planner@{name}" for name in aims])
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Played by planner, going for each condition in turn." in page


def test_a_condition_of_the_default_player_is_that_of_its_own_aim_alone(tmp_path):
    every = nfsim_thresholds(tmp_path / "every", "--games", "200")
    builder = nfsim_thresholds(tmp_path / "one", "--games", "200", "--policy", "planner", "--set", "aim=Builder")
    for name in ("rate_short", "rate_long", "difference", "p", "equal_score", "nearest_score"):
        assert every["Builder"][name] == builder["Builder"][name]
    assert every["Great Victory"]["rate_short"] != builder["Great Victory"]["rate_short"]


@pytest.mark.parametrize(
    "arguments", [("--campaign", "7"), ("--games", "0"), ("--policy", "nobody"), ("--set", "setup.rounds=12")]
)
def test_bad_input_is_one_sentence(tmp_path, capsys, arguments):
    assert nfsim.cli.main(["thresholds", *arguments, "--out", str(tmp_path / "out")]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
