"""A ladder of two policies that plays until it is decided which of two hypotheses about their strength holds.

Both play every deal in exchanged seats, and a deal is one value: `nfsim.stats.hypotheses` says how they are judged. The
decision is that of the deals in their order: it depends on no thread, and on no look.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from nfsim.compiled.status import Status
from nfsim.errors import BadInput
from nfsim.report.page import try_folder
from nfsim.run.options import Options
from nfsim.run.progress import keeping
from nfsim.run.provenance import policy_notes
from nfsim.run.scenario import Scenario
from nfsim.stats.hypotheses import Decision, Hypotheses
from nfsim.stats.intervals import Floats
from nfsim.stats.tournament import Rate, clustered_rate, expected_score
from nfsim.studies.ladder.games import (
    FOLDER,
    OPTION,
    Batch,
    KeptBatches,
    Ladder,
    Results,
    all_seatings,
    check_ladder,
    find_or_play,
    label_of,
)
from nfsim.studies.ladder.standings import deal_scores, identical

LOOK, LOOK_SLOW = 250, 25  # deals played between two looks
USUAL = {True: 3.0, False: 20.0}  # H1 unless the user says so: solo in percentage points, else in points of a rating


@dataclass(frozen=True)
class Asked:
    """What is to be decided, as the user says it.

    Attributes
    ----------
    h0, h1 : float
        How much stronger the second policy is: at most `h0`, at least `h1`; in points of a rating, or for one seat in
        percentage points of games won.
    alpha, beta : float
        Probabilities to accept H1 where H0 is true, and the other way round.
    """

    h0: float = 0.0
    h1: float | None = None
    alpha: float = 0.05
    beta: float = 0.05


@dataclass(frozen=True)
class Test:
    """A test that can begin.

    Attributes
    ----------
    weaker, stronger : str
        The policies as H1 has them.
    asked : Asked
        With `h1`.
    unit : str
        Of `h0` and `h1`.
    hypotheses : Hypotheses
        The same as means of a deal's score.
    seatings : int
        Games of a deal.
    """

    weaker: str
    stronger: str
    asked: Asked
    unit: str
    hypotheses: Hypotheses
    seatings: int


@dataclass(frozen=True)
class Found:
    """What came out.

    Attributes
    ----------
    scenario : Scenario
    seed : int
    test : Test
    decision : Decision
    score : Rate
        Mean score of the stronger one over the deals that decided; its interval is one for a fixed number of deals.
    looks : DataFrame
        Evidence after every so many deals.
    same : bool
        Whether both policies played every game alike.
    unfinished : int
        Deals left out, with a game that was not finished by the rules.
    files : list of Path
    """

    scenario: Scenario
    seed: int
    test: Test
    decision: Decision
    score: Rate
    looks: pl.DataFrame
    same: bool
    unfinished: int
    files: list[Path] = field(default_factory=list)


def make_test(scenario: Scenario, players: Sequence[Any], asked: Asked) -> Test:
    """Check what is asked and return the test.

    Raises
    ------
    BadInput
        Naming the option.
    """
    if len(players) != 2:
        raise BadInput(OPTION, "", f"names {len(players)} policies, and --until decides between two", "name two")
    seats = scenario.rule_set.players(scenario.prepared)
    alone = seats == 1
    h1 = USUAL[alone] if asked.h1 is None else asked.h1
    most, unit = (100.0, "percentage points") if alone else (1000.0, "points")
    for option, value in (("--h0", asked.h0), ("--h1", h1)):
        if not -most < value < most:
            raise BadInput(option, "", f"must lie between -{most:g} and {most:g} {unit}, not {value:g}")
    if not asked.h0 < h1:
        raise BadInput("--h1", "", f"must be above --h0, {asked.h0:g}, not {h1:g}")
    for option, value in (("--alpha", asked.alpha), ("--beta", asked.beta)):
        if not 1e-6 <= value <= 0.5:
            raise BadInput(option, "", f"must be from 0.000001 to 0.5, not {value:g}")
    seatings = len(_seatings(seats))
    low, high = (0.5 + value / 200 if alone else expected_score(value) for value in (asked.h0, h1))
    hypotheses = Hypotheses(low, high, asked.alpha, asked.beta, 0.25 / seatings)
    weaker, stronger = map(label_of, players)
    return Test(weaker, stronger, Asked(asked.h0, h1, asked.alpha, asked.beta), unit, hypotheses, seatings)


def study_until(
    scenario: Scenario,
    policies: Sequence[str],
    asked: Asked,
    out: Path | None,
    options: Options,
    tell: Callable[[Test], None] = lambda _: None,
) -> Found:
    """Play two policies until it is decided, and write the files.

    Parameters
    ----------
    scenario : Scenario
        Its games are the deals that may be played at most.
    policies : sequence of str
        Two names or files, the one that H1 calls stronger last.
    asked : Asked
    out : Path or None
        Where to; None: nothing is kept.
    options : Options
        Its cluster says nothing: this machine plays.
    tell : callable
        Hears of the test before anything is played.
    """
    players = check_ladder(scenario, policies)
    test = make_test(scenario, players, asked)
    if out is not None:
        try_folder(out)
    for text in policy_notes(scenario, players):
        options.note(text)
    tell(test)
    kept = KeptBatches(None if out is None else out / FOLDER)
    ladder, scores, unfinished = _play(scenario, players, test, options, kept)
    decision = test.hypotheses.decide(scores)
    if not decision.n:
        raise BadInput(scenario.name, "", "no deal has only games that were finished by the rules", "raise its limits")
    looks = _looks(test.hypotheses, scores[: decision.n])
    score = clustered_rate(scores[: decision.n, None])
    found = Found(scenario, options.seed, test, decision, score, looks, identical(ladder, 0, 1), unfinished)
    if out is not None:
        from nfsim.studies.ladder.page import write_test

        found.files.extend(write_test(out, looks, {"ok": True, "exit_code": 0, **numbers_of(found)}))
        kept.remove()
    return found


def numbers_of(found: Found) -> dict[str, Any]:
    """Return everything as one object for JSON."""
    test, decision, score = found.test, found.decision, found.score
    at_h0, at_h1 = test.hypotheses.expected()
    return {
        "title": found.scenario.title,
        "changes": list(found.scenario.changes),
        "scenario": found.scenario.resolved | {"policy": [test.weaker, test.stronger]},
        "seed": found.seed,
        "policies": [test.weaker, test.stronger],
        "test": {
            "h0": test.asked.h0, "h1": test.asked.h1, "unit": test.unit,
            "alpha": test.asked.alpha, "beta": test.asked.beta,
            "score_h0": test.hypotheses.low, "score_h1": test.hypotheses.high,
            "expected_deals": {"h0": round(at_h0), "h1": round(at_h1)},
            "most_deals": found.scenario.games, "games_of_a_deal": test.seatings,
        },
        "decision": {
            "accepted": decision.accepted or None, "deals": decision.n, "games": decision.n * test.seatings,
            "score": score.rate, "low": _known(score.low), "high": _known(score.high),
            "evidence_against_h0": decision.against_low, "evidence_against_h1": decision.against_high,
        },
        "identical": found.same,
        "deals_left_out": found.unfinished,
    }  # fmt: skip


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _seatings(seats: int) -> list[tuple[int, ...]]:
    """Return who sits where: both policies in exchanged seats, and alone each of them."""
    return all_seatings(2, seats) if seats == 1 else all_seatings(2, seats)[2:]


def _play(
    scenario: Scenario, players: Sequence[Any], test: Test, options: Options, kept: KeptBatches
) -> tuple[Ladder, Floats, int]:
    """Play deals until they decide, or as many as there may be."""
    seats = scenario.rule_set.players(scenario.prepared)
    seatings = _seatings(seats)
    step = LOOK_SLOW if any(getattr(policy, "slow", False) for policy in players) else LOOK
    total = scenario.games * len(seatings)
    tables: dict[tuple[int, ...], list[Any]] = {players_: [] for players_ in seatings}
    done = 0
    kept.begin(scenario, options.seed)
    with kept.locked(), contextlib.ExitStack() as stopping:
        if kept.folder is not None:
            stopping.enter_context(keeping(kept.folder, lambda: done * len(seatings), total))
        watch = stopping.enter_context(options.watching(scenario.shown_title, "games"))
        watch.started(total, 0)
        while True:
            count = min(step, scenario.games - done)
            for seated in seatings:
                policies = [players[place] for place in seated]
                who = tuple((label_of(policy), str(getattr(policy, "digest", ""))) for policy in policies)
                batch = Batch(who, done, count)
                tables[seated].append(find_or_play(scenario, policies, batch, options, watch, kept))
            done += count
            results = {seated: Results.of(np.concatenate(found), seats) for seated, found in tables.items()}
            bad = np.stack([result.status for result in results.values()]) != Status.FINISHED
            keep = np.flatnonzero(~bad.any(axis=0))
            games = {seated: result.only(keep) for seated, result in results.items()}
            ladder = Ladder((test.weaker, test.stronger), seats, games, len(keep), {})
            scores = deal_scores(ladder, 1, 0)
            if done == scenario.games or test.hypotheses.decide(scores).accepted:
                return ladder, scores, done - len(keep)


def _looks(hypotheses: Hypotheses, scores: Floats) -> pl.DataFrame:
    """Return the evidence after every tenth part of the deals, and at the end."""
    up, down = hypotheses.evidence(scores)
    ends = sorted({max(1, len(scores) * part // 10) for part in range(1, 11)})
    return pl.DataFrame(
        {
            "deals": ends,
            "score": [float(scores[:end].mean()) for end in ends],
            "evidence_against_h0": [float(up[end - 1]) for end in ends],
            "evidence_against_h1": [float(down[end - 1]) for end in ends],
        }
    )
