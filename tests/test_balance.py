"""nfsim balance: effects of single tiles, on made-up variants with known truth and in small studies from end to end."""

import json
import re

import numpy as np
import polars as pl
import pytest
from synthetic_runs import manifest, table_tables, write_run

import nfsim.cli
from nfsim.games.new_frontiers.tiles.levers import blank, moved
from nfsim.report.source import read
from nfsim.run.options import Options
from nfsim.run.scenario import read_scenario
from nfsim.stats.many import adjusted
from nfsim.stats.planning import games_for_mean_difference
from nfsim.studies.balance.effects import (
    NAIVE,
    OFF,
    OWNERS,
    SCORE,
    TAKERS,
    WINS,
    Changed,
    alike,
    detectable,
    differences,
    holders,
    most_owned,
    owned,
    prices,
)
from nfsim.studies.balance.page import ratings_table, record_parts, verdicts
from nfsim.studies.balance.ratings import with_verdicts
from nfsim.studies.balance.study import numbers
from nfsim.studies.balance.variants import record_variants
from nfsim.studies.study import play_study

GAMES, PLAYERS = 2000, 4
TILE = "Space Marines"
NOBODY = np.zeros((GAMES, PLAYERS), bool)


def in_play():
    scenario = read_scenario("rift_2p")
    return scenario.rule_set.need_catalogue("test").in_play(scenario.prepared)


def variant(folder, vps, owners=NOBODY, takers=None, positions=None):
    """Write a made-up run of 4 players: VPs, who owns the tile at the end and who took it first, by game and seat."""
    takers = owners if takers is None else takers
    tables = table_tables(len(vps), PLAYERS)
    won = vps == vps.max(axis=1, keepdims=True)
    tables["seats"] = tables["seats"].with_columns(score=pl.Series(vps.ravel()), won=pl.Series(won.ravel()))
    game, seat = np.nonzero(owners | takers)
    taken = np.where(takers[game, seat], 2, 3)
    settled = np.where(owners[game, seat], np.maximum(taken, 3), -1)
    tables["tiles"] = pl.DataFrame(
        {"game": game, "seat": seat, "tile": TILE, "round_explored": taken, "round_settled": settled},
        {"game": pl.Int64, "seat": pl.Int64, "tile": pl.String, "round_explored": pl.Int64, "round_settled": pl.Int64},
    )
    if positions is not None:
        tables["rounds"] = positions
    return read(write_run(folder, tables, manifest(games=len(vps), policies=["balanced"] * PLAYERS)))


@pytest.fixture
def luck():
    """VPs that seats have from luck alone, by game and seat."""
    drawn = np.random.default_rng(3).integers(20, 60, (GAMES, PLAYERS))
    return PLAYERS * drawn + np.arange(PLAYERS)  # no two seats have the same


@pytest.fixture
def chosen():
    """One seat in each game, drawn at random."""
    seat = np.random.default_rng(4).integers(PLAYERS, size=GAMES)
    return np.arange(PLAYERS)[None, :] == seat[:, None]


def estimate(frame, name, measure=SCORE):
    """Return the only row of an estimate."""
    (row,) = frame.filter(pl.col("estimate") == name, pl.col("measure") == measure).to_dicts()
    return row


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    """Run the command in an empty folder; return exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        nfsim.cli.console._console.cache_clear()  # consoles remember whether their stream is a terminal
        code = nfsim.cli.main(["balance", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def test_the_effect_on_takers_is_what_the_tile_gives(tmp_path, luck, chosen):
    base = variant(tmp_path / "with", luck + 7 * chosen, chosen)
    without = Changed(TILE, OFF, variant(tmp_path / "without", luck))
    row = estimate(owned(base, [without]), TAKERS)
    assert (row["difference"], row["low"], row["high"]) == pytest.approx((7, 7, 7))


def test_the_log_credits_the_tile_with_who_takes_it(tmp_path, luck):
    best = luck == luck.max(axis=1, keepdims=True)
    base = variant(tmp_path / "with", luck, best)
    found = owned(base, [Changed(TILE, OFF, variant(tmp_path / "without", luck))])
    assert estimate(found, NAIVE, WINS)["difference"] == pytest.approx(1 - 1 / PLAYERS)
    assert estimate(found, TAKERS, WINS)["difference"] == 0


def test_owners_chosen_by_later_luck_make_a_tile_without_effect_look_good_and_takers_do_not(tmp_path, chosen):
    rng = np.random.default_rng(5)
    until, *later = rng.integers(0, 41, (3, GAMES, PLAYERS))
    lucky = chosen & (later[0] > 20)
    base = variant(tmp_path / "with", until + later[0], lucky, chosen)
    found = owned(base, [Changed(TILE, OFF, variant(tmp_path / "without", until + later[1]))])
    assert estimate(found, OWNERS)["low"] > 2
    takers = estimate(found, TAKERS)
    assert takers["low"] < 0 < takers["high"]


def test_wins_shared_by_several_takers_of_a_game_count_as_one_value(tmp_path, luck):
    everybody = ~NOBODY
    found = owned(
        variant(tmp_path / "with", luck, everybody), [Changed(TILE, OFF, variant(tmp_path / "without", luck))]
    )
    row = estimate(found, TAKERS, WINS)
    assert (row["n"], row["after"]) == (GAMES, pytest.approx(1 / PLAYERS))


def test_differences_are_those_of_all_games(tmp_path, luck, chosen):
    base = variant(tmp_path / "with", luck + 8 * chosen, chosen)
    found = differences(base, [Changed(TILE, OFF, variant(tmp_path / "without", luck))])
    (row,) = found.filter(pl.col("figure") == "VPs").to_dicts()
    assert row["difference"] == pytest.approx(-8 / PLAYERS)
    assert row["same"] == 0


def test_p_values_are_adjusted_over_all_tiles(tmp_path, luck):
    base = variant(tmp_path / "base", luck)
    rng = np.random.default_rng(6)
    variants = [
        Changed(f"tile {i}", OFF, variant(tmp_path / str(i), luck + rng.integers(-9, 10 + i, luck.shape)))
        for i in range(4)
    ]
    found = differences(base, variants)
    assert found["record"].n_unique() == 4
    assert found["p_adjusted"].to_list() == pytest.approx(adjusted(found["p"].to_numpy()).tolist())


def positions(games, changed=()):
    """Return made-up positions after three rounds; for (game, round) in `changed` other ones."""
    rows = [
        {"game": game, "round": number, "seat": seat, "score": 100 * game + number + ((game, number) in changed)}
        for game in range(games)
        for number in (1, 2, 3)
        for seat in range(PLAYERS)
    ]
    return pl.DataFrame(rows)


def test_games_that_differ_before_the_tile_is_taken_are_not_alike(tmp_path, luck, chosen):
    vps, takers = luck[:4], chosen[:4]  # taken in round 2
    base = variant(tmp_path / "with", vps, takers, positions=positions(4))
    other = variant(tmp_path / "without", vps, NOBODY[:4], positions=positions(4, {(0, 1), (1, 2), (2, 3)}))
    (row,) = alike(base, [Changed(TILE, OFF, other)]).to_dicts()
    assert (row["n"], row["alike"]) == (4, 3 / 4)


def test_it_is_counted_when_somebody_gets_the_tile_all_the_same(tmp_path, luck, chosen):
    few = chosen & (np.arange(GAMES) < 5)[:, None]
    base = variant(tmp_path / "with", luck, chosen)
    assert alike(base, [Changed(TILE, OFF, variant(tmp_path / "other", luck, few))])["leaked"].to_list() == [5]


def test_ownership_at_another_cost_is_a_share_of_the_seats(tmp_path, luck, chosen):
    half = chosen & (np.arange(GAMES) % 2 == 0)[:, None]
    base, dear = variant(tmp_path / "base", luck, chosen), variant(tmp_path / "dear", luck, half)
    (row,) = prices(base, [Changed(TILE, "cost +1", dear)]).to_dicts()
    assert (row["before"], row["after"], row["relative"]) == pytest.approx((1 / 4, 1 / 8, -1 / 2))


def test_a_tile_that_is_explored_and_not_settled_is_held_but_not_owned(tmp_path, luck, chosen):
    found = holders(variant(tmp_path / "base", luck, NOBODY, chosen), TILE)
    assert len(found) == GAMES
    assert not found["owned"].any()


def test_the_detectable_difference_is_the_one_that_so_many_games_detect():
    n, sd = 5000, 10.0
    half = 1.96 * sd / n**0.5  # of an interval for a mean with that spread
    found = detectable(-half, half)
    assert games_for_mean_difference(found, sd / 2**0.5, correlation=0.0) == pytest.approx(n, rel=0.01)


def test_most_owned_lists_developments_and_worlds_apart(tmp_path, luck, chosen):
    assert most_owned(variant(tmp_path / "base", luck, chosen), 3) == [TILE]


def test_the_parts_have_nothing_to_say_without_variants(tmp_path, luck):
    base = variant(tmp_path / "base", luck)
    frames = owned(base, []), alike(base, []), differences(base, []), prices(base, [])
    assert all(part.empty for part in record_parts(*frames, base))


@pytest.mark.parametrize("name", ["Terraforming Robots", "Xeno Colony", "Alien Weapon Cache"])
def test_a_blank_can_be_played_and_moves_no_other_tile(name):
    scenario = read_scenario("rift_4p")
    variants, _ = record_variants(scenario, [name], [])
    before, after = (each.scenario.prepared for each in variants)
    assert before.names == after.names
    for field in ("copies", "stack_face", "stack_copies"):
        assert (before.tables[0][field] == after.tables[0][field]).all()


def test_the_cost_of_a_military_world_is_its_defense():
    world = in_play()["Xeno Colony"]
    assert moved(world, 1)["set"] == {"defense": world.defense + 1}


def test_a_cost_does_not_fall_below_zero():
    record = in_play()["Public Works"]
    assert moved(record, -1 - record.cost) is None


def test_a_blank_xeno_world_penalises_nobody():
    assert blank(in_play()["Xeno Colony"])["set"]["penalty"] == 0


@pytest.mark.usefixtures("undrawn")
def test_one_tile_from_the_command_to_the_page(command, tmp_path):
    code, out, _ = command(
        "rift_2p", "--games", 60, "--tiles", "space marines", "--cost", "-1,+1", "--json", "--out", "study"
    )
    found = json.loads(out)
    assert (code, found["tiles_changed"]) == (0, [TILE])
    assert {row["change"] for row in found["differences"]} == {OFF, "cost -1", "cost +1"}
    assert {row["estimate"] for row in found["owned"]} == {NAIVE, OWNERS, TAKERS}
    assert found["alike"][0]["leaked"] == 0
    rated = [row for row in found["ratings"] if row["record"] == TILE]
    assert [row["player"] for row in rated] == ["balanced", "tuned_2p"]
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    assert "What a tile does for whoever takes it" in page


@pytest.mark.usefixtures("undrawn")
def test_the_terminal_says_what_the_page_does_about_tiles_and_chances(command, tmp_path):
    code, out, _ = command("rift_2p", "--games", 60, "--tiles", "top:1", "--cost", "+1", "--out", "study")
    assert code == 0
    assert re.search(r"^\d+ of \d+ tiles are strong for both players", out)
    page = (tmp_path / "study" / "report.html").read_text(encoding="utf-8")
    for text in (out.splitlines()[0], "Start order: ", "Empires", "Tiles: reconstructed, hash "):
        assert text in out
    assert "the 1 developments" not in page
    assert "the development and the world that seats own most often" in page
    assert page.rindex("Wins by start order") < page.rindex(">Variants<")  # the first are in the contents


def study(scenario, out, names):
    """Play variants without each tile; return the games as they are, and the frames."""
    variants, _ = record_variants(scenario, names, [])
    base, *played = play_study(variants, out, Options(1), level="tiles")
    changed = [
        Changed(each.factors["tile"], each.factors["change"], run)
        for each, run in zip(variants[1:], played, strict=True)
    ]
    return base, numbers(base, changed)


def test_solo_effects_are_those_on_vps_and_conditions(tmp_path):
    base, frames = study(read_scenario("solo_campaign1_short", (), {"games": 60}), tmp_path, [TILE])
    assert {"VPs", "Builder", "Any condition"} <= set(frames["differences"]["figure"])
    parts = record_parts(frames["owned"], frames["alike"], frames["differences"], frames["prices"], base)
    assert [len(part.pictures) for part in parts] == [1, 1, 0]


def test_a_tile_made_absurdly_strong_is_flagged_and_one_that_nobody_buys_is_not(tmp_path):
    odd = tmp_path / "odd.toml"
    odd.write_text(
        'inherit = "rift_2p.toml"\ngames = 300\n'
        '[[patch]]\ndo = "change"\nkind = "development"\nname = "Public Works"\nset = { cost = 0, vp = 15 }\n'
        '[[patch]]\ndo = "change"\nkind = "development"\nname = "Genetics Lab"\nset = { cost = 30, vp = 0 }\n'
    )
    _, frames = study(read_scenario(odd), tmp_path / "out", ["Public Works", "Genetics Lab"])
    row = estimate(frames["owned"].filter(pl.col("record") == "Public Works"), TAKERS)
    assert row["low"] > 5
    assert row["p_adjusted"] < 0.001
    sure = frames["differences"].filter(pl.col("p_adjusted").fill_nan(None) < 0.05)
    assert set(sure["record"]) == {"Public Works"}


def test_a_file_named_as_the_list_of_a_study_is_refused_before_the_games_as_they_are_are_played(command, tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.json").write_text("my own notes")
    code, _, err = command("rift_2p", "--games", 20, "--tiles", "none", "--out", "study")
    assert code == 2
    assert "study/study.json: is no list of a study" in err
    assert [file.name for file in (tmp_path / "study").rglob("*")] == ["study.json"]


@pytest.mark.usefixtures("undrawn")
def test_without_tiles_only_the_games_as_they_are_are_played(command, tmp_path):
    code, out, _ = command("rift_2p", "--games", 20, "--tiles", "none", "--out", "study")
    assert code == 0
    assert "0 balanced" in out
    assert "Start order" in out
    assert [folder.name for folder in (tmp_path / "study" / "runs").iterdir()] == ["all_tiles-as_they_are"]


def test_a_cost_that_cannot_go_there_is_left_out_and_said():
    variants, left_out = record_variants(read_scenario("rift_2p"), ["Public Works"], [-3, 1])
    assert [each.factors["change"] for each in variants[1:]] == [OFF, "cost +1"]
    assert len(left_out) == 1
    assert left_out[0].startswith("Public Works")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--tiles", "Space Marine"], "Space Marines"),
        (["--tiles", "top:0"], "top:1"),
        (["--tiles", ""], "--tiles"),
        (["--cost", "0"], "--cost"),
        (["--cost", "cheap"], "--cost"),
        (["--games", "many"], "--games"),
    ],
)
def test_bad_input_is_one_sentence_that_names_the_option(command, arguments, named):
    code, _, err = command("rift_2p", "--games", 5, *arguments)
    assert code == 2
    assert named in err
    assert "Traceback" not in err


def rated(effects):
    """Rate made-up effects: {(record, player): (n, effect, p)}."""
    rows = [
        {"record": record, "kind": "world", "player": player, "games": 100, "taken": n, "n": n, "effect": effect,
         "low": effect - 1, "high": effect + 1, "p": p, "by": TAKERS}
        for (record, player), (n, effect, p) in effects.items()
    ]  # fmt: skip
    return with_verdicts(pl.DataFrame(rows), "a")


RATED = {
    ("Good", "a"): (50, 0.2, 1e-9), ("Good", "b"): (50, 0.1, 1e-9),
    ("Odd", "a"): (50, 0.1, 1e-9), ("Odd", "b"): (50, -0.1, 1e-9),
    ("Plain", "a"): (50, 0.0, 0.6), ("Plain", "b"): (50, 0.0, 0.9),
    ("Unseen", "a"): (0, float("nan"), float("nan")), ("Unseen", "b"): (0, float("nan"), float("nan")),
}  # fmt: skip


def test_a_verdict_holds_for_both_players_or_names_the_one_it_holds_for(tmp_path, luck):
    base = variant(tmp_path / "base", luck[:40])
    table = ratings_table(rated(RATED), base)
    assert [(row[0], row[2]) for row in table.rows] == [
        ("Good", "strong"), ("Odd", "strong for a; weak for b"), ("Plain", "unclear"), ("Unseen", "never taken"),
    ]  # fmt: skip
    text = " ".join(verdicts(rated(RATED), base.words))
    assert text.startswith("1 of 4 tiles are strong for both players: Good. 0 of 4 tiles are weak for both players.")
    assert "They disagree about Odd." in text
    assert "Never taken by anybody (n = 0): Unseen." in text


def test_a_tile_that_nobody_took_has_no_effect_of_zero(tmp_path, luck):
    (row,) = [row for row in ratings_table(rated(RATED), variant(tmp_path / "b", luck[:40])).rows if row[0] == "Unseen"]
    assert row[3:] == ["0", "never taken (n = 0)"] * 2


def test_a_single_comparison_among_many_is_no_verdict():
    effects = {(f"tile {i}", "a"): (50, 0.1, 0.04 if i == 0 else 0.5) for i in range(40)}
    assert set(rated(effects)["verdict"]) == {"unclear"}
