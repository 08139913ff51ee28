"""Draws the worlds of an alternative bag; `sampling.py` describes the distribution as a whole.

Within military and non-military worlds everything that the manual's table counts is exchanged, never made up:
so a set that satisfies the table goes on doing so, but for a few rows that are met by drawing again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nfsim.games.new_frontiers.tiles.records import World
from nfsim.games.new_frontiers.tiles.sample_draft import RNG, Draft, Mood, Unlucky, free_fields
from nfsim.games.new_frontiers.tiles.sample_values import draw_values

PENALTIES = ((2, 2, 4), (2, 1, 5), (1, 2, 5), (1, 1, 6))  # worlds with -8, -6, -3: chips suffice, none missing
TRIES = 1000


def draw_worlds(worlds: Sequence[World], mood: Mood, rng: RNG) -> list[dict[str, Any]]:
    """Draw the free fields of all worlds.

    Returns
    -------
    list of dict
        New values by field, in the order of `worlds`.

    Raises
    ------
    Unlucky
        If what is drawn first leaves nothing for what is drawn later.
    """
    found: dict[int, Draft] = {}
    for military in (True, False):
        places = [place for place, world in enumerate(worlds) if world.military == military]
        for _ in range(TRIES):
            group = [Draft(worlds[place], free_fields(worlds[place]), {}) for place in places]
            try:
                _goods(group, mood, rng)
                _sizes(group, mood, rng)
                _colonists(group, mood, rng)
                draw_values(group, mood, rng)
            except Unlucky:
                continue
            _penalties(group, rng)
            found |= dict(zip(places, group, strict=True))
            break
        else:
            raise Unlucky
    return [found[place].new for place in range(len(worlds))]


def _shuffle(drafts: list[Draft], fields: Sequence[str], rng: RNG) -> None:
    """Exchange some fields together among drafts."""
    held = [tuple(getattr(draft, field) for field in fields) for draft in drafts]
    for draft, place in zip(drafts, rng.permutation(len(drafts)), strict=True):
        draft.new.update(zip(fields, held[place], strict=True))


def _goods(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Exchange type and good; ALIEN goes with Alien goods, and the good of any kind stays."""
    givers = [d for d in group if {"type", "good"} <= d.free and rng.random() < mood.loose]
    _shuffle([d for d in givers if "alien" not in d.keywords and d.good not in ("alien", "any")], ("type", "good"), rng)
    _shuffle([d for d in givers if d.type != "gray" and d.good != "any"], ("type",), rng)
    base = [draft for draft in group if not draft.record.rift]
    if sum(d.good == "novelty" for d in base) != sum(d.record.good == "novelty" for d in base):
        raise Unlucky  # a source counts the Novelty worlds of the base game


def _sizes(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Draw how many worlds have each cost or defense, and which."""
    chosen = [draft for draft in group if {draft.size, "vp"} <= draft.free]
    if not chosen:
        return
    field = chosen[0].size
    old = np.array([getattr(draft.record, field) for draft in chosen])
    seen = np.arange(old.min(), old.max() + 1)
    ends = [int(old.min()), int(old.max())] if old.min() < old.max() else [int(old.min())]  # each is seen once at least
    counts = [float((old == value).sum()) - (value in ends) for value in seen]
    shares = rng.dirichlet([max(count, 0.25) for count in counts])
    new = np.sort([*ends, *rng.choice(seen, len(chosen) - len(ends), p=shares)])
    order = np.argsort(old + rng.normal(0.0, mood.loose * (seen[-1] - seen[0]) / 3, len(chosen)), kind="stable")
    for place, value in zip(order, new, strict=True):
        chosen[place].new[field] = int(value)


def _colonists(group: list[Draft], mood: Mood, rng: RNG) -> None:
    """Exchange the numbers of colonists; dearer worlds are likelier to take more."""
    chosen = [draft for draft in group if "colonists" in draft.free]
    rank = [getattr(draft, draft.size) + rng.gumbel(0.0, 1.0 + mood.loose) for draft in chosen]
    numbers = sorted(draft.record.colonists for draft in chosen)
    for place, number in zip(np.argsort(rank, kind="stable"), numbers, strict=True):
        chosen[place].new["colonists"] = number


def _penalties(drafts: list[Draft], rng: RNG) -> None:
    """Draw how many Xeno worlds show each penalty; the stronger ones show more."""
    xeno = [draft for draft in drafts if "penalty" in draft.free and draft.record.penalty]
    if not xeno:
        return
    values = sorted(draft.record.penalty for draft in xeno)
    if len(xeno) == sum(PENALTIES[0]) and len(xeno) == sum("xeno" in draft.keywords for draft in drafts):
        mix = PENALTIES[rng.integers(len(PENALTIES))]
        values = [-8] * mix[0] + [-6] * mix[1] + [-3] * mix[2]
    order = np.argsort([-draft.defense + rng.random() / 2 for draft in xeno], kind="stable")
    for place, value in zip(order, values, strict=True):
        xeno[place].new["penalty"] = value
