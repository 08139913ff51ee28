"""Who plays Islets: any option, weights, a planner, a search."""

import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nfsim.engine.rules import Kind
from nfsim.errors import BadInput, nearest


@dataclass(frozen=True)
class TinyPolicy:
    """What `nfsim.contract.rule_set.Policy` asks for."""

    name: str
    summary: str
    spec: str
    kind: Kind = Kind.WEIGHTS
    params: tuple[float, float, float] = (1.0, 0.5, 3.5)
    plans: bool = False
    rollouts: int = 0
    worth: tuple[tuple[float, float], ...] | None = None
    text: str = ""
    compiled: bool = True

    @property
    def slow(self) -> bool:
        return self.rollouts > 0

    @property
    def digest(self) -> str:
        return hashlib.sha256(
            repr((self.kind, self.params, self.plans, self.rollouts, self.worth)).encode()
        ).hexdigest()

    def called(self, name: str) -> "TinyPolicy":
        return replace(self, name=name)

    def aiming(self, objective: int, objectives: int) -> "TinyPolicy | None":
        if not self.plans:
            return None
        worth = np.zeros((objectives, 2))
        worth[objective, 0] = 1.0
        return replace(self, worth=tuple(map(tuple, worth.tolist())))

    def details(self) -> dict[str, Any]:
        return {"kind": self.kind.name.lower(), "params": list(self.params), "rollouts": self.rollouts}


BUILT_IN = {
    policy.name: policy
    for policy in (
        TinyPolicy("uniform", "any option", "uniform", Kind.UNIFORM),
        TinyPolicy("greedy", "high cards", "greedy"),
        TinyPolicy("collector", "cards of a suit", "collector", params=(1.0, 4.0, 3.5)),
        TinyPolicy("planner", "aims at an objective", "planner", Kind.PLANNER, plans=True, rollouts=8),
        TinyPolicy("search", "tries options out", "search", Kind.SEARCH, rollouts=16),
        TinyPolicy("search_planner", "does both", "search_planner", Kind.SEARCH, plans=True, rollouts=16),
    )
}


def find(policy: Any, origin: object = "", base: object = None) -> Any:
    """Return the policy that a text names, or a policy as it is."""
    if not isinstance(policy, str):
        return policy
    if policy not in BUILT_IN:
        raise BadInput(origin, "policy", f'unknown policy "{policy}"', nearest(policy, BUILT_IN))
    return BUILT_IN[policy]
