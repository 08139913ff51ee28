"""The page about how hard objectives are: its parts, with the sentences that the games support."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import polars as pl
from matplotlib.figure import Figure

from nfsim.contract.objectives import Words
from nfsim.report import theme
from nfsim.report.charts import rows
from nfsim.report.charts.rates import draw_rates
from nfsim.report.formatting import integer, p_value, points, rate
from nfsim.report.metrics import Metrics
from nfsim.report.page import Part
from nfsim.report.parts import misses
from nfsim.report.parts.misses import Asked
from nfsim.report.picture import Picture, spoken
from nfsim.report.tables import ReportTable
from nfsim.studies.difficulty.numbers import AIMED, PLAYED, Key, extremes

Frame = pl.DataFrame


def how(words: Words) -> str:
    """Say what was played."""
    return (
        f"Aimed: a policy that can aim played each {words.objective} as the only one open. The others do "
        "not aim and play as always: their rates say as much about what they like as about the "
        f"{words.objective}. All {words.objectives} and players of a length play the same deals. Medians have "
        "bootstrap intervals."
    )


def hard(found: Frame, words: Words) -> Part:
    """Return the part about the rates of one campaign: a small table and axes for each length.

    Parameters
    ----------
    found : DataFrame
        As `rates` returns them, of one campaign.
    words : Words
        Of the game.
    """
    tables, objective = [], words.objective
    for (rounds,), own in found.group_by("rounds", maintain_order=True):
        heads, cells = compact(own, words)
        title = f"{rounds} rounds: games that met it (95 % interval)"
        tables.append(
            ReportTable(f"rates_{rounds}", title, [objective.capitalize(), *heads], cells, "l" + "r" * len(heads), own)
        )
    each = found.filter(pl.col("objective") != words.any_objective)
    note = f"Share of games that met each {objective}, with 95 % intervals. Policies that can aim aimed at it."
    picture = rates_picture(
        "difficulty_rates", f"Rates by {objective} and player", note, each, "objective", "share of games"
    )
    return Part(f"How hard is each {objective}", [], tables, [picture])


def easiest_and_hardest(found: Frame, compared: Frame, words: Words) -> Part:
    """Return the part about which objectives are the easiest and the hardest, and how that is found.

    Parameters
    ----------
    found, compared : DataFrame
        As `rates` and `comparisons` return them, of one campaign.
    words : Words
        Of the game.
    """
    objectives = words.objectives
    compared_how = [
        f"{objectives.capitalize()} are compared game by game on the same deals. Of the {len(compared)} "
        "comparisons of this campaign those count whose p-value, adjusted after Benjamini and Hochberg, is below 0.05. "
        "All of them stand in the last table of this campaign."
    ]  # fmt: skip
    return Part(
        "Easiest and hardest", [*overall(found, compared, words), *(compared_how if len(compared) else []), how(words)]
    )


def everything(
    found: Frame, compared: Frame, missing: ReportTable, needs: Mapping[tuple[int, str], str], words: Words
) -> Part:
    """Return the part with the long tables.

    Parameters
    ----------
    found, compared : DataFrame
        As for `easiest_and_hardest`.
    missing : ReportTable
        What misses lack.
    needs : mapping of (rounds, objective) to str
        What each objective asks for, in words.
    words : Words
        Of the game.
    """
    cells, notes, before = [], [], None
    for row in found.to_dicts():
        place = row["rounds"], row["objective"]
        notes.append("" if place == before else needs.get(place, ""))
        before = place
        median = misses.score_text(row["score"], row["score_low"], row["score_high"])
        cells.append([
            row["objective"], str(row["rounds"]), row["player"], _rate(row), integer(row["k"]), integer(row["n"]),
            median, row["games"],
        ])  # fmt: skip
    head = [words.objective.capitalize(), "Rounds", "Player", "Rate (95 % interval)", "Met", "n",
            f"Median {words.score} (95 %)", "Games"]  # fmt: skip
    rates = ReportTable("difficulty", f"Rates and {words.score}", head, cells, "lrlrrrrl", found, notes)
    return Part("All numbers", [], [rates, missing, *comparisons(compared, words)])


def overall(found: Frame, compared: Frame, words: Words) -> list[str]:
    """Say which objective is the easiest and which the hardest for every player that aims, length by length."""
    ends = extremes(found.filter(pl.col("games") == AIMED), compared, words.any_objective)
    return [
        sentence
        for rounds, keys in groupby(ends, key=lambda key: key[1])
        for sentence in _for_all(rounds, {key: ends[key] for key in keys}, words.objectives)
    ]


def _for_all(rounds: int, ends: Mapping[Key, tuple[list[str], list[str]]], objectives: str) -> list[str]:
    """Say for which players which objective is the easiest and which the hardest."""
    telling = {key[2]: found for key, found in ends.items() if set(found[0]) != set(found[1])}
    sentences = []
    for place, word in enumerate(("Easiest", "Hardest")):
        players: dict[str, list[str]] = {}
        for player, found in telling.items():
            players.setdefault(" or ".join(sorted(found[place])), []).append(player)
        if players:
            listed = "; ".join(f"{name} for {_and(own)}" for name, own in players.items())
            sentences.append(f"{word} with {rounds} rounds: {listed}.")
    rest = [key[2] for key in ends if key[2] not in telling]
    if rest:
        sentences.append(f"With {rounds} rounds the games of {_and(rest)} show no difference between the {objectives}.")
    return sentences


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def lacking(halves: Frame, shortfalls: Frame, asked: Asked, words: Words, metrics: Metrics) -> Part:
    """Return the part about misses of one campaign; frames as `missing` returns them."""
    player = halves["run"].unique(maintain_order=True).to_list()[-1]
    sentences = []
    for (panel,), own in halves.filter(pl.col("run") == player).group_by("panel", maintain_order=True):
        listed = "; ".join(misses.most_lack(own, asked, words.score))
        if listed:
            sentences.append(f"{player}, {panel}. {listed}.")
    drawn = misses.pictures(halves, shortfalls, words, metrics)
    return Part(misses.TITLE, [*sentences, misses.about(words, metrics)], [], drawn)


def misses_table(halves: Frame, shortfalls: Frame, asked: Asked, words: Words, metrics: Metrics) -> ReportTable:
    """Return the long table of what misses lack; frames as for `lacking`."""
    table = misses.table(halves, shortfalls, asked, words, metrics)
    return replace(table, head=["Player" if name == "Run" else name for name in table.head])


def campaign(chances: Frame, left_out: Sequence[str], metrics: Metrics) -> Part:
    """Return the part about the chance of the whole campaign.

    Parameters
    ----------
    chances : DataFrame
        rounds, player, chip (bool: whether misses were mended), n, rate, low, high of one campaign.
    left_out : sequence of str
        Players of which there are no chances.
    metrics : Metrics
        Of the game.
    """
    if chances.is_empty():
        return Part("The campaign")
    sentences = [metrics.about_series] if metrics.about_series else []
    if left_out:
        sentences.append(f"Without chances: {', '.join(left_out)} (campaigns take names and files of weights).")
    heads, cells = campaign_cells(chances, metrics)
    table = ReportTable(
        "campaign", "Chance (95 % interval)", ["Player", *heads], cells, "l" + "r" * len(heads), chances
    )
    without, mended = with_mending(metrics)
    frame = chances.with_columns(
        pl.col("player").alias("who"), pl.when("chip").then(pl.lit(mended)).otherwise(pl.lit(without)).alias("player")
    )
    note = "Computed chance to win the whole campaign, with 95 % intervals."
    picture = rates_picture("campaign_chance", "Chance of the campaign", note, frame, "who", "chance of the campaign")
    return Part("The campaign", sentences, [table], [picture])


def with_mending(metrics: Metrics) -> tuple[str, str]:
    """Return what it is called that misses cannot be mended, and that they can."""
    name = metrics.mending.name if metrics.mending is not None else "mending"
    return f"without {name}", f"with {name}"


def campaign_cells(chances: Frame, metrics: Metrics) -> tuple[list[str], list[list[str]]]:
    """Return the chances of one campaign as a small table: heads, and rows of players by lengths and chip."""
    columns = list(dict.fromkeys(chances.select("rounds", "chip").rows()))
    names = with_mending(metrics)
    heads = [f"{rounds} rounds, {names[chip]}" for rounds, chip in columns]
    cells = {
        (row["player"], row["rounds"], row["chip"]): f"{_rate(row)}, n = {integer(row['n'])}"
        for row in chances.to_dicts()
    }
    players = chances["player"].unique(maintain_order=True)
    return heads, [[player, *(cells.get((player, *column), "–") for column in columns)] for player in players]


def comparisons(compared: Frame, words: Words) -> list[ReportTable]:
    """Return the table of all comparisons of the objectives of one campaign, if there are any."""
    if compared.is_empty():
        return []
    cells = [
        [row["objective"], row["other"], str(row["rounds"]), row["player"],
         points(row["difference"], row["low"], row["high"]), p_value(row["p_adjusted"]),
         row["easier"] or "no difference shown", integer(row["n"])]
        for row in compared.to_dicts()
    ]  # fmt: skip
    head = [
        words.objective.capitalize(),
        "Other",
        "Rounds",
        "Player",
        "Difference (95 % interval)",
        "Adjusted p",
        "Easier",
        "n",
    ]
    return [ReportTable("comparisons", f"{words.objectives.capitalize()} compared", head, cells, "llrlrrlr", compared)]


def rates_picture(name: str, title: str, note: str, frame: Frame, column: str, x: str) -> Picture:
    """Return rates with axes for each length; colours are the players (or what stands in the column player)."""
    drawn = frame.with_columns(pl.col("player").alias("run"), pl.col(column).alias("objective"))
    lengths = [own for _, own in drawn.group_by("rounds", maintain_order=True)]
    heights = [rows.height(own, "objective") for own in lengths]
    with theme.style():
        figure = Figure(figsize=(theme.WIDTH, sum(heights) + 0.3 * len(heights)), layout="constrained")
        axes = figure.subplots(len(lengths), 1, squeeze=False, height_ratios=heights)
        for own, (ax,) in zip(lengths, axes, strict=True):
            draw_rates(own, ax, "objective", f"{own['rounds'][0]} rounds: {x}, 95 % interval", bars=False, most=1.0)
    cases = drawn.with_columns(pl.format("{}, {} rounds", "run", "rounds").alias("run"))
    return Picture(name, title, note, f"{title}. {spoken(cases, 'objective', 'rate', rate)}", frame, figure)


def _rate(row: Mapping[str, object]) -> str:
    return rate(*(float(str(row[name])) for name in ("rate", "low", "high")))


def compact(found: Frame, words: Words) -> tuple[list[str], list[list[str]]]:
    """Return the rates of one campaign and length as a small table: heads, and rows of objectives by players.

    A head says the n of its player; a cell with another n says its own. Who does not aim plays no other reading.
    """
    each = found.filter(pl.col("objective") != words.any_objective).group_by("player", maintain_order=True).first()
    usual = dict(each.select("player", "n").rows())
    heads = [
        f"{row['player']} ({'aimed, ' if row['games'] == AIMED else ''}n = {integer(row['n'])})"
        for row in each.to_dicts()
    ]
    cells = {
        (row["objective"], row["player"]): _rate(row)
        + ("" if row["n"] == usual[row["player"]] else f", n = {integer(row['n'])}")
        for row in found.to_dicts()
    }
    lines = [
        [
            f"{name}, {PLAYED}" if name == words.any_objective else name,
            *(cells.get((name, player), "–") for player in usual),
        ]
        for name in found["objective"].unique(maintain_order=True)
    ]
    return heads, lines
