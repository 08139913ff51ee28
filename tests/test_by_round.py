"""VPs by round: the means of every round, and what the rounds add that only the longer game has."""

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal
from synthetic_runs import manifest, write_run

from nfsim.games.new_frontiers.metrics import METRICS
from nfsim.report.naming import labelled
from nfsim.report.parts import by_round as by_round_part
from nfsim.report.parts.by_round import BEHIND, LATE, LONGER, by_round, late_gains, logged
from nfsim.report.source import Source, read
from nfsim.stats.intervals import mean_interval
from nfsim.stats.paired import independent_means, paired_means

CONDITION = {"campaign": "1", "name": "Great Victory", "score": 40, "requires": ""}


def run(folder, scores, rounds, players=1, **changes):
    """Write a run from the chips that each player has after each round; developments give twice as many, no more.

    `scores` has a list for each game: of each round (as many as it lasted) a list of one number for each player.
    """
    rows, seats, games = [], [], []
    for game, by_seat in enumerate(scores):
        for number, chips in enumerate(by_seat, 1):
            for seat, value in enumerate(chips):
                parts = dict.fromkeys(METRICS.sources.values(), 0) | {
                    "vp_chips": value,
                    "vp_developments": 2 * value,
                    "score": 3 * value,
                }
                rows.append({"game": game, "round": number, "seat": seat, **parts})
        last = [row for row in rows if (row["game"], row["round"]) == (game, len(by_seat))]
        seats += [{key: value for key, value in row.items() if key != "round"} | {"policy": "balanced"} for row in last]
        games.append({"game": game, "rounds": len(by_seat), "end_reason": "round_limit", "status": "finished"})
    tables = {"games": pl.DataFrame(games), "seats": pl.DataFrame(seats), "rounds": pl.DataFrame(rows)}
    setup = {"players": players, "rounds": rounds, **({"campaign": 1} if players == 1 else {})}
    met = pl.DataFrame(seats).select(
        "game", campaign=1, objective=pl.lit("Great Victory"), met=pl.col("score") >= 40, requires_met=True,
        margin=pl.col("score") - 40,
    )  # fmt: skip
    listed = [CONDITION] if players == 1 else []
    about = {"scenario": {"title": "Made up", "setup": setup}, "objectives": listed, "games": len(scores), **changes}
    nobody = {"game": pl.Int64, "seat": pl.Int64, "goal": pl.String, "drawn_by": pl.Int64, "score": pl.Int64}
    tables |= {"goals": pl.DataFrame(schema=nobody), "objectives": met if players == 1 else met.clear()}
    write_run(folder, tables, manifest(**about))
    return folder


def solo(folder, totals, **changes):
    """Write a solo run from each game's chips by round."""
    return run(folder, [[[value] for value in game] for game in totals], max(map(len, totals)), **changes)


def random_games(games, rounds, seed):
    """Return chips that rise round by round."""
    return np.random.default_rng(seed).poisson(3, (games, rounds)).cumsum(axis=1).tolist()


def row(frame, **key):
    """Return the only row with these values."""
    (found,) = frame.filter(*(pl.col(name) == value for name, value in key.items())).to_dicts()
    return found


def test_the_mean_of_a_round_is_that_of_the_games_after_it(tmp_path):
    games = random_games(50, 10, 1)
    (source,) = labelled([read(solo(tmp_path / "run", games))])
    found = row(by_round(source), round=7, source="Developments")
    expected = mean_interval([2 * game[6] for game in games])
    assert (found["n"], found["mean"], found["low"], found["high"]) == pytest.approx(tuple(expected))


def test_a_game_that_has_ended_counts_on_with_its_final_position(tmp_path):
    (source,) = labelled([read(solo(tmp_path / "run", [[1, 2, 3], [4, 10], [0, 0, 9]]))])
    found = row(by_round(source), round=3, source="VP chips")
    assert (found["n"], found["going"]) == (3, 2)
    expected = mean_interval([3, 10, 9])
    assert (found["mean"], found["low"], found["high"]) == pytest.approx(expected[1:])


def test_with_several_players_a_game_counts_by_their_mean(tmp_path):
    scores = [[[1, 3], [2, 6]], [[5, 5], [6, 10]], [[0, 2], [9, 1]]]
    (source,) = labelled([read(run(tmp_path / "run", scores, 60, players=2))])
    found = row(by_round(source), round=2, source="VP chips")
    expected = mean_interval([4, 8, 5])
    assert (found["n"], found["mean"], found["low"], found["high"]) == pytest.approx(tuple(expected))


@pytest.fixture
def lengths(tmp_path):
    """Return the chips of both lengths and their runs."""
    short, long = random_games(60, 10, 2), random_games(60, 12, 3)
    long[0], long[1] = long[0][:11], long[1][:9]  # ended sooner
    return short, long, tuple(labelled([read(solo(tmp_path / "a", short)), read(solo(tmp_path / "b", long))]))


def test_late_rounds_add_the_end_of_a_game_minus_its_own_position_before(lengths):
    _, long, pair = lengths
    expected = paired_means([game[:10][-1] for game in long], [game[-1] for game in long])
    found = row(late_gains(pair), gain=LATE, source="VP chips")
    assert (found["n"], found["mean"], found["low"], found["high"]) == pytest.approx((60, *expected.interval))


def test_the_long_game_minus_the_short_one_is_paired_on_the_deal(lengths):
    short, long, pair = lengths
    expected = paired_means([3 * game[-1] for game in short], [3 * game[-1] for game in long])
    found = row(late_gains(pair), gain=LONGER, source="Total")
    assert (found["mean"], found["low"], found["high"]) == pytest.approx(expected.interval)
    assert found["correlation"] == pytest.approx(expected.correlation)


def test_runs_of_other_seeds_are_compared_as_independent_ones(tmp_path):
    short, long = random_games(60, 10, 2), random_games(50, 12, 3)
    pair = tuple(labelled([read(solo(tmp_path / "a", short)), read(solo(tmp_path / "b", long, seed=2))]))
    expected = independent_means([game[-1] for game in short], [game[-1] for game in long])
    found = row(late_gains(pair), gain=LONGER, source="VP chips")
    assert (found["mean"], found["low"], found["high"]) == pytest.approx(expected.interval)


def test_the_longer_game_gains_what_late_rounds_add_less_what_it_was_behind(lengths):
    gains = late_gains(lengths[2])
    total = {name: row(gains, gain=name, source="Total")["mean"] for name in (LATE, LONGER, BEHIND)}
    assert total[LONGER] == pytest.approx(total[LATE] + total[BEHIND])


def test_the_part_names_the_rounds_and_both_answers(lengths):
    part = by_round_part.part(lengths[2])
    assert part.text[0].startswith("Rounds 11 and 12 add +")
    assert "on the same 60 deals" in part.text[1]
    assert [table.name for table in part.tables] == ["score_total_by_round", "late_gains"]
    assert [picture.name for picture in part.pictures] == ["score_by_round", "late_gains"]
    assert part.tables[0].align == "lrr"  # rounds are names here, and stand under their heading


def test_one_run_has_its_rounds_and_no_comparison(tmp_path):
    part = by_round_part.part(labelled([read(solo(tmp_path / "run", random_games(40, 10, 4)))]))
    assert not part.text
    assert [picture.name for picture in part.pictures] == ["score_by_round"]
    assert len(part.tables[0].rows) == 10


def test_rounds_that_hardly_any_game_plays_are_in_the_numbers_and_not_in_the_table(tmp_path):
    scores = [[[1, 1]] * 5 for _ in range(299)] + [[[1, 1]] * 30]
    part = by_round_part.part(labelled([read(run(tmp_path / "run", scores, 60, players=2))]))
    assert len(part.tables[0].rows) == 5
    assert part.tables[0].frame["round"].max() == 30


def test_a_run_without_rounds_has_no_such_part(tmp_path):
    (source,) = labelled([read(solo(tmp_path / "run", random_games(40, 10, 4)))])
    bare = {name: table for name, table in source.tables.items() if name != "rounds"}
    object.__setattr__(source, "tables", bare)
    assert not logged(source)
    assert by_round_part.part([source]).empty


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("games", [1, 2])
def test_hardly_any_games_do_not_break_it(tmp_path, games):
    runs = [solo(tmp_path / str(rounds), random_games(games, rounds, 5)) for rounds in (10, 12)]
    assert by_round_part.part(labelled([read(folder) for folder in runs])).tables


@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
def test_the_numbers_are_those_of_all_games_at_once_when_they_are_read_block_by_block(tmp_path, seeds, monkeypatch):
    pair = tuple(
        read(solo(tmp_path / f"{rounds}", random_games(50, rounds, rounds), seed=seed))
        for rounds, seed in zip((10, 12), seeds, strict=True)
    )
    whole = [by_round(pair[1]), late_gains(pair)]
    in_blocks = Source.blocks
    monkeypatch.setattr(Source, "blocks", lambda source: in_blocks(source, 7))
    for one, other in zip(whole, [by_round(pair[1]), late_gains(pair)], strict=True):
        assert_frame_equal(one, other, rel_tol=1e-12)
