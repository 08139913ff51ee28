"""The fate of Xeno worlds: worlds per game, shares, what they cost, by policy."""

import numpy as np
import polars as pl
import pytest
from synthetic_runs import manifest, table_tables, write_run

from nfsim.games.new_frontiers.analysis import xeno
from nfsim.games.new_frontiers.analysis.xeno import ANY, BEATEN, DRAWN, KEPT, LOST, fates, logged, shares
from nfsim.report.naming import labelled
from nfsim.report.source import read
from nfsim.run.scenario import read_scenario
from nfsim.stats.intervals import mean_interval, wilson


def run(folder, seats, drawn, policies=("balanced",)):
    """Write a run: for each game and seat (taken, conquered, unconquered), all penalties being -6; drawn per game."""
    players = len(policies)
    taken, conquered, unconquered = np.asarray(seats).reshape(-1, 3).T
    game = np.repeat(np.arange(len(drawn)), players)
    tables = {
        "games": pl.DataFrame({"game": np.arange(len(drawn)), "rounds": 10, "xeno_drawn": drawn,
                               "end_reason": "round_limit", "status": "finished"}),
        "seats": pl.DataFrame({
            "game": game, "seat": np.tile(np.arange(players), len(drawn)), "policy": list(policies) * len(drawn),
            "score": 40, "won": True, "xeno_taken": taken, "xeno_conquered": conquered, "xeno_unconquered": unconquered,
            "penalty_3": 0, "penalty_6": unconquered, "penalty_8": 0, "vp_penalty": -6 * unconquered,
        }),
    }  # fmt: skip
    tables |= {name: frame.clear() for name, frame in table_tables(1, 2).items() if name not in tables}
    scenario = {"title": "Made up", "setup": {"players": players, "rounds": 10}}
    write_run(folder, tables, manifest(scenario=scenario, games=len(drawn), policies=list(policies)))
    return labelled([read(folder)])[0]


def value(frame, name, policy="balanced"):
    """Return the row of a step or share."""
    column = "step" if "step" in frame.columns else "share"
    (found,) = frame.filter(pl.col(column) == name, pl.col("policy") == policy).to_dicts()
    return found


def some_games(games=300, seed=1):
    """Return made-up seats of a solo run."""
    rng = np.random.default_rng(seed)
    taken = rng.poisson(2, games)
    placed = rng.binomial(taken, 0.9)
    conquered = rng.binomial(placed, 0.8)
    return np.stack([taken, conquered, placed - conquered], axis=1)


def test_worlds_are_counted_per_game_with_intervals(tmp_path):
    seats = some_games()
    frame = fates(run(tmp_path / "run", seats, [5] * 300))
    expected = {
        "Taken or drawn by the player": seats[:, 0],
        "Not kept": seats[:, 0] - seats[:, 1] - seats[:, 2],
        "Placed": seats[:, 1] + seats[:, 2],
        "Conquered": seats[:, 1],
        "Penalised": seats[:, 2],
        LOST: 6 * seats[:, 2],
    }
    for name, counts in expected.items():
        found = value(frame, name)
        interval = mean_interval(counts)
        assert (found["n"], found["mean"]) == pytest.approx((300, interval.mean)), name
        assert (found["low"], found["high"]) == pytest.approx((max(interval.low, 0), interval.high)), name


def test_worlds_drawn_count_per_game_and_not_per_player(tmp_path):
    seats = [[(1, 1, 0), (2, 1, 1)], [(0, 0, 0), (1, 0, 1)]]
    source = run(tmp_path / "run", seats, [4, 6], ("balanced", "military"))
    frame = fates(source)
    assert [value(frame, DRAWN, policy)["mean"] for policy in source.seat_policies] == [5, 5]


def test_policies_of_one_game_are_told_apart(tmp_path):
    seats = [[(1, 1, 0), (2, 1, 1)], [(0, 0, 0), (1, 0, 1)]]
    frame = fates(run(tmp_path / "run", seats, [4, 6], ("balanced", "military")))
    assert value(frame, "Penalised", "balanced")["mean"] == 0
    assert value(frame, "Penalised", "military")["mean"] == 1
    assert value(frame, LOST, "military")["mean"] == 6


def test_two_seats_of_a_policy_count_as_one_game_by_their_mean(tmp_path):
    seats = [[(1, 1, 0), (3, 1, 2)], [(0, 0, 0), (1, 0, 1)]]
    frame = fates(run(tmp_path / "run", seats, [4, 6], ("balanced", "balanced")))
    found = value(frame, "Taken or drawn by the player")
    assert (found["n"], found["mean"], found["sd"]) == pytest.approx((2, 1.25, np.std([2, 0.5], ddof=1)))


def test_shares_are_of_worlds(tmp_path):
    seats = some_games()
    frame = shares(run(tmp_path / "run", seats, [5] * 300))
    placed = seats[:, 1:].sum()
    assert value(frame, KEPT)["rate"] == pytest.approx(placed / seats[:, 0].sum())
    assert value(frame, BEATEN)["rate"] == pytest.approx(seats[:, 1].sum() / placed)


def test_the_interval_of_a_share_rests_on_games_and_not_on_worlds(tmp_path):
    # all worlds of a game share their fate: 200 games say as much as 200 worlds, not as 800
    rng = np.random.default_rng(2)
    beaten = rng.random(200) < 0.5
    seats = np.stack([np.full(200, 4), 4 * beaten, 4 * ~beaten], axis=1)
    found = value(shares(run(tmp_path / "run", seats, [5] * 200)), BEATEN)
    low, high = wilson(beaten.sum(), 200)
    assert found["high"] - found["low"] == pytest.approx(high - low, rel=0.15)


def test_a_share_without_exceptions_keeps_an_interval(tmp_path):
    seats = np.tile([2, 2, 0], (50, 1))
    found = value(shares(run(tmp_path / "run", seats, [5] * 50)), BEATEN)
    assert (found["rate"], found["low"]) == pytest.approx((1, float(wilson(50, 50)[0])))


def test_games_with_a_penalty_are_counted_once(tmp_path):
    seats = [(3, 0, 3)] * 5 + [(1, 1, 0)] * 15
    found = value(shares(run(tmp_path / "run", seats, [5] * 20)), ANY)
    assert (found["k"], found["rate"]) == (5, 0.25)
    assert (found["low"], found["high"]) == pytest.approx(tuple(float(x) for x in wilson(5, 20)))


def test_without_any_xeno_world_there_is_nothing_to_divide_by(tmp_path):
    source = run(tmp_path / "run", [(0, 0, 0)] * 40, [0] * 40)
    assert value(shares(source), BEATEN)["rate"] is None
    part = xeno.part([source])
    assert "–" in [cells[1] for cells in part.tables[0].rows]


def test_the_part_has_table_and_chart_for_every_policy(tmp_path):
    seats = np.stack([some_games(60, 1), some_games(60, 2)], axis=1)
    part = xeno.part([run(tmp_path / "run", seats, [5] * 60, ("balanced", "military"))])
    (table,) = part.tables
    assert table.head[1] == "Policy"
    assert {cells[1] for cells in table.rows} == {"balanced", "military"}
    assert [picture.name for picture in part.pictures] == ["xeno_fate", "xeno_penalties"]


def test_an_older_log_still_has_its_penalties(tmp_path):
    source = run(tmp_path / "run", some_games(40), [5] * 40)
    object.__setattr__(source, "tables", {**source.tables, "seats": source.tables["seats"].drop("xeno_taken")})
    assert not logged(source)
    assert [picture.name for picture in xeno.part([source]).pictures] == ["xeno_penalties"]


def test_in_real_games_a_world_placed_is_conquered_or_penalised(tmp_path):
    from nfsim.run.execute import run as play

    play(read_scenario("rift_2p", [], {"games": 200, "policy": "xeno_hunter,balanced"}), tmp_path / "run", seed=1)
    (source,) = labelled([read(tmp_path / "run")])
    frame = fates(source)
    for policy in source.seat_policies:
        mean = {name: value(frame, name, policy)["mean"] for name in frame["step"].unique()}
        assert mean["Placed"] == pytest.approx(mean["Conquered"] + mean["Penalised"])
        assert 0 <= mean["Not kept"] <= mean["Taken or drawn by the player"]
