"""Playing one game of a finished run again, to read it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nfsim.errors import BadInput
from nfsim.log.check import MANIFEST, trusted_manifest
from nfsim.run.progress import Watch
from nfsim.run.provenance import run_identity
from nfsim.run.scenario import Scenario, scenario_from
from nfsim.run.worker_pool import warm_up_steps


def transcript(
    folder: Path, number: int, compiling: Callable[[int], None] | None = None, *, allowed: Sequence[str] = ()
) -> tuple[list[str], Iterator[str]]:
    """Replay a game.

    Parameters
    ----------
    folder : Path
        Folder of a finished run.
    number : int
        Number of the game.
    compiling : callable, optional
        Told beforehand when the rules have to be compiled, with the seconds that takes.
    allowed : sequence of str
        Policies that are functions in Python and may be imported.

    Returns
    -------
    warnings : list of str
        Why the game may not be the one that was logged.
    lines : iterator of str
        The transcript; the game is played while it is read.
    """
    manifest = trusted_manifest(folder)
    file = folder / MANIFEST
    try:
        resolved, seed, games = manifest["scenario"], manifest["seed"], manifest["games"]
        name, _ = manifest["name"], manifest["identity"]
    except KeyError as error:
        raise BadInput(file, str(error).strip("'"), "is missing") from None
    if not 0 <= number < games:
        raise BadInput("GAME", "", f"must be from 0 to {games - 1}, not {number}")
    scenario = scenario_from(resolved, file, name, allowed)
    warnings = changed_since(scenario, manifest)
    warm_up_steps(scenario.rule_set, scenario.prepared, scenario.seated, seed, compiling or Watch().compiling)
    return warnings, scenario.rule_set.game(scenario.prepared, scenario.seated, seed, number).transcript()


def changed_since(scenario: Scenario, manifest: Mapping[str, Any]) -> list[str]:
    """Return why a scenario read from a manifest may not play the games that were logged; empty if it does."""
    logged = manifest["identity"]
    now = run_identity(scenario, manifest["seed"], manifest.get("log", "rounds"))
    words = {
        "tiles": f"the {scenario.rule_set.words.record} set has changed",
        "version": "the version of the rules has changed",
        "source": "the source of the rules has changed",
    }
    changed = [word for key, word in words.items() if logged.get(key) != now[key]]
    changed += [f"policy {key.partition('.')[2]} has changed" for key in now if _parameter_changed(key, logged, now)]
    return [f"{', '.join(changed)} since the run: this may be another game than the logged one"] if changed else []


def _parameter_changed(key: str, logged: dict[str, object], now: dict[str, object]) -> bool:
    return key.startswith("parameters.") and logged.get(key) != now[key]
