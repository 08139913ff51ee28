"""Is what was found more than chance: tests of a mean against 0, of equal chances, and of owners against the rest.

Everything here is a function of counts and moments, vectorised, and knows no game. The game is the unit everywhere.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from nfsim.stats.intervals import ENOUGH, Floats, mean_bounds


class EqualityTest(NamedTuple):
    """A chi-square test.

    Attributes
    ----------
    statistic : float
    df : int
        Degrees of freedom.
    p : float
        NaN where there is nothing to compare, or too little: every category needs 5 expected successes.
    """

    statistic: float
    df: int
    p: float


LEAST_EXPECTED = 5.0
NO_TEST = EqualityTest(np.nan, 0, np.nan)


def mean_p(n: npt.ArrayLike, mean: npt.ArrayLike, sd: npt.ArrayLike) -> Floats:
    """Return two-sided p-values of means being 0, by the t test.

    Parameters
    ----------
    n, mean, sd : array_like
        Broadcast against each other; `sd` with n - 1 in the denominator.

    Returns
    -------
    ndarray
        NaN below `ENOUGH` values, from which a t test can be relied on. Where all values are equal: 1 if they are
        0, else the sign test's.
    """
    count, centre, spread = np.broadcast_arrays(
        np.asarray(n, np.float64), np.asarray(mean, np.float64), np.asarray(sd, np.float64)
    )
    found = np.full(count.shape, np.nan)
    same = (count >= ENOUGH) & (spread == 0)
    found[same] = np.where(centre[same] == 0, 1.0, 0.5 ** (count[same] - 1))
    some = (count >= ENOUGH) & (spread > 0)
    if some.any():
        from scipy import stats

        found[some] = 2 * stats.t.sf(np.abs(centre[some]) / (spread[some] / np.sqrt(count[some])), count[some] - 1)
    return found


def with_mean_test(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Add interval and p-value of a mean being 0.

    Parameters
    ----------
    frame : DataFrame
        Columns ``n``, ``NAME`` (the mean) and ``NAME_sd``, which is replaced.
    name : str
        Columns ``NAME_low``, ``NAME_high`` (t interval, NaN for one value) and ``NAME_p`` (see `mean_p`) are added.
    """
    n, mean, sd = (numbers(frame, column) for column in ("n", name, f"{name}_sd"))
    low, high = mean_bounds(n, mean, sd)
    return frame.drop(f"{name}_sd").with_columns(
        pl.Series(f"{name}_low", low), pl.Series(f"{name}_high", high), pl.Series(f"{name}_p", mean_p(n, mean, sd))
    )


def numbers(frame: pl.DataFrame, name: str) -> Floats:
    """Return a column as an array of floats, NaN where it is null."""
    return np.asarray(frame[name].cast(pl.Float64).fill_null(np.nan).to_numpy(), np.float64)


def equal_chances(k: npt.ArrayLike, n: npt.ArrayLike, chance: float) -> EqualityTest:
    """Test whether things dealt to players win equally often, whoever has them.

    Parameters
    ----------
    k, n : array_like, shape (categories,)
        Wins (ties split) of each category, and games it was in.
    chance : float
        Of each player of a game, one divided by their number.

    Notes
    -----
    In each game some of the categories are in play, at random and one for each player, and one of them wins. The
    wins beyond expectation then have the covariance of a multinomial in which every category has the same chance, so
    the sum of their squares over ``n chance (1 - chance)``, times ``(c - 1) / c`` for c categories, is chi-square
    with c - 1 degrees of freedom. Where all categories are in play in every game (seats) it is Pearson's test.
    Split ties vary less than wins: the test is then on the cautious side.
    """
    wins, games = np.asarray(k, np.float64), np.asarray(n, np.float64)
    count = wins.size
    if count < 2 or (games * min(chance, 1 - chance) < LEAST_EXPECTED).any():
        return NO_TEST
    from scipy import stats

    squares = (wins - games * chance) ** 2 / (games * chance * (1 - chance))
    statistic = float(squares.sum() * (count - 1) / count)
    return EqualityTest(statistic, count - 1, float(stats.chi2.sf(statistic, count - 1)))


def expected_counts(k: npt.ArrayLike, expected: npt.ArrayLike) -> EqualityTest:
    """Test counts that add up to the number of games against what was expected of them, by Pearson's test.

    Parameters
    ----------
    k, expected : array_like, shape (categories,)
        Wins (ties split), and wins in proportion to the seats.
    """
    wins, even = np.asarray(k, np.float64), np.asarray(expected, np.float64)
    if wins.size < 2 or (even < LEAST_EXPECTED).any():
        return NO_TEST
    from scipy import stats

    test = stats.chisquare(wins, even)
    return EqualityTest(float(test.statistic), wins.size - 1, float(test.pvalue))


def with_owner_difference(sums: pl.DataFrame, games: int, players: int) -> pl.DataFrame:
    """Compare the seats that own a thing with all seats that do not, over all games.

    Parameters
    ----------
    sums : DataFrame
        For each thing, with o owners and their w wins (ties split) in a game, the sums over the games: o, w, oo, ww,
        ow (squares and product). Games without an owner are not in the sums, but count.
    games : int
        Games in all; the seats of each share one win.
    players : int
        Seats of a game.

    Returns
    -------
    DataFrame
        Without the sums, with rate_owned, rate_not, difference (owned minus not), low, high, p. NaN intervals and
        p where fewer than `ENOUGH` seats own it or do not.

    Notes
    -----
    A difference of two ratios of sums over games: its variance is that of its linear approximation, game by game (the
    cluster-robust one), since the seats of a game are not independent. With v = 1 - w wins of the n = players - o
    other seats a game adds ``(w - p1 o) / O - (v - p0 n) / N``, where O and N are all owners and all others.
    """
    o, w, oo, ww, ow = (numbers(sums, name) for name in ("o", "w", "oo", "ww", "ow"))
    others = games * players - o
    with np.errstate(divide="ignore", invalid="ignore"):
        owned, rest = w / o, (games - w) / others
        a, b = 1 / o + 1 / others, owned / o + rest / others
        d = (1 - rest * players) / others
        squares = a**2 * ww + b**2 * oo + games * d**2 - 2 * a * b * ow - 2 * a * d * w + 2 * b * d * o
        # mean_bounds and mean_p divide by the root of the number of games
        sd = games * np.sqrt(np.maximum(squares, 0) / (games - 1))
    few = np.minimum(o, others) < ENOUGH
    sd = np.where(few, np.nan, sd)
    low, high = mean_bounds(games, owned - rest, sd)
    return sums.drop("o", "w", "oo", "ww", "ow").with_columns(
        pl.Series("rate_owned", owned),
        pl.Series("rate_not", rest),
        pl.Series("difference", owned - rest),
        pl.Series("low", low),
        pl.Series("high", high),
        pl.Series("p", mean_p(games, owned - rest, sd)),
    )
