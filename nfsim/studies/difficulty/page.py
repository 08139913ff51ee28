"""The page about how hard solo conditions are: its parts, with the sentences that the games support."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import polars as pl
from matplotlib.figure import Figure

from nfsim.report import theme
from nfsim.report.charts import difficulty as chart
from nfsim.report.charts import rows
from nfsim.report.formatting import integer, p_value, points, rate
from nfsim.report.page import Part
from nfsim.report.parts import misses
from nfsim.report.parts.misses import Asked
from nfsim.report.parts.outcomes import ANY_CONDITION
from nfsim.report.picture import Picture, spoken
from nfsim.report.tables import ReportTable
from nfsim.studies.difficulty.numbers import AIMED, PLAYED, Key, extremes

HOW = (
    "Aimed: a policy that can aim played each condition as the only one open. The others cannot be told what to aim at "
    "and play as always: their rates say as much about what they like as about the condition. All conditions and rungs "
    "of a length play the same deals. Medians have bootstrap intervals."
)
WITHOUT, WITH = "without So Close", "with So Close"
Frame = pl.DataFrame


def hard(found: Frame) -> Part:
    """Return the part about the rates of one campaign: a small table and axes for each length.

    Parameters
    ----------
    found : DataFrame
        As `difficulty.rates` returns them, of one campaign.
    """
    tables = []
    for (rounds,), own in found.group_by("rounds", maintain_order=True):
        heads, cells = compact(own)
        title = f"{rounds} rounds: games that met it (95 % interval)"
        tables.append(ReportTable(f"rates_{rounds}", title, ["Condition", *heads], cells, "l" + "r" * len(heads), own))
    each = found.filter(pl.col("objective") != ANY_CONDITION)
    note = "Share of games that met each condition, with 95 % intervals. Policies that can aim aimed at it."
    picture = _picture("difficulty_rates", "Rates by condition and rung", note, each, "objective", "share of games")
    return Part("How hard is each condition", [], tables, [picture])


def told(found: Frame, compared: Frame) -> Part:
    """Return the part about which conditions are the easiest and the hardest, and how that is told.

    Parameters
    ----------
    found, compared : DataFrame
        As `difficulty.rates` and `difficulty.comparisons` return them, of one campaign.
    """
    how = [
        f"Conditions are compared game by game on the same deals. Of the {len(compared)} comparisons of this campaign "
        "those count whose p-value, adjusted after Benjamini and Hochberg, is below 0.05; where not even one does, "
        "conditions are not told apart. All of them stand in the last table of this campaign."
    ]  # fmt: skip
    return Part("Easiest and hardest", [*overall(found, compared), *(how if len(compared) else []), HOW])


def everything(found: Frame, compared: Frame, missing: ReportTable, needs: Mapping[tuple[int, str], str]) -> Part:
    """Return the part with the long tables.

    Parameters
    ----------
    found, compared : DataFrame
        As for `told`.
    missing : ReportTable
        What misses lack.
    needs : mapping of (rounds, condition) to str
        What each condition asks for, in words.
    """
    cells, notes, before = [], [], None
    for row in found.to_dicts():
        place = row["rounds"], row["objective"]
        notes.append("" if place == before else needs.get(place, ""))
        before = place
        median = misses.vps(row["score"], row["score_low"], row["score_high"])
        cells.append([
            row["objective"], str(row["rounds"]), row["rung"], _rate(row), integer(row["k"]), integer(row["n"]), median,
            row["games"],
        ])  # fmt: skip
    head = ["Condition", "Rounds", "Rung", "Rate (95 % interval)", "Met", "n", "Median VPs (95 %)", "Games"]
    rates = ReportTable("difficulty", "Rates and VPs", head, cells, "lrlrrrrl", found, notes)
    return Part("All numbers", [], [rates, missing, *comparisons(compared)])


def overall(found: Frame, compared: Frame) -> list[str]:
    """Say which condition is the easiest and which the hardest for every rung, length by length."""
    ends = extremes(found, compared)
    return [
        sentence
        for rounds, keys in groupby(ends, key=lambda key: key[1])
        for sentence in _for_all(rounds, {key: ends[key] for key in keys})
    ]


def _for_all(rounds: int, ends: Mapping[Key, tuple[list[str], list[str]]]) -> list[str]:
    """Say for which rungs which condition is the easiest and which the hardest."""
    telling = {key[2]: found for key, found in ends.items() if set(found[0]) != set(found[1])}
    sentences = []
    for place, word in enumerate(("Easiest", "Hardest")):
        rungs: dict[str, list[str]] = {}
        for rung, found in telling.items():
            rungs.setdefault(" or ".join(sorted(found[place])), []).append(rung)
        if rungs:
            listed = "; ".join(f"{name} for {_and(own)}" for name, own in rungs.items())
            sentences.append(f"{word} with {rounds} rounds: {listed}.")
    rest = [key[2] for key in ends if key[2] not in telling]
    if rest:
        sentences.append(f"With {rounds} rounds the games of {_and(rest)} do not tell the conditions apart.")
    return sentences


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def lacking(halves: Frame, shortfalls: Frame, asked: Asked) -> Part:
    """Return the part about misses of one campaign; frames as `difficulty.missing` returns them."""
    rung = halves["run"].unique(maintain_order=True).to_list()[-1]
    sentences = []
    for (panel,), own in halves.filter(pl.col("run") == rung).group_by("panel", maintain_order=True):
        listed = "; ".join(misses.most_lack(own, asked))
        if listed:
            sentences.append(f"{rung}, {panel}. {listed}.")
    return Part(misses.TITLE, [*sentences, misses.ABOUT], [], misses.pictures(halves, shortfalls))


def misses_table(halves: Frame, shortfalls: Frame, asked: Asked) -> ReportTable:
    """Return the long table of what misses lack; frames as for `lacking`."""
    table = misses.table(halves, shortfalls, asked)
    return replace(table, head=["Rung" if name == "Run" else name for name in table.head])


def campaign(chances: Frame, left_out: Sequence[str]) -> Part:
    """Return the part about the chance of the whole campaign.

    Parameters
    ----------
    chances : DataFrame
        rounds, rung, chip (bool), n, rate, low, high of one campaign.
    left_out : sequence of str
        Rungs of which there are no chances.
    """
    if chances.is_empty():
        return Part("The campaign")
    sentences = [
        "The chance to win four games in a row, each by another condition, computed from games of every position by "
        "dynamic programming; n counts the games that say what the plan is worth, as many others made the plan. The "
        "interval says how well the chance under this plan is known. As four games have to go well, it can lie far "
        "below the bound for any one of them."
    ]
    if left_out:
        sentences.append(f"Without chances: {', '.join(left_out)} (campaigns take names and files of weights).")
    heads, cells = campaign_cells(chances)
    table = ReportTable("campaign", "Chance (95 % interval)", ["Rung", *heads], cells, "l" + "r" * len(heads), chances)
    frame = chances.with_columns(
        pl.col("rung").alias("who"), pl.when("chip").then(pl.lit(WITH)).otherwise(pl.lit(WITHOUT)).alias("rung")
    )
    note = "Computed chance to win the whole campaign, with 95 % intervals."
    picture = _picture("campaign_chance", "Chance of the campaign", note, frame, "who", "chance of the campaign")
    return Part("The campaign", sentences, [table], [picture])


def campaign_cells(chances: Frame) -> tuple[list[str], list[list[str]]]:
    """Return the chances of one campaign as a small table: heads, and rows of rungs by lengths and chip."""
    columns = list(dict.fromkeys(chances.select("rounds", "chip").rows()))
    heads = [f"{rounds} rounds, {WITH if chip else WITHOUT}" for rounds, chip in columns]
    cells = {
        (row["rung"], row["rounds"], row["chip"]): f"{_rate(row)}, n = {integer(row['n'])}"
        for row in chances.to_dicts()
    }
    rungs = chances["rung"].unique(maintain_order=True)
    return heads, [[rung, *(cells.get((rung, *column), "–") for column in columns)] for rung in rungs]


def comparisons(compared: Frame) -> list[ReportTable]:
    """Return the table of all comparisons of the conditions of one campaign, if there are any."""
    if compared.is_empty():
        return []
    cells = [
        [row["objective"], row["other"], str(row["rounds"]), row["rung"],
         points(row["difference"], row["low"], row["high"]), p_value(row["p_adjusted"]),
         row["easier"] or "not told apart", integer(row["n"])]
        for row in compared.to_dicts()
    ]  # fmt: skip
    head = ["Condition", "Other", "Rounds", "Rung", "Difference (95 % interval)", "Adjusted p", "Easier", "n"]
    return [ReportTable("comparisons", "Conditions compared", head, cells, "llrlrrlr", compared)]


def _picture(name: str, title: str, note: str, frame: Frame, column: str, x: str) -> Picture:
    """Return rates with axes for each length; colours are the rungs (or what stands in the column rung)."""
    drawn = frame.with_columns(pl.col("rung").alias("run"), pl.col(column).alias("objective"))
    lengths = [own for _, own in drawn.group_by("rounds", maintain_order=True)]
    heights = [rows.height(own, "objective") for own in lengths]
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, sum(heights) + 0.3 * len(heights)), layout="constrained")
        axes = figure.subplots(len(lengths), 1, squeeze=False, height_ratios=heights)
        for own, (ax,) in zip(lengths, axes, strict=True):
            chart.draw(own, ax)
            ax.set_xlabel(f"{own['rounds'][0]} rounds: {x}, 95 % interval")
    cases = drawn.with_columns(pl.format("{}, {} rounds", "run", "rounds").alias("run"))
    return Picture(name, title, note, f"{title}. {spoken(cases, 'objective', 'rate', rate)}", frame, figure)


def _rate(row: Mapping[str, object]) -> str:
    return rate(*(float(str(row[name])) for name in ("rate", "low", "high")))


def compact(found: Frame) -> tuple[list[str], list[list[str]]]:
    """Return the rates of one campaign and length as a small table: heads, and rows of conditions by rungs.

    A head says the n of its rung; a cell with another n says its own.
    """
    each = found.filter(pl.col("objective") != ANY_CONDITION).group_by("rung", maintain_order=True).first()
    usual = dict(each.select("rung", "n").rows())
    heads = [
        f"{row['rung']} ({'aimed, ' if row['games'] == AIMED else ''}n = {integer(row['n'])})"
        for row in each.to_dicts()
    ]
    cells = {
        (row["objective"], row["rung"]): _rate(row)
        + ("" if row["n"] == usual[row["rung"]] else f", n = {integer(row['n'])}")
        for row in found.to_dicts()
    }
    lines = [
        [f"{name}, {PLAYED}" if name == ANY_CONDITION else name, *(cells[name, rung] for rung in usual)]
        for name in found["objective"].unique(maintain_order=True)
    ]
    return heads, lines
