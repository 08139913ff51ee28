"""Shapes of the records the compiled rules work on: TABLES (what is printed) and STATE (one game).

Both are single records of int64 fields with fixed capacities and counts as fields, so that other
tiles, a patch, or base against Rift never change a dtype and never recompile anything.
Axis names: tile = id of a tile (worlds from 0, homes from HOME0, developments from DEV0),
seat = 0 … 4, slot = place of a colony in its empire (0 = home), place = place in a list.
Unless said otherwise -1 means none and unused places are 0.
"""

import numpy as np

from nfsim.engine.records import I8, option_list_fields, state_fields, tables_fields
from nfsim.games.new_frontiers.codes import Action, Class, Decision, Effect
from nfsim.games.new_frontiers.rulings import RULINGS

SEATS = 5
WORLDS, HOMES, DEVS = 160, 64, 96  # capacities of the three sections of tile ids
HOME0, DEV0, TILES = WORLDS, WORLDS + HOMES, WORLDS + HOMES + DEVS
CLASSES = 48  # capacity of Class
EFFECTS = 40  # capacity of Effect
POWERS, SCORINGS = 6, 6  # capacities per tile
STACKS, MATS, GOALS, STEPS = 64, 32, 32, 4
CONDITIONS, REQUIREMENTS = 8, 6
BAG = 200
ACTIONS = len(Action)
MAX_TURNS = 10  # selections in a round
COLONIES, EXPLORED, DEVELOPMENTS = 16, 16, 24  # capacities per seat
SCORE_PARTS = 7
SPECIALS, FEEDERS, TEMPS = 48, 32, 16  # a seat's powers with filters, consume powers, temporary Military
FRESH, DRAWN = 32, 96
OPTIONS = 512

assert max(Class) < CLASSES
assert max(Effect) < EFFECTS

POWER_FIELDS = ("effect", "filter", "amount", "vp", "credits", "colonists", "times", "spare")

TABLES = np.dtype(
    [
        *tables_fields(),
        # --- tiles, axis tile (capacity TILES); unused ids have kind -1
        ("kind", I8, (TILES,)),  # TileKind
        ("mask", I8, (TILES,)),  # bit c set: the tile is in Class c
        (
            "good_mask",
            I8,
            (TILES,),
        ),  # as mask, but a good of any kind has all four kinds' bits: feeding and selling
        ("type", I8, (TILES,)),  # WorldType; -1 for developments
        ("good", I8, (TILES,)),  # Good; NONE = -1
        ("military", I8, (TILES,)),  # 1 for military worlds
        ("cost", I8, (TILES,)),  # credits; 0 for military worlds
        ("defense", I8, (TILES,)),  # 1 … 9 for military worlds, else 0
        ("colonists", I8, (TILES,)),  # colonists to settle (worlds)
        ("vp", I8, (TILES,)),  # printed VPs
        ("penalty", I8, (TILES,)),  # VPs <= 0 of an unconquered Xeno world
        ("copies", I8, (TILES,)),  # worlds: how many lie in the bag; developments see stack_copies
        ("keywords", I8, (TILES,)),  # bit k set: Keyword k
        ("spaces", I8, (TILES,)),  # spaces on the development mat: 1, or 2 for 9-cost tiles
        ("n_powers", I8, (TILES,)),
        ("power", I8, (TILES, POWERS, len(POWER_FIELDS))),  # last axis: POWER_FIELDS
        ("place_good", I8, (TILES,)),  # 1: gets a good when settled (windfall, or SETTLE_PLACE_GOOD)
        ("credits_this", I8, (TILES,)),  # PRODUCE_CREDITS_THIS
        ("bonus_this", I8, (TILES,)),  # TRADE_BONUS_THIS
        ("no_sale", I8, (TILES,)),  # 1: TRADE_NO_SALE
        ("n_scorings", I8, (TILES,)),
        ("scoring", I8, (TILES, SCORINGS, 3)),  # (measure, VPs for each, highest total or -1)
        # --- development stacks, axis stack
        ("n_stacks", I8),
        ("stack_face", I8, (STACKS, 2)),  # development tile of each side; -1: one side only
        ("stack_copies", I8, (STACKS,)),  # tiles in the stack at the start
        ("mastery_stack", I8),  # campaign 6: the stack whose side is chosen; -1 none
        # --- empire mats, axis mat
        ("n_mats", I8),
        ("mat_side", I8, (MATS, 2)),  # home tile of side A, B
        # --- goals, axis goal
        ("n_goals", I8),
        ("goal_in_game", I8, (GOALS,)),  # 1: shuffled into the goal stack, 2: face up from the start
        ("goal_measure", I8, (GOALS,)),
        ("goal_stockpile", I8, (GOALS,)),  # StockpileKind
        ("goal_n_steps", I8, (GOALS,)),
        ("goal_need", I8, (GOALS, STEPS)),  # rising
        ("goal_vp", I8, (GOALS, STEPS)),
        ("goal_plus", I8, (GOALS, STEPS)),  # 1: the step is printed with a +
        # --- solo conditions of the campaign played, axis condition: the objectives of the game
        ("condition_vp", I8, (CONDITIONS,)),
        ("condition_n", I8, (CONDITIONS,)),
        ("condition_kind", I8, (CONDITIONS, REQUIREMENTS)),  # RequirementKind
        ("condition_measure", I8, (CONDITIONS, REQUIREMENTS)),  # a measure; OWNS: the tile
        ("condition_least", I8, (CONDITIONS, REQUIREMENTS)),  # GOALS_SCORED: VPs a goal must give, else 0
        ("condition_need", I8, (CONDITIONS, REQUIREMENTS)),
        # --- setup of the game played
        ("dummies", I8),  # 0, or 2 in solo (seats 1 and 2)
        ("selections", I8),  # actions each seat selects in a round (R4)
        ("goals", I8),  # 1: with goals
        ("campaign", I8),  # 0: none
        ("round_limit", I8),  # the game ends after this round
        ("limit_is_end", I8),  # 1: the round limit is a normal end (solo), 0: a safety stop
        ("supply_vp", I8),
        ("supply_colonists", I8),
        ("explore_worlds", I8),  # worlds drawn: 7, or 8 with the Rift
        ("chart_goals", I8),  # goals drawn: 3, or 5 with the Rift
        ("start_credits", I8, (SEATS,)),  # by place in priority order, first to last
        ("price", I8, (5,)),  # by Good; ANY sells as the dearest kind
        ("world_limit", I8),  # explored + settled besides home
        ("colony_end", I8),
        ("development_end", I8),
        ("colonist_end", I8),  # the game ends when at most so many are left
        ("ruling", I8, (len(RULINGS),)),  # number of the reading in force
    ]
)

STATE = np.dtype(
    [
        *state_fields(SEATS, decisions=len(Decision), parts=SCORE_PARTS, drawn=DRAWN),
        # --- control
        ("step", I8),  # state.Step: where the engine goes on
        ("stage", I8),  # place within the action being resolved
        ("cursor", I8),  # place in `resolve` of the seat whose turn it is in the action
        ("turn", I8),  # which selection of the round
        ("n_turns", I8),
        ("action", I8),  # Action being resolved
        ("selector", I8),  # seat that selected it (a dummy too)
        ("bonus_seat", I8),  # selector if it is a player, else -1
        ("n_resolve", I8),
        ("resolve", I8, (SEATS,)),  # players in the order in which they carry out the action
        ("end_mask", I8),  # bit per EndReason
        # --- the board
        ("n_seats", I8),  # players and dummies
        ("taken", I8, (ACTIONS,)),  # 1: selected in this round, or not in this game
        ("turn_seat", I8, (MAX_TURNS,)),  # seat of each selection in this round
        ("turn_action", I8, (MAX_TURNS,)),  # Action selected
        ("turn_by", I8, (MAX_TURNS,)),  # ChosenBy
        ("space", I8, (SEATS,)),  # space of each seat's disk on the priority track, 1 = top
        ("start_order", I8, (SEATS,)),  # place of each seat in the first round, from 0
        ("chart_pending", I8),  # R7 round_end: seat whose disk still moves up; -1
        ("produce_credits", I8),
        ("supply_vp", I8),  # VP chips, never below 0
        ("supply_colonists", I8),
        ("reserve_vp", I8),  # granted beyond the supply (001)
        ("reserve_colonists", I8),
        ("bag_n", I8),
        ("draws", I8),  # worlds drawn from the bag so far
        ("xeno_draws", I8),  # of those: Xeno worlds
        ("bag", I8, (BAG,)),  # world tiles; the order has no meaning, draws are random
        ("shown_n", I8),
        ("shown", I8, (FRESH,)),  # worlds open in an Explore action
        ("stack_side", I8, (STACKS,)),
        ("stack_left", I8, (STACKS,)),  # copies left
        ("goal_deck_n", I8),
        ("goal_deck", I8, (GOALS,)),  # first = top
        ("goal_where", I8, (GOALS,)),  # 0 not in play, 1 face down, 2 face up
        ("face_up", I8),  # bit g set: goal g lies face up
        ("goal_by", I8, (GOALS,)),  # seat that drew it; -1
        ("goal_hand_n", I8),
        ("goal_hand", I8, (GOALS,)),  # goals drawn, while one is chosen
        # --- the seat at work in an action
        ("fresh_n", I8),
        ("fresh", I8, (FRESH,)),  # worlds taken in this action, not yet placed
        ("fresh_seat", I8, (FRESH,)),
        ("settled_n", I8),  # worlds settled in this action by the seat at work
        ("settled", I8, (4,)),  # their slots: their powers start when the seat has finished
        ("settles_left", I8),
        ("temp_military", I8),  # temporary Military gained in this action
        ("temp_used", I8, (TEMPS,)),
        ("produced", I8, (COLONIES,)),  # 1: the colony in this slot produced in this action
        ("bonus_left", I8),  # windfall goods or picks still to place
        ("power_at", I8),  # place among the powers worked through
        ("fed", I8, (FEEDERS,)),  # uses of each consume power in this action
        ("fed_kinds", I8, (FEEDERS,)),  # kinds of goods it has taken (bit per Good)
        ("feeding", I8),  # consume power that still needs goods
        ("feed_left", I8),
        ("gained", I8),  # credits, colonists or chips just gained that may be stockpiled
        # --- seats
        ("mat", I8, (SEATS,)),
        ("side", I8, (SEATS,)),
        ("home", I8, (SEATS,)),  # home tile
        ("credits", I8, (SEATS,)),
        ("colonists", I8, (SEATS,)),  # not yet on a world
        ("chips", I8, (SEATS,)),  # VPs of chips held, without stockpiled ones
        ("stockpile", I8, (SEATS, 4)),  # by StockpileKind
        ("goal_down", I8, (SEATS,)),  # the seat's face-down goal; -1
        ("n_colonies", I8, (SEATS,)),  # home included
        ("colony", I8, (SEATS, COLONIES)),  # tile in each slot
        ("colony_good", I8, (SEATS, COLONIES)),  # 1: a good lies on it
        ("colony_explored", I8, (SEATS, COLONIES)),  # round explored; 0 home
        ("colony_settled", I8, (SEATS, COLONIES)),  # round settled; 0 home
        ("xeno_taken", I8, (SEATS,)),  # Xeno worlds taken or drawn by the seat, whether or not it kept them
        ("n_explored", I8, (SEATS,)),
        ("explored", I8, (SEATS, EXPLORED)),
        ("explored_round", I8, (SEATS, EXPLORED)),
        ("stored", I8, (SEATS, EXPLORED)),  # world tiles stockpiled
        ("n_devs", I8, (SEATS,)),
        ("dev", I8, (SEATS, DEVELOPMENTS)),
        ("dev_round", I8, (SEATS, DEVELOPMENTS)),
        ("dev_spaces", I8, (SEATS,)),
        ("owned", I8, (SEATS,)),  # bit s set: the seat owns a tile of stack s
        ("placed_colonists", I8, (SEATS,)),  # on worlds, home included
        ("military", I8, (SEATS,)),  # permanent Military, kept up to date
        ("counts", I8, (SEATS, CLASSES)),  # own tiles per class
        ("sums", I8, (SEATS, EFFECTS)),  # additive effects without filter
        ("n_specials", I8, (SEATS,)),
        (
            "special_effect",
            I8,
            (SEATS, SPECIALS),
        ),  # additive effects with a filter, SETTLE_PAY_MILITARY always
        ("special_filter", I8, (SEATS, SPECIALS)),
        ("special_amount", I8, (SEATS, SPECIALS)),
        ("n_feeders", I8, (SEATS,)),
        ("feeder_tile", I8, (SEATS, FEEDERS)),  # consume powers
        ("feeder_power", I8, (SEATS, FEEDERS)),
        ("n_temps", I8, (SEATS,)),
        ("temp_tile", I8, (SEATS, TEMPS)),  # temporary Military
        ("temp_power", I8, (SEATS, TEMPS)),
    ]
)

OPTION_LIST = np.dtype(
    [
        *option_list_fields(OPTIONS),  # kind: Option
        ("credit", np.float64),  # VPs' worth of a credit
        ("gain", np.float64, (ACTIONS,)),  # by Action: with the selector's bonus
        ("plain", np.float64, (ACTIONS,)),  # by Action: without it
    ]
)
