"""What a study of single tiles says about all games: what changes without a tile and at another cost, and the arms."""

from collections.abc import Sequence
from functools import partial

import polars as pl

from nfsim.games.new_frontiers.analysis.compare import SURE
from nfsim.games.new_frontiers.analysis.compare_parts import written
from nfsim.games.new_frontiers.analysis.outcomes import ANY_CONDITION
from nfsim.games.new_frontiers.analysis.tiles.holders import OFF, VPS, Changed
from nfsim.report.charts import tile_effects
from nfsim.report.formatting import MINUS, arrow, integer, p_value, percent, plus, points, rate, signed
from nfsim.report.naming import patches
from nfsim.report.page import Part
from nfsim.report.picture import Picture, one_axes, spoken
from nfsim.report.tables import ReportTable

SAID = 4  # things of one kind that are put into words; all are in the tables
ELSEWHERE = (VPS, "Rounds", ANY_CONDITION)  # figures that have columns of their own


def sights_part(differences: pl.DataFrame) -> Part:
    """Return what every change of a tile does to all games, from `tile_effects.differences`."""
    if differences.is_empty():
        return Part("")
    first = [name for name in ELSEWHERE if name in differences["figure"]]
    at = {(r["tile"], r["change"], r["figure"]): r for r in differences.to_dicts()}
    pairs = differences.select("tile", "change").unique(maintain_order=True).rows()
    rows = [
        [tile, said(change_), *(written(at[tile, change_, name]) for name in first),
         signed(at[tile, change_, VPS]["correlation"], 2), percent(at[tile, change_, VPS]["same"]),
         integer(at[tile, change_, VPS]["n"])]
        for tile, change_ in pairs
    ]  # fmt: skip
    head = ["Tile", "Change", *first, "Correlation of VPs", "Same result", "n"]
    table = ReportTable("tile_differences", "What changes in all games (95 % intervals)", head, rows,
                  "ll" + "r" * (len(head) - 2), differences)  # fmt: skip
    off = differences.filter(pl.col("change") == OFF, pl.col("figure") == VPS).sort("difference")
    return Part("What a change of one tile does to all games", _seen(differences, off), [table],
                [] if off.is_empty() else [_vps(off)])  # fmt: skip


def _seen(differences: pl.DataFrame, off: pl.DataFrame) -> list[str]:
    vps = differences.filter(pl.col("figure") == VPS)
    n, widest = int(vps["n"].to_numpy().max()), float(vps["detectable"].to_numpy().max())
    text = [
        f"Every arm plays the same {integer(n)} games; differences are those to the games in which nothing is changed, "
        f"whoever had the tile. A change of {signed(widest, 2)} VPs would have been found in every arm with a "
        "probability of 80 %; adjusted p-values (Benjamini–Hochberg over all figures, tiles and changes) and what "
        "pairing bought are in the CSV file."
    ]
    if len(off):
        listed = [f"{r['tile']} {written(r)}" for r in off.head(SAID).to_dicts()]
        low, high = (float(x) for x in (off["correlation"].to_numpy().min(), off["correlation"].to_numpy().max()))
        text.append(
            f"VPs of a player without it, most missed first: {'; '.join(listed)}. The VPs of a game with and without "
            f"a tile have a correlation of {signed(low, 2)} to {signed(high, 2)}."
        )
    rest = differences.filter(~pl.col("figure").is_in(ELSEWHERE), pl.col("p_adjusted").fill_nan(None) < SURE)
    rest = rest.sort(pl.col("difference").abs(), descending=True)
    if len(rest):
        listed = [
            f"{r['figure']} {written(r)} with {r['tile']} {said(r['change'])}" for r in rest.head(SAID).to_dicts()
        ]
        text.append(f"Of the rates of {'end reasons and wins' if 'Rounds' in differences['figure'] else 'objectives'}, "
                    f"{len(rest)} differ by more than chance, the largest first: {'; '.join(listed)}.")  # fmt: skip
    return text


def _vps(off: pl.DataFrame) -> Picture:
    frame = off.select(pl.lit("Without the tile").alias("run"), "tile", "n", "before", "after", "difference", "low",
                       "high")  # fmt: skip
    return Picture(
        "tile_vps", "VPs without the tile",
        "Change of a player's mean VPs over all games when nobody can have the tile, most missed first.",
        f"Change of mean VPs. {spoken(frame, 'tile', 'difference', tile_effects.in_vps)}",
        frame,
        one_axes(partial(tile_effects.draw, rates=False, unit="VPs of a player"), frame, "tile"),
    )  # fmt: skip


def prices_part(prices: pl.DataFrame) -> Part:
    """Return how a tile's cost moves how often it is owned, from `tile_effects.prices`."""
    if prices.is_empty():
        return Part("")
    rows = [
        [r["tile"], said(r["change"]), points(r["difference"], r["low"], r["high"]),
         arrow(percent(r["before"]), percent(r["after"])), f"{plus(100 * r['relative'], 0)} %",
         p_value(r["p_adjusted"]), integer(r["n"]), rate(r["base_wins"], r["base_low"], r["base_high"]),
         rate(r["arm_wins"], r["arm_low"], r["arm_high"])]
        for r in prices.to_dicts()
    ]  # fmt: skip
    head = ["Tile", "Change", "Seats that own it: difference (95 % interval)", "Before → after", "Relative change",
            "Adjusted p", "n", "Owners' wins before", "Owners' wins after"]  # fmt: skip
    table = ReportTable("tile_prices", "Ownership at another cost", head, rows, "llrrrrrrr", prices)
    most = max(prices.to_dicts(), key=lambda r: abs(r["relative"]) if r["relative"] == r["relative"] else 0.0)
    text = [
        f"Most sensitive to its cost: {most['tile']}. {said(most['change']).capitalize()}, it is owned by "
        f"{percent(most['after'])} of the seats instead of {percent(most['before'])}: "
        f"{points(most['difference'], most['low'], most['high'])}, n = {integer(most['n'])} games.",
        "The cost of a military world is its defense. How often a tile is owned is an effect of its cost. How often "
        "its owners win is not: at another cost others own it. A tile that is always taken, every copy of it, cannot "
        "be owned more often; then only its owners' wins move.",
    ]
    frame = prices.with_columns(pl.col("change").str.replace("-", MINUS, literal=True).alias("run"))
    return Part("What one credit more or less does", text, [table], [_owned(frame)])


def _owned(prices: pl.DataFrame) -> Picture:
    frame = prices.select("run", "tile", "n", "before", "after", "difference", "low", "high")
    unit = "percentage points of seats that own it"
    return Picture(
        "tile_prices", "Ownership at another cost",
        "Change of the share of seats that own the tile at the end when its cost (a military world's defense) moves.",
        f"Differences in {unit}. {spoken(frame, 'tile', 'difference', tile_effects.in_points)}",
        frame,
        one_axes(partial(tile_effects.draw, rates=True, unit=unit), frame, "tile"),
    )  # fmt: skip


def said(change_: str) -> str:
    """Write a change with a true minus sign."""
    return change_.replace("-", MINUS)


def arms_part(arms: Sequence[Changed]) -> Part:
    """Return what each arm changes, and where its run lies: the head of the page names the games as they are only."""
    rows = [[arm.tile, said(arm.change), patches(arm.source)[-1], arm.source.folder.name] for arm in arms]
    head = ["Tile", "Change", "Patch", "Folder"]
    frame = pl.DataFrame(rows, [name.lower() for name in head], orient="row")
    games = integer(arms[0].source.games)
    text = (
        f"{len(arms)} arms beside the games as they are, {games} games each on the same deals; each has one patch more."
    )
    return Part("Arms", [text], [ReportTable("tile_arms", "Arms", head, rows, "llll", frame)])
