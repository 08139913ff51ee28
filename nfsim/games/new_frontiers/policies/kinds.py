"""Kinds of policy and the record that holds one."""

from enum import IntEnum

import numpy as np

PARAMS = 64  # capacity of a policy's parameter vector


class Kind(IntEnum):
    """How a policy decides; the parameters mean something only together with it."""

    UNIFORM = 0
    BALANCED = 1


POLICY = np.dtype([("kind", np.int64), ("name", np.int64), ("params", np.float64, (PARAMS,))])
"""`kind`: Kind; `name`: place in the run's list of policy names; `params`: see the kind's own file."""
