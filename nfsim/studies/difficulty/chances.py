"""The chances of whole campaigns for `nfsim difficulty`: computed as `nfsim campaign` computes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from numpy.typing import NDArray

from nfsim.run.options import Options
from nfsim.studies.campaign import trials
from nfsim.studies.campaign.plan import chances, make_plan, positions_of
from nfsim.studies.campaign.trials import Sampler, make_trials
from nfsim.studies.difficulty.variants import Asked, Planned

POSITION_GAMES = 100  # of each position of a campaign, for a policy that plans
SCHEMA = {
    "campaign": pl.String, "rounds": pl.Int64, "player": pl.String, "chip": pl.Boolean, "n": pl.Int64,
    "rate": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


@dataclass
class _Remembering:
    """Plays the games that a plan asks for, and no games twice.

    A campaign with the chip comes into positions in which it is spent: there it is played as one without a chip.
    """

    sampler: Sampler
    plans: bool
    known: dict[tuple[int, bytes, int], dict[str, NDArray[Any]]] = field(default_factory=dict)

    def __call__(self, prepared: Any, policy: Any, root: int, games: int) -> dict[str, NDArray[Any]]:
        key = root, policy.digest.encode() if self.plans else b"", games
        if key not in self.known:
            self.known[key] = self.sampler(prepared, policy, root, games)
        return self.known[key]


def all_chances(planned: Sequence[Planned], asked: Asked, options: Options) -> tuple[pl.DataFrame, list[str]]:
    """Return the chances of all campaigns, and the players that cannot play them.

    Returns
    -------
    chances : DataFrame
        campaign, rounds, player, chip, n (games the chance rests on), rate (the chance), low, high.
    left_out : list of str
    """
    frames, left_out = [pl.DataFrame(schema=SCHEMA)], []
    for each in planned:
        policy = each.variant.scenario.seated[0]
        if each.aim or (asked.search is None and policy.details()["kind"] == "search"):
            continue
        if not policy.compiled:
            left_out.append(each.player)
            continue
        plans = policy.aiming(0, 1) is not None
        games = min(POSITION_GAMES if plans else asked.games, asked.games_of(each.variant.scenario, aimed=False))
        frames.append(campaign_chances(each, asked, max(games, 2), options))
    return pl.concat(frames), list(dict.fromkeys(left_out))


def campaign_chances(planned: Planned, asked: Asked, games: int, options: Options) -> pl.DataFrame:
    """Return the chance of a campaign without the chip and, if the game has one, with it.

    Parameters
    ----------
    planned : Planned
        Whose policy, campaign and length are meant.
    asked : Asked
    games : int
        For each position, see `nfsim.studies.campaign.plan.make_plan`.
    options : Options

    Returns
    -------
    DataFrame
        As for `all_chances`.
    """
    rows = []
    remembering: _Remembering | None = None
    policy = planned.variant.scenario.seated[0].spec
    title = f"{planned.campaign.title.lower()} {planned.length.name}, {planned.player}"
    with options.watching(title, "games") as watch:
        for chip in (False, True) if trials.series_rules(asked.rule_set).chip else (False,):
            (trial,) = make_trials(
                trials.Asked(asked.rule_set, [planned.campaign], [planned.length], policy, asked.settings, chip)
            )
            series = trial.series
            if remembering is None:
                remembering = _Remembering(Sampler(trial.scenario, options.jobs, watch), series.plans)
            if not chip:
                positions = (1 << series.sizes[0]) - 1
                watch.started(games * (2 * positions if series.plans else 1), 0)
            plan = make_plan(series, trial.rules, remembering, options.seed, games)
            found = chances(series, plan, options.seed)
            mask, has = positions_of(series, 0)[-1]
            bounds = [float(each[0][mask, has]) for each in (found.values, found.low, found.high)]
            rows.append((planned.campaign.name, planned.length.rounds, planned.player, chip, found.n, *bounds))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
