"""The error for everything a user can get wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST_SHOWN = 300  # characters of a file name or key in a message
MOST_SAID = 900  # of what is wrong with it, and of what to do: both may name what was found


class BadInput(Exception):  # noqa: N818 - it names what is wrong, as the message does
    """Input that cannot be used; its text is one sentence for the user, and the command exits with 2.

    Parameters
    ----------
    file : object
        File, folder or option that holds the mistake, for example a path or ``--games``; '' if there is none.
    key : str
        Key, record or column in it; '' if the whole file is meant.
    problem : str
        What is wrong, with the value found.
    remedy : str, optional
        What to do instead.
    """

    def __init__(self, file: object, key: str, problem: str, remedy: str = "") -> None:
        self.file = str(file)
        self.key = key
        self.problem = _short(one_line(problem), MOST_SAID)
        self.remedy = _short(one_line(remedy), MOST_SAID)
        named = "" if self.file == f"--{key}" else key
        where = ": ".join(_short(visible(part)) for part in (self.file, named) if part)
        text = f"{where}: {self.problem}" if where else self.problem
        super().__init__(f"{text}; {self.remedy}" if self.remedy else text)

    def __reduce__(self) -> tuple[type[BadInput], tuple[str, str, str, str]]:
        """Travel between processes: the default would pass the finished text only."""
        return type(self), (self.file, self.key, self.problem, self.remedy)


class PolicyFailed(Exception):  # noqa: N818 - says what happened
    """A user's own policy that broke off a game; its text is one sentence, and the command exits with 1."""

    exit_code = 1


def one_line(text: str) -> str:
    """Put a text on one line that can be printed, and drop a full stop at its end."""
    return visible(" ".join(text.split()).rstrip("."))


def visible(text: str) -> str:
    """Write characters that a terminal would obey, or that no encoding knows, as escapes (Python's)."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _short(text: str, most: int = MOST_SHOWN) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def nearest(name: str, known: Iterable[str]) -> str:
    """Suggest what a user may have meant.

    Parameters
    ----------
    name : str
        What was written.
    known : iterable of str
        What could have been written.

    Returns
    -------
    str
        ``did you mean "balanced"?``, or all known names if none is near.
    """
    names = list(known)
    close = difflib.get_close_matches(name.lower(), [n.lower() for n in names], n=1, cutoff=0.6)
    if close:
        return f'did you mean "{next(n for n in names if n.lower() == close[0])}"?'
    return "known: " + ", ".join(names) if names else ""
