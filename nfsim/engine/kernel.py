"""The kernel: plays games one after the other and writes their rows; no Python per game or row."""

from nfsim.compiled.jit import int64, njit
from nfsim.engine import rules
from nfsim.engine.playing import NO_CHOICE, begin, get_ready, play_on
from nfsim.engine.records import Record, Records
from nfsim.engine.rules import Event
from nfsim.engine.search import decide
from nfsim.engine.workspace import GAME, Log, Workspace
from nfsim.policies.kinds import Kind


@njit
def play_games(tables: Record, policies: Records, root: int, first: int, n: int, room: Workspace, log: Log) -> int:
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
    room : Workspace
    log : Log

    Returns
    -------
    int
        Games played: fewer than `n` when the next one might not fit into a buffer. Nothing is lost:
        empty the buffers, reset `log.used`, and go on from there.
    """
    get_ready(tables, policies)
    for number in range(n):
        if not fits(log):
            return number
        game = first + number
        begin(tables, room.states[GAME], room.memory[GAME], root, game)
        go_on(tables, policies, game, room, log, int64(NO_CHOICE))
        write_end(tables, policies, game, room.states[GAME], log)
    return n


@njit
def go_on(tables: Record, policies: Records, game: int, room: Workspace, log: Log, choice: int) -> int:
    """Play a game on and write its rounds; parameters as `play_games`, `choice` as `playing.play_on`.

    Returns
    -------
    int
        FINISHED, or DECISION when a seat whose policy is of kind OWN must decide.
    """
    state = room.states[GAME]
    move = choice
    while True:
        event = play_on(tables, state, room.lists[0], policies, int64(0), move, int64(0))
        move = int64(NO_CHOICE)
        if event == Event.DECISION:
            if policies[state.actor].kind == Kind.OWN:
                return event
            move = decide(tables, room, policies)
        elif event == Event.ROUND_ENDED:
            if log.level > 0:
                rules.write_round(tables, state, game, log.rows, log.used)
        else:
            return event


@njit
def write_end(tables: Record, policies: Records, game: int, state: Record, log: Log) -> None:
    """Write the rows of a game that is over; parameters as `play_games`."""
    rules.write_end(tables, state, policies, game, log.level, log.rows, log.used)
    for kind in range(len(log.asked)):
        log.asked[kind] += state.asked[kind]
        log.options_seen[kind] += state.options_seen[kind]


@njit
def fits(log: Log) -> bool:
    """Return whether the rows of one more game fit, however long it takes."""
    for table in range(len(log.used)):
        if log.used[table] > log.room[table]:
            return False
    return True
