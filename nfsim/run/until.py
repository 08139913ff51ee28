"""Playing until a rate is known well enough: fixed looks, and a confidence sequence that allows for them.

The rule looks after so many games, the same whatever the number of threads. Its interval is `nfsim.stats.sequence`'s,
which covers the true rate however often it is looked at and whenever it stops. The first games are a pilot: they
say how the interval is set up, and do not count in it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nfsim.errors import BadInput, nearest
from nfsim.log.records import ChunkRecord
from nfsim.run.chunks import FEWEST, FEWEST_SLOW, Chunk
from nfsim.run.scenario import MOST_GAMES, Scenario
from nfsim.stats.intervals import LEVEL, Floats, wilson
from nfsim.stats.planning import games_for_rate
from nfsim.stats.sequence import sequence_bounds, weight_for

NARROWEST = 1e-4  # takes a billion games at a rate of one half
LOOK = 2 * FEWEST  # games between two looks
LOOK_SLOW = 10 * FEWEST_SLOW  # for slow policies
PILOT = 500  # games that set the interval up; how well they do it hardly matters
RULE = (
    "plays on until the interval of the rate is narrow enough; the interval is a confidence sequence (beta-binomial "
    "mixture), valid however often it is looked at"
)


@dataclass(frozen=True)
class Until:
    """When to stop.

    Attributes
    ----------
    width : float
        Of the interval, high - low, that is narrow enough.
    rate : str
        What it is the interval of: an objective's name, that of any of them, or ``seat N``: its wins, shared ones
        split.
    most : int or None
        Games it may play; None: as many as a scenario can have.
    any_objective : bool
        Whether `rate` is that of meeting any objective.
    """

    width: float
    rate: str
    most: int | None = None
    any_objective: bool = False

    def identity(self, fixed: Mapping[str, Any]) -> dict[str, Any]:
        """Return the identity of a run that stops by this rule, from that of one with a fixed number of games."""
        rest = {key: value for key, value in fixed.items() if key != "games"}
        most = {} if self.most is None else {"most": self.most}
        return rest | {"until": self.width, "rate": self.rate} | most

    @property
    def limit(self) -> int:
        """The most games it may play."""
        return MOST_GAMES if self.most is None else self.most


def read_until(scenario: Scenario, width: float, rate: str | None, most: int | None) -> Until:
    """Check a rule as the command line gives it.

    Parameters
    ----------
    scenario : Scenario
    width : float
    rate : str, optional
        An objective's name or a seat's number; by default any objective, or seat 0 where there are none.
    most : int, optional

    Raises
    ------
    BadInput
        Naming the option.
    """
    if not NARROWEST <= width < 1:
        problem = f"must be from {NARROWEST:g} to below 1, not {width:g}"
        raise BadInput("--until", "", problem, "0.01 is an interval of one percentage point from end to end")
    seats = scenario.rule_set.players(scenario.prepared)
    objectives = [objective.name for objective in scenario.rule_set.objectives(scenario.prepared)]
    words = scenario.rule_set.words
    rates = [words.any, *objectives] if objectives else []
    known = [*rates, *(f"seat {seat}" for seat in range(seats))]
    if rate is None:
        return Until(width, known[0], most, bool(objectives))
    wanted = rate.strip()
    wanted = f"seat {wanted}" if wanted.isdecimal() else wanted
    same = {name.lower(): name for name in known}
    if wanted.lower() not in same:
        what = f"{words.objective} or seat" if objectives else "seat"
        raise BadInput("--rate", "", f'this scenario has no {what} "{rate[:60]}"', nearest(wanted, known))
    found = same[wanted.lower()]
    return Until(width, found, most, bool(objectives) and found == words.any)


@dataclass
class Looks:
    """A run that stops by a rule, as far as it has come.

    Attributes
    ----------
    until : Until
    folder : Path
        Where the parts of complete chunks lie.
    slow : bool
        Whether a policy is slow: chunks and looks are then smaller.
    games : int
        Games seen.
    looks : list of dict
        What was seen at each look: games, n and k (without the pilot), low, high.
    """

    until: Until
    folder: Path
    slow: bool
    games: int = 0
    looks: list[dict[str, Any]] = field(default_factory=list)
    _won: float = 0.0
    _pilot_won: float = 0.0

    def __post_init__(self) -> None:
        self._chunk, self._step = (FEWEST_SLOW, LOOK_SLOW) if self.slow else (FEWEST, LOOK)

    def stages(self, records: Mapping[int, ChunkRecord]) -> Generator[list[Chunk], None, None]:
        """Yield what is to be played before the next look, until the rule says stop.

        Parameters
        ----------
        records : mapping of int to ChunkRecord
            By first game; when the next stage is asked for, those of the last one are there.
        """
        goal = min(self._step, self.until.limit)
        while goal > self.games:
            chunks = [Chunk(g, min(self._chunk, goal - g)) for g in range(self.games, goal, self._chunk)]
            yield chunks
            for chunk in chunks:
                self._take(records[chunk.first])
            goal = self._look()

    @property
    def reached(self) -> bool:
        """Whether the interval was narrow enough at the last look."""
        return bool(self.looks) and self.looks[-1]["high"] - self.looks[-1]["low"] <= self.until.width

    def about(self) -> dict[str, Any]:
        """Return what the manifest says of the rule and how it went."""
        last = self.looks[-1]
        low, high = wilson(self._won, self.games)
        return {
            "rule": RULE,
            "level": LEVEL,
            "width": self.until.width,
            "rate_of": self.until.rate,
            "most": self.until.most,
            "reached": self.reached,
            "pilot": {"games": min(PILOT, self.games), "k": self._pilot_won},
            "looks": self.looks,
            "n": last["n"],
            "k": last["k"],
            "rate": last["k"] / last["n"] if last["n"] else None,
            "low": last["low"],
            "high": last["high"],
            "fixed": {
                "n": self.games,
                "k": self._won,
                "rate": self._won / self.games,
                "low": float(low),
                "high": float(high),
                "games_needed": games_for_rate(self._won / self.games, self.until.width),
            },
        }

    def _take(self, record: ChunkRecord) -> None:
        """Count a chunk; its games follow those seen."""
        values = successes(self.folder, record, self.until)
        self._pilot_won += float(values[: max(0, PILOT - self.games)].sum())
        self.games += record.games
        self._won += float(values.sum())

    def _look(self) -> int:
        """Look at the interval; return how many games to have at the next look, or as many as there are to stop."""
        n, k = max(0, self.games - PILOT), self._won - self._pilot_won
        weight = weight_for(self._pilot_won, PILOT, self.until.width, self._step)
        low, high = (float(end) for end in sequence_bounds(k, n, weight))
        self.looks.append({"games": self.games, "n": n, "k": k, "low": low, "high": high})
        if self.reached:
            return self.games
        # an interval narrows at most as n grows: before this many games it cannot be narrow enough
        goal = PILOT + int(n * (high - low) / self.until.width)
        goal = max(goal // self._step * self._step, self.games + self._step)
        return min(goal, self.until.limit)


def successes(folder: Path, record: ChunkRecord, until: Until) -> Floats:
    """Return what each game of a chunk adds to a rate, from 0 to 1.

    Parameters
    ----------
    folder : Path
        Of the run.
    record : ChunkRecord
        The chunk, complete.
    until : Until
        Whose rate.

    Returns
    -------
    ndarray, shape (games of the chunk,)
        Games without a row count 0.
    """
    import polars as pl

    rate, seat = until.rate, until.rate.removeprefix("seat ")
    wins = until.any_objective or (rate != seat and seat.isdecimal())
    value: Any
    if wins:
        won = pl.col("won").cast(pl.Float64)
        own = won.filter(pl.col("seat") == (0 if until.any_objective else int(seat))).sum()
        value = own / pl.max_horizontal(won.sum(), pl.lit(1.0))
    else:
        value = pl.col("met").cast(pl.Float64).filter(pl.col("objective").cast(pl.String) == rate).sum()
    table = "seats" if wins else "objectives"
    found = np.zeros(record.games)
    for part in record.parts:
        if part.table == table:
            rows = pl.scan_parquet(folder / part.file, glob=False).group_by("game").agg(value.alias("value")).collect()
            found[rows["game"].to_numpy() - record.first] = rows["value"].to_numpy()
    return found


Tell = Callable[[str, float, int, tuple[float, float] | None], None]
"""Hears a rate's name, successes, games, and the interval of a rule that looks again and again: `Watch.rate`."""


class Running:
    """Counts what chunks won as they come, and tells.

    Parameters
    ----------
    scenario : Scenario
        A game with objectives has the rate of meeting any of them, another that of seat 0.
    looks : Looks or None
        Of a run that stops by a rule: then its rate and interval are told, after each look.
    tell : callable
    """

    def __init__(self, scenario: Scenario, looks: Looks | None, tell: Tell) -> None:
        rule_set = scenario.rule_set
        self._name = rule_set.words.any if rule_set.objectives(scenario.prepared) else "seat 0"
        self._looks, self._tell = looks, tell
        self._k, self._n = 0.0, 0

    def look(self, chunks: Sequence[Chunk], records: Mapping[int, ChunkRecord]) -> None:
        """Take what is there already of the chunks to be played next, and what the last look said."""
        for chunk in chunks:
            if chunk.first in records:
                self._count(records[chunk.first])
        self._say()

    def add(self, record: ChunkRecord) -> None:
        """Take a chunk that was played."""
        self._count(record)
        if self._looks is None:
            self._say()

    def _count(self, record: ChunkRecord) -> None:
        if record.wins is not None:  # older versions did not count
            self._k += record.wins
            self._n += record.games

    def _say(self) -> None:
        if self._looks is None:
            if self._n:
                self._tell(self._name, self._k, self._n, None)
        elif self._looks.looks:
            last = self._looks.looks[-1]
            self._tell(self._looks.until.rate, last["k"], last["n"], (last["low"], last["high"]))
