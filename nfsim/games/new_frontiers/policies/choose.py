"""The seam between engine and players: from options to a choice, for policies that do not look ahead."""

from nfsim.compiled.jit import njit, njit_inline
from nfsim.compiled.rng import below
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.policies.kinds import Kind
from nfsim.games.new_frontiers.policies.value import rate_tiles
from nfsim.games.new_frontiers.policies.weights import choose_by_weights


@njit_inline
def choose(tables: Record, state: Record, options: Record, policy: Record) -> int:
    """Return the number of the option that the seat to decide chooses.

    Parameters
    ----------
    tables, state, options : records of TABLES, STATE, OPTION_LIST
        The position; `state.actor` decides `state.decision`.
    policy : record of POLICY
        Of kind UNIFORM or WEIGHTS: the actor's own, or the mind it uses.
    """
    if policy.kind == Kind.UNIFORM:
        return choose_uniform(state, options)
    return choose_by_weights(tables, state, options, policy)


@njit
def get_ready(tables: Record, policies: Record) -> None:
    """Work out once what each policy's parameters say of each tile; call it before the first `choose`."""
    for place in range(len(policies)):
        policies[place].planned_round = -1
        if policies[place].kind == Kind.WEIGHTS:
            rate_tiles(tables, policies[place])


@njit_inline
def choose_uniform(state: Record, options: Record) -> int:
    """Return any option, each as likely as another, from the actor's own stream."""
    seat = state.actor
    choice = below(state.policy_key[seat], state.policy_counter[seat], options.count)
    state.policy_counter[seat] += 1
    return choice
