"""The kernel: plays games one after the other and writes their rows; no Python per game or row."""

from nfsim.core.jit import int64, njit
from nfsim.games.new_frontiers import rows, setup
from nfsim.games.new_frontiers.engine import advance, apply
from nfsim.games.new_frontiers.layout import COLONIES, DEVELOPMENTS, EXPLORED, Record
from nfsim.games.new_frontiers.policies.choose import choose, get_ready
from nfsim.games.new_frontiers.state import Event

GAMES, SEATS, ROUNDS, SELECTIONS, GOALS, CONDITIONS, TILES = range(7)  # places in `used`
TILES_A_SEAT = COLONIES + 2 * EXPLORED + DEVELOPMENTS


@njit
def play_games(
    tables: Record,
    policies: Record,
    root: int,
    first: int,
    n: int,
    level: int,
    state: Record,
    memory: Record,
    options: Record,
    games_rows: Record,
    seats_rows: Record,
    rounds_rows: Record,
    selections_rows: Record,
    goals_rows: Record,
    conditions_rows: Record,
    tiles_rows: Record,
    used: Record,
    asked: Record,
    options_seen: Record,
) -> int:
    """Play games `first` … `first + n - 1` and append their rows to the buffers.

    Parameters
    ----------
    tables : record of TABLES
    policies : recarray of POLICY, shape (seat,)
    root : int
        Seed of the run.
    first, n : int
        Numbers of the games.
    level : int
        0 games, 1 rounds, 2 tiles: which tables are written (`nfsim.core.columns.LEVELS`).
    state : record of STATE
    memory : int64 array, shape (word,)
        The memory of `state`.
    options : record of OPTION_LIST
    games_rows … tiles_rows : recarrays, shape (capacity,)
        Row buffers, one per table.
    used : int64 array, shape (table,)
        Rows written so far per table, moved on.
    asked, options_seen : int64 arrays, shape (Decision,)
        Decisions asked and options offered, added up.

    Returns
    -------
    int
        Games played: fewer than `n` when the next one might not fit into a buffer. Nothing is lost:
        empty the buffers, reset `used`, and go on from there.
    """
    for seat in range(tables.players):
        get_ready(tables, policies[seat])
    for number in range(n):
        if not fits(
            tables,
            level,
            used,
            seats_rows,
            rounds_rows,
            selections_rows,
            goals_rows,
            conditions_rows,
            tiles_rows,
        ) or used[GAMES] >= len(games_rows):
            return number
        game = first + number
        setup.begin(tables, state, memory, root, game)
        while True:
            event = advance(tables, state, options)
            if event == Event.DECISION or event == Event.FORCED:
                choice = int64(0)
                if event == Event.DECISION:
                    choice = choose(tables, state, options, policies[state.actor])
                apply(tables, state, options, choice)
            elif event == Event.ROUND_ENDED:
                if level > 0:
                    used[ROUNDS] = rows.write_round(tables, state, game, rounds_rows, used[ROUNDS])
                    used[SELECTIONS] = rows.write_selections(state, game, selections_rows, used[SELECTIONS])
            else:
                break
        used[GAMES] = rows.write_game(state, game, games_rows, used[GAMES])
        for seat in range(tables.players):
            used[SEATS] = rows.write_seat(tables, state, policies, game, seat, seats_rows, used[SEATS])
        used[GOALS] = rows.write_goals(tables, state, game, goals_rows, used[GOALS])
        used[CONDITIONS] = rows.write_conditions(tables, state, game, conditions_rows, used[CONDITIONS])
        if level > 1:
            used[TILES] = rows.write_tiles(tables, state, game, tiles_rows, used[TILES])
        for kind in range(len(asked)):
            asked[kind] += state.asked[kind]
            options_seen[kind] += state.options_seen[kind]
    return n


@njit
def fits(
    tables: Record,
    level: int,
    used: Record,
    seats_rows: Record,
    rounds_rows: Record,
    selections_rows: Record,
    goals_rows: Record,
    conditions_rows: Record,
    tiles_rows: Record,
) -> bool:
    """Return whether the rows of one more game fit, however long it takes."""
    players = tables.players
    if used[SEATS] + players > len(seats_rows) or used[GOALS] + players * tables.n_goals > len(goals_rows):
        return False
    if used[CONDITIONS] + tables.n_conditions > len(conditions_rows):
        return False
    if level > 0:
        if used[ROUNDS] + players * tables.round_limit > len(rounds_rows):
            return False
        turns = (players + tables.dummies) * tables.selections
        if used[SELECTIONS] + turns * tables.round_limit > len(selections_rows):
            return False
    return not (level > 1 and used[TILES] + players * TILES_A_SEAT > len(tiles_rows))
