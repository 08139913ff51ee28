"""What `nfsim tune` checks before a search, and what it writes and prints after it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nfsim.contract.tuner import Aim, Outcome, Tuner
from nfsim.errors import BadInput
from nfsim.files import write_atomic
from nfsim.run.execute import MOST_JOBS
from nfsim.run.provenance import source_hash
from nfsim.run.scenario import Scenario
from nfsim.studies.tune import HELD_OUT, LARGEST_SEED, Plan, Tuned, TuneState, Watch, identity, tune
from nfsim.validation import one_printable_line

DIGITS = 5  # of figures in the file
BOUNDS = tuple(f"{what}{bound}" for what in ("", "start_", "difference_") for bound in ("low", "high"))
LIMITS = {
    "seed": (0, LARGEST_SEED),
    "games": (1, 10**7),
    "generations": (1, 10**5),
    "population": (4, 1000),
    "held_out": (100, 10**8),
}


@dataclass(frozen=True)
class Wanted:
    """Where the result goes and what is said of it.

    Attributes
    ----------
    out : Path
    plan : str or None
        One line about it.
    jobs : int or None
        Threads.
    """

    out: Path
    plan: str | None
    jobs: int | None


@dataclass(frozen=True)
class Search:
    """A search that can begin.

    Attributes
    ----------
    scenario, tuner, plan, wanted
    state : TuneState
    key : str
        SHA-256 of all that decides the result.
    finished : mapping or None
        Provenance of the output if this search wrote it earlier.
    """

    scenario: Scenario
    tuner: Tuner
    plan: Plan
    wanted: Wanted
    state: TuneState
    key: str
    finished: Mapping[str, Any] | None


def prepare_search(scenario: Scenario, aim: Aim, numbers: Mapping[str, Any], wanted: Wanted) -> Search:
    """Check everything that can be wrong before the first game.

    Raises
    ------
    BadInput
        Naming the option or file.
    """
    for option, (least, most) in LIMITS.items():
        value = numbers[option]
        if value is not None and not least <= value <= most:
            raise BadInput(f"--{option.replace('_', '-')}", "", f"must be from {least} to {most}, not {value}")
    if not (math.isfinite(numbers["sigma"]) and 0 < numbers["sigma"] <= 10):
        raise BadInput("--sigma", "", f"must be above 0 and at most 10, not {numbers['sigma']}")
    if wanted.jobs is not None and not 1 <= wanted.jobs <= MOST_JOBS:
        raise BadInput("--jobs", "", f"must be from 1 to {MOST_JOBS}, not {wanted.jobs}")
    _check_text("--plan", wanted.plan)
    if wanted.out.suffix != ".toml":
        raise BadInput("--out", "", f'must end in .toml, not "{wanted.out.name}"')
    if not wanted.out.parent.is_dir():
        raise BadInput("--out", "", f"there is no folder {wanted.out.parent}", "make it first")
    if scenario.rule_set.tuner is None:
        raise BadInput("SCENARIO", "game", f"policies of {scenario.rule_set.title} cannot be tuned")
    tuner = scenario.rule_set.tuner(scenario.prepared, aim)
    plan = Plan(**numbers)
    same = identity(scenario, tuner, plan)
    key = _digest({**same, "generations": plan.generations, "held_out": plan.held_out})
    finished = _finished(tuner, wanted.out, key)
    # code may change between two searches of the same name, but not within one
    state = TuneState.open(wanted.out, {**same, "source": source_hash(scenario.rule_set)})
    return Search(scenario, tuner, plan, wanted, state, key, finished)


def _check_text(option: str, text: str | None) -> None:
    if text is None:
        return
    try:
        line = one_printable_line(text)
    except ValueError as error:
        raise BadInput(option, "", str(error)) from None
    if not 1 <= len(line) <= 300:
        raise BadInput(option, "", "must have 1 to 300 characters")


def _finished(tuner: Tuner, out: Path, key: str) -> Mapping[str, Any] | None:
    """Return what an output says of itself if this search wrote it; refuse any other file."""
    if not out.exists():
        return None
    try:
        found = tuner.recorded(out)
    except BadInput:
        found = {}
    if found.get("search") != key or not _is_whole(found):
        raise BadInput("--out", "", f"{out} is there already, from another search", "remove it or give another name")
    return found


def _is_whole(found: Mapping[str, Any]) -> bool:
    """Tell whether a file still says all that is printed of a finished search: people edit files."""
    held_out = found.get("held_out")
    if not isinstance(held_out, Mapping) or not all(isinstance(found.get(key), str) for key in ("start", "search")):
        return False
    numbers = [held_out.get(key) for key in ("n", "value", "start", "difference", *BOUNDS)]
    return isinstance(held_out.get("what"), str) and all(isinstance(number, int | float) for number in numbers)


def _digest(value: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def write_tuned(search: Search, watch: Watch) -> dict[str, Any]:
    """Search, write the preset file, and return its provenance."""
    if search.finished is not None:
        return dict(search.finished)
    scenario, plan, tuner, wanted = search.scenario, search.plan, search.tuner, search.wanted
    tuned = tune(scenario, tuner, plan, search.state, jobs=wanted.jobs, watch=watch)
    provenance = {
        "scenario": scenario.name,
        "changes": list(scenario.changes),
        **tuner.about,
        "rules": scenario.rule_set.version,
        "seed": plan.seed,
        "held_out_seed": plan.seed + HELD_OUT,
        "games": plan.games,
        "generations": plan.generations,
        "population": len(search.state.generations[-1].values),
        "sigma": plan.sigma,
        "search": search.key,
        "held_out": figures(tuned, tuner),
    }
    about = ", ".join(tuner.about.get("objectives", ())) or tuner.value_name
    text = tuner.text(
        tuned.policy,
        wanted.plan or f"weights tuned for {about} in {scenario.name}",
        provenance,
    )
    write_atomic(wanted.out, text.encode())
    search.state.remove()
    return provenance


def figures(tuned: Tuned, tuner: Tuner) -> dict[str, Any]:
    """Return value, interval and the paired difference to the start, for the deals that no search played."""
    from nfsim.stats.intervals import mean_interval

    value, low, high = _estimate(tuned.result, tuner.is_rate)
    start, start_low, start_high = _estimate(tuned.start, tuner.is_rate)
    difference = mean_interval(tuned.result.plain - tuned.start.plain)
    found = {
        "value": value,
        "low": low,
        "high": high,
        "start": start,
        "start_low": start_low,
        "start_high": start_high,
        "difference": difference.mean,
        "difference_low": difference.low,
        "difference_high": difference.high,
    }
    rounded = {name: float(f"{number:.{DIGITS}g}") for name, number in found.items()}
    return {"what": tuner.value_name, "n": len(tuned.result.plain), **rounded}


def _estimate(outcome: Outcome, is_rate: bool) -> tuple[float, float, float]:
    from nfsim.stats.intervals import mean_interval, wilson

    values = outcome.plain
    if is_rate and ((values == 0) | (values == 1)).all():
        low, high = wilson(values.sum(), len(values))
        return float(values.mean()), float(low), float(high)
    found = mean_interval(values)
    return found.mean, found.low, found.high


def print_tuned(found: Mapping[str, Any], out: Path) -> None:
    """Print start, result and difference."""
    from nfsim.cli.console import print_table, say

    held_out = found["held_out"]
    rows = [
        [f"start: {found['start']}", *_cells(held_out, "start", "start_")],
        ["tuned", *_cells(held_out, "value", "")],
        ["difference", *_cells(held_out, "difference", "difference_")],
    ]
    title = f"{held_out['what']}, {held_out['n']:,} deals that the search did not play"
    print_table(["policy", "value", "95 % interval"], rows, title=title, right=(1, 2))
    if held_out["difference_high"] < 0:
        say("The result is worse than the start: the search was too short, or its first step (--sigma) too large.")
    say(f"Preset: {out}")


def _cells(held_out: Mapping[str, Any], value: str, prefix: str) -> list[str]:
    return [f"{held_out[value]:.4g}", f"{held_out[f'{prefix}low']:.4g} – {held_out[f'{prefix}high']:.4g}"]
