"""Policies that look ahead: PLANNER chooses what to aim at, SEARCH tries options out, both by playing games on.

A rollout is the game played on to its end from a copy of the position, in which everything the seat cannot know
has been dealt anew, by the thinking policy's minds (kind WEIGHTS).
"""

import math

import numpy as np

from nfsim.compiled.jit import int64, load, njit, njit_late
from nfsim.compiled.rng import stream
from nfsim.engine import rules
from nfsim.engine.claims import best_claim
from nfsim.engine.playing import ASK_AGAIN, NO_CHOICE, must_plan, play_on
from nfsim.engine.records import Floats, Ints, Record, Records
from nfsim.engine.rules import Event
from nfsim.engine.workspace import GAME, SEEN, TRIAL, Workspace
from nfsim.policies.kinds import Kind, Wants

BATCH = 16  # rollouts per option between two looks at which options fall behind
FAR_BEHIND = 2.0  # standard errors of the paired difference to the leader
TO_THE_END = 1_000_000  # rounds
MARGIN = 5.0  # points of lead over the best other seat that make a win likely
SECONDS = 15  # what compiling a search or a planner takes on an ordinary machine
HINT = 0.001  # worth of coming near, where nothing is reached: only to tell hopeless options apart


def load_thinking(tables: Record, room: Workspace, policies: Records) -> None:
    """Compile or load what these policies need to look ahead, if any does; parameters as `decide`.

    Call it before anything plays by such policies: a run without them compiles no search.
    """
    if (policies["plans"] > 0).any():
        load(plan, tables, room, policies, name="the planner", seconds=SECONDS)
    if (policies["kind"] == Kind.SEARCH).any():
        load(search, tables, room, policies, name="the search", seconds=SECONDS)


@njit
def decide(tables: Record, room: Workspace, policies: Records) -> int:
    """Think about the decision at hand.

    Parameters
    ----------
    tables : record of TABLES
    room : Workspace
        The game and its options as `play_on` left them, and room to think.
    policies : recarray of POLICY, shape (policy,)

    Returns
    -------
    int
        Option to carry out, or ASK_AGAIN: a plan has been made, and the policy's mind decides by it.
    """
    policy = policies[room.states[GAME].actor]
    if policy.plans and must_plan(room.states[GAME], policy):
        plan(tables, room, policies)
        return ASK_AGAIN
    return search(tables, room, policies)


@njit
def consider(tables: Record, room: Workspace, policies: Records) -> int:
    """Return what the actor's policy would choose at a decision at which `play_on` paused; parameters as `decide`."""
    state = room.states[GAME]
    policy = policies[state.actor]
    if policy.plans and must_plan(state, policy):
        plan(tables, room, policies)
        play_on(tables, state, room.lists[0], policies, int64(0), int64(ASK_AGAIN), int64(1))
    if policy.kind == Kind.SEARCH and rules.matters(tables, state):
        return search(tables, room, policies)
    return room.lists[0].best


@njit_late("none")
def plan(tables: Record, room: Workspace, policies: Records) -> None:
    """Decide which open objective to aim at in this round: the one whose rollouts are worth most."""
    state = room.states[GAME]
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
    for objective in range(tables.n_objectives):
        policy.chance[objective] = -1.0
        if policy.worth[objective, 0] > 0.0:
            n_open += 1
            only = int64(objective)
    if n_open <= 1:
        policy.use = policy.first_mind + only
        return
    see(tables, room, seat)
    best = -1.0
    for objective in range(tables.n_objectives):
        if policy.worth[objective, 0] <= 0.0:
            continue
        mind = policy.first_mind + objective
        total = 0.0
        for r in range(policy.plan_rollouts):
            deal(tables, room, seat, int64(r))
            rollout(tables, room, policies, mind, int64(ASK_AGAIN), int64(TO_THE_END))
            total += claim_worth(tables, room.states[TRIAL], seat, policy, int64(objective))
        policy.chance[objective] = total / max(1, policy.plan_rollouts)
        if policy.chance[objective] > best or (policy.chance[objective] == best and mind == in_use):
            best = policy.chance[objective]
            policy.use = mind
    state.policy_counter[seat] += 1


@njit_late("int64")
def search(tables: Record, room: Workspace, policies: Records) -> int:
    """Return the option whose rollouts end best; those that fall far behind the leader are given up early."""
    state = room.states[GAME]
    policy = policies[state.actor]
    tried = np.empty(min(policy.candidates, room.lists[0].count), np.int64)
    pick_candidates(room.lists[0], tried)
    values = np.zeros((len(tried), policy.rollouts))
    alive = np.ones(len(tried), np.int64)
    see(tables, room, state.actor)
    done = int64(0)
    leader = int64(0)
    while done < policy.rollouts and alive.sum() > 1:
        end = min(policy.rollouts, done + BATCH)
        try_out(tables, room, policies, tried, alive, values, done, end)
        done = end
        leader = drop_behind(values, alive, done)
    state.policy_counter[state.actor] += 1
    return tried[leader]


@njit
def weigh(tables: Record, room: Workspace, policies: Records, tried: Ints, values: Floats) -> None:
    """Try the best options out as `search` does, but give none up; parameters as `decide`.

    Parameters
    ----------
    tried : int64 array, shape (candidate,)
        Filled with the options tried.
    values : float64 array, shape (candidate, rollout)
        Filled with what their rollouts are worth; column by column on the same dealings.
    """
    state = room.states[GAME]
    policy = policies[state.actor]
    if policy.plans:
        plan(tables, room, policies)
    play_on(tables, state, room.lists[0], policies, int64(0), int64(ASK_AGAIN), int64(1))
    pick_candidates(room.lists[0], tried)
    see(tables, room, state.actor)
    alive = np.ones(len(tried), np.int64)
    try_out(tables, room, policies, tried, alive, values, int64(0), int64(values.shape[1]))


@njit
def try_out(
    tables: Record,
    room: Workspace,
    policies: Records,
    tried: Ints,
    alive: Ints,
    values: Floats,
    begin: int,
    end: int,
) -> None:
    """Play rollouts `begin` to `end` of every option alive, all on the same dealings of what is hidden."""
    state = room.states[GAME]
    seat = state.actor
    policy = policies[seat]
    last = state.round_no + policy.horizon - 1 if policy.horizon > 0 else int64(TO_THE_END)
    first = policy.use if tables.players == 1 else policy.first_mind
    for r in range(begin, end):
        for i in range(len(tried)):
            if alive[i]:
                deal(tables, room, seat, int64(r))
                rollout(tables, room, policies, first, tried[i], last)
                values[i, r] = worth(tables, room.states[TRIAL], seat, policy)


@njit
def see(tables: Record, room: Workspace, seat: int) -> None:
    """Make SEEN what the seat sees of the game."""
    room.memory[SEEN, :] = room.memory[GAME, :]
    rules.forget_hidden(tables, room.states[SEEN], seat)


@njit
def deal(tables: Record, room: Workspace, seat: int, number: int) -> None:
    """Make TRIAL a game like SEEN, with dealing number `number` of what is hidden, and the options at hand."""
    room.memory[TRIAL, :] = room.memory[SEEN, :]
    game = room.states[GAME]
    key = stream(game.policy_key[seat], game.policy_counter[seat], int64(number))
    rules.deal_anew(tables, room.states[TRIAL], seat, key)
    offered = room.lists[0]
    copy = room.lists[1]
    n = offered.count
    copy.count = n
    copy.overflow = 0
    copy.kind[:n] = offered.kind[:n]
    copy.a[:n] = offered.a[:n]
    copy.b[:n] = offered.b[:n]


@njit
def rollout(tables: Record, room: Workspace, policies: Records, first: int, choice: int, last: int) -> None:
    """Play TRIAL on until round `last` or its end with the minds from `first` on."""
    state = room.states[TRIAL]
    move = choice
    while True:
        event = play_on(tables, state, room.lists[1], policies, first, move, int64(0))
        move = int64(NO_CHOICE)
        if event != Event.ROUND_ENDED or state.round_no >= last:
            return


@njit
def worth(tables: Record, state: Record, seat: int, policy: Record) -> float:
    """Return what the end of a rollout is worth to the seat."""
    if policy.wants == Wants.CLAIM:
        return claim_worth(tables, state, seat, policy, policy.use - policy.first_mind)
    mine = float(state.score[seat, 0])
    if tables.players == 1:
        return mine
    others = -1.0e9
    for other in range(tables.players):
        if other != seat:
            others = max(others, float(state.score[other, 0]))
    if policy.wants == Wants.WIN:
        if mine == others:
            return 0.5
        return 1.0 if mine > others else 0.0
    return 1.0 / (1.0 + math.exp(-max(-100.0, min(100.0, mine - others)) / MARGIN))


@njit
def claim_worth(tables: Record, state: Record, seat: int, policy: Record, target: int) -> float:
    """Return the worth of the best claim that a final position allows, and a hint of how near the target is."""
    _, gain = best_claim(tables, state, seat, policy.worth)
    return gain + HINT * rules.nearness(tables, state, seat, target)


@njit
def pick_candidates(options: Record, tried: Ints) -> None:
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
def drop_behind(values: Floats, alive: Ints, done: int) -> int:
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
