"""Text of powers, scoring lines, goal steps and requirements: parse it, print it, exactly back and forth.

The same text stands in TOML and CSV files. Every name comes from `codes`; an unknown one, or an
amount out of range, is a `GrammarError` that suggests the nearest name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nfsim.games.new_frontiers.codes import Class, Effect, Measure, RequirementKind, label
from nfsim.validation import quoted, unknown

MOST = 20  # no number on a tile is larger; catches typing errors
NO_AMOUNT = (Effect.SETTLE_PLACE_GOOD, Effect.TRADE_NO_SALE)
# effects for which a filter has no meaning
NO_FILTER = (
    Effect.EXPLORE_COLONISTS, Effect.EXPLORE_CREDITS, Effect.EXPLORE_DRAW, Effect.EXPLORE_PICK,
    Effect.SETTLE_COLONISTS, Effect.SETTLE_SECOND, Effect.PRODUCE_CREDITS, Effect.PRODUCE_CREDITS_PER_KIND,
    Effect.PRODUCE_COLONISTS, Effect.CONSUME_CREDITS, Effect.CONSUME_CHIPS, Effect.SETTLE_PLACE_GOOD,
    Effect.PRODUCE_CREDITS_THIS, Effect.TRADE_BONUS_THIS, Effect.TRADE_NO_SALE,
    Effect.CONSUME_DIFFERENT, Effect.CONSUME_KINDS,
)  # fmt: skip
NEEDS_FILTER = (Effect.SETTLE_MILITARY_PER, Effect.PRODUCE_CREDITS_PER)  # per tile of which class?
CONSUMERS = (Effect.CONSUME_GOODS, Effect.CONSUME_DIFFERENT, Effect.CONSUME_KINDS)
# worlds drawn or settled in one action need room in the state: larger amounts are typing errors
FEW = (Effect.EXPLORE_DRAW, Effect.EXPLORE_PICK, Effect.SETTLE_AFTER_DRAW, Effect.SETTLE_SECOND)
FEW_MOST = 3
# effects whose amount may be 0 (pay the whole defense)
ZERO_ALLOWED = (Effect.SETTLE_PAY_MILITARY,)


class GrammarError(ValueError):
    """A text that does not follow the grammar."""


def effect_name(effect: Effect) -> str:
    """Return `phase.effect` as written in tile files."""
    return label(effect).replace("_", ".", 1)


EFFECT_BY_NAME = {effect_name(effect): effect for effect in Effect}
CLASS_BY_NAME = {label(item): item for item in Class}
MEASURE_BY_NAME: dict[str, int] = {label(item): int(item) for item in (*Class, *Measure)}
MEASURE_NAME = {number: name for name, number in MEASURE_BY_NAME.items()}


@dataclass(frozen=True)
class Power:
    """One power of a tile; the fields are those of `layout.POWER_FIELDS`."""

    effect: Effect
    filter: Class = Class.ANY
    amount: int = 1
    vp: int = 0
    credits: int = 0
    colonists: int = 0
    times: int = 1

    def __str__(self) -> str:
        """Return the text in its canonical form."""
        text = effect_name(self.effect)
        if self.filter != Class.ANY:
            text += f"({label(self.filter)})"
        if self.effect not in NO_AMOUNT:
            text += f" {self.amount}"
        text += "".join(f" {key}={getattr(self, key)}" for key in ("vp", "credits", "colonists") if getattr(self, key))
        return text + (f" times={self.times}" if self.times != 1 else "")


@dataclass(frozen=True)
class Scoring:
    """One scoring line: `each` VPs per unit of a class or measure, at most `most` in all (-1: no limit)."""

    each: int
    measure: int
    most: int = -1

    def __str__(self) -> str:
        """Return the text in its canonical form."""
        return f"{self.each} per {MEASURE_NAME[self.measure]}" + (f" max {self.most}" if self.most >= 0 else "")


@dataclass(frozen=True)
class Step:
    """One step of a goal: at `need` it gives `vp`; `plus` is the + printed behind the number."""

    need: int
    vp: int
    plus: bool = False

    def __str__(self) -> str:
        """Return the text in its canonical form."""
        return f"{self.need}{'+' if self.plus else ''}:{self.vp}"


@dataclass(frozen=True)
class Requirement:
    """One requirement of a solo condition besides its VP threshold.

    `measure`, `need` and `least` belong to AT_LEAST (`least` only to goals_scored), `tile` to OWNS.
    """

    kind: RequirementKind
    measure: int = 0
    need: int = 0
    least: int = 0
    tile: str = ""

    def __str__(self) -> str:
        """Return the text in its canonical form."""
        if self.kind == RequirementKind.OWNS:
            return f'owns "{self.tile}"'
        if self.kind == RequirementKind.NO_MILITARY:
            return "no_military"
        return f"{self.need} {MEASURE_NAME[self.measure]}" + (f" at_least={self.least}" if self.least else "")


def _number(text: str, low: int, high: int, what: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise GrammarError(f"{what} must be a whole number, not {quoted(text)}")
    number = int(text)
    if not low <= number <= high:
        raise GrammarError(f"{what} must be {low} to {high}, not {number}")
    return number


def _measure(name: str) -> int:
    if name not in MEASURE_BY_NAME:
        raise GrammarError(unknown("measure", name, MEASURE_BY_NAME))
    return MEASURE_BY_NAME[name]


_POWER = re.compile(r"(?P<effect>[^\s(]+)(?:\((?P<filter>[^)]*)\))?(?P<rest>(?:\s+\S+)*)")


def parse_power(text: str) -> Power:
    """Parse `phase.effect(filter) amount [key=value …]`.

    Raises
    ------
    GrammarError
        With the unknown name or the impossible number.
    """
    match = _POWER.fullmatch(text.strip())
    if not match:
        raise GrammarError(f"{quoted(text)} is not of the form phase.effect(filter) amount")
    name = match["effect"]
    if name not in EFFECT_BY_NAME:
        raise GrammarError(unknown("phase.effect", name, EFFECT_BY_NAME))
    effect, chosen = EFFECT_BY_NAME[name], Class.ANY
    if match["filter"] is not None:
        if match["filter"] not in CLASS_BY_NAME:
            raise GrammarError(unknown("filter", match["filter"], CLASS_BY_NAME))
        chosen = CLASS_BY_NAME[match["filter"]]
    words = match["rest"].split()
    amount = 1
    if words and "=" not in words[0]:
        lowest = 0 if effect in ZERO_ALLOWED else 1
        highest = FEW_MOST if effect in FEW else MOST
        amount = _number(words.pop(0), lowest, highest, f"the amount of {name}")
    keys: dict[str, int] = {}
    allowed = ("vp", "credits", "colonists", "times")
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in allowed:
            raise GrammarError(unknown("key", key, allowed))
        if key in keys:
            raise GrammarError(f"{key} is given twice after {name}")
        keys[key] = _number(value, 1 if key == "times" else 0, MOST, f"{key} of {name}")
    power = Power(effect, chosen, amount, **keys)
    _check_power(power, name, keys)
    return power


def _check_power(power: Power, name: str, keys: dict[str, int]) -> None:
    if power.filter != Class.ANY and power.effect in NO_FILTER:
        raise GrammarError(f"{name} takes no filter")
    if power.filter == Class.ANY and power.effect in NEEDS_FILTER:
        raise GrammarError(f"{name} needs a filter, as in {name}(rebel_military)")
    if power.effect in NO_AMOUNT and power.amount != 1:
        raise GrammarError(f"{name} takes no amount")
    if power.effect in CONSUMERS:
        if not (power.vp or power.credits or power.colonists):
            raise GrammarError(f"{name} must give vp, credits or colonists")
        if power.effect == Effect.CONSUME_DIFFERENT and not 2 <= power.amount <= 4:
            raise GrammarError(f"the amount of {name} must be 2 to 4, not {power.amount}")
        if power.effect == Effect.CONSUME_KINDS and not 1 <= power.amount <= 4:
            raise GrammarError(f"the amount of {name} must be 1 to 4, not {power.amount}")
        if power.effect != Effect.CONSUME_GOODS and power.times != 1:
            raise GrammarError(f"{name} takes no times")
    else:
        allowed = ("credits",) if power.effect == Effect.SETTLE_TEMP_MILITARY else ()
        for key in keys:
            if key not in allowed:
                raise GrammarError(f"{name} takes no {key}")
        if power.credits and power.filter != Class.ANY:
            raise GrammarError(f"{name} with credits spends no good, so it takes no filter")


def parse_scoring(text: str) -> Scoring:
    """Parse `2 per rebel_military` with an optional `max 8`."""
    match = re.fullmatch(r"(\S+)\s+per\s+(\S+)(?:\s+max\s+(\S+))?", text.strip())
    if not match:
        raise GrammarError(f"{quoted(text)} is not of the form 2 per rebel_military")
    each = _number(match[1], 1, MOST, "VPs per unit")
    most = _number(match[3], 1, 99, "max") if match[3] else -1
    return Scoring(each, _measure(match[2]), most)


def parse_steps(text: str) -> tuple[Step, ...]:
    """Parse the steps of a goal, `3:2 5:5 6+:8`: numbers and VPs rising."""
    steps: list[Step] = []
    for word in text.split():
        match = re.fullmatch(r"([0-9]+)(\+?):([0-9]+)", word)
        if not match:
            raise GrammarError(f"{quoted(word)} is not a step of the form 3:2")
        need, vp = _number(match[1], 1, 99, "the number of a step"), _number(match[3], 1, MOST, "VPs of a step")
        if steps and (need <= steps[-1].need or vp <= steps[-1].vp):
            raise GrammarError(f"steps must rise in number and in VPs: {quoted(text)}")
        steps.append(Step(need, vp, bool(match[2])))
    if not steps:
        raise GrammarError("a goal needs at least one step such as 3:2")
    return tuple(steps)


def parse_requirement(text: str) -> Requirement:
    """Parse `7 colony`, `2 goals_scored at_least=8`, `owns "Contact Specialist"` or `no_military`."""
    text = re.sub("[“”„]", '"', text.strip())  # as a spreadsheet's correction leaves quotation marks
    if text == "no_military":
        return Requirement(RequirementKind.NO_MILITARY)
    if owns := re.fullmatch(r'owns\s+"([^"]+)"', text):
        return Requirement(RequirementKind.OWNS, tile=owns[1])
    match = re.fullmatch(r"(\S+)\s+(\S+?)(?:\s+at_least=(\S+))?", text)
    if not match:
        raise GrammarError(f'{quoted(text)} is not of the form 7 colony, owns "Contact Specialist" or no_military')
    measure = _measure(match[2])
    least = _number(match[3], 1, MOST, "at_least") if match[3] else 0
    if least and measure != Measure.GOALS_SCORED:
        raise GrammarError("only goals_scored takes at_least")
    return Requirement(RequirementKind.AT_LEAST, measure, _number(match[1], 1, 200, "the number required"), least)


COUNTED = {
    Class.COLONY: "colonies",
    Class.DEVELOPMENT: "developments",
    Class.NINE_COST: "9-cost developments",
    Class.XENO_MILITARY: "Xeno worlds conquered",
    Class.PRODUCTION: "production colonies",
    Class.WINDFALL: "windfall colonies",
    Measure.MILITARY_STRENGTH: "Military",
    Measure.CHIPS_ALL: "VP chips",
    Measure.CHIPS_HELD: "VP chips that are not stockpiled",
    Measure.KEYWORDS: "different keywords",
    Measure.GOOD_KINDS: "kinds of goods",
}
KEYWORD_CLASSES = (Class.ALIEN, Class.IMPERIUM, Class.REBEL, Class.UPLIFT, Class.TERRAFORMING, Class.XENO)


def counted(measure: int) -> str:
    """Return what a class or measure counts, in the plural."""
    for known, phrase in COUNTED.items():
        if int(known) == measure:
            return phrase
    if measure in KEYWORD_CLASSES:
        return f"{label(Class(measure)).upper()} tiles"
    name = MEASURE_NAME[measure]
    if name.endswith("_colony"):
        return f"{name.removesuffix('_colony').upper()} colonies"
    return name.replace("_", " ")


def requirement_phrase(requirement: Requirement) -> str:
    """Return a requirement as a phrase, for example `7+ colonies` or `2+ goals worth 8 VPs`."""
    if requirement.kind == RequirementKind.OWNS:
        return f"owns {requirement.tile}"
    if requirement.kind == RequirementKind.NO_MILITARY:
        return "no Military"
    if requirement.measure == Measure.GOALS_SCORED:
        return f"{requirement.need}+ goals " + (f"worth {requirement.least} VPs" if requirement.least > 1 else "scored")
    return f"{requirement.need}+ {counted(requirement.measure)}"
