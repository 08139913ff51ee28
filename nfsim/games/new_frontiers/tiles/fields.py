"""Types of the fields of records: texts parsed into powers and counts, names checked against the vocabulary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator

from nfsim.games.new_frontiers import rulings
from nfsim.games.new_frontiers.codes import Keyword, label
from nfsim.games.new_frontiers.layout import POWERS, REQUIREMENTS, SCORINGS, STEPS
from nfsim.games.new_frontiers.tiles import grammar
from nfsim.games.new_frontiers.tiles.grammar import MEASURE_BY_NAME, Power, Requirement, Scoring, Step
from nfsim.validation import one_printable_line, quoted, unknown

Status = Literal["sourced", "partly", "reconstructed", "patched"]
WorldTypeName = Literal["production", "windfall", "gray"]
GoodName = Literal["novelty", "rare", "genes", "alien", "any", "none"]
StockpileName = Literal["none", "worlds", "colonists", "credits", "chips"]
KEYWORDS = {label(keyword): keyword for keyword in Keyword}


def _entries(value: Any, most: int, what: str) -> list[str]:
    """Accept a list of texts, or one text with semicolons as it stands in a CSV cell."""
    if isinstance(value, str):
        value = grammar.split(value)
    if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
        raise ValueError(f"must be a list of texts, not {quoted(value)}")
    if len(value) > most:
        raise ValueError(f"at most {most} {what} fit, not {len(value)}")
    return [entry.strip() for entry in value]


def _parsed(parse: Callable[[str], Any], kind: type, most: int, what: str) -> PlainValidator:
    def validate(value: Any) -> tuple[Any, ...]:
        if isinstance(value, tuple) and all(isinstance(entry, kind) for entry in value):
            return value
        return tuple(parse(entry) for entry in _entries(value, most, what))

    return PlainValidator(validate)


def _keywords(value: Any) -> tuple[str, ...]:
    names = _entries(value, len(KEYWORDS), "keywords")
    for name in names:
        if name not in KEYWORDS:
            raise ValueError(unknown("keyword", name, KEYWORDS))
    if len(set(names)) < len(names):
        raise ValueError(f"a keyword is given twice: {', '.join(names)}")
    return tuple(names)


def _steps(value: Any) -> tuple[Step, ...]:
    if isinstance(value, tuple) and all(isinstance(entry, Step) for entry in value):
        return value
    if not isinstance(value, str):
        raise ValueError(f"must be text such as 3:2 5:5 6+:8, not {quoted(value)}")
    steps = grammar.parse_steps(value)
    if len(steps) > STEPS:
        raise ValueError(f"at most {STEPS} steps fit, not {len(steps)}")
    return steps


def _measure(value: Any) -> str:
    if value not in MEASURE_BY_NAME:
        raise ValueError(unknown("measure", value, MEASURE_BY_NAME))
    return str(value)


def _name(text: str) -> str:
    text = one_printable_line(text)
    if not text or len(text) > 60:
        raise ValueError(f"must be 1 to 60 characters, not {quoted(text)}")
    if '"' in text or ";" in text:
        raise ValueError(f"must not contain quotation marks or semicolons: {text}")
    if text[0] in "=+-@":  # names stand in the CSV files of reports
        raise ValueError(f"must not begin with =, +, - or @, which spreadsheets take for a formula, not {quoted(text)}")
    return text


def _when(text: str) -> str:
    """Check `switch=choice` against the rulings."""
    text = one_printable_line(text)
    if not text:
        return ""
    switch, _, choice = (part.strip() for part in text.partition("="))
    if switch not in rulings.BY_SWITCH:
        raise ValueError(unknown("switch", switch, rulings.BY_SWITCH))
    choices = rulings.BY_SWITCH[switch].choices
    if choice not in choices:
        raise ValueError(unknown(f"reading of {switch}", choice, choices))
    return f"{switch}={choice}"


Name = Annotated[str, AfterValidator(_name)]
Text = Annotated[str, AfterValidator(one_printable_line)]
KeywordList = Annotated[tuple[str, ...], PlainValidator(_keywords)]
PowerList = Annotated[tuple[Power, ...], _parsed(grammar.parse_power, Power, POWERS, "powers")]
ScoringList = Annotated[tuple[Scoring, ...], _parsed(grammar.parse_scoring, Scoring, SCORINGS, "scoring lines")]
RequirementList = Annotated[
    tuple[Requirement, ...], _parsed(grammar.parse_requirement, Requirement, REQUIREMENTS, "requirements")
]
Names = Annotated[tuple[str, ...], PlainValidator(lambda value: tuple(_entries(value, 30, "names")))]
VP = Annotated[int, Field(ge=-10, le=30)]
MeasureName = Annotated[str, PlainValidator(_measure)]
Steps = Annotated[tuple[Step, ...], PlainValidator(_steps)]
When = Annotated[str, AfterValidator(_when)]
