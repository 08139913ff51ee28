"""Campaigns as a rule set: a "game" is then one run through a series, so that runs, logs and threads work as ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from nfsim.compiled.status import STATUS_LABELS
from nfsim.contract.objectives import Objective
from nfsim.contract.rule_set import Engine, RuleSet
from nfsim.contract.tables import Column, Table
from nfsim.engine.records import new_record
from nfsim.games.new_frontiers.campaigns import Plan, Series
from nfsim.games.new_frontiers.columns import CAMPAIGNS
from nfsim.games.new_frontiers.ruleset import RULE_SET
from nfsim.games.new_frontiers.tiles.share import Share, doubts

ENDS = Table(
    "ends",
    "one row per run; not written",
    "games",
    (Column("status", "how the run's last game ended", "label", labels=STATUS_LABELS),),
)
CAMPAIGN_ROW, END_ROW = CAMPAIGNS.dtype, ENDS.dtype


@dataclass(frozen=True)
class PlannedSeries:
    """A series with its plan, ready to be played out; see `nfsim.contract.rule_set.Prepared`."""

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


def _tables(rows: Any, statuses: Any, first_labels: Sequence[int], campaigns: Sequence[int]) -> dict[str, Any]:
    """Return the rows of a series as the tables that are logged; conditions count on from campaign to campaign."""
    found = new_record(CAMPAIGN_ROW, len(rows))
    found.campaign_run, found.game_in_run, found.game, found.won = rows.run, rows.place, rows.game, rows.won
    found.campaign, found.chip_used = np.asarray(campaigns)[rows.leg], rows.help
    first = np.asarray(first_labels)[rows.leg]
    found.target = np.where(rows.target >= 0, first + rows.target, -1)
    found.claimed = np.where(rows.claimed >= 0, first + rows.claimed, -1)
    ends = new_record(END_ROW, len(statuses))
    ends.status = statuses
    return {"ends": ends, "campaigns": found}


def campaign_rules() -> RuleSet:
    """Return the rule set whose games are runs through a `PlannedSeries`."""

    def labels(planned: PlannedSeries, name: str) -> Sequence[str]:
        assert name == "campaign_condition"
        return planned.series.conditions

    def objectives(planned: PlannedSeries) -> Sequence[Objective]:
        return [objective for game in planned.series.campaigns for objective in RULE_SET.objectives(game)]

    def facts(planned: PlannedSeries) -> dict[str, Any]:
        return RULE_SET.facts(planned.series.campaigns[0])

    def provenance(planned: PlannedSeries) -> dict[str, Any]:
        share = Share.of_campaigns([game.share for game in planned.series.campaigns])
        return {**asdict(share), "text": " ".join(filter(None, (share.describe(), doubts(planned.series.campaigns))))}

    def engine(planned: PlannedSeries, _policies: Sequence[Any], _level: str) -> Engine:
        from nfsim.engine.series import SeriesEngine
        from nfsim.games.new_frontiers.rules import RULES

        series = planned.series
        first = np.cumsum([0, *series.sizes[:-1]])
        numbers = [int(game.tables[0].campaign) for game in series.campaigns]
        tables = partial(_tables, first_labels=first.tolist(), campaigns=numbers)
        return SeriesEngine(RULES, series.campaigns, planned.plan.worth, series.policy, series.chip, tables)

    def game(planned: PlannedSeries, policies: Sequence[Any], root: int, number: int) -> Any:
        return RULE_SET.game(planned.series.campaigns[0], policies, root, number)

    return replace(
        RULE_SET,
        tables=(CAMPAIGNS, ENDS),
        decisions=(),
        labels=labels,
        objectives=objectives,
        facts=facts,
        provenance=provenance,
        engine=engine,
        game=game,
    )
