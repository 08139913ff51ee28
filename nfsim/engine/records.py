"""The records that a game is played on: what the driver needs of them, and how they are made.

A game declares four: TABLES (what is printed, and the setup), STATE (one game), OPTION_LIST (the options of a
decision), POLICY (who decides). Each begins with fields that the driver reads, from the functions here, and goes on
with the game's own. Fields are int64 unless said otherwise; -1 means none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import JIT_ENABLED, njit_inline

I8, F8 = np.int64, np.float64
Record = Any
"""One numpy record in the signatures of compiled functions."""
Records = np.recarray[Any, Any]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Fields = list[tuple[Any, ...]]


def tables_fields() -> Fields:
    """Return the fields that TABLES begins with."""
    return [
        ("players", I8),  # seats that a policy decides for; they are seats 0 … players-1
        ("n_objectives", I8),  # objectives that are open; seat 0 is the one who may meet them
        ("chip_last", I8),  # 1: the chip mends a near miss only where no open objective is met as it is
    ]


def state_fields(seats: int, decisions: int, parts: int, drawn: int) -> Fields:
    """Return the fields that STATE begins with.

    Parameters
    ----------
    seats, decisions, parts, drawn : int
        Capacities: seats, kinds of decision, the total and the parts of a score, random outcomes between decisions.
    """
    return [
        ("status", I8),  # nfsim.compiled.status.Status; RUNNING until the game is over
        ("round_no", I8),  # 1, 2 …; 0 during setup (`round` is a method of numpy records)
        ("actor", I8),  # seat that must decide
        ("decision", I8),  # kind of decision
        ("draw_key", I8),  # random streams: keys; counters move on
        ("draw_counter", I8),
        ("policy_key", I8, (seats,)),
        ("policy_counter", I8, (seats,)),
        ("score", I8, (seats, parts)),  # as of the last round's end: the total first, then its parts
        ("drawn_n", I8),  # random outcomes since the last decision, for people who watch
        ("drawn", I8, (drawn, 2)),  # (kind, number), as the game says; written by `note_drawn` alone
        ("asked", I8, (decisions,)),  # decisions with a choice, by kind
        ("options_seen", I8, (decisions,)),  # options offered in them
    ]


def option_list_fields(options: int) -> Fields:
    """Return the fields that OPTION_LIST begins with; `options` is its capacity."""
    return [
        ("count", I8),
        ("overflow", I8),  # options that found no place; not 0: status OPTIONS_FULL
        ("kind", I8, (options,)),  # what is done, and with what: as the game says
        ("a", I8, (options,)),
        ("b", I8, (options,)),
        # --- working space of policies, so that choosing allocates nothing
        ("score", F8, (options,)),  # by option: what weights say of it; searches begin with the best
        ("best", I8),  # option that the seat's policy, or the mind it uses, would choose
    ]


def policy_fields(objectives: int) -> Fields:
    """Return the fields that POLICY begins with; `objectives` is the capacity for them."""
    return [
        ("kind", I8),  # nfsim.policies.kinds.Kind
        ("name", I8),  # place in the run's list of policy names
        ("use", I8),  # place among the policies of the one that decides now: itself, or a mind (below)
        ("target", I8),  # WEIGHTS: objective aimed at; -1 none
        # --- PLANNER and SEARCH. Their minds are policies of kind WEIGHTS that stand in the same array; rollouts are
        # played by them: alone one per objective, aiming at it, with others one per seat
        ("first_mind", I8),  # place of the first one
        ("plans", I8),  # 1: aims at an objective
        ("planned_game", I8),  # `draw_key` of the game and
        ("planned_round", I8),  # round for which `use` was decided; -1: never
        ("plan_rollouts", I8),  # per open objective, each time it plans
        ("plan_every", I8),  # rounds between two plans
        ("worth", F8, (objectives, 2)),  # of claiming an objective at the end: without, with the chip; 0 closed
        ("chance", F8, (objectives,)),  # mean worth found for each aim at the last plan; -1: not tried
        ("wants", I8),  # nfsim.policies.kinds.Wants
        ("rollouts", I8),  # per option that stays in question
        ("candidates", I8),  # options tried out: the best ones by weights
        ("horizon", I8),  # rounds played in a rollout; 0: to the game's end
    ]


@njit_inline
def note_drawn(state: Any, kind: int, number: int) -> None:
    """Note a random outcome for people who watch; what finds no place before the next choice is not noted."""
    n = state.drawn_n
    if n < len(state.drawn):
        state.drawn[n, 0] = kind
        state.drawn[n, 1] = number
        state.drawn_n = n + 1


def new_record(dtype: np.dtype[Any], count: int = 1) -> Any:
    """Return `count` zeroed records as a recarray: the form that works compiled and uncompiled alike."""
    return np.zeros(count, dtype).view(np.recarray)


def quick(records: Any) -> Any:
    """Return the same records in the form that compiled functions take from Python several times as fast."""
    return records.view(np.dtype((np.void, records.dtype)), np.ndarray) if JIT_ENABLED else records
