"""How hard conditions are: what misses lack, what can be told apart, aimed runs, and the command end to end."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic_runs import read, solo_run, write_manifest

import nfsim
import nfsim.cli
from nfsim.contract.objectives import Objective
from nfsim.contract.rule_set import load_rule_set
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.games.new_frontiers.ruleset import RULE_SET
from nfsim.report.parts import misses
from nfsim.report.parts.misses import BOTH, REST_ONLY, SCORE_ONLY
from nfsim.report.source import Source
from nfsim.report.source import read as read_source
from nfsim.run.execute import run
from nfsim.run.options import Options
from nfsim.run.progress import Watch
from nfsim.run.provenance import run_identity
from nfsim.run.replay import transcript
from nfsim.run.scenario import read_scenario, scenario_from
from nfsim.studies.campaign.plan import chances, make_plan, positions_of
from nfsim.studies.campaign.trials import Asked as AskedCampaigns
from nfsim.studies.campaign.trials import Sampler, make_trials
from nfsim.studies.difficulty import numbers, page
from nfsim.studies.difficulty.chances import SCHEMA, campaign_chances
from nfsim.studies.difficulty.variants import PLANNER_GAMES, SEARCH_GAMES, Asked, player_variants
from nfsim.studies.ladder.games import check_ladder, play_ladder

WORDS = load_rule_set("new_frontiers").words
GREAT, BUILDER = Objective("Great", 50, ""), Objective("Builder", 40, "2 nine_cost")


def source(rows, conditions=(GREAT, BUILDER), label="10 rounds"):
    """A run of games given as (game, condition, met, margin, rest met)."""
    columns = ["game", "objective", "met", "margin", "requires_met"]
    table = pl.DataFrame(rows, schema=columns, orient="row").with_columns(pl.col("objective").cast(pl.Categorical))
    games = table["game"].unique().to_list()
    seats = pl.DataFrame({"game": games, "score": [40 + game for game in games], "won": [False] * len(games)})
    return Source(
        Path("run"), {}, {"objectives": table.lazy(), "seats": seats.lazy()}, len(games), 1, label, conditions
    )


MISSES = source([
    (0, "Builder", True, 3, True),
    (1, "Builder", False, -2, True),  # near
    (2, "Builder", False, -3, True),  # near
    (3, "Builder", False, -7, True),
    (4, "Builder", False, -1, False),  # the chip mends one thing, not two
    (5, "Builder", False, 4, False),
    (0, "Great", False, -10, True),
])  # fmt: skip


def test_misses_are_divided_by_what_they_lack():
    found = misses.halves(MISSES.tables, "Builder")
    assert dict(found.select("half", "k").rows()) == {SCORE_ONLY: 3, BOTH: 1, REST_ONLY: 1}
    assert found["n"].unique().to_list() == [5]
    assert dict(found.select("half", "share").rows())[SCORE_ONLY] == pytest.approx(3 / 6)
    assert dict(found.select("half", "rate").rows())[SCORE_ONLY] == pytest.approx(3 / 5)


def test_the_shortfall_is_that_of_misses_that_lack_vps():
    found = misses.shortfalls(MISSES.tables, 3, "Builder").row(0, named=True)
    assert (found["n"], found["misses"]) == (4, 5)
    assert found["median"] == np.median([2, 3, 7, 1])
    assert found["low"] <= found["median"] <= found["high"]


def test_near_misses_lack_three_vps_at_most_and_nothing_else():
    found = misses.shortfalls(MISSES.tables, 3, "Builder").row(0, named=True)
    assert (found["near"], found["near_rate"]) == (2, pytest.approx(2 / 5))


def test_a_condition_that_asks_for_vps_only_has_no_shares():
    (table,) = misses.part([MISSES]).tables
    great = next(row for row in table.rows if row[0] == "Great")
    place = table.head.index("Only VPs")
    assert great[place : place + 3] == ["all", "–", "–"]


def test_a_condition_without_a_threshold_is_missed_by_the_rest_alone():
    assert misses.asked([Objective("Rebel", 0, "4 rebel")]) == {"Rebel": (REST_ONLY,)}
    played = source([(0, "Rebel", False, 31, False), (1, "Rebel", True, 20, True)], (Objective("Rebel", 0, "4 rebel"),))
    part = misses.part([played])
    (row,) = part.tables[0].rows
    assert row[1:7] == ["1", "2", "–", "all", "–", "–"]


def test_where_nothing_is_missed_there_is_nothing_to_draw_of_shortfalls():
    part = misses.part([source([(0, "Great", True, 3, True)], (GREAT,))])
    assert [picture.name for picture in part.pictures] == ["misses_halves"]
    assert part.tables[0].rows[0][1] == "0"


def test_a_log_that_does_not_say_what_misses_lack_gives_no_part(tmp_path):
    folder = solo_run(tmp_path / "old", 20)
    for file in (folder / "objectives").glob("*.parquet"):
        pl.read_parquet(file).drop("requires_met", strict=False).write_parquet(file)
    about = json.loads((folder / "manifest.json").read_text())
    about["tables"]["objectives"]["columns"].pop("requires_met", None)
    write_manifest(folder, about)
    assert misses.part([read_source(folder)]).empty


def variants(met, campaign="1", player="balanced"):
    """Two conditions of one player: for each game whether Great and Builder were met."""
    rows = [
        (game, name, bool(one), 0, True)
        for game, both in met
        for name, one in zip(("Great", "Builder"), both, strict=True)
    ]
    return [numbers.Variant(campaign, 10, player, "", source(rows))]


def test_conditions_are_compared_game_by_game():
    (row,) = numbers.comparisons(variants([(0, (1, 0)), (1, (1, 1)), (2, (0, 0)), (3, (1, 0))])).to_dicts()
    assert (row["n"], row["rate"], row["other_rate"], row["difference"]) == (4, 0.75, 0.25, 0.5)


def test_aimed_games_are_paired_by_their_number_whatever_their_order():
    great = [(game, "Great", game < 6, 0, True) for game in range(10)]
    builder = [(game, "Builder", game < 3, 0, True) for game in reversed(range(10))]
    found = numbers.comparisons([
        numbers.Variant("1", 10, "planner", "Great", source(great)),
        numbers.Variant("1", 10, "planner", "Builder", source(builder)),
    ])  # fmt: skip
    (row,) = found.to_dicts()
    assert row["p"] == pytest.approx(0.125)  # 3 games of 3 one way: mid-p of 2 · 1/8 - 1/8


def test_p_values_are_adjusted_within_a_campaign():
    met = [(game, (game < 9, game < 2)) for game in range(10)]
    one = numbers.comparisons(variants(met))
    both = numbers.comparisons(
        [*variants(met), *variants(met, campaign="2"), *variants(met, campaign="2", player="tuned")]
    )
    assert both.filter(campaign="1")["p_adjusted"].to_list() == one["p_adjusted"].to_list()


def said(met, *more, games=numbers.AIMED):
    played = [*variants(met), *more]
    rates = numbers.rates(played).with_columns(pl.lit(games).alias("games"))
    return page.overall(rates, numbers.comparisons(played), WORDS)


def test_what_a_player_that_does_not_aim_happens_to_like_is_no_difficulty():
    assert said([(game, (1, game < 10)) for game in range(100)], games=numbers.PLAYED) == []


def test_a_condition_is_called_the_easiest_where_the_games_support_it():
    assert said([(game, (1, game < 10)) for game in range(100)]) == [
        "Easiest with 10 rounds: Great for balanced.",
        "Hardest with 10 rounds: Builder for balanced.",
    ]


def test_conditions_without_a_difference_are_said_to_have_none():
    sentences = said([(game, (game < 51, game > 49)) for game in range(100)])
    assert sentences == ["With 10 rounds the games of balanced show no difference between the conditions."]


def test_players_that_do_not_agree_are_named_each():
    found = said(
        [(game, (1, game < 10)) for game in range(100)],
        *variants([(game, (game < 10, 1)) for game in range(100)], player="tuned"),
    )
    assert found[0] == "Easiest with 10 rounds: Great for balanced; Builder for tuned."


def test_the_page_begins_with_a_small_table_for_each_length_and_ends_with_the_long_ones(played):
    text = (played[0] / "report.md").read_text()
    order = [
        "10 rounds: games that met it", "12 rounds: games that met it", "Rates by condition and player",
        "Easiest and hardest", "What misses lack", "All numbers", "Rates and VPs", "Conditions compared",
    ]  # fmt: skip
    places = [text.index(title) for title in order]
    assert places == sorted(places)
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert len(headings) == len(set(headings))


def test_the_chances_of_a_campaign_are_a_row_for_each_player():
    rows = [(1, rounds, player, chip, 100, 0.5, 0.4, 0.6) for player in ("balanced", "planner")
            for rounds in (10, 12) for chip in (False, True)]  # fmt: skip
    heads, cells = page.campaign_cells(pl.DataFrame(rows, schema=SCHEMA, orient="row"), METRICS)
    assert heads[:2] == ["10 rounds, without So Close", "10 rounds, with So Close"]
    assert [(row[0], len(row)) for row in cells] == [("balanced", 5), ("planner", 5)]
    assert cells[0][1] == "50.0 % (40.0–60.0), n = 100"


def test_the_median_of_vps_is_that_of_the_games_behind_the_rate():
    found = numbers.rates(variants([(game, (1, 0)) for game in range(5)]))
    assert found["score"].to_list() == [42.0] * 3  # Great, Builder, any condition


# --- aimed scenarios


def aimed(games=20, condition="Builder", **changes):
    return read_scenario("solo_campaign1_short", [], {"policy": "planner", "games": games, "aim": condition, **changes})


def test_an_aimed_run_is_labelled_and_kept_as_what_it_is(tmp_path):
    scenario = aimed()
    result = run(scenario, tmp_path / "run", seed=3, level="games")
    assert result.manifest["policies"] == ["planner@Builder"]
    again = scenario_from(result.manifest["scenario"], "manifest.json", "again")
    assert run_identity(again, 3, "games") == run_identity(scenario, 3, "games")
    other = aimed(condition="Colonizer")
    assert run_identity(other, 3, "games") != run_identity(scenario, 3, "games")


def test_an_aimed_game_is_replayed_as_it_was_played(tmp_path):
    run(aimed(), tmp_path / "run", seed=3, level="games")
    logged = nfsim.load(tmp_path / "run").objectives.filter(pl.col("game") == 7).collect()
    warnings, lines = transcript(tmp_path / "run", 7)
    text = "\n".join(lines)
    assert warnings == []
    for name, met in logged.select(pl.col("objective").cast(pl.String), "met").rows():
        assert f"condition {name} {'' if met else 'not '}met" in text


@pytest.mark.parametrize(
    ("name", "changes", "words"),
    [
        ("solo_campaign1_short", {"aim": "Bilder"}, 'did you mean "Builder"'),
        ("solo_campaign1_short", {"aim": "Builder", "policy": "balanced"}, "balanced cannot aim"),
        ("rift_2p", {"aim": "Builder"}, "has no conditions to aim at"),
    ],
)
def test_an_aim_that_is_none_is_refused(name, changes, words):
    with pytest.raises(BadInput, match=words):
        read_scenario(name, [], {"policy": "planner", **changes})


def test_a_ladder_refuses_an_aim_of_its_own():
    with pytest.raises(BadInput, match="changes nothing in a ladder"):
        check_ladder(aimed(), ["uniform", "planner"])


# --- the command


@pytest.fixture
def command(capsys):
    """Run the command in this process; return exit code, standard output and standard error."""

    def call(*arguments):
        nfsim.cli.console._console.cache_clear()
        code = nfsim.cli.main(["difficulty", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder of a small study of both lengths, and what it printed as JSON."""
    import contextlib
    import io

    out = tmp_path_factory.mktemp("study")
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = nfsim.cli.main([
            "difficulty", "--games", "30", "--policies", "balanced,tuned,planner", "--no-campaigns", "--seed", "5",
            "--out", str(out), "--json",
        ])  # fmt: skip
    assert code == 0
    return out, json.loads(text.getvalue())


def test_objectives_that_ask_for_the_same_are_one_line_and_another_reading_is_a_further_one(played):
    rates = [row for row in played[1]["rates"] if (row["rounds"], row["player"]) == (10, "planner")]
    names = [row["objective"] for row in rates]
    guess = "Satisfied Populace with 12 VP chips (our guess)"
    assert names == ["Great Victory", "Colonizer and Satisfied Populace", "Builder", guess, "Any condition"]
    assert guess not in " ".join(played[1]["answer"])


def test_aimed_rates_are_those_of_a_ladder_on_the_same_deals(played):
    scenario = read_scenario("solo_campaign1_short", overrides={"games": 30})
    ladder = play_ladder(scenario, check_ladder(scenario, ["balanced", "planner"]), 5)
    names = scenario.rule_set.labels(scenario.prepared, "objective")
    expected = {
        (player, name): int(ladder.met(place, i).sum())
        for place, player in enumerate(("balanced", "planner"))
        for i, name in enumerate(names)
    }
    # as printed, Colonizer and Satisfied Populace ask for the same: one line with both names
    rates = [
        row for row in played[1]["rates"] if row["rounds"] == 10 and set(row["objective"].split(" and ")) <= set(names)
    ]
    found = {
        (row["player"], name): row["k"]
        for row in rates
        for name in row["objective"].split(" and ")
        if row["player"] != "tuned"
    }
    assert found == expected
    assert {row["games"] for row in rates if row["player"] == "planner"} == {"aimed"}


def test_tuned_is_one_player_with_the_weights_of_each_length(played):
    folders = {rounds: played[0] / "runs" / f"Campaign_1-{rounds}_rounds-tuned" for rounds in (10, 12)}
    policies = {
        rounds: json.loads((folder / "manifest.json").read_text())["policies"] for rounds, folder in folders.items()
    }
    assert policies == {10: ["tuned_solo_short"], 12: ["tuned_solo_long"]}


def test_the_page_answers_its_questions_and_has_its_numbers_as_csv(played):
    out, found = played
    page = read(out / "report.html")
    for title in ("How hard is each condition", "What misses lack", "Conditions compared"):
        assert title in page
    assert "The campaign</h" not in page
    written = pl.read_csv(out / "data" / "difficulty.csv")
    assert written["k"].to_list() == [row["k"] for row in found["rates"]]


def test_a_second_call_plays_nothing_writes_the_same_page_and_its_table_says_who_was_aimed_and_n(played, command):
    out, _ = played
    before = (out / "report.html").read_bytes()
    arguments = ("--games", 30, "--policies", "balanced,tuned,planner", "--no-campaigns", "--seed", 5, "--out", out)
    code, text, _ = command(*arguments)
    assert code == 0
    assert (out / "report.html").read_bytes() == before
    assert "planner (aimed, n = 30)" in text
    assert "Any condition, as played" in text
    assert text.index("Tiles:") > text.index("12 rounds")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--campaign", "9"], '--campaign: there is no campaign "9"'),
        (["--rounds", "11"], "--rounds: must be 10"),
        (["--games", "0"], "--games: must be from 1"),
        (["--search", "0"], "--search: must be from 1"),
        (["--policies", "nobody"], '--policies: unknown policy "nobody"'),
        (["--policies", "balanced,balanced"], '"balanced" is named twice'),
        (["--set", "policy=uniform"], "--policies says that"),
        (["--set", "aim=Builder"], "aim at each objective anyway"),
        (["--set", "setup.rounds=12"], "changes who plays which campaign how long"),
    ],
)
def test_bad_options_end_in_a_sentence(command, tmp_path, arguments, words):
    code, _, error = command(*arguments, "--out", tmp_path / "out")
    assert code == 2
    assert words in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("policy", "aim", "games"),
    [
        ("balanced", False, 5000), ("planner", False, PLANNER_GAMES), ("planner", True, 5000),
        ("search_planner", True, SEARCH_GAMES), ("search", False, SEARCH_GAMES),
    ],
)  # fmt: skip
def test_slow_policies_have_an_n_of_their_own(policy, aim, games):
    scenario = read_scenario("solo_campaign1_short", [], {"policy": policy})
    assert Asked(RULE_SET, (), (), (), 5000).games_of(scenario, aimed=aim) == games


def test_search_says_how_many_games_a_search_plays():
    scenario = read_scenario("solo_campaign1_short", [], {"policy": "search_planner"})
    assert Asked(RULE_SET, (), (), (), 5000, 7).games_of(scenario, aimed=True) == 7


def test_a_campaign_with_and_without_the_chip_shares_games_and_changes_no_chance():
    campaign, length = RULE_SET.campaigns[0], RULE_SET.lengths[0]
    asked = Asked(RULE_SET, [campaign], [length], ["planner"], 3)
    found = campaign_chances(player_variants(asked, campaign, length, "planner")[0], asked, 3, Options(2, 1))
    for row in found.to_dicts():
        (trial,) = make_trials(AskedCampaigns(RULE_SET, [campaign], [length], "planner", chip=row["chip"]))
        sampler = Sampler(trial.scenario, 1, Watch())
        direct = chances(trial.series, make_plan(trial.series, trial.rules, sampler, 2, 3), 2)
        mask, chip = positions_of(trial.series, 0)[-1]
        assert (row["n"], row["rate"]) == (direct.n, direct.values[0][mask, chip])


@pytest.mark.usefixtures("undrawn")
def test_a_function_in_python_has_rates_but_no_chances(command, tmp_path):
    code, out, _ = command(
        "--games",
        4,
        "--rounds",
        10,
        "--policies",
        "balanced,examples.greedy:choose",
        "--out",
        tmp_path / "out",
        "--json",
    )
    found = json.loads(out)
    assert code == 0
    assert found["without_chances"] == ["examples.greedy:choose"]
    assert {row["player"] for row in found["campaigns"]} == {"balanced"}
    assert {row["player"] for row in found["rates"]} == {"balanced", "examples.greedy:choose"}
