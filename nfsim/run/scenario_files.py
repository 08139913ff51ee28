"""Scenario files as nested tables: finding, reading, inheriting, merging, and knowing which file set a key."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import nfsim
from nfsim.errors import BadInput
from nfsim.files import is_there, parse_toml, read_text

MOST_BYTES = 1_000_000  # a scenario is a page; anything larger is another file
MOST_PARENTS = 8
PATCH = "patch"
APPENDED = (PATCH,)  # lists that an heir adds to; all others are replaced


class Layered:
    """Keys and values merged from several sources, each remembered by dotted key.

    Attributes
    ----------
    data : dict
        The merged tables.
    """

    def __init__(self) -> None:
        self.data: dict[str, Any] = {}
        self._sources: dict[str, object] = {}

    def merge(self, new: Mapping[str, Any], source: object) -> None:
        """Lay one source over the others: tables merge, values and lists are replaced, patches added."""
        if isinstance(new.get(PATCH), Mapping):
            raise BadInput(source, PATCH, "is one table, [patch]", "write [[patch]] with two brackets, once a change")
        self._merge(self.data, new, source, "")

    def _merge(self, into: dict[str, Any], new: Mapping[str, Any], source: object, prefix: str) -> None:
        for key, value in new.items():
            dotted = f"{prefix}{key}"
            old = into.get(key)
            if isinstance(value, Mapping):
                if not isinstance(old, dict):
                    into[key] = old = {}
                    self._sources[dotted] = source
                self._merge(old, value, source, f"{dotted}.")
            elif not prefix and key in APPENDED and isinstance(old, list) and isinstance(value, list):
                into[key] = old + value
                self._sources.update({f"{dotted}.{i}": source for i in range(len(old), len(into[key]))})
            else:
                into[key] = value
                self._sources[dotted] = source

    def source(self, dotted: str) -> object:
        """Return the source of a key, or of the table or list it stands in; '' if nobody set it."""
        parts = dotted.partition(",")[0].split(".")  # a comma leads into a record: its name is no key
        for end in range(len(parts), 0, -1):
            found = self._sources.get(".".join(parts[:end]))
            if found is not None:
                return found
        return ""


def read_toml(path: Path) -> dict[str, Any]:
    """Read one scenario file; every way in which that can fail is a `BadInput` that names the file."""
    text = read_text(path, MOST_BYTES, "a scenario file", suggest(path))
    if not text.strip():
        raise BadInput(path, "", "is empty", 'a scenario needs at least: game = "new_frontiers"')
    return parse_toml(text, path)


def read_layers(path: Path) -> Layered:
    """Read a scenario file and all it inherits, the oldest ancestor at the bottom."""
    chain: list[tuple[Path, dict[str, Any]]] = []
    seen: list[Path] = []
    current: Path | None = path
    while current is not None:
        try:
            data = read_toml(current)
        except BadInput as error:
            if not chain:
                raise
            raise BadInput(chain[-1][0], "inherit", f"{error.file}: {error.problem}", error.remedy) from None
        real = current.resolve()
        if real in seen:
            names = " -> ".join(p.name for p in (*seen, real))
            raise BadInput(chain[-1][0], "inherit", f"runs in a circle: {names}")
        if len(chain) > MOST_PARENTS:
            raise BadInput(path, "inherit", f"more than {MOST_PARENTS} files inherit from each other")
        seen.append(real)
        chain.append((current, data))
        parent = data.pop("inherit", None)
        if parent is not None and (not isinstance(parent, str) or not parent):
            raise BadInput(current, "inherit", "must be the name of a file, in quotes")
        current = _parent(current, parent) if parent is not None else None
    layers = Layered()
    for file, data in reversed(chain):
        layers.merge(data, file)
    return layers


def _parent(heir: Path, name: str) -> Path:
    """Return the file that an heir names: looked up beside it, or built in."""
    beside = heir.parent / name
    return beside if is_there(beside) else find(Path(name)) if len(Path(name).parts) == 1 else beside


def parse_setting(text: str) -> dict[str, Any]:
    """Turn ``key=value`` of the command line into nested tables.

    Parameters
    ----------
    text : str
        ``setup.rounds=12``; the value is read as TOML, or else taken as text.
    """
    key, sign, value = text.partition("=")
    parts = key.strip().split(".")
    source = f"--set {text}"
    if not sign or not all(part.strip() for part in parts) or len(parts) > MOST_PARENTS:
        raise BadInput(source, "", "must be key=value", "for example --set setup.rounds=12")
    if parts[0] == "inherit":
        raise BadInput(source, "inherit", "can only stand in a file")
    nested: Any = _toml_value(value.strip())
    for part in reversed(parts):
        nested = {part.strip(): nested}
    tables: dict[str, Any] = nested
    return tables


def read_setting(text: str) -> tuple[dict[str, Any], str]:
    """Return what ``key=value`` of the command line sets, and what errors about it name.

    ``patch=dearer.toml`` stands for the patches in that file: ``--patch dearer.toml`` is the same.
    """
    key, _, value = (part.strip() for part in text.partition("="))
    if key == PATCH and value.endswith(".toml"):
        return {PATCH: read_patches(Path(value))}, value
    return parse_setting(text), f"--set {text}"


def read_patches(file: Path) -> list[dict[str, Any]]:
    """Read a file of ``[[patch]]`` tables.

    Raises
    ------
    BadInput
        If it holds anything else.
    """
    data = parse_toml(read_text(file, MOST_BYTES, "a file of patches", "name a file of [[patch]] tables"), file)
    Layered().merge(data, file)  # refuses [patch]
    other = next((key for key in data if key != PATCH), None)
    if other is not None:
        raise BadInput(file, other, "has no place in a file of patches", "it holds [[patch]] tables and nothing else")
    patches = data.get(PATCH)
    if not isinstance(patches, list) or not all(isinstance(patch, Mapping) for patch in patches):
        raise BadInput(file, PATCH, "must be [[patch]] tables", "write [[patch]] above each change")
    return patches


def parse_rules(texts: Sequence[str]) -> dict[str, str]:
    """Turn ``rules.SWITCH=READING`` of the command line into the table `rules`; anything else is refused."""
    rules: dict[str, str] = {}
    for text in texts:
        changed = parse_setting(text)
        if list(changed) != ["rules"] or not isinstance(changed["rules"], dict):
            raise BadInput("--set", text, "has no meaning here", "only rules.SWITCH=READING changes what is counted")
        rules |= changed["rules"]
    return rules


def _toml_value(text: str) -> Any:
    try:
        parsed = parse_toml(f"value = {text}", "")
    except BadInput:
        return text
    # a line break in the text could smuggle in a second key
    return parsed["value"] if len(parsed) == 1 else text


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
