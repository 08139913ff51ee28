"""New Frontiers as the driver sees it: its records, its compiled functions, and how many rows games write."""

from pathlib import Path
from typing import Any

from nfsim.compiled.jit import njit, njit_inline
from nfsim.engine.records import Record
from nfsim.engine.rules import Rules
from nfsim.games.new_frontiers import engine, observed, rows, setup, solo
from nfsim.games.new_frontiers.codes import VERBS, Decision, Option, RequirementKind
from nfsim.games.new_frontiers.columns import ROW_DTYPES
from nfsim.games.new_frontiers.layout import OPTION_LIST, STATE, TABLES
from nfsim.games.new_frontiers.policies import hidden
from nfsim.games.new_frontiers.policies.kinds import POLICY
from nfsim.games.new_frontiers.policies.shelf import RECORDS
from nfsim.games.new_frontiers.policies.value import rate_tiles
from nfsim.games.new_frontiers.policies.weights import choose_by_weights
from nfsim.games.new_frontiers.scoring import Part

USUAL_ROUNDS = 14


@njit_inline
def matters(_tables: Record, state: Record) -> bool:
    """Return whether a search looks ahead here: not for what hardly matters."""
    decision = state.decision
    return (
        decision <= Decision.SETTLE_AGAIN
        or decision == Decision.SELL
        or decision == Decision.KEEP_GOAL
        or decision == Decision.STOCKPILE
    )


@njit
def nearness(tables: Record, state: Record, seat: int, objective: int) -> float:
    """Return how near a position is to a condition, 0 to 1: the product of the parts reached."""
    near = 1.0
    if tables.condition_vp[objective] > 0:
        near = max(0.0, min(1.0, state.score[seat, Part.TOTAL] / tables.condition_vp[objective]))
    for i in range(tables.condition_n[objective]):
        need = tables.condition_need[objective, i]
        if tables.condition_kind[objective, i] != RequirementKind.AT_LEAST:
            near *= 1.0 if solo.requirement_met(tables, state, seat, objective, i) else 0.5
        elif need > 0:
            near *= min(1.0, (0.5 + solo.requirement_has(tables, state, seat, objective, i)) / (0.5 + need))
    return near


def most(tables: Any, table: str) -> int:
    """Return the rows that one game writes at most."""
    players, limit = int(tables.players), int(tables.round_limit)
    return {
        "games": 1,
        "seats": players,
        "rounds": players * limit,
        "selections": (players + int(tables.dummies)) * int(tables.selections) * limit,
        "goals": players * int(tables.n_goals),
        "objectives": int(tables.n_objectives),
        "tiles": players * rows.TILES_A_SEAT,
    }[table]


def capacity(tables: Any, table: str, games: int) -> int:
    """Return the rows of so many usual games: with few tiles and goals, and of usual length."""
    limit = int(tables.round_limit)
    whole = most(tables, table)
    if table in ("rounds", "selections"):
        return whole // limit * (games * min(limit, USUAL_ROUNDS) + limit)
    if table in ("goals", "tiles"):
        return whole * (games // 2 + 1)
    return whole * games


RULES = Rules(
    game="new_frontiers",
    folder=Path(__file__).parent,
    tables=TABLES,
    state=STATE,
    option_list=OPTION_LIST,
    policy=POLICY,
    rows=rows.Rows,
    row_types=ROW_DTYPES,
    capacity=capacity,
    most=most,
    load_policies=RECORDS.load,
    fill_policy=RECORDS.fill,
    adviser="search_planner",
    begin=setup.begin,
    advance=engine.advance,
    apply=engine.apply,
    choose=choose_by_weights,
    get_ready=rate_tiles,
    matters=matters,
    forget_hidden=hidden.forget_hidden,
    deal_anew=hidden.deal_anew,
    claim=solo.claim,
    nearness=nearness,
    write_round=rows.write_round,
    write_end=rows.write_end,
    observed=observed.OBSERVED,
    option_features=observed.FEATURES,
    features=observed.features,
    verbs=tuple(VERBS[option] for option in Option),
)
