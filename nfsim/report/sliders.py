"""Thresholds a reader can move: the numbers a page embeds for them, and the table that stands for them on paper.

For every run the page holds how many games that fulfil all other requirements ended with each score, so the
rate at any threshold is counted, not interpolated. A small script beside it counts and draws no number of its own.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import polars as pl
from markupsafe import Markup

from nfsim.contract.objectives import DEFAULT_WORDS
from nfsim.report.formatting import integer, rate
from nfsim.report.tables import ReportTable
from nfsim.stats.intervals import LEVEL, with_rates

AROUND = (-5, 0, 5)  # from the printed threshold: columns of the table
TOUCHING = 0.07  # of the track: marks nearer than that have their numbers one above the other
ROOM = 10  # what a slider reaches beyond the printed thresholds, even if no game ended there


@dataclass(frozen=True)
class Counts:
    """What one run says about a threshold.

    Attributes
    ----------
    run : str
        Label.
    printed : int
        The threshold of its length; 0 if the objective asks for no score.
    n : int
        Games.
    met : mapping of int to int
        Scores to how many games ended with them and fulfil every other requirement.
    """

    run: str
    printed: int
    n: int
    met: Mapping[int, int]

    def at(self, score: int) -> int:
        """Return how many games met the objective if its threshold were `score`."""
        return sum(games for reached, games in self.met.items() if reached >= score)

    @property
    def dense(self) -> tuple[int, list[int]]:
        """The lowest score of `met`, and the games with each score from there on."""
        first = min(self.met, default=0)
        return first, [self.met.get(score, 0) for score in range(first, max(self.met, default=first - 1) + 1)]


@dataclass(frozen=True)
class Slider:
    """One threshold that can be moved, for all runs at once.

    Attributes
    ----------
    name, needs : str
        The objective, and what it requires besides a score ('' for nothing).
    runs : sequence of Counts
        At least one.
    unit : str
        Of the score.
    """

    name: str
    needs: str
    runs: Sequence[Counts]
    unit: str = DEFAULT_WORDS.score

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest threshold to choose: where any run's rate still changes, and the printed ones."""
        reached = [score for counts in self.runs for score in counts.met]
        printed = [counts.printed for counts in self.runs]
        return min([*reached, min(printed) - ROOM]), max([*reached, max(printed)]) + ROOM

    @property
    def printed(self) -> dict[int, list[str]]:
        """The printed thresholds from the lowest, each with the runs it is printed for."""
        found: dict[int, list[str]] = {}
        for counts in sorted(self.runs, key=lambda counts: counts.printed):
            if counts.printed:
                found.setdefault(counts.printed, []).append(counts.run)
        return found

    @property
    def start(self) -> int:
        """Where it stands at first: the first run's printed threshold."""
        return self.runs[0].printed


def curve(sliders: Sequence[Slider]) -> pl.DataFrame:
    """Return the rate at every threshold: objective, run, printed, score, n, k, rate, low, high."""
    rows = [
        (slider.name, counts.run, counts.printed, score, counts.n, k)
        for slider in sliders
        for counts in slider.runs
        for score, k in _from_above(counts, slider.span)
    ]
    schema = {"objective": pl.String, "run": pl.String, "printed": pl.Int64, "score": pl.Int64, "n": pl.Int64,
              "k": pl.Int64}  # fmt: skip
    return with_rates(pl.DataFrame(rows, schema, orient="row"))


def _from_above(counts: Counts, span: tuple[int, int]) -> list[tuple[int, int]]:
    """Return every threshold of a span with how many games reach it, counted in one pass."""
    found, k = [], 0
    for score in range(span[1], span[0] - 1, -1):
        k += counts.met.get(score, 0)
        found.append((score, k))
    return found[::-1]


def table(sliders: Sequence[Slider], name: str, title: str, objective: str) -> ReportTable:
    """Return the rates at the printed thresholds and around them; the frame has those at every threshold.

    `objective` is what the game calls what is to be reached.
    """
    frame = curve(sliders)
    near = frame.with_columns((pl.col("score") - pl.col("printed")).alias("off")).filter(pl.col("off").is_in(AROUND))
    written = {
        (r["objective"], r["run"], r["off"]): f"{r['score']}+: {rate(r['rate'], r['low'], r['high'])}"
        for r in near.to_dicts()
    }
    rows = [
        [slider.name, counts.run, *(written[slider.name, counts.run, off] for off in AROUND), integer(counts.n)]
        for slider in sliders
        for counts in slider.runs
    ]
    head = [objective.capitalize(), "Run", *(_column(off, sliders[0].unit) for off in AROUND), "n"]
    notes = [slider.needs for slider in sliders for _ in slider.runs]
    return ReportTable(name, title, head, rows, "llrrrr", frame, notes)


def _column(off: int, unit: str) -> str:
    return "As printed" if off == 0 else f"{abs(off)} {unit} {'less' if off < 0 else 'more'}"


def embedded(sliders: Sequence[Slider]) -> Markup:
    """Return everything the page's script needs, as JSON that cannot end the element it stands in."""
    data: list[dict[str, Any]] = []
    for slider in sliders:
        runs = []
        for counts in slider.runs:
            first, games = counts.dense
            runs.append({"run": counts.run, "printed": counts.printed, "n": counts.n, "first": first, "games": games})
        data.append({"runs": runs})
    text = json.dumps({"z": NormalDist().inv_cdf((1 + LEVEL) / 2), "sliders": data}, separators=(",", ":"))
    # json.dumps leaves these as they are; inside the text of a string the escapes mean the same
    for mark in "<>&":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return Markup(text)


def parts(sliders: Sequence[Slider], identity: str) -> list[dict[str, Any]]:
    """Return what the templates need for each slider, with its rates where it stands at first.

    Parameters
    ----------
    sliders : sequence of Slider
        Of one part of a page.
    identity : str
        Unique on the page.
    """
    return [
        {
            "id": f"{identity}-{place}",
            "name": slider.name,
            "needs": slider.needs,
            "unit": slider.unit,
            "least": slider.span[0],
            "most": slider.span[1],
            "start": slider.start,
            "printed": _marks(slider),
            "runs": [
                {
                    "run": counts.run,
                    "now": _estimate(counts, counts.printed or slider.start),
                    "own": _estimate(counts, counts.printed),
                    "printed": counts.printed,
                    "n": integer(counts.n),
                }
                for counts in slider.runs
            ],
        }
        for place, slider in enumerate(sliders)
    ]


def _marks(slider: Slider) -> list[dict[str, Any]]:
    """Return where on the slider's track each printed threshold is marked."""
    least, most = slider.span
    marks: list[dict[str, Any]] = []
    for score, runs in slider.printed.items():
        share = (score - least) / (most - least)
        # a number that would touch the one before it stands lower
        lower = bool(marks) and not marks[-1]["lower"] and share - marks[-1]["share"] < TOUCHING
        marks.append({"score": score, "runs": ", ".join(runs), "share": share, "lower": lower})
    return marks


def _estimate(counts: Counts, score: int) -> str:
    found = with_rates(pl.DataFrame({"k": [counts.at(score)], "n": [counts.n]}))
    return rate(*found.select("rate", "low", "high").row(0))
