"""Pydantic models at the border: data in, one `BadInput` naming file, key and remedy out."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from nfsim.errors import BadInput, nearest, one_line, visible

FEW = 30  # names that a message can list
Model = TypeVar("Model", bound=BaseModel)

# pydantic's kinds of findings -> what must be; the rest keep pydantic's words
_BOUNDS = {"greater_than_equal": "at least", "less_than_equal": "at most", "greater_than": "more than"}
_TYPES = {"int": "a whole number", "bool": "true or false", "string": "text", "list": "a list", "tuple": "a list",
          "dict": "a table", "model": "a table", "float": "a number", "finite": "a number"}  # fmt: skip


class FieldError(ValueError):
    """What a validator of a whole model raises about one of its fields; the field becomes part of the key."""

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        super().__init__(problem)


def quoted(value: object) -> str:
    """Return a value as it is shown in a message: on one line, cut if long, text in quotes, unseen signs escaped."""
    written = f'"{visible(value)}"' if isinstance(value, str) else str(value)
    text = one_line(written.lower() if isinstance(value, bool) else written)  # as TOML and JSON write it
    return text if len(text) <= 60 else text[:57] + "..."


def whole(name: str, value: object) -> int:
    """Return a whole number of Python, also from one of numpy; `BadInput` names the argument for anything else."""
    try:
        if not isinstance(value, bool):
            return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise BadInput(f"--{name}", "", f"must be a whole number, not {quoted(value)}")


def one_printable_line(text: str) -> str:
    """Return a text without blanks around it; a ValueError if it has line breaks or control characters."""
    if not text.isprintable():
        raise ValueError(f"must be printable text on one line, not {quoted(text)}")
    return text.strip()


def unknown(what: str, name: object, known: Iterable[str], lookup: str = "") -> str:
    """Return the message about an unknown name: the nearest known one, all if they are few, or where to look."""
    names = list(known)
    remedy = nearest(str(name), names)
    if remedy.startswith("known") and len(names) > FEW:
        remedy = lookup
    return "; ".join(part for part in (f"unknown {what} {quoted(name)}", remedy) if part)


def checked(model: type[Model], data: Mapping[str, Any], file: object, key: str = "") -> Model:
    """Validate data with a pydantic model.

    Parameters
    ----------
    model : type of pydantic.BaseModel
        What the data must be.
    data : mapping
        Keys and values as read from a file.
    file : object
        File named in the error.
    key : str
        Where the data stands in the file: put before the dotted key of the field.

    Raises
    ------
    BadInput
        About the first thing that is wrong; it says how many more there are.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise from_validation(error, model, file, key) from None


def from_validation(error: ValidationError, model: type[BaseModel], file: object, key: str = "") -> BadInput:
    """Turn pydantic's report into one `BadInput` about its first finding, an unknown key before all else."""
    findings = error.errors(include_url=False)
    first: Any = next((f for f in findings if f["type"] == "extra_forbidden"), findings[0])
    place = tuple(first["loc"])
    if isinstance(cause := first.get("ctx", {}).get("error"), FieldError):
        place = (*place, cause.field)
    dotted = ".".join(str(part) for part in place)
    where = (f"{key}, {dotted}" if " " in key else f"{key}.{dotted}") if key and dotted else key or dotted
    if first["type"] == "extra_forbidden":
        known = _keys_beside(model, place)
        problem, _, remedy = unknown("key", place[-1], known).partition("; ")
    else:
        problem, remedy = _problem(first), ""
    if len(findings) > 1:
        more = len(findings) - 1
        remedy = f"{remedy} ({more} more problem{'s' if more > 1 else ''} after it)".strip()
    return BadInput(file, where, problem, remedy)


def _problem(finding: Any) -> str:
    kind, given, context = finding["type"], finding["input"], finding.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind in ("value_error", "assertion_error"):
        return str(context.get("error", finding["msg"]))
    if kind == "literal_error":
        return f"must be {context['expected'].replace(chr(39), chr(34))}, not {quoted(given)}"
    if kind in _BOUNDS:
        return f"must be {_BOUNDS[kind]} {next(iter(context.values()))}, not {quoted(given)}"
    if context.get("min_length") == 1:
        return "must not be empty"
    if kind.endswith(("too_short", "too_long")):
        unit = "characters" if kind.startswith("string") else "entries"
        bound = f"at least {context['min_length']}" if "min_length" in context else f"at most {context['max_length']}"
        return f"must have {bound} {unit}"
    for start, words in _TYPES.items():
        if kind.startswith(start):
            return f"must be {words}, not {quoted(given)}"
    return f"{finding['msg'][:1].lower()}{finding['msg'][1:]}, not {quoted(given)}"


def _keys_beside(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """Return the keys the model knows at the place of an unknown one."""
    current: type[BaseModel] | None = model
    for part in place[:-1]:
        if isinstance(part, str) and current is not None:  # a number is a place in a list of the same model
            field = current.model_fields.get(part)
            current = _model_in(field.annotation) if field else None
    return [field.alias or name for name, field in current.model_fields.items()] if current else []


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(part) for part in getattr(annotation, "__args__", ()))
    return next((found for found in inner if found), None)
