"""Who wins: win rates and scores by start order, seat and policy, policies against each other, and tests of equality.

Every function takes the tables of a run with several players. The game is the unit: a shared win is split among those
who share it, and games without a winner (stopped by an error) are left out.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from nfsim.report.charts.rates import draw_wins
from nfsim.report.formatting import change, integer, p_value, percent, points, rate, signed
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, in_order, one_axes, spoken, stack, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.equality import EqualityTest, equal_chances, expected_counts, numbers, with_mean_test
from nfsim.stats.frames import Tables, label, players
from nfsim.stats.intervals import ENOUGH, with_rates
from nfsim.stats.many import with_adjusted

ALPHA = 0.05  # adjusted p-value from which on a difference counts as more than chance


def results(tables: Tables, *also: str) -> pl.LazyFrame:
    """Return what every seat got of its game.

    Parameters
    ----------
    tables : Tables
    *also : str
        Columns of labels that are kept, where the log has them.

    Returns
    -------
    LazyFrame
        game, seat, policy, `also`, score, rank, and where the log has it start_order; share (of the win, from 0 to 1),
        edge (share minus one divided by the players), lead (score minus the mean of the game's seats).
    """
    seats = tables["seats"]
    known = set(seats.collect_schema())
    words = [label(name) for name in ("policy", *also) if name in known]
    plain = [name for name in ("rank", "start_order") if name in known]
    winners = pl.col("won").cast(pl.Float64).sum().over("game")
    score = pl.col("score").cast(pl.Float64)
    return (
        seats.select("game", "seat", *words, *plain, "won", score, winners.alias("winners"))
        .filter(pl.col("winners") > 0)
        .select(
            pl.all().exclude("won", "winners"),
            (pl.col("won").cast(pl.Float64) / pl.col("winners")).alias("share"),
            (pl.col("won").cast(pl.Float64) / pl.col("winners") - 1 / players(tables)).alias("edge"),
            (pl.col("score") - pl.col("score").mean().over("game")).alias("lead"),
        )
    )


def estimates(rows: pl.LazyFrame, *by: str) -> pl.DataFrame:
    """Return win rates and scores of categories of which a game holds each at most once.

    Parameters
    ----------
    rows : LazyFrame
        One row a game and category: share, edge, score, lead as in `results`.
    *by : str
        The columns that make a category.

    Returns
    -------
    DataFrame
        `by`; n (games), k (wins, ties split), rate, low, high (Wilson); edge, edge_low, edge_high, edge_p,
        edge_p_adjusted: the rate minus that of equal strength; score, score_low, score_high; lead, lead_low, lead_high,
        lead_p, lead_p_adjusted: score minus the game's mean. p-values are NaN below 30 games; adjusted ones
        (Benjamini–Hochberg) allow for the number of rows.
    """
    values = ("edge", "score", "lead")
    found = (
        rows.group_by(*by)
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("share").sum().alias("k"),
            *(pl.col(name).mean().alias(name) for name in values),
            *(pl.col(name).std().alias(f"{name}_sd") for name in values),
        )
        .sort(*by)
        .collect()
    )
    found = with_rates(found)
    for name in values:
        found = with_mean_test(found, name)
    for name in ("edge", "lead"):
        found = with_adjusted(found, f"{name}_p").rename({"p_adjusted": f"{name}_p_adjusted"})
    of = [f"{name}{end}" for name in values for end in ("", "_low", "_high", "_p", "_p_adjusted")]
    return found.select(*by, "n", "k", "rate", "low", "high", *(c for c in of if c in found.columns and c != "score_p"))


def by_start_order(tables: Tables) -> pl.DataFrame:
    """Return `estimates` by place in the first round's priority order: start_order from 0, …; empty if not logged."""
    rows = results(tables)
    if "start_order" not in rows.collect_schema():
        return pl.DataFrame()
    return estimates(rows, "start_order")


def by_seat(tables: Tables) -> pl.DataFrame:
    """Return `estimates` by seat and who played it: seat, policy, …."""
    return estimates(results(tables), "seat", "policy")


def by_policy(tables: Tables) -> pl.DataFrame:
    """Return how often the win goes to a policy, whichever of its seats has it.

    Returns
    -------
    DataFrame
        policy, seats (of a game, mean over its games), expected (its share of the seats), and `estimates`: score and
        lead are means over its seats, edge is rate minus expected.
    """
    each = (
        results(tables)
        .group_by("game", "policy")
        .agg(
            pl.col("share").sum(), pl.col("edge").sum(), pl.col("score").mean(), pl.col("lead").mean(),
            pl.len().alias("seats"),
        )
    )  # fmt: skip
    seats = each.group_by("policy").agg(pl.col("seats").mean()).collect()
    expected = (pl.col("seats") / players(tables)).alias("expected")
    return estimates(each, "policy").join(seats, on="policy", maintain_order="left").select(
        "policy", "seats", expected, pl.all().exclude("policy", "seats")
    )  # fmt: skip


def ahead(tables: Tables) -> pl.DataFrame:
    """Return how often a seat of one policy ends ahead of a seat of another, a tie counting one half.

    Returns
    -------
    DataFrame
        policy, other, n (games with both), k, rate, low, high (Wilson), edge (rate minus one half), edge_low,
        edge_high, edge_p, edge_p_adjusted. A game counts by the mean over its pairs of seats, so intervals of the rate
        are on the wide side where a policy has several seats. Both directions; empty with a single policy.
    """
    rows = results(tables)
    if "rank" not in rows.collect_schema():
        return pl.DataFrame()
    one = rows.select("game", "policy", "rank")
    other = rows.select("game", other="policy", other_rank="rank")
    before = pl.col("rank") < pl.col("other_rank")
    won = before.cast(pl.Float64) + 0.5 * (pl.col("rank") == pl.col("other_rank")).cast(pl.Float64)
    found = with_rates(
        one.join(other, on="game")
        .filter(pl.col("policy") != pl.col("other"))
        .group_by("policy", "other", "game")
        .agg(won.mean().alias("won"))
        .group_by("policy", "other")
        .agg(
            pl.len().cast(pl.Int64).alias("n"),
            pl.col("won").sum().alias("k"),
            (pl.col("won").mean() - 0.5).alias("edge"),
            pl.col("won").std().alias("edge_sd"),
        )
        .sort("policy", "other")
        .collect()
    )
    found = with_mean_test(found, "edge")
    # the two directions of a pair are one comparison
    once = with_adjusted(found.filter(pl.col("policy") < pl.col("other")), "edge_p")
    pair = pl.concat_list(pl.min_horizontal("policy", "other"), pl.max_horizontal("policy", "other")).alias("pair")
    adjusted = once.select(pair, edge_p_adjusted="p_adjusted")
    return found.with_columns(pair).join(adjusted, on="pair", how="left", maintain_order="left").select(
        "policy", "other", "n", "k", "rate", "low", "high",
        *(f"edge{end}" for end in ("", "_low", "_high", "_p", "_p_adjusted")),
    )  # fmt: skip


def equality(tables: Tables, also: Mapping[str, pl.DataFrame] | None = None) -> pl.DataFrame:
    """Test the questions about equal chances that a run can answer.

    Parameters
    ----------
    tables : Tables
    also : mapping of str to DataFrame
        `estimates` by categories of the game that are dealt at random, by the question.

    Returns
    -------
    DataFrame
        question, categories, n (games), lowest, highest (rate of a category), statistic, df, p, p_adjusted
        (Benjamini–Hochberg over the questions). Seats are tested where all have the same policy, policies where there
        are several.
    """
    chance = 1 / max(players(tables), 1)
    orders, seats = by_start_order(tables), by_seat(tables)
    games = max(seats["n"].to_list(), default=0)
    rows = []

    def add(question: str, frame: pl.DataFrame, test: EqualityTest) -> None:
        rates = frame["rate"].to_list()
        rows.append((question, len(frame), games, min(rates), max(rates), *test))

    if len(orders) > 1:
        add("start order", orders, equal_chances(orders["k"], orders["n"], chance))
    if seats["policy"].n_unique() == 1:
        add("seat", seats, equal_chances(seats["k"], seats["n"], chance))
    else:
        policies = by_policy(tables)
        even = numbers(policies, "expected") * numbers(policies, "n")
        add("policy", policies, expected_counts(policies["k"], even))
    for question, frame in (also or {}).items():
        if len(frame) > 1:
            add(question, frame, equal_chances(frame["k"], frame["n"], chance))
    schema = {"question": pl.String, "categories": pl.Int64, "n": pl.Int64, "lowest": pl.Float64,
              "highest": pl.Float64, "statistic": pl.Float64, "df": pl.Int64, "p": pl.Float64}  # fmt: skip
    return with_adjusted(pl.DataFrame(rows, schema=schema, orient="row"))


NOTEWORTHY = 0.1  # of the equal share: smaller differences are not called strong or weak, however certain they are
NAMED = 5  # strong and weak ones named in a sentence; the table and the chart have all
PLACES = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")
CORRECTED = "Benjamini–Hochberg"

Row = dict[str, Any]


def with_games(group: Group) -> list[Source]:
    """Return the runs with several players that have games."""
    return [source for source in group if source.games and source.players > 1]


def with_equal_share(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Add `expected`: the share of wins of a player where all are equal."""
    return frame.with_columns(pl.lit(1 / group[0].players).alias("expected"))


def estimate(row: Row, name: str, write: Callable[[float, float, float], str]) -> str:
    """Write the estimate of a row with its interval, without one where n is too small, a dash where there is none."""
    if row[name] is None:
        return "–"
    known = row["n"] >= ENOUGH
    low, high = (row[f"{name}{end}"] if known else float("nan") for end in ("_low", "_high"))
    return write(row[name], low, high)


def of_run(run: str, group: Group) -> str:
    """Return how a sentence about a run begins: with its name, if there are several."""
    return f"{run}: " if len(group) > 1 else ""


def win_picture(name: str, title: str, note: str, frame: pl.DataFrame, category: str, *, show_n: bool) -> Picture:
    """Return a picture of shares of wins: run, `category`, n, rate, low, high, expected."""
    return Picture(
        name,
        title,
        f"{note} A shared win counts in equal parts.",
        f"{title}. {spoken(frame, category, 'rate', rate)}",
        frame,
        one_axes(partial(draw_wins, category=category, show_n=show_n), frame, category),
    )


def chances(source: Source) -> Mapping[str, pl.DataFrame]:
    """Return what else the game deals at random; see `nfsim.report.metrics.Metrics.chances`."""
    return source.metrics.chances(source) if source.metrics.chances is not None else {}


def start_part(group: Group) -> Part:
    """Return the part about the start order, where the log has it, and the tests of equal chances."""
    played = with_games(group)
    tested = stack_runs(played, lambda source: equality(source.tables, chances(source)))
    if tested.is_empty():
        return Part("Equal chances")
    text, tests = verdicts(tested, group), equality_table(tested, group)
    frame = stack(played, by_start_order)
    if frame.is_empty():
        return Part("Equal chances", text, [tests], chances=True)
    name = pl.Series("start", [PLACES[place] for place in frame["start_order"]])
    frame = in_order(with_equal_share(frame.with_columns(name), group), group, "start_order")
    rows = [
        [r["start"], r["run"], rate(r["rate"], r["low"], r["high"]), estimate(r, "lead", change), integer(r["n"])]
        for r in frame.to_dicts()
    ]
    head = ["Place", "Run", "Wins (95 % interval)", f"{group[0].words.score} above the game's mean", "n"]
    table = ReportTable("start_order", "Start order", head, rows, "llrrr", frame)
    picture = win_picture(
        "start_order", "Wins by start order", group[0].metrics.about_start, frame, "start", show_n=False
    )  # fmt: skip
    return Part("Start order", text, [without_run(group, table), tests], [picture], chances=True)


def verdicts(tested: pl.DataFrame, group: Group) -> list[str]:
    """Say for each run which of the questions about equal chances are answered."""
    said = []
    for run in tested["run"].unique(maintain_order=True):
        parts = []
        for r in tested.filter(pl.col("run") == run).to_dicts():
            span = f"shares of wins from {percent(r['lowest'])} to {percent(r['highest'])}, n = {integer(r['n'])}"
            p = r["p_adjusted"]
            verdict = "chances differ" if p < ALPHA else "no difference could be shown"
            found = "too few games for a test" if p != p else f"{verdict}, adjusted p {p_value(p)}"
            parts.append(f"{str(r['question']).capitalize()}: {found} ({span}).")
        said.append(f"{of_run(run, group)}{' '.join(parts)}")
    return said


def equality_table(tested: pl.DataFrame, group: Group) -> ReportTable:
    """Write the tests of equal chances."""
    rows = [
        [r["question"], r["run"], integer(r["categories"]), f"{percent(r['lowest'])} to {percent(r['highest'])}",
         f"{signed(r['statistic'], 1)} ({r['df']})", p_value(r["p"]), p_value(r["p_adjusted"]), integer(r["n"])]
        for r in tested.to_dicts()
    ]  # fmt: skip
    head = ["Equal chances by", "Run", "Kinds", "Shares of wins", "χ² (degrees)", "p", "Adjusted p", "n"]
    title = f"Are chances equal? Chi-square tests, adjusted for their number ({CORRECTED})"
    return without_run(group, ReportTable("equal_chances", title, head, rows, "llrrrrrr", tested))


def strength(row: Row) -> str:
    """Return strong or weak with the adjusted p-value, or nothing; see `NOTEWORTHY`."""
    p = row["edge_p_adjusted"]
    if p is None or not p < ALPHA or abs(row["edge"]) < NOTEWORTHY * row["expected"]:
        return ""
    return f"{'strong' if row['edge'] > 0 else 'weak'}, adjusted p {p_value(p)}"


def flagged(frame: pl.DataFrame, name: str, question: str, group: Group) -> list[str]:
    """Say for each run what wins more or less often than chance and a tenth of the equal share explain."""
    said = []
    for run in frame["run"].unique(maintain_order=True):
        own = frame.filter((pl.col("run") == run) & (pl.col("n") >= ENOUGH)).to_dicts()
        rule = (
            f"adjusted p below {ALPHA}, {CORRECTED} over {len(own)}, and at least {percent(NOTEWORTHY, 0)} of the "
            f"equal share apart"
        )
        parts = []
        for kind in ("strong", "weak"):
            found = sorted((r for r in own if strength(r).startswith(kind)), key=lambda r: -abs(r["edge"]))
            words = [f"{r[name]} {estimate(r, 'edge', points)}, n = {integer(r['n'])}" for r in found[:NAMED]]
            words += [f"{len(found) - NAMED} more"] if len(found) > NAMED else []
            parts += [f"{kind}: {'; '.join(words)}."] if words else []
        verdict = " ".join(parts) or f"none of {len(own)} stands out."
        said.append(f"{of_run(run, group)}{question} ({rule}): {verdict}")
    return said


def policies_part(group: Group) -> Part:
    """Return the part about policies against each other, for runs with several."""
    title = "Policies against each other"
    mixed: Sequence[Source] = [source for source in group if len(set(source.seat_policies)) > 1]
    frame = stack(with_games(mixed), by_policy)
    if frame.is_empty():
        return Part(title)
    best = -pl.col("edge").mean().over("policy")
    frame = in_order(frame.with_columns(best.alias("best")), mixed, "best", "policy").drop("best")
    note = "Share of games won by a seat of each policy."
    pictures = [win_picture("policy_wins", "Wins by policy", note, frame, "policy", show_n=False)]
    order = {name: place for place, name in enumerate(frame["policy"].unique(maintain_order=True))}
    pairs = stack(with_games(mixed), ahead)
    if pairs.is_empty():
        return Part(title, pictures=pictures, chances=True)
    places = [pl.col(name).replace_strict(order, return_dtype=pl.Int64) for name in ("policy", "other")]
    once = in_order(pairs.filter(places[0] < places[1]).with_columns(place=places[0], rest=places[1]),
                    mixed, "place", "rest").drop("place", "rest")  # fmt: skip
    rows = [
        [f"{r['policy']} ahead of {r['other']}", r["run"], rate(r["rate"], r["low"], r["high"]),
         p_value(r["edge_p_adjusted"]), integer(r["n"])]
        for r in once.to_dicts()
    ]  # fmt: skip
    head = ["Pair", "Run", "Ends ahead (95 % interval)", "Adjusted p", "n"]
    table = ReportTable("policy_pairs", "Who ends ahead of whom; a tie counts one half", head, rows, "llrrr", pairs)
    text = [
        "Each seat keeps its policy in all games of a run; what is dealt at random differs from game to game. "
        "nfsim ladder plays every seating on the same deals and needs fewer games for the same certainty."
    ]
    return Part(title, text, [without_run(mixed, table)], pictures, chances=True)


def mixed_note(group: Group) -> list[str]:
    """Say what else is mixed in where policies differ, if they do."""
    if all(len(set(source.seat_policies)) == 1 for source in group):
        return []
    return [
        "Where seats have different policies the numbers also show which policy chooses what, and how strong it is."
    ]
