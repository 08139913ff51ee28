"""Thresholds, short game against long: how likely each score is, which long threshold is as hard as a short one.

For an objective the curve is P(score >= x and every other requirement met). A final score is a whole number, so only
the
curve's values at whole x are probabilities; the long threshold that is exactly as hard as the printed short one lies
between two of them in general and is found on straight lines between them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl
from matplotlib.axes import Axes

from nfsim.contract.objectives import Words
from nfsim.report import theme
from nfsim.report.charts.curves import Mark, draw_thresholds, span, thresholds_key
from nfsim.report.charts.rows import RUN_WIDTH, wrap
from nfsim.report.formatting import change, integer, percent, points, rate, value_interval, with_article
from nfsim.report.page import Part
from nfsim.report.picture import Group, Picture, panels
from nfsim.report.source import Source
from nfsim.report.tables import ReportTable
from nfsim.stats.bootstrap import count_interval
from nfsim.stats.frames import label
from nfsim.stats.intervals import Floats, wilson, with_rates
from nfsim.stats.many import with_adjusted
from nfsim.stats.paired import Difference, independent_counts, paired_counts

FEW = 10  # games that must meet an objective, and miss it, before a threshold as hard can be named

Pair = tuple[Source, Source]
Counts = npt.NDArray[np.int64]

EQUAL: dict[str, type[pl.DataType]] = {
    "objective": pl.String, "requires": pl.String, "requires_long": pl.String, "score_short": pl.Int64,
    "score_long": pl.Int64, "n": pl.Int64, "met_short": pl.Int64, "rate_short": pl.Float64, "rate_long": pl.Float64,
    "difference": pl.Float64, "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "correlation": pl.Float64,
    "equal_score": pl.Float64, "equal_low": pl.Float64, "equal_high": pl.Float64, "nearest_score": pl.Int64,
    "nearest_rate": pl.Float64,
    "nearest_low": pl.Float64, "nearest_high": pl.Float64, "short_low": pl.Float64, "short_high": pl.Float64,
    "long_low": pl.Float64, "long_high": pl.Float64,
}  # fmt: skip


class Evidence(NamedTuple):
    """What two runs say about one objective, counted.

    Attributes
    ----------
    n_short, n_long, k_short : int
        Games, and short games that met the objective as printed.
    first : int
        Lowest final score of the long run.
    long : ndarray of int64, shape (1 + scores,)
        Long games that missed a requirement besides the score; then, of those that met them all, how many ended with
        `first`, `first` + 1 and so on.
    joint : ndarray of int64, shape (2, 1 + scores), optional
        The same for the games that missed the objective in the short run, and for those that met it; None if the
        two runs did not play the same deals.
    """

    n_short: int
    n_long: int
    k_short: int
    first: int
    long: Counts
    joint: Counts | None

    @property
    def reached(self) -> Floats:
        """P(score >= x and requirements met) in the long run for x = `first`, …, one above the highest score."""
        curve: Floats = _reached(self.long[None], self.n_long)[0]
        return curve

    def compared(self, score: int) -> Difference:
        """Compare how often the objective was met: short as printed, then long with a threshold of `score`."""
        at = min(max(score - self.first, 0), self.long.size - 1) + 1
        if self.joint is None:
            return independent_counts(self.k_short, self.n_short, float(self.long[at:].sum()), self.n_long)
        missed, met = self.joint[:, :at].sum(axis=1).tolist(), self.joint[:, at:].sum(axis=1).tolist()
        return paired_counts(neither=missed[0], lost=missed[1], gained=met[0], kept=met[1])

    def threshold(self) -> float:
        """Return the long threshold that is met as often as the short objective, see `crossing`."""
        return float(crossing(self.reached[None], self.first, np.array([self.k_short / self.n_short]))[0])

    def interval(self, seed: Sequence[int]) -> tuple[float, float]:
        """Return the bootstrap interval of `threshold`: games (deals, if both runs played the same) drawn anew."""
        if self.joint is None:
            short = [self.n_short - self.k_short, self.k_short]
            found = count_interval([short, self.long], self._apart, seed=seed)
        else:
            found = count_interval([self.joint], self._together, seed=seed)
        return found.low, found.high

    def _apart(self, short: Counts, long: Counts) -> Floats:
        return crossing(_reached(long, self.n_long), self.first, short[:, 1] / self.n_short)

    def _together(self, joint: Counts) -> Floats:
        return crossing(_reached(joint.sum(axis=1), self.n_long), self.first, joint[:, 1].sum(axis=1) / self.n_short)


def crossing(reached: Floats, first: int, rate: Floats) -> Floats:
    """Return where falling curves come down to a rate.

    Parameters
    ----------
    reached : ndarray, shape (curves, values)
        Never rising, 0 at the end: the curves at `first`, `first` + 1, …
    first : int
        Where they begin.
    rate : ndarray, shape (curves,)
        The rate wanted of each.

    Returns
    -------
    ndarray, shape (curves,)
        On straight lines between whole numbers; the highest x where the curve is flat at the rate. -inf where even
        the curve's beginning is below the rate, inf where the rate is 0.
    """
    above = (reached >= rate[:, None]).sum(axis=1) - 1  # the last value that is not below the rate
    inside = (above >= 0) & (rate > 0)
    at = np.where(inside, above, 0)
    rows = np.arange(len(rate))
    here, next_one = reached[rows, at], reached[rows, np.minimum(at + 1, reached.shape[1] - 1)]
    fall = np.where(here > next_one, here - next_one, 1.0)
    found = first + at + (here - rate) / fall
    return np.where(inside, found, np.where(rate > 0, -np.inf, np.inf))


def pairs(group: Sequence[Source]) -> list[Pair]:
    """Return the short and long runs of a group that belong together: same records, same players if there is a choice.

    Empty where a game has no lengths to choose from, the group holds one length only, or was logged without what the
    curves need.
    """
    usable = [s for s in group if s.objectives and s.games and s.logs("objectives", "requires_met")]
    short, long = ([source for source in usable if source.longer is wanted] for wanted in (False, True))
    found: list[Pair] = []
    for one in list(short):
        peer = next((other for other in long if _played(other) == _played(one)), None)
        if peer is not None:
            found.append((one, peer))
            short.remove(one)
            long.remove(peer)
    # weights are made for one length, so that the names of a pair's policies may differ
    if len(short) == len(long) == 1 and _played(short[0])[1] == _played(long[0])[1]:
        found.append((short[0], long[0]))
    return found


def same_games(pair: Pair) -> bool:
    """Return whether game 17 of one run had the same deal as game 17 of the other: then they are compared in pairs.

    Runs of unequal size count as independent even with the same seed, so that all their games count; intervals are then
    on the wide side.
    """
    one, other = (source.say("seed", default=None) for source in pair)
    return pair[0].games == pair[1].games and one is not None and bool(one == other)


def lengths(pair: Pair) -> tuple[str, str]:
    """Return what to call the two runs beside each other: their lengths, or their labels if that says more."""
    short, long = pair
    return (short.length, long.length) if short.length != long.length else (short.label, long.label)


def curves(source: Source) -> pl.DataFrame:
    """Return for each objective how often at least a score of x was reached with every other requirement met.

    Returns
    -------
    DataFrame
        objective (in their order), score (every x from the lowest final score of the run to one above its
        highest), n (games), k, rate, low, high (Wilson, for each x alone).
    """
    counts = (
        source.tables["objectives"]
        .filter(pl.col("requires_met").cast(pl.Boolean))
        .group_by(label("objective").alias("objective"), pl.col("margin").cast(pl.Int64))
        .agg(pl.len().cast(pl.Int64).alias("k"))
        .collect(engine="streaming")
    )
    first, last = _scores(source)
    grid = np.arange(first, last + 2)
    parts = []
    for objective in source.objectives:
        own = counts.filter(pl.col("objective") == objective.name)
        k = np.zeros(grid.size, np.int64)
        k[own["margin"].to_numpy() + objective.score - first] = own["k"].to_numpy()
        columns = {"objective": objective.name, "score": grid, "n": source.games, "k": k[::-1].cumsum()[::-1]}
        parts.append(pl.DataFrame(columns))
    return with_rates(pl.concat(parts))


def equally_hard(pair: Pair, seed: int = 0) -> pl.DataFrame:
    """Return the long threshold that would be exactly as hard as the printed short one, objective by objective.

    Parameters
    ----------
    pair : (Source, Source)
        The short and the long run.
    seed : int
        Of the bootstrap.

    Returns
    -------
    DataFrame
        objective, requires, requires_long (it may ask for more), score_short and score_long (printed), n, met_short
        (games), rate_short, rate_long (at the printed thresholds), difference (long minus short) with low, high, p,
        p_adjusted (Benjamini–Hochberg over the objectives) and the correlation of the two over the deals;
        equal_score, a
        real number, with the bootstrap interval equal_low to equal_high; nearest_score, the whole threshold whose rate
        nearest_rate is closest to the short one; and Wilson's intervals of the three rates: short_low, short_high,
        long_low, long_high, nearest_low, nearest_high. equal_score is inf where the short objective was never met, -inf
        where the long one is met less often even without a threshold, and NaN where fewer than `FEW` games met or
        missed the short objective: the curve is flat there, and any threshold as good as the next. Its interval and
        nearest_score are then null.
    """
    short, long = pair
    printed = {objective.name: objective for objective in long.objectives}
    rows: list[dict[str, Any]] = []
    for place, objective in enumerate(each for each in short.objectives if each.name in printed):
        other = printed[objective.name]
        found = evidence(pair, objective.name, other.score)
        compared = found.compared(other.score)._asdict()
        rows.append({
            "objective": objective.name, "requires": objective.requires, "requires_long": other.requires,
            "score_short": objective.score, "score_long": other.score, "met_short": found.k_short,
            "rate_short": compared["before"], "rate_long": compared["after"], "equal_score": found.threshold(),
            **compared,
            **_bounds("short", compared["before"], found.n_short), **_bounds("long", compared["after"], found.n_long),
        })  # fmt: skip
        if found.k_short and min(found.k_short, found.n_short - found.k_short) < FEW:
            rows[-1]["equal_score"] = np.nan
        elif np.isfinite(rows[-1]["equal_score"]):
            nearest = int(np.abs(found.reached - compared["before"]).argmin())
            rate = float(found.reached[nearest])
            low, high = found.interval([seed, place])
            rows[-1] |= {
                "nearest_score": found.first + nearest, "nearest_rate": rate, **_bounds("nearest", rate, found.n_long),
                # below a threshold of 0 there is none
                "equal_low": max(low, 0.0), "equal_high": min(high, found.first + found.reached.size),
            }  # fmt: skip
    return with_adjusted(pl.DataFrame([{name: row.get(name) for name in EQUAL} for row in rows], schema=EQUAL))


def _bounds(name: str, rate: float, n: int) -> dict[str, float]:
    low, high = wilson(rate * n, n)
    return {f"{name}_low": float(low), f"{name}_high": float(high)}


def evidence(pair: Pair, objective: str, score_long: int) -> Evidence:
    """Count what two runs say about an objective whose printed long threshold is given."""
    short, long = pair
    first, last = _scores(long)
    able = pl.when(pl.col("requires_met").cast(pl.Boolean)).then(pl.col("margin").cast(pl.Int64))
    place = (able + score_long - first + 1).fill_null(0).alias("place")

    def of(source: Source, column: pl.Expr) -> pl.LazyFrame:
        return source.tables["objectives"].filter(pl.col("objective") == objective).select("game", column)

    met, size = pl.col("met").cast(pl.Int64), last - first + 2
    if same_games(pair):
        joint = np.zeros((2, size), np.int64)
        for block, other in zip(short.blocks(), long.blocks(), strict=True):
            both = of(block, met).join(of(other, place), on="game")
            counts = both.group_by("met", "place").len().collect(engine="streaming")
            joint[counts["met"].to_numpy(), counts["place"].to_numpy()] += counts["len"].to_numpy()
        n = int(joint.sum())
        return Evidence(n, n, int(joint[1].sum()), first, joint.sum(axis=0), joint)
    k = int(of(short, met).select(pl.col("met").sum()).collect(engine="streaming").item())
    counts = of(long, place).group_by("place").len().collect(engine="streaming")
    alone = np.zeros(size, np.int64)
    alone[counts["place"].to_numpy()] = counts["len"].to_numpy()
    return Evidence(short.games, long.games, k, first, alone, None)


def _reached(counts: Counts, n: int) -> Floats:
    """Return P(score >= x and requirements met) from counts, shape (curves, 1 + scores); 0 is added at the end."""
    falling = counts[:, :0:-1].cumsum(axis=1)[:, ::-1] / n
    return np.concatenate([falling, np.zeros((len(counts), 1))], axis=1)


def _scores(source: Source) -> tuple[int, int]:
    """Return the lowest and the highest final score of a run."""
    score = pl.col("score").cast(pl.Int64)
    low, high = source.tables["seats"].select(score.min().alias("low"), score.max().alias("high")).collect().row(0)
    return int(low), int(high)


def _played(source: Source) -> tuple[str, str]:
    """Return who played, and the hash of the records."""
    return source.policies, str(source.catalogue("hash"))


Row = dict[str, Any]

PANEL = 1.75  # inches of an objective's axes
CLEAR = 0.05  # an adjusted p below this is called a difference
TITLE = "Thresholds, short and long"


def what_it_is(words: Words) -> str:
    """Say what the curves and the equally hard threshold are."""
    return (
        f"The curve of {with_article(words.objective)} is the share of games that end with at least x "
        f"{words.score} and meet its "
        "other requirements. The equally hard threshold is where the long curve comes down to the short game's rate. "
        "Scores are whole numbers, so that in general no threshold is exactly as hard: the number with a decimal lies "
        "on a straight line between two whole ones. The CSV file has the whole one whose rate is nearest, with its "
        "rate."
    )


def planned(pair: Pair) -> list[str]:
    """Say what the curves of a policy that aimed at objectives are not; nothing for others."""
    if not plans(pair[1]):
        return []
    return [
        "This player plays for the printed thresholds. Its curves are not what it would reach if another threshold "
        "were printed."
    ]


def part(group: Group) -> Part:
    """Return the part about thresholds; empty unless the group has a short and a long run of one campaign."""
    found = pairs(group)
    if not found:
        return Part(TITLE)
    numbered = len(found) > 1
    text: list[str] = [what_it_is(group[0].words)]
    tables, pictures = [], []
    for place, pair in enumerate(found):
        frame = equally_hard(pair)
        name = f"_{place + 1}" if numbered else ""
        title = f"{pair[0].policies}" if numbered else ""
        text += said(pair, frame)
        tables.append(table(pair, frame, name, title))
        drawn = picture(pair, frame, name, title)
        pictures += [] if drawn is None else [drawn]
    return Part(TITLE, text, tables, pictures)


def verdict(pair: Pair, frame: pl.DataFrame) -> list[str]:
    """Say in plain words of each objective how hard the longer game makes it, and which threshold would be as hard.

    Parameters
    ----------
    pair : (Source, Source)
    frame : DataFrame
        As `equally_hard` returns it.
    """
    short, long = lengths(pair)
    unit, said = pair[0].words.score, []
    for row in frame.to_dicts():
        sure = row["p_adjusted"] is not None and row["p_adjusted"] < CLEAR
        way = "easier" if row["difference"] > 0 else "harder"
        change = f"is {way} with {long}" if sure else f"is as hard with {long}, as far as these games can tell"
        rates = f"met in {percent(row['rate_short'])} with {short} and in {percent(row['rate_long'])} with {long}"
        equal = ""
        if row["nearest_score"] is not None:
            equal = f" {row['nearest_score']}+ {unit} in place of {row['score_long']}+ would be as hard."
        said.append(f"{row['objective']} {change}: {rates}.{equal}")
    return said


def said(pair: Pair, frame: pl.DataFrame) -> list[str]:
    """Return the answer in sentences."""
    short, long = pair
    names, words = lengths(pair), short.words
    who = " / ".join(dict.fromkeys(source.policies for source in pair))
    deals = (
        f"{names[0]} and {names[1]} on the same {integer(short.games)} deals, compared deal by deal"
        if same_games(pair)
        else f"{integer(short.games)} games of {names[0]}, {integer(long.games)} other games of {names[1]}"
    )
    intro = (
        f"Played by {who}: {deals}. It holds for who played: a policy that collects {words.score} faster in late "
        "rounds needs a "
        "higher long threshold. Intervals of thresholds are bootstrap intervals over the games; whether a printed pair "
        f"of thresholds differs in difficulty is tested for {len(frame)} {words.objectives} at once "
        "(Benjamini–Hochberg)."
    )
    sentences = [sentence(row, pair) for row in frame.to_dicts()]
    return [intro, *sentences, *planned(pair)]


def sentence(row: Row, pair: Pair) -> str:
    """Say of one objective how hard the printed long threshold is, and which would be as hard as the short one."""
    name, printed, short_games = row["objective"], row["score_long"], pair[0].games
    (short, long), words = lengths(pair), pair[0].words
    more = f", which also requires more ({row['requires_long']})" if other_requirements(row) else ""
    first = f"{name}: {short} {share(row, 'short')} with {row['score_short']} {words.score},"
    second = f"{long} {share(row, 'long')} with the printed {printed}{more}"
    gap = points(row["difference"], row["low"], row["high"])
    if not math.isfinite(row["equal_score"]):
        if row["met_short"] == 0:
            why = f"the short {words.objective} was never met, so that no threshold can be named"
        elif math.isnan(row["equal_score"]):
            met = row["met_short"]
            few = f"met it: {met}" if met < FEW else f"missed it: {short_games - met}"
            why = f"short games that {few}, too few to name a threshold"
        else:
            why = "the long requirement is met less often even without a threshold"
        return f"{first} {second}: {gap}; {why}."
    unclear = math.isnan(row["p_adjusted"]) or row["p_adjusted"] >= CLEAR
    verdict = "no clear difference" if unclear else "easier" if row["difference"] > 0 else "harder"
    none = " (0 stands for no threshold at all)" if row["equal_low"] == 0 else ""
    return f"{first} {second}: {verdict}, {gap}; equally hard: {equal_text(row)} {words.score}{none}."


def share(row: Row, which: str) -> str:
    """Write one of an objective's rates (short, long, nearest) with its interval."""
    return rate(*(row[f"{name}_{which}" if name == "rate" else f"{which}_{name}"] for name in ("rate", "low", "high")))


def equal_text(row: Row) -> str:
    """Write the equally hard threshold with its interval."""
    if not math.isfinite(row["equal_score"]):
        return "–"
    return f"{row['equal_score']:.1f} ({value_interval(row['equal_low'], row['equal_high'])})"


def other_requirements(row: Row) -> bool:
    """Return whether the long game requires something else besides its score."""
    return bool(row["requires"] != row["requires_long"])


def table(pair: Pair, frame: pl.DataFrame, name: str = "", who: str = "") -> ReportTable:
    """Return printed and equally hard thresholds side by side."""
    short, long = lengths(pair)
    rows, notes = [], []
    for r in frame.to_dicts():
        printed = f"{r['score_short']} → {r['score_long']}"
        cells = [
            share(r, "short"),
            share(r, "long"),
            change(*(100 * r[name] for name in ("difference", "low", "high"))),
            equal_text(r),
        ]
        rows.append([r["objective"], printed, *cells])
        changed = f" → {r['requires_long']}" if other_requirements(r) else ""
        notes.append(r["requires"] + changed)
    ns = [integer(source.games) for source in pair]
    n = f"n = {ns[0]} each" if ns[0] == ns[1] else f"n = {ns[0]} and {ns[1]}"
    head = [pair[0].words.objective.capitalize(), "Printed", short, long, "Difference (points)", "Equally hard"]
    title = f"Printed and equally hard thresholds, 95 % intervals{f', {who}' if who else ''} ({n})"
    return ReportTable(f"thresholds{name}", title, head, rows, "lrrrrr", frame, notes)


def curve_frame(pair: Pair) -> pl.DataFrame:
    """Return the curves of both runs below each other, the first column naming the run."""
    names = lengths(pair)
    parts = [
        curves(source).select(pl.lit(name).alias("run"), pl.all()) for source, name in zip(pair, names, strict=True)
    ]
    return pl.concat(parts)


def picture(pair: Pair, frame: pl.DataFrame, name: str = "", who: str = "") -> Picture | None:
    """Return the curves of every objective that more than a few games came near, both lengths in one pair of axes."""
    found = curve_frame(pair)
    ever = found.filter(pl.col("k") >= min(FEW, min(source.games for source in pair)))["objective"].unique().to_list()
    listed = {row["objective"]: row for row in frame.to_dicts() if row["objective"] in ever}
    if not listed:
        return None
    left_out = [name for name in frame["objective"] if name not in listed]
    found = found.filter(pl.col("objective").is_in(list(listed)))
    ends = [row[key] for row in listed.values() for key in ("score_short", "score_long", "equal_score")]
    shown = span(found, [float(end) for end in ends if math.isfinite(end)])
    words = pair[0].words

    def draw(own: pl.DataFrame, ax: Axes, _place: int) -> None:
        row = listed[own["run"][0]]
        printed, equal = marks(row)
        draw_thresholds(own.drop("run").rename({"length": "run"}), ax, printed, equal, shown)
        ax.set_title(wrap(row["objective"], RUN_WIDTH))

    # a pair of axes an objective: it takes the place that the run has elsewhere
    by_objective = found.rename({"run": "length", "objective": "run"}).sort(
        pl.col("run").replace_strict({c: i for i, c in enumerate(listed)}, return_dtype=pl.Int64), maintain_order=True
    )
    figure = panels(by_objective, draw, PANEL)
    some = any(math.isfinite(row["equal_score"]) for row in listed.values())
    short, long = lengths(pair)
    labels = [f"{name} (n = {integer(source.games)})" for name, source in zip((short, long), pair, strict=True)]
    with theme.style():
        lines = thresholds_key(labels, equal=some)
        figure.set_figheight(figure.get_figheight() + 0.2 * len(lines))
        figure.legend(handles=lines, loc="outside upper left", handlelength=1.8)
        figure.axes[-1].set_xlabel(
            f"share of games with at least so many {words.score}\nand all other requirements met"
        )
    spoken = " ".join(f"{c}: {alt(row, pair)}." for c, row in listed.items())
    return Picture(
        f"threshold_curves{name}",
        "Chance of each threshold" + (f": {who}" if who else ""),
        f"Share of games that reach at least so many {words.score} and meet the {words.objective}'s other "
        "requirements; "
        f"bands are 95 % intervals at each number of {words.score}. Dashed: the printed thresholds. The dotted "
        "line leads from the short game's "
        "rate to the long threshold that is as hard."
        + (
            f" Left out, for fewer than {FEW} games met what else it requires: {', '.join(left_out)}."
            if left_out
            else ""
        ),
        f"Falling curves of {short} and {long}. {spoken}",
        found,
        figure,
    )


def marks(row: Row) -> tuple[Sequence[Mark], Mark | None]:
    """Return the printed thresholds on the curves, and the equally hard one if there is one."""
    printed = [Mark(0, row["score_short"], row["rate_short"]), Mark(1, row["score_long"], row["rate_long"])]
    if not math.isfinite(row["equal_score"]):
        return printed, None
    return printed, Mark(1, row["equal_score"], row["rate_short"], row["equal_low"], row["equal_high"])


def alt(row: Row, pair: Pair) -> str:
    """Put an objective's marks into words."""
    (short, long), unit = lengths(pair), pair[0].words.score
    at = (
        f"{name} {row[f'score_{which}']}+ {unit} {share(row, which)}"
        for name, which in ((short, "short"), (long, "long"))
    )
    return f"{', '.join(at)}; equally hard {equal_text(row)}"


def plans(source: Source) -> bool:
    """Return whether the policy aimed at objectives."""
    table = source.tables["objectives"]
    if "aimed" not in table.collect_schema().names():
        return False
    return bool(table.select(pl.col("aimed").cast(pl.Boolean).any()).collect(engine="streaming").item())
