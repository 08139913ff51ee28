"""Two runs side by side: every figure of the log, the differences with intervals, largest first.

Runs with the same seed played the same deals, so their games are paired by number; runs with different seeds are
independent samples. The game is the unit: where it has several players, its value is the mean over them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from nfsim.report.log_checks import blaming_tables
from nfsim.report.metrics import TOTAL
from nfsim.report.naming import patches, record_set, value_text
from nfsim.report.source import Source
from nfsim.stats.frames import label
from nfsim.stats.intervals import mean_interval, wilson
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import independent_means, independent_rates, paired_means, paired_rates

RATE = "rate"
WON = "Won"  # of one player, in a game without objectives
ROUNDS, ENDS = "Rounds", "Ends by "
SURE = 0.05  # adjusted p below which a difference counts as shown


class Values(NamedTuple):
    """What a run's games gave: `frame` has a row a game (column game, then a column a figure), `units` by figure."""

    frame: pl.DataFrame
    units: Mapping[str, str]


def values(source: Source, wanted: Callable[[str, str], bool] = lambda name, unit: True) -> Values:
    """Return every figure of a run, game by game.

    Parameters
    ----------
    source : Source
    wanted : callable
        ``(name, unit) -> bool``: which figures; a run may have many millions of games.

    Returns
    -------
    Values
        As small as they are in the log; see `floats`. Of a rate False or True, or a share where a win is shared.
        Figures whose table or column the run lacks are left out.
    """
    units: dict[str, str] = {}
    parts = [_ends(source, units), _wins(source, units), _scores(source, units)]
    if source.players == 1 and "objectives" in source.tables:
        parts.insert(1, _objectives(source, units))
    units = {name: unit for name, unit in units.items() if wanted(name, unit)}
    chosen = (part.select("game", *(name for name in part.collect_schema().names() if name in units)) for part in parts)
    first, *rest = (part.sort("game") for part in pl.collect_all(chosen, engine="streaming"))
    for part in rest:
        if part["game"].equals(first["game"]):  # as always, but for games without an objective that is open
            first = first.hstack(part.drop("game"))
        else:
            first = first.join(part, on="game", how="left", maintain_order="left")
    return Values(first, units)


def floats(frame: pl.DataFrame, name: str) -> NDArray[np.float64]:
    """Return a figure of `values`; shape (game,). The frame stays small, where floats would take eight bytes a game."""
    return frame[name].cast(pl.Float64).to_numpy()


def _ends(source: Source, units: dict[str, str]) -> pl.LazyFrame:
    """Why games ended, if the log says so, and how long they were; of no interest where a length was chosen."""
    games = source.tables["games"]
    if source.length:
        return games.select("game")
    length = pl.col("rounds").alias(ROUNDS)
    if not source.logs("games", "end_reason"):
        units[ROUNDS] = "rounds"
        return games.select("game", length)
    reasons = games.select(label("end_reason").unique().sort().alias("reason")).collect()["reason"].drop_nulls()
    found = {f"{ENDS}{reason.replace('_', ' ')}": label("end_reason") == reason for reason in reasons}
    units |= dict.fromkeys(found, RATE) | {ROUNDS: "rounds"}
    named = [value.fill_null(False).alias(name) for name, value in found.items()]
    return games.select("game", *named, length)


def _objectives(source: Source, units: dict[str, str]) -> pl.LazyFrame:
    names = [objective.name for objective in source.objectives]
    units |= dict.fromkeys(names, RATE)
    met = [pl.col("met").filter(label("objective") == name).any().alias(name) for name in names]
    return source.tables["objectives"].group_by("game").agg(met)


def _wins(source: Source, units: dict[str, str]) -> pl.LazyFrame:
    """Whether any objective was met; with several players each seat's share of the win."""
    seats = source.tables["seats"]
    if source.players == 1:
        name = source.words.any_objective if source.objectives else WON
        units[name] = RATE
        return seats.select("game", pl.col("won").alias(name))
    won = pl.col("won").cast(pl.Float64)
    shares = {f"Wins of seat {seat}": won.filter(pl.col("seat") == seat) for seat in range(source.players)}
    units |= dict.fromkeys(shares, RATE)
    named = [(share.sum() / pl.max_horizontal(won.sum(), pl.lit(1.0))).alias(name) for name, share in shares.items()]
    return seats.group_by("game").agg(named)


def part_figure(part: str, unit: str) -> str:
    """Return what a figure is called that is a part of the score: VPs: Goals; the whole goes by its unit."""
    return unit if part == TOTAL else f"{unit}: {part}"


def _scores(source: Source, units: dict[str, str]) -> pl.LazyFrame:
    """The score by source, and what players have at the end: the mean over them."""
    seats, unit, metrics = source.tables["seats"], source.words.score, source.metrics
    there = seats.collect_schema().names()
    named = {part_figure(name, unit): (column, unit) for name, column in metrics.sources.items()}
    named |= {figure.name: (figure.column, figure.unit) for figure in metrics.figures}
    known = {name: found for name, found in named.items() if found[0] in there}
    units |= {name: unit for name, (_, unit) in known.items()}
    chosen = [pl.col(column).alias(name) for name, (column, _) in known.items()]
    if source.players == 1:
        return seats.select("game", *chosen)
    return seats.group_by("game").agg(value.mean() for value in chosen)


def paired(before: Source, after: Source) -> bool:
    """Tell whether two runs played the same deals."""
    seeds = [source.say("seed", default=None) for source in (before, after)]
    return seeds[0] is not None and seeds[0] == seeds[1]


def same_games(first: pl.DataFrame, second: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return two frames of `values` with the games that both have, in order."""
    if first["game"].equals(second["game"]):
        return first, second
    common = first.select("game").join(second.select("game"), on="game").sort("game")
    one, two = (common.join(frame, on="game", how="left", maintain_order="left") for frame in (first, second))
    return one, two


def compare(before: Source, after: Source) -> pl.DataFrame:
    """Return the differences between two runs, largest first.

    Parameters
    ----------
    before, after : Source
        Runs of one game.

    Returns
    -------
    DataFrame
        figure, unit (``rate`` or what is counted), n (games compared), before, before_low, before_high, after,
        after_low, after_high (95 %: Wilson's for rates, t for means), difference, low, high (95 %), p, p_adjusted
        (Benjamini–Hochberg over all rows), correlation, replaces (both as `nfsim.stats.paired.Difference`), effect
        (difference in standard deviations of a game): rows by its size.
    """
    with blaming_tables((before, after)):
        return _compare(before, after)


def _compare(before: Source, after: Source) -> pl.DataFrame:
    one, two = values(before), values(after)
    figures = [name for name in one.units if name in two.units]
    who = _who_sat_where(before, after)
    together = paired(before, after)
    first, second = one.frame, two.frame
    if together:
        first, second = same_games(first, second)
    rows: list[dict[str, Any]] = []
    for name in figures:
        a, b = floats(first, name), floats(second, name)
        certain = one.units[name] == RATE and bool(((a == 0) | (a == 1)).all() and ((b == 0) | (b == 1)).all())
        if together:
            found = paired_rates(a > 0, b > 0) if certain else paired_means(a, b)
        else:
            found = independent_rates(a, b) if certain else independent_means(a, b)
        spread = ((a.var() + b.var()) / 2) ** 0.5 if len(a) and len(b) else float("nan")
        effect = found.difference / spread if spread > 0 else 0.0
        rows.append({
            "figure": who.get(name, name), "unit": one.units[name], **found._asdict(), "effect": float(effect),
            **_bounds("before", a, one.units[name]), **_bounds("after", b, one.units[name]),
        })  # fmt: skip
    frame = with_adjusted(pl.DataFrame(rows, infer_schema_length=None))
    levels = [f"{which}{end}" for which in ("before", "after") for end in ("", "_low", "_high")]
    order = ["figure", "unit", "n", *levels, "difference", "low", "high", "p", "p_adjusted", "correlation", "replaces",
             "effect"]  # fmt: skip
    return frame.select(order).sort(pl.col("effect").abs(), descending=True, maintain_order=True)


def _bounds(which: str, values: NDArray[Any], unit: str) -> dict[str, float]:
    """Return the interval of one run's rate or mean; values have shape (games,)."""
    low, high = wilson(values.sum(), len(values)) if unit == RATE else mean_interval(values)[2:]
    return {f"{which}_low": float(low), f"{which}_high": float(high)}


def _who_sat_where(before: Source, after: Source) -> dict[str, str]:
    """Return the names of the seats' wins with their policies, where the two runs agree about them."""
    pairs = zip(before.seat_policies, after.seat_policies, strict=False)
    return {f"Wins of seat {seat}": f"Wins of seat {seat} ({a})" for seat, (a, b) in enumerate(pairs) if a == b}


def settings_that_differ(before: Source, after: Source) -> list[tuple[str, str, str]]:
    """Return what sets two runs apart as (name, before, after), from their manifests."""
    found = []
    one, two = _settings(before), _settings(after)
    for name in dict.fromkeys([*one, *two]):
        pair = one.get(name, "–"), two.get(name, "–")
        if pair[0] != pair[1]:
            found.append((name, *pair))
    return found


def _settings(source: Source) -> dict[str, str]:
    rulings, known = (source.say(*keys, default={}) for keys in (("rulings",), ("versions",)))
    tables = {name: source.say("scenario", name, default={}) for name in source.rules.section if name != "rules"}
    return {
        **{
            f"{table}.{key}": value_text(value)
            for table, settings in tables.items()
            if isinstance(settings, Mapping)
            for key, value in settings.items()
        },
        **{f"rules.{key}": value_text(value) for key, value in rulings.items()},
        "policy": source.policies,
        source.words.records: record_set(source),
        "patches": "; ".join(patches(source)) or "none",
        "seed": str(source.say("seed")),
        "games": f"{source.games:,}",
        **{f"version of {name}": str(version) for name, version in known.items()},
    }


def shown(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows whose difference is more than chance, after adjusting for how many are looked at."""
    return frame.filter(pl.col("p_adjusted").fill_nan(None) < SURE)


def open_figures(frame: pl.DataFrame) -> Sequence[str]:
    """Return the figures for which no difference could be shown."""
    return frame.filter(~(pl.col("p_adjusted").fill_nan(None) < SURE).fill_null(False))["figure"].to_list()
