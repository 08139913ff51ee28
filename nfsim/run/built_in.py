"""Scenarios that come with nfsim: the folder `scenarios` of a checkout, or where an installation put its files."""

from __future__ import annotations

import difflib
import functools
from importlib import metadata
from pathlib import Path

import nfsim
from nfsim.files import is_there

FOLDER = "scenarios"


@functools.cache
def folder() -> Path | None:
    """Return the folder with them; None if this copy of the program has none."""
    checkout = Path(nfsim.__file__).resolve().parents[1]
    if (checkout / "pyproject.toml").is_file() and (checkout / FOLDER).is_dir():
        return checkout / FOLDER
    try:
        files = metadata.files("nfsim") or []
    except metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.parent.name == FOLDER and file.suffix == ".toml":
            return Path(str(file.locate())).resolve().parent
    return None


def find(path: Path) -> Path:
    """Return the file meant: `path` itself or, if there is none and it is a bare name, a scenario that is built in."""
    there = folder()
    if there is None or len(path.parts) != 1 or path.suffix not in ("", ".toml") or is_there(path):
        return path
    built_in = there / f"{path.stem}.toml"
    return built_in if is_there(built_in) else path


def suggest(path: Path) -> str:
    """Suggest a scenario of nearly the same name: beside the missing one, in ./scenarios, or built in."""
    for place in (path.parent, Path(FOLDER)):
        near = _nearest(path, place)
        if near:
            return f'did you mean "{place / near}.toml"?'
    there = folder()
    if there is None:
        return ""
    near = _nearest(path, there)
    return f'did you mean "{near}", which is built in?' if near else f"those that come with nfsim are in {there}"


def _nearest(path: Path, place: Path) -> str:
    try:
        stems = sorted(other.stem for other in place.glob("*.toml"))
    except (OSError, ValueError):  # a folder that cannot be read
        return ""
    return next(iter(difflib.get_close_matches(path.stem, stems, n=1)), "")
