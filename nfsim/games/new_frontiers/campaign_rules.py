"""Campaigns of four solo games, and the Gauntlet (000 p. 2-3): how they are played as a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.catalogue.share import Share
from nfsim.compiled.status import STATUS_LABELS, Status
from nfsim.contract.series import MET, MISSED, Floats, Series, SeriesRules
from nfsim.contract.tables import Column, Table
from nfsim.games.new_frontiers.codes import ChipUse
from nfsim.games.new_frontiers.columns import CAMPAIGNS, ROW_DTYPES, TABLE_NAMES
from nfsim.games.new_frontiers.tiles.tile_set import doubts
from nfsim.policies.presets import Preset

BATCH = 256  # runs between two hand-overs of rows
ENDS = Table(
    "ends",
    "one row per run; not written",
    "games",
    (Column("status", "how the run's last game ended", "label", labels=STATUS_LABELS),),
)
CAMPAIGN_ROW, END_ROW = CAMPAIGNS.dtype, ENDS.dtype


class CampaignEngine:
    """Plays runs through a series; see `nfsim.contract.rule_set.Engine`.

    Parameters
    ----------
    series : Series
        With the worth of claims.
    """

    def __init__(self, series: Series) -> None:
        from nfsim.games.new_frontiers import campaign_kernel, layout
        from nfsim.games.new_frontiers.desk import new_desk
        from nfsim.games.new_frontiers.policies.shelf import RECORDS
        from nfsim.games.new_frontiers.thinking import load_thinking

        self._play: Any = campaign_kernel.play_campaigns
        self._series, self._worth = series, series.worth
        self._policies = [RECORDS.load([series.policy], game) for game in series.campaigns]
        self._states, self._memory, self._options = desk = new_desk()
        load_thinking(series.campaigns[0].tables[0], *desk, self._policies[0])
        self._unused = [layout.new_record(ROW_DTYPES[name]) for name in ("rounds", "selections")]
        self._used = np.zeros(len(TABLE_NAMES), np.int64)
        self._buffer = layout.new_record(CAMPAIGN_ROW, BATCH * series.games)
        self._ends = layout.new_record(END_ROW, BATCH)
        self._rows: dict[str, Any] = {}
        self.asked = np.zeros(0, np.int64)  # decisions are not counted here
        self.options_seen = np.zeros(0, np.int64)

    def play(self, root: int, first: int, count: int) -> int:
        """Play runs and replace the rows held by theirs; return how many were played."""
        n = min(count, BATCH)
        runs = np.arange(first, first + n, dtype=np.int64)
        chips, alive = np.full(n, int(self._series.chip), np.int64), np.ones(n, np.int64)
        statuses = np.full(n, int(Status.FINISHED), np.int64)
        before, at = 0, 0
        for number, game in enumerate(self._series.campaigns):
            at += int(
                self._play(
                    game.tables[0],
                    self._policies[number],
                    self._worth[number],
                    np.int64(root),
                    runs,
                    np.int64(self._series.games),
                    np.int64(before),
                    np.int64(before),
                    chips,
                    alive,
                    statuses,
                    self._states,
                    self._memory,
                    self._options,
                    *self._unused,
                    self._used,
                    self._buffer[at:],
                )
            )
            before += self._series.sizes[number]
        order = np.argsort(self._buffer.game[:at], kind="stable")
        self._ends[:n].status = statuses
        self._rows = {"ends": self._ends[:n], "campaigns": self._buffer[:at][order]}
        return n

    def rows(self) -> Mapping[str, Any]:
        """Return the rows of the last call by table."""
        return self._rows

    def reset(self) -> None:
        """Do nothing: there are no counts."""


def _claims(rows: Mapping[str, Any], objectives: int) -> NDArray[np.int64]:
    found: NDArray[np.int64] = rows["objectives"]["so_close"].reshape(-1, objectives)
    return found


def _weighing(policy: Preset, worth: Floats) -> Preset:
    return replace(policy, worth=worth)


def _provenance(campaigns: Sequence[Any]) -> dict[str, Any]:
    share = Share.together([game.share for game in campaigns], "condition")
    return {**share.counts(), "text": " ".join(filter(None, (share.describe(), doubts(campaigns))))}


SERIES = SeriesRules(
    table=CAMPAIGNS,
    ends=ENDS,
    claims=_claims,
    weighing=_weighing,
    engine=CampaignEngine,
    provenance=_provenance,
    chip="So Close chip",
    chip_name="So Close",
    sides={"vp": "−3 VPs", "count": "−1 of a count"},
    all_title="Gauntlet: campaigns 1 to 6 in order with one So Close chip",
    all_name="gauntlet",
)

assert (int(ChipUse.NONE), int(ChipUse.MISSED)) == (MET, MISSED)
