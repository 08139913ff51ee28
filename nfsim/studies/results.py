"""The numbers of one run that are printed after it: rates of its objectives or wins of its seats, and scores."""

from __future__ import annotations

from typing import Any

import polars as pl

from nfsim.contract.rule_set import load_rule_set
from nfsim.log.read import Run
from nfsim.report.parts import outcomes

Row = dict[str, Any]


def run_numbers(run: Run) -> Row:
    """Return the same as one object for JSON."""
    manifest = run.manifest
    keys = ("title", "changes", "games", "seed", "log", "policies", "statuses", "wall_seconds", "cpu_seconds")
    return {
        "folder": str(run.folder),
        **{key: manifest.get(key) for key in keys},
        "wins": win_rates(run),
        "score": scores(run),
        "tiles": manifest["tiles"],
        "tile_changes": manifest.get("tile_changes"),
    }


def has_objectives(run: Run) -> bool:
    """Tell whether the run had objectives to be met."""
    return bool(run.manifest.get("objectives"))


def win_rates(run: Run) -> list[Row]:
    """Return how often each objective was met, or each seat won, with Wilson's interval."""
    if has_objectives(run):
        words = load_rule_set(run.manifest["scenario"]["game"]).words
        frame = outcomes.objective_rates(run, words.any_objective).with_columns(pl.col("objective").alias("name"))
        order = {objective["name"]: place for place, objective in enumerate(run.manifest["objectives"])}
        rows = [plain(row) for row in frame.to_dicts()]
        return sorted(rows, key=lambda row: order.get(row["name"], len(order)))
    by_seat = {row["seat"]: row for row in scores(run)}
    rows = []
    for row in outcomes.seat_wins(run).to_dicts():
        score = by_seat[row["seat"]]
        policy = run.manifest["policies"][row["seat"]]
        rows.append(
            plain(row)
            | {"name": f"{row['seat']} {policy}", "policy": policy}
            | {f"score_{key}": score[key] for key in ("mean", "low", "high")}
        )
    return rows


def scores(run: Run) -> list[Row]:
    """Return the mean score of each seat with its t interval."""
    return [plain(row) for row in outcomes.score_summary(run).to_dicts()]


def plain(row: Row) -> Row:
    """Replace NaN, which JSON does not know, by null."""
    return {key: None if isinstance(value, float) and value != value else value for key, value in row.items()}
