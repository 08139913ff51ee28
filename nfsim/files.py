"""Reading what users write, with every way in which that can fail, and writing files whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import stat
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from nfsim.errors import BadInput

TEMPORARY = ".tmp"  # end of the names of files that are not complete: readers never see these
PIECE = 1_000_000  # bytes read at a time
DEEPEST = 20  # tables and lists in each other; no file needs a handful
MOST_BITS = 4096  # of a number: 1,233 digits, of 4,300 that Python writes
# a key of more parts than that: Python's reader takes time and memory by the square of their number, a megabyte of
# them more than a machine has; each `+` and `*` keeps what it has found, so that this looks at each character once
_NAME = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
DEEP_KEY = re.compile(rf"(?<![\w-]){_NAME}(?:[ \t]*+\.[ \t]*+{_NAME}){{{DEEPEST}}}")
COMPUTED = re.compile(r"'*[=+\-@\t\r]")  # apostrophes before: so that one more can be taken away again
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")
NO_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)  # the second: Windows, which has no first
UTF8 = 'save it as UTF-8, in a spreadsheet as "CSV UTF-8"'


def read_text(path: Path, most: int, what: str, remedy: str = "") -> str:
    """Read a UTF-8 file, with or without a byte order mark.

    Parameters
    ----------
    path : Path
        The file; never more than `most` bytes of it are read, so a device does no harm.
    most : int
        Bytes that no such file exceeds.
    what : str
        What it should be, for messages: "a scenario file".
    remedy : str
        What to do if it is missing.

    Raises
    ------
    BadInput
        Naming the file, and the line if it is not text.
    """
    content = read_bytes(path, most, what, remedy)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BadInput(path, f"line {line}", "is not UTF-8 text", UTF8) from None
    if "\0" in text:
        raise BadInput(path, "", "is not a text file", UTF8)
    return text


def read_bytes(path: Path, most: int, what: str, remedy: str = "") -> bytes:
    """Read a file that may be anything; parameters and errors as `read_text`."""
    try:
        if path.is_dir():
            raise BadInput(path, "", f"is a folder, not {what}")
        # a pipe that nobody writes to would wait for ever, already when it is opened
        with os.fdopen(os.open(path, os.O_RDONLY | NO_WAITING), "rb") as file:
            if stat.S_ISFIFO(os.fstat(file.fileno()).st_mode):
                raise BadInput(path, "", f"is a pipe, not {what}", "write it to a file first")
            content = b"".join(_pieces(file, most + 1))
    except FileNotFoundError:
        raise BadInput(path, "", "there is no such file", remedy) from None
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise BadInput(path, "", f"cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if len(content) > most:
        raise BadInput(path, "", f"is too large for {what}: more than {most // 1_000_000} MB")
    return content


def _pieces(file: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield what a file holds, up to so many bytes; asked for all at once, Python sets that much memory aside."""
    while most > 0 and (piece := file.read(min(most, PIECE))):
        most -= len(piece)
        yield piece


def parse_toml(text: str, file: object) -> dict[str, Any]:
    """Parse TOML; a mistake is a `BadInput` that names the file, also what is legal but too much for Python."""
    if DEEP_KEY.search(text):
        raise _too_deep(file)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(file, "", f"is not TOML: {error}") from None
    except ValueError:
        raise _too_many_digits(file) from None
    except RecursionError:
        raise _too_deep(file) from None
    if _is_deep(data):
        raise _too_deep(file)
    if _has_huge_number(data):  # in hexadecimal: Python reads it, and cannot write it in a message
        raise _too_many_digits(file)
    return data


def parse_json(text: str | bytes) -> dict[str, Any]:
    """Parse a JSON object; a `ValueError` if it is anything else, or legal but too much for Python or for UTF-8."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(data, dict) or _is_deep(data):
        raise ValueError("no object of tables and lists that can be used")
    json.dumps(data, ensure_ascii=False).encode()  # half a character, as in "\\ud800": a UnicodeError is a ValueError
    return data


def _is_deep(data: dict[str, Any]) -> bool:
    level: list[Any] = [data]
    for _ in range(DEEPEST):
        inner = [part for outer in level for part in (outer.values() if isinstance(outer, dict) else outer)]
        level = [part for part in inner if isinstance(part, dict | list)]
    return bool(level)


def _has_huge_number(part: Any) -> bool:
    if isinstance(part, int):
        return part.bit_length() > MOST_BITS
    return isinstance(part, dict | list) and any(
        map(_has_huge_number, part.values() if isinstance(part, dict) else part)
    )


def _too_many_digits(file: object) -> BadInput:
    return BadInput(file, "", "is not TOML that can be used: a number has too many digits")


def _too_deep(file: object) -> BadInput:
    return BadInput(file, "", "is not TOML that can be used: tables or lists are nested too deeply")


def csv_cell(text: str) -> str:
    """Return a text as a cell of a CSV file: what a spreadsheet would compute gets an apostrophe before it.

    Every writer of CSV files passes its texts through here. Plain numbers stay as they are.
    """
    return f"'{text}" if COMPUTED.match(text) and not NUMBER.fullmatch(text) else text


def csv_text(cell: str) -> str:
    """Return the text that `csv_cell` made a cell of."""
    return cell[1:] if cell.startswith("'") and COMPUTED.match(cell) else cell


def is_there(path: Path) -> bool:
    """Tell whether something can be found under a name; False, too, of names that are too long for one."""
    try:
        return path.exists()
    except OSError:
        return False


def real(path: Path) -> Path:
    """Return where a name leads after all links; links in a circle, which lead nowhere, stay as they are."""
    return Path(os.path.realpath(path))


def find_folder(name: str, base: Path) -> Path | None:
    """Return a folder that exists; a relative name is looked up from `base`, ``~`` is the home folder."""
    try:
        folder = base / Path(name).expanduser()
        return folder if name and folder.is_dir() else None
    except (OSError, ValueError, RuntimeError):  # too long, a null character, a home folder of nobody
        return None


def try_writing(folder: Path) -> None:
    """Write a file without a name into a folder: an OSError before long work is better than one after it."""
    with tempfile.TemporaryFile(dir=folder):
        pass


def write_atomic(path: Path, content: Any, *, lasting: bool = False) -> None:
    """Write a file that is complete whenever it can be seen under its name.

    Parameters
    ----------
    path : Path
        Its name; the bytes go to a temporary name in the same folder first.
    content : bytes-like
        All of it.
    lasting : bool
        Wait until it is on the disk, so that it survives a power cut too.
    """
    # other machines and threads may write the same file: no two take one temporary name
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}{TEMPORARY}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
        if lasting:
            _keep_names(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _keep_names(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can: a file's content alone is not found."""
    with contextlib.suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
