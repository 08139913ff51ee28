"""A preset as a vector that a search can move: which numbers, in what steps, within which bounds; and its file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.tuner import Aim, Outcome, Play
from nfsim.errors import BadInput, nearest
from nfsim.policies import judging, user_policy
from nfsim.policies.judging import Judging, Nearness
from nfsim.policies.kinds import Kind
from nfsim.policies.presets import Preset, Shelf
from nfsim.policies.records import Situation

Floats = NDArray[np.float64]
DIGITS = 4  # significant digits of a tuned number
LIMIT = 1e6  # what a preset file may hold


@dataclass(frozen=True)
class Scale:
    """How a parameter is moved.

    Attributes
    ----------
    step : float
        Typical change where the parameter is smaller than that; else its own size.
    least, most : float
        Bounds.
    """

    step: float
    least: float = 0.0
    most: float = np.inf


class Engine(Protocol):
    """Plays games with policies that can be exchanged."""

    def play(self, root: int, first: int, count: int) -> int:
        """Play games and return how many."""

    def rows(self) -> Mapping[str, Any]:
        """Return the rows of the last call."""

    def replace(self, seat: int, preset: Any) -> None:
        """Let another preset decide for a seat from the next game on."""


@dataclass(frozen=True)
class Tunable:
    """What a game says of tuning its presets.

    Attributes
    ----------
    shelf : Shelf
    scales : mapping of str to mapping of str to Scale
        By section and name: the parameters that a search may move, in the order of its vector.
    engine : callable
        ``(prepared, presets, level) -> Engine``.
    situation : callable
        ``prepared -> Situation``.
    unit : (str, str)
        Section and name of the parameter that the others are relative to: it stays unless it is 0.
    only_aiming : frozenset of str
        Names of parameters that matter only while a policy aims at an objective.
    margin : float
        Points behind the best other player that halve the odds.
    words : mapping of str to str
        What values are called: of `score` and `met`.
    nearness : callable, optional
        ``(prepared, places of objectives) -> Nearness``; without it a search sees only whether they are met.
    about : callable, optional
        ``prepared -> dict``: what else a tuned preset's file should say of the game.
    """

    shelf: Shelf
    scales: Mapping[str, Mapping[str, Scale]]
    engine: Callable[[Any, Sequence[Preset], str], Engine]
    situation: Callable[[Any], Situation]
    unit: tuple[str, str] | None = None
    only_aiming: frozenset[str] = frozenset()
    margin: float = 1.0
    words: Mapping[str, str] = field(default_factory=dict)
    nearness: Callable[[Any, Sequence[int]], Nearness] | None = None
    about: Callable[[Any], Mapping[str, Any]] | None = None


NAMES = {judging.SCORE: "mean score", judging.MET: "rate of objectives met", judging.WIN: "win rate"}


class PresetTuner:
    """Presets of kind WEIGHTS, and what they are judged by; see `nfsim.contract.tuner.Tuner`.

    Parameters
    ----------
    tunable : Tunable
        The game's presets.
    prepared : Prepared
        The game.
    aim : Aim
        What is wanted.

    Raises
    ------
    BadInput
        Naming the option: an unknown policy, objective, value or part, or one that does not fit the game.
    """

    def __init__(self, tunable: Tunable, prepared: Any, aim: Aim) -> None:
        self._tunable, self._prepared = tunable, prepared
        situation = tunable.situation(prepared)
        self._seats = situation.players
        self.start: Preset = user_policy.find(tunable.shelf, aim.start, "--from", Path())
        if self.start.kind != Kind.WEIGHTS:
            raise BadInput("--from", "", f"{self.start.name} has no weights", 'take a preset of kind "weights"')
        objectives = _objectives(aim.objectives, situation.objectives)
        if objectives and self.start.target not in situation.objectives:
            self.start = replace(self.start, target=None)  # it aimed at an objective of another game
        value = judging.choose_value(aim.value, self._seats, objectives, situation.objectives)
        self._judging = self._judged(value, objectives, situation)
        self.is_rate, self.value_name = value != judging.SCORE, (NAMES | dict(tunable.words))[value]
        self._others = self._against(aim)
        parts = _parts(aim.parts, tuple(tunable.scales))
        self._begin = self.start
        if len(objectives) == 1:
            self._begin = replace(self.start, target=objectives[0])
        self._values = np.concatenate(list(self._begin.vectors.values()))
        self._places, scales = self._moved(parts)
        size = np.abs(self._values[self._places])
        self._steps = np.maximum(size, [scale.step for scale in scales])
        self._least = np.array([scale.least for scale in scales])
        self._most = np.array([scale.most for scale in scales])
        self.lower = (self._least - self._values[self._places]) / self._steps
        self.upper = (self._most - self._values[self._places]) / self._steps
        self.about: Mapping[str, Any] = {
            "value": value,
            "objectives": list(objectives),
            "start": self.start.name,
            "start_parameters": self.start.digest,
            "against": [preset.name for preset in self._others],
            "against_parameters": [preset.digest for preset in self._others],
            "changed": list(parts),
            **(tunable.about(prepared) if tunable.about is not None else {}),
        }

    def deals(self, games: int) -> int:
        """Return how many deals about so many games are, at least one."""
        return max(1, round(games / self._seats))

    def policy(self, vector: Floats) -> Preset:
        """Return the preset of a vector, its numbers rounded as a file holds them."""
        values = self._values.copy()
        moved = np.clip(values[self._places] + vector * self._steps, self._least, self._most)
        values[self._places] = [_rounded(value) for value in moved]
        ends = np.cumsum([len(found) for found in self._begin.vectors.values()])
        vectors = dict(zip(self._begin.vectors, np.split(values, ends[:-1]), strict=True))
        return replace(self._begin, vectors=vectors)

    def play(self) -> Play:
        """Return what plays deals in one thread: engines are made once, and given each candidate's weights."""
        engines: list[Engine] = []
        for seat in range(self._seats):
            table = [*self._others[:seat], self._begin, *self._others[seat:]]
            engines.append(self._tunable.engine(self._prepared, table, self._judging.level))

        def play(preset: Preset, root: int, first: int, deals: int) -> Outcome:
            smooth, plain = np.zeros(deals), np.zeros(deals)
            for seat, engine in enumerate(engines):
                engine.replace(seat, preset)
                done = 0
                while done < deals:
                    played = engine.play(root, first + done, deals - done)
                    found = self._judging.judge(engine.rows(), seat)
                    smooth[done : done + played] += found.smooth
                    plain[done : done + played] += found.plain
                    done += played
            return Outcome(smooth / self._seats, plain / self._seats)

        return play

    def text(self, policy: Preset, plan: str, provenance: Mapping[str, Any]) -> str:
        """Return a preset's file."""
        return replace(policy, plan=plan, provenance=provenance).written()

    def recorded(self, path: Path) -> Mapping[str, Any]:
        """Return the provenance that a preset's file states."""
        return self._tunable.shelf.read(path).provenance

    def _judged(self, value: str, objectives: Sequence[str], situation: Situation) -> Judging:
        if value == judging.SCORE:
            return Judging(value, judging.by_score)
        if value == judging.WIN:
            return Judging(value, judging.winning(self._seats, self._tunable.margin))
        known = list(situation.objectives)
        places = [known.index(name) for name in objectives]
        if self._tunable.nearness is None:
            return Judging(value, judging.meeting(places, len(known), None))
        near = self._tunable.nearness(self._prepared, places)
        return Judging(value, judging.meeting(places, len(known), near.of), near.level)

    def _against(self, aim: Aim) -> list[Preset]:
        """Return the presets of the other seats, in their order."""
        others = self._seats - 1
        if not others:
            if aim.against:
                raise BadInput("--against", "", "is for games with other players", "leave it out")
            return []
        shelf = self._tunable.shelf
        found = [user_policy.find(shelf, text, "--against", Path()) for text in aim.against] or [self.start]
        for preset in found:
            if not preset.compiled:
                raise BadInput("--against", "", f"{preset.name} is a function in Python", "take presets")
        if len(found) not in (1, others):
            seats = "1 other seat" if others == 1 else f"{others} other seats"
            raise BadInput("--against", "", f"{len(found)} policies for {seats}", "give one for all, or one for each")
        return found * others if len(found) == 1 else found

    def _moved(self, parts: Sequence[str]) -> tuple[NDArray[np.int64], list[Scale]]:
        """Return the places in all vectors, one behind the other, that a search changes, and how."""
        tunable, shelf = self._tunable, self._tunable.shelf
        vectors = self._begin.vectors
        starts = dict(zip(vectors, np.cumsum([0, *map(len, vectors.values())]), strict=False))
        places, scales = [], []
        for part in parts:
            section = shelf.sections[part]
            for name, scale in tunable.scales[part].items():
                place = int(starts[section.vector]) + section.places[name]
                if name in tunable.only_aiming and self._begin.target is None:
                    continue
                if (part, name) == tunable.unit and self._values[place] != 0:
                    continue
                places.append(place)
                scales.append(scale)
        return np.array(places, np.int64), scales


def _rounded(value: float) -> float:
    return float(f"{min(LIMIT, max(-LIMIT, value)):.{DIGITS}g}")


def _objectives(wanted: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in known:
            remedy = nearest(name, known) or "this game has none"
            raise BadInput("--objective", "", f'"{name}" is no objective of this scenario', remedy)
    return tuple(dict.fromkeys(wanted))


def _parts(wanted: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in known:
            raise BadInput("--only", "", f'"{name}" cannot be tuned', nearest(name, known))
    return tuple(part for part in known if part in wanted or not wanted)
