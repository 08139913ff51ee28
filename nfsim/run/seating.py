"""Who decides for which seat: policies by name, file or function, each with a label of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nfsim.contract.rule_set import Policy, RuleSet
from nfsim.errors import BadInput, nearest
from nfsim.validation import quoted


def check_policies(
    rule_set: RuleSet, specs: Sequence[str], seats: int, file: object, allowed: Sequence[str] = ()
) -> tuple[Policy, ...]:
    """Return one policy per seat, different ones with different labels.

    Parameters
    ----------
    rule_set : RuleSet
        Whose policies are meant.
    specs : sequence of str
        One text for every seat, or one per seat.
    seats : int
        Seats with a policy.
    file : object
        Where the texts stand, for errors; if it is a Path, files are looked up beside it.
    allowed : sequence of str
        Functions in Python that the user has named: no file, scenario or manifest, can have one imported by itself.
    """
    for spec in specs:
        if isinstance(file, Path) and ":" in spec and not spec.endswith(".toml") and spec not in allowed:
            problem = f"names code in Python, {quoted(spec)}, which is run only if you name it yourself"
            raise BadInput(file, "policy", problem, "if you trust it, repeat the name with --policy")
    base = file.parent if isinstance(file, Path) else Path()
    made = {spec: rule_set.policy(spec, file, base.resolve()) for spec in dict.fromkeys(specs)}
    if len(specs) not in (1, seats):
        seat_word = "1 seat" if seats == 1 else f"{seats} seats"
        raise BadInput(
            file,
            "policy",
            f"{len(specs)} policies for {seat_word}",
            f"give one name for all seats, or {seats}",
        )
    found = [made[spec] for spec in specs]
    if any(policy.spec != policy.name for policy in found):  # else all are built in: no other policy has such a name
        known = [*made.values(), *rule_set.policies()]
        found = [
            policy.called(_label(policy, [each for each in known if each.spec != policy.spec])) for policy in found
        ]
    return tuple(found * seats if len(found) == 1 else found)


def aimed(
    rule_set: RuleSet, prepared: Any, seated: Sequence[Policy], objective: str, file: object
) -> tuple[Policy, ...]:
    """Return the policies of a game, each aiming at one objective as if it were the only one open.

    Parameters
    ----------
    rule_set : RuleSet
    prepared : Any
        The game.
    seated : sequence of Policy
        As `check_policies` returns them; the label of each says what it aims at: ``planner@Builder``.
    objective : str
        Its name.
    file : object
        Where it stands, for errors.
    """
    objectives = rule_set.objectives(prepared)
    words, known = rule_set.words, [each.name for each in objectives]
    if not known:
        raise BadInput(file, "aim", f"this game has no {words.objectives} to aim at", "leave it out")
    if objective not in known:
        raise BadInput(file, "aim", f'unknown {words.objective} "{objective}"', nearest(objective, known))
    asked = objectives[known.index(objective)]
    first = next(place for place, each in enumerate(objectives) if each.same_as(asked))  # the same games for all such
    found = []
    for policy in seated:
        aiming = policy.aiming(first, len(known))
        if aiming is None:
            able = [each.name for each in rule_set.policies() if each.aiming(0, len(known)) is not None]
            remedy = f"{' and '.join(able)} can" if able else ""
            raise BadInput(file, "aim", f"{policy.name} cannot aim", remedy)
        found.append(aiming.called(f"{policy.name}@{objective}"))
    return tuple(found)


def _label(policy: Policy, others: Sequence[Policy]) -> str:
    """Return a policy's name or, if another one has it, as much of its file's path as tells them apart."""
    taken = {other.name for other in others}
    if policy.name not in taken or policy.spec == policy.name:
        return policy.name
    parts = Path(policy.spec).with_suffix("").parts
    tails = ["/".join(parts[-n:]) for n in range(2, len(parts) + 1)]
    ends = [Path(other.spec).with_suffix("").as_posix() for other in others]
    return next((tail for tail in tails if not any(f"/{end}".endswith(f"/{tail}") for end in ends)), policy.spec)
