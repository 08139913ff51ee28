"""The seam between engine and players: from options to a choice."""

from nfsim.core.jit import njit, njit_inline
from nfsim.core.rng import below
from nfsim.games.new_frontiers.layout import Record
from nfsim.games.new_frontiers.policies.balanced import choose_balanced
from nfsim.games.new_frontiers.policies.kinds import Kind
from nfsim.games.new_frontiers.policies.value import rate_tiles


@njit_inline
def choose(tables: Record, state: Record, options: Record, policy: Record) -> int:
    """Return the number of the option that the seat to decide chooses.

    Parameters
    ----------
    tables, state, options : records of TABLES, STATE, OPTION_LIST
        The position; `state.actor` decides `state.decision`.
    policy : record of POLICY
        Kind and parameters of the actor's policy.
    """
    if policy.kind == Kind.BALANCED:
        return choose_balanced(tables, state, options, policy)
    return choose_uniform(state, options)


@njit
def get_ready(tables: Record, policy: Record) -> None:
    """Work out once what the policy's parameters say of each tile; call it before the first `choose`."""
    if policy.kind == Kind.BALANCED:
        rate_tiles(tables, policy)


@njit_inline
def choose_uniform(state: Record, options: Record) -> int:
    """Return any option, each as likely as another, from the actor's own stream."""
    seat = state.actor
    choice = below(state.policy_key[seat], state.policy_counter[seat], options.count)
    state.policy_counter[seat] += 1
    return choice
