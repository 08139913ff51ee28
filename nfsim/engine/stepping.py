"""Many games side by side, stepped together from one decision of a seat to its next one; all of it is compiled."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import int64, njit
from nfsim.compiled.rng import below
from nfsim.compiled.status import Status
from nfsim.engine import rules
from nfsim.engine.observing import Bools, Floats32, Sight, look
from nfsim.engine.playing import DECISION_EVENT, NO_CHOICE, begin, play_on
from nfsim.engine.records import Ints, Record, Records
from nfsim.engine.rules import Event
from nfsim.engine.workspace import Log

ROUND_ENDED_EVENT = int(Event.ROUND_ENDED)
ALL_LEGAL = -1


class Batch(NamedTuple):
    """Games that are stepped together, and what became of them in the last step.

    Attributes
    ----------
    root, seat, wins : int
        Seed of the games, the seat of the agent, and 1 if only winning counts.
    states : recarray of STATE, shape (game,)
    memory : ndarray of int64, shape (game, word)
        The memory of `states`.
    lists : recarray of OPTION_LIST, shape (game,)
    numbers, before : ndarrays of int64, shape (game,)
        Number of each game, and what its score was at the agent's last decision.
    observed : ndarray of float32, shape (game, entry)
    masks : ndarray of bool, shape (game, action)
    rewards : ndarray of float32, shape (game,)
    done : ndarray of bool, shape (game,)
        Whether a game ended in this step; the next one has begun in its place.
    scores : ndarray of int64, shape (game,)
        Final score of the game of each place that ended last.
    won : ndarray of bool, shape (game,)
        Whether the agent won it.
    fair : ndarray of bool, shape (game,)
        Whether it ended by the rules, not by a limit of the program.
    """

    root: int
    seat: int
    wins: int
    states: Records
    memory: Ints
    lists: Records
    numbers: Ints
    before: Ints
    observed: Floats32
    masks: Bools
    rewards: Floats32
    done: Bools
    scores: Ints
    won: Bools
    fair: Bools


@njit
def start(tables: Record, policies: Records, batch: Batch, sight: Sight, log: Log) -> None:
    """Begin all games, and play each on to the agent's first decision; parameters as `step`."""
    for place in range(len(batch.numbers)):
        begin_at(tables, policies, batch, log, place)
        show(tables, batch, sight, place)


@njit
def step(tables: Record, policies: Records, batch: Batch, sight: Sight, log: Log, actions: NDArray[np.int64]) -> int:
    """Carry out an action in every game, and play each on to the agent's next decision.

    Parameters
    ----------
    tables : record of TABLES
    policies : recarray of POLICY, shape (policy,)
        The agent's is of kind OWN, none looks ahead.
    batch : Batch
    sight : Sight
    log : Log
        Room for the rows of one game.
    actions : int64 array, shape (game,)

    Returns
    -------
    int
        ALL_LEGAL, or the first place with an action that is not: then nothing has been done.
    """
    for place in range(len(actions)):
        if not 0 <= actions[place] < min(batch.lists[place].count, sight.actions):
            return place
    alone = tables.players == 1
    for place in range(len(actions)):
        state = batch.states[place]
        state.drawn_n = 0
        finished = go(tables, policies, state, batch.lists[place], int64(actions[place]))
        batch.done[place] = finished
        if finished:
            score, won = ending(tables, policies, batch.seat, state, batch.numbers[place], log)
            batch.scores[place] = score
            batch.won[place] = won
            batch.fair[place] = state.status == Status.FINISHED
            batch.rewards[place] = np.float32(won) if batch.wins else np.float32(score - batch.before[place])
            batch.numbers[place] += len(actions)
            begin_at(tables, policies, batch, log, place)
        elif alone and not batch.wins:
            score = state.score[batch.seat, 0]
            batch.rewards[place] = np.float32(score - batch.before[place])
            batch.before[place] = score
        else:
            batch.rewards[place] = 0.0
        show(tables, batch, sight, place)
    return int64(ALL_LEGAL)


@njit
def show(tables: Record, batch: Batch, sight: Sight, place: int) -> None:
    """Write what the agent sees of a game."""
    look(
        tables,
        batch.states[place],
        batch.memory[place],
        batch.lists[place],
        sight,
        batch.seat,
        batch.observed[place],
        batch.masks[place],
    )


@njit
def begin_at(tables: Record, policies: Records, batch: Batch, log: Log, place: int) -> None:
    """Begin the game whose number stands at a place; one that ends before the agent decides anything is left out."""
    while True:
        state = batch.states[place]
        begin(tables, state, batch.memory[place], batch.root, batch.numbers[place])
        batch.before[place] = 0
        if not go(tables, policies, state, batch.lists[place], int64(NO_CHOICE)):
            return
        batch.numbers[place] += len(batch.numbers)


@njit
def go(tables: Record, policies: Records, state: Record, options: Record, choice: int) -> bool:
    """Carry out a choice and play on to the agent's next decision; True if the game has ended."""
    event = play_on(tables, state, options, policies, int64(0), choice, int64(0))
    while event == ROUND_ENDED_EVENT:
        event = play_on(tables, state, options, policies, int64(0), int64(NO_CHOICE), int64(0))
    return event != DECISION_EVENT


@njit
def ending(tables: Record, policies: Records, seat: int, state: Record, game: int, log: Log) -> tuple[int, bool]:
    """Return the score of a seat in a game that is over, and whether it won, as the log has them."""
    log.used[:] = 0
    rules.write_end(tables, state, policies, game, log.level, log.rows, log.used)
    for row in range(tables.players):
        if log.rows.seats[row].seat == seat:
            return int64(log.rows.seats[row].score), log.rows.seats[row].won != 0
    return int64(0), False


@njit
def any_actions(masks: Bools, key: int, found: NDArray[np.int64]) -> None:
    """Choose a legal action for each game, each as likely as another, from the stream `key`."""
    for place in range(len(found)):
        legal = int64(0)
        while legal < masks.shape[1] and masks[place, legal]:  # options stand first
            legal += 1
        found[place] = below(key, int64(place), legal)
