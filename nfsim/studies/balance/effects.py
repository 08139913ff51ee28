"""What single records do: the games as they are against variants in which one record cannot be had, or is dearer.

All variants are played on the same seed, so their games are paired by number, and the game is the unit.

What is causal here, and what is not
------------------------------------
Random streams are shared: game 17 with the record and game 17 without it are the same, decision by decision, until the
record first matters. For that a record that cannot be had has to keep its place: what is drawn at random stays where
it lies as a blank, what is bought stays at a price nobody can pay. Were it taken out, there would be one less to draw
from, every later draw would be another one, and hardly anything would be left of the pairing. The price of it: whoever
draws may find a blank.

* `differences`: all games are compared, whoever took the record. The effect on what one sees is causal as it stands.
* `owned`, estimate ``takers``: the seats that took the record first, and the same seats in the same games without it.
  Who took it first is settled by what both games have in common, all luck after it is fresh in both, so this is the
  effect of having the chance on those who take it (it includes what they do instead, and what the others do then).
  It holds as far as the two games are indeed alike until then, which `alike` measures. It does not say
  what the record would do for a seat that would not take it.
* `owned`, estimate ``owners``: the same for the seats that own the record at the end. They are chosen by how their game
  went on after the record was taken: who does well comes to own more. The other game has luck of its own, so even a
  record without any effect would seem to help them. It stands beside the others to show by how much.
* `owned`, estimate ``naive``: owners against the others in the log of the base variant, which most statistics of games
  show. Nothing about it is causal.
* `prices`: how often a record is owned at another price is causal; how owners fare at each price is not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from nfsim.errors import BadInput
from nfsim.report.metrics import Holdings
from nfsim.report.source import Source
from nfsim.stats.frames import Tables, label, players
from nfsim.stats.intervals import LEVEL, mean_interval
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import Difference, independent_means, paired_means, paired_rates
from nfsim.stats.planning import POWER
from nfsim.studies.compare.numbers import ENDS, RATE, ROUNDS, floats, same_games, values

OFF = "not to be had"
WINS, SCORE = "wins", "score"
NAIVE, OWNERS, TAKERS = "naive", "owners", "takers"


@dataclass(frozen=True)
class Changed:
    """A variant in which one record is changed.

    Attributes
    ----------
    record : str
        Its name.
    change : str
        `OFF`, or how its cost moved: ``cost +1``.
    source : Source
        The variant's run.
    """

    record: str
    change: str
    source: Source = field(repr=False)


class Seats(NamedTuple):
    """Results seat by seat: game, seat, wins (the share of the win), score; and how many seats a game has."""

    frame: pl.DataFrame
    players: int


def differences(base: Source, variants: Sequence[Changed]) -> pl.DataFrame:
    """Return what each change does to what one sees of all games, whoever took the record.

    Parameters
    ----------
    base : Source
        The variant in which no record is changed.
    variants : sequence of Changed
        The others, on the same seed.

    Returns
    -------
    DataFrame
        record, change, figure, unit (``rate`` or what is counted), n (games), before (base), after, difference (after
        minus before), low, high, p, p_adjusted (Benjamini–Hochberg over all rows), correlation and replaces (what
        pairing bought), same (share of games with the same score in every seat), detectable (see `detectable`).
        Figures: score of a player, rounds, end reasons; wins of each policy where they differ; one player: objectives.
    """
    one, scores = _figures(base), seats(base.tables).frame
    rows: list[dict[str, Any]] = []
    for variant in variants:
        two = _figures(variant.source)
        a, b = same_games(one[0], two[0])
        equal = same_results(scores, seats(variant.source.tables).frame)
        for name, unit in {**one[1], **two[1]}.items():
            found = _difference(_column(a, name), _column(b, name), unit)
            rows.append({"record": variant.record, "change": variant.change, "figure": name, "unit": unit,
                         "same": equal} | found._asdict())  # fmt: skip
    return _finished(rows)


def _figures(source: Source) -> tuple[pl.DataFrame, Mapping[str, str]]:
    """Return game by game what the change of a record may be seen in, and the unit of each figure."""
    found, words = values(source), source.words
    keep = {
        name: unit
        for name, unit in found.units.items()
        if name in (words.score, ROUNDS, words.any_objective, *(objective.name for objective in source.objectives))
        or name.startswith(ENDS)
    }
    names = source.seat_policies
    wins = {}
    if len(set(names)) > 1:
        for policy in dict.fromkeys(names):
            own = [f"Wins of seat {seat}" for seat, name in enumerate(names) if name == policy]
            wins[f"Wins of {policy}"] = pl.sum_horizontal(own)
    frame = found.frame.select("game", *keep, *(value.alias(name) for name, value in wins.items()))
    return frame, {**keep, **dict.fromkeys(wins, RATE)}


def _column(frame: pl.DataFrame, name: str) -> np.ndarray[Any, Any]:
    """Return a figure; an end reason that never occurred in a run is 0 in all its games."""
    return floats(frame, name) if name in frame.columns else np.zeros(len(frame))


def _difference(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], unit: str) -> Difference:
    yes_no = unit == RATE and all(((x == 0) | (x == 1)).all() for x in (a, b))
    return paired_rates(a > 0, b > 0) if yes_no else paired_means(a, b)


def owned(base: Source, variants: Sequence[Changed]) -> pl.DataFrame:
    """Return how having a record and doing well go together, by three estimates that differ in what they can claim.

    Parameters
    ----------
    base, variants
        As for `differences`; variants in which the record can be had are passed over.

    Returns
    -------
    DataFrame
        record, measure (`WINS`: the share of the win, one player: any objective met; `SCORE`), estimate, n (games),
        before, after, difference, low, high, p, p_adjusted (over all rows), correlation, replaces, detectable. By
        estimate: `NAIVE` in the base variant, after: owners, before: the average seat for wins, the other seats for the
        score; one player: games without the record. `OWNERS` and `TAKERS`: the same seats in the same games, before:
        without, after: with it.
    """
    rows: list[dict[str, Any]] = []
    with_it = seats(base.tables)
    for variant in variants:
        if variant.change != OFF:
            continue
        have, without = holders(base, variant.record), seats(variant.source.tables).frame
        for measure in (WINS, SCORE):
            for estimate, own in ((OWNERS, have.filter("owned")), (TAKERS, have.filter("first"))):
                found = _paired(own, without, with_it.frame, measure)
                rows.append({"record": variant.record, "measure": measure, "estimate": estimate} | found._asdict())
            found = _naive(have.filter("owned"), with_it, measure)
            rows.append({"record": variant.record, "measure": measure, "estimate": NAIVE} | found._asdict())
    return _finished(rows)


def _paired(own: pl.DataFrame, without: pl.DataFrame, with_it: pl.DataFrame, measure: str) -> Difference:
    """Compare seats with themselves in the same games without the record; a game is the mean of its seats."""
    key = ["game", "seat"]
    both = own.select(key).join(without.select(*key, a=measure), on=key).join(with_it.select(*key, b=measure), on=key)
    games = both.group_by("game").agg(pl.col("a").mean(), pl.col("b").mean()).sort("game")
    return paired_means(games["a"].to_numpy(), games["b"].to_numpy())


def _naive(own: pl.DataFrame, result: Seats, measure: str) -> Difference:
    """Compare owners with the rest, as the log has it."""
    has = pl.col("owned").fill_null(False)
    all_seats = result.frame.join(own.select("game", "seat", "owned"), on=["game", "seat"], how="left")
    value = pl.col(measure)
    if result.players == 1:
        others, owners = (all_seats.filter(side)[measure].to_numpy() for side in (~has, has))
        return independent_means(others, owners)
    games = (
        all_seats.group_by("game")
        .agg(value.filter(~has).mean().alias("a"), value.filter(has).mean().alias("b"))
        .drop_nulls("b" if measure == WINS else None)
        .sort("game")
    )
    rest = np.full(len(games), 1 / result.players) if measure == WINS else games["a"].to_numpy()
    return paired_means(rest, games["b"].to_numpy())


def prices(base: Source, variants: Sequence[Changed]) -> pl.DataFrame:
    """Return how often a record is owned when its cost moves, and how its owners fare.

    Returns
    -------
    DataFrame
        record, change, n (games), before, after (share of a game's seats that own it), difference, low, high, p,
        p_adjusted (over all rows), correlation, replaces, detectable, relative (difference by before), and for owners'
        wins (one player: any objective met) in base variant and variant: base_n, base_wins, base_low, base_high, and
        the same with ``variant_``. The share of owners who win is an observation, not an effect: others own it at
        other prices.
    """
    rows: list[dict[str, Any]] = []
    before = seats(base.tables)
    for variant in variants:
        if variant.change == OFF:
            continue
        after = seats(variant.source.tables)
        found: list[pl.DataFrame] = []
        row: dict[str, Any] = {"record": variant.record, "change": variant.change}
        for name, result, source in (("base", before, base), ("variant", after, variant.source)):
            own = holders(source, variant.record).filter("owned").join(result.frame, on=["game", "seat"])
            shares = own.group_by("game").agg((pl.len() / result.players).alias("owners"), pl.col(WINS).mean())
            games = result.frame.select(pl.col("game").unique())
            found.append(games.join(shares, on="game", how="left").with_columns(pl.col("owners").fill_null(0.0)))
            n, mean, low, high = mean_interval(shares[WINS].to_numpy())
            row |= {f"{name}_n": n, f"{name}_wins": mean, f"{name}_low": low, f"{name}_high": high}
        both = found[0].join(found[1], on="game").sort("game")
        gap = paired_means(both["owners"].to_numpy(), both["owners_right"].to_numpy())
        rows.append(row | gap._asdict() | {"relative": gap.difference / gap.before if gap.before else np.nan})
    return _finished(rows)


def detectable(low: float, high: float) -> float:
    """Return the difference that would have been found with the usual power, 80 %, from an interval's width."""
    from scipy import stats

    z = float(stats.norm.isf((1 - LEVEL) / 2))
    return (high - low) / 2 * (z + float(stats.norm.ppf(POWER))) / z


def _finished(rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Return rows of differences as a frame, with adjusted p and what could have been detected."""
    if not rows:
        return pl.DataFrame()
    frame = pl.DataFrame(
        [{**row, "detectable": detectable(row["low"], row["high"])} for row in rows], infer_schema_length=None
    )
    return with_adjusted(frame)


def seats(tables: Tables) -> Seats:
    """Return what each seat of each game got; a shared win is split."""
    won = pl.col("won").cast(pl.Float64)
    several = players(tables)
    share = won / pl.max_horizontal(won.sum().over("game"), pl.lit(1.0)) if several > 1 else won
    frame = tables["seats"].select("game", "seat", share.alias(WINS), pl.col("score").cast(pl.Float64).alias(SCORE))
    return Seats(frame.collect(), several)


def holdings_of(source: Source) -> Holdings:
    """Return who held what in a run's game.

    Raises
    ------
    BadInput
        If the game does not say so.
    """
    found = source.metrics.holdings
    if found is None:
        records = source.words.records
        raise BadInput(
            source.folder, "", f"is of a game that does not say who held which {records}", "name another run"
        )
    return found


def most_owned(source: Source, top: int) -> list[str]:
    """Return the records of each kind that seats own most often at the end, `top` of each, kind by kind."""
    holdings = holdings_of(source)
    place = {kind: i for i, kind in enumerate(holdings.kinds)}
    counts = (
        holdings.rows(source.tables)
        .filter("owned")
        .group_by(label("record").alias("record"), pl.col("kind").replace_strict(place, return_dtype=pl.Int64))
        .agg(pl.len().alias("n"))
        .sort("kind", "n", "record", descending=[False, True, False])
        .collect()
    )
    return counts.group_by("kind", maintain_order=True).head(top)["record"].to_list()


def holders(source: Source, record: str) -> pl.DataFrame:
    """Return who has a record: game, seat, owned (at the end), round, first (nobody took it in an earlier round)."""
    return (
        holdings_of(source)
        .rows(source.tables)
        .filter(label("record") == record)
        .group_by("game", "seat")
        .agg(pl.col("owned").any(), pl.col("round").min())
        .with_columns((pl.col("round") == pl.col("round").min().over("game")).alias("first"))
        .sort("game", "seat")
        .collect()
    )


def alike(base: Source, variants: Sequence[Changed]) -> pl.DataFrame:
    """Return how far games without a record are the games with it until it is first taken.

    Returns
    -------
    DataFrame
        record, n (games in which it was taken in the base variant), alike (share of them whose positions after every
        round before that one are the same in both variants), leaked (games of the variant without it in which somebody
        owns it: nobody should). Without the table `rounds` alike is NaN.
    """
    rows = []
    logged = "rounds" in base.tables
    one = _positions(base) if logged else None
    for variant in variants:
        if variant.change != OFF:
            continue
        taken = holders(base, variant.record).group_by("game").agg(pl.col("round").min().alias("taken"))
        share = np.nan
        if one is not None and "rounds" in variant.source.tables and len(taken):
            both = one.join(_positions(variant.source), on=["game", "round"], how="left")
            differ = (pl.col("position") != pl.col("position_right")).fill_null(True)
            until = both.join(taken, on="game").filter(pl.col("round") < pl.col("taken"))
            broken = until.group_by("game").agg(differ.any().alias("broken")).filter("broken")
            share = 1 - len(broken) / len(taken)
        leaked = holders(variant.source, variant.record).filter("owned")["game"].n_unique()
        rows.append({"record": variant.record, "n": len(taken), "alike": share, "leaked": leaked})
    return pl.DataFrame(rows, {"record": pl.String, "n": pl.Int64, "alike": pl.Float64, "leaked": pl.Int64})


def _positions(source: Source) -> pl.DataFrame:
    """Return one number for the position of all seats after each round: game, round, position."""
    rounds = source.tables["rounds"]
    names = [name for name in rounds.collect_schema().names() if name not in ("game", "round")]
    return (
        rounds.select("game", "round", pl.struct(names).hash().alias("position"))
        .group_by("game", "round")
        .agg(pl.col("position").bitwise_xor())
        .collect(engine="streaming")
    )


def same_results(one: pl.DataFrame, two: pl.DataFrame) -> float:
    """Return the share of games in which every seat has the same score in both variants."""
    both = one.join(two, on=["game", "seat"])
    equal = both.group_by("game").agg((pl.col(SCORE) == pl.col(f"{SCORE}_right")).all().alias("equal"))
    return float(equal["equal"].to_numpy().mean()) if len(equal) else float("nan")
