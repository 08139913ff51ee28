"""The record that holds a policy."""

import numpy as np

from nfsim.engine.records import policy_fields
from nfsim.games.new_frontiers.layout import CLASSES, CONDITIONS, TILES

PARAMS = 80  # capacity of a policy's parameter vector
WANTED = 48  # capacity of the list of wanted classes


POLICY = np.dtype(
    [
        *policy_fields(CONDITIONS),
        # --- WEIGHTS
        ("params", np.float64, (PARAMS,)),  # by Effect and Param
        ("likes", np.float64, (CLASSES,)),  # VPs' worth of one more tile of a class, whatever it brings
        ("noted", np.int64, (7,)),  # what the list below depends on, see `value.note_wanted`
        ("wanted_mask", np.int64),  # bit c set: Class c is wanted
        ("n_wanted", np.int64),
        ("wanted_class", np.int64, (WANTED,)),  # classes of which one more tile is worth something to the seat
        ("wanted_worth", np.float64, (WANTED,)),
        ("aim_chip", np.float64),  # what the target adds to the worth of a VP chip,
        ("aim_military", np.float64),  # of a point of Military,
        ("aim_chart", np.float64),  # of another goal
        ("aim_tile", np.int64),  # tile that the target asks for; -1 none
        ("per_chip", np.float64),  # part of the supply that one VP chip is
        ("per_colonist", np.float64),  # part of the way to the colonists' end that one colonist is
        # --- what the parameters say of each tile, filled in by `value.rate_tiles`; VPs' worth
        ("once", np.float64, (TILES,)),  # of owning it: printed VPs and likes
        ("first_good", np.float64, (TILES,)),  # of a windfall world's first good
        ("rate", np.float64, (TILES,)),  # of powers and goods for each round left
        ("rate_credits", np.float64, (TILES,)),  # credits its powers give for each round left
        ("counting", np.int64, (TILES,)),  # 1: a power counts own tiles, so it must be looked at anew
        ("muscle", np.int64, (TILES,)),  # points of Military it adds against every world
    ]
)
