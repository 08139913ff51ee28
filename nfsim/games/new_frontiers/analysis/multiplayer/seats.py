"""Who wins: win rates and VPs by start order, seat and policy, policies against each other, and tests of equality.

Every function takes the tables of a run with several players. The game is the unit: a shared win is split among those
who share it, and games without a winner (stopped by an error) are left out.
"""

import polars as pl

from nfsim.stats.equality import EqualityTest, equal_chances, expected_counts, numbers, with_mean_test
from nfsim.stats.frames import Tables, label, players
from nfsim.stats.intervals import with_rates
from nfsim.stats.many import with_adjusted

ALPHA = 0.05  # adjusted p-value from which on a difference counts as more than chance


def results(tables: Tables) -> pl.LazyFrame:
    """Return what every seat got of its game.

    Returns
    -------
    LazyFrame
        game, seat, policy, vp, rank, and where the log has them empire, side, start_order; share (of the win, from 0
        to 1), edge (share minus one divided by the players), lead (VPs minus the mean of the game's seats).
    """
    seats = tables["seats"]
    known = set(seats.collect_schema())
    words = [label(name) for name in ("policy", "empire", "side") if name in known]
    plain = [name for name in ("rank", "start_order") if name in known]
    winners = pl.col("won").cast(pl.Float64).sum().over("game")
    vp = pl.col("score").cast(pl.Float64)
    return (
        seats.select("game", "seat", *words, *plain, "won", vp, winners.alias("winners"))
        .filter(pl.col("winners") > 0)
        .select(
            pl.all().exclude("won", "winners"),
            (pl.col("won").cast(pl.Float64) / pl.col("winners")).alias("share"),
            (pl.col("won").cast(pl.Float64) / pl.col("winners") - 1 / players(tables)).alias("edge"),
            (pl.col("score") - pl.col("score").mean().over("game")).alias("lead"),
        )
    )


def estimates(rows: pl.LazyFrame, *by: str) -> pl.DataFrame:
    """Return win rates and VPs of categories of which a game holds each at most once.

    Parameters
    ----------
    rows : LazyFrame
        One row a game and category: share, edge, vp, lead as in `results`.
    *by : str
        The columns that make a category.

    Returns
    -------
    DataFrame
        `by`; n (games), k (wins, ties split), rate, low, high (Wilson); edge, edge_low, edge_high, edge_p,
        edge_p_adjusted: the rate minus that of equal strength; vp, vp_low, vp_high; lead, lead_low, lead_high,
        lead_p, lead_p_adjusted: VPs minus the game's mean. p-values are NaN below 30 games; adjusted ones
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
    return found.select(*by, "n", "k", "rate", "low", "high", *(c for c in of if c in found.columns and c != "vp_p"))


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
        policy, seats (of a game, mean over its games), expected (its share of the seats), and `estimates`: vp and
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


def equality(tables: Tables, mats: pl.DataFrame | None = None) -> pl.DataFrame:
    """Test the questions about equal chances that a run can answer.

    Parameters
    ----------
    tables : Tables
    mats : DataFrame, optional
        `estimates` by empire mat.

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
    if mats is not None and len(mats) > 1:
        add("empire mat", mats, equal_chances(mats["k"], mats["n"], chance))
    schema = {"question": pl.String, "categories": pl.Int64, "n": pl.Int64, "lowest": pl.Float64,
              "highest": pl.Float64, "statistic": pl.Float64, "df": pl.Int64, "p": pl.Float64}  # fmt: skip
    return with_adjusted(pl.DataFrame(rows, schema=schema, orient="row"))
