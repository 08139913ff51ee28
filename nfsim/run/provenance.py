"""What a manifest says about a run before its first game: what is played, with which versions and source."""

from __future__ import annotations

import functools
import hashlib
import platform
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import nfsim
from nfsim.contract.rule_set import RuleSet
from nfsim.run.scenario import Scenario

SHARED = ("compiled", "contract", "catalogue", "engine", "policies")  # layers that decide how games are played
LIBRARIES = ("numba", "numpy", "pyarrow")
NOT_RULES = ("analysis",)  # folders of a game that look at results and cannot change them


def versions(rule_set: RuleSet) -> dict[str, str]:
    """Return the versions that a manifest records."""
    found = {"nfsim": nfsim.__version__, "rules": rule_set.version, "python": platform.python_version()}
    return found | {name: metadata.version(name) for name in LIBRARIES}


def source_hash(rule_set: RuleSet) -> str:
    """Hash the source that decides how games are played: the shared layers and the game's own package.

    Returns
    -------
    str
        SHA-256 in hexadecimal. Tile data and policy parameters have hashes of their own.
    """
    package = Path(nfsim.__file__).parent
    return hash_sources(*(package / name for name in SHARED), package / "games" / rule_set.name)


def program() -> str:
    """Hash the source of all rules, of the log and of what plays: who shares it writes the same rows."""
    package = Path(nfsim.__file__).parent
    return hash_sources(*(package / name for name in (*SHARED, "games", "log", "run")))


@functools.cache
def hash_sources(*folders: Path) -> str:
    """Hash the modules in folders of the package, without those that only look at results.

    Notes
    -----
    Kept for as long as the process lives, as the modules are that it has imported: whatever happens to the files
    while a study goes on for hours, this process plays by what it has read at its start.
    """
    package = Path(nfsim.__file__).parent
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(package)
            if not set(name.parts) & set(NOT_RULES):
                source = path.read_bytes()
                digest.update(f"{name.as_posix()} {len(source)}\n".encode())
                digest.update(source)
    return digest.hexdigest()


def run_identity(scenario: Scenario, seed: int, level: str) -> dict[str, Any]:
    """Return what makes two runs the same, as dotted keys: equal identities give equal rows."""
    rule_set, resolved = scenario.rule_set, scenario.resolved
    digests = {policy.name: policy.digest for policy in scenario.seated}
    return {
        "game": rule_set.name,
        "games": scenario.games,
        "seed": seed,
        "log": level,
        **{f"policy.{seat}": name for seat, name in enumerate(scenario.policies)},
        **{f"parameters.{name}": digest for name, digest in sorted(digests.items())},
        **{f"setup.{key}": value for key, value in resolved.get("setup", {}).items()},
        **{f"rules.{key}": value for key, value in scenario.prepared.rulings.items()},
        "tiles": scenario.prepared.tile_hash,
        "version": rule_set.version,
        "source": source_hash(rule_set),
    }


def about_run(scenario: Scenario, seed: int, level: str) -> dict[str, Any]:
    """Return the part of the manifest that is known before the first game."""
    rule_set, prepared = scenario.rule_set, scenario.prepared
    return {
        "scenario": scenario.resolved,
        "name": scenario.name,
        "title": scenario.title,
        "changes": list(scenario.changes),
        "seed": seed,
        "games": scenario.games,
        "log": level,
        "policies": list(scenario.policies),
        "policy_parameters": {policy.name: policy.digest for policy in scenario.seated},
        "versions": versions(rule_set),
        "source": source_hash(rule_set),
        "rulings": dict(prepared.rulings),
        "tiles": {
            "set": scenario.resolved.get("tiles") or rule_set.title,  # a game may have one set only, without a name
            "hash": prepared.tile_hash,
            "share": rule_set.provenance(prepared),
        },
        "objectives": objectives_of(rule_set, prepared),
        **rule_set.facts(prepared),
        "notes": policy_notes(scenario, scenario.seated),
    }


def objectives_of(rule_set: RuleSet, prepared: Any) -> list[dict[str, Any]]:
    """Return the objectives of a game as a manifest lists them."""
    return [asdict(objective) for objective in rule_set.objectives(prepared)]


def policy_notes(scenario: Scenario, policies: Sequence[Any]) -> list[str]:
    """Return sentences about policies that a reader of results should know, for example that the tiles are others."""
    notes = scenario.rule_set.notes
    return [] if notes is None else list(notes(scenario.prepared, policies))
