"""The page about how hard solo conditions are: its parts, with the sentences that the games support."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import polars as pl
from matplotlib.figure import Figure

from nfsim.games.new_frontiers.analysis.outcomes import ANY_CONDITION
from nfsim.games.new_frontiers.analysis.solo import misses_parts
from nfsim.games.new_frontiers.analysis.solo.difficulty import AIMED, PLAYED, Key, extremes
from nfsim.games.new_frontiers.analysis.solo.misses_parts import Asked
from nfsim.report import theme
from nfsim.report.charts import difficulty as chart
from nfsim.report.charts import rows
from nfsim.report.numbers import integer, mean, rate
from nfsim.report.page import Part
from nfsim.report.picture import Picture, spoken
from nfsim.report.tables import Table

HOW = (
    "Aimed: a policy that can aim played each condition as the only one open. The others cannot be told what to aim at "
    "and play as always: their rates say as much about what they like as about the condition. All conditions and rungs "
    "of a length play the same deals. Medians have bootstrap intervals."
)
WITHOUT, WITH = "without So Close", "with So Close"
Frame = pl.DataFrame


def hard(found: Frame, compared: Frame, needs: Mapping[tuple[int, str], str]) -> Part:
    """Return the part about the rates of one campaign.

    Parameters
    ----------
    found, compared : DataFrame
        As `difficulty.rates` and `difficulty.comparisons` return them, of one campaign.
    needs : mapping of (rounds, condition) to str
        What each condition asks for, in words.
    """
    cells, notes, before = [], [], None
    for row in found.to_dicts():
        place = row["rounds"], row["condition"]
        notes.append("" if place == before else needs.get(place, ""))
        before = place
        median = misses_parts.vps(row["vp"], row["vp_low"], row["vp_high"])
        cells.append([
            row["condition"], str(row["rounds"]), row["rung"], _rate(row), integer(row["k"]), integer(row["n"]), median,
            row["games"],
        ])  # fmt: skip
    head = ["Condition", "Rounds", "Rung", "Rate (95 % interval)", "Met", "n", "Median VPs (95 %)", "Games"]
    table = Table("difficulty", "Rates by rung", head, cells, "lrlrrrrl", found, notes)
    each = found.filter(pl.col("condition") != ANY_CONDITION)
    note = "Share of games that met each condition, with 95 % intervals. Policies that can aim aimed at it."
    return Part(
        "How hard is each condition", [*overall(found, compared), HOW, *by_rung(found, compared)], [table],
        [_picture("difficulty_rates", "Rates by condition and rung", note, each, "condition", "share of games")],
    )  # fmt: skip


def by_rung(found: Frame, compared: Frame) -> list[str]:
    """Say for each rung which conditions are the easiest and the hardest, with their rates, and how that is told."""
    ends = extremes(found, compared)
    rows = {(row["rounds"], row["rung"], row["condition"]): row for row in found.to_dicts()}
    sentences = [_of_rung(key, own, rows) for key, own in ends.items()]
    if not compared.is_empty():
        sentences.append(
            f"Conditions are compared game by game on the same deals; of the {len(compared)} comparisons of this "
            "campaign those count whose p-value, adjusted after Benjamini and Hochberg, is below 0.05."
        )
    return sentences


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
    for place, word in enumerate(("easiest", "hardest")):
        rungs: dict[str, list[str]] = {}
        for rung, found in telling.items():
            names = sorted(found[place])
            rungs.setdefault(names[0] if len(names) == 1 else f"one of {', '.join(names)}", []).append(rung)
        if len(rungs) == 1:
            (name,) = rungs
            who = f"every rung that tells conditions apart ({', '.join(telling)})"
            sentences.append(f"With {rounds} rounds the {word} condition is {name} for {who}.")
        elif rungs:
            listed = "; ".join(f"{name} for {', '.join(own)}" for name, own in rungs.items())
            sentences.append(f"With {rounds} rounds the {word} condition differs: {listed}.")
    return sentences or [f"With {rounds} rounds no rung tells the conditions apart."]


def _of_rung(
    key: Key, ends: tuple[list[str], list[str]], rows: Mapping[tuple[int, str, str], Mapping[str, object]]
) -> str:
    """Say which conditions are the easiest and the hardest for one rung."""
    _, rounds, rung = key
    (first, *_), _ = ends
    row = rows[rounds, rung, first]
    n = integer(int(str(row["n"])))
    who = f"{rung} ({rounds} rounds, {row['games']}, n = {n})"
    if set(ends[0]) == set(ends[1]):
        met = f"meets none ({_rate(row)})" if row["k"] == 0 else "no condition can be told apart from the others"
        return f"{who}: {met}."
    parts = []
    for word, names in zip(("easiest", "hardest"), ends, strict=True):
        listed = " and ".join(f"{name} {_rate(rows[rounds, rung, name])}" for name in names)
        alike = "" if len(names) == 1 else ", which cannot be told apart"
        parts.append(f"{word} {listed}{alike}")
    return f"{who}: {'; '.join(parts)}."


def lacking(halves: Frame, shortfalls: Frame, asked: Asked) -> Part:
    """Return the part about misses of one campaign; frames as `difficulty.missing` returns them."""
    rung = halves["run"].unique(maintain_order=True).to_list()[-1]
    sentences = []
    for (panel,), own in halves.filter(pl.col("run") == rung).group_by("panel", maintain_order=True):
        listed = "; ".join(misses_parts.most_lack(own, asked))
        if listed:
            sentences.append(f"{rung}, {panel}. {listed}.")
    table = misses_parts.table(halves, shortfalls, asked)
    table = replace(table, head=["Rung" if name == "Run" else name for name in table.head])
    return Part(
        misses_parts.TITLE, [*sentences, misses_parts.ABOUT], [table], misses_parts.pictures(halves, shortfalls)
    )


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
        f"{rung}, {rounds} rounds: " + ", ".join(
            f"{_rate(row)} {WITH if row['chip'] else WITHOUT}" for row in own.to_dicts()
        ) + f" (n = {_span(own['n'])} games)."
        for (rounds, rung), own in chances.group_by("rounds", "rung", maintain_order=True)
    ]  # fmt: skip
    sentences.append(
        "The chance to win four games in a row, each by another condition, computed from games of every position by "
        "dynamic programming; n counts the games that say what the plan is worth, as many others made the plan. The "
        "interval says how well the chance under this plan is known."
    )
    if left_out:
        sentences.append(f"Without chances: {', '.join(left_out)} (campaigns take names and files of weights).")
    cells = [
        [row["rung"], str(row["rounds"]), WITH if row["chip"] else WITHOUT, _rate(row), integer(row["n"])]
        for row in chances.to_dicts()
    ]
    head = ["Rung", "Rounds", "So Close", "Chance (95 % interval)", "n"]
    table = Table("campaign", "Chance of the whole campaign", head, cells, "lrlrr", chances)
    frame = chances.with_columns(
        pl.col("rung").alias("who"), pl.when("chip").then(pl.lit(WITH)).otherwise(pl.lit(WITHOUT)).alias("rung")
    )
    note = "Computed chance to win the whole campaign, with 95 % intervals."
    picture = _picture("campaign_chance", "Chance of the campaign", note, frame, "who", "chance of the campaign")
    return Part("The campaign", sentences, [table], [picture])


def supported(compared: Frame) -> Part:
    """Return the part with all comparisons of the conditions of one campaign."""
    if compared.is_empty():
        return Part("Comparisons")
    cells = [
        [row["condition"], row["other"], str(row["rounds"]), row["rung"],
         mean(*(100 * row[name] for name in ("difference", "low", "high"))), f"{row['p_adjusted']:.2g}",
         row["easier"] or "not told apart", integer(row["n"])]
        for row in compared.to_dicts()
    ]  # fmt: skip
    head = ["Condition", "Other", "Rounds", "Rung", "Difference (points, 95 %)", "Adjusted p", "Easier", "n"]
    return Part("Comparisons", [], [Table("comparisons", "Conditions compared", head, cells, "llrlrrlr", compared)])


def _picture(name: str, title: str, note: str, frame: Frame, column: str, x: str) -> Picture:
    """Return rates with axes for each length; colours are the rungs (or what stands in the column rung)."""
    drawn = frame.with_columns(pl.col("rung").alias("run"), pl.col(column).alias("condition"))
    lengths = [own for _, own in drawn.group_by("rounds", maintain_order=True)]
    heights = [rows.height(own, "condition") for own in lengths]
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, sum(heights) + 0.3 * len(heights)), layout="constrained")
        axes = figure.subplots(len(lengths), 1, squeeze=False, height_ratios=heights)
        for own, (ax,) in zip(lengths, axes, strict=True):
            chart.draw(own, ax)
            ax.set_xlabel(f"{own['rounds'][0]} rounds: {x}, 95 % interval")
    cases = drawn.with_columns(pl.format("{}, {} rounds", "run", "rounds").alias("run"))
    return Picture(name, title, note, f"{title}. {spoken(cases, 'condition', 'rate', rate)}", frame, figure)


def _rate(row: Mapping[str, object]) -> str:
    return rate(*(float(str(row[name])) for name in ("rate", "low", "high")))


def _span(n: pl.Series) -> str:
    low, high = int(str(n.min())), int(str(n.max()))
    return integer(low) if low == high else f"{integer(low)} and {integer(high)}"


def compact(found: Frame) -> tuple[list[str], list[list[str]]]:
    """Return the rates of one campaign and length as a small table: heads, and rows of conditions by rungs.

    A head says the n of its rung; a cell with another n says its own.
    """
    each = found.filter(pl.col("condition") != ANY_CONDITION).group_by("rung", maintain_order=True).first()
    usual = dict(each.select("rung", "n").rows())
    heads = [
        f"{row['rung']} ({'aimed, ' if row['games'] == AIMED else ''}n = {integer(row['n'])})"
        for row in each.to_dicts()
    ]
    cells = {
        (row["condition"], row["rung"]): _rate(row)
        + ("" if row["n"] == usual[row["rung"]] else f", n = {integer(row['n'])}")
        for row in found.to_dicts()
    }
    lines = [
        [f"{name}, {PLAYED}" if name == ANY_CONDITION else name, *(cells[name, rung] for rung in usual)]
        for name in found["condition"].unique(maintain_order=True)
    ]
    return heads, lines
