"""Who plays Islets: presets over three numbers, and how a search moves them."""

from typing import Any

from nfsim.policies.presets import Section, Shelf
from nfsim.policies.records import PolicyRecords, Situation
from nfsim.policies.tuning import Scale, Tunable
from nfsim.policies.user_policy import find as find_policy
from tiny_game import rules

NAMES = {"point": rules.POINT, "suit": rules.SUIT, "blind": rules.BLIND}
SHELF = Shelf(
    module=__name__,
    constant="SHELF",
    vectors={"params": len(NAMES)},
    sections={"params": Section("params", NAMES)},
    forms=("alone", "together"),
    order=("uniform", "balanced"),
)


def situation(prepared: Any) -> Situation:
    """What policies must know of a prepared game."""
    players = int(prepared.tables[0].players)
    return Situation(players, "alone", rules.OBJECTIVES) if players == 1 else Situation(players, "together")


RECORDS = PolicyRecords(SHELF, rules.POLICY, rules.SEATS, situation)
SCALES = {"params": {name: Scale(0.5) for name in NAMES}}


def tunable(engine: Any) -> Tunable:
    """What a search for better weights must know."""
    return Tunable(SHELF, SCALES, engine, situation, unit=("params", "point"), margin=3.0)


def find(spec: str, origin: object, base: Any) -> Any:
    """The policy that a text names."""
    return find_policy(SHELF, spec, origin, base)
