"""Campaigns of solo games: their chance by dynamic programming and by playing them out, the Gauntlet, the table."""

import itertools
import json
import math
import xml.etree.ElementTree as ET
from contextlib import nullcontext

import numpy as np
import polars as pl
import pytest

import nfsim
import nfsim.cli
from nfsim.compiled.jit import int64
from nfsim.games.new_frontiers.codes import ChipUse
from nfsim.games.new_frontiers.ruleset import RULE_SET
from nfsim.games.new_frontiers.solo import claim
from nfsim.run.options import Options
from nfsim.run.progress import Stopped, Watch
from nfsim.run.sample import sample
from nfsim.studies.campaign.numbers import campaign_numbers
from nfsim.studies.campaign.plan import chances, make_plan, positions_of
from nfsim.studies.campaign.replay import campaign_game
from nfsim.studies.campaign.trials import Asked, make_trials, play_trial
from nfsim.studies.campaign.values import (
    NOTHING,
    Outcomes,
    best_claims,
    evaluate,
    interval,
    positions,
    resampled,
    solve,
    worth_of,
)

MET, VP, COUNT, MISSED = map(int, ChipUse)


def conditions(*changes):
    """A setting that gives conditions, as (campaign, name, VPs), other VPs and no other requirement."""
    patches = ", ".join(
        f'{{do="change", kind="condition", name="{name}", campaign={campaign}, '
        f'set={{short_vp={vp}, short_requires=""}}}}'
        for campaign, name, vp in changes
    )
    return [f"patch=[{patches}]"]


EASY = conditions((1, "Great Victory", 44), (1, "Colonizer", 38), (1, "Builder", 34), (1, "Satisfied Populace", 30))
"""Campaign 1 with conditions that `balanced` meets more or less often."""


def trial(policy="balanced", settings=EASY, *, chip=True, gauntlet=False, campaigns=(1,), rounds=10):
    chosen = RULE_SET.campaigns if gauntlet else [RULE_SET.campaigns[number - 1] for number in campaigns]
    lengths = [length for length in RULE_SET.lengths if length.rounds == rounds]
    (found,) = make_trials(Asked(RULE_SET, chosen, lengths, policy, settings, chip, gauntlet))
    return found


def play(found, out, *, runs=300, sampled=1000, seed=1, jobs=None, watch=None):
    play_trial(found, out, runs, sampled, Options(seed, jobs, watching=lambda *_: nullcontext(watch or Watch())))
    return nfsim.load(out)


def sampler(found):
    def play_games(prepared, policy, root, games):
        return sample(found.scenario.rule_set, prepared, [policy], root=root, games=games,
                      tables=("games", "objectives"))  # fmt: skip

    return play_games


@pytest.fixture(scope="module")
def easy(tmp_path_factory):
    found = trial()
    return found, play(found, tmp_path_factory.mktemp("easy") / "run", runs=2000, sampled=8000)


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planned")
    file = folder / "hasty.toml"
    file.write_text('kind = "planner"\nplan = "few rollouts"\n[thinking]\nplans = true\nplan_rollouts = 4\n')
    found = trial(str(file), [])
    return found, play(found, folder / "run", runs=100, sampled=60)


@pytest.fixture
def command(capsys):
    """Run the command in this process; return exit code, standard output and standard error."""

    def call(*arguments):
        nfsim.cli.console._console.cache_clear()
        code = nfsim.cli.main(["campaign", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


# --- dynamic programming


def some_outcomes(conditions, games, seed, last=False):
    rng = np.random.default_rng(seed)
    everywhere = positions(conditions, True)
    return {position: Outcomes.of(rng.integers(0, 4, (games, conditions)), chip_last=last) for position in everywhere}


def allowed(use, chip):
    return use == MET or (use != MISSED and chip)


def ways(mask, chip, uses, last=False):
    """Conditions that a game can claim; with `last` the chip counts only where no open one is met."""
    found = [c for c in range(len(uses)) if mask >> c & 1 and allowed(uses[c], chip)]
    met = [c for c in found if uses[c] == MET]
    return met if last and met else found


def after(mask, chip, condition, use):
    return mask ^ 1 << condition, chip if use == MET else 0


def test_one_condition_met_in_three_of_four_games_is_won_in_three_of_four() -> None:
    samples = {(1, 0): Outcomes.of(np.array([[MET], [MET], [MET], [COUNT]]))}
    assert solve(samples, np.ones(2))[1, 0] == 0.75


def test_the_chip_mends_one_near_miss_of_a_whole_campaign() -> None:
    each = Outcomes.of(np.array([[MET, MET], [VP, MISSED]]))
    samples = dict.fromkeys(positions(2, True), each)
    values = solve(samples, np.ones(2))
    # one condition open: the first is met or mended always with the chip, else half the time; the second half the time
    assert (values[1, 1], values[1, 0], values[2, 1], values[2, 0]) == (1, 0.5, 0.5, 0.5)
    # both open: half the games meet both, and claim the second one first; half lose the chip for the first one
    assert values[3, 1] == 0.5 * 1 + 0.5 * 0.5


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_no_claim_policy_is_better_than_the_one_found(seed: int, last: bool) -> None:
    """All ways to claim, tried one by one; R32."""
    samples = some_outcomes(2, 3, seed, last)
    values = solve(samples, np.ones(2))
    places = [(position, kind) for position, each in samples.items() for kind in range(len(each.uses))]
    choices = []
    for (mask, chip), kind in places:
        uses = samples[mask, chip].uses[kind]
        choices.append(ways(mask, chip, uses, last) or [None])

    def chance(policy, mask, chip):
        if mask == 0:
            return 1.0
        each = samples[mask, chip]
        total = 0.0
        for kind, count in enumerate(each.counts):
            chosen = policy[(mask, chip), kind]
            if chosen is not None:
                total += count * chance(policy, *after(mask, chip, chosen, each.uses[kind, chosen]))
        return total / each.n

    best = max(chance(dict(zip(places, policy, strict=True)), 3, 1) for policy in itertools.product(*choices))
    assert values[3, 1] == pytest.approx(best)


@pytest.mark.parametrize("conditions", [1, 3, 4])
def test_values_are_those_of_a_plain_recursion_over_single_games(conditions: int) -> None:
    samples = some_outcomes(conditions, 12, conditions)

    def chance(mask, chip):
        if mask == 0:
            return (0.2, 0.9)[chip]
        total = 0.0
        for uses, count in zip(samples[mask, chip].uses, samples[mask, chip].counts, strict=True):
            total += count * max((chance(*after(mask, chip, c, uses[c])) for c in ways(mask, chip, uses)), default=0.0)
        return total / samples[mask, chip].n

    values = solve(samples, np.array([0.2, 0.9]))
    everything = (1 << conditions) - 1
    assert values[everything, 1] == pytest.approx(chance(everything, 1))


def test_the_best_claims_evaluated_on_their_own_sample_have_the_values_found() -> None:
    samples = some_outcomes(3, 40, 5)
    values = solve(samples, np.ones(2))
    worth = np.zeros((8, 2, 3, 2))
    for position in samples:
        worth[position] = worth_of(values, position)
    assert evaluate(samples, worth, np.ones((1, 2)))[0] == pytest.approx(values)


def test_of_equal_claims_the_first_is_made_and_none_without_worth() -> None:
    uses = np.array([[MET, MET], [MISSED, MET], [VP, MISSED], [MISSED, MISSED]])
    condition, spent = best_claims(uses, np.array([[1.0, 0.0], [1.0, 0.0]]))
    assert condition.tolist() == [0, 1, NOTHING, NOTHING]
    assert spent.tolist() == [0, 0, 0, 0]


def test_the_chip_is_spent_only_where_no_open_condition_is_met() -> None:
    """R32: the first is worth most with the chip; the second counts as met only while it is open."""
    uses = np.array([[VP, MET], [VP, MISSED]])
    worth = np.array([[1.0, 0.9], [0.5, 0.4]])
    assert [each.tolist() for each in best_claims(uses, worth)] == [[0, 0], [1, 1]]
    assert [each.tolist() for each in best_claims(uses, worth, chip_last=True)] == [[1, 0], [0, 1]]
    worth[1] = 0.0
    assert [each.tolist() for each in best_claims(uses, worth, chip_last=True)] == [[0, 0], [1, 1]]


def one_condition(met: int, games: int) -> tuple[float, float]:
    """The interval of the chance of a single condition."""
    samples = {(1, 0): Outcomes.of(np.repeat([[MET], [MISSED]], [met, games - met], axis=0))}
    found = []
    for extreme in (ChipUse.MISSED, ChipUse.NONE):
        drawn, weights = resampled(samples, extreme, 4000, 1)
        found.append(evaluate(drawn, np.ones((2, 2, 1, 2)), np.ones((4000, 2)), weights)[:, 1, 0])
    return interval(*found, met / games)


@pytest.mark.parametrize(("met", "games"), [(0, 50), (50, 50), (1, 400), (120, 400)])
def test_the_interval_of_one_condition_is_clopper_and_pearsons(met: int, games: int) -> None:
    def at_least(k: int, chance: float) -> float:
        """Chance that k games or more of all meet it."""
        return sum(math.comb(games, i) * chance**i * (1 - chance) ** (games - i) for i in range(k, games + 1))

    low, high = one_condition(met, games)
    # by its definition: at either bound what was seen is one of the 2.5 % most extreme results on that side
    if met:
        assert at_least(met, low) == pytest.approx(0.025, abs=0.006)
    if met < games:
        assert 1 - at_least(met + 1, high) == pytest.approx(0.025, abs=0.006)
    assert low <= met / games <= high


def covered(chance: tuple[float, ...], games: int, *, shared: bool, times: int = 150) -> float:
    """How often the interval holds the chance of a campaign whose conditions are met independently of each other.

    Each has the same games in all positions (a policy that does not plan) or its own.
    """
    kinds = np.array(list(itertools.product([MET, MISSED], repeat=len(chance))))
    truth = Outcomes(kinds, np.where(kinds == MET, chance, 1 - np.array(chance)).prod(axis=1))
    everywhere = positions(len(chance), False)
    values = solve(dict.fromkeys(everywhere, truth), np.ones(2))
    worth = np.zeros((len(values), 2, len(chance), 2))
    for position in everywhere:
        worth[position] = worth_of(values, position)
    rng = np.random.default_rng(7)
    held = 0
    for i in range(times):
        drawn = [Outcomes.of(np.repeat(kinds, rng.multinomial(games, truth.counts), axis=0)) for _ in everywhere]
        samples = {place: drawn[0 if shared else j] for j, place in enumerate(everywhere)}
        bounds = []
        for extreme in (ChipUse.MISSED, ChipUse.NONE):
            added, weights = resampled(samples, extreme, 400, i)
            bounds.append(evaluate(added, worth, np.ones((400, 2)), weights)[:, -1, 0])
        low, high = interval(*bounds, evaluate(samples, worth, np.ones((1, 2)))[0, -1, 0])
        held += low <= values[-1, 0] <= high
    return held / times


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize(
    ("chance", "games"),
    [
        pytest.param((0.9, 0.8, 0.9, 0.003), 1000, marks=pytest.mark.soak),  # one that some samples never meet
        ((0.02, 0.02, 0.02, 0.02), 100),  # all of them
        pytest.param((0.3, 0.3, 0.3, 0.3), 100, marks=pytest.mark.soak),
        pytest.param((0.99, 0.99, 0.99, 0.98), 100, marks=pytest.mark.soak),  # some samples always meet something
    ],
)
def test_the_interval_of_a_campaign_holds_its_chance_as_often_as_it_says(
    chance: tuple[float, ...], games: int, shared: bool
) -> None:
    # 150 campaigns: of 95 %, fewer than 91 % would be seen once in a hundred times
    assert covered(chance, games, shared=shared) >= 0.91


# --- played out


def agree(run) -> None:
    """The chance played and the one computed lie within each other's reach."""
    found = campaign_numbers(run)
    played, computed = found["played"], found["computed"]
    assert 0.02 < played["rate"] < 0.98  # otherwise nothing is compared
    assert played["low"] <= computed["high"]
    assert computed["low"] <= played["high"]


def test_playing_out_and_computing_agree(easy) -> None:
    agree(easy[1])


@pytest.mark.soak
def test_they_agree_for_a_policy_that_plays_by_what_claims_are_worth(planned) -> None:
    agree(planned[1])


def test_the_rows_say_what_a_campaign_is(easy) -> None:
    """000 p. 2-3: another condition each game, lost by a game without a claim, the chip once."""
    table = easy[1].campaigns.collect()
    assert table.columns == ["campaign_run", "campaign", "game_in_run", "game", "target", "claimed", "chip_used", "won"]
    assert (table["game"] == 4 * table["campaign_run"] + table["game_in_run"]).all()
    by_run = table.group_by("campaign_run", maintain_order=True).agg(
        pl.len().alias("games"), pl.col("claimed").drop_nulls().n_unique().alias("different"),
        pl.col("claimed").is_null().sum().alias("without"), pl.col("claimed").last().is_null().alias("ends_without"),
        (pl.col("chip_used") != "none").sum().alias("spent"), pl.col("won").n_unique().alias("says"),
        pl.col("won").first(),
    )  # fmt: skip
    assert by_run.height == 2000
    assert (by_run["different"] + by_run["without"] == by_run["games"]).all()
    assert (by_run["won"] == (by_run["different"] == 4)).all()
    assert (by_run["ends_without"] == ~by_run["won"]).all()
    assert set(by_run["without"]) == {0, 1}
    assert set(by_run["spent"]) == {0, 1}
    assert set(by_run["says"]) == {1}
    assert table["target"].is_null().all()


def test_without_so_close_no_chip_is_spent(tmp_path) -> None:
    table = play(trial(chip=False), tmp_path / "run").campaigns.collect()
    assert set(table["chip_used"]) == {"none"}


def test_a_policy_that_plans_aims_at_open_conditions(planned) -> None:
    table = planned[1].campaigns.collect()
    assert table["target"].is_not_null().all()
    both = table.with_columns(pl.col("target").cast(pl.String), pl.col("claimed").cast(pl.String))
    for _, run in both.group_by("campaign_run"):
        for place in range(1, run.height):
            assert run["target"][place] not in run["claimed"][:place].to_list()


@pytest.mark.parametrize("which", ["easy", "planned"])
def test_any_game_can_be_replayed(which: str, request) -> None:
    """From the folder alone; the claim logged is the best one that the game's end allows."""
    run = request.getfixturevalue(which)[1]
    for number in (0, 1, 2, 3, 8):
        if run.campaigns.filter(pl.col("game") == number).collect().is_empty():
            continue
        found = campaign_game(run, number)
        game, names = found.game, found.game.prepared.names.condition
        while not game.finished:
            game.choose(game.suggest())
        tables = game.prepared.tables[0]
        uses = np.array([[int(claim(tables, game.state, int64(0), int64(c))) for c in range(len(names))]])
        (best,), (spent,) = best_claims(uses, found.worth, chip_last=bool(tables.chip_last))
        assert found.row["claimed"] == (None if best == NOTHING else names[best])
        assert (found.row["chip_used"] != "none") == bool(spent)
        assert (found.worth > 0).sum() == len(found.open) * (1 + found.chip)


def test_replay_prints_where_the_campaign_stood_and_what_was_claimed(easy, capsys) -> None:
    run = easy[1]
    assert nfsim.cli.main(["replay", str(run.folder), "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Run 1, campaign 1, open: Great Victory, Colonizer, Builder, Satisfied Populace; with")
    assert lines[-1].startswith(("claimed: ", "no claim"))
    assert nfsim.cli.main(["replay", str(run.folder), "8000"]) == 2
    assert "no game 8000 was played" in capsys.readouterr().err


def test_report_says_that_a_folder_holds_campaigns(easy, capsys) -> None:
    assert nfsim.cli.main(["report", str(easy[1].folder)]) == 2
    assert "holds campaigns" in capsys.readouterr().err


def test_rows_do_not_depend_on_threads_and_a_stopped_run_goes_on(tmp_path) -> None:
    found = trial()

    class StopsSoon(Watch):
        done = 0

        def advanced(self, games):
            self.done += games
            if self.done >= 500:  # the sample and the first batch
                raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        play(found, tmp_path / "stopped", sampled=200, jobs=1, watch=StopsSoon())
    assert (stopped.value.exit_code, stopped.value.kept) == (130, 200)
    again = play(found, tmp_path / "stopped", sampled=200, jobs=2).campaigns.collect()
    assert again.equals(play(found, tmp_path / "whole", sampled=200, jobs=1).campaigns.collect())


# --- the Gauntlet


def test_the_gauntlet_is_chained_and_its_chip_is_one_for_all(tmp_path) -> None:
    found = trial(settings=[], gauntlet=True)
    plan = make_plan(found.series, found.rules, sampler(found), 1, 400)
    computed = chances(found.series, plan, 1, 50)

    def chance(number, mask, chip):
        """By the plan, over the outcomes it kept."""
        if mask == 0:
            return 1.0 if number == 5 else chance(number + 1, 15, chip)
        key = (number, mask, chip)
        if key not in known:
            each = plan.samples[number][mask, chip]
            total = 0.0
            for uses, count in zip(each.uses, each.counts, strict=True):
                gains = [(plan.worth[number][mask, chip, c, int(uses[c] != MET)], -c)
                         for c in ways(mask, chip, uses, each.chip_last)]  # fmt: skip
                if gains:
                    c = -max(gains)[1]
                    total += count * chance(number, *after(mask, chip, c, uses[c]))
            known[key] = total / each.n
        return known[key]

    known: dict[tuple[int, int, int], float] = {}
    for number in range(6):
        for mask, chip in positions_of(found.series, number):
            assert computed.values[number][mask, chip] == pytest.approx(chance(number, mask, chip), abs=1e-15)
    table = play(found, tmp_path / "run", sampled=400).campaigns.collect()
    assert (table["game"] == 24 * table["campaign_run"] + table["game_in_run"]).all()
    spent = table.group_by("campaign_run").agg((pl.col("chip_used") != "none").sum())
    assert spent["chip_used"].max() == 1


def test_in_the_gauntlet_each_campaign_begins_where_the_last_was_won(tmp_path) -> None:
    """With conditions that are always met: six campaigns of four games."""
    names = [(c, name) for c, one in enumerate(trial(settings=[], gauntlet=True).series.objectives, 1)
             for name in one]  # fmt: skip
    run = play(
        trial(settings=conditions(*((c, name, 0) for c, name in names)), gauntlet=True),
        tmp_path / "run",
        runs=3,
        sampled=10,
    )
    table = run.campaigns.collect()
    assert table["campaign"].to_list() == [c for c, _ in names] * 3
    assert table["claimed"].cast(pl.String).to_list() == [name for _, name in names] * 3
    assert table["won"].all()


# --- the command


def strict(text):
    """Read JSON that has no NaN in it."""

    def refuse(word):
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["0"], "campaign"), (["7"], "campaign"), (["one"], "campaign"), ([], "missing"), (["1,9"], "campaign"),
        (["1", "--rounds", "11"], "--rounds"), (["1", "--policy", "plannner"], "planner"),
        (["1", "--policy", "math:sqrt"], "names and files"),
        (["1", "--campaigns", "0"], "--campaigns"), (["1", "--sample", "1"], "--sample"),
        (["1", "--seed", "-1"], "--seed"), (["1", "--set", "setup.campaign=2"], "--rounds"),
        (["1", "--set", "setup.rounds=12"], "--rounds"), (["1", "--set", "setup.players=2"], "players"),
        (["1", "--set", "policy=uniform"], "--policy"), (["1", "--set", "games=3"], "--campaigns"),
        (["2", "--gauntlet"], "all campaigns are in it"), (["1", "--set", "rules.nonsense=1"], "nonsense"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence_and_exit_code_2(command, arguments, named) -> None:
    code, out, err = command(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert named in err


def test_the_command_prints_both_chances_and_json_holds_the_table_of_positions(command, tmp_path) -> None:
    options = ["1", "--policy", "balanced", "--campaigns", 50, "--sample", 100, "--so-close", "--out", tmp_path / "run"]
    code, out, _ = command(*options)
    assert code == 0
    for text in ("by playing out", "computed", "50 campaigns", "seed 1", "Rulings:", "Reconstructed"):
        assert text in out
    code, out, _ = command(*options, "--json")
    (found,) = strict(out)["trials"]
    assert code == 0
    assert found["played"]["n"] == 50
    assert found["computed"]["n"] == 50
    assert len(found["positions"]) == 29  # 15 masks with the chip, 14 without: it is there at the start
    assert len(found["positions"][0]["open"]) == 4
    (alone,) = found["computed_by_campaign"]
    assert [alone[key] for key in ("chance", "low", "high")] == [found["positions"][0][key]
                                                                for key in ("chance", "low", "high")]  # fmt: skip
    claimed = sum(each["claimed"] for each in found["objectives"])
    assert claimed + sum(found["lost_in_game"].values()) == nfsim.load(tmp_path / "run").campaigns.collect().height


def test_the_gauntlet_prints_every_campaign_and_the_share_of_all_conditions(command) -> None:
    code, out, _ = command("--gauntlet", "--policy", "balanced", "--campaigns", 5, "--sample", 20)
    assert code == 0
    assert "of 24 conditions" in out
    lines = out[out.index("Each campaign by itself") :].splitlines()[2:8]
    assert [line.split()[0] for line in lines] == list("123456")


def test_without_out_nothing_is_written(command, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert command("3", "--policy", "balanced", "--campaigns", 5, "--sample", 20)[0] == 0
    assert list(tmp_path.iterdir()) == []


def test_a_policy_tuned_on_other_tiles_is_noted(command, tmp_path) -> None:
    file = tmp_path / "theirs.toml"
    file.write_text('kind = "weights"\nplan = "x"\n[provenance]\ntile_hash = "another"\ntiles = "theirs"\n')
    code, _, err = command("3", "--policy", file, "--campaigns", 5, "--sample", 20)
    assert (code, "theirs was tuned on other tiles (theirs)" in err) == (0, True)


def test_several_campaigns_have_a_folder_each_and_a_chart(command, tmp_path) -> None:
    options = ["--policy", "balanced", "--campaigns", 20, "--sample", 40, "--out", tmp_path]
    assert command("1,2", "--rounds", "10,12", *options)[0] == 0
    folders = {f"campaign{c}_{length}" for c in (1, 2) for length in ("short", "long")}
    assert {entry.name for entry in tmp_path.iterdir() if entry.is_dir()} == folders
    assert all(nfsim.load(tmp_path / name).manifest["games"] == 20 for name in folders)
    assert pl.read_csv(tmp_path / "campaigns.csv")["n"].to_list() == [20] * 4
    assert "campaign" in "".join(ET.parse(tmp_path / "campaigns.svg").getroot().itertext()).lower()
    assert (tmp_path / "campaigns.png").read_bytes().startswith(b"\x89PNG")
    assert len(strict((tmp_path / "campaigns.json").read_text())) == 4


def test_schema_knows_the_table(capsys) -> None:
    nfsim.cli.console._console.cache_clear()
    assert nfsim.cli.main(["schema", "campaigns"]) == 0
    assert "chip_used" in capsys.readouterr().out
