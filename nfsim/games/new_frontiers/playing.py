"""Playing on: the one loop in which engine and policies meet; simulations, rollouts and single games all use it."""

from nfsim.compiled.jit import int64, njit_apart, njit_inline
from nfsim.games.new_frontiers.codes import Decision
from nfsim.games.new_frontiers.engine import advance, apply
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.policies.choose import choose
from nfsim.games.new_frontiers.policies.kinds import Kind
from nfsim.games.new_frontiers.state import Event

NO_CHOICE = -1  # nothing to carry out: play on
ASK_AGAIN = -2  # the decision stands, but whoever decides it has planned meanwhile
DECISION_EVENT = int(Event.DECISION)


@njit_apart
def play_on(
    tables: Record, state: Record, options: Record, policies: Record, first: int, choice: int, pause: int
) -> int:
    """Carry out a choice and play on until something is up to the caller.

    Parameters
    ----------
    tables, state, options : records of TABLES, STATE, OPTION_LIST
    policies : recarray of POLICY, shape (policy,)
    first : int
        Place of seat 0's policy; the other seats' follow.
    choice : int
        Option to carry out first, NO_CHOICE or ASK_AGAIN.
    pause : int
        1: return at every decision.

    Returns
    -------
    int
        An `Event` number. DECISION: the actor must decide something that its policy thinks about longer, or any
        decision with `pause`; `options.best` is then what its policy, or the mind that it uses, would choose at
        first sight. ROUND_ENDED, FINISHED: as `engine.advance`.
    """
    while True:
        event = DECISION_EVENT
        if choice >= 0:
            apply(tables, state, options, choice)
        if choice != ASK_AGAIN:
            event = advance(tables, state, options)
        if event == Event.FORCED:
            choice = int64(0)
        elif event == Event.DECISION:
            player = policies[first + state.actor]
            if player.kind == Kind.OWN or (player.plans and must_plan(state, player)):
                return event
            choice = choose(tables, state, options, policies[player.use])
            if pause or (player.kind == Kind.SEARCH and is_searched(state.decision)):
                options.best = choice
                return event
        else:
            return event


@njit_inline
def must_plan(state: Record, policy: Record) -> bool:
    """Return whether the policy has no plan for this round of this game yet."""
    return policy.planned_round != state.round_no or policy.planned_game != state.draw_key


@njit_inline
def is_searched(decision: int) -> bool:
    """Return whether a search looks ahead here: not for what hardly matters."""
    return (
        decision <= Decision.SETTLE_AGAIN
        or decision == Decision.SELL
        or decision == Decision.KEEP_GOAL
        or decision == Decision.STOCKPILE
    )
