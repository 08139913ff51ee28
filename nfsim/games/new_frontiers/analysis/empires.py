"""Empire mats: what each mat and each of its two home colonies is worth, and which side is chosen.

Mats are dealt at random, so differences between mats are caused by them; sides are chosen by the policies, so
differences between homes also show what else those who choose them had.
"""

import polars as pl

from nfsim.errors import BadInput
from nfsim.report.formatting import change, integer, rate
from nfsim.report.page import Part
from nfsim.report.parts.seats import (
    Row,
    estimate,
    estimates,
    flagged,
    results,
    strength,
    win_picture,
    with_equal_share,
    with_games,
)
from nfsim.report.picture import Group, in_order, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.frames import Tables
from nfsim.stats.intervals import with_rates

BY_MAT = "Share of games won with each mat, whichever side was chosen."
MATS = {"mat": pl.Int64, "side": pl.String, "empire": pl.String}


def mats_of(source: Source) -> pl.DataFrame:
    """Return the homes on the mats that a run was played with.

    Returns
    -------
    DataFrame
        mat (number printed on it), side, empire (name of the home). Empty if the set that was played is not at hand
        any more: its folder is gone or holds other tiles.
    """
    from nfsim.catalogue import patches
    from nfsim.games.new_frontiers.settings import read_settings
    from nfsim.games.new_frontiers.tiles import play
    from nfsim.games.new_frontiers.tiles.tile_set import TileSet

    scenario = source.say("scenario", default={})
    try:
        own = {key: scenario[key] for key in ("setup", "rules", "patch", "tiles") if key in scenario}
        settings = read_settings(own, source.folder)
        tiles = patches.apply(TileSet.load(settings.tiles), settings.patch, source.folder)
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
    rows = results(tables, "empire", "side")
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
    rows = results(tables, "empire", "side")
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
    rows = results(tables, "empire", "side")
    if mats.is_empty() or "empire" not in rows.collect_schema():
        return pl.DataFrame()
    chosen = rows.group_by("empire").agg(pl.len().cast(pl.Int64).alias("k")).collect()
    counted = mats.join(chosen, on="empire", how="left", maintain_order="left").with_columns(pl.col("k").fill_null(0))
    dealt = counted.with_columns(pl.col("k").sum().over("mat").alias("n")).filter(pl.col("n") > 0)
    return with_rates(dealt.select(*MATS, "n", "k"))


def chances(source: Source) -> dict[str, pl.DataFrame]:
    """Return the mats, whose chances should be equal since they are dealt at random."""
    return {"empire mat": by_mat(source.tables, mats_of(source))}


def part(group: Group) -> Part:
    """Return the part about empire mats and their sides."""
    title = "Empires"
    homes = stack_runs(with_games(group), home_frame)
    if homes.is_empty():
        return Part(title)
    mats = stack_runs(with_games(group), lambda source: by_mat(source.tables, mats_of(source)))
    text = [
        "Mats are dealt at random, so what sets mats apart is caused by them, for these policies. Sides are chosen by "
        "the policies: the numbers of a home hold for the games in which it was chosen, by whoever chose it."
    ]
    pictures = []
    if not mats.is_empty():
        best = -pl.col("rate").mean().over("name")
        mats = in_order(with_equal_share(mats, group).with_columns(best.alias("best")), group, "best", "mat")
        mats = mats.drop("best")
        text += flagged(mats, "name", "Win rate by mat against the equal share", group)
        pictures.append(win_picture("mat_wins", "Wins by empire mat", BY_MAT, mats, "name", show_n=True))
    keys = [key for key in ("mat", "side", "name") if key in homes.columns]
    homes = in_order(with_equal_share(homes, group), group, *keys)
    text += flagged(homes, "name", "Win rate by home against that of the same policies with any home", group)
    rows = [
        [r["name"], r["run"], share(r, "rate"), share(r, "chosen"), estimate(r, "lead", change), integer(r["n"] or 0)]
        for r in homes.to_dicts()
    ]
    head = ["Home", "Run", "Wins (95 % interval)", "Chosen when dealt", "VPs above the policies' mean", "n"]
    notes = [strength(r) for r in homes.to_dicts()]
    table = ReportTable("homes", "Homes", head, rows, "llrrrr", homes, notes)
    return Part(title, text, [without_run(group, table)], pictures, chances=True)


def home_frame(source: Source) -> pl.DataFrame:
    """Return a run's homes: name (with mat and side), how often chosen when dealt, and `estimates`."""
    found = by_home(source.tables)
    if found.is_empty():
        return found
    chosen = sides(source.tables, mats_of(source))
    if chosen.is_empty():
        return found.select(pl.format("{} ({})", "empire", "side").alias("name"), pl.all())
    offered = chosen.select(
        "mat", "side", "empire", dealt="n", chosen="rate", chosen_low="low", chosen_high="high"
    )  # fmt: skip
    name = pl.format("{} ({}{})", "empire", "mat", "side").alias("name")
    joined = offered.join(found, on=["empire", "side"], how="left", maintain_order="left")
    return joined.select(name, pl.all()).with_columns(pl.col("n").fill_null(0))


def share(row: Row, name: str) -> str:
    """Write a share with its Wilson interval; a dash where there is none."""
    low, high = ("low", "high") if name == "rate" else (f"{name}_low", f"{name}_high")
    return "–" if row.get(name) is None else rate(row[name], row[low], row[high])
