"""From presets to the records that the compiled code plays by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nfsim.engine.records import new_record
from nfsim.errors import BadInput, nearest
from nfsim.policies.kinds import Kind, Wants
from nfsim.policies.presets import Preset, Shelf, Thinking, distinct
from nfsim.validation import quoted

NO_TARGET = -1


@dataclass(frozen=True)
class Situation:
    """What policies must know of a prepared game.

    Attributes
    ----------
    players : int
        Seats that a policy decides for; one that plays alone may aim at objectives.
    form : str
        Form of the game: chooses the weights of rollouts.
    objectives : sequence of str
        Names of the objectives that are open.
    aimed : callable, optional
        ``place of an objective -> Preset``: the weights that aim at it; without it those of rollouts do.
    """

    players: int
    form: str
    objectives: Sequence[str] = ()
    aimed: Callable[[int], Preset] | None = None


@dataclass(frozen=True)
class PolicyRecords:
    """How a game's policies are written into records.

    Attributes
    ----------
    shelf : Shelf
    dtype : numpy.dtype
        POLICY of the game.
    seats : int
        Capacity of seats; those without a player play `uniform`, which matters to nobody.
    situation : callable
        ``prepared -> Situation``.
    """

    shelf: Shelf
    dtype: np.dtype[Any]
    seats: int
    situation: Callable[[Any], Situation]

    @property
    def objectives(self) -> int:
        """Capacity of objectives."""
        return int(self.dtype["worth"].shape[0])

    @property
    def minds(self) -> int:
        """Minds of a thinking seat: one per objective that it may aim at, or one per seat."""
        return max(self.objectives, self.seats)

    def load(self, policies: Sequence[str | Preset], prepared: Any) -> Any:
        """Return the policies of the seats, and the minds of those that think, as records for the kernel.

        Parameters
        ----------
        policies : sequence of str or Preset
            One per seat.
        prepared : Prepared
            The game: thinking policies choose their minds by its form, players and objectives.

        Returns
        -------
        recarray of POLICY, shape (policy,)
            The first ones are the seats'.

        Raises
        ------
        BadInput
            If a name is unknown, or a preset's target is no objective of this game; the nearest one is suggested.
        """
        found = [self.shelf.resolve(policy) for policy in policies]
        thinkers = [seat for seat, preset in enumerate(found) if preset.thinking is not None]
        records = new_record(self.dtype, self.seats + self.minds * len(thinkers))
        for place in range(len(records)):
            records[place].use, records[place].target = place, NO_TARGET
        labels = distinct(policies)
        for seat, preset in enumerate(found):
            self.fill(records[seat], preset, prepared)
            records[seat].name = labels.index(preset.name)
        for number, seat in enumerate(thinkers):
            self._fill_thinking(records, seat, self.seats + self.minds * number, found[seat], prepared)
        return records

    def fill(self, record: Any, preset: Preset, prepared: Any) -> None:
        """Write into a policy's record what a preset says of itself, without the minds of one that thinks."""
        record.kind = preset.kind
        _fill_vectors(record, preset)
        target = NO_TARGET
        if preset.target is not None:
            target = _place(preset, preset.target, self.situation(prepared).objectives)
        record.target = target

    def _fill_thinking(self, records: Any, seat: int, first: int, preset: Preset, prepared: Any) -> None:
        thinking, situation = preset.thinking, self.situation(prepared)
        assert thinking is not None
        alone = situation.players == 1
        policy = records[seat]
        policy.first_mind = first
        policy.plans = int(alone and thinking.plans)
        policy.plan_rollouts, policy.plan_every = thinking.plan_rollouts, thinking.plan_every
        policy.rollouts, policy.candidates, policy.horizon = thinking.rollouts, thinking.candidates, thinking.horizon
        policy.wants = Wants.CLAIM if policy.plans else Wants.SCORE
        open_ = len(situation.objectives)
        policy.worth[:open_, 0] = 1.0
        if preset.worth is not None:
            policy.worth[:] = 0.0
            policy.worth[: len(preset.worth)] = preset.worth[: self.objectives]
        policy.use = first if alone else first + seat
        weights = rollout_weights(self.shelf, thinking, situation)
        for number in range(self.minds):
            self.fill(records[first + number], weights, prepared)
            if policy.plans and number < open_:
                if thinking.aims and situation.aimed is not None:
                    _fill_vectors(records[first + number], situation.aimed(number))
                records[first + number].target = number


def _fill_vectors(record: Any, preset: Preset) -> None:
    for name, vector in preset.vectors.items():
        record[name][:] = vector


def _place(preset: Preset, target: str, known: Sequence[str]) -> int:
    """Return the place of the objective that a preset aims at."""
    if target not in known:
        remedy = nearest(target, known) or "this game has none: choose another policy"
        raise BadInput(preset.spec, "target", f'"{target}" is no objective of this scenario', remedy)
    return known.index(target)


def rollout_weights(shelf: Shelf, thinking: Thinking, situation: Situation) -> Preset:
    """Return the preset by which a thinking policy plays its rollouts in a game."""
    found = shelf.get(thinking.weights.get(situation.form, shelf.usual))
    assert found.kind == Kind.WEIGHTS
    return found


def notes(
    shelf: Shelf, policies: Sequence[str | Preset], situation: Situation, content_hash: str, things: str
) -> list[str]:
    """Return a sentence for each policy whose weights were tuned on other cards or tiles than those of this hash."""
    found = []
    for preset in map(shelf.resolve, policies):
        played = [rollout_weights(shelf, preset.thinking, situation)] if preset.thinking else []
        for weights in (preset, *played):
            made_on = weights.provenance.get("tile_hash", content_hash)
            if made_on != content_hash:
                which = quoted(weights.provenance.get("tiles", made_on)).strip('"')
                found.append(f"{weights.name} was tuned on other {things} ({which})")
    return list(dict.fromkeys(found))
