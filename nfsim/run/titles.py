"""What the title of a scenario says about its setup, and how it is kept true where the setup is changed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

SAID = re.compile(
    r"\b(?P<number>\d+) (?P<unit>player|round)s?\b"
    r"|\b(?P<word>campaign) (?P<campaign>\d+)\b"
    r"|\b(?P<goals>with(?:out)? goals)\b",
    re.IGNORECASE,
)
BESIDE = ("policy", "aim", "games", "seed", "title", "log")  # keys that are said beside a title
LONGEST_CHANGE = 80  # characters of one change behind a title


def said(title: str) -> dict[str, str]:
    """Return what a title says of the setup, by dotted key: ``{"setup.rounds": "10"}``; not what it says twice."""
    found = [_said(match) for match in SAID.finditer(title)]
    keys = [key for key, _ in found]
    return {key: value for key, value in found if keys.count(key) == 1}


def _said(match: re.Match[str]) -> tuple[str, str]:
    if match["goals"]:
        return "setup.goals", str(match["goals"].lower() == "with goals").lower()
    return (
        (f"setup.{match['unit'].lower()}s", match["number"]) if match["unit"] else ("setup.campaign", match["campaign"])
    )


def text_of(value: Any) -> str:
    """Return a value of a setup as `said` has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def as_played(title: str, setup: Mapping[str, Any]) -> str:
    """Return a title whose players, rounds, campaign and goals are those of a setup.

    Parameters
    ----------
    title : str
        As its author wrote it.
    setup : mapping
        The keys of the setup that were set after the title was written; others stay as the title has them.
    """
    known = said(title)

    def mended(match: re.Match[str]) -> str:
        key, value = _said(match)
        played = setup.get(key.removeprefix("setup."))
        if played is None or key not in known or text_of(played) == value:
            return match[0]
        if match["goals"]:
            return "with goals" if played else "without goals"
        if match["unit"]:
            return f"{played} {match['unit']}{'' if played == 1 else 's'}"
        return f"{match['word']} {played}"

    return SAID.sub(mended, title)


def unsaid(title: str, changes: Sequence[str]) -> list[str]:
    """Return the changes (``key=value``) that neither the title says nor what stands beside it."""
    known = said(title)
    parts = [tuple(part.strip() for part in change.partition("=")[::2]) for change in changes]
    return [
        change
        for change, (key, value) in zip(changes, parts, strict=True)
        if key not in BESIDE and known.get(key) != value
    ]


def titled(title: str, changes: Sequence[str]) -> str:
    """Add to a title what was changed beside it: ``Solo campaign 1, 12 rounds (rules.profile=table)``."""
    listed = [text if len(text) <= LONGEST_CHANGE else f"{text[:LONGEST_CHANGE]}…" for text in unsaid(title, changes)]
    return f"{title} ({', '.join(listed)})" if listed else title
