"""Mutations of good files: of trees of keys and values, of cells, of bytes, and of what stands at a path."""

import copy
import csv
import datetime as dt
import io
import json
import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from fuzz.values import KEYS, NAMES, SCALARS, VALUES

Draw = Callable[..., Any]
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "latin-1", "cp037", "utf-7")
JUNK = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\x1a", b'"""', b"'''", b"[" * 3000, b'{"a":' * 3000,
    b"9" * 6000, b"-", b'"', b"\\u0000", b"\\ud800", b"= 1\n", b"[[patch]]\n", b"\n" * 5000, b",,,,\n", b";", b"#",
)  # fmt: skip


def places(tree: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key or index) in a tree of tables and lists."""
    found: list[tuple[Any, Any]] = []
    open_: list[Any] = [tree]
    while open_:
        node = open_.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            found.append((node, key))
            if isinstance(node[key], dict | list):
                open_.append(node[key])
    return found


@st.composite
def trees(draw: Draw, good: Any, most: int = 3) -> Any:
    """Draw a tree like a good one in which one to three places are another way; every third time only a little."""
    tree = copy.deepcopy(good)
    if draw(st.integers(0, 2)) == 0:
        return _nudged(draw, tree)
    for _ in range(draw(st.integers(1, most))):
        found = places(tree)
        if not found:
            break
        node, key = found[draw(st.integers(0, len(found) - 1))]
        how = draw(st.sampled_from(["value", "value", "value", "drop", "rename", "add", "double", "swap", "number"]))
        old = node[key]
        if how == "value":
            node[key] = draw(VALUES)
        elif how == "number" and isinstance(old, int | float) and not isinstance(old, bool):
            node[key] = draw(st.sampled_from([-old, old + 1, old - 1, old * 10**6, old / 2, float(old), str(old)]))
        elif how == "drop":
            del node[key]
        elif how == "rename" and isinstance(node, dict):
            node[draw(KEYS)] = node.pop(key)
        elif how == "add":
            node.update({draw(KEYS): draw(VALUES)}) if isinstance(node, dict) else node.append(draw(VALUES))
        elif how == "double":
            node.update({f"{key} ": old}) if isinstance(node, dict) else node.extend([copy.deepcopy(old)] * 2)
        else:
            other, place = found[draw(st.integers(0, len(found) - 1))]
            node[key] = copy.deepcopy(other[place])
    return tree


def _nudged(draw: Draw, tree: Any) -> Any:
    """Move one to three numbers by one, or turn a switch: so that what reads the tree has to use it."""
    found = [(node, key) for node, key in places(tree) if isinstance(node[key], int | float)]
    for _ in range(draw(st.integers(1, 3)) if found else 0):
        node, key = draw(st.sampled_from(found))
        node[key] = not node[key] if isinstance(node[key], bool) else node[key] + draw(st.sampled_from([-1, 1]))
    return tree


def to_toml(tree: Any) -> str:
    """Write any tree as TOML, or as near to it as can be."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in tree.items() if value is not None)


def _key(key: object) -> str:
    return json.dumps(str(key), ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, list):
        return "[" + ", ".join(_value(part) for part in value if part is not None) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)} = {_value(part)}" for k, part in value.items() if part is not None) + "}"
    return json.dumps(str(value))


def to_json(tree: Any) -> str:
    """Write any tree as JSON; dates as text, NaN as Python writes it."""
    return json.dumps(tree, default=str)


@st.composite
def contents(draw: Draw, good: bytes, most: int = 3) -> bytes:
    """Draw bytes like good ones: cut, flipped, in another encoding, with other line ends, with junk in them."""
    content = good
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from([good + b"\n", good.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + good]))
    for _ in range(draw(st.integers(1, most))):
        how = draw(st.sampled_from(["cut", "flip", "junk", "remove", "again", "encoding", "lines", "empty", "order"]))
        at = draw(st.integers(0, max(0, len(content) - 1)))
        if how == "cut":
            content = content[:at]
        elif how == "flip" and content:
            content = content[:at] + bytes([content[at] ^ (1 << draw(st.integers(0, 7)))]) + content[at + 1 :]
        elif how == "junk":
            content = content[:at] + draw(st.sampled_from(JUNK) | st.binary(max_size=16)) + content[at:]
        elif how == "remove":
            content = content[:at] + content[at + draw(st.integers(1, 200)) :]
        elif how == "again":
            content += content[at : at + draw(st.integers(1, 2000))]
        elif how == "encoding":
            text = content.decode("utf-8", "replace")
            content = text.encode(draw(st.sampled_from(ENCODINGS)), "replace")
        elif how == "lines":
            content = content.replace(
                b"\n", draw(st.sampled_from([b"\r", b"\r\n", b"\n\r", b"\x0b", b"\xc2\x85", b""]))
            )
        elif how == "order":
            lines = content.split(b"\n")
            content = b"\n".join([*lines[at % len(lines) :], *lines[: at % len(lines)]])
        elif draw(st.integers(0, 4)) == 0:
            content = b""
    return content


@st.composite
def spreadsheets(draw: Draw, good: bytes, most: int = 3) -> bytes:
    """Draw a CSV file like a good one with other cells, rows, columns or headers."""
    rows = list(csv.reader(io.StringIO(good.decode("utf-8-sig"), newline="")))
    numbers = [(cells, place) for cells in rows[1:] for place, cell in enumerate(cells) if cell.isdecimal()]
    if numbers and draw(st.integers(0, 3)) == 0:
        cells, place = draw(st.sampled_from(numbers))
        cells[place] = str(max(1, int(cells[place]) + draw(st.sampled_from([-1, 1]))))
        most = 0
    for _ in range(draw(st.integers(1, most)) if most else 0):
        row = draw(st.integers(0, len(rows) - 1))
        cells = rows[row]
        column = draw(st.integers(0, max(0, len(cells) - 1)))
        how = draw(
            st.sampled_from(["cell", "cell", "cell", "cell", "borrow", "double", "drop", "column", "wide", "many"])
        )
        if how == "cell" and cells:
            value = draw(SCALARS)
            cells[column] = "x" * 200_000 if value is None else str(value)
        elif how == "borrow" and cells:
            other = rows[draw(st.integers(0, len(rows) - 1))]
            cells[column] = other[draw(st.integers(0, len(other) - 1))] if other else ""
        elif how == "double":
            rows.append(list(cells))
        elif how == "drop" and len(rows) > 1:
            del rows[row]
        elif how == "column":
            for each in rows:
                del each[column : column + 1]
        elif how == "wide":
            cells.extend([str(draw(SCALARS))] * draw(st.sampled_from([1, 3, 1000])))
        elif how == "many":
            rows.extend(
                [[f"{cell}{i}" if place == 0 else cell for place, cell in enumerate(cells)] for i in range(400)]
            )
    text = io.StringIO(newline="")
    ends = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    mark = draw(st.sampled_from([",", ",", ";", "\t"]))
    csv.writer(text, lineterminator=ends, delimiter=mark).writerows(rows)
    return text.getvalue().encode("utf-8", "surrogatepass")


TRICKS = ("folder", "pipe", "device", "endless", "passwd", "loop", "nowhere", "missing", "above", "unreadable")


def play_trick(trick: str, path: Path) -> None:
    """Put something else where a file is expected."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    if trick == "folder":
        path.mkdir()
    elif trick == "pipe":
        os.mkfifo(path)
    elif trick == "unreadable":
        path.write_bytes(b"x")
        path.chmod(0)
    elif trick != "missing":
        target = {
            "device": "/dev/null", "endless": "/dev/zero", "passwd": "/etc/passwd", "loop": path.name,
            "nowhere": "there is no such file", "above": "..",
        }[trick]  # fmt: skip
        path.symlink_to(target)


file_names = st.sampled_from([name for name in NAMES if name and name != ".." and not {"/", "\0"} & {*name}]).map(
    lambda name: name[:60]
)
