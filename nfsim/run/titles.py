"""Titles of scenarios: templates that the rule set fills, and what was changed beside what a title says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nfsim.errors import BadInput, nearest

PLACE = re.compile(r"\{(\w+(?:\.\w+)+)\}")
BESIDE = ("policy", "aim", "games", "seed", "title", "log")  # keys that are said beside a title
LONGEST_CHANGE = 80  # characters of one change behind a title

Setting = Callable[[str, str], str]
"""Says a setting in words: `nfsim.contract.rule_set.RuleSet.setting`."""


def text_of(value: Any) -> str:
    """Return a value of a scenario as TOML writes it, without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def filled(title: str, settings: Mapping[str, Any], setting: Setting, file: object) -> str:
    """Return a title with its places filled: ``Solo {setup.campaign}, {setup.rounds}``.

    Parameters
    ----------
    title : str
        As its author wrote it: ``{table.key}`` stands for that setting in the game's words, or for its value.
    settings : mapping
        Tables of the scenario with all their keys, defaults included.
    setting : callable
    file : object
        What an error about an unknown key names.
    """
    known = {
        f"{table}.{key}": text_of(value)
        for table, keys in settings.items()
        if isinstance(keys, Mapping)
        for key, value in keys.items()
    }

    def said(match: re.Match[str]) -> str:
        key = match[1]
        if key not in known:
            raise BadInput(file, "title", f'names no setting of this game: "{key}"', nearest(key, known))
        return setting(key, known[key]) or known[key]

    return PLACE.sub(said, title)


def says(title: str, words: str) -> bool:
    """Tell whether a title has some words, as a whole: "2 rounds" is not in "12 rounds"."""
    return bool(words) and re.search(rf"(?<!\w){re.escape(words)}(?!\w)", title, re.IGNORECASE) is not None


def unsaid(title: str, changes: Sequence[str], setting: Setting) -> list[str]:
    """Return the changes (``key=value``) that neither the title says nor what stands beside it."""
    parts = [tuple(part.strip() for part in change.partition("=")[::2]) for change in changes]
    return [
        change
        for change, (key, value) in zip(changes, parts, strict=True)
        if key not in BESIDE and not says(title, setting(key, value))
    ]


def titled(title: str, changes: Sequence[str], setting: Setting) -> str:
    """Add to a title what was changed beside it: ``Solo campaign 1, 12 rounds (rules.profile=table)``."""
    beside = unsaid(title, changes, setting)
    listed = [text if len(text) <= LONGEST_CHANGE else f"{text[:LONGEST_CHANGE]}…" for text in beside]
    return f"{title} ({', '.join(listed)})" if listed else title
