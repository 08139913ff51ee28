"""Playing on: the one loop in which rules and policies meet; simulations, rollouts and single games all use it."""

from nfsim.compiled.jit import int64, njit, njit_apart, njit_inline
from nfsim.compiled.rng import Purpose, below, stream
from nfsim.engine import rules
from nfsim.engine.records import Ints, Record, Records
from nfsim.engine.rules import Event
from nfsim.policies.kinds import Kind

NO_CHOICE = -1  # nothing to carry out: play on
ASK_AGAIN = -2  # the decision stands, but whoever decides it has planned meanwhile
DECISION_EVENT = int(Event.DECISION)
DRAW_STREAM, POLICY_STREAM = int(Purpose.DRAWS), int(Purpose.POLICY)


@njit
def begin(tables: Record, state: Record, memory: Ints, root: int, game: int) -> None:
    """Set up game number `game` of the run with seed `root`.

    Parameters
    ----------
    tables : record of TABLES
    state : record of STATE
        Overwritten.
    memory : int64 array, shape (word,)
        The same memory as `state`, to clear it.
    root, game : int
        They fix everything that is random in the game, the policies' own choices included.
    """
    memory[:] = 0
    state.draw_key = stream(root, game, int64(DRAW_STREAM))
    for seat in range(len(state.policy_key)):
        state.policy_key[seat] = stream(root, game, POLICY_STREAM + seat)
    rules.begin(tables, state, root, game)


@njit
def get_ready(tables: Record, policies: Records) -> None:
    """Prepare policies for a game's tables; call it before they first choose."""
    for place in range(len(policies)):
        policies[place].planned_round = -1
        if policies[place].kind == Kind.WEIGHTS:
            rules.get_ready(tables, policies[place])


@njit_apart
def play_on(
    tables: Record, state: Record, options: Record, policies: Records, first: int, choice: int, pause: int
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
        first sight. ROUND_ENDED, FINISHED: as `rules.advance`.
    """
    while True:
        event = DECISION_EVENT
        if choice >= 0:
            rules.apply(tables, state, options, choice)
        if choice != ASK_AGAIN:
            event = rules.advance(tables, state, options)
        if event == Event.FORCED:
            choice = int64(0)
        elif event == Event.DECISION:
            player = policies[first + state.actor]
            if player.kind == Kind.OWN or (player.plans and must_plan(state, player)):
                return event
            choice = choose(tables, state, options, policies[player.use])
            if pause or (player.kind == Kind.SEARCH and rules.matters(tables, state)):
                options.best = choice
                return event
        else:
            return event


@njit_inline
def must_plan(state: Record, policy: Record) -> bool:
    """Return whether the policy has no plan for this round of this game yet."""
    return policy.planned_round != state.round_no or policy.planned_game != state.draw_key


@njit_inline
def choose(tables: Record, state: Record, options: Record, policy: Record) -> int:
    """Return the option that a policy of kind UNIFORM or WEIGHTS chooses: the actor's own, or the mind it uses."""
    if policy.kind == Kind.UNIFORM:
        return choose_uniform(state, options)
    return rules.choose(tables, state, options, policy)


@njit_inline
def choose_uniform(state: Record, options: Record) -> int:
    """Return any option, each as likely as another, from the actor's own stream."""
    seat = state.actor
    choice = below(state.policy_key[seat], state.policy_counter[seat], options.count)
    state.policy_counter[seat] += 1
    return choice
