"""The kernel: plays games one after the other and writes their rows; no Python per game or row."""

from nfsim.compiled.jit import int64, njit
from nfsim.games.new_frontiers import rows, setup
from nfsim.games.new_frontiers.layout import COLONIES, DEVELOPMENTS, EXPLORED, Record
from nfsim.games.new_frontiers.playing import NO_CHOICE, play_on
from nfsim.games.new_frontiers.policies.choose import get_ready
from nfsim.games.new_frontiers.policies.kinds import Kind
from nfsim.games.new_frontiers.state import Event
from nfsim.games.new_frontiers.thinking import decide

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
    states: Record,
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
    policies : recarray of POLICY, shape (policy,)
        The seats' policies, then the minds of those that think; none of kind OWN.
    root : int
        Seed of the run.
    first, n : int
        Numbers of the games.
    level : int
        0 games, 1 rounds, 2 tiles: which tables are written (`nfsim.contract.tables.LEVELS`).
    states : recarray of STATE, shape (rollouts.STATES,)
    memory : int64 array, shape (state, word)
        The memory of `states`.
    options : recarray of OPTION_LIST, shape (rollouts.LISTS,)
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
    get_ready(tables, policies)
    for number in range(n):
        if not fits(
            tables,
            level,
            used,
            games_rows,
            seats_rows,
            rounds_rows,
            selections_rows,
            goals_rows,
            conditions_rows,
            tiles_rows,
        ):
            return number
        game = first + number
        setup.begin(tables, states[0], memory[0], root, game)
        go_on(
            tables, policies, level, game, states, memory, options, rounds_rows, selections_rows, used, int64(NO_CHOICE)
        )
        write_end(
            tables,
            policies,
            level,
            game,
            states[0],
            games_rows,
            seats_rows,
            goals_rows,
            conditions_rows,
            tiles_rows,
            used,
            asked,
            options_seen,
        )
    return n


@njit
def go_on(
    tables: Record,
    policies: Record,
    level: int,
    game: int,
    states: Record,
    memory: Record,
    options: Record,
    rounds_rows: Record,
    selections_rows: Record,
    used: Record,
    choice: int,
) -> int:
    """Play a game on and write its rounds; parameters as `play_games`, `choice` as `playing.play_on`.

    Returns
    -------
    int
        FINISHED, or DECISION when a seat whose policy is of kind OWN must decide.
    """
    state = states[0]
    move = choice
    while True:
        event = play_on(tables, state, options[0], policies, int64(0), move, int64(0))
        move = int64(NO_CHOICE)
        if event == Event.DECISION:
            if policies[state.actor].kind == Kind.OWN:
                return event
            move = decide(tables, states, memory, options, policies)
        elif event == Event.ROUND_ENDED:
            if level > 0:
                used[ROUNDS] = rows.write_round(tables, state, game, rounds_rows, used[ROUNDS])
                used[SELECTIONS] = rows.write_selections(state, game, selections_rows, used[SELECTIONS])
        else:
            return event


@njit
def write_end(
    tables: Record,
    policies: Record,
    level: int,
    game: int,
    state: Record,
    games_rows: Record,
    seats_rows: Record,
    goals_rows: Record,
    conditions_rows: Record,
    tiles_rows: Record,
    used: Record,
    asked: Record,
    options_seen: Record,
) -> None:
    """Write the rows of a game that is over; parameters as `play_games`."""
    used[GAMES] = rows.write_game(state, game, games_rows, used[GAMES])
    for seat in range(tables.players):
        used[SEATS] = rows.write_seat(tables, state, policies, game, seat, seats_rows, used[SEATS])
    used[GOALS] = rows.write_goals(tables, state, game, goals_rows, used[GOALS])
    used[CONDITIONS] = rows.write_conditions(tables, state, policies, game, conditions_rows, used[CONDITIONS])
    if level > 1:
        used[TILES] = rows.write_tiles(tables, state, game, tiles_rows, used[TILES])
    for kind in range(len(asked)):
        asked[kind] += state.asked[kind]
        options_seen[kind] += state.options_seen[kind]


@njit
def fits(
    tables: Record,
    level: int,
    used: Record,
    games_rows: Record,
    seats_rows: Record,
    rounds_rows: Record,
    selections_rows: Record,
    goals_rows: Record,
    conditions_rows: Record,
    tiles_rows: Record,
) -> bool:
    """Return whether the rows of one more game fit, however long it takes."""
    players = tables.players
    if used[GAMES] >= len(games_rows):
        return False
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
