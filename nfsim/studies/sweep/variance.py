"""How much of what a sweep shows comes from the records that are not known, from the player, and from chance.

Bags drawn at random are crossed with policies: a cell is a bag played by a policy. The variance between cells
is split into bags, players, both together (a bag that suits one player), and the Monte Carlo noise of a cell's mean.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from matplotlib.figure import Figure

from nfsim.report import theme
from nfsim.report.charts.levels import draw_bags
from nfsim.report.charts.stacked import ROW, draw_shares
from nfsim.report.formatting import integer, mean, percent, rate, rate_interval, signed
from nfsim.report.page import Part
from nfsim.report.picture import Picture
from nfsim.report.tables import ReportTable
from nfsim.stats.components import Components, Spread, components, spread
from nfsim.studies.compare.numbers import RATE
from nfsim.studies.sweep.numbers import Axis, Floats, Place, Swept, over_units

FEWEST_BAGS = 5
MOST_SAID = 6  # sentences about shares, and about spreads
POLICY = "policy"
SPREAD = "That standard deviation is the error bar of any level claimed for the printed game."
ROWS, BOTH, COLUMNS, NOISE, WITH_ROWS = "rows", "both", "columns", "noise", "with_rows"  # of `components`


def sources(records: str) -> dict[str, str]:
    """Return what the variance comes from, in words, by its name in `components`."""
    return {ROWS: records, BOTH: f"{records} × player", COLUMNS: "player", NOISE: "Monte Carlo noise"}


def in_all(records: str) -> str:
    """Return what the records' share alone and with the player is called."""
    return f"{records} in all"


class Study(NamedTuple):
    """The variance of a sweep over bags.

    Attributes
    ----------
    shares : DataFrame
        Shares of the variance between cells: a column for other axes, figure, source, variance, share, low, high,
        n (games a cell), bags, players. Empty with a single player.
    spreads : DataFrame
        Standard deviation over bags without noise: level (who plays, and other axes), figure, unit, bags, n, mean,
        low, high (of the mean, over bags), sd, sd_low, sd_high.
    cells : DataFrame
        level, bag, figure, value.
    """

    shares: pl.DataFrame
    spreads: pl.DataFrame
    cells: pl.DataFrame


def study(swept: Swept, chosen: str) -> Study | None:
    """Split the variance of the chosen figure and of the score; None without at least five sets of records."""
    bags = next((axis for axis in swept.axes if axis.name == swept.words.records), None)
    if bags is None or len(bags.labels) < FEWEST_BAGS or len(swept.games[0]) < 2:
        return None
    players = next((axis for axis in swept.axes if axis.name == POLICY), None)
    others = [axis for axis in swept.axes if axis not in (bags, players)]
    shares: list[dict[str, Any]] = []
    spreads: list[dict[str, Any]] = []
    cells: list[dict[str, Any]] = []
    for rest in itertools.product(*(range(len(axis.labels)) for axis in others)):
        fixed = {axis.name: level for axis, level in zip(others, rest, strict=True)}
        words = ", ".join(axis.labels[level] for axis, level in zip(others, rest, strict=True))
        for figure in dict.fromkeys([chosen, swept.words.score]):
            if figure not in swept.units:
                continue
            block = _block(swept, figure, bags, players, fixed)
            if players is not None and len(players.labels) > 1:
                found = components(block)
                shares += _share_rows(found, figure, words, block.shape, swept.words.records)
            for place in range(block.shape[1]):
                who = players.labels[place] if players is not None else ""
                level = ", ".join(part for part in (who, words) if part) or "all bags"
                values = block[:, place].mean(axis=1)
                about = {"level": level, "figure": figure, "unit": swept.units[figure], "n": block.shape[2]}
                bounds = over_units(values, swept.units[figure], block.shape[2])
                spreads.append(about | _spread_row(spread(block[:, place]), values) | bounds)
                named = zip(bags.labels, values.tolist(), strict=True)
                cells += [{"level": level, "bag": bag, "figure": figure, "value": value} for bag, value in named]
    return Study(*(pl.DataFrame(rows, infer_schema_length=None) for rows in (shares, spreads, cells)))


def _block(swept: Swept, figure: str, bags: Axis, players: Axis | None, fixed: Mapping[str, int]) -> Floats:
    """Return a figure as an array with the axes bag, player, game."""

    def place(bag: int, player: int) -> Place:
        return tuple(bag if axis is bags else player if axis is players else fixed[axis.name] for axis in swept.axes)

    who = range(len(players.labels) if players is not None else 1)
    rows = [[swept.values(place(bag, player), figure) for player in who] for bag in range(len(bags.labels))]
    return np.asarray(rows, np.float64)


def _share_rows(found: Components, figure: str, words: str, shape: Sequence[int], records: str) -> list[dict[str, Any]]:
    bags, players, n = shape
    about = {"others": words, "figure": f"{figure}, {words}" if words else figure}
    sizes = {"n": n, "bags": bags, "players": players}
    rows = []
    for name, source in {**sources(records), WITH_ROWS: in_all(records)}.items():
        share, low, high = found.shares[name]
        variance = getattr(found, name)[0]
        rows.append(
            {**about, "source": source, "variance": variance, "share": share, "low": low, "high": high, **sizes}
        )
    return rows


def _spread_row(found: Spread, values: Floats) -> dict[str, Any]:
    names = ("sd", "sd_low", "sd_high")
    return {"bags": values.size, "mean": float(values.mean()), **dict(zip(names, found.sd, strict=True))}


def parts(swept: Swept, found: Study | None) -> list[Part]:
    """Return the part of a page about the variance; none if there is nothing to split."""
    if found is None:
        return []
    tables, pictures = [_spread_table(found)], []
    if len(found.shares):
        tables.insert(0, _share_table(found))
        pictures.append(_share_picture(found, swept.words.records))
    pictures += [
        _bag_picture(found, figure, swept.words.score) for figure in found.cells["figure"].unique(maintain_order=True)
    ]
    return [Part(f"How much the unknown {swept.words.records} matter", sentences(swept, found), tables, pictures)]


def sentences(swept: Swept, found: Study) -> list[str]:
    """Say what the variance comes from, and how far a rate could lie off for the printed game."""
    said = []
    rows, whole = found.shares.to_dicts(), in_all(swept.words.records)
    figures = list(dict.fromkeys(row["figure"] for row in rows))
    for figure in figures[:MOST_SAID]:
        own = {row["source"]: row for row in rows if row["figure"] == figure}
        shares = ", ".join(f"{source} {_share(row)}" for source, row in own.items() if source != whole)
        first = own[whole]
        said.append(
            f"{figure}: of the variance between cells ({first['bags']} bags × {first['players']} players, "
            f"{integer(first['n'])} games each) {shares}; {swept.words.records} alone and with the player "
            f"{_share(first)}."
        )
    if figures:
        said.append("The player's share depends on which players are compared: a far weaker one makes it large.")
    said += [
        f"{row['figure']}, {row['level']}: {_mean(row)} on average over {row['bags']} bags; the standard deviation "
        f"over bags is {_sd(row)}, Monte Carlo noise taken off (n = {integer(row['n'])} games each)."
        for row in found.spreads.head(MOST_SAID).to_dicts()
    ]
    if max(len(figures), len(found.spreads)) > MOST_SAID:
        said.append("The tables have all other levels.")
    if swept.bags is None:
        return [*said, f"The {swept.words.record} sets were named, not drawn: this says nothing about others."]
    return [*said, " ".join(filter(None, (SPREAD, swept.metrics.about_drawn)))]


def _share(row: Mapping[str, Any]) -> str:
    return f"{percent(row['share'])} ({rate_interval(row['low'], row['high'])})"


def _mean(row: Mapping[str, Any]) -> str:
    return (rate if row["unit"] == RATE else mean)(row["mean"], row["low"], row["high"])


def _sd(row: Mapping[str, Any]) -> str:
    scale, unit = (100, " points") if row["unit"] == RATE else (1, "")
    sd, low, high = (signed(scale * row[name], 1) for name in ("sd", "sd_low", "sd_high"))
    return f"{sd}{unit} ({low}–{high})"


def _share_table(found: Study) -> ReportTable:
    rows = [
        [row["figure"], row["source"], _share(row), f"{row['bags']} × {row['players']}", integer(row["n"])]
        for row in found.shares.to_dicts()
    ]
    head = ["Figure", "Source", "Share of variance (95 % interval)", "Bags × players", "n a cell"]
    return ReportTable("variance", "Where the variance comes from", head, rows, "llrrr", found.shares)


def _spread_table(found: Study) -> ReportTable:
    rows = [
        [row["level"], row["figure"], _mean(row), _sd(row), integer(row["bags"]), integer(row["n"])]
        for row in found.spreads.to_dicts()
    ]
    head = [
        "Player",
        "Figure",
        "Mean (95 % interval)",
        "Standard deviation (95 % interval)",
        "Bags",
        "n each",
    ]
    return ReportTable("bag_spread", "How much bags differ", head, rows, "llrrrr", found.spreads)


def _share_picture(found: Study, records: str) -> Picture:
    figures = found.shares["figure"].n_unique()
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, 1.2 + ROW * figures), layout="constrained")
        draw_shares(found.shares.filter(pl.col("source") != in_all(records)), figure.subplots())
    first = found.shares.row(0, named=True)
    alt = "Shares of the variance. " + " ".join(
        f"{row['figure']}, {row['source']}: {_share(row)}." for row in found.shares.to_dicts()
    )
    note = (
        f"Variance between the {first['bags'] * first['players']} cells (a bag played by a policy), n = "
        f"{integer(first['n'])} games in each. The table has 95 % intervals (bootstrap over bags, the policies "
        "taken as given; from 20 bags such an interval covers the truth in about 90 %)."
    )
    return Picture("variance_shares", f"{records.capitalize()}, player or chance", note, alt, found.shares, figure)


def _bag_picture(found: Study, name: str, unit: str) -> Picture:
    cells, spreads = (frame.filter(pl.col("figure") == name) for frame in (found.cells, found.spreads))
    first = spreads.row(0, named=True)
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, 1.3 + ROW * len(spreads)), layout="constrained")
        ax = draw_bags(cells, spreads, figure.subplots(), rate=first["unit"] == RATE)
        ax.set_title(name, fontsize=9.5)
        # elsewhere such a bar is an interval
        ax.set_xlabel(
            f"dots: {first['bags']} bags, n = {integer(first['n'])} each;\nblack: mean and one standard deviation"
        )
    alt = f"{name} by bag. " + " ".join(
        f"{row['level']}: mean {_mean(row)}, standard deviation {_sd(row)}." for row in spreads.to_dicts()
    )
    note = (
        f"Each dot is a bag (n = {integer(first['n'])} games each, {first['bags']} bags); below them the mean, and "
        "one standard deviation over bags on each side, Monte Carlo noise taken off."
    )
    slug = "score" if name == unit else "rate"
    return Picture(f"bags_{slug}", f"{name}, bag by bag", note, alt, cells, figure)


def frames(found: Study | None) -> dict[str, pl.DataFrame]:
    """Return the frames of a study for machines."""
    return {} if found is None else {"variance": found.shares, "bag_spread": found.spreads, "bags": found.cells}
