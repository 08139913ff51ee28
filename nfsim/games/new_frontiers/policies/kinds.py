"""Kinds of policy and the record that holds one."""

from enum import IntEnum

import numpy as np

from nfsim.games.new_frontiers.layout import TILES

PARAMS = 64  # capacity of a policy's parameter vector
WANTED = 48  # capacity of the list of wanted classes


class Kind(IntEnum):
    """How a policy decides; the parameters mean something only together with it."""

    UNIFORM = 0
    BALANCED = 1


POLICY = np.dtype(
    [
        ("kind", np.int64),  # Kind
        ("name", np.int64),  # place in the run's list of policy names
        ("params", np.float64, (PARAMS,)),  # see the kind's own file
        # --- classes of which one more tile is worth something to the seat; see `value.note_wanted`
        ("noted", np.int64, (4,)),  # game, developments and goals for which the list was made
        ("wanted_mask", np.int64),  # bit c set: Class c is wanted
        ("n_wanted", np.int64),
        ("wanted_class", np.int64, (WANTED,)),
        ("wanted_worth", np.float64, (WANTED,)),
        ("per_chip", np.float64),  # part of the supply that one VP chip is
        ("per_colonist", np.float64),  # part of the way to the colonists' end that one colonist is
        # --- what the parameters say of each tile, filled in by `choose.get_ready`; VPs' worth
        ("once", np.float64, (TILES,)),  # of owning it: printed VPs
        ("first_good", np.float64, (TILES,)),  # of a windfall world's first good
        ("rate", np.float64, (TILES,)),  # of powers and goods for each round left
        ("rate_credits", np.float64, (TILES,)),  # credits its powers give for each round left
        ("counting", np.int64, (TILES,)),  # 1: a power counts own tiles, so it must be looked at anew
    ]
)
