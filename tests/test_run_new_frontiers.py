"""Real games, run as a user runs them: what the tables of a run must agree on."""

from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import nfsim
from nfsim.games.new_frontiers.columns import TABLES
from nfsim.run.execute import run
from nfsim.run.replay import transcript
from nfsim.run.scenario import read_scenario

SCENARIOS = Path(__file__).parents[1] / "scenarios"
GAMES = 300
CASES = [
    (scenario, policy)
    for scenario in ("solo_campaign1_long", "solo_campaign6_short", "base_3p", "rift_2p", "rift_5p", "rift_4p_no_goals")
    for policy in ("uniform", "balanced")
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(case))
def played(request, tmp_path_factory):
    name, policy = request.param
    folder = tmp_path_factory.mktemp("runs") / name
    run(scenario(name, policy), folder, level="tiles", jobs=1)
    return nfsim.load(folder)


def scenario(name, policy):
    return read_scenario(SCENARIOS / f"{name}.toml", overrides={"games": GAMES, "policy": policy})


def setup(found):
    return found.manifest["scenario"]["setup"]


def test_every_game_finishes_by_the_rules(played):
    assert played.manifest["statuses"] == {"finished": GAMES}
    assert played.games.select(pl.col("end_reason").is_null().any()).collect().item() is False


def test_tables_have_the_columns_that_are_declared(played):
    for table in TABLES:
        assert played[table.name].collect_schema().names() == [column.name for column in table.columns]


def test_rows_are_as_many_as_games_rounds_and_players(played):
    players = setup(played)["players"]
    seats = 3 if players == 1 else players
    rounds = played.games.select(pl.col("rounds").sum()).collect().item()
    rows = {name: table["rows"] for name, table in played.manifest["tables"].items()}
    assert rows["games"] == GAMES
    assert rows["seats"] == GAMES * players
    assert rows["rounds"] == rounds * players
    assert rows["selections"] == rounds * seats
    assert rows["objectives"] == (GAMES * 4 if players == 1 else 0)
    assert setup(played)["goals"] or rows["goals"] == 0


def test_a_score_is_the_sum_of_its_parts(played):
    parts = ["vp_chips", "vp_worlds", "vp_developments", "vp_nine_cost", "vp_goals", "vp_penalty"]
    wrong = played.seats.filter(pl.col("score") != pl.sum_horizontal(parts)).collect()
    assert wrong.is_empty()


def test_goals_give_the_vps_of_the_score(played):
    goals = played.goals.group_by("game", "seat").agg(pl.col("score").sum().alias("sum"))
    joined = played.seats.join(goals, on=["game", "seat"], how="left").with_columns(pl.col("sum").fill_null(0))
    assert joined.filter(pl.col("sum") != pl.col("vp_goals")).collect().is_empty()


def test_the_last_round_shows_the_final_position(played):
    last = played.rounds.sort("round").group_by("game", "seat").last()
    joined = played.seats.join(last, on=["game", "seat"], suffix="_last").collect()
    assert joined.height == played.manifest["tables"]["seats"]["rows"]
    for column in ("score", "credits", "military", "colonies", "developments", "goods", "vp_chips"):
        assert (joined[column] == joined[f"{column}_last"]).all(), column


def test_nobody_selects_a_tile_twice_in_a_round(played):
    each = played.selections.group_by("game", "round", "action").len().filter(pl.col("len") > 1)
    assert each.collect().is_empty()
    choosers = set(played.selections.select(pl.col("chosen_by").cast(pl.String)).collect()["chosen_by"])
    assert ("player_for_dummy" in choosers) is (setup(played)["players"] == 1)


def test_a_solo_game_is_won_when_a_condition_is_met(played):
    if setup(played)["players"] > 1:
        assert played.seats.group_by("game").agg(pl.col("won").any()).select(pl.col("won").all()).collect().item()
        return
    met = played.objectives.group_by("game").agg(pl.col("met").any())
    joined = played.seats.join(met, on="game").filter(pl.col("met") != pl.col("won"))
    assert joined.collect().is_empty()


def test_tiles_are_those_that_the_score_counts(played):
    """Colonies and developments of the seats table are the placed tiles."""
    placed = played.tiles.filter(pl.col("round_settled") >= 0).group_by("game", "seat").len()
    joined = played.seats.join(placed, on=["game", "seat"])
    wrong = joined.filter(pl.col("len") != pl.col("colonies").cast(pl.Int64) + pl.col("developments")).collect()
    assert wrong.is_empty()


def test_another_log_level_changes_no_game(tmp_path):
    chosen = scenario("rift_2p", "balanced")
    for level in ("games", "rounds"):
        run(chosen, tmp_path / level, level=level, jobs=1)
    one, two = (nfsim.load(tmp_path / level).seats.collect() for level in ("games", "rounds"))
    assert_frame_equal(one, two)


def test_several_threads_play_the_same_games(tmp_path):
    chosen = read_scenario(SCENARIOS / "solo_campaign1_short.toml", overrides={"games": 10_200, "policy": "uniform"})
    for jobs in (1, 2):
        run(chosen, tmp_path / str(jobs), jobs=jobs)
    one, two = (nfsim.load(tmp_path / str(jobs)) for jobs in (1, 2))
    assert one.manifest["decisions"] == two.manifest["decisions"]
    for name in one:
        assert_frame_equal(one[name].collect(), two[name].collect())
    digests = [[part["sha256"] for part in found.manifest["tables"]["rounds"]["parts"]] for found in (one, two)]
    assert digests[0] == digests[1]


def test_a_replay_ends_with_the_logged_score(tmp_path):
    chosen = scenario("solo_campaign1_short", "balanced")
    run(chosen, tmp_path / "out", jobs=1)
    warnings, lines = transcript(tmp_path / "out", 7)
    assert warnings == []
    vp = nfsim.load(tmp_path / "out").seats.filter(pl.col("game") == 7).select("score").collect().item()
    assert f"seat 0: total {vp}," in "\n".join(list(lines)[-6:])


def test_a_replay_starts_with_the_mat_and_ends_with_the_conditions(tmp_path):
    chosen = scenario("solo_campaign1_short", "balanced")
    run(chosen, tmp_path / "out", jobs=1)
    logged = nfsim.load(tmp_path / "out").objectives.filter(pl.col("game") == 3).collect()
    lines = list(transcript(tmp_path / "out", 3)[1])
    assert lines[0].startswith("seat 0: mat ")
    told = lines[-logged.height :]
    for line, row in zip(told, logged.iter_rows(named=True), strict=True):
        assert line.startswith(f"condition {row['objective']} {'met' if row['met'] else 'not met'}: ")
        assert (f"({-row['margin']} missing)" in line.partition(";")[0]) == (row["margin"] < 0)
