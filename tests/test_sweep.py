"""nfsim sweep: factors and levels, variants, what levels change, and where the variance between bags comes from."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic_runs import manifest, solo_tables, write_run

from nfsim.contract.rule_set import load_rule_set
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.games.new_frontiers.tiles.catalogue import TileCatalogue
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.report.source import read
from nfsim.stats.components import components, spread
from nfsim.stats.intervals import wilson
from nfsim.stats.paired import paired_means, paired_rates
from nfsim.studies.sweep import numbers as analysis
from nfsim.studies.sweep import variance as sweep_variance
from nfsim.studies.sweep.numbers import Axis, Swept, gather
from nfsim.studies.sweep.page import changes_table, effects, level_parts, pictures
from nfsim.studies.sweep.variants import MOST_VARIANTS, make_sweep, read_factor, read_factors

SOLO = Path("solo_campaign1_short")


def labels(text):
    return [level.label for level in read_factor(text).levels]


def refused(*vary):
    with pytest.raises(BadInput) as error:
        read_factors(vary)
    return str(error.value)


def sweep(tmp_path, *vary, **more):
    return make_sweep(SOLO, vary, tmp_path, seed=1, overrides={"games": 10}, **more)


# factors and levels


def test_levels_are_joined_by_commas():
    assert labels("policy=uniform, balanced") == ["uniform", "balanced"]


def test_a_range_has_both_its_ends():
    assert [level.value for level in read_factor("setup.rounds=8..11").levels] == [8, 9, 10, 11]


def test_a_range_has_steps():
    assert [level.value for level in read_factor("bag.military=20..60/20").levels] == [20, 40, 60]


def test_steps_of_a_tenth_do_not_drift():
    assert [level.text for level in read_factor("setup.x=0..0.3/0.1").levels] == ["0", "0.1", "0.2", "0.3"]


def test_ranges_and_single_levels_mix():
    assert [level.text for level in read_factor("setup.rounds=8..9,12").levels] == ["8", "9", "12"]


def test_a_moved_cost_has_a_sign():
    assert labels("cost.Gem World=-1,0,+1") == ["Gem World cost -1", "Gem World cost as it is", "Gem World cost +1"]


def test_bags_are_numbered():
    factor = read_factor("tiles=sample:3")
    assert factor.sampled
    assert [level.bag for level in factor.levels] == [1, 2, 3]


def test_a_policy_named_by_a_number_is_a_name():
    assert not read_factor("policy=1,2").numeric


@pytest.mark.parametrize("text", ["setup.rounds", "=1,2", "setup.rounds=", "setup.rounds=1,,2", "setup.rounds=4,4",
                                  "setup.rounds=9..8", "setup.rounds=1..9/0", "games=1,2", "tiles=sample:0",
                                  "tiles=sample:x", "tiles=sample:2,reconstructed"])  # fmt: skip
def test_levels_that_make_no_sense_are_refused_by_what_was_written(text):
    assert refused(text).startswith(f"--vary {text}")


def test_too_many_variants_are_refused_with_their_number():
    assert "9 × 100" in refused("bag.xeno=0..8", "bag.military=1..100")
    assert "900 variants" in refused("bag.xeno=0..8", "bag.military=1..100")


def test_an_endless_range_is_refused_before_it_is_made():
    assert f"at most {MOST_VARIANTS}" in refused("setup.rounds=1..999999999")


def test_a_single_variant_is_no_sweep():
    assert "at least two" in refused("setup.rounds=10")


def test_at_most_three_factors():
    assert "at most 3" in refused("a.a=1,2", "a.b=1,2", "a.c=1,2", "a.d=1,2")


def test_a_factor_stands_once():
    assert "given twice" in refused("setup.rounds=8,9", "setup.rounds=10,11")


# variants


def test_variants_are_all_combinations_the_last_factor_fastest(tmp_path):
    found = sweep(tmp_path, "setup.rounds=10,12", "policy=uniform,balanced")
    assert [variant.label for variant in found.variants] == [
        "rounds=10, uniform", "rounds=10, balanced", "rounds=12, uniform", "rounds=12, balanced"
    ]  # fmt: skip
    assert [(each.scenario.resolved["setup"]["rounds"], each.scenario.policies) for each in found.variants] == [
        (10, ("uniform",)), (10, ("balanced",)), (12, ("uniform",)), (12, ("balanced",))
    ]  # fmt: skip


def test_what_follows_from_a_key_follows_in_its_variant(tmp_path):
    lengths = [
        variant.scenario.resolved["setup"]["length"] for variant in sweep(tmp_path, "setup.rounds=10,12").variants
    ]
    assert lengths == ["short", "long"]


def test_levels_are_compared_with_the_scenario_as_it_is(tmp_path):
    assert sweep(tmp_path, "setup.rounds=8..12", "policy=uniform,balanced").usual == (2, 1)


def test_without_the_scenarios_own_level_the_first_one_is_compared_with(tmp_path):
    assert sweep(tmp_path, "setup.rounds=8,9").usual == (0,)


def test_settings_hold_in_all_variants(tmp_path):
    found = sweep(tmp_path, "policy=uniform,balanced", settings=["setup.rounds=12"])
    assert {variant.scenario.resolved["setup"]["rounds"] for variant in found.variants} == {12}


def test_policies_by_seat_are_joined_by_a_bar(tmp_path):
    found = make_sweep(Path("rift_2p"), ["policy=balanced|uniform,balanced"], tmp_path, seed=1)
    assert [variant.scenario.policies for variant in found.variants] == [
        ("balanced", "uniform"),
        ("balanced", "balanced"),
    ]


def test_a_lever_patches_the_tiles_of_its_variant(tmp_path):
    found = sweep(tmp_path, "bag.xeno=0,8")
    worlds = [variant.scenario.prepared.tile_set.worlds for variant in found.variants]
    xeno = [sum(world.copies for world in each if "xeno" in world.keywords) for each in worlds]
    assert xeno == [0, 8]


def test_a_lever_that_changes_nothing_is_the_scenario_as_it_is(tmp_path):
    assert sweep(tmp_path, "bag.xeno=0,8").usual == (1,)


def test_the_cost_of_a_tile_is_moved(tmp_path):
    found = sweep(tmp_path, "cost.Gem World=-1..1")
    costs = [
        next(world.cost for world in variant.scenario.prepared.tile_set.worlds if world.name == "Gem World")
        for variant in found.variants
    ]
    assert np.diff(costs).tolist() == [1, 1]
    assert found.usual == (1,)


def test_levers_are_turned_one_after_the_other(tmp_path):
    found = sweep(tmp_path, "bag.xeno=2,8", "bag.military=30,60")
    for variant in found.variants:
        prepared = variant.scenario.prepared
        worlds = [world for world in prepared.tile_set.worlds if world.holds(prepared.rulings)]
        number = sum(world.copies for world in worlds if "xeno" in world.keywords)
        share = sum(world.copies for world in worlds if world.military) / sum(world.copies for world in worlds)
        assert f"xeno={number}" in variant.label
        assert share == pytest.approx(0.3 if "military=30" in variant.label else 0.6, abs=0.01)


def test_a_file_of_patches_is_a_level(tmp_path):
    file = tmp_path / "dear.toml"
    file.write_text('[[patch]]\ndo = "change"\nkind = "world"\nname = "Gem World"\nset = { cost = 9 }\n')
    found = sweep(tmp_path, f"patch=none,{file}")
    costs = [
        {world.name: world.cost for world in variant.scenario.prepared.tile_set.worlds} for variant in found.variants
    ]
    assert [cost["Gem World"] for cost in costs][1] == 9 != costs[0]["Gem World"]
    assert [variant.label for variant in found.variants] == ["no patch", "dear"]


def test_drawn_bags_differ_and_are_drawn_once(tmp_path):
    first = sweep(tmp_path, "tiles=sample:2")
    when = [(tmp_path / "tiles" / name / "worlds.csv").stat().st_mtime_ns for name in ("1-1", "1-2")]
    again = sweep(tmp_path, "tiles=sample:2")
    hashes = [[variant.scenario.prepared.tile_hash for variant in found.variants] for found in (first, again)]
    assert hashes[0] == hashes[1]
    assert len(set(hashes[0])) == 2
    assert when == [(tmp_path / "tiles" / name / "worlds.csv").stat().st_mtime_ns for name in ("1-1", "1-2")]


def test_a_bag_that_was_changed_is_drawn_again(tmp_path):
    first = sweep(tmp_path, "tiles=sample:2")
    file = tmp_path / "tiles" / "1-1" / "goals.csv"
    file.write_text("\n".join(file.read_text().splitlines()[:-1]))
    again = sweep(tmp_path, "tiles=sample:2")
    assert first.variants[0].scenario.prepared.tile_hash == again.variants[0].scenario.prepared.tile_hash


def test_a_bag_half_written_is_drawn_again(tmp_path):
    sweep(tmp_path, "tiles=sample:2")
    (tmp_path / "tiles" / "1-2" / "sample.json").unlink()
    (tmp_path / "tiles" / "1-2" / "worlds.csv").write_text("")
    assert len(sweep(tmp_path, "tiles=sample:2").variants) == 2


def test_a_bag_of_other_tiles_is_not_written_over(tmp_path):
    mine = tmp_path / "mine"
    TileSet.load("reconstructed").export(mine)
    goals = (mine / "goals.csv").read_text(encoding="utf-8-sig").splitlines()
    (mine / "goals.csv").write_text("\n".join([*goals[:-1], goals[-1].replace(goals[-1].split(",")[0], "Another")]))
    sweep(tmp_path / "out", "tiles=sample:2")
    with pytest.raises(BadInput, match="another set"):
        sweep(tmp_path / "out", "tiles=sample:2", settings=[f"tiles={mine}"])


@pytest.mark.soak
def test_bags_of_two_seeds_lie_beside_each_other(tmp_path):
    one, two = (make_sweep(SOLO, ["tiles=sample:2"], tmp_path, seed=seed, overrides={"games": 10}) for seed in (1, 2))
    hashes = {variant.scenario.prepared.tile_hash for found in (one, two) for variant in found.variants}
    assert len(hashes) == len(list((tmp_path / "tiles").iterdir())) == 4


@pytest.mark.parametrize(("vary", "says"), [
    ("polic=a,b", 'did you mean "policy"?'),
    ("bag.xenos=1,2", 'did you mean "bag.xeno"?'),
    ("rules.colonist_ed=empty,four_left", 'did you mean "colonist_end"?'),
    ("policy=balancd,uniform", 'did you mean "balanced"?'),
    ("cost.Gem Wrld=0,1", 'did you mean "Gem World"?'),
    ("bag.xeno=few,many", "numbers"),
    ("bag.xeno=0,99", "must be 0 to"),
    ("setup.rounds=0,10", "at least 1"),
    ("tiles=nowhere,reconstructed", "nowhere"),
    ("patch=none,nowhere.toml", "there is no such file"),
])  # fmt: skip
def test_an_error_names_the_factor_and_what_to_do(tmp_path, vary, says):
    with pytest.raises(BadInput) as error:
        sweep(tmp_path, vary)
    assert str(error.value).startswith(f"--vary {vary.partition('=')[0]}")
    assert says in str(error.value)


def test_an_unknown_factor_lists_all(tmp_path):
    with pytest.raises(BadInput) as error:
        sweep(tmp_path, "bag.xenos=1,2")
    for name in ("policy", "tiles", "patch", "bag.military", "cost.TILE", "setup.KEY", "rules.KEY"):
        assert name in str(error.value)


def test_a_file_of_patches_holds_nothing_else(tmp_path):
    (tmp_path / "scenario.toml").write_text('game = "new_frontiers"\n')
    with pytest.raises(BadInput, match="game: has no place in a file of patches"):
        sweep(tmp_path, f"patch=none,{tmp_path / 'scenario.toml'}")


# what levels change: numbers by hand

RULES = load_rule_set("new_frontiers")
ROUNDS = Axis("setup.rounds", ("rounds=10", "rounds=12"), (10.0, 12.0))


def made(axes, vps, met):
    """Return a sweep of which VPs and one rate are known, a variant each."""
    frames = [
        pl.DataFrame({"game": range(len(vp)), "Any condition": np.asarray(m, float), "VPs": np.asarray(vp, float)})
        for vp, m in zip(vps, met, strict=True)
    ]
    return Swept(tuple(axes), {"Any condition": "rate", "VPs": "VPs"}, frames, RULES.words, METRICS)


def test_variants_have_rates_with_wilsons_interval():
    frame = analysis.variants(made([ROUNDS], [[1, 2, 3, 4]] * 2, [[1, 0, 0, 0], [1, 1, 1, 0]]))
    (row,) = frame.filter((pl.col("figure") == "Any condition") & (pl.col("setup.rounds") == "rounds=12")).to_dicts()
    low, high = wilson(3, 4)
    assert (row["n"], row["value"], row["low"], row["high"]) == (4, 0.75, low, high)


def test_levels_are_compared_game_by_game():
    a, b = [1, 5, 9, 4], [2, 6, 11, 5]
    frame = analysis.differences(made([ROUNDS], [a, b], [[1, 0, 0, 0], [1, 1, 0, 0]]))
    vp, rate = (frame.filter(pl.col("figure") == name).row(0, named=True) for name in ("VPs", "Any condition"))
    expected = paired_means(a, b)
    assert (vp["difference"], vp["low"], vp["high"]) == (1.25, expected.low, expected.high)
    assert (rate["level"], rate["against"], rate["difference"]) == ("rounds=12", "rounds=10", 0.25)
    assert rate["low"] == paired_rates([True, False, False, False], [True, True, False, False]).low


def test_only_one_factor_differs_in_a_comparison():
    policy = Axis("policy", ("uniform", "balanced"), usual=1)
    vps = [[0, 0], [10, 10], [1, 1], [13, 13]]
    frame = analysis.differences(made([ROUNDS, policy], vps, [[0, 1]] * 4)).filter(pl.col("figure") == "VPs")
    found = {(row["level"], row["others"]): row["difference"] for row in frame.to_dicts()}
    assert found == {
        ("rounds=12", "uniform"): 1, ("rounds=12", "balanced"): 3,
        ("uniform", "rounds=10"): -10, ("uniform", "rounds=12"): -12,
    }  # fmt: skip


def test_with_bags_drawn_the_bag_is_the_unit():
    bags = Axis("tiles", ("bag 1", "bag 2", "bag 3"), sampled=True)
    vps = [[1, 3], [4, 4], [2, 2], [5, 7], [3, 3], [3, 5]]
    found = made([bags, ROUNDS], vps, [[0, 1]] * 6)
    frame = analysis.differences(found).filter(pl.col("figure") == "VPs")
    expected = paired_means([2, 2, 3], [4, 6, 4])
    (row,) = frame.to_dicts()
    assert (row["n"], row["difference"], row["low"]) == (3, expected.difference, expected.low)
    over = analysis.over_bags(found).filter(pl.col("figure") == "VPs")
    assert over["value"].to_list() == [pytest.approx(7 / 3), pytest.approx(14 / 3)]
    assert over["n"].to_list() == [3, 3]


def test_a_rate_that_no_bag_meets_has_an_interval_all_the_same():
    bounds = analysis.over_units(np.zeros(5), "rate", 40)
    assert bounds == pytest.approx(dict(zip(("low", "high"), map(float, wilson(0, 200)), strict=True)))


def test_sentences_name_what_is_more_than_chance():
    rng = np.random.default_rng(3)
    vp = rng.integers(30, 50, 300)
    found = made([ROUNDS], [vp, vp + 7], [rng.random(300) < 0.5] * 2)
    first, *rest = effects(found, analysis.differences(found), ["Any condition", "VPs"])
    assert "2 comparisons" in first
    assert len(rest) == 1
    assert "+7.00 (+7.00 to +7.00), n = 300 games" in rest[0]


def test_a_difference_is_read_in_the_order_of_the_levels_whichever_is_the_usual_one():
    vp = np.random.default_rng(3).integers(30, 50, 300)
    found = made([replace(ROUNDS, usual=1)], [vp, vp + 7], [vp > 40] * 2)
    (_, said) = effects(found, analysis.differences(found), ["VPs"])
    assert re.search(r"with rounds=10, .* with rounds=12, a difference of \+7\.00 ", said)


def test_nothing_more_than_chance_is_said_so():
    vp = np.random.default_rng(3).normal(40, 5, 300)
    found = made([ROUNDS], [vp, vp], [vp > 40] * 2)
    (only,) = effects(found, analysis.differences(found), ["Any condition", "VPs"])
    assert "none" in only


def test_an_unknown_rate_suggests_the_nearest():
    found = made([ROUNDS], [[1, 2]] * 2, [[0, 1]] * 2)
    assert analysis.chosen_rate(found, None) == "Any condition"
    assert analysis.chosen_rate(found, "any condition") == "Any condition"
    with pytest.raises(BadInput, match='did you mean "Any condition"'):
        analysis.chosen_rate(found, "Any conditon")


def test_runs_give_the_figures_that_all_of_them_have(tmp_path):
    about = manifest(games=50)
    runs = [write_run(tmp_path / str(seed), solo_tables(50, seed=seed), about) for seed in (1, 2)]
    found = gather([ROUNDS], [read(run) for run in runs])
    assert "VPs" in found.units
    assert "VPs: Xeno penalties" in found.units
    assert found.values((1,), "VPs").tolist() == solo_tables(50, seed=2)["seats"]["score"].to_list()


def test_many_lines_are_drawn_in_several_pictures():
    policy = Axis("policy", tuple(f"p{i}" for i in range(8)))
    found = made([ROUNDS, policy], [[1, 2]] * 16, [[0, 1]] * 16)
    assert [p.name for p in pictures(found, ROUNDS)] == ["sweep_rate_1", "sweep_rate_2", "sweep_mean_1", "sweep_mean_2"]


def test_a_picture_says_every_estimate_in_words():
    found = made([ROUNDS], [[1, 2], [3, 4]], [[0, 1]] * 2)
    _, means = pictures(found, ROUNDS)
    assert "VPs at rounds=12 3.50" in means.alt
    assert "n = 2 games" in means.note


def test_a_caption_says_that_differences_are_known_more_precisely_than_bands_suggest():
    policy = Axis("policy", ("uniform", "balanced"))
    found = made([ROUNDS, policy], [[1, 2]] * 4, [[0, 1]] * 4)
    assert all("difference between two lines is known more precisely" in p.note for p in pictures(found, ROUNDS))


def differences_shown(*axes):
    """Return the table of differences of a sweep of these factors in which nothing differs."""
    variants = np.prod([len(axis.labels) for axis in axes])
    found = made(axes, [[1, 2]] * variants, [[0, 1]] * variants)
    return changes_table(found, analysis.differences(found), "Any condition")


def test_the_heading_says_what_the_levels_of_a_single_factor_are_compared_with():
    table = differences_shown(ROUNDS)
    assert (table.title, table.head[:2]) == ("Differences from rounds=10", ["Level", "Figure"])


def test_with_several_factors_each_row_says_what_it_is_compared_with():
    table = differences_shown(ROUNDS, Axis("policy", ("uniform", "balanced"), usual=1))
    assert "rounds=10" not in table.title
    assert {tuple(row[:3]) for row in table.rows} == {
        ("rounds=12", "rounds=10", "uniform"), ("rounds=12", "rounds=10", "balanced"),
        ("uniform", "balanced", "rounds=10"), ("uniform", "balanced", "rounds=12"),
    }  # fmt: skip


@pytest.mark.parametrize(("name", "shown"), [("setup.rounds", "rounds"), ("policy", "policy")])
def test_headings_name_a_factor_without_its_table(name, shown):
    assert Axis(name, ("a", "b")).title == shown


@pytest.mark.parametrize(("name", "shown"), [
    ("cost.Gem World", "Gem World cost"), ("bag.xeno", "Xeno worlds in the bag"),
    ("bag.military", "share of military worlds in percent"),
])  # fmt: skip
def test_headings_say_what_a_lever_sets(name, shown):
    assert Axis(name, ("a", "b"), heading=TileCatalogue().lever_title(name)).title == shown


def test_drawn_bags_alone_have_no_levels_to_compare():
    bags = Axis("tiles", ("bag 1", "bag 2"), sampled=True)
    found = made([bags], [[1, 2]] * 2, [[0, 1]] * 2)
    assert analysis.differences(found).is_empty()
    assert level_parts(found, analysis.differences(found), "VPs") == []


# the variance


def test_without_noise_the_components_are_those_of_the_table():
    row, column = np.array([0.0, 2.0, 4.0]), np.array([0.0, 10.0])
    table = np.repeat((row[:, None] + column[None, :])[:, :, None], 4, axis=2)
    found = components(table)
    assert found.rows[0] == pytest.approx(4)  # variance of 0, 2, 4
    assert found.columns[0] == pytest.approx(50)  # of 0, 10
    assert found.both[0] == pytest.approx(0)
    assert found.noise[0] == 0
    assert found.shares["rows"][0] == pytest.approx(4 / 54)


def test_noise_of_equal_cells_is_no_variance_of_rows():
    """Replicates that differ, cells that do not: each mean has its noise, and nothing else varies."""
    replicates = np.tile([1.0, -1.0], 50)
    found = components(np.broadcast_to(replicates, (4, 3, 100)))
    assert found.rows[0] == found.columns[0] == found.both[0] == 0
    assert found.noise[0] == pytest.approx(replicates.var(ddof=1) / 100)


def test_shares_add_up():
    x = np.random.default_rng(1).normal(size=(6, 3, 20)) + np.arange(6)[:, None, None]
    shares = components(x).shares
    assert sum(shares[name][0] for name in ("rows", "columns", "both", "noise")) == pytest.approx(1)
    assert shares["with_rows"][0] == pytest.approx(shares["rows"][0] + shares["both"][0])


def test_components_are_found_on_average_where_cells_share_their_noise():
    rng = np.random.default_rng(2)
    found = []
    for _ in range(200):
        rows, both = rng.normal(0, 2, (12, 1, 1)), rng.normal(0, 1, (12, 3, 1))
        shared = rng.normal(0, 6, (12, 1, 30)) + rng.normal(0, 5, (1, 1, 30))
        split = components(rows + both + np.array([0, 3, 6])[None, :, None] + shared + rng.normal(0, 4, (12, 3, 30)))
        found.append([split.rows[0], split.columns[0], split.both[0], split.noise[0]])
    means, errors = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(200)
    truth = np.array([4.0, 9.0, 1.0, (36 + 25 + 16) / 30])
    assert (np.abs(means - truth) < 4 * errors).all()


def test_the_spread_of_rows_leaves_noise_out_and_its_interval_covers():
    rng = np.random.default_rng(4)
    hits, sds = 0, []
    for _ in range(400):
        found = spread(rng.normal(0, 2, (20, 1)) + rng.normal(0, 5, (1, 25)) + rng.normal(0, 6, (20, 25))).sd
        sds.append(found[0] ** 2)
        hits += found[1] <= 2 <= found[2]
    assert np.mean(sds) == pytest.approx(4, abs=4 * np.std(sds) / 20)
    assert 0.92 <= hits / 400 <= 0.98


def bags_of(*offsets):
    """Return a sweep of bags whose VPs differ by so much, played by two policies of which one has 10 more."""
    axes = [Axis("tiles", tuple(f"bag {i}" for i, _ in enumerate(offsets)), sampled=True),
            Axis("policy", ("weak", "strong"))]  # fmt: skip
    games = np.array([0.0, 1.0, 2.0, 3.0])
    vps = [games + offset + skill for offset in offsets for skill in (0, 10)]
    return made(axes, vps, [vp > 5 for vp in vps])


def test_the_study_splits_bags_and_players():
    found = sweep_variance.study(bags_of(0, 2, 4, 6, 8), "VPs")
    shares = {row["source"]: row for row in found.shares.to_dicts()}
    assert shares["tiles"]["variance"] == pytest.approx(10)  # of 0, 2, 4, 6, 8
    assert shares["player"]["variance"] == pytest.approx(50)  # of 0, 10
    assert shares["Monte Carlo noise"]["variance"] == pytest.approx(np.var([0, 1, 2, 3], ddof=1) / 4)
    (weak, strong) = found.spreads.to_dicts()
    assert weak["sd"] == pytest.approx(np.sqrt(10))
    assert strong["mean"] == pytest.approx(15.5)


def test_with_few_tile_sets_nothing_is_split():
    assert sweep_variance.study(bags_of(0, 2, 4, 6), "VPs") is None


def test_the_sentences_say_what_they_are_conditional_on():
    swept = bags_of(0, 2, 4, 6, 8)
    said = sweep_variance.sentences(swept, sweep_variance.study(swept, "VPs"))
    assert "5 bags × 2 players" in said[0]
    assert "conditional on the prior" in said[-1]


# the command


@pytest.fixture
def played(command, tmp_path):
    out = tmp_path / "out"

    def call(*more):
        return command("sweep", "solo_campaign1_short", "--games", 40, "--out", out, *more)

    return call, out


@pytest.mark.usefixtures("undrawn")
def test_a_sweep_end_to_end(played):
    call, out = played
    code, printed, _ = call("--vary", "bag.xeno=0,8", "--vary", "policy=uniform,balanced", "--json")
    found = json.loads(printed)
    assert code == 0
    assert found["factors"][0]["usual"] == "xeno=8"
    assert {row["bag.xeno"] for row in found["variants"]} == {"xeno=0", "xeno=8"}
    assert all(row["n"] == 40 for row in found["variants"])
    drawn = [row for row in found["variants"] if row["figure"] == "Xeno worlds taken" and row["bag.xeno"] == "xeno=0"]
    assert [row["value"] for row in drawn] == [0, 0]
    page = (out / "report.html").read_text()
    assert "What the levels change" in page
    assert (out / "data" / "differences.csv").is_file()


def test_a_sweep_over_bags_tells_what_the_tiles_are_worth(played):
    call, out = played
    code, printed, _ = call("--vary", "tiles=sample:5", "--vary", "policy=uniform,balanced")
    assert code == 0
    assert "of the variance between cells (5 bags × 2 players, 40 games each)" in printed
    assert (out / "charts" / "variance_shares.png").is_file()


@pytest.mark.usefixtures("undrawn")
def test_variants_that_are_there_are_not_played_again(played):
    call, out = played
    call("--vary", "setup.rounds=8,9")
    before = {path: path.stat().st_mtime_ns for path in (out / "runs").rglob("manifest.json")}
    code, _, _ = call("--vary", "setup.rounds=8..10")
    after = {path: path.stat().st_mtime_ns for path in (out / "runs").rglob("manifest.json")}
    assert code == 0
    assert len(before) == 2
    assert len(after) == 3
    assert before.items() <= after.items()


@pytest.mark.usefixtures("undrawn")
def test_another_sweep_of_a_scenario_has_another_folder(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for factor in ("setup.rounds=8,9", "policy=uniform,balanced"):
        assert command("sweep", "solo_campaign1_short", "--games", 10, "--vary", factor)[0] == 0
    assert {folder.name for folder in (tmp_path / "runs").iterdir()} == {
        "sweep_solo_campaign1_short_setup.rounds", "sweep_solo_campaign1_short_policy"
    }  # fmt: skip


@pytest.mark.usefixtures("undrawn")
def test_another_sweep_does_not_replace_one_that_is_there(played):
    call, out = played
    call("--vary", "setup.rounds=8,9")
    page = (out / "report.html").read_bytes()
    code, _, errors = call("--vary", "policy=uniform,balanced")
    assert (code, "holds another study" in errors, "--out" in errors) == (2, True, True)
    assert (out / "report.html").read_bytes() == page


@pytest.mark.usefixtures("undrawn")
def test_the_page_begins_with_the_outcome_of_each_variant_and_says_no_heading_twice(played):
    call, out = played
    call("--vary", "bag.xeno=0,8", "--vary", "policy=uniform,balanced")
    heads = [line.lstrip("# ") for line in (out / "report.md").read_text().splitlines() if line.startswith("#")]
    parts = [head for head in heads if head in ("Outcomes by variant", "What the levels change", "Outcomes by level")]
    assert parts[0] == "Outcomes by variant"
    assert len(heads) == len(set(heads))


@pytest.mark.usefixtures("undrawn")
def test_a_sweep_with_several_players(command, tmp_path):
    code, printed, _ = command("sweep", "rift_2p", "--games", 20, "--out", tmp_path / "out", "--vary",
                               "policy=balanced|uniform,uniform|balanced", "--json")  # fmt: skip
    found = json.loads(printed)
    assert code == 0
    assert found["rate"] == "Wins of seat 0"
    assert [row["value"] > 0.5 for row in found["variants"] if row["figure"] == "Wins of seat 0"] == [True, False]


def test_bad_input_is_one_sentence_and_exit_code_2(played):
    call, _ = played
    code, _, errors = call("--vary", "bag.xenos=0,8")
    assert code == 2
    assert errors.startswith('nfsim: --vary bag.xenos: unknown factor "bag.xenos"')
