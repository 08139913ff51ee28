"""Rollouts: a position as its seat sees it, dealt anew and played to the end, and what the end is worth."""

import math

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.rng import stream
from nfsim.games.new_frontiers.codes import ChipUse, RequirementKind
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.playing import NO_CHOICE, play_on
from nfsim.games.new_frontiers.policies.hidden import deal_anew, forget_hidden
from nfsim.games.new_frontiers.policies.kinds import Objective
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.solo import claim, requirement_has, requirement_met
from nfsim.games.new_frontiers.state import Event

GAME, SEEN, TRIAL = range(3)  # places of states: the game, what the seat sees of it, the game of a rollout
STATES, LISTS = 3, 2  # states and option lists that a thinking player needs
TO_THE_END = 1_000_000  # rounds
MARGIN = 5.0  # VPs of lead over the best other seat that make a win likely
HINT = 0.001  # worth of coming near, where nothing is reached: only to tell hopeless options apart


@njit
def see(states: Record, memory: Record, seat: int) -> None:
    """Make SEEN what the seat sees of the game."""
    memory[SEEN, :] = memory[GAME, :]
    forget_hidden(states[SEEN], seat)


@njit
def deal(states: Record, memory: Record, seat: int, number: int) -> None:
    """Make TRIAL a game like SEEN, with dealing number `number` of what is hidden."""
    memory[TRIAL, :] = memory[SEEN, :]
    key = states[GAME].policy_key[seat]
    deal_anew(states[TRIAL], seat, stream(key, states[GAME].policy_counter[seat], int64(number)))


@njit
def copy_options(options: Record) -> None:
    """Copy the options at hand into the list that rollouts use."""
    n = options[0].count
    options[1].count = n
    options[1].overflow = 0
    options[1].kind[:n] = options[0].kind[:n]
    options[1].a[:n] = options[0].a[:n]
    options[1].b[:n] = options[0].b[:n]


@njit
def rollout(
    tables: Record, state: Record, options: Record, policies: Record, first: int, choice: int, last: int
) -> None:
    """Play a game on until round `last` or its end with the minds from `first` on."""
    move = choice
    while True:
        event = play_on(tables, state, options, policies, first, move, int64(0))
        move = int64(NO_CHOICE)
        if event != Event.ROUND_ENDED or state.round_no >= last:
            return


@njit
def worth(tables: Record, state: Record, seat: int, policy: Record) -> float:
    """Return what the end of a rollout is worth to the seat."""
    if policy.objective == Objective.CLAIM:
        return claim_worth(tables, state, seat, policy, policy.use - policy.first_mind)
    mine = float(state.score[seat, Part.TOTAL])
    if tables.players == 1:
        return mine
    others = -1.0e9
    for other in range(tables.players):
        if other != seat:
            others = max(others, float(state.score[other, Part.TOTAL]))
    if policy.objective == Objective.WIN:
        if mine == others:
            return 0.5
        return 1.0 if mine > others else 0.0
    return 1.0 / (1.0 + math.exp(-max(-100.0, min(100.0, mine - others)) / MARGIN))


@njit
def claim_worth(tables: Record, state: Record, seat: int, policy: Record, target: int) -> float:
    """Return the worth of the best claim that a final position allows, and a hint of how near the target is."""
    best = 0.0
    for condition in range(tables.n_conditions):
        if policy.worth[condition, 0] > best or policy.worth[condition, 1] > best:
            use = claim(tables, state, seat, int64(condition))
            if use == ChipUse.NONE:
                best = max(best, policy.worth[condition, 0])
            elif use != ChipUse.MISSED:
                best = max(best, policy.worth[condition, 1])
    return best + HINT * nearness(tables, state, seat, target)


@njit
def nearness(tables: Record, state: Record, seat: int, condition: int) -> float:
    """Return how near a position is to a condition, 0 to 1: the product of the parts reached."""
    near = 1.0
    if tables.condition_vp[condition] > 0:
        near = max(0.0, min(1.0, state.score[seat, Part.TOTAL] / tables.condition_vp[condition]))
    for i in range(tables.condition_n[condition]):
        need = tables.condition_need[condition, i]
        if tables.condition_kind[condition, i] != RequirementKind.AT_LEAST:
            near *= 1.0 if requirement_met(tables, state, seat, condition, int64(i)) else 0.5
        elif need > 0:
            near *= min(1.0, (0.5 + requirement_has(tables, state, seat, condition, i)) / (0.5 + need))
    return near
