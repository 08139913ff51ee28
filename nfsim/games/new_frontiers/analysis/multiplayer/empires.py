"""Empire mats: what each mat and each of its two home colonies is worth, and which side is chosen.

Mats are dealt at random, so differences between mats are caused by them; sides are chosen by the policies, so
differences between homes also show what else those who choose them had.
"""

import polars as pl

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.analysis.multiplayer.seats import estimates, results
from nfsim.report.source import Source
from nfsim.stats.frames import Tables
from nfsim.stats.intervals import with_rates

MATS = {"mat": pl.Int64, "side": pl.String, "empire": pl.String}


def mats_of(source: Source) -> pl.DataFrame:
    """Return the homes on the mats that a run was played with.

    Returns
    -------
    DataFrame
        mat (number printed on it), side, empire (name of the home). Empty if the set that was played is not at hand
        any more: its folder is gone or holds other tiles.
    """
    from nfsim.games.new_frontiers.settings import read_settings
    from nfsim.games.new_frontiers.tiles import patches, play, read

    scenario = source.say("scenario", default={})
    try:
        own = {key: scenario[key] for key in ("setup", "rules", "patch", "tiles") if key in scenario}
        settings = read_settings(own, source.folder)
        tiles = patches.apply(read.load(settings.tiles), settings.patch, source.folder)
        dealt = play.select(tiles, settings.setup, settings.readings).mats
    except BadInput:
        return pl.DataFrame(schema=MATS)
    if source.say("tiles", "hash") != tiles.hash:
        return pl.DataFrame(schema=MATS)
    rows = [(mat, home.side, home.name) for mat, *sides in dealt for home in sides]
    return pl.DataFrame(rows, schema=MATS, orient="row").sort("mat", "side")


def by_home(tables: Tables) -> pl.DataFrame:
    """Return `seats.estimates` by home: empire, side, n (games in which it was chosen), …; empty if not logged.

    Here edge and lead are what whoever has the home gets beyond the mean of the same policy with any home: another
    policy may choose the other side, and its strength is not the home's. With one policy nothing is taken off.
    """
    rows = results(tables)
    if not {"empire", "side"} <= set(rows.collect_schema()):
        return pl.DataFrame()
    beyond = [pl.col(name) - pl.col(name).mean().over("policy") for name in ("edge", "lead")]
    return estimates(rows.with_columns(beyond), "empire", "side")


def by_mat(tables: Tables, mats: pl.DataFrame) -> pl.DataFrame:
    """Return `seats.estimates` by mat, whichever side was chosen.

    Parameters
    ----------
    tables : Tables
    mats : DataFrame
        As `mats_of` gives them.

    Returns
    -------
    DataFrame
        mat (its number), name (its homes, A before B), n (games in which it was dealt), …. Empty without mats or homes
        in the log.
    """
    rows = results(tables)
    if mats.is_empty() or "empire" not in rows.collect_schema():
        return pl.DataFrame()
    found = estimates(rows.join(mats.lazy().select("mat", "empire"), on="empire"), "mat")
    named = mats.sort("mat", "side").group_by("mat", maintain_order=True).agg(pl.col("empire").str.join(" / "))
    return found.join(named.rename({"empire": "name"}), on="mat", maintain_order="left").select(
        "mat", "name", pl.all().exclude("mat", "name")
    )


def sides(tables: Tables, mats: pl.DataFrame) -> pl.DataFrame:
    """Return how often each side of a mat is chosen by who was dealt the mat.

    Returns
    -------
    DataFrame
        mat, side, empire, n (games in which the mat was dealt), k (side chosen), rate, low, high. A side that nobody
        chose is there with k = 0; mats that were never dealt are not.
    """
    rows = results(tables)
    if mats.is_empty() or "empire" not in rows.collect_schema():
        return pl.DataFrame()
    chosen = rows.group_by("empire").agg(pl.len().cast(pl.Int64).alias("k")).collect()
    counted = mats.join(chosen, on="empire", how="left", maintain_order="left").with_columns(pl.col("k").fill_null(0))
    dealt = counted.with_columns(pl.col("k").sum().over("mat").alias("n")).filter(pl.col("n") > 0)
    return with_rates(dealt.select(*MATS, "n", "k"))
