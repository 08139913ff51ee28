"""What a tuned policy is judged by, from the rows of finished games: the columns that every game fills."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.tuner import Outcome
from nfsim.errors import BadInput, nearest

Floats = NDArray[np.float64]
Rows = Mapping[str, Any]
Judge = Callable[[Rows, int], Outcome]
"""``(rows of some games, seat of the policy) -> Outcome``, one value per game."""

SCORE, MET, WIN = "score", "met", "win"
HINT = 0.1  # weight of being near an objective against meeting it: gives what is rarely met a slope


class Nearness(NamedTuple):
    """How near games came to some objectives, where only the game can tell.

    Attributes
    ----------
    of : callable
        ``rows -> values`` from 0 to 1, one per game.
    level : str
        Log level of the rows it asks for.
    """

    of: Callable[[Rows], Floats]
    level: str = "games"


class Judging(NamedTuple):
    """What games are judged by.

    Attributes
    ----------
    value : str
        `SCORE`, `MET` or `WIN`.
    judge : callable
    level : str
        Log level of the rows it asks for.
    """

    value: str
    judge: Judge
    level: str = "games"


def choose_value(value: str, players: int, objectives: Sequence[str], known: Sequence[str]) -> str:
    """Return what games are judged by, checked.

    Parameters
    ----------
    value : {"score", "met", "win", ""}
        '': `score` for who plays alone, `met` with objectives, `win` with other players.
    players : int
    objectives : sequence of str
        Those to be met.
    known : sequence of str
        All of the scenario.

    Raises
    ------
    BadInput
        If it does not fit the scenario.
    """
    alone = players == 1
    chosen = value or ((MET if objectives else SCORE) if alone else WIN)
    if chosen not in (SCORE, MET, WIN):
        raise BadInput("--value", "", f'unknown value "{chosen}"', nearest(chosen, (SCORE, MET, WIN)))
    if (chosen == WIN) == alone:
        fits = f"{SCORE} and {MET}" if alone else WIN
        who = "one player" if alone else f"{players} players"
        raise BadInput("--value", "", f"{chosen} does not fit a scenario for {who}", f"use {fits}")
    if (chosen == MET) != bool(objectives):
        if chosen == MET:
            remedy = f'for example --objective "{known[0]}"' if known else ""
            raise BadInput("--objective", "", f"is missing for --value {MET}", remedy)
        raise BadInput("--objective", "", f"is not for --value {chosen}")
    return chosen


def by_score(rows: Rows, seat: int) -> Outcome:
    """Return the scores of games of one player."""
    scores = rows["seats"]["score"].astype(np.float64)
    return Outcome(scores, scores)


def winning(players: int, margin: float) -> Judge:
    """Return a judge of wins: ties count their share; the search follows the lead over the best other player.

    So many points behind as `margin` halve the odds, in the search.
    """

    def judge(rows: Rows, seat: int) -> Outcome:
        rank = rows["seats"]["rank"].reshape(-1, players)
        scores = rows["seats"]["score"].reshape(-1, players).astype(np.float64)
        first = rank == 1
        plain = first[:, seat] / np.maximum(1, first.sum(axis=1))
        ahead = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
        return Outcome(1 / (1 + np.exp(-np.clip(ahead / margin, -50, 50))), plain)

    return judge


def meeting(objectives: Sequence[int], listed: int, near: Callable[[Rows], Floats] | None) -> Judge:
    """Return a judge of whether any of some objectives is met; the search also follows how near it is."""

    def judge(rows: Rows, seat: int) -> Outcome:
        met = rows["objectives"]["met"].reshape(-1, listed)
        plain = met[:, list(objectives)].any(axis=1).astype(np.float64)
        return Outcome(plain if near is None else plain + HINT * near(rows), plain)

    return judge
