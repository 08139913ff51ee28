"""What a study of single tiles says: sentences, tables and charts from the frames of `tile_effects`."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import polars as pl

from nfsim.report.charts import tile_effects
from nfsim.report.formatting import MINUS, arrow, change, integer, p_value, percent, plus, points, rate, signed
from nfsim.report.naming import patches
from nfsim.report.page import Part
from nfsim.report.parts.outcomes import ANY_CONDITION
from nfsim.report.picture import Picture, one_axes, spoken
from nfsim.report.tables import ReportTable
from nfsim.studies.balance.effects import NAIVE, OFF, OWNERS, TAKERS, VPS, WINS, Changed
from nfsim.studies.compare.numbers import SURE
from nfsim.studies.compare.page import written

NAMES = {NAIVE: "As logged: owners against others", TAKERS: "Effect: the same seats with and without it"}

Row = dict[str, Any]


def effects_part(owned: pl.DataFrame, alike: pl.DataFrame, players: int) -> Part:
    """Return what tiles do for those who take them, beside what the log seems to say.

    Parameters
    ----------
    owned, alike : DataFrame
        As `tile_effects.owned` and `tile_holders.alike` return them.
    players : int
        Players of a game: with one VPs are compared, else wins.
    """
    if owned.is_empty():
        return Part("")
    measure = VPS if players == 1 else WINS
    own = owned.filter(pl.col("measure") == measure)
    takers, naive = (by_effect(own.filter(pl.col("estimate") == name), own) for name in (TAKERS, NAIVE))
    write = _write(measure)
    others = {r["tile"]: r for r in own.filter(pl.col("estimate") == OWNERS).to_dicts()}
    logged = {r["tile"]: r for r in naive.to_dicts()}
    check = {r["tile"]: r for r in alike.to_dicts()}
    head = [
        "Tile",
        "Effect on first takers (95 % interval)",
        "Without the tile → with it",
        "Adjusted p",
        "n",
        "As logged: owners against others",
        "Effect on owners at the end",
        "Alike until taken",
    ]
    rows = [
        [r["tile"], write(r), arrow(_level(r["before"], measure), _level(r["after"], measure)),
         p_value(r["p_adjusted"]), integer(r["n"]), write(logged[r["tile"]]), write(others[r["tile"]]),
         percent(check[r["tile"]]["alike"])]
        for r in takers.to_dicts()
    ]  # fmt: skip
    table = ReportTable("tile_effects", "With the tile and without it", head, rows, "lrrrrrrr",
                  owned.join(alike.select("tile", "alike", "leaked"), on="tile", how="left"))  # fmt: skip
    return Part("What a tile does for whoever takes it", sentences(takers, logged, alike, players), [table],
                [_picture(takers, naive, measure)])  # fmt: skip


def by_effect(frame: pl.DataFrame, own: pl.DataFrame) -> pl.DataFrame:
    """Sort tiles by their effect on takers, highest first."""
    effect = own.filter(pl.col("estimate") == TAKERS).select("tile", effect=pl.col("difference").fill_nan(None))
    return (
        frame.join(effect, on="tile").sort("effect", "tile", descending=[True, False], nulls_last=True).drop("effect")
    )


def sentences(takers: pl.DataFrame, logged: dict[str, Row], alike: pl.DataFrame, players: int) -> list[str]:
    """Return the effects in plain words, and what they rest on."""
    measure = VPS if players == 1 else WINS
    write, found = _write(measure), takers.filter(pl.col("difference").is_not_nan()).to_dicts()
    if not found:
        return ["No tile was taken often enough to say anything about it."]
    best, last = found[0], found[-1]
    verb, what = ("reaches", " VPs") if measure == VPS else ("wins", " of the games")
    text = [
        f"Largest effect: whoever takes {best['tile']} first {verb} {_level(best['after'], measure)}{what}, the same "
        f"seats in the same games without it {_level(best['before'], measure)}: {write(best)}, "
        f"n = {integer(best['n'])} games. Smallest: {last['tile']}, {write(last)}, n = {integer(last['n'])}."
    ]
    gaps = sorted(found, key=lambda r: -abs(r["difference"] - logged[r["tile"]]["difference"]))
    wrong = [r["tile"] for r in found if _opposite(r, logged[r["tile"]])]
    farthest, as_logged = gaps[0], logged[gaps[0]["tile"]]
    text.append(
        f"How far a log misleads: by {farthest['tile']}, owners differ from others by {write(as_logged)} as logged, "
        f"the tile makes {write(farthest)}; the rest is who comes to own it."
        + (f" Log and effect point in opposite directions for {', '.join(wrong)}." if wrong else "")
    )
    flagged = sum(r["p_adjusted"] < SURE for r in found)
    worst = max(found, key=lambda r: r["detectable"])
    small = worst["detectable"]
    text.append(
        f"{flagged} of {len(found)} effects are more than chance (adjusted p below {SURE}, Benjamini–Hochberg over all "
        f"comparisons of the table's file). A true effect of {_size(small, measure)} would have been found for each "
        "tile with a probability of 80 %."
    )
    shares = alike["alike"].fill_nan(None).drop_nulls()
    known = f" in at least {percent(float(str(shares.min())))} of the games" if len(shares) else ""
    text += [
        "All effects are those of how these policies use a tile: below zero means that they should leave it alone.",
        "What is compared: without it, a development lies on its stack at a price nobody can pay, and a world lies in "
        f"the bag as a blank. So draws stay the same, and both games are alike until the tile is first taken{known}; "
        "who takes it is settled by then, and the luck after it is fresh in both. A blank is nothing at all where "
        "another world might have been, so the effect of a world includes that of any world in its place: compare "
        "tiles with each other rather than with zero.",
        "Seats that own the tile at the end were chosen by how their game went on, so their comparison flatters or "
        "slanders a tile a little; it stands in the table to show by how much. As logged means owners against "
        + ("games without it." if players == 1 else "the average seat, which wins " + percent(1 / players) + "."),
    ]
    leaks = alike.filter(pl.col("leaked") > 0)["tile"].to_list()
    return [*text, *([f"Somebody got it all the same in some games: {', '.join(leaks)}."] if leaks else [])]


def _opposite(effect: Row, naive: Row) -> bool:
    """Tell whether both are more than chance and have different signs."""
    sure = all(r["p_adjusted"] < SURE for r in (effect, naive))
    return sure and effect["difference"] * naive["difference"] < 0


def _picture(takers: pl.DataFrame, naive: pl.DataFrame, measure: str) -> Picture:
    frame = pl.concat([
        source.select(pl.lit(NAMES[name]).alias("run"), "tile", "n", "before", "after", "difference", "low", "high")
        for name, source in ((NAIVE, naive), (TAKERS, takers))
    ])  # fmt: skip
    rates = measure == WINS
    unit = "percentage points of wins" if rates else "VPs"
    write = tile_effects.in_points if rates else tile_effects.in_vps
    return Picture(
        "tile_effects", "What the log shows, and what the tile does",
        f"{unit.capitalize() if rates else unit} that owners have ahead of others in the log, and that the seats which "
        "take the tile first gain over themselves in the same games without it. Largest effect first.",
        f"Differences in {unit}. {spoken(frame, 'tile', 'difference', write)}",
        frame,
        one_axes(partial(tile_effects.draw, rates=rates, unit=unit), frame, "tile"),
    )  # fmt: skip


def _write(measure: str) -> Any:
    """Return what writes the difference of a row."""

    def text(row: Row) -> str:
        bounds = row["difference"], row["low"], row["high"]
        return points(*bounds) if measure == WINS else change(*bounds, decimals=2)

    return text


def _level(value: float, measure: str) -> str:
    return percent(value) if measure == WINS else signed(value, 1)


def _size(value: float, measure: str) -> str:
    return f"{signed(100 * value, 1)} points" if measure == WINS else f"{signed(value, 2)} VPs"


def tile_parts(owned: pl.DataFrame, alike: pl.DataFrame, seen: pl.DataFrame, prices: pl.DataFrame,
               players: int) -> Sequence[Part]:  # fmt: skip
    """Return the parts of the section on tiles."""
    return [effects_part(owned, alike, players), sights_part(seen), prices_part(prices)]


def short_table(
    owned: pl.DataFrame, differences: pl.DataFrame, prices: pl.DataFrame, players: int
) -> tuple[list[str], list[list[str]]]:
    """Return heads and cells of one line a tile, for a terminal."""
    measure = VPS if players == 1 else WINS
    write, own = _write(measure), owned.filter(pl.col("measure") == measure)
    at = {(r["tile"], r["estimate"]): r for r in own.to_dicts()}
    vps = {
        r["tile"]: r
        for r in differences.filter(pl.col("change") == OFF, pl.col("figure") == VPS).to_dicts()
    }  # fmt: skip
    moved = {(r["tile"], r["change"]): r for r in prices.to_dicts()}
    changes = prices["change"].unique(maintain_order=True).to_list() if len(prices) else []
    what = "VPs" if measure == VPS else "wins"
    head = ["tile", f"effect on {what} (95 % interval)", "adjusted p", "n", f"{what}, as logged",
            "VPs of all seats without it", *(f"owned, {said(c)} (adjusted p)" for c in changes)]  # fmt: skip
    tiles = by_effect(own.filter(pl.col("estimate") == TAKERS), own)["tile"].to_list()

    def owned_then(tile: str, change_: str) -> str:
        r = moved.get((tile, change_))
        if r is None:
            return "–"
        return f"{arrow(percent(r['before']), percent(r['after']))} ({p_value(r['p_adjusted'])})"

    rows = [
        [tile, write(at[tile, TAKERS]), p_value(at[tile, TAKERS]["p_adjusted"]), integer(at[tile, TAKERS]["n"]),
         write(at[tile, NAIVE]), written(vps[tile]), *(owned_then(tile, c) for c in changes)]
        for tile in tiles
    ]  # fmt: skip
    return head, rows


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
