"""Multiplayer balance as parts of a page: who wins, by start order, empire and policy.

`multiplayer_play.py` has the parts about what is played: tiles, goals, length. Everything is computed from logged runs.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import polars as pl

from nfsim.games.new_frontiers.analysis.multiplayer import empires, seats
from nfsim.games.new_frontiers.analysis.multiplayer.seats import ALPHA
from nfsim.report.charts import win_shares
from nfsim.report.formatting import change, integer, p_value, percent, points, rate, signed
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, in_order, one_axes, spoken, stack, stack_runs
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.intervals import ENOUGH

NOTEWORTHY = 0.1  # of the equal share: smaller differences are not called strong or weak, however certain they are
NAMED = 5  # strong and weak ones named in a sentence; the table and the chart have all
PLACES = ("First", "Second", "Third", "Fourth", "Fifth")
BY_MAT = "Share of games won with each mat, whichever side was chosen."
TITLES = ("Start order", "Empires", "Policies against each other")
CORRECTED = "Benjamini–Hochberg"

Row = dict[str, Any]


def with_games(group: Group) -> list[Source]:
    """Return the runs with several players that have games."""
    return [source for source in group if source.games and source.players > 1]


def with_equal_share(frame: pl.DataFrame, group: Group) -> pl.DataFrame:
    """Add `expected`: the share of wins of a player where all are equal."""
    return frame.with_columns(pl.lit(1 / group[0].players).alias("expected"))


def estimate(row: Row, name: str, write: Callable[[float, float, float], str]) -> str:
    """Write the estimate of a row with its interval, without one where n is too small, a dash where there is none."""
    if row[name] is None:
        return "–"
    known = row["n"] >= ENOUGH
    low, high = (row[f"{name}{end}"] if known else float("nan") for end in ("_low", "_high"))
    return write(row[name], low, high)


def of_run(run: str, group: Group) -> str:
    """Return how a sentence about a run begins: with its name, if there are several."""
    return f"{run}: " if len(group) > 1 else ""


def win_picture(name: str, title: str, note: str, frame: pl.DataFrame, category: str, *, show_n: bool) -> Picture:
    """Return a picture of shares of wins: run, `category`, n, rate, low, high, expected."""
    return Picture(
        name,
        title,
        f"{note} A shared win counts in equal parts.",
        f"{title}. {spoken(frame, category, 'rate', rate)}",
        frame,
        one_axes(partial(win_shares.draw, category=category, show_n=show_n), frame, category),
    )


def start_part(group: Group) -> Part:
    """Start order, and the tests of all questions about equal chances."""
    title = TITLES[0]
    frame = stack(with_games(group), seats.by_start_order)
    if frame.is_empty():
        return Part(title)
    name = pl.Series("start", [PLACES[place] for place in frame["start_order"]])
    frame = in_order(with_equal_share(frame.with_columns(name), group), group, "start_order")
    tested = stack_runs(
        with_games(group),
        lambda source: seats.equality(source.tables, empires.by_mat(source.tables, empires.mats_of(source))),
    )
    rows = [
        [r["start"], r["run"], rate(r["rate"], r["low"], r["high"]), estimate(r, "lead", change), integer(r["n"])]
        for r in frame.to_dicts()
    ]
    head = ["Place", "Run", "Wins (95 % interval)", "VPs above the game's mean", "n"]
    table = ReportTable("start_order", "Start order", head, rows, "llrrr", frame)
    picture = win_picture(
        "start_order", "Wins by start order",
        "Share of games won by place in the first round's priority order, which is drawn at random.",
        frame, "start", show_n=False,
    )  # fmt: skip
    return Part(title, verdicts(tested, group), [without_run(group, table), equality_table(tested, group)], [picture])


def verdicts(tested: pl.DataFrame, group: Group) -> list[str]:
    """Say for each run which of the questions about equal chances are answered."""
    said = []
    for run in tested["run"].unique(maintain_order=True):
        parts = []
        for r in tested.filter(pl.col("run") == run).to_dicts():
            span = f"shares of wins from {percent(r['lowest'])} to {percent(r['highest'])}, n = {integer(r['n'])}"
            p = r["p_adjusted"]
            verdict = "chances differ" if p < ALPHA else "no difference could be shown"
            found = "too few games for a test" if p != p else f"{verdict}, adjusted p {p_value(p)}"
            parts.append(f"{str(r['question']).capitalize()}: {found} ({span}).")
        said.append(f"{of_run(run, group)}{' '.join(parts)}")
    return said


def equality_table(tested: pl.DataFrame, group: Group) -> ReportTable:
    """Write the tests of equal chances."""
    rows = [
        [r["question"], r["run"], integer(r["categories"]), f"{percent(r['lowest'])} to {percent(r['highest'])}",
         f"{signed(r['statistic'], 1)} ({r['df']})", p_value(r["p"]), p_value(r["p_adjusted"]), integer(r["n"])]
        for r in tested.to_dicts()
    ]  # fmt: skip
    head = ["Equal chances by", "Run", "Kinds", "Shares of wins", "χ² (degrees)", "p", "Adjusted p", "n"]
    title = f"Are chances equal? Chi-square tests, adjusted for their number ({CORRECTED})"
    return without_run(group, ReportTable("equal_chances", title, head, rows, "llrrrrrr", tested))


def empires_part(group: Group) -> Part:
    """Empire mats and their sides."""
    title = TITLES[1]
    homes = stack_runs(with_games(group), home_frame)
    if homes.is_empty():
        return Part(title)
    mats = stack_runs(with_games(group), lambda source: empires.by_mat(source.tables, empires.mats_of(source)))
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
    return Part(title, text, [without_run(group, table)], pictures)


def home_frame(source: Source) -> pl.DataFrame:
    """Return a run's homes: name (with mat and side), how often chosen when dealt, and `seats.estimates`."""
    found = empires.by_home(source.tables)
    if found.is_empty():
        return found
    chosen = empires.sides(source.tables, empires.mats_of(source))
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


def strength(row: Row) -> str:
    """Return strong or weak with the adjusted p-value, or nothing; see `NOTEWORTHY`."""
    p = row["edge_p_adjusted"]
    if p is None or not p < ALPHA or abs(row["edge"]) < NOTEWORTHY * row["expected"]:
        return ""
    return f"{'strong' if row['edge'] > 0 else 'weak'}, adjusted p {p_value(p)}"


def flagged(frame: pl.DataFrame, name: str, question: str, group: Group) -> list[str]:
    """Say for each run what wins more or less often than chance and a tenth of the equal share explain."""
    said = []
    for run in frame["run"].unique(maintain_order=True):
        own = frame.filter((pl.col("run") == run) & (pl.col("n") >= ENOUGH)).to_dicts()
        rule = (
            f"adjusted p below {ALPHA}, {CORRECTED} over {len(own)}, and at least {percent(NOTEWORTHY, 0)} of the "
            f"equal share apart"
        )
        parts = []
        for kind in ("strong", "weak"):
            found = sorted((r for r in own if strength(r).startswith(kind)), key=lambda r: -abs(r["edge"]))
            words = [f"{r[name]} {estimate(r, 'edge', points)}, n = {integer(r['n'])}" for r in found[:NAMED]]
            words += [f"{len(found) - NAMED} more"] if len(found) > NAMED else []
            parts += [f"{kind}: {'; '.join(words)}."] if words else []
        verdict = " ".join(parts) or f"none of {len(own)} stands out."
        said.append(f"{of_run(run, group)}{question} ({rule}): {verdict}")
    return said


def policies_part(group: Group) -> Part:
    """Policies against each other, for runs with several."""
    title = TITLES[2]
    mixed: Sequence[Source] = [source for source in group if len(set(source.seat_policies)) > 1]
    frame = stack(with_games(mixed), seats.by_policy)
    if frame.is_empty():
        return Part(title)
    best = -pl.col("edge").mean().over("policy")
    frame = in_order(frame.with_columns(best.alias("best")), mixed, "best", "policy").drop("best")
    note = "Share of games won by a seat of each policy."
    pictures = [win_picture("policy_wins", "Wins by policy", note, frame, "policy", show_n=False)]
    order = {name: place for place, name in enumerate(frame["policy"].unique(maintain_order=True))}
    pairs = stack(with_games(mixed), seats.ahead)
    if pairs.is_empty():
        return Part(title, pictures=pictures)
    places = [pl.col(name).replace_strict(order, return_dtype=pl.Int64) for name in ("policy", "other")]
    once = in_order(pairs.filter(places[0] < places[1]).with_columns(place=places[0], rest=places[1]),
                    mixed, "place", "rest").drop("place", "rest")  # fmt: skip
    rows = [
        [f"{r['policy']} ahead of {r['other']}", r["run"], rate(r["rate"], r["low"], r["high"]),
         p_value(r["edge_p_adjusted"]), integer(r["n"])]
        for r in once.to_dicts()
    ]  # fmt: skip
    head = ["Pair", "Run", "Ends ahead (95 % interval)", "Adjusted p", "n"]
    table = ReportTable("policy_pairs", "Who ends ahead of whom; a tie counts one half", head, rows, "llrrr", pairs)
    text = [
        "Each seat keeps its policy in all games of a run; the start order and the empires are drawn at random. "
        "nfsim ladder plays every seating on the same deals and needs fewer games for the same certainty."
    ]
    return Part(title, text, [without_run(mixed, table)], pictures)


def parts(group: Group) -> list[Part]:
    """Return the parts of this module, empty ones for solo runs."""
    return [start_part(group), empires_part(group), policies_part(group)]
