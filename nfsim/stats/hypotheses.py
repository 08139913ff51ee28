"""Deciding between two hypotheses about a mean, value by value, whenever the evidence is enough.

Players of chess programs know such a test as SPRT: H0 says that the mean is at most `low`, H1 that it is at least
`high`, and games are played until one of them can be refused. The values here need not be wins and losses: they lie
between 0 and 1, and may be means of several games of one deal.

The evidence against H0 is the wealth of a gambler who bets on values above `low` (Waudby-Smith and Ramdas 2024):

    K = Π (1 + λ (x - low))

If the mean is at most `low` this is a supermartingale, whatever the distribution, as long as each λ is chosen before
its value is seen. So by Ville's inequality it ever reaches 1 / alpha with probability at most alpha: the test is valid
at all times together, and not only about so, as likelihood ratios of an assumed distribution are. The evidence against
H1 is the same the other way round. λ is what lets K grow fastest if the mean is at the other hypothesis, for the
variance seen so far: then about as many values are needed as by Wald's test that knows the distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nfsim.stats.intervals import Floats

PRIOR = 20.0  # values that the variance supposed beforehand counts for
MOST = 0.9  # of the largest bet that can be lost


@dataclass(frozen=True)
class Hypotheses:
    """What is to be decided.

    Attributes
    ----------
    low, high : float
        H0: the mean is at most `low`; H1: it is at least `high`.
    alpha : float
        Probability, at most, to accept H1 where H0 is true.
    beta : float
        Probability, at most, to accept H0 where H1 is true.
    variance : float
        Of a value, as supposed beforehand: it decides how soon the test ends, not whether it is right.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    variance: float = 0.125

    def expected(self) -> tuple[float, float]:
        """Return about how many values a decision takes on average if the mean is `low`, and if it is `high`."""
        gain = (self.high - self.low) ** 2 / (2 * self.variance)
        a, b = self.alpha, self.beta
        at_low = (1 - a) * math.log((1 - a) / b) + a * math.log(a / (1 - b))
        at_high = (1 - b) * math.log((1 - b) / a) + b * math.log(b / (1 - a))
        return at_low / gain, at_high / gain

    def evidence(self, values: npt.ArrayLike) -> tuple[Floats, Floats]:
        """Return the logarithm of the evidence against H0 and against H1 after each value."""
        x = np.asarray(values, np.float64)
        before = np.arange(len(x))
        # the variance around what is between the hypotheses, of the values before each one
        spread = np.concatenate([[0.0], np.cumsum((x - (self.low + self.high) / 2) ** 2)[:-1]]) if len(x) else x
        variance = (PRIOR * self.variance + spread) / (PRIOR + before)
        gap = self.high - self.low
        bet = gap / (variance + gap**2)
        up = np.log1p(np.minimum(bet, MOST / self.low) * (x - self.low))
        down = np.log1p(np.minimum(bet, MOST / (1 - self.high)) * (self.high - x))
        return np.cumsum(up), np.cumsum(down)

    def decide(self, values: npt.ArrayLike) -> Decision:
        """Return what the values decide, the first of them that is enough ending the test."""
        up, down = self.evidence(values)
        accepted, refused = up >= -math.log(self.alpha), down >= -math.log(self.beta)
        ended = np.flatnonzero(accepted | refused)
        if not len(ended):
            last = (float(up[-1]), float(down[-1])) if len(up) else (0.0, 0.0)
            return Decision("", len(up), *last)
        place = int(ended[0])
        return Decision("H1" if accepted[place] else "H0", place + 1, float(up[place]), float(down[place]))


@dataclass(frozen=True)
class Decision:
    """What a test has come to.

    Attributes
    ----------
    accepted : {"H0", "H1", ""}
        '' while it is not decided.
    n : int
        Values that it took.
    against_low, against_high : float
        Logarithm of the evidence against each hypothesis.
    """

    accepted: str
    n: int
    against_low: float
    against_high: float
