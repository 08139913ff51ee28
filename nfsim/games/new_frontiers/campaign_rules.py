"""Campaigns of four solo games, and the Gauntlet (000 p. 2-3): how they are played as a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim import engine
from nfsim.catalogue.share import Share
from nfsim.compiled.status import STATUS_LABELS
from nfsim.contract.series import MET, MISSED, Floats, SeriesRules
from nfsim.contract.tables import Column, Table
from nfsim.games.new_frontiers.codes import ChipUse
from nfsim.games.new_frontiers.columns import CAMPAIGNS
from nfsim.games.new_frontiers.tiles.tile_set import doubts
from nfsim.policies.presets import Preset

ENDS = Table(
    "ends",
    "one row per run; not written",
    "games",
    (Column("status", "how the run's last game ended", "label", labels=STATUS_LABELS),),
)


def _claims(rows: Mapping[str, Any], objectives: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = rows["objectives"]["so_close"].reshape(-1, objectives)
    return found


def _weighing(policy: Preset, worth: Floats) -> Preset:
    return replace(policy, worth=worth)


def _rules() -> Any:
    from nfsim.games.new_frontiers.rules import RULES

    return RULES


def _provenance(campaigns: Sequence[Any]) -> dict[str, Any]:
    share = Share.together([game.share for game in campaigns], "condition")
    return {**share.counts(), "text": " ".join(filter(None, (share.describe(), doubts(campaigns))))}


SERIES = SeriesRules(
    table=CAMPAIGNS,
    ends=ENDS,
    claims=_claims,
    weighing=_weighing,
    engine=partial(engine.play_series, _rules, CAMPAIGNS, ENDS),
    provenance=_provenance,
    chip="So Close chip",
    chip_name="So Close",
    sides={"vp": "−3 VPs", "count": "−1 of a count"},
    all_title="Gauntlet: campaigns 1 to 6 in order with one So Close chip",
    all_name="gauntlet",
)

assert (int(ChipUse.NONE), int(ChipUse.MISSED)) == (MET, MISSED)
