"""Policies that look ahead: PLANNER chooses what to aim at, SEARCH tries options out, both by playing games on.

A rollout is the game played on to its end from a copy of the position, in which everything the seat cannot know
has been dealt anew, by the thinking policy's minds (kind WEIGHTS).
"""

import math

import numpy as np

from nfsim.core.jit import int64, njit
from nfsim.core.rng import stream
from nfsim.games.new_frontiers.codes import ChipUse
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.playing import ASK_AGAIN, NO_CHOICE, is_searched, must_plan, play_on
from nfsim.games.new_frontiers.policies.hidden import deal_anew, forget_hidden
from nfsim.games.new_frontiers.policies.kinds import Kind, Objective
from nfsim.games.new_frontiers.scoring import Part
from nfsim.games.new_frontiers.solo import claim, requirement_has
from nfsim.games.new_frontiers.state import Event

GAME, SEEN, TRIAL = range(3)  # places of states: the game, what the seat sees of it, the game of a rollout
STATES, LISTS = 3, 2  # states and option lists that a thinking player needs
TO_THE_END = 1_000_000  # rounds
BATCH = 16  # rollouts per option between two looks at which options fall behind
FAR_BEHIND = 2.0  # standard errors of the paired difference to the leader
MARGIN = 5.0  # VPs of lead over the best other seat that make a win likely
HINT = 0.001  # worth of coming near, where nothing is reached: only to tell hopeless options apart


@njit
def decide(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> int:
    """Think about the decision at hand.

    Parameters
    ----------
    tables : record of TABLES
    states : recarray of STATE, shape (3,)
        The game, and room to think: GAME, SEEN, TRIAL.
    memory : int64 array, shape (state, word)
        The memory of `states`.
    options : recarray of OPTION_LIST, shape (2,)
        The options as `play_on` left them, and room to think.
    policies : recarray of POLICY, shape (policy,)

    Returns
    -------
    int
        Option to carry out, or ASK_AGAIN: a plan has been made, and the policy's mind decides by it.
    """
    policy = policies[states[GAME].actor]
    if policy.plans and must_plan(states[GAME], policy):
        plan(tables, states, memory, options, policies)
        return ASK_AGAIN
    return search(tables, states, memory, options, policies)


@njit
def consider(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> int:
    """Return what the actor's policy would choose at a decision at which `play_on` paused; parameters as `decide`."""
    state = states[GAME]
    policy = policies[state.actor]
    if policy.plans and must_plan(state, policy):
        plan(tables, states, memory, options, policies)
        play_on(tables, state, options[0], policies, int64(0), int64(ASK_AGAIN), int64(1))
    if policy.kind == Kind.SEARCH and is_searched(state.decision):
        return search(tables, states, memory, options, policies)
    return options[0].best


@njit
def plan(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> None:
    """Decide which open condition to aim at in this round: the one whose rollouts are worth most."""
    state = states[GAME]
    seat = state.actor
    policy = policies[seat]
    begun = policy.planned_game == state.draw_key and state.round_no > 0
    in_use = policy.use if begun else int64(-1)
    made = policy.planned_round
    policy.planned_game = state.draw_key
    if begun and made > 0 and state.round_no % policy.plan_every != 0:
        policy.planned_round = state.round_no
        return
    policy.planned_round = state.round_no
    n_open = 0
    only = int64(0)
    for condition in range(tables.n_conditions):
        policy.chance[condition] = -1.0
        if policy.worth[condition, 0] > 0.0:
            n_open += 1
            only = int64(condition)
    if n_open <= 1:
        policy.use = policy.first_mind + only
        return
    see(states, memory, seat)
    best = -1.0
    for condition in range(tables.n_conditions):
        if policy.worth[condition, 0] <= 0.0:
            continue
        mind = policy.first_mind + condition
        total = 0.0
        for r in range(policy.plan_rollouts):
            deal(states, memory, seat, r)
            copy_options(options)
            rollout(tables, states[TRIAL], options[1], policies, mind, int64(ASK_AGAIN), int64(TO_THE_END))
            total += claim_worth(tables, states[TRIAL], seat, policy, int64(condition))
        policy.chance[condition] = total / max(1, policy.plan_rollouts)
        if policy.chance[condition] > best or (policy.chance[condition] == best and mind == in_use):
            best = policy.chance[condition]
            policy.use = mind
    state.policy_counter[seat] += 1


@njit
def search(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> int:
    """Return the option whose rollouts end best; all options are tried on the same dealings of what is hidden.

    Options that fall far behind the leader are given up early.
    """
    state = states[GAME]
    seat = state.actor
    policy = policies[seat]
    n = min(policy.candidates, options[0].count)
    tried = np.empty(n, np.int64)
    pick_candidates(options[0], tried)
    values = np.zeros((n, policy.rollouts))
    alive = np.ones(n, np.int64)
    last = state.round_no + policy.horizon - 1 if policy.horizon > 0 else int64(TO_THE_END)
    first = policy.use if tables.dummies > 0 else policy.first_mind
    see(states, memory, seat)
    done = 0
    leader = 0
    while done < policy.rollouts:
        end = min(policy.rollouts, done + BATCH)
        for r in range(done, end):
            for i in range(n):
                if alive[i]:
                    deal(states, memory, seat, r)
                    copy_options(options)
                    rollout(tables, states[TRIAL], options[1], policies, first, tried[i], last)
                    values[i, r] = worth(tables, states[TRIAL], seat, policy)
        done = end
        leader = drop_behind(values, alive, done)
        if alive.sum() == 1:
            break
    state.policy_counter[seat] += 1
    return tried[leader]


@njit
def pick_candidates(options: Record, tried: Record) -> None:
    """Fill in the options with the best scores by weights, the best first."""
    for i in range(len(tried)):
        best = int64(-1)
        for option in range(options.count):
            taken = False
            for j in range(i):
                taken = taken or tried[j] == option
            if not taken and (best < 0 or options.score[option] > options.score[best]):
                best = int64(option)
        tried[i] = best


@njit
def drop_behind(values: Record, alive: Record, done: int) -> int:
    """Return the leader after `done` rollouts, and mark those far behind it as given up."""
    leader = -1
    best = -1.0e18
    for i in range(len(alive)):
        if alive[i]:
            mean = values[i, :done].mean()
            if mean > best:
                best = mean
                leader = i
    for i in range(len(alive)):
        if alive[i] and i != leader:
            behind = values[leader, :done] - values[i, :done]
            error = math.sqrt(behind.var() / max(1, done - 1))
            if behind.mean() > FAR_BEHIND * error:
                alive[i] = 0
    return leader


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
        return claim_worth(tables, state, seat, policy, policies_target(policy))
    mine = float(state.score[seat, Part.TOTAL])
    if tables.players == 1:
        return mine
    others = -1.0e9
    for other in range(tables.players):
        if other != seat:
            others = max(others, float(state.score[other, Part.TOTAL]))
    return 1.0 / (1.0 + math.exp(-max(-100.0, min(100.0, mine - others)) / MARGIN))


@njit
def policies_target(policy: Record) -> int:
    """Return the condition that a planning policy aims at."""
    return policy.use - policy.first_mind


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
        if need > 0:
            near *= min(1.0, (0.5 + requirement_has(tables, state, seat, condition, i)) / (0.5 + need))
    return near
