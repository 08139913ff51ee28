"""A sweep's variants as frames: what each variant gave, and what each level of a factor changes, with intervals.

All variants play the same deals, so levels are compared game by game. Where bags are drawn at random (an axis that is
`sampled`) the bag is the unit: an estimate is the mean over bags, its interval says how far other bags could lie.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from nfsim.contract.objectives import DEFAULT_WORDS, Words
from nfsim.contract.rule_set import RuleSet
from nfsim.errors import BadInput, nearest
from nfsim.report.metrics import DEFAULT, Metrics
from nfsim.report.source import Source
from nfsim.stats.intervals import mean_bounds, wilson
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import Difference, paired_means, paired_rates
from nfsim.studies.compare.numbers import ENDS, RATE, ROUNDS, WON, floats, part_figure, values
from nfsim.validation import quoted

Floats = npt.NDArray[np.float64]
Place = tuple[int, ...]


@dataclass(frozen=True)
class Axis:
    """A factor of the sweep.

    Attributes
    ----------
    name : str
        As on the command line.
    labels : tuple of str
        Its levels.
    values : tuple of float, or None
        Their places on a scale, if they are numbers.
    usual : int
        Level that the others are compared with.
    sampled : bool
        Whether the levels are bags drawn at random.
    heading : str
        Its name in a heading, if that is not the last part of `name`.
    """

    name: str
    labels: tuple[str, ...]
    values: tuple[float, ...] | None = None
    usual: int = 0
    sampled: bool = False
    heading: str = ""

    @property
    def title(self) -> str:
        """Its name in a heading: rounds, not setup.rounds."""
        table, _, key = self.name.partition(".")
        return self.heading or key or table


@dataclass(frozen=True)
class Swept:
    """What a sweep gave, game by game.

    Attributes
    ----------
    axes : tuple of Axis
    units : dict of str to str
        Figures that all variants have, with their unit; ``rate`` for rates.
    games : list of DataFrame
        A row a game and a column a figure, as small as in the log; variants in the order of all combinations, the last
        axis fastest.
    words : Words
    metrics : Metrics
        Of the game that was played.
    """

    axes: tuple[Axis, ...]
    units: dict[str, str]
    games: list[pl.DataFrame] = field(repr=False)
    words: Words = DEFAULT_WORDS
    metrics: Metrics = field(default=DEFAULT, repr=False)

    @property
    def headlines(self) -> tuple[str, ...]:
        """The figures that are named beside the rate that was asked for: the score, and a part of it."""
        unit, part = self.words.score, self.metrics.headline
        return (unit, *([part_figure(part, unit)] if part else []))

    @property
    def sizes(self) -> tuple[int, ...]:
        """Levels by axis."""
        return tuple(len(axis.labels) for axis in self.axes)

    @property
    def bags(self) -> Axis | None:
        """The axis of bags drawn at random, if there is one."""
        return next((axis for axis in self.axes if axis.sampled), None)

    @property
    def fixed(self) -> tuple[Axis, ...]:
        """All other axes."""
        return tuple(axis for axis in self.axes if not axis.sampled)

    def values(self, place: Place, figure: str) -> Floats:
        """Return a figure game by game of the variant with a level on each axis."""
        return floats(self.games[int(np.ravel_multi_index(place, self.sizes))], figure)

    def units_at(self, choice: Sequence[int], figure: str) -> Floats:
        """Return a figure for levels of the fixed axes: game by game, or bag by bag if bags are drawn."""
        if self.bags is None:
            return self.values(tuple(choice), figure)
        rest = iter(choice)
        template = [None if axis.sampled else next(rest) for axis in self.axes]
        bags = range(len(self.bags.labels))
        places = [tuple(bag if level is None else level for level in template) for bag in bags]
        return np.array([self.values(place, figure).mean() for place in places])

    def choices(self) -> Iterator[Place]:
        """Iterate over the combinations of the levels of the fixed axes."""
        return itertools.product(*(range(len(axis.labels)) for axis in self.fixed))

    def labels(self, choice: Sequence[int]) -> dict[str, str]:
        """Return levels of the fixed axes in words, by axis."""
        return {axis.name: axis.labels[level] for axis, level in zip(self.fixed, choice, strict=True)}


def means(words: Words, metrics: Metrics) -> tuple[str, ...]:
    """Return the figures that a sweep shows besides rates, in order."""
    parts = [part_figure(part, words.score) for part in metrics.also_swept]
    return (words.score, *parts, *(figure.name for figure in metrics.figures if figure.swept), ROUNDS)


def gather(axes: Sequence[Axis], sources: Sequence[Source]) -> Swept:
    """Read the runs of a sweep, in the order of all combinations; only what all of them have is kept."""
    words, metrics = sources[0].words, sources[0].metrics
    order = means(words, metrics)

    def shown(name: str, unit: str) -> bool:
        return name in order or (unit == RATE and not name.startswith(ENDS))

    found = [values(source, shown) for source in sources]
    units = {name: unit for name, unit in found[0].units.items() if all(name in each.units for each in found)}
    units = {name: units[name] for name in sorted(units, key=lambda name: order.index(name) if name in order else -1)}
    frames = [each.frame.select("game", *units) for each in found]
    if any(not frame["game"].equals(frames[0]["game"]) for frame in frames):  # games that broke off are left out of all
        common = frames[0].select("game")
        for frame in frames[1:]:
            common = common.join(frame, on="game", how="semi", maintain_order="left")
        frames = [frame.join(common, on="game", how="semi", maintain_order="left") for frame in frames]
    return Swept(tuple(axes), units, [frame.drop("game") for frame in frames], words, metrics)


def figures(rule_set: RuleSet, prepared: Any) -> list[str]:
    """Return the figures that `gather` finds in a run of a game, in its order, before it is played."""
    metrics: Metrics = rule_set.metrics() if rule_set.metrics is not None else DEFAULT
    shown, players = means(rule_set.words, metrics), rule_set.players(prepared)
    if players > 1:
        return [*(f"Wins of seat {seat}" for seat in range(players)), *shown]
    names = [objective.name for objective in rule_set.objectives(prepared)]
    return [
        *([rule_set.words.any_objective, *names] if names else [WON]),
        *(name for name in shown if name != ROUNDS or not rule_set.lengths),
    ]


def named_figure(name: str, known: Iterable[str]) -> str:
    """Return the figure that ``--rate`` names.

    Raises
    ------
    BadInput
        If it is not known.
    """
    by_name = {figure.casefold(): figure for figure in known}
    if name.strip().casefold() not in by_name:
        raise BadInput("--rate", "", f"no variant has {quoted(name)}", nearest(name, by_name.values()))
    return by_name[name.strip().casefold()]


def chosen_rate(swept: Swept, name: str | None) -> str:
    """Return the rate that sentences are about: the one named, or any objective, or the wins of seat 0.

    Raises
    ------
    BadInput
        If the variants have no such figure.
    """
    if name is None:
        rates = [figure for figure, unit in swept.units.items() if unit == RATE]
        usual = swept.words.any_objective
        return usual if usual in rates else rates[0] if rates else swept.words.score
    return named_figure(name, swept.units)


def variants(swept: Swept) -> pl.DataFrame:
    """Return every figure of every variant.

    Returns
    -------
    DataFrame
        A column for each axis, figure, unit, n (games), value, low, high (Wilson or t).
    """
    rows: list[dict[str, Any]] = []
    for place in itertools.product(*map(range, swept.sizes)):
        levels = {axis.name: axis.labels[level] for axis, level in zip(swept.axes, place, strict=True)}
        rows += [
            {**levels, "figure": figure, "unit": unit, **_estimate(swept.values(place, figure), unit)}
            for figure, unit in swept.units.items()
        ]
    return pl.DataFrame(rows, infer_schema_length=None)


def over_bags(swept: Swept) -> pl.DataFrame:
    """Return the mean of every figure over the bags drawn, for the levels of the other axes.

    Returns
    -------
    DataFrame
        A column for each axis but the bags', figure, unit, n (bags), value, low, high (t, over bags).
    """
    rows = [
        {**swept.labels(choice), "figure": figure, "unit": unit, **_over_bags(swept, choice, figure)}
        for choice in swept.choices()
        for figure, unit in swept.units.items()
    ]
    return pl.DataFrame(rows, infer_schema_length=None)


def _estimate(x: Floats, unit: str) -> dict[str, float]:
    n, value = int(x.size), float(x.mean()) if x.size else math.nan
    low, high = wilson(x.sum(), n) if unit == RATE else mean_bounds(n, value, x.std(ddof=1) if n > 1 else math.nan)
    return {"n": n, "value": value, "low": float(low), "high": float(high)}


def _over_bags(swept: Swept, choice: Place, figure: str) -> dict[str, float]:
    x = swept.units_at(choice, figure)
    return {"n": x.size, "value": float(x.mean()), **over_units(x, swept.units[figure], len(swept.games[0]))}


def over_units(means: Floats, unit: str, games: int) -> dict[str, float]:
    """Return the interval of the mean of bags.

    Parameters
    ----------
    means : ndarray, shape (bag,)
        Of each bag.
    unit : str
        A rate's interval stays between 0 and 1; where all bags are at 0 or 1 it is Wilson's over all games.
    games : int
        Of each bag.
    """
    if unit == RATE and (np.ptp(means) == 0) and means[0] in (0.0, 1.0):
        low, high = wilson(means.sum() * games, means.size * games)
    else:
        low, high = mean_bounds(means.size, means.mean(), means.std(ddof=1) if means.size > 1 else math.nan)
        low, high = np.clip((low, high), 0, 1) if unit == RATE else (low, high)
    return {"low": float(low), "high": float(high)}


def differences(swept: Swept) -> pl.DataFrame:
    """Return what each level changes against the usual one, all else equal, on the same deals.

    Returns
    -------
    DataFrame
        factor, level, against, others (the levels of the other axes in words), figure, unit, n (games, or bags if
        bags are drawn), before, after, difference, low, high, p, p_adjusted (Benjamini–Hochberg over all rows),
        correlation, effect (the difference in standard deviations).
    """
    rows: list[dict[str, Any]] = []
    for place, axis in enumerate(swept.fixed):
        for choice in swept.choices():
            if choice[place] == axis.usual:
                continue
            usual = (*choice[:place], axis.usual, *choice[place + 1 :])
            words = swept.labels(choice)
            others = ", ".join(label for name, label in words.items() if name != axis.name)
            about = {
                "factor": axis.name,
                "level": words[axis.name],
                "against": axis.labels[axis.usual],
                "others": others,
            }
            for figure, unit in swept.units.items():
                a, b = swept.units_at(usual, figure), swept.units_at(choice, figure)
                spread = math.sqrt((a.var() + b.var()) / 2)
                found = _difference(a, b, unit)
                effect = found.difference / spread if spread > 0 else 0.0
                rows.append({**about, "figure": figure, "unit": unit, **found._asdict(), "effect": effect})
    if not rows:
        return pl.DataFrame()
    return with_adjusted(pl.DataFrame(rows, infer_schema_length=None)).drop("replaces")


def _difference(a: Floats, b: Floats, unit: str) -> Difference:
    certain = unit == RATE and bool(np.isin(a, (0.0, 1.0)).all() and np.isin(b, (0.0, 1.0)).all())
    return paired_rates(a > 0, b > 0) if certain else paired_means(a, b)
