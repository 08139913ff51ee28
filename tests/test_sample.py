"""Games played in memory: the same ones as in a run's folder, whatever plays them and in which pieces."""

import dataclasses
import threading
import time

import fake_rules
import numpy as np
import polars as pl
import pytest

import nfsim
from nfsim.errors import BadInput
from nfsim.run.execute import run
from nfsim.run.progress import Watch
from nfsim.run.sample import LARGEST, PIECES, SMALLEST, chunk_size, sample
from nfsim.run.scenario import read_scenario
from nfsim.run.worker_pool import PATIENCE, engine_batches

GAMES = 3 * PIECES * SMALLEST + 7


def dice(**rules):
    rule_set = dataclasses.replace(fake_rules.RULE_SET, **rules)
    return rule_set, fake_rules.prepare({"setup": {"rounds": 3, "seats": 2}}, "")


def roll(games=GAMES, **options):
    rule_set, prepared = dice()
    return sample(rule_set, prepared, ("roll", "throw"), root=5, games=games, **options)


def test_rows_are_those_of_a_run_with_the_same_seed(tmp_path):
    scenario = read_scenario("rift_2p", overrides={"games": 600, "policy": "balanced,uniform"})
    run(scenario, tmp_path / "run", seed=3, jobs=1)
    written = nfsim.load(tmp_path / "run")
    names = ("seats", "rounds", "games")
    found = sample(scenario.rule_set, scenario.prepared, scenario.policies, root=3, games=600, tables=names, jobs=2)
    assert tuple(found) == names
    for name in names:
        columns = [c for c, kind in written[name].collect_schema().items() if kind.is_integer() or kind == pl.Boolean]
        expected = written[name].select(pl.col(columns).cast(pl.Int64)).collect()
        assert expected.equals(pl.DataFrame({column: found[name][column] for column in columns})), name


def test_rows_are_plain_arrays_of_codes_in_the_order_of_the_games():
    seats = roll()["seats"]
    assert type(seats) is np.ndarray
    assert seats.dtype == next(table.dtype for table in fake_rules.TABLES if table.name == "seats")
    assert (seats["game"] == np.repeat(np.arange(GAMES), 2)).all()
    assert (seats["policy"] == np.tile([0, 1], GAMES)).all()


def test_the_number_of_threads_changes_no_row():
    assert (roll(jobs=1)["seats"] == roll(jobs=2)["seats"]).all()


def test_ranges_of_games_put_together_are_the_whole():
    cut = GAMES // 3 + 1
    parts = [roll(games=cut)["seats"], roll(games=range(cut, GAMES))["seats"]]
    assert (np.concatenate(parts) == roll()["seats"]).all()


def test_no_games_give_no_rows():
    found = roll(games=0, tables=("seats", "games"))
    assert {name: len(rows) for name, rows in found.items()} == {"seats": 0, "games": 0}


def test_every_game_is_told_of_once():
    class Told(Watch):
        games = 0

        def advanced(self, games):
            self.games += games

    told = Told()
    roll(jobs=2, watch=told)
    assert told.games == GAMES


def test_games_are_logged_no_finer_than_the_tables_wanted_need():
    levels = []

    def engine(prepared, policies, level):
        levels.append(level)
        return fake_rules.Engine(prepared, policies, level)

    rule_set, prepared = dice(engine=engine)
    for tables in (("seats",), ("seats", "rounds"), ("tiles", "games")):
        sample(rule_set, prepared, ("roll", "roll"), root=1, games=5, tables=tables, jobs=1)
    assert levels == ["games", "rounds", "tiles"]


def test_policies_reach_the_engine_untouched_and_a_thread_makes_one_engine():
    class Preset:
        """Anything that is no name."""

    policies, made = (Preset(), Preset()), []

    def engine(prepared, given, level):
        assert given is policies
        made.append(threading.get_ident())
        return fake_rules.Engine(prepared, given, level)

    rule_set, prepared = dice(engine=engine)
    sample(rule_set, prepared, policies, root=1, games=GAMES, jobs=2)
    assert len(made) == len(set(made)) <= 3  # two that play and the one that loads the rules


def test_ctrl_c_ends_the_games_that_other_threads_play():
    class Endless(fake_rules.Engine):
        def play(self, root, first, count):
            played.append(first)
            return super().play(root, first, min(count, 10))

    class Interrupts(Watch):
        def advanced(self, games):
            raise KeyboardInterrupt

    played = []
    rule_set, prepared = dice(engine=Endless)
    with pytest.raises(KeyboardInterrupt):
        sample(rule_set, prepared, ("roll", "roll"), root=1, games=LARGEST * PIECES, jobs=2, watch=Interrupts())
    time.sleep(0.1)  # what was being played at that moment
    kept = len(played)
    time.sleep(0.1)
    assert len(played) == kept < LARGEST * PIECES / 10 / 2


def test_few_games_are_cut_into_pieces_for_all_threads_and_many_into_pieces_that_soon_end():
    assert [chunk_size(games) for games in (1, 200, 4000, 10**6)] == [SMALLEST, SMALLEST, 100, LARGEST]


def test_an_unknown_table_is_named():
    with pytest.raises(BadInput, match=r'unknown table "seat".*did you mean "seats"'):
        roll(tables=("seat",))


@pytest.mark.parametrize("wrong", [{"games": range(-1, 5)}, {"games": -1}, {"jobs": 0}])
def test_impossible_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match="must be from 0 on"):
        roll(**{"games": 5, **wrong})


def test_an_engine_that_takes_long_is_asked_for_few_games_at_a_time():
    class Slow(fake_rules.Engine):
        def play(self, root, first, count):
            asked.append(count)
            time.sleep(0.01 * count)
            return super().play(root, first, count)

    asked = []
    list(engine_batches(Slow(dice()[1], ("roll", "roll"), "games"), 1, 0, 60))
    assert asked[0] == 1
    assert 1 < max(asked) <= PATIENCE / 0.01
