"""From presets to the records that the compiled code plays by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nfsim.engine.rules import Kind, Wants
from nfsim.errors import BadInput, nearest
from nfsim.games.new_frontiers.layout import CONDITIONS, SEATS
from nfsim.games.new_frontiers.policies import aims, presets
from nfsim.games.new_frontiers.policies.kinds import MINDS, POLICY
from nfsim.games.new_frontiers.policies.presets import Preset, Thinking
from nfsim.validation import quoted

if TYPE_CHECKING:
    from nfsim.games.new_frontiers.tables import Prepared

NO_TARGET = -1


def load(policies: Sequence[str | Preset], prepared: Prepared) -> Any:
    """Return the policies of the seats, and the minds of those that think, as records for the kernel.

    Parameters
    ----------
    policies : sequence of str or Preset
        One per seat; seats without one play `uniform`, which matters to nobody.
    prepared : Prepared
        The game: thinking policies choose their minds by its length, players and conditions.

    Returns
    -------
    recarray of POLICY, shape (policy,)
        The first SEATS are the seats'.

    Raises
    ------
    BadInput
        If a name is unknown, or a preset's target is no condition of this game; the nearest one is suggested.
    """
    found = [presets.resolve(policy) for policy in policies]
    thinkers = [seat for seat, preset in enumerate(found) if preset.thinking is not None]
    records = np.zeros(SEATS + MINDS * len(thinkers), POLICY).view(np.recarray)
    for place in range(len(records)):
        records[place].use, records[place].target = place, NO_TARGET
    labels = presets.distinct(policies)
    for seat, preset in enumerate(found):
        fill(records[seat], preset, prepared)
        records[seat].name = labels.index(preset.name)
    for number, seat in enumerate(thinkers):
        thinking = found[seat].thinking
        assert thinking is not None
        _fill_thinking(records, seat, SEATS + MINDS * number, found[seat], thinking, prepared)
    return records


def fill(record: Any, preset: Preset, prepared: Prepared) -> None:
    """Write into a policy's record what a preset says of itself, without the minds of one that thinks."""
    record.kind = preset.kind
    record.params[:], record.likes[:] = preset.params, preset.likes
    record.target = NO_TARGET if preset.target is None else _condition(preset, prepared.names.condition)


def _condition(preset: Preset, known: Sequence[str]) -> int:
    """Return the place of the condition that a preset aims at."""
    assert preset.target is not None
    if preset.target not in known:
        problem = f'"{preset.target}" is no win condition of this scenario'
        remedy = nearest(preset.target, known) or "conditions are for solo: choose another policy"
        raise BadInput(preset.spec, "target", problem, remedy)
    return known.index(preset.target)


def _fill_thinking(records: Any, seat: int, first: int, preset: Preset, thinking: Thinking, prepared: Prepared) -> None:
    setup = prepared.settings.setup
    policy = records[seat]
    policy.first_mind = first
    policy.plans = int(setup.solo and thinking.plans)
    policy.plan_rollouts, policy.plan_every = thinking.plan_rollouts, thinking.plan_every
    policy.rollouts, policy.candidates, policy.horizon = thinking.rollouts, thinking.candidates, thinking.horizon
    policy.wants = Wants.CLAIM if policy.plans else Wants.SCORE
    conditions = int(prepared.tables[0].n_objectives)
    policy.worth[:conditions, 0] = 1.0
    if preset.worth is not None:
        policy.worth[:] = 0.0
        policy.worth[: len(preset.worth)] = preset.worth[:CONDITIONS]
    policy.use = first if setup.solo else first + seat
    weights = mind(thinking, prepared)
    aimed = aims.load(setup.thresholds) if policy.plans and thinking.aims else {}
    for number in range(MINDS):
        fill(records[first + number], weights, prepared)
        if policy.plans and number < conditions:
            if thinking.aims:
                key = aims.key(setup.campaign_played, prepared.names.condition[number])
                made = aimed.get(key) or aims.usual(setup.thresholds)
                records[first + number].params[:], records[first + number].likes[:] = made.params, made.likes
            records[first + number].target = number


def mind(thinking: Thinking, prepared: Prepared) -> Preset:
    """Return the preset by which a thinking policy plays its rollouts in this game."""
    setup = prepared.settings.setup
    names = thinking.weights
    if setup.solo:
        name = names.get("solo_short" if setup.thresholds == "short" else "solo_long")
    else:
        name = names.get("players_2" if setup.players == 2 else "players")
    found = presets.get(name or "balanced")
    assert found.kind == Kind.WEIGHTS
    return found


def notes(policies: Sequence[str | Preset], tile_hash: str) -> list[str]:
    """Return a sentence for each policy whose weights were tuned on other tiles than those of this hash."""
    found = []
    for preset in map(presets.resolve, policies):
        minds = sorted(set(preset.thinking.weights.values())) if preset.thinking else []
        for weights in (preset, *map(presets.get, minds)):
            made_on = weights.provenance.get("tile_hash", tile_hash)
            if made_on != tile_hash:
                tiles = quoted(weights.provenance.get("tiles", made_on)).strip('"')
                found.append(f"{weights.name} was tuned on other tiles ({tiles})")
    return list(dict.fromkeys(found))
