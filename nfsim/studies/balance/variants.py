"""What `nfsim balance` plays: the games as they are, and then for each record without it and at other costs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from nfsim.errors import BadInput
from nfsim.run.scenario import Scenario, scenario_from
from nfsim.studies.balance.effects import OFF
from nfsim.studies.study import Variant
from nfsim.validation import unknown

MOST_TOP = 100
MOST_COST = 10
RECORD = "tile"  # factor of the variants
BASE = {RECORD: "all tiles", "change": "as they are"}


def read_costs(text: str) -> list[int]:
    """Read by how much costs are moved; none of them for ``none``."""
    if text.strip() == "none":
        return []
    found: list[int] = []
    for part in text.split(","):
        if not re.fullmatch(r"[+-]?\d{1,3}", part.strip(), re.ASCII) or not 1 <= abs(int(part)) <= MOST_COST:
            raise BadInput(
                "--cost", "", f'must be whole numbers other than 0 up to {MOST_COST}, not "{part[:40]}"',
                "write --cost -1,+1 or --cost none",
            )  # fmt: skip
        if int(part) not in found:
            found.append(int(part))
    return found


def read_records(text: str, scenario: Scenario) -> list[str] | int:
    """Read which records are changed: their names, or how many of the most owned ones."""
    records = scenario.rule_set.need_catalogue("SCENARIO").in_play(scenario.prepared)
    top = re.fullmatch(r"top:(\d{1,9})", text.strip(), re.ASCII)
    if top is not None:
        if not 1 <= int(top[1]) <= MOST_TOP:
            raise BadInput("--tiles", "", f"top:{top[1]} must be from top:1 to top:{MOST_TOP}")
        return int(top[1])
    if text.strip() in ("all", "none"):
        return list(records) if text.strip() == "all" else []
    word = scenario.rule_set.words.record
    by_name = {name.casefold(): name for name in records}
    found: list[str] = []
    for part in text.split(","):
        name = by_name.get(part.strip().casefold())
        if name is None:
            problem, _, remedy = unknown(word, part.strip(), records, "nfsim tiles list shows all").partition("; ")
            raise BadInput("--tiles", "", f"{problem} in this scenario", remedy)
        if name not in found:
            found.append(name)
    return found


def second_player(scenario: Scenario, name: str | None) -> Scenario | None:
    """Return the scenario as a second player plays it, in all seats; None if there is none.

    Parameters
    ----------
    scenario : Scenario
    name : str or None
        A policy, or ``none``; None: the one tuned for such games, where a single policy plays all seats.
    """
    if name == "none":
        return None
    if name is None:
        tuned = scenario.rule_set.tuned
        if tuned is None or len(set(scenario.policies)) > 1:
            return None
        name = tuned(scenario.prepared)
    data = {**scenario.resolved, "policy": [name]}
    found = scenario_from(data, "--second", scenario.name, [name])
    if set(found.policies) == set(scenario.policies):
        return None
    return replace(found, changes=(*scenario.changes, f"policy={name}"))


def record_variants(scenario: Scenario, names: Sequence[str], moves: Sequence[int]) -> tuple[list[Variant], list[str]]:
    """Return the variants of the study, the unchanged one first, and costs that cannot be moved so far."""
    catalogue = scenario.rule_set.need_catalogue("SCENARIO")
    variants, skipped, prepared = [Variant(scenario, BASE)], [], scenario.prepared
    for name in names:
        variants.append(Variant(_patched(scenario, catalogue.without(prepared, name)), {"tile": name, "change": OFF}))
        for by in moves:
            try:
                patches = catalogue.dearer(prepared, name, by)
            except BadInput as error:
                skipped.append(f"{name} {error.problem}; that variant is left out")
                continue
            variants.append(Variant(_patched(scenario, patches), {"tile": name, "change": f"cost {by:+d}"}))
    return variants, skipped


def _patched(scenario: Scenario, patches: Sequence[Mapping[str, Any]]) -> Scenario:
    """Return the scenario with more patches."""
    data = {**scenario.resolved, "patch": [*scenario.resolved.get("patch", []), *map(dict, patches)]}
    return replace(scenario_from(data, scenario.name, scenario.name), changes=scenario.changes)
