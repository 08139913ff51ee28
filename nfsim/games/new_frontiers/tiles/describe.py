"""Records in words, for lists and for looking one up."""

from __future__ import annotations

from typing import Any

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.patches import LOOKUP
from nfsim.games.new_frontiers.tiles.records import Record
from nfsim.games.new_frontiers.tiles.tileset import TileSet
from nfsim.validation import unknown

_PLACES = ("mat", "side", "stack", "face", "campaign")
_KINDS = ("type", "good", "measure", "steps")
_TEXTS = ("keywords", "powers", "scoring")


def named(tiles: TileSet, name: str) -> list[Record]:
    """Return the records of a name, of any kind.

    Raises
    ------
    BadInput
        With the nearest name, if there is none.
    """
    found = [record for record in tiles if record.name.casefold() == name.strip().casefold()]
    if not found:
        problem, _, remedy = unknown("tile", name, [record.name for record in tiles], LOOKUP).partition("; ")
        raise BadInput("NAME", "", problem, remedy)
    return found


def summary(record: Record) -> str:
    """Return a record in a few words."""
    fields = record.fields()
    parts = [f"{name} {fields[name]}" for name in _PLACES if fields.get(name)]
    parts += [fields[name] for name in _KINDS if fields.get(name, "none") != "none"]
    if record.kind == "world" and fields["military"]:
        parts.append(f"defense {fields['defense']}")
    elif "cost" in fields:
        parts.append(f"cost {fields['cost']}")
    if "vp" in fields:
        parts.append(f"{fields['vp']} VP")
    if "short_vp" in fields:
        parts += [f"{length}: {'; '.join(_condition(fields, length))}" for length in ("short", "long")]
    for name in _TEXTS:
        parts += fields.get(name, [])
    return ", ".join(parts)


def _condition(fields: dict[str, Any], length: str) -> list[str]:
    return [f"{fields[f'{length}_vp']} VP", *fields[f"{length}_requires"]]


def in_full(record: Record) -> list[str]:
    """Return every field that says something, one a line, marked if it is reconstructed."""
    lines = [record.title]
    for name, value in record.fields().items():
        text = "; ".join(value) if isinstance(value, list) else str(value)
        mark = "   (reconstructed)" if name in record.reconstructed else ""
        if text and name not in ("name", "reconstructed"):
            lines.append(f"  {name:13}  {text}{mark}")
    if "name" in record.reconstructed:
        lines.append("  the name itself is reconstructed too")
    return lines
