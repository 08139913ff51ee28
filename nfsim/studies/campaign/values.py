"""The chance of winning a campaign, by dynamic programming over what is still open.

Between two games a campaign stands in a position (mask, chip), see `nfsim.contract.series`. A game ends with a code for
every objective, how it can be claimed; claiming one leads to the next position, a game that allows no claim loses the
campaign. So the chance of a position is the mean, over the
joint outcomes of its games, of the chance of the best position that a claim leads to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nfsim.contract.series import MET, MISSED, Floats, Position

Ints = NDArray[np.int64]

NOTHING = -1  # no claim
PRIOR = 0.5  # games of each extreme outcome added to the sample that decides claims
BOUND = 1.0  # games of an extreme outcome added to a sample for a bound of its chance
LEVEL = 0.95


@dataclass(frozen=True)
class Outcomes:
    """Joint outcomes of a sample of games.

    Attributes
    ----------
    uses : ndarray of int64, shape (kind, objective)
        Every different outcome: how each objective can be claimed.
    counts : ndarray of float64, shape (kind,)
        Games that ended so.
    chip_last : bool
        Whether the chip may be spent only in games that meet no open objective.
    """

    uses: Ints
    counts: Floats
    chip_last: bool = False

    @classmethod
    def of(cls, uses: Ints, *, chip_last: bool = False) -> Outcomes:
        """Count the outcomes of single games, shape (game, objective)."""
        kinds, counts = np.unique(np.asarray(uses, np.int64), axis=0, return_counts=True)
        return cls(kinds, counts.astype(np.float64), chip_last)

    @property
    def n(self) -> int:
        """Games."""
        return int(self.counts.sum())

    def plus(self, use: int, games: float = PRIOR) -> Outcomes:
        """Add half a game, or so many, that end so for every objective.

        With `MET` what never happened in a sample is unlikely instead of impossible, with `MISSED` what always
        happened is not certain.
        """
        extreme = np.full((1, self.uses.shape[1]), use, np.int64)
        return replace(self, uses=np.vstack([self.uses, extreme]), counts=np.append(self.counts, games))


def positions(objectives: int, chip: bool, *, begins_without: bool = False) -> list[Position]:
    """Return the positions in which games are played, in an order in which each comes after those it leads to.

    Parameters
    ----------
    objectives : int
    chip : bool
        Whether there is a chip.
    begins_without : bool
        Whether the campaign may also begin without it: an earlier one of the series may have spent it.
    """
    everything = (1 << objectives) - 1
    masks = sorted(range(1, everything + 1), key=lambda mask: (mask.bit_count(), mask))
    if not chip:
        return [(mask, 0) for mask in masks]
    return [(mask, has) for mask in masks for has in (0, 1) if has or begins_without or mask != everything]


def worth_of(values: Floats, position: Position) -> Floats:
    """Return what claiming each objective is worth in a position.

    Parameters
    ----------
    values : ndarray of float64, shape (mask, chip)
        Chance of each position.
    position : (int, int)

    Returns
    -------
    ndarray of float64, shape (objective, 2)
        Without and with the chip, in parts of the best one, which is 1; 0 where it cannot be claimed so.
    """
    mask, chip = position
    objectives = len(values).bit_length() - 1
    worth = np.zeros((objectives, 2))
    for objective in range(objectives):
        if mask >> objective & 1:
            after = mask ^ 1 << objective
            worth[objective, 0] = values[after, chip]
            worth[objective, 1] = values[after, 0] if chip else 0.0
    best = worth.max(initial=0.0)
    return worth / best if best > 0 else worth


def best_claims(uses: Ints, worth: Floats, *, chip_last: bool = False) -> tuple[Ints, Ints]:
    """Return the claim of most worth for each outcome, of equal ones the first.

    Parameters
    ----------
    uses : ndarray of int64, shape (kind, objective)
    worth : ndarray of float64, shape (objective, 2)
    chip_last : bool
        Whether the chip may be spent only where no open objective is met; open is what is worth something.

    Returns
    -------
    objective, chip : ndarrays of int64, shape (kind,)
        Condition claimed, NOTHING if no claim is possible; 1 where the chip is spent.
    """
    with_chip = (uses != MET) & (uses != MISSED)
    if chip_last:
        met = ((uses == MET) & (worth > 0).any(axis=1)).any(axis=1)
        with_chip &= ~met[:, np.newaxis]
    gains = np.where(uses == MET, worth[:, 0], np.where(with_chip, worth[:, 1], 0.0))
    best = gains.argmax(axis=1)
    places = np.arange(len(uses))
    possible = gains[places, best] > 0
    return np.where(possible, best, NOTHING), (with_chip[places, best] & possible).astype(np.int64)


def value(
    outcomes: Outcomes, worth: Floats, position: Position, values: Floats, weights: Floats | None = None
) -> Floats:
    """Return the chance of a position when claims follow `worth`.

    Parameters
    ----------
    outcomes : Outcomes
    worth : ndarray of float64, shape (objective, 2)
    position : (int, int)
    values : ndarray of float64, shape (replicate, mask, chip)
        Chances of the positions that claims lead to.
    weights : ndarray of float64, shape (replicate, kind), optional
        Of the outcomes, instead of their counts.

    Returns
    -------
    ndarray of float64, shape (replicate,)
    """
    mask, chip = position
    objective, spent = best_claims(outcomes.uses, worth, chip_last=outcomes.chip_last)
    claims = objective >= 0
    after = np.where(claims, mask ^ (1 << np.maximum(objective, 0)), mask)
    reached = values[:, after, np.where(spent > 0, 0, chip)] * claims
    used = outcomes.counts[np.newaxis] if weights is None else weights
    found: Floats = (reached * used).sum(axis=1) / used.sum(axis=1)
    return found


def evaluate(
    samples: Mapping[Position, Outcomes],
    worth: Floats,
    end: Floats,
    weights: Mapping[int, Floats] | None = None,
) -> Floats:
    """Return the chances of all positions under a claim policy that is given.

    Parameters
    ----------
    samples : mapping of position to Outcomes
        In an order in which each position comes after those it leads to.
    worth : ndarray of float64, shape (mask, chip, objective, 2)
        The claim policy: `worth_of` by position.
    end : ndarray of float64, shape (replicate, chip)
        Chance when every objective is claimed: 1, or that of the campaigns that follow.
    weights : mapping of int to ndarray, optional
        Weights as in `value` by the `id` of an Outcomes.

    Returns
    -------
    ndarray of float64, shape (replicate, mask, chip)
    """
    values = np.zeros((len(end), *worth.shape[:2]))
    values[:, 0] = end
    for position, outcomes in samples.items():
        used = None if weights is None else weights[id(outcomes)]
        values[:, position[0], position[1]] = value(outcomes, worth[position], position, values, used)
    return values


def solve(samples: Mapping[Position, Outcomes], end: Floats) -> Floats:
    """Return the chances of all positions when every claim is the best one; parameters as `evaluate`.

    Parameters
    ----------
    end : ndarray of float64, shape (chip,)

    Returns
    -------
    ndarray of float64, shape (mask, chip)
    """
    objectives = next(iter(samples.values())).uses.shape[1]
    values = np.zeros((1, 1 << objectives, 2))
    values[0, 0] = end
    for position, outcomes in samples.items():
        worth = worth_of(values[0], position)
        values[:, position[0], position[1]] = value(outcomes, worth, position, values)
    found: Floats = values[0]
    return found


def resampled(
    samples: Mapping[Position, Outcomes], extreme: int, replicates: int, seed: int
) -> tuple[dict[Position, Outcomes], dict[int, Floats]]:
    """Draw weights for the outcomes of samples, as if the games had been drawn again: a Bayesian bootstrap.

    A bootstrap alone knows only outcomes that were seen, and takes for impossible what a finite sample missed by
    chance. So every sample gets one more game, as bad as can be for a lower bound, as good as can be for an upper one.
    With one objective open the bounds are then those of Clopper and Pearson, who cover the truth at least as often as
    they promise: k of n games met are weighted by Beta(k, n - k + 1) and Beta(k + 1, n - k). A campaign asks for
    several claims in a row, so its upper bound may be far below that of any one game: the fourth power of it, about,
    where four games never met anything.

    Parameters
    ----------
    samples : mapping of position to Outcomes
    extreme : {MET, MISSED}
        The game that is added: `MISSED` for a lower bound, `MET` for an upper one.
    replicates, seed : int

    Returns
    -------
    samples : dict of position to Outcomes
        With that game.
    weights : dict of int to ndarray of float64, shape (replicate, kind)
        By `id` of these; positions that share a sample share its weights.
    """
    rng = np.random.default_rng(seed)
    added = {id(outcomes): outcomes.plus(extreme, BOUND) for outcomes in samples.values()}
    weights = {id(each): rng.standard_gamma(each.counts, (replicates, len(each.counts))) for each in added.values()}
    return {position: added[id(outcomes)] for position, outcomes in samples.items()}, weights


def interval(lower: Floats, upper: Floats, estimate: float) -> tuple[float, float]:
    """Return a 95 % interval from replicates for its lower and for its upper bound; it holds the estimate."""
    low, high = np.quantile(lower, (1 - LEVEL) / 2), np.quantile(upper, (1 + LEVEL) / 2)
    return min(float(low), estimate), max(float(high), estimate)
