"""Tables of a report: the numbers that are read rather than seen, written out."""

from nfsim.games.new_frontiers.analysis import outcomes
from nfsim.games.new_frontiers.analysis.figures import condition_frame, win_frame
from nfsim.report.numbers import integer, rate, signed
from nfsim.report.picture import Group, stack
from nfsim.report.source import Condition
from nfsim.report.tables import Table, without_run


def conditions(group: Group) -> Table | None:
    """How often each condition was met, with what it needs."""
    frame = condition_frame(group)
    if frame.is_empty():
        return None
    found = frame.to_dicts()
    rows = [
        [r["condition"], r["run"], rate(r["rate"], r["low"], r["high"]), integer(r["k"]), integer(r["n"])]
        for r in found
    ]  # fmt: skip
    notes = [Condition("", r["vp"] or 0, r["requires"] or "").needs for r in found]
    head = ["Condition", "Run", "Rate (95 % interval)", "Met", "n"]
    return without_run(group, Table("win_rate", "Conditions", head, rows, "llrrr", frame, notes))


def wins(group: Group) -> Table | None:
    """Share of wins by seat, with who played it; only with several players."""
    if group[0].players < 2:
        return None
    frame = win_frame(group)
    rows = [
        [f"Seat {r['seat']}", r["run"], rate(r["rate"], r["low"], r["high"]), signed(r["k"], 1), integer(r["n"])]
        for r in frame.to_dicts()
    ]
    played = [(source.label, source.seat_policies) for source in group]
    who = {(run, seat): name for run, names in played if len(set(names)) > 1 for seat, name in enumerate(names)}
    notes = [who.get(key, "") for key in frame.select("run", "seat").rows()]
    head = ["Seat", "Run", "Wins (95 % interval)", "Won", "n"]
    return without_run(group, Table("seat_wins", "Wins", head, rows, "llrrr", frame, notes))


def endings(group: Group) -> Table | None:
    """Why games ended, and after how many rounds."""
    played = [source for source in group if source.games]
    if not played:
        return None
    frame = stack(played, outcomes.endings)
    rows = [
        [r["run"], str(r["end_reason"]).replace("_", " "), rate(r["rate"], r["low"], r["high"]), integer(r["n"]),
         signed(r["rounds"], 1)]
        for r in frame.to_dicts()
    ]  # fmt: skip
    head = ["Run", "End", "Share (95 % interval)", "n", "Mean rounds"]
    return without_run(group, Table("endings", "How games ended", head, rows, "llrrr", frame))


TABLES = (conditions, wins, endings)
