"""Names of run folders that are addresses: ``file:///runs/big`` is a folder, ``s3://bucket/big`` is for fsspec."""

from __future__ import annotations

import re
from pathlib import Path

from nfsim.errors import BadInput

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(::|://)")  # two letters and more: C:// is a drive


def is_address(name: Path | str) -> bool:
    """Tell whether this is an address and not the name of a folder."""
    return isinstance(name, str) and _ADDRESS.match(name) is not None


def without_file(name: Path | str) -> Path | str:
    """Return the folder that a ``file://`` address means, and everything else as it is."""
    if not isinstance(name, str) or not name.lower().startswith("file://"):
        return name
    from urllib.parse import unquote, urlsplit
    from urllib.request import url2pathname  # takes a while, and few folders are addresses

    parts = urlsplit(name)
    if parts.netloc not in ("", "localhost"):
        raise BadInput(name, "", "names another machine", "write three slashes: file:///folder")
    return Path(url2pathname(unquote(parts.path)))


def local(name: Path | str) -> Path:
    """Return the folder meant; `BadInput` if it is an address somewhere else, which only `nfsim run` can write to."""
    name = without_file(name)
    if is_address(name):
        raise BadInput(name, "", "is an address, not a folder of this machine", "copy it first: docs/cluster.md")
    return Path(name)
