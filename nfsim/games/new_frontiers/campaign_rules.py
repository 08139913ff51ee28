"""Campaigns as a rule set: a "game" is then one run through a series, so that runs, logs and threads work as ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from nfsim.core.columns import Column, Table
from nfsim.core.status import STATUS_LABELS, Status
from nfsim.games.new_frontiers.campaigns import Plan, Series
from nfsim.games.new_frontiers.columns import CAMPAIGNS, ROW_DTYPES, TABLE_NAMES
from nfsim.games.new_frontiers.ruleset import RULE_SET
from nfsim.games.new_frontiers.tiles.share import Share, doubts
from nfsim.ruleset import Engine, RuleSet

BATCH = 256  # runs between two hand-overs of rows
ENDS = Table(
    "ends",
    "one row per run; not written",
    "games",
    (Column("status", "how the run's last game ended", "label", labels=STATUS_LABELS),),
)
CAMPAIGN_ROW, END_ROW = CAMPAIGNS.dtype, ENDS.dtype


@dataclass(frozen=True)
class PlannedSeries:
    """A series with its plan, ready to be played out; see `nfsim.ruleset.Prepared`."""

    series: Series
    plan: Plan = field(repr=False)

    @property
    def tile_hash(self) -> str:
        """SHA-256 of the tile set after patches."""
        return self.series.campaigns[0].tile_hash

    @property
    def rulings(self) -> Mapping[str, str]:
        """Reading in force for every ruling, by switch."""
        return self.series.campaigns[0].rulings


class CampaignEngine:
    """Plays runs through a series; see `nfsim.ruleset.Engine`.

    Parameters
    ----------
    planned : PlannedSeries
        With a plan.
    """

    def __init__(self, planned: PlannedSeries) -> None:
        from nfsim.games.new_frontiers import campaign_kernel, layout
        from nfsim.games.new_frontiers.desk import new_desk
        from nfsim.games.new_frontiers.policies import records
        from nfsim.games.new_frontiers.thinking import load_thinking

        self._play: Any = campaign_kernel.play_campaigns
        self._series, self._worth = planned.series, planned.plan.worth
        self._policies = [records.load([planned.series.policy], game) for game in planned.series.campaigns]
        self._states, self._memory, self._options = desk = new_desk()
        load_thinking(planned.series.campaigns[0].tables[0], *desk, self._policies[0])
        self._unused = [layout.new_record(ROW_DTYPES[name]) for name in ("rounds", "selections")]
        self._used = np.zeros(len(TABLE_NAMES), np.int64)
        self._buffer = layout.new_record(CAMPAIGN_ROW, BATCH * planned.series.games)
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


def campaign_rules() -> RuleSet:
    """Return the rule set whose games are runs through a `PlannedSeries`."""

    def labels(planned: PlannedSeries, name: str) -> Sequence[str]:
        assert name == "campaign_condition"
        return planned.series.conditions

    def facts(planned: PlannedSeries) -> dict[str, Any]:
        found = [RULE_SET.facts(game) for game in planned.series.campaigns]
        return {**found[0], "conditions": [condition for each in found for condition in each["conditions"]]}

    def provenance(planned: PlannedSeries) -> dict[str, Any]:
        share = Share.of_campaigns([game.share for game in planned.series.campaigns])
        return {**asdict(share), "text": " ".join(filter(None, (share.describe(), doubts(planned.series.campaigns))))}

    def engine(planned: PlannedSeries, _policies: Sequence[Any], _level: str) -> Engine:
        return CampaignEngine(planned)

    def game(planned: PlannedSeries, policies: Sequence[Any], root: int, number: int) -> Any:
        return RULE_SET.game(planned.series.campaigns[0], policies, root, number)

    return replace(
        RULE_SET,
        tables=(CAMPAIGNS, ENDS),
        decisions=(),
        labels=labels,
        facts=facts,
        provenance=provenance,
        engine=engine,
        game=game,
    )
