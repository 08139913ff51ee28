"""The manifest of a finished run: what was played, with what, and what came out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nfsim.contract.tables import Table
from nfsim.log.check import FORMAT, digest_of
from nfsim.log.records import ChunkRecord, listing

EXPANDED = 3  # levels of tables that are written over several lines


def build_manifest(
    about: Mapping[str, Any],
    identity: Mapping[str, Any],
    tables: Sequence[Table],
    decisions: Sequence[str],
    records: Sequence[ChunkRecord],
) -> dict[str, Any]:
    """Put a manifest together.

    Parameters
    ----------
    about : mapping
        What is known before the first game: scenario, seed, versions, rulings, tile set, times.
    identity : mapping
        See `nfsim.log.folder`.
    tables : sequence of Table
        Tables written.
    decisions : sequence of str
        Names of the kinds of decision, by code.
    records : sequence of ChunkRecord
        All chunks.

    Returns
    -------
    dict
        Ready for JSON. ``decisions`` has per kind: decisions per game, and options per decision on average
        (null when it was never asked).
    """
    ordered = sorted(records, key=lambda record: record.first)
    games = sum(record.games for record in ordered)
    statuses: dict[str, int] = {}
    for record in ordered:
        for name, count in record.statuses.items():
            statuses[name] = statuses.get(name, 0) + count
    manifest: dict[str, Any] = {
        "format": FORMAT,
        **about,
        "statuses": statuses,
        "decisions": _decisions(decisions, ordered, games),
        "cpu_seconds": round(sum(record.cpu_seconds for record in ordered), 3),
        "tables": {table.name: _table(table, ordered) for table in tables},
        "chunks": [listing(record) for record in ordered],
        "identity": dict(identity),
    }
    return manifest | {"digest": digest_of(manifest)}


def manifest_text(manifest: Mapping[str, Any]) -> bytes:
    """Write a manifest as JSON that can be read and searched: one line for each part and each chunk."""
    return (_text(manifest, 0) + "\n").encode()


def run_text(identity: Mapping[str, Any]) -> bytes:
    """Write what is kept of a run while it is under way: whose folder this is."""
    return (json.dumps({"format": FORMAT, "identity": identity}, indent=1) + "\n").encode()


def _text(value: Any, depth: int) -> str:
    inner, end = " " * (depth + 1), " " * depth
    if isinstance(value, Mapping) and value and depth < EXPANDED:
        lines = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {_text(each, depth + 1)}" for key, each in value.items()
        ]
        return "{\n" + ",\n".join(lines) + f"\n{end}}}"
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return "[\n" + ",\n".join(f"{inner}{_text(each, EXPANDED)}" for each in value) + f"\n{end}]"
    return json.dumps(value, ensure_ascii=False)


def _decisions(names: Sequence[str], records: Sequence[ChunkRecord], games: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, name in enumerate(names):
        asked = sum(record.asked[kind] for record in records)
        offered = sum(record.options_seen[kind] for record in records)
        found[name] = {
            "per_game": round(asked / games, 4) if games else None,
            "options": round(offered / asked, 4) if asked else None,
        }
    return found


def _table(table: Table, records: Sequence[ChunkRecord]) -> dict[str, Any]:
    parts = [
        {
            "file": part.file,
            "first": record.first,
            "games": record.games,
            "rows": part.rows,
            "bytes": part.bytes,
            "sha256": part.sha256,
        }
        for record in records
        for part in record.parts
        if part.table == table.name
    ]
    return {
        "rows": sum(int(str(part["rows"])) for part in parts),
        "bytes": sum(int(str(part["bytes"])) for part in parts),
        "columns": {column.name: column.storage for column in table.columns},
        "parts": parts,
    }
