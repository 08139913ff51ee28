"""Tables of a report: the numbers that are read rather than seen, written out."""

import polars as pl

from nfsim.report.formatting import integer, mean, rate, signed
from nfsim.report.picture import Group
from nfsim.report.source import Condition
from nfsim.report.tables import ReportTable, without_run
from nfsim.stats.intervals import ENOUGH


def conditions(frame: pl.DataFrame, group: Group) -> ReportTable | None:
    """How often each condition was met, with what it needs; see `figures.condition_frame`."""
    if frame.is_empty():
        return None
    found = frame.to_dicts()
    rows = [
        [r["objective"], r["run"], rate(r["rate"], r["low"], r["high"]), integer(r["k"]), integer(r["n"])]
        for r in found
    ]  # fmt: skip
    notes = [Condition("", r["score"] or 0, r["requires"] or "", r["doubt"] or "").needs for r in found]
    head = ["Condition", "Run", "Rate (95 % interval)", "Met", "n"]
    return without_run(group, ReportTable("win_rate", "Conditions", head, rows, "llrrr", frame, notes))


def wins(frame: pl.DataFrame, group: Group) -> ReportTable | None:
    """Share of wins by seat, with who played it; see `figures.win_frame`."""
    if frame.is_empty():
        return None
    rows = [
        [f"Seat {r['seat']}", r["run"], rate(r["rate"], r["low"], r["high"]), signed(r["k"], 1), integer(r["n"])]
        for r in frame.to_dicts()
    ]
    notes = frame["policy"].to_list()
    head = ["Seat", "Run", "Wins (95 % interval)", "Won", "n"]
    return without_run(group, ReportTable("seat_wins", "Wins", head, rows, "llrrr", frame.drop("name"), notes))


def endings(frame: pl.DataFrame, group: Group) -> ReportTable:
    """Why games ended, and after how many rounds; see `multiplayer.lengths.endings`."""
    rows = []
    for r in frame.to_dicts():
        bounds = (r["rounds_low"], r["rounds_high"]) if r["k"] >= ENOUGH else (float("nan"), float("nan"))
        rows.append([
            r["run"], str(r["end_reason"]).replace("_", " "), rate(r["rate"], r["low"], r["high"]), integer(r["k"]),
            mean(r["rounds"], *bounds), f"{signed(r['median'])} ({signed(r['q10'])}–{signed(r['q90'])})",
        ])  # fmt: skip
    head = ["Run", "End", "Share (95 % interval)", "Games", "Rounds (95 % interval)", "Median (middle 80 %)"]
    return without_run(group, ReportTable("endings", "How games end", head, rows, "llrrrr", frame))
