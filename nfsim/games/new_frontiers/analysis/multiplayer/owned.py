"""Worlds and developments: do those who own a tile at the end win more often than those who do not.

That is no effect of the tile: whoever is ahead buys more, and who fits a tile buys it. `nfsim balance` moves tiles
and prices instead and finds what they cause. Needs the table ``tiles``.
"""

import polars as pl

from nfsim.games.new_frontiers.analysis.multiplayer.seats import results
from nfsim.stats.equality import with_mean_test, with_owner_difference
from nfsim.stats.frames import Tables, blocks, label, moments, players, sums
from nfsim.stats.many import with_adjusted

SUMS = ("o", "w", "oo", "ww", "ow")  # of `with_owner_difference`


def tile_owners(tables: Tables) -> pl.DataFrame:
    """Compare seats that own a tile at the end (settled or built; homes excluded) with those that do not.

    Returns
    -------
    DataFrame
        tile, kind (world, development), games (in which someone owns it), owners (seats); over all seats of all games
        rate_owned, rate_not, difference, low, high, p, p_adjusted (see `with_owner_difference`); within the games in
        which some but not all seats own it n, edge (the owners' mean share of the win minus equal strength), edge_low,
        edge_high, edge_p, edge_p_adjusted; round (in which it was built or settled, mean of the games' means),
        round_low, round_high. By difference, highest first. Adjusted p-values (Benjamini–Hochberg) allow for the
        number of tiles. Empty without the table.
    """
    if "tiles" not in tables:
        return pl.DataFrame()
    seats = players(tables)
    parts = pl.concat(_sums(block, seats) for block in blocks(tables))
    each = parts.group_by("tile").agg(pl.col("built").any(), pl.exclude("tile", "built").sum())
    (edge, edge_sd), (bought, bought_sd) = moments("edge"), moments("round")
    found = each.select(
        "tile",
        pl.when("built").then(pl.lit("development")).otherwise(pl.lit("world")).alias("kind"),
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
        "tile", "kind", "games", "owners", "rate_owned", "rate_not", "difference", "low", "high", "p", "p_adjusted",
        "n", "edge", "edge_low", "edge_high", "edge_p", "edge_p_adjusted", "round", "round_low", "round_high",
    ).sort(pl.col("difference").fill_nan(None), "tile", descending=[True, False], nulls_last=True)  # fmt: skip


def _sums(tables: Tables, seats: int) -> pl.DataFrame:
    """Return what is added up over games for each tile: built, games, `SUMS`, and `sums` of edge and round."""
    rows = results(tables).select("game", "seat", "share", "edge")
    bought = (
        tables["tiles"]
        .filter((pl.col("round_settled") > 0) & (pl.col("round_explored") != 0))
        .select("game", "seat", "tile", "round_settled", (pl.col("round_explored") < 0).alias("built"))
        # two copies of one tile make an owner once
        .group_by("game", "seat", "tile")
        .agg(pl.col("round_settled").min(), pl.col("built").any())
    )
    share, edge, some = pl.col("share").sum(), pl.col("edge").mean(), pl.len() < seats
    per_game = (
        bought.join(rows, on=["game", "seat"])
        .group_by("game", "tile")
        .agg(
            pl.len().cast(pl.Float64).alias("o"),
            share.alias("w"),
            pl.when(some).then(edge).alias("edge"),
            pl.col("round_settled").mean().alias("round"),
            pl.col("built").any(),
        )
    )
    o, w = pl.col("o"), pl.col("w")
    squares = ((o * o).sum().alias("oo"), (w * w).sum().alias("ww"), (o * w).sum().alias("ow"))
    added = (pl.col("built").any(), pl.len().cast(pl.Int64).alias("games"), o.sum(), w.sum(), *squares)
    found = per_game.group_by("tile").agg(*added, *sums("edge"), *sums("round")).collect(engine="streaming")
    return found.with_columns(label("tile"))
