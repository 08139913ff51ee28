"""Rows and lists of what a person sees, laid out in the width there is."""

from __future__ import annotations

from collections.abc import Sequence

from nfsim.cli.console import console
from nfsim.contract.view import Row

WIDTH = 100  # at most; also where the output is no terminal
NARROWEST = 40
LABELS = 15  # columns for labels
SEPARATOR = ", "


def width() -> int:
    """Return the columns to use."""
    shown = console()
    return max(NARROWEST, min(WIDTH, shown.width)) if shown.is_terminal else WIDTH


def lay_out(row: Row, columns: int) -> list[tuple[str, str]]:
    """Return a row as lines: (label, text), the label only on the first.

    Items stay whole where they fit on a line; a longer one is broken at spaces.
    """
    label = row.label if not row.items else row.label.ljust(LABELS - 1) + " "
    blank, room = " " * LABELS, columns - max(LABELS, len(label))
    lines: list[str] = [""]
    for place, item in enumerate(row.items):
        text = item + (SEPARATOR.rstrip() if place < len(row.items) - 1 else "")
        if lines[-1] and len(lines[-1]) + 1 + len(text) <= room:
            lines[-1] += f" {text}"
            continue
        parts = [text] if len(text) <= room else _broken(text, room)
        lines = [*lines[:-1], *parts] if not lines[-1] else [*lines, *parts]
        room = columns - LABELS
    return [(label if place == 0 else blank, line) for place, line in enumerate(lines)]


def _broken(text: str, room: int) -> list[str]:
    import textwrap

    return textwrap.wrap(text, room, subsequent_indent="  ", break_on_hyphens=False)


def in_columns(texts: Sequence[str], columns: int, few: int = 6) -> list[str]:
    """Return numbered texts from 0 on, one a line if they are few or long, else side by side, numbered downwards."""
    numbered = [f"{number:>3}  {text}" for number, text in enumerate(texts)]
    broad = max(map(len, numbered), default=1) + 2
    beside = max(1, (columns + 2) // broad) if len(texts) > few else 1
    high = -(-len(texts) // beside)
    lines = [numbered[place::high] for place in range(high)]
    return ["".join(text.ljust(broad) for text in line).rstrip() for line in lines]
