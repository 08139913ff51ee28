"""Searching for better policies: CMA-ES over a game's vectors, resumable, then measured on games never searched."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import queue
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from nfsim.contract.tuner import Aim, Floats, Outcome, Play, Tuner
from nfsim.errors import BadInput
from nfsim.files import parse_json, read_text, try_writing, write_atomic
from nfsim.run.execute import MOST_JOBS
from nfsim.run.progress import keeping
from nfsim.run.provenance import source_hash
from nfsim.run.scenario import Scenario
from nfsim.run.worker_pool import in_threads, warm_up, workers_for
from nfsim.validation import checked, one_printable_line, quoted

ENDING = ".search.json"
MOST_BYTES = 50_000_000
CLOSE = 1e-6  # candidates asked for again may differ by rounding of another processor, not by more
AGAIN = "remove the file to begin anew, or give another --out"
CHUNK = 500  # held-out deals of one piece of work
HELD_OUT = 10**9  # added to the seed for the deals that measure the result: no search plays them
LARGEST_SEED = HELD_OUT - 1
DIGITS = 5  # of figures in the file
BOUNDS = tuple(f"{what}{bound}" for what in ("", "start_", "difference_") for bound in ("low", "high"))
LIMITS = {
    "seed": (0, LARGEST_SEED),
    "games": (1, 10**7),
    "generations": (1, 10**5),
    "population": (4, 1000),
    "held_out": (100, 10**8),
}

Finite = Annotated[float, Field(allow_inf_nan=False)]


class Generation(BaseModel):
    """One generation.

    Attributes
    ----------
    values : list of float
        By candidate; the higher the better.
    mark : float
        Sum of all numbers of its candidates: shows whether the same ones are asked for again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    values: list[Finite]
    mark: Finite

    @classmethod
    def of(cls, asked: NDArray[np.float64], values: NDArray[np.float64]) -> Generation:
        """Return what is kept of a generation."""
        return cls(values=values.tolist(), mark=float(asked.sum()))


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")

    identity: dict[str, Any]
    generations: list[Generation]


@dataclass
class TuneState:
    """Generations told so far, kept in a file.

    Attributes
    ----------
    path : Path
    identity : mapping
        What makes the search the same, except for its length.
    generations : list of Generation
    """

    path: Path
    identity: Mapping[str, Any]
    generations: list[Generation]

    @classmethod
    def open(cls, out: Path, identity: Mapping[str, Any]) -> TuneState:
        """Return the state kept beside an output, empty if there is none.

        Raises
        ------
        BadInput
            If the file cannot be used, or is of another search.
        """
        path = out.with_name(out.name + ENDING)
        told = json.loads(json.dumps(dict(identity)))
        try:
            if not path.exists():
                return cls(path, told, [])
        except OSError as error:  # the output's name is short enough, this one is not
            raise BadInput(path, "", f"cannot be used ({error.strerror})", "give a shorter --out") from None
        try:
            data = parse_json(read_text(path, MOST_BYTES, "a search's state"))
        except ValueError:
            raise BadInput(path, "", "is not the state of a search", AGAIN) from None
        kept = checked(_Kept, data, path)
        for key in {**told, **kept.identity}:
            there, here = kept.identity.get(key), told.get(key)
            if there != here:
                problem = f"holds another search ({key} is {quoted(there)} there, {quoted(here)} here)"
                raise BadInput(path, "", problem, AGAIN)
        return cls(path, told, kept.generations)

    def known(self, number: int, asked: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Return the values of a generation's candidates, None if they must be judged.

        Raises
        ------
        BadInput
            If the values kept are of other candidates.
        """
        if number >= len(self.generations):
            return None
        kept = self.generations[number]
        if len(kept.values) != len(asked) or abs(kept.mark - asked.sum()) > CLOSE * max(
            1.0, float(np.abs(asked).sum())
        ):
            raise BadInput(self.path, f"generation {number}", "is not of this search's candidates", AGAIN)
        return np.array(kept.values)

    def add(self, generation: Generation) -> None:
        """Keep one more generation; it counts once it is in the file."""
        told = [*self.generations, generation]
        content = {"identity": self.identity, "generations": [kept.model_dump() for kept in told]}
        write_atomic(self.path, json.dumps(content).encode())
        self.generations.append(generation)

    def remove(self) -> None:
        """Forget the file: the search is finished."""
        self.path.unlink(missing_ok=True)


Objective = Callable[[NDArray[np.float64], int], Floats]
"""``(vectors, generation) -> values``: vectors of shape (candidate, parameter), the higher value the better."""


@dataclass(frozen=True)
class Plan:
    """How long and how a search goes.

    Attributes
    ----------
    seed : int
        Of the search's own choices and its deals.
    games : int
        Per candidate.
    generations : int
    population : int or None
        Candidates of a generation; by default 4 + 3 ln n for n parameters.
    sigma : float
        First step size, in typical steps of the parameters.
    held_out : int
        Games that measure the start and the result.
    """

    seed: int = 1
    games: int = 500
    generations: int = 60
    population: int | None = None
    sigma: float = 0.2
    held_out: int = 20_000


@dataclass(frozen=True)
class Tuned:
    """What a search found.

    Attributes
    ----------
    policy : Any
        The centre of the last generation, rounded.
    start, result : Outcome
        Of the start and of `policy`, on the same deals.
    """

    policy: Any
    start: Outcome
    result: Outcome


class Watch:
    """Hears how a search goes on; a subclass shows it. This one is silent."""

    def compiling(self, seconds: int) -> None:
        """Hear that the rules are being compiled, which takes about so long."""

    def generation(self, done: int, of: int, best: float, mean: float) -> None:
        """Hear that so many generations are done, and the values of the last one's candidates."""

    def measuring(self, deals: int) -> None:
        """Hear that start and result are measured on so many deals."""


def tune(
    scenario: Scenario, tuner: Tuner, plan: Plan, state: TuneState, *, jobs: int | None = None, watch: Watch
) -> Tuned:
    """Search, and measure what was found.

    Parameters
    ----------
    scenario : Scenario
        The game; its policies play no part.
    tuner : Tuner
        Of the scenario's game.
    plan : Plan
    state : TuneState
        Generations finished earlier, and where new ones are kept.
    jobs : int, optional
        Threads; the result does not depend on it.
    watch : Watch
        Hears of progress.

    Raises
    ------
    Stopped
        On Ctrl-C, or if the disk is full; finished generations are kept.
    """
    players = _Players(tuner.play)
    deals = tuner.deals(plan.games)

    def play_one() -> None:
        with players.one() as play:
            play(tuner.start, plan.seed, 0, 1)

    def objective(vectors: NDArray[np.float64], generation: int) -> Floats:
        def judge(place: int, stop: Any) -> tuple[int, float]:
            with players.one() as play:
                found = play(tuner.policy(vectors[place]), plan.seed, generation * deals, deals)
            return place, float(found.smooth.mean())

        values = np.zeros(len(vectors))
        places = range(len(vectors))
        with contextlib.closing(in_threads(judge, places, workers_for(jobs, places))) as judged:
            for place, value in judged:
                values[place] = value
        return values

    with keeping(state.path, lambda: len(state.generations), plan.generations, "generations"):
        warm_up(scenario.rule_set, play_one, watch.compiling)
        centre = search(objective, tuner.lower, tuner.upper, plan, state, watch)
        policy = tuner.policy(centre)
        count = tuner.deals(plan.held_out)
        watch.measuring(count)
        start, result = _measure(players, [tuner.start, policy], plan.seed + HELD_OUT, count, jobs)
    return Tuned(policy, start, result)


def search(
    objective: Objective, lower: Floats, upper: Floats, plan: Plan, state: TuneState, watch: Watch
) -> NDArray[np.float64]:
    """Search for the vector of the highest value, from zero on.

    Parameters
    ----------
    objective : callable
        Noisy is fine; candidates of one call should share their noise.
    lower, upper : ndarray, shape (parameter,)
        Candidates are cut off there.
    plan : Plan
        Seed, generations, population, sigma.
    state : TuneState
        Generations known already are told again, not judged again; new ones are added.
    watch : Watch

    Returns
    -------
    ndarray, shape (parameter,)
        The centre of the last generation, within the bounds.
    """
    import cma

    options = {
        "randn": np.random.RandomState(plan.seed % 2**32).randn,  # a stream of its own: nothing global is seeded
        "seed": np.nan,
        "verbose": -9,
        "verb_log": 0,
        **({} if plan.population is None else {"popsize": plan.population}),
    }
    strategy = cma.CMAEvolutionStrategy(np.zeros(len(lower)), plan.sigma, options)
    for number in range(plan.generations):
        asked = np.array(strategy.ask())
        known = state.known(number, asked)
        values = objective(np.clip(asked, lower, upper), number) if known is None else known
        strategy.tell(list(asked), list(-values))
        if known is None:
            state.add(Generation.of(asked, values))
        watch.generation(number + 1, plan.generations, float(values.max()), float(values.mean()))
    return np.clip(np.asarray(strategy.mean, np.float64), lower, upper)


def _measure(players: _Players, policies: list[Any], root: int, deals: int, jobs: int | None) -> list[Outcome]:
    """Play the same deals with each policy."""
    pieces = [(place, first) for place in range(len(policies)) for first in range(0, deals, CHUNK)]

    def judge(piece: tuple[int, int], stop: Any) -> tuple[tuple[int, int], Outcome]:
        with players.one() as play:
            return piece, play(policies[piece[0]], root, piece[1], min(CHUNK, deals - piece[1]))

    found: dict[tuple[int, int], Outcome] = {}
    with contextlib.closing(in_threads(judge, pieces, workers_for(jobs, pieces))) as judged:
        found.update(judged)
    outcomes = []
    for place in range(len(policies)):
        parts = [found[piece] for piece in pieces if piece[0] == place]
        outcomes.append(Outcome(*(np.concatenate(values) for values in zip(*parts, strict=True))))
    return outcomes


class _Players:
    """What plays deals, as many as threads want at a time: large and slow to make, so they are kept."""

    def __init__(self, make: Callable[[], Play]) -> None:
        self._make = make
        self._free: queue.SimpleQueue[Play] = queue.SimpleQueue()

    @contextlib.contextmanager
    def one(self) -> Iterator[Play]:
        try:
            play = self._free.get_nowait()
        except queue.Empty:
            play = self._make()
        try:
            yield play
        finally:
            self._free.put(play)


def identity(scenario: Scenario, tuner: Tuner, plan: Plan) -> Mapping[str, Any]:
    """Return what makes two searches the same, except for their length: equal ones ask for the same candidates."""
    from importlib import metadata

    return {
        "game": scenario.rule_set.name,
        "rules": scenario.rule_set.version,
        "scenario": scenario.name,
        "setup": dict(scenario.resolved.get("setup", {})),
        "rulings": dict(scenario.prepared.rulings),
        **tuner.about,
        "seed": plan.seed,
        "games": plan.games,
        "population": plan.population or 0,
        "sigma": plan.sigma,
        "cma": metadata.version("cma"),
    }


@dataclass(frozen=True)
class Wanted:
    """Where the result goes and what is said of it.

    Attributes
    ----------
    out : Path
    plan : str or None
        One line about it.
    jobs : int or None
        Threads.
    """

    out: Path
    plan: str | None
    jobs: int | None


@dataclass(frozen=True)
class Search:
    """A search that can begin.

    Attributes
    ----------
    scenario, tuner, plan, wanted
    state : TuneState
    key : str
        SHA-256 of all that decides the result.
    finished : mapping or None
        Provenance of the output if this search wrote it earlier.
    """

    scenario: Scenario
    tuner: Tuner
    plan: Plan
    wanted: Wanted
    state: TuneState
    key: str
    finished: Mapping[str, Any] | None


def prepare_search(scenario: Scenario, aim: Aim, numbers: Mapping[str, Any], wanted: Wanted) -> Search:
    """Check everything that can be wrong before the first game.

    Raises
    ------
    BadInput
        Naming the option or file.
    """
    for option, (least, most) in LIMITS.items():
        value = numbers[option]
        if value is not None and not least <= value <= most:
            raise BadInput(f"--{option.replace('_', '-')}", "", f"must be from {least} to {most}, not {value}")
    if not (math.isfinite(numbers["sigma"]) and 0 < numbers["sigma"] <= 10):
        raise BadInput("--sigma", "", f"must be above 0 and at most 10, not {numbers['sigma']}")
    if wanted.jobs is not None and not 1 <= wanted.jobs <= MOST_JOBS:
        raise BadInput("--jobs", "", f"must be from 1 to {MOST_JOBS}, not {wanted.jobs}")
    _check_text("--plan", wanted.plan)
    if wanted.out.suffix != ".toml":
        raise BadInput("--out", "", f'must end in .toml, not "{wanted.out.name}"')
    if not wanted.out.parent.is_dir():
        raise BadInput("--out", "", f"there is no folder {wanted.out.parent}", "make it first")
    if scenario.rule_set.tuner is None:
        raise BadInput("SCENARIO", "game", f"policies of {scenario.rule_set.title} cannot be tuned")
    tuner = scenario.rule_set.tuner(scenario.prepared, aim)
    plan = Plan(**numbers)
    same = identity(scenario, tuner, plan)
    key = _digest({**same, "generations": plan.generations, "held_out": plan.held_out})
    finished = _finished(tuner, wanted.out, key)
    if finished is None:
        try:
            try_writing(wanted.out.parent)
        except OSError as error:
            raise BadInput("--out", "", f"{wanted.out} cannot be written ({error.strerror or error})",
                           "name another folder") from None  # fmt: skip
    # code may change between two searches of the same name, but not within one
    state = TuneState.open(wanted.out, {**same, "source": source_hash(scenario.rule_set)})
    return Search(scenario, tuner, plan, wanted, state, key, finished)


def _check_text(option: str, text: str | None) -> None:
    if text is None:
        return
    try:
        line = one_printable_line(text)
    except ValueError as error:
        raise BadInput(option, "", str(error)) from None
    if not 1 <= len(line) <= 300:
        raise BadInput(option, "", "must have 1 to 300 characters")


def _finished(tuner: Tuner, out: Path, key: str) -> Mapping[str, Any] | None:
    """Return what an output says of itself if this search wrote it; refuse any other file."""
    if not out.exists():
        return None
    try:
        found = tuner.recorded(out)
    except BadInput:
        found = {}
    if found.get("search") != key or not _is_whole(found):
        raise BadInput("--out", "", f"{out} is there already, from another search", "remove it or give another name")
    return found


def _is_whole(found: Mapping[str, Any]) -> bool:
    """Tell whether a file still says all that is printed of a finished search: people edit files."""
    held_out = found.get("held_out")
    if not isinstance(held_out, Mapping) or not all(isinstance(found.get(key), str) for key in ("start", "search")):
        return False
    numbers = [held_out.get(key) for key in ("n", "value", "start", "difference", *BOUNDS)]
    return isinstance(held_out.get("what"), str) and all(isinstance(number, int | float) for number in numbers)


def _digest(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def write_tuned(search: Search, watch: Watch) -> dict[str, Any]:
    """Search, write the preset file, and return its provenance."""
    if search.finished is not None:
        return dict(search.finished)
    scenario, plan, tuner, wanted = search.scenario, search.plan, search.tuner, search.wanted
    tuned = tune(scenario, tuner, plan, search.state, jobs=wanted.jobs, watch=watch)
    provenance = {
        "scenario": scenario.name,
        "changes": list(scenario.changes),
        **tuner.about,
        "rules": scenario.rule_set.version,
        "seed": plan.seed,
        "held_out_seed": plan.seed + HELD_OUT,
        "games": plan.games,
        "generations": plan.generations,
        "population": len(search.state.generations[-1].values),
        "sigma": plan.sigma,
        "search": search.key,
        "held_out": figures(tuned, tuner),
    }
    about = ", ".join(tuner.about.get("objectives", ())) or tuner.value_name
    text = tuner.text(
        tuned.policy,
        wanted.plan or f"weights tuned for {about} in {scenario.name}",
        provenance,
    )
    write_atomic(wanted.out, text.encode())
    search.state.remove()
    return provenance


def figures(tuned: Tuned, tuner: Tuner) -> dict[str, Any]:
    """Return value, interval and the paired difference to the start, for the deals that no search played."""
    from nfsim.stats.intervals import mean_interval

    value, low, high = _estimate(tuned.result, tuner.is_rate)
    start, start_low, start_high = _estimate(tuned.start, tuner.is_rate)
    difference = mean_interval(tuned.result.plain - tuned.start.plain)
    found = {
        "value": value,
        "low": low,
        "high": high,
        "start": start,
        "start_low": start_low,
        "start_high": start_high,
        "difference": difference.mean,
        "difference_low": difference.low,
        "difference_high": difference.high,
    }
    rounded = {name: float(f"{number:.{DIGITS}g}") for name, number in found.items()}
    return {"what": tuner.value_name, "n": len(tuned.result.plain), **rounded}


def _estimate(outcome: Outcome, is_rate: bool) -> tuple[float, float, float]:
    from nfsim.stats.intervals import mean_interval, wilson

    values = outcome.plain
    if is_rate and ((values == 0) | (values == 1)).all():
        low, high = wilson(values.sum(), len(values))
        return float(values.mean()), float(low), float(high)
    found = mean_interval(values)
    return found.mean, found.low, found.high
