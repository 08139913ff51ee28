"""Synthetic runs for the tests of statistics and reports: made-up results in the shape of logged ones."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from nfsim.log.check import FORMAT, digest_of

CONDITIONS = {
    "short": [("Great Victory", 55, ""), ("Colonizer", 40, "7 colony"), ("Builder", 40, "2 nine_cost"),
              ("Satisfied Populace", 40, "6 chips_all")],
    "long": [("Great Victory", 70, ""), ("Colonizer", 50, "7 colony"), ("Builder", 50, "2 nine_cost"),
             ("Satisfied Populace", 50, "6 chips_all")],
}  # fmt: skip
GOALS = [
    "Galactic Prestige", "Consumer Economy", "Colonies", "Military Dominance", "Alien Technology",
    "Uplift Races",
    "Industry", "Contented Citizens", "Galactic Standards", "Research Leader", "Terraforming", "Diversity",
    "Budget Surplus", "Overlords", "Frontier Worlds", "Rebel Alliance",
]  # fmt: skip
STEPS = [0, 2, 3, 5, 8]


def manifest(**changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "scenario": {
            "title": "Solo campaign 1, 10 rounds",
            "setup": {"players": 1, "rounds": 10, "campaign": 1},
        },
        "seed": 1,
        "games": 100,
        "policies": ["balanced"],
        "versions": {"nfsim": "0.1.0", "rules": "1"},
        "rulings": {},
        "game": "new_frontiers",
        "tiles": {"share": {"text": "41 of 180 records sourced, 60 partly, 79 reconstructed"}},
        "objectives": [],
    }
    return {**base, **changes}


def solo_tables(games: int, rounds: int = 10, seed: int = 1, *, goals: bool = True) -> dict[str, pl.DataFrame]:
    """Made-up solo results, VPs around 40 (10 rounds) or 52 (12 rounds)."""
    if games == 0:
        return {name: frame.clear() for name, frame in solo_tables(1, rounds, seed, goals=goals).items()}
    rng = np.random.default_rng(seed)
    length = "short" if rounds <= 10 else "long"
    parts = {
        "vp_chips": rng.poisson(9 if rounds <= 10 else 12, games),
        "vp_worlds": rng.poisson(11 if rounds <= 10 else 14, games),
        "vp_developments": rng.poisson(10 if rounds <= 10 else 13, games),
        "vp_nine_cost": rng.poisson(5 if rounds <= 10 else 7, games),
        "vp_goals": np.zeros(games, np.int64),
    }
    penalties = {f"penalty_{p}": rng.binomial(3, share, games) for p, share in ((3, 0.25), (6, 0.12), (8, 0.04))}
    goal_rows = []
    if goals:
        which = np.argsort(rng.random((games, len(GOALS))), axis=1)[:, :3]
        vp = rng.choice(STEPS, p=[0.3, 0.1, 0.25, 0.2, 0.15], size=(games, 3))
        parts["vp_goals"] = vp.sum(axis=1)
        goal_rows = [
            pl.DataFrame({"game": np.arange(games), "seat": 0, "goal": [GOALS[g] for g in which[:, i]],
                          "drawn_by": 0, "score": vp[:, i]})
            for i in range(3)
        ]  # fmt: skip
    minus = -sum(int(name[-1]) * n for name, n in penalties.items()) * np.ones(games, np.int64)
    vp_total = sum(parts.values()) + minus
    rest = [rng.random(games) < (1.0 if not need else 0.6) for _, _, need in CONDITIONS[length]]
    met = [(vp_total >= t) & rest[i] for i, (_, t, _) in enumerate(CONDITIONS[length])]
    seats = pl.DataFrame({
        "game": np.arange(games), "seat": 0, "policy": "balanced", "start_order": 0, "score": vp_total, **parts,
        "vp_penalty": minus, "rank": 1, "won": np.any(met, axis=0), **penalties,
    })  # fmt: skip
    conditions = pl.concat([
        pl.DataFrame({"game": np.arange(games), "campaign": 1, "objective": name, "met": met[i],
                      "margin": vp_total - t, "requires_met": rest[i]})
        for i, (name, t, _) in enumerate(CONDITIONS[length])
    ])  # fmt: skip
    ends = rng.choice(["round_limit", "colonies", "vp_chips"], p=[0.8, 0.15, 0.05], size=games)
    empty = {"game": pl.Int64, "seat": pl.Int64, "goal": pl.String, "drawn_by": pl.Int64, "score": pl.Int64}
    return {
        "games": pl.DataFrame({"game": np.arange(games), "rounds": rounds, "end_reason": ends, "status": "finished"}),
        "seats": seats,
        "goals": pl.concat(goal_rows) if goal_rows else pl.DataFrame(schema=empty),
        "objectives": conditions,
    }


def table_tables(games: int, players: int, seed: int = 1) -> dict[str, pl.DataFrame]:
    """Made-up multiplayer results; a win is shared when the best VPs are equal."""
    rng = np.random.default_rng(seed)
    vp_by_seat = rng.poisson(36, (games, players)) + np.arange(players)[None, :] // 2
    n = games * players
    seats = pl.DataFrame({
        "game": np.repeat(np.arange(games), players), "seat": np.tile(np.arange(players), games),
        "policy": "balanced", "score": vp_by_seat.ravel(), "vp_chips": vp_by_seat.ravel() - 20, "vp_worlds": 12,
        "vp_developments": 8, "vp_nine_cost": 0, "vp_goals": 3, "vp_penalty": -3,
        "won": (vp_by_seat == vp_by_seat.max(axis=1, keepdims=True)).ravel(),
        "penalty_3": rng.binomial(1, 0.4, n), "penalty_6": 0, "penalty_8": 0,
    })  # fmt: skip
    goals = seats.select("game", "seat", goal=pl.lit("Colonies"), drawn_by=pl.lit(0), score=pl.lit(3))
    return {
        "games": pl.DataFrame({"game": np.arange(games), "rounds": 14, "end_reason": "colonies",
                               "status": "finished"}),
        "seats": seats,
        "goals": goals,
        "objectives": pl.DataFrame(schema={"game": pl.Int64, "campaign": pl.Int64, "objective": pl.String,
                                           "met": pl.Boolean, "margin": pl.Int64,
                                           "requires_met": pl.Boolean}),
    }  # fmt: skip


def write_run(folder: Path, tables: dict[str, pl.DataFrame], about: dict[str, Any]) -> Path:
    """Write tables and manifest as a run folder; an empty table has no part."""
    listed = {}
    for name, frame in tables.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        labels = [c for c in ("end_reason", "status", "policy", "goal", "objective", "tile") if c in frame.columns]
        kinds = {
            c: "label" if c in labels else str(t).lower().replace("boolean", "bool") for c, t in frame.schema.items()
        }
        parts = [{"file": f"{name}/000000000.parquet"}] if len(frame) else []
        for part in parts:
            frame.with_columns(pl.col(labels).cast(pl.Categorical)).write_parquet(folder / part["file"])
        listed[name] = {"parts": parts, "columns": kinds}
    write_manifest(folder, {**about, "tables": listed})
    return folder


def write_manifest(folder: Path, told: dict[str, Any]) -> None:
    """Write a manifest with the format and the digest that a run would have given it."""
    told = {"format": FORMAT, **told}
    (folder / "manifest.json").write_text(json.dumps(told | {"digest": digest_of(told)}), encoding="utf-8")


def solo_run(folder: Path, games: int, rounds: int = 10, **changes: Any) -> Path:
    """Write a solo run of campaign 1 as a folder."""
    length = "short" if rounds <= 10 else "long"
    listed = [{"campaign": "1", "name": n, "score": t, "requires": r} for n, t, r in CONDITIONS[length]]
    scenario = {
        "title": f"Solo campaign 1, {rounds} rounds",
        "setup": {"players": 1, "rounds": rounds, "campaign": 1},
    }
    about = manifest(**{"scenario": scenario, "games": games, "objectives": listed, **changes})
    return write_run(folder, solo_tables(games, rounds, seed=rounds), about)


def table_run(folder: Path, games: int, players: int, **changes: Any) -> Path:
    """Write a multiplayer run as a folder."""
    scenario = {"title": f"Rift, {players} players", "setup": {"players": players, "rounds": 60}}
    about = manifest(**{"scenario": scenario, "games": games, "policies": ["balanced"] * players, **changes})
    return write_run(folder, table_tables(games, players), about)


def read(page: Path) -> str:
    """Return a page without the places where long names may break."""
    return page.read_text(encoding="utf-8").replace("<wbr>", "")


def numbers(out: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of one of a report's CSV files."""
    return list(csv.DictReader((out / "data" / f"{name}.csv").open(encoding="utf-8")))
