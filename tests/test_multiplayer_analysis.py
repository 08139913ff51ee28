"""What is read off logged games of several players: seats, start order, empires, policies, tiles, goals, length."""

import numpy as np
import polars as pl
import pytest
from scipy import stats
from synthetic_runs import manifest, solo_run, table_run, table_tables, write_run

import nfsim.cli
from nfsim.games.new_frontiers.analysis import empires, goals
from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.report.build import parts_of
from nfsim.report.naming import labelled
from nfsim.report.parts import lengths, owned, results, seats
from nfsim.report.parts.seats import flagged, start_part
from nfsim.report.source import read as read_source
from nfsim.stats.intervals import mean_interval, wilson


def tables_of(rows, **more):
    """Return tables from rows (game, seat, policy, start_order, vp, rank, won) and other tables."""
    names = ["game", "seat", "policy", "start_order", "score", "rank", "won"]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return {"seats": frame.lazy(), **{name: pl.DataFrame(table).lazy() for name, table in more.items()}}


# three games of two: seat 0 wins the first, they share the second, seat 1 wins the third
DUEL = [
    (0, 0, "a", 0, 30, 1, True), (0, 1, "b", 1, 20, 2, False),
    (1, 0, "a", 1, 25, 1, True), (1, 1, "b", 0, 25, 1, True),
    (2, 0, "a", 1, 10, 2, False), (2, 1, "b", 0, 40, 1, True),
]  # fmt: skip


def simulated(games, players=4, seed=1):
    """Return tables of made-up games in which start order, seat and policy make no difference."""
    rng = np.random.default_rng(seed)
    order = np.argsort(rng.random((games, players)), axis=1)
    vp = rng.integers(20, 60, (games, players))
    best = vp == vp.max(axis=1, keepdims=True)
    frame = pl.DataFrame({
        "game": np.repeat(np.arange(games), players), "seat": np.tile(np.arange(players), games), "policy": "balanced",
        "start_order": order.ravel(), "score": vp.ravel(),
        "rank": (1 + (vp[:, :, None] < vp[:, None, :]).sum(axis=2)).ravel(), "won": best.ravel(),
    })  # fmt: skip
    return {"seats": frame.lazy()}


def test_a_shared_win_is_split_and_equal_strength_taken_off():
    found = seats.results(tables_of(DUEL)).collect()
    assert found["share"].to_list() == [1, 0, 0.5, 0.5, 0, 1]
    assert found["edge"].to_list() == [0.5, -0.5, 0, 0, -0.5, 0.5]
    assert found["lead"].to_list() == [5, -5, 0, 0, -15, 15]


def test_a_game_without_a_winner_is_left_out():
    stopped = [(3, 0, "a", 0, 9, 1, False), (3, 1, "b", 1, 9, 1, False)]
    assert seats.by_seat(tables_of(DUEL + stopped))["n"].to_list() == [3, 3]


def test_start_order_has_the_wins_and_vps_of_whoever_was_there():
    found = seats.by_start_order(tables_of(DUEL))
    assert found.select("start_order", "n", "k", "score", "lead").rows() == [(0, 3, 2.5, 95 / 3, 20 / 3),
                                                                          (1, 3, 0.5, 55 / 3, -20 / 3)]  # fmt: skip
    assert found.select("low", "high").row(0) == pytest.approx(tuple(map(float, wilson(2.5, 3))))


def test_rows_of_seats_name_their_policy():
    assert seats.by_seat(tables_of(DUEL)).select("seat", "policy", "k").rows() == [(0, "a", 1.5), (1, "b", 1.5)]


def test_intervals_of_start_order_are_those_of_the_games_values():
    tables = simulated(200)
    row = seats.by_start_order(tables).to_dicts()[2]
    own = seats.results(tables).filter(pl.col("start_order") == 2).collect()
    for name in ("edge", "lead"):
        test = stats.ttest_1samp(own[name], 0)
        low, high = test.confidence_interval()
        assert [row[f"{name}{end}"] for end in ("_low", "_high", "_p")] == pytest.approx([low, high, test.pvalue])


def test_a_policy_with_two_seats_is_expected_to_win_twice_as_often():
    rows = [(0, 0, "a", 0, 9, 1, True), (0, 1, "a", 1, 5, 3, False), (0, 2, "b", 2, 7, 2, False),
            (1, 0, "a", 0, 6, 1, True), (1, 1, "a", 1, 6, 1, True), (1, 2, "b", 2, 6, 1, True)]  # fmt: skip
    found = seats.by_policy(tables_of(rows))
    assert found["policy"].to_list() == ["a", "b"]
    assert found["expected"].to_list() == pytest.approx([2 / 3, 1 / 3])
    assert found["k"].to_list() == pytest.approx([5 / 3, 1 / 3])
    assert found["edge"].to_list() == pytest.approx([5 / 6 - 2 / 3, 1 / 6 - 1 / 3])


def test_who_ends_ahead_counts_a_game_once_and_a_tie_half():
    rows = [(0, 0, "a", 0, 9, 1, True), (0, 1, "a", 1, 5, 3, False), (0, 2, "b", 2, 7, 2, False),
            (1, 0, "a", 0, 6, 1, True), (1, 1, "a", 1, 6, 1, True), (1, 2, "b", 2, 6, 1, True)]  # fmt: skip
    found = seats.ahead(tables_of(rows))
    assert found.select("policy", "other", "n", "k", "rate").rows() == [
        ("a", "b", 2, 1.0, 0.5),
        ("b", "a", 2, 1.0, 0.5),
    ]


def test_both_directions_of_a_pair_are_one_comparison():
    rng = np.random.default_rng(3)
    rows = []
    for game in range(60):
        for seat, rank in enumerate(rng.permutation(3) + 1):
            rows.append((game, seat, "abc"[seat], seat, 0, int(rank), rank == 1))
    found = seats.ahead(tables_of(rows))
    once = found.filter(pl.col("policy") < pl.col("other"))
    assert once["edge_p_adjusted"].to_list() == pytest.approx(stats.false_discovery_control(once["edge_p"].to_list()))
    back = found.filter((pl.col("policy") == "b") & (pl.col("other") == "a"))
    assert back["edge_p_adjusted"][0] == once["edge_p_adjusted"][0]


def test_equality_asks_about_the_seats_of_one_policy_and_the_policies_of_several():
    assert seats.equality(simulated(100))["question"].to_list() == ["start order", "seat"]
    assert seats.equality(tables_of(DUEL))["question"].to_list() == ["start order", "policy"]


def test_an_advantage_of_the_start_is_found():
    tables = simulated(300)
    first = tables["seats"].with_columns(won=pl.col("start_order") == 0)
    found = seats.equality({"seats": first}).to_dicts()[0]
    assert found["question"] == "start order"
    assert found["p_adjusted"] < 1e-6


def homes(*chosen):
    """Return games of two in which these homes (empire, side) sat, the first of each game winning."""
    rows = [(game, seat, "a", seat, 10 - seat, 1 + seat, seat == 0) for game in range(len(chosen)) for seat in (0, 1)]
    tables = tables_of(rows)
    flat = [home for game in chosen for home in game]
    named = [pl.Series("empire", [h[0] for h in flat]), pl.Series("side", [h[1] for h in flat])]
    return {"seats": tables["seats"].collect().with_columns(named).lazy()}


MATS = pl.DataFrame({"mat": [1, 1, 2, 2], "side": ["A", "B", "A", "B"], "empire": ["Oak", "Elm", "Fir", "Yew"]})


def test_a_mat_is_both_of_its_sides():
    tables = homes([("Oak", "A"), ("Fir", "A")], [("Elm", "B"), ("Fir", "A")], [("Fir", "A"), ("Oak", "A")])
    assert empires.by_home(tables).select("empire", "n", "k").rows() == [("Elm", 1, 1), ("Fir", 3, 1), ("Oak", 2, 1)]
    assert empires.by_mat(tables, MATS).select("name", "n", "k").rows() == [("Oak / Elm", 3, 2), ("Fir / Yew", 3, 1)]


def test_a_home_is_not_taken_for_strong_because_a_strong_policy_chooses_it():
    tables = homes(*[[("Oak", "A"), ("Elm", "B")]] * 40)
    assert empires.by_home(tables)["edge"].to_list() == [-0.5, 0.5]
    strong = tables["seats"].with_columns(policy=pl.when(pl.col("seat") == 0).then(pl.lit("a")).otherwise(pl.lit("b")))
    assert empires.by_home({"seats": strong})["edge"].to_list() == [0, 0]


def test_a_side_nobody_chose_is_offered_and_not_taken():
    tables = homes([("Oak", "A"), ("Fir", "A")], [("Elm", "B"), ("Fir", "A")])
    found = empires.sides(tables, MATS).select("empire", "n", "k").rows()
    assert found == [("Oak", 2, 1), ("Elm", 2, 1), ("Fir", 2, 2), ("Yew", 2, 0)]


def test_mats_are_unknown_where_the_tiles_are_not_those_that_were_played(tmp_path):
    assert empires.mats_of(read_source(table_run(tmp_path / "run", 5, 2))).is_empty()


def owners_tables():
    """Two games of two: who owns Mine wins both; both own Dock in the second."""
    tiles = {
        "game": [0, 0, 0, 1, 1, 1, 1],
        "seat": [0, 0, 1, 1, 1, 0, 1],
        "tile": ["Mine", "Mine", "Old Earth", "Mine", "Dock", "Dock", "Far World"],
        "round_explored": [2, 3, 0, 2, -1, -1, 4],
        "round_settled": [3, 5, 0, 6, 4, 6, -1],
    }
    rows = [(0, 0, "a", 0, 9, 1, True), (0, 1, "a", 1, 5, 2, False),
            (1, 0, "a", 0, 5, 2, False), (1, 1, "a", 1, 9, 1, True)]  # fmt: skip
    return tables_of(rows, tiles=tiles)


def test_owners_are_compared_with_all_seats_without_the_tile():
    found = {row["record"]: row for row in owned.owners(owners_tables(), METRICS.holdings).to_dicts()}
    mine, dock = found["Mine"], found["Dock"]
    assert (mine["kind"], mine["games"], mine["owners"]) == ("world", 2, 2)
    assert (mine["rate_owned"], mine["rate_not"], mine["difference"]) == (1, 0, 1)
    assert (dock["kind"], dock["owners"], dock["rate_owned"], dock["rate_not"]) == ("development", 2, 0.5, 0.5)


def test_a_second_copy_is_no_second_owner_and_the_first_counts_for_the_round():
    found = {row["record"]: row for row in owned.owners(owners_tables(), METRICS.holdings).to_dicts()}
    assert found["Mine"]["round"] == 4.5
    assert found["Dock"]["round"] == 5


def test_homes_and_worlds_only_explored_are_not_owned():
    assert set(owned.owners(owners_tables(), METRICS.holdings)["record"]) == {"Mine", "Dock"}


def test_where_every_seat_owns_a_tile_the_game_says_nothing_about_it():
    found = {row["record"]: row for row in owned.owners(owners_tables(), METRICS.holdings).to_dicts()}
    assert (found["Mine"]["n"], found["Mine"]["edge"]) == (2, 0.5)
    assert found["Dock"]["n"] == 0


def test_few_owners_give_no_interval():
    assert owned.owners(owners_tables(), METRICS.holdings)["low"].is_nan().all()


def goals_tables():
    """One goal in two games of three: drawn by seat 0, then by seat 2; one goal in play from the start."""
    goals = {
        "game": [0, 0, 0, 1, 1, 1, 1, 1, 1],
        "seat": [0, 1, 2, 0, 1, 2, 0, 1, 2],
        "goal": ["Trade"] * 6 + ["Fame"] * 3,
        "drawn_by": [0, 0, 0, 2, 2, 2, -1, -1, -1],
        "score": [5, 0, 2, 0, 0, 3, 8, 8, 8],
    }
    rows = [(0, 0, "a", 0, 9, 1, True), (0, 1, "a", 1, 5, 2, False), (0, 2, "b", 2, 4, 3, False),
            (1, 0, "a", 0, 9, 1, True), (1, 1, "a", 1, 5, 2, False), (1, 2, "b", 2, 4, 3, False)]  # fmt: skip
    return tables_of(rows, goals=goals)


def test_the_value_of_a_goal_is_paired_within_the_game():
    found = goals.drawing_value(goals_tables())
    assert found.select("goal", "n", "score", "others", "gain").rows() == [("All goals", 2, 4, 0.5, 3.5),
                                                                        ("Trade", 2, 4, 0.5, 3.5)]  # fmt: skip
    assert found["edge"].to_list() == pytest.approx([0.5 - 1 / 3] * 2)
    # the drawers scored 5 and 3, the others 1 and 0
    for name, values in (("score", [5, 3]), ("others", [1, 0])):
        bounds = found.select(f"{name}_low", f"{name}_high").row(1)
        assert bounds == pytest.approx(mean_interval(values)[2:]), name


def test_drawer_and_others_score_a_goal_by_share():
    found = goals.scored_by(goals_tables())
    assert found.select("who", "n", "k", "score").rows() == [("Drawer", 2, 2, 4), ("Others", 2, 0.5, 0.5)]


def test_policies_score_a_goal_by_the_mean_of_their_seats():
    found = goals.scored_by_policy(goals_tables())
    assert found.select("policy", "n", "k", "score").rows() == [("a", 2, 0.5, 1.25), ("b", 2, 2, 2.5)]


GAMES = {
    "games": pl.DataFrame({"rounds": [9, 9, 12, 10], "end_reason": ["chips", "chips", "colonies", "chips"]}).lazy()
}


def test_lengths_not_seen_between_those_seen_have_rate_zero():
    found = lengths.round_distribution(GAMES)
    assert found.select("rounds", "n", "k").rows() == [(9, 4, 2), (10, 4, 1), (11, 4, 0), (12, 4, 1)]


def test_ends_have_their_share_and_their_length():
    found = lengths.endings(GAMES).select("end_reason", "n", "k", "rate", "rounds", "median", "q10", "q90").rows()
    assert found[0] == ("chips", 4, 3, 0.75, pytest.approx(28 / 3), 9, 9, 10)
    assert found[1] == ("colonies", 4, 1, 0.25, 12, 12, 12, 12)
    assert found[2][:5] == ("All games", 4, 4, 1, 10)


def test_no_games_have_no_length():
    empty = {"games": GAMES["games"].head(0)}
    assert lengths.endings(empty).is_empty()
    assert lengths.round_distribution(empty).is_empty()


def row_of(name, edge, p):
    return {"run": "r", "home": name, "n": 500, "edge": edge, "edge_low": edge - 0.01, "edge_high": edge + 0.01,
            "edge_p_adjusted": p, "expected": 0.25}  # fmt: skip


def test_strong_is_what_is_certain_and_not_small(tmp_path):
    frame = pl.DataFrame([row_of("Sure", 0.05, 0.001), row_of("Small", 0.02, 0.001), row_of("Unsure", 0.05, 0.2),
                          row_of("Poor", -0.04, 0.04)])  # fmt: skip
    text = flagged(frame, "home", "Win rate", [read_source(table_run(tmp_path / "run", 5, 4))])[0]
    assert "strong: Sure +5.0 points (+4.0 to +6.0), n = 500." in text
    assert "weak: Poor" in text
    assert "Small" not in text
    assert "Unsure" not in text


def test_solo_runs_have_no_parts_about_others(tmp_path):
    group = [read_source(solo_run(tmp_path / "solo", 20))]
    assert start_part(group).empty
    assert empires.part(group).empty


def group_of(*folders):
    return labelled([read_source(folder) for folder in folders])


def all_parts(group):
    return {part.title: part for part in parts_of(group) if not part.empty}


def frames(part):
    return {item.name: item.frame for item in (*part.tables, *part.pictures)}


def test_a_run_without_the_newer_columns_and_tables_still_has_its_parts(tmp_path):
    found = all_parts(group_of(table_run(tmp_path / "run", 60, 3)))
    assert [picture.name for picture in found["How games end"].pictures] == ["rounds"]
    assert not {"Start order", "Empires", "Worlds and developments owned"} & set(found)


def test_the_seats_of_compared_runs_name_both_policies(tmp_path):
    other = table_run(tmp_path / "b", 40, 2, policies=["uniform", "balanced"])
    picture = results.wins_picture(results.win_frame(group_of(table_run(tmp_path / "a", 40, 2), other)))
    assert "Seat 0: balanced / uniform" in picture.alt
    assert picture.frame["policy"].to_list() == ["balanced", "uniform", "balanced", "balanced"]


def test_one_game_is_too_few_for_a_test_and_is_told_so(tmp_path):
    tables = table_tables(1, 3)
    tables["seats"] = tables["seats"].with_columns(start_order=pl.col("seat"), rank=pl.col("seat") + 1)
    about = manifest(scenario={"title": "x", "setup": {"players": 3}}, policies=["balanced"] * 3, games=1)
    part = start_part(group_of(write_run(tmp_path / "one", tables, about)))
    assert part.text[0].startswith("Start order: too few games for a test")


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The source and the parts of a real run with every table."""
    out = tmp_path_factory.mktemp("real") / "run"
    policies = "balanced,balanced,military,balanced"
    asked = ["run", "rift_4p", "--games", "300", "--log", "tiles", "--seed", "7", "--policy", policies, "--out", out]
    assert nfsim.cli.main([str(word) for word in asked]) == 0
    group = group_of(out)
    return group[0], all_parts(group)


def test_a_real_run_deals_sixteen_mats_of_two_sides(real):
    mats = empires.mats_of(real[0])
    assert mats["mat"].n_unique() == 16
    assert len(mats) == mats["empire"].n_unique() == 32


@pytest.mark.parametrize(
    ("title", "name"),
    [("Start order", "start_order"), ("Empires", "mat_wins"), ("Empires", "homes"),
     ("Policies against each other", "policy_wins"), ("Results", "seat_wins")],
)  # fmt: skip
def test_wins_of_a_real_run_add_up_to_its_games_however_they_are_sorted(real, title, name):
    assert frames(real[1][title])[name]["k"].sum() == pytest.approx(300)


def test_every_tile_bought_in_a_real_run_is_in_the_csv_file(real):
    source, found = real
    bought = source.tables["tiles"].filter(pl.col("round_settled") > 0).select(pl.col("tile").cast(pl.String)).unique()
    tiles = frames(found["Worlds and developments owned"])["tiles_owned"]["record"]
    assert sorted(tiles) == sorted(bought.collect()["tile"])


def test_drawn_goals_of_a_real_run_are_those_in_play(real):
    source, found = real
    drawn = frames(found["Drawing goals"])["goals_drawn"].filter(pl.col("goal") != goals.ALL_GOALS)
    games = source.tables["goals"].group_by(pl.col("goal").cast(pl.String)).agg(pl.col("game").n_unique()).collect()
    assert dict(drawn.select("goal", "n").rows()) == dict(games.rows())


def test_the_warning_about_selection_comes_first(real):
    assert real[1]["Worlds and developments owned"].text[0].startswith("These are not effects of the tiles")
    assert real[1]["Drawing goals"].text[0].startswith("Who draws goals keeps the one that fits best")


def test_lengths_from_counts_are_those_of_the_games_themselves():
    rng = np.random.default_rng(4)
    games = pl.DataFrame({"rounds": rng.integers(5, 30, 501), "end_reason": rng.choice(["chips", "colonies"], 501)})
    found = {row["end_reason"]: row for row in lengths.endings({"games": games.lazy()}).to_dicts()}
    rounds = pl.col("rounds")
    for reason in ("chips", "colonies", lengths.ALL_GAMES):
        own = games if reason == lengths.ALL_GAMES else games.filter(pl.col("end_reason") == reason)
        told = own.select(*(rounds.quantile(q, "nearest").alias(name) for name, q in lengths.QUANTILES.items())).row(0)
        row = found[reason]
        assert (row["median"], row["q10"], row["q90"]) == told
        bounds = mean_interval(own["rounds"].to_numpy())[1:]
        assert (row["rounds"], row["rounds_low"], row["rounds_high"]) == pytest.approx([float(x) for x in bounds])
