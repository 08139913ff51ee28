"""What claims are worth in a series of campaigns, and the chance of the whole.

A series is one campaign, or several in order with one chip. Its plan says what every claim is worth in every
position: the chance of the whole series after it. Games of each position are played to find that, the last positions
first, for a policy that aims plays by what its claims are worth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nfsim.compiled.jit import int64
from nfsim.compiled.rng import Purpose, stream
from nfsim.compiled.status import Status
from nfsim.contract.series import MET, MISSED, Floats, Position, Series, SeriesRules
from nfsim.studies.campaign.values import Outcomes, evaluate, interval, positions, resampled, value, worth_of

LEAST = 1e-9  # chance of what follows, so that a campaign is worth winning where nothing after it ever was won
REPLICATES = 1000

Sampler = Callable[[Any, Any, int, int], dict[str, NDArray[Any]]]
"""``(prepared, policy, root, games) -> rows`` of the tables `games` and `objectives`, in memory."""


def positions_of(series: Series, number: int) -> list[Position]:
    """Return the positions of the campaign at a place of a series, as `values.positions`."""
    return positions(series.sizes[number], series.chip, begins_without=number > 0)


def games_to_sample(series: Series, games: int) -> int:
    """Return how many games `make_plan` plays with so many for each position."""
    return games * sum(len(positions_of(series, i)) if series.plans else 1 for i in range(len(series.campaigns)))


@dataclass(frozen=True)
class Plan:
    """What claims are worth in every position, and what that rests on.

    Attributes
    ----------
    worth : tuple of ndarray of float64, shape (mask, chip, objective, 2)
        By campaign: of a claim without and with the chip, in parts of the best one of the position.
    fitted : tuple of ndarray of float64, shape (mask, chip)
        By campaign: chance of the whole series as the first half of each sample has it, with the best claims for
        just that half: on the high side.
    samples : tuple of dict of position to Outcomes
        By campaign: the second half of each sample, which decided nothing.
    games : int
        Games played for it.
    """

    worth: tuple[Floats, ...] = field(repr=False)
    fitted: tuple[Floats, ...] = field(repr=False)
    samples: tuple[dict[Position, Outcomes], ...] = field(repr=False)
    games: int


@dataclass(frozen=True)
class Chances:
    """Chances by dynamic programming, for the claim policy of a plan.

    Attributes
    ----------
    n : int
        Games they rest on.
    values, low, high : tuple of ndarray of float64, shape (mask, chip)
        By campaign: of winning all that is open from a position on, the campaigns that follow included, with 95 %
        intervals; NaN where no game is played.
    """

    n: int
    values: tuple[Floats, ...] = field(repr=False)
    low: tuple[Floats, ...] = field(repr=False)
    high: tuple[Floats, ...] = field(repr=False)


def make_plan(series: Series, rules: SeriesRules, sample: Sampler, seed: int, games: int) -> Plan:
    """Find out what claims are worth, the last positions first.

    Parameters
    ----------
    series : Series
    rules : SeriesRules
        Of its game.
    sample : callable
        Plays games.
    seed : int
        The samples have streams of their own, made from it.
    games : int
        For each position, at least 2; for each campaign if the policy does not plan. The first half decides, the
        second half is kept to say what the decisions are worth.
    """
    ends = np.ones(2)
    made = []
    played = 0
    for number in reversed(range(len(series.campaigns))):
        worth, values, kept, n = _plan_campaign(series, rules, number, np.maximum(ends, LEAST), sample, seed, games)
        made.append((worth, values, kept))
        ends = values[-1]
        played += n
    worths, fitted, samples = zip(*reversed(made), strict=True)
    return Plan(worths, fitted, samples, played)


def _plan_campaign(
    series: Series, rules: SeriesRules, number: int, ends: Floats, sample: Sampler, seed: int, games: int
) -> tuple[Floats, Floats, dict[Position, Outcomes], int]:
    """Plan one campaign of a series; `ends` are the chances of what follows it, without and with the chip."""
    prepared, objectives = series.campaigns[number], series.sizes[number]
    values = np.zeros((1, 1 << objectives, 2))
    values[0, 0] = ends
    worth = np.zeros((1 << objectives, 2, objectives, 2))
    kept: dict[Position, Outcomes] = {}
    halves: list[Outcomes] = []
    played = 0
    for position in positions_of(series, number):
        worth[position] = worth_of(values[0], position)
        if series.plans or not halves:
            root = sample_root(seed, series.numbers[number], position if series.plans else (0, 0))
            rows = sample(prepared, rules.weighing(series.policy, worth[position]), root, games)
            uses = rules.claims(rows, objectives).copy()
            uses[rows["games"]["status"] != Status.FINISHED] = MISSED  # not finished by the rules
            last = bool(prepared.tables[0].chip_last)
            halves = [Outcomes.of(half, chip_last=last) for half in (uses[: games // 2], uses[games // 2 :])]
            played += games
        first, kept[position] = halves
        values[:, position[0], position[1]] = value(first.plus(MET).plus(MISSED), worth[position], position, values)
    return worth, values[0], kept, played


def sample_root(seed: int, campaign: int, position: Position) -> int:
    """Return the seed of the sample of a position: unlike those of other positions and of the campaigns played."""
    purpose = int(Purpose.CHANCE_SPARE)
    # int64 keeps one compiled variant; `stream` is declared for int
    key = stream(int64(seed), int64(campaign), int64(purpose))
    return int(stream(int64(key), int64(2 * position[0] + position[1]), int64(purpose)))


def chances(series: Series, plan: Plan, seed: int, replicates: int = REPLICATES) -> Chances:
    """Return the chances of all positions by dynamic programming, with intervals.

    The claims are those of the plan, which other games decided: so the estimate is not on the high side, as it
    would be if the same games decided and counted. Intervals are from a Bayesian bootstrap of the outcomes with
    the claims held fixed; they say how well the chance *under this plan* is known, not how much a plan from more
    games would gain.
    """
    end = np.ones((1, 2))
    ends = dict.fromkeys((MISSED, MET), np.ones((replicates, 2)))  # for lower and upper bounds
    found: list[tuple[Floats, Floats, Floats]] = []
    counted: dict[int, int] = {}
    for number in reversed(range(len(series.campaigns))):
        samples, worth = plan.samples[number], plan.worth[number]
        counted |= {id(outcomes): outcomes.n for outcomes in samples.values()}
        values = evaluate(samples, worth, end)
        spread = {}
        for extreme, after in ends.items():
            drawn, weights = resampled(samples, extreme, replicates, sample_root(seed, number, (0, 1)) % 2**32)
            spread[extreme] = evaluate(drawn, worth, after, weights)
        table = np.full((3, *worth.shape[:2]), np.nan)
        for mask, chip in samples:
            estimate = float(values[0, mask, chip])
            lower, upper = (spread[extreme][:, mask, chip] for extreme in (MISSED, MET))
            table[:, mask, chip] = estimate, *interval(lower, upper, estimate)
        found.append((table[0], table[1], table[2]))
        end, ends = values[:, -1], {extreme: each[:, -1] for extreme, each in spread.items()}
    columns = list(zip(*reversed(found), strict=True))
    return Chances(sum(counted.values()), *columns)


def alone(series: Series, plan: Plan, number: int, seed: int) -> Chances:
    """Return the chances within one campaign of a series: what follows it plays no part, the claims stay the same."""
    only = Plan((plan.worth[number],), (plan.fitted[number],), (plan.samples[number],), plan.games)
    place = slice(number, number + 1)
    one = replace(
        series,
        campaigns=series.campaigns[place],
        objectives=series.objectives[place],
        numbers=series.numbers[place],
    )
    return chances(one, only, seed)
