"""The chances of whole campaigns for `nfsim difficulty`: computed as `nfsim campaign` computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import polars as pl
from numpy.typing import NDArray

from nfsim.cli.campaign_trials import LENGTHS, make_trials, play_sample
from nfsim.games.new_frontiers.campaigns import chances, make_plan
from nfsim.games.new_frontiers.policies.presets import Preset
from nfsim.games.new_frontiers.tables import Prepared
from nfsim.run.progress import Watch
from nfsim.run.scenario import Scenario

Watching = Callable[[str], AbstractContextManager[Watch]]
SCHEMA = {
    "campaign": pl.Int64, "rounds": pl.Int64, "rung": pl.String, "chip": pl.Boolean, "n": pl.Int64,
    "rate": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


@dataclass
class _Sampler:
    """Plays the games that a plan asks for, and no games twice.

    A campaign with the chip comes into positions in which it is spent: there it is played as one without a chip.
    """

    scenario: Scenario
    jobs: int | None
    watch: Watch
    known: dict[tuple[int, bytes, int], dict[str, NDArray[Any]]] = field(default_factory=dict)

    def __call__(self, prepared: Prepared, policy: Preset, root: int, games: int) -> dict[str, NDArray[Any]]:
        worth = b"" if policy.worth is None else policy.worth.tobytes()
        key = root, worth if policy.plans else b"", games
        if key not in self.known:
            self.known[key] = play_sample(self.scenario, self.jobs, self.watch, prepared, policy, root, games)
        return self.known[key]


def campaign_chances(
    campaign: int,
    rounds: int,
    rung: str,
    policy: str,
    settings: Sequence[str],
    *,
    games: int,
    seed: int,
    jobs: int | None,
    watching: Watching,
) -> pl.DataFrame:
    """Return the chance of a campaign without and with the So Close chip.

    Parameters
    ----------
    campaign, rounds : int
    rung, policy : str
        What the policy is called, and what finds it: a name or a file.
    settings : sequence of str
        ``key=value`` of ``--set``.
    games : int
        For each position, see `nfsim.games.new_frontiers.campaigns.make_plan`.
    seed, jobs, watching : int, int, callable
        As for `nfsim.studies.study.play_arms`.

    Returns
    -------
    DataFrame
        campaign, rounds, rung, chip, n (games the chance rests on), rate (the chance), low, high.
    """
    rows = []
    sampler: _Sampler | None = None
    with watching(f"campaign {campaign} {LENGTHS[rounds]}, {rung}") as watch:
        for chip in (False, True):
            (trial,) = make_trials([campaign], [rounds], policy, settings, chip=chip, gauntlet=False)
            if sampler is None:
                sampler = _Sampler(trial.scenario, jobs, watch)
            if not chip:
                conditions = trial.series.sizes[0]
                positions = (1 << conditions) - 1
                watch.started(games * (2 * positions if trial.series.plans else 1), 0)
            plan = make_plan(trial.series, sampler, seed, games)
            found = chances(trial.series, plan, seed)
            mask, has = trial.series.positions(0)[-1]
            bounds = [float(each[0][mask, has]) for each in (found.values, found.low, found.high)]
            rows.append((campaign, rounds, rung, chip, found.n, *bounds))
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")
