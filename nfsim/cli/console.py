"""How the command line prints: colours and line breaks on a terminal only, JSON for machines."""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import sys
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from nfsim.errors import visible

if TYPE_CHECKING:
    from rich.console import Console

VERY_WIDE = 10_000  # columns of an output that is no terminal: nothing is ever wrapped or cut there


PLAIN = "nfsim.plain"  # name of what writes signs that an encoding lacks
SIGNS = {
    "\N{EN DASH}": "-", "\N{EM DASH}": "-", "\N{MINUS SIGN}": "-", "\N{HORIZONTAL ELLIPSIS}": "...",
    "\N{NO-BREAK SPACE}": " ", "\N{RIGHTWARDS ARROW}": "->", "\N{MULTIPLICATION SIGN}": "x",
    "\N{PLUS-MINUS SIGN}": "+-", "\N{MIDDLE DOT}": "*",
}  # fmt: skip


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """Write what an encoding lacks with plain signs where there are some, else as a backslash and a number."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = "".join(SIGNS.get(sign, sign) for sign in error.object[error.start : error.end])
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(PLAIN, _plain)


def open_streams() -> None:
    """Make standard output and error usable whatever they are: closed, or of an encoding that lacks characters."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:  # closed: the next file opened would get its number, and what is printed would land in it
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # worker processes need them too
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - for good
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=PLAIN)


def drop_output() -> None:
    """Forget what could not be printed: Python would try again at its end, and fail."""
    with contextlib.suppress(OSError, ValueError):
        number = sys.stdout.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


@cache
def _console(stderr: bool) -> Console:
    from rich.console import Console

    plain = not (sys.stderr if stderr else sys.stdout).isatty()
    if plain:
        return Console(
            stderr=stderr, width=VERY_WIDE, color_system=None, force_terminal=False, highlight=False, markup=False,
            force_jupyter=False,  # in a notebook every line would be a picture of its own
        )  # fmt: skip
    return Console(stderr=stderr, highlight=False, markup=False)


def console(stderr: bool = False) -> Console:
    """Return the console for results (standard output) or for messages (standard error)."""
    return _console(stderr)


def on_terminal(stderr: bool = False) -> bool:
    """Tell whether somebody reads along, so that colours and progress are of use."""
    return (sys.stderr if stderr else sys.stdout).isatty()


def say(text: str = "", *, style: str | None = None) -> None:
    """Print a line of the result."""
    _line(text, style, stderr=False)


def note(text: str) -> None:
    """Print a line about what is going on, to standard error."""
    _line(text, None, stderr=True)


def _line(text: str, style: str | None, *, stderr: bool) -> None:
    """Print a line; one that is not styled needs no rich, which takes a while to import."""
    if on_terminal(stderr):
        console(stderr).print(visible(text), style=style, soft_wrap=True)
        return
    stream = sys.stderr if stderr else sys.stdout
    stream.write(f"{visible(text)}\n")
    stream.flush()


def print_json(value: Any) -> None:
    """Print one JSON value on one line, in ASCII: readable whatever the output's encoding."""
    sys.stdout.write(json.dumps(value) + "\n")


def print_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = "", right: Sequence[int] = ()
) -> None:
    """Print a table.

    Parameters
    ----------
    columns : sequence of str
        Heads.
    rows : sequence of sequence of str
        Cells as they are printed.
    title : str
        Line above the table.
    right : sequence of int
        Places of columns set to the right: numbers.
    """
    if title:
        say(title, style="bold")
    if not on_terminal():
        _print_plain([columns, *rows], right)
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, head in enumerate(columns):
        table.add_column(head, justify="right" if place in right else "left")
    for row in rows:
        table.add_row(*map(visible, row))
    console().print(table)


def _print_plain(lines: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    """Print columns set with spaces: easy to read, to search and to split."""
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        say("  ".join(cells).rstrip())
