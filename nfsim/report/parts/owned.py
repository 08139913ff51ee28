"""Records of the catalogue: do those who own one at the end win more often than those who do not.

That is no effect of the record: whoever is ahead buys more, and who fits one buys it. `nfsim balance` moves records and
prices instead and finds what they cause. Needs to be told who held what: `nfsim.report.metrics.Holdings`.
"""

from functools import partial

import polars as pl

from nfsim.report.charts.differences import draw_differences, in_points
from nfsim.report.formatting import integer, mean, points
from nfsim.report.metrics import Holdings
from nfsim.report.page import Part
from nfsim.report.parts.seats import ALPHA, CORRECTED, estimate, mixed_note, of_run, results, with_games
from nfsim.report.picture import Group, Picture, in_order, one_axes, spoken, stack
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.equality import with_mean_test, with_owner_difference
from nfsim.stats.frames import Tables, blocks, label, moments, players, sums
from nfsim.stats.many import with_adjusted

SUMS = ("o", "w", "oo", "ww", "ow")  # of `with_owner_difference`
SHOWN = 15  # records at each end; all are in the CSV file


def owners(tables: Tables, holdings: Holdings) -> pl.DataFrame:
    """Compare seats that own a record at the end with those that do not.

    Parameters
    ----------
    tables : Tables
    holdings : Holdings
        Who held what.

    Returns
    -------
    DataFrame
        record, kind, games (in which someone owns it), owners (seats); over all seats of all games rate_owned,
        rate_not, difference, low, high, p, p_adjusted (see `with_owner_difference`); within the games in which some
        but not all seats own it n, edge (the owners' mean share of the win minus equal strength), edge_low, edge_high,
        edge_p, edge_p_adjusted; round (in which it was paid for, mean of the games' means), round_low, round_high. By
        difference, highest first. Adjusted p-values (Benjamini–Hochberg) allow for the number of records. Empty
        without the table.
    """
    if holdings.table not in tables:
        return pl.DataFrame()
    seats = players(tables)
    parts = pl.concat(_sums(block, seats, holdings) for block in blocks(tables))
    each = parts.group_by("record").agg(pl.col("kind").first(), pl.exclude("record", "kind").sum())
    (edge, edge_sd), (bought, bought_sd) = moments("edge"), moments("round")
    found = each.select(
        "record",
        "kind",
        "games",
        pl.col("o").cast(pl.Int64).alias("owners"),
        *SUMS,
        pl.col("edge_n").alias("within"),
        edge.alias("edge"), edge_sd.alias("edge_sd"), bought.alias("round"), bought_sd.alias("round_sd"),
    )  # fmt: skip
    games = int(tables["seats"].select(pl.len()).collect().item()) // seats
    found = with_adjusted(with_owner_difference(found, games, seats))
    found = with_mean_test(found.rename({"games": "n"}), "round").rename({"n": "games", "within": "n"})
    found = with_adjusted(
        with_mean_test(found.rename({"p_adjusted": "adjusted"}), "edge"), "edge_p"
    ).rename({"p_adjusted": "edge_p_adjusted", "adjusted": "p_adjusted"})  # fmt: skip
    return found.select(
        "record", "kind", "games", "owners", "rate_owned", "rate_not", "difference", "low", "high", "p", "p_adjusted",
        "n", "edge", "edge_low", "edge_high", "edge_p", "edge_p_adjusted", "round", "round_low", "round_high",
    ).sort(pl.col("difference").fill_nan(None), "record", descending=[True, False], nulls_last=True)  # fmt: skip


def _sums(tables: Tables, seats: int, holdings: Holdings) -> pl.DataFrame:
    """Return what is added up over games for each record: kind, games, `SUMS`, and `sums` of edge and round."""
    rows = results(tables).select("game", "seat", "share", "edge")
    bought = (
        holdings.rows(tables)
        .filter("owned")
        # two copies of one record make an owner once
        .group_by("game", "seat", "record")
        .agg(pl.col("owned_round").min(), pl.col("kind").first())
    )
    share, edge, some = pl.col("share").sum(), pl.col("edge").mean(), pl.len() < seats
    per_game = (
        bought.join(rows, on=["game", "seat"])
        .group_by("game", "record")
        .agg(
            pl.len().cast(pl.Float64).alias("o"),
            share.alias("w"),
            pl.when(some).then(edge).alias("edge"),
            pl.col("owned_round").mean().alias("round"),
            pl.col("kind").first(),
        )
    )
    o, w = pl.col("o"), pl.col("w")
    squares = ((o * o).sum().alias("oo"), (w * w).sum().alias("ww"), (o * w).sum().alias("ow"))
    added = (pl.col("kind").first(), pl.len().cast(pl.Int64).alias("games"), o.sum(), w.sum(), *squares)
    found = per_game.group_by("record").agg(*added, *sums("edge"), *sums("round")).collect(engine="streaming")
    return found.with_columns(label("record"))


def part(group: Group) -> Part:
    """Return the part about records that winners own; empty where a game does not say who held what."""
    holdings, words = group[0].metrics.holdings, group[0].words
    if holdings is None:
        return Part("")
    frame = stack(with_games(group), lambda tables: owners(tables, holdings))
    if frame.is_empty():
        return Part(holdings.title)
    chosen = extremes(frame)
    text = [
        f"These are not effects of the {words.records}. Whoever is ahead can buy more, and who fits a {words.record} "
        f"buys it: owning and winning go together without the one causing the other. What a {words.record} causes "
        "shows only where the same games are played with it and without it, or at another price (nfsim balance plays "
        "such games).",
        *mixed_note(group),
        *(counted(frame, run, group) for run in frame["run"].unique(maintain_order=True)),
    ]
    if chosen.is_empty():
        return Part(holdings.title, text)
    shown = in_order(chosen, group, "place").drop("place")
    rows = [
        [r["record"], r["run"], points(r["difference"], r["low"], r["high"]), estimate(r, "edge", points),
         estimate(r, "round", mean), integer(r["games"])]
        for r in shown.to_dicts()
    ]  # fmt: skip
    head = [words.record.capitalize(), "Run", "Owners less others", "Same game, less equal share", "Round", "n"]
    name, title = f"{words.records}_owned", f"{words.records.capitalize()} owned at the end, and winning"
    table = ReportTable(name, title, head, rows, "llrrrr", frame)  # the CSV file has every record
    drawn = shown.select("run", figure="record", n="games", difference="difference", low="low", high="high")
    draw = partial(draw_differences, write=in_points, unit="percentage points", factor=100.0)
    picture = Picture(
        name,
        "Win rate of owners less that of others",
        f"The {SHOWN} {words.records} at either end, of those that 30 or more seats own; seats with the {words.record} "
        "at the end against all seats without it, over all games. A game is one observation. Not effects of the "
        f"{words.records}, see above.",
        f"Win rate of seats that own a {words.record} minus that of the others. "
        + spoken(drawn, "figure", "difference", points),
        frame,
        one_axes(draw, drawn, "figure"),
    )
    return Part(holdings.title, text, [without_run(group, table)], [picture])


def extremes(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the records at both ends, with their place: by mean difference over the runs."""
    known = frame.filter(pl.col("low").is_not_nan())
    by_size = known.group_by("record").agg(pl.col("difference").mean())
    order = by_size.sort("difference", "record", descending=[True, False])
    order = order.with_row_index("place").select("record", pl.col("place").cast(pl.Int64))
    ends = order.filter((pl.col("place") < SHOWN) | (pl.col("place") >= len(order) - SHOWN))
    return known.join(ends, on="record")


def counted(frame: pl.DataFrame, run: str, group: Group) -> str:
    """Say how many records go with winning or losing more than chance explains."""
    own = frame.filter((pl.col("run") == run) & pl.col("p").is_not_nan())
    sure = own.filter(pl.col("p_adjusted") < ALPHA)
    more = len(sure.filter(pl.col("difference") > 0))
    return (
        f"{of_run(run, group)}Of {len(own)} {group[0].words.records} that at least 30 seats own, {more} go with "
        f"winning more and {len(sure) - more} with winning less than chance explains (adjusted p below {ALPHA}, "
        f"{CORRECTED})."
    )
