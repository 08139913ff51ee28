"""Policies that look ahead: PLANNER chooses what to aim at, SEARCH tries options out, both by playing games on.

A rollout is the game played on to its end from a copy of the position, in which everything the seat cannot know
has been dealt anew, by the thinking policy's minds (kind WEIGHTS).
"""

import math

import numpy as np

from nfsim.compiled.jit import int64, load, njit, njit_late
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.playing import ASK_AGAIN, is_searched, must_plan, play_on
from nfsim.games.new_frontiers.policies.kinds import Kind
from nfsim.games.new_frontiers.rollouts import (
    GAME,
    TO_THE_END,
    TRIAL,
    claim_worth,
    copy_options,
    deal,
    rollout,
    see,
    worth,
)

BATCH = 16  # rollouts per option between two looks at which options fall behind
FAR_BEHIND = 2.0  # standard errors of the paired difference to the leader
SECONDS = 15  # what compiling a search or a planner takes on an ordinary machine


def load_thinking(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> None:
    """Compile or load what these policies need to look ahead, if any does; parameters as `decide`.

    Call it before anything plays by such policies: a run without them compiles no search.
    """
    arguments = tables, states, memory, options, policies
    if (policies.plans > 0).any():
        load(plan, *arguments, name="the planner", seconds=SECONDS)
    if (policies.kind == Kind.SEARCH).any():
        load(search, *arguments, name="the search", seconds=SECONDS)


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


@njit_late("none")
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
            deal(states, memory, seat, int64(r))
            copy_options(options)
            rollout(tables, states[TRIAL], options[1], policies, mind, int64(ASK_AGAIN), int64(TO_THE_END))
            total += claim_worth(tables, states[TRIAL], seat, policy, int64(condition))
        policy.chance[condition] = total / max(1, policy.plan_rollouts)
        if policy.chance[condition] > best or (policy.chance[condition] == best and mind == in_use):
            best = policy.chance[condition]
            policy.use = mind
    state.policy_counter[seat] += 1


@njit_late("int64")
def search(tables: Record, states: Record, memory: Record, options: Record, policies: Record) -> int:
    """Return the option whose rollouts end best; those that fall far behind the leader are given up early."""
    state = states[GAME]
    policy = policies[state.actor]
    tried = np.empty(min(policy.candidates, options[0].count), np.int64)
    pick_candidates(options[0], tried)
    values = np.zeros((len(tried), policy.rollouts))
    alive = np.ones(len(tried), np.int64)
    see(states, memory, state.actor)
    done = int64(0)
    leader = int64(0)
    while done < policy.rollouts and alive.sum() > 1:
        end = min(policy.rollouts, done + BATCH)
        try_out(tables, states, memory, options, policies, tried, alive, values, done, end)
        done = end
        leader = drop_behind(values, alive, done)
    state.policy_counter[state.actor] += 1
    return tried[leader]


@njit
def weigh(
    tables: Record, states: Record, memory: Record, options: Record, policies: Record, tried: Record, values: Record
) -> None:
    """Try the best options out as `search` does, but give none up; parameters as `decide`.

    Parameters
    ----------
    tried : int64 array, shape (candidate,)
        Filled with the options tried.
    values : float64 array, shape (candidate, rollout)
        Filled with what their rollouts are worth; column by column on the same dealings.
    """
    state = states[GAME]
    policy = policies[state.actor]
    if policy.plans:
        plan(tables, states, memory, options, policies)
    play_on(tables, state, options[0], policies, int64(0), int64(ASK_AGAIN), int64(1))
    pick_candidates(options[0], tried)
    see(states, memory, state.actor)
    alive = np.ones(len(tried), np.int64)
    try_out(tables, states, memory, options, policies, tried, alive, values, int64(0), int64(values.shape[1]))


@njit
def try_out(
    tables: Record,
    states: Record,
    memory: Record,
    options: Record,
    policies: Record,
    tried: Record,
    alive: Record,
    values: Record,
    begin: int,
    end: int,
) -> None:
    """Play rollouts `begin` to `end` of every option alive, all on the same dealings of what is hidden."""
    state = states[GAME]
    seat = state.actor
    policy = policies[seat]
    last = state.round_no + policy.horizon - 1 if policy.horizon > 0 else int64(TO_THE_END)
    first = policy.use if tables.dummies > 0 else policy.first_mind
    for r in range(begin, end):
        for i in range(len(tried)):
            if alive[i]:
                deal(states, memory, seat, int64(r))
                copy_options(options)
                rollout(tables, states[TRIAL], options[1], policies, first, tried[i], last)
                values[i, r] = worth(tables, states[TRIAL], seat, policy)


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
