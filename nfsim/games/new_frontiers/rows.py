"""Writing the rows of the log: one function per table, each row as `columns.py` declares it.

Labels are written as codes: `empire` is the home's tile id less HOME0, `policy` the `name` of the
seat's policy record, `condition` the place in the campaign, `goal` and `tile` their ids.
"""

from typing import NamedTuple

from nfsim.compiled.jit import int64, njit, njit_inline
from nfsim.engine.records import Ints, Record, Records
from nfsim.games.new_frontiers.codes import Class, EndReason, StockpileKind
from nfsim.games.new_frontiers.layout import COLONIES, DEVELOPMENTS, EXPLORED, HOME0
from nfsim.games.new_frontiers.placing import xeno_explored
from nfsim.games.new_frontiers.scoring import Part, goal_vps, goods_on_colonies, rank
from nfsim.games.new_frontiers.solo import any_condition_met, claim, condition_met, goals_giving, requirements_met

END_REASONS = len(EndReason)
WORST, WORSE, BAD = -8, -6, -3  # penalties (000 p. 1)
TILES_A_SEAT = COLONIES + 2 * EXPLORED + DEVELOPMENTS
GAMES, SEATS, ROUNDS, SELECTIONS, GOALS, OBJECTIVES, TILES = range(7)  # places in `used`
TILES_LEVEL = 2  # place of the log level


class Rows(NamedTuple):
    """Row buffers, one per table in the order of the tables."""

    games: Records
    seats: Records
    rounds: Records
    selections: Records
    goals: Records
    objectives: Records
    tiles: Records


@njit_inline
def write_round(tables: Record, state: Record, game: int, rows: Rows, used: Ints) -> None:
    """Write the rows of a round that has ended; see `nfsim.engine.rules.write_round`."""
    used[ROUNDS] = write_rounds(tables, state, game, rows.rounds, used[ROUNDS])
    used[SELECTIONS] = write_selections(state, game, rows.selections, used[SELECTIONS])


@njit
def write_end(tables: Record, state: Record, policies: Records, game: int, level: int, rows: Rows, used: Ints) -> None:
    """Write the rows of a game that is over; see `nfsim.engine.rules.write_end`."""
    used[GAMES] = write_game(state, game, rows.games, used[GAMES])
    for seat in range(tables.players):
        used[SEATS] = write_seat(tables, state, policies, game, seat, rows.seats, used[SEATS])
    used[GOALS] = write_goals(tables, state, game, rows.goals, used[GOALS])
    used[OBJECTIVES] = write_conditions(tables, state, policies, game, rows.objectives, used[OBJECTIVES])
    if level >= TILES_LEVEL:
        used[TILES] = write_tiles(tables, state, game, rows.tiles, used[TILES])


@njit
def write_game(state: Record, game: int, rows: Records, at: int) -> int:
    """Write the game's row of `games` and return the next free place."""
    row = rows[at]
    row.game = game
    row.rounds = state.round_no
    row.end_reason = -1
    for reason in range(END_REASONS):
        if (state.end_mask >> reason) & 1:
            row.end_reason = reason
            break
    row.triggers = state.end_mask
    row.worlds_drawn = state.draws
    row.xeno_drawn = state.xeno_draws
    row.status = state.status
    return at + 1


@njit_inline
def write_seat(
    tables: Record,
    state: Record,
    policies: Records,
    game: int,
    seat: int,
    rows: Records,
    at: int,
) -> int:
    """Write a player's row of `seats` and return the next free place."""
    row = rows[at]
    row.game = game
    row.seat = seat
    row.policy = policies[seat].name
    row.empire = state.home[seat] - HOME0
    row.side = state.side[seat]
    row.start_order = state.start_order[seat]
    row.score = state.score[seat, Part.TOTAL]
    row.vp_chips = state.score[seat, Part.CHIPS]
    row.vp_worlds = state.score[seat, Part.WORLDS]
    row.vp_developments = state.score[seat, Part.DEVELOPMENTS]
    row.vp_nine_cost = state.score[seat, Part.NINE_COST]
    row.vp_goals = state.score[seat, Part.GOALS]
    row.vp_penalty = state.score[seat, Part.PENALTY]
    row.rank = rank(tables, state, seat)
    if tables.dummies > 0:
        row.won = 1 if any_condition_met(tables, state, seat) else 0
    else:
        row.won = 1 if row.rank == 1 else 0
    row.credits = state.credits[seat]
    row.goods = goods_on_colonies(state, seat)
    row.colonies = state.n_colonies[seat]
    row.developments = state.n_devs[seat]
    row.nine_cost = state.counts[seat, Class.NINE_COST]
    row.military = state.military[seat]
    write_counts(tables, state, seat, row)
    row.goals_scored = goals_giving(tables, state, seat, int64(1))
    row.goals_8 = goals_giving(tables, state, seat, int64(8))
    row.stockpiled_chips = state.stockpile[seat, StockpileKind.CHIPS]
    row.stockpiled_worlds = state.stockpile[seat, StockpileKind.WORLDS]
    row.stockpiled_colonists = state.stockpile[seat, StockpileKind.COLONISTS]
    row.stockpiled_credits = state.stockpile[seat, StockpileKind.CREDITS]
    return at + 1


@njit_inline
def write_counts(tables: Record, state: Record, seat: int, row: Record) -> None:
    """Fill the columns that count tiles."""
    row.tiles_alien = state.counts[seat, Class.ALIEN]
    row.tiles_imperium = state.counts[seat, Class.IMPERIUM]
    row.tiles_rebel = state.counts[seat, Class.REBEL]
    row.tiles_uplift = state.counts[seat, Class.UPLIFT]
    row.colonies_uplift = state.counts[seat, Class.UPLIFT_COLONY]
    row.colonies_novelty = state.counts[seat, Class.NOVELTY]
    row.colonies_rare = state.counts[seat, Class.RARE]
    row.colonies_genes = state.counts[seat, Class.GENES]
    row.colonies_alien = state.counts[seat, Class.ALIEN_GOOD]
    row.xeno_taken = state.xeno_taken[seat]
    row.xeno_conquered = state.counts[seat, Class.XENO_MILITARY]
    row.xeno_unconquered = xeno_explored(tables, state, seat)
    row.penalty_3 = 0
    row.penalty_6 = 0
    row.penalty_8 = 0
    for place in range(state.n_explored[seat]):
        penalty = tables.penalty[state.explored[seat, place]]
        row.penalty_3 += penalty == BAD
        row.penalty_6 += penalty == WORSE
        row.penalty_8 += penalty == WORST


@njit_inline
def write_rounds(tables: Record, state: Record, game: int, rows: Records, at: int) -> int:
    """Write every player's row of `rounds` and return the next free place."""
    for seat in range(tables.players):
        row = rows[at]
        row.game = game
        row.round = state.round_no
        row.seat = seat
        row.credits = state.credits[seat]
        row.colonists = state.colonists[seat]
        row.vp_chips = state.score[seat, Part.CHIPS]
        row.score = state.score[seat, Part.TOTAL]
        row.vp_worlds = state.score[seat, Part.WORLDS]
        row.vp_developments = state.score[seat, Part.DEVELOPMENTS]
        row.vp_nine_cost = state.score[seat, Part.NINE_COST]
        row.vp_goals = state.score[seat, Part.GOALS]
        row.vp_penalty = state.score[seat, Part.PENALTY]
        row.military = state.military[seat]
        row.colonies = state.n_colonies[seat]
        row.developments = state.n_devs[seat]
        row.goods = goods_on_colonies(state, seat)
        row.explored = state.n_explored[seat]
        row.xeno_explored = xeno_explored(tables, state, seat)
        row.priority = state.space[seat]
        row.supply_vp = state.supply_vp
        row.supply_colonists = state.supply_colonists
        row.produce_credits = state.produce_credits
        at += 1
    return at


@njit_inline
def write_selections(state: Record, game: int, rows: Records, at: int) -> int:
    """Write the round's rows of `selections` and return the next free place."""
    for turn in range(state.n_turns):
        row = rows[at]
        row.game = game
        row.round = state.round_no
        row.order = turn
        row.seat = state.turn_seat[turn]
        row.action = state.turn_action[turn]
        row.chosen_by = state.turn_by[turn]
        at += 1
    return at


@njit
def write_goals(tables: Record, state: Record, game: int, rows: Records, at: int) -> int:
    """Write a row of `goals` per goal in play and player, and return the next free place."""
    for seat in range(tables.players):
        for goal in range(tables.n_goals):
            if state.goal_where[goal] > 0:
                row = rows[at]
                row.game = game
                row.seat = seat
                row.goal = goal
                row.drawn_by = state.goal_by[goal]
                row.score = goal_vps(tables, state, seat, goal)
                at += 1
    return at


@njit
def write_conditions(tables: Record, state: Record, policies: Records, game: int, rows: Records, at: int) -> int:
    """Write a row of `objectives` per condition of the campaign, and return the next free place."""
    for condition in range(tables.n_objectives):
        row = rows[at]
        row.game = game
        row.campaign = tables.campaign
        row.objective = condition
        row.met = 1 if condition_met(tables, state, int64(0), condition) else 0
        row.requires_met = 1 if requirements_met(tables, state, int64(0), condition) else 0
        row.so_close = claim(tables, state, int64(0), condition)
        row.aimed = 1 if policies[0].plans and policies[0].use - policies[0].first_mind == condition else 0
        row.margin = state.score[0, Part.TOTAL] - tables.condition_vp[condition]
        at += 1
    return at


@njit
def write_tile(rows: Records, at: int, game: int, seat: int, tile: int, explored: int, settled: int) -> int:
    """Write one row of `tiles`."""
    row = rows[at]
    row.game = game
    row.seat = seat
    row.tile = tile
    row.round_explored = explored
    row.round_settled = settled
    return at + 1


@njit
def write_tiles(tables: Record, state: Record, game: int, rows: Records, at: int) -> int:
    """Write a row of `tiles` for everything the players own or have explored; -1 as `columns.py` says."""
    for seat in range(tables.players):
        none = int64(-1)
        for slot in range(state.n_colonies[seat]):
            tile = state.colony[seat, slot]
            at = write_tile(
                rows,
                at,
                game,
                seat,
                tile,
                state.colony_explored[seat, slot],
                state.colony_settled[seat, slot],
            )
        for place in range(state.n_explored[seat]):
            at = write_tile(rows, at, game, seat, state.explored[seat, place], state.explored_round[seat, place], none)
        for place in range(state.stockpile[seat, StockpileKind.WORLDS]):
            at = write_tile(rows, at, game, seat, state.stored[seat, place], none, none)
        for place in range(state.n_devs[seat]):
            at = write_tile(rows, at, game, seat, state.dev[seat, place], none, state.dev_round[seat, place])
    return at
