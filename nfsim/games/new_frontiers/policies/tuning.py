"""A preset as a vector that a search can move: which numbers, in what steps, within which bounds; and its file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.tuner import Aim, Outcome, Play
from nfsim.engine.rules import Kind
from nfsim.errors import BadInput, nearest
from nfsim.games.new_frontiers.codes import Class, Effect, label
from nfsim.games.new_frontiers.policies import objectives, own, presets
from nfsim.games.new_frontiers.policies.kinds import PARAMS
from nfsim.games.new_frontiers.policies.params import Param
from nfsim.games.new_frontiers.policies.presets import Preset

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.tables import Prepared

Floats = NDArray[np.float64]
PARTS = ("effects", "params", "likes")
DIGITS = 4  # significant digits of a tuned number

UNIT = Param.CHIP  # all worths are relative to each other: this one stays unless it is 0
STEP, LIKE_STEP = 0.15, 0.5  # typical change of a weight that is smaller than that; of others, their own size
STEPS: dict[int, float] = {
    Param.VP: 0.3,
    Param.CREDIT: 0.3,
    Param.CREDIT_ROUNDS: 2.0,
    Param.COLONIST: 0.5,
    Param.EXPLORE: 1.0,
    Param.REACH: 0.5,
    Param.REACH_MOST: 1.0,
    Param.CHART_ENOUGH: 1.0,
    Param.ROUNDS_GUESS: 3.0,
    Param.ENVOYS: 1.0,
    Param.AIM_TILE: 1.0,
    Param.AIM_CHIP: 0.3,
    Param.AIM_MILITARY: 1.0,
    Param.AIM_OWN: 3.0,
    Param.AIM_GOAL: 1.0,
    Param.AIM_CHART: 0.5,
}
LEAST: dict[int, float] = {  # all others: 0
    Effect.TRADE_NO_SALE: -np.inf,
    Param.ENVOYS: -np.inf,
    Param.CREDIT_ROUNDS: 0.5,  # it divides
    Param.ROUNDS_GUESS: 1.0,
    Param.XENO_RISK: 0.3,  # below that it gambles on conquering them later, and loses with other tiles
    Param.FEED: 0.5,  # a good that is fed is worth at least half of what it brings
}
MOST: dict[int, float] = {Effect.TRADE_NO_SALE: 0.0}
LIMIT = 1e6  # what a preset file may hold


class PresetTuner:
    """Presets of kind WEIGHTS, and what they are judged by; see `nfsim.contract.tuner.Tuner`.

    Parameters
    ----------
    prepared : Prepared
        The game.
    aim : Aim
        What is wanted.

    Raises
    ------
    BadInput
        Naming the option: an unknown policy, condition, objective or part, or one that does not fit the game.
    """

    def __init__(self, prepared: Prepared, aim: Aim) -> None:
        self._prepared = prepared
        self.start: Preset = own.find(aim.start, "--from", Path())
        if self.start.kind != Kind.WEIGHTS:
            raise BadInput("--from", "", f"{self.start.name} has no weights", 'take a preset of kind "weights"')
        conditions = _conditions(prepared, aim.conditions)
        if conditions and self.start.target not in prepared.names.condition:
            self.start = replace(self.start, target=None)  # it aimed at a condition of another campaign
        self._judging = objectives.choose(prepared, aim.objective, conditions)
        objective = self._judging.objective
        self.is_rate, self.value_name = objective != "vp", objectives.NAMES[objective]
        self._others = _others(prepared, aim, self.start)
        parts = _parts(aim.parts)
        self._begin = self.start
        if len(conditions) == 1:
            self._begin = replace(self.start, target=conditions[0])
        values = np.concatenate([self._begin.params, self._begin.likes])
        self._values = values
        self._places = _places(parts, values, aims=self._begin.target is not None)
        self._steps, self._least, self._most = _scales(values, self._places)
        self.lower = (self._least - values[self._places]) / self._steps
        self.upper = (self._most - values[self._places]) / self._steps
        setup = prepared.settings.setup
        self._seats = setup.players
        self.about: Mapping[str, Any] = {
            "objective": objective,
            "objectives": list(conditions),
            "start": self.start.name,
            "start_parameters": self.start.digest,
            "against": [preset.name for preset in self._others],
            "against_parameters": [preset.digest for preset in self._others],
            "changed": list(parts),
            "tiles": prepared.settings.tiles,
            "tile_hash": prepared.tile_hash,
        }

    def deals(self, games: int) -> int:
        """Return how many deals about so many games are, at least one."""
        return max(1, round(games / self._seats))

    def policy(self, vector: Floats) -> Preset:
        """Return the preset of a vector, its numbers rounded as a file holds them."""
        values = self._values.copy()
        moved = np.clip(values[self._places] + vector * self._steps, self._least, self._most)
        values[self._places] = [_rounded(value) for value in moved]
        return replace(self._begin, params=values[:PARAMS], likes=values[PARAMS:])

    def play(self) -> Play:
        """Return what plays deals in one thread: engines are made once, and given each candidate's weights."""
        from nfsim.engine.simulation import CompiledEngine
        from nfsim.games.new_frontiers.rules import RULES
        from nfsim.games.new_frontiers.ruleset import RULE_SET

        engines: list[CompiledEngine] = []
        for seat in range(self._seats):
            table = [*self._others[:seat], self._begin, *self._others[seat:]]
            engines.append(CompiledEngine(RULES, RULE_SET, self._prepared, table, self._judging.level))

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
        return text(replace(policy, plan=plan, provenance=provenance))

    def recorded(self, path: Path) -> Mapping[str, Any]:
        """Return the provenance that a preset's file states."""
        return presets.read(path).provenance


def text(preset: Preset) -> str:
    """Return a WEIGHTS preset as a file that `presets.read` reads back; weights of 0 are left out."""
    lines = ['kind = "weights"', f"plan = {_toml(preset.plan)}"]
    if preset.target is not None:
        lines.append(f"target = {_toml(preset.target)}")
    for section, values in (("effects", preset.params), ("params", preset.params), ("likes", preset.likes)):
        listed = [
            f"{key} = {_number(values[place])}" for key, place in presets.PLACES[section].items() if values[place]
        ]
        lines += ["", f"[{section}]", *listed] if listed else []
    tables = {key: value for key, value in preset.provenance.items() if isinstance(value, Mapping)}
    plain = {key: value for key, value in preset.provenance.items() if key not in tables}
    for head, table in (("provenance", plain), *((f"provenance.{key}", value) for key, value in tables.items())):
        lines += ["", f"[{head}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """Write text, a number, or a list of them: JSON is TOML there."""
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    return repr(float(value))


def _rounded(value: float) -> float:
    return float(f"{min(LIMIT, max(-LIMIT, value)):.{DIGITS}g}")


def _conditions(prepared: Prepared, wanted: Sequence[str]) -> tuple[str, ...]:
    known = prepared.names.condition
    for name in wanted:
        if name not in known:
            remedy = nearest(name, known) or "conditions are for solo"
            raise BadInput("--condition", "", f'"{name}" is no win condition of this scenario', remedy)
    return tuple(dict.fromkeys(wanted))


def _others(prepared: Prepared, aim: Aim, start: Preset) -> list[Preset]:
    """Return the presets of the other seats, in their order."""
    others = prepared.settings.setup.players - 1
    if not others:
        if aim.against:
            raise BadInput("--against", "", "is for games with other players", "solo has none: leave it out")
        return []
    found = [own.find(text, "--against", Path()) for text in aim.against] or [start]
    for preset in found:
        if not preset.compiled:
            raise BadInput("--against", "", f"{preset.name} is a function in Python", "take presets")
    if len(found) not in (1, others):
        seats = "1 other seat" if others == 1 else f"{others} other seats"
        raise BadInput("--against", "", f"{len(found)} policies for {seats}", "give one for all, or one for each")
    return found * others if len(found) == 1 else found


def _parts(wanted: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in PARTS:
            raise BadInput("--only", "", f'"{name}" cannot be tuned', nearest(name, PARTS))
    return tuple(part for part in PARTS if part in wanted or not wanted)


def _places(parts: Sequence[str], values: Floats, *, aims: bool) -> NDArray[np.int64]:
    """Return the places, parameters first and likes behind them, that a search changes."""
    chosen: list[int] = []
    if "effects" in parts:
        chosen += [int(effect) for effect in Effect if effect != Effect.SETTLE_PLACE_GOOD]  # no weight is asked for it
    if "params" in parts:
        chosen += [int(param) for param in Param if aims or not label(param).startswith("aim_")]
    if values[UNIT] != 0 and UNIT in chosen:
        chosen.remove(int(UNIT))
    if "likes" in parts:
        chosen += [PARAMS + int(class_) for class_ in Class]
    return np.array(chosen, np.int64)


def _scales(values: Floats, places: NDArray[np.int64]) -> tuple[Floats, Floats, Floats]:
    """Return for each place the typical step, the least and the largest value."""
    steps, least, most = np.zeros(len(places)), np.zeros(len(places)), np.full(len(places), np.inf)
    for number, place in enumerate(int(place) for place in places):
        size = abs(values[place])
        if place >= PARAMS:
            steps[number], least[number] = max(size, LIKE_STEP), -np.inf
        else:
            steps[number] = max(size, STEPS.get(place, STEP))
            least[number], most[number] = LEAST.get(place, 0.0), MOST.get(place, np.inf)
    return steps, least, most
