"""Kinds of policy and the record that holds one."""

from enum import IntEnum

import numpy as np

from nfsim.compiled.jit import register_game_types
from nfsim.games.new_frontiers.layout import CLASSES, CONDITIONS, SEATS, TILES

PARAMS = 80  # capacity of a policy's parameter vector
WANTED = 48  # capacity of the list of wanted classes
MINDS = max(CONDITIONS, SEATS)  # minds of a thinking seat: one per condition it may aim at, or one per seat


class Kind(IntEnum):
    """How a policy decides; the parameters mean something only together with it."""

    UNIFORM = 0  # any legal option
    WEIGHTS = 1  # `weights.py`: scores options by features and weights
    PLANNER = 2  # `think.py`: aims at a condition with the weights made for it, and revises its aim each round
    SEARCH = 3  # `think.py`: tries options out in games played to their end
    OWN = 4  # a function outside the compiled code; the kernel stops and asks


class Objective(IntEnum):
    """What a search wants more of."""

    SCORE = 0  # solo: VPs; with others: the lead, in a form between lead and win that few rollouts show well
    CLAIM = 1  # solo: the worth of the condition that the game's end can claim
    WIN = 2  # with others: having more VPs than they


POLICY = np.dtype(
    [
        ("kind", np.int64),  # Kind
        ("name", np.int64),  # place in the run's list of policy names
        ("use", np.int64),  # place among the policies of the one that decides now: itself, or a mind (below)
        ("params", np.float64, (PARAMS,)),  # by Effect and Param
        ("likes", np.float64, (CLASSES,)),  # VPs' worth of one more tile of a class, whatever it brings
        # --- PLANNER and SEARCH. Their minds are policies of kind WEIGHTS that stand in the same array; rollouts
        # are played by them: in solo one per condition, aiming at it, with others one per seat
        ("first_mind", np.int64),  # place of the first one
        ("plans", np.int64),  # 1: aims at a condition
        ("planned_game", np.int64),  # `draw_key` of the game and
        ("planned_round", np.int64),  # round for which `use` was decided; -1: never
        ("plan_rollouts", np.int64),  # per open condition, each time it plans
        ("plan_every", np.int64),  # rounds between two plans
        ("worth", np.float64, (CONDITIONS, 2)),  # of claiming a condition at the end: without, with the chip; 0 closed
        ("chance", np.float64, (CONDITIONS,)),  # mean worth found for each aim at the last plan; -1: not tried
        ("objective", np.int64),  # Objective
        ("rollouts", np.int64),  # per option that stays in question
        ("candidates", np.int64),  # options tried out: the best ones by weights
        ("horizon", np.int64),  # rounds played in a rollout; 0: to the game's end
        # --- WEIGHTS
        ("target", np.int64),  # condition aimed at; -1 none
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
        # --- what the parameters say of each tile, filled in by `choose.get_ready`; VPs' worth
        ("once", np.float64, (TILES,)),  # of owning it: printed VPs and likes
        ("first_good", np.float64, (TILES,)),  # of a windfall world's first good
        ("rate", np.float64, (TILES,)),  # of powers and goods for each round left
        ("rate_credits", np.float64, (TILES,)),  # credits its powers give for each round left
        ("counting", np.int64, (TILES,)),  # 1: a power counts own tiles, so it must be looked at anew
        ("muscle", np.int64, (TILES,)),  # points of Military it adds against every world
    ]
)

register_game_types("new_frontiers", POLICY)
