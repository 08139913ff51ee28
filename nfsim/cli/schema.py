"""`nfsim schema`: every column of every table."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from nfsim.cli.options import Json


def command(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help="Only this table.")] = None,
    game: Annotated[str, typer.Option(metavar="NAME", help="Rule set.")] = "new_frontiers",
    json: Json = False,
) -> None:
    """Print every column of the tables with type, unit, meaning and special values.

    For example:
      nfsim schema
      nfsim schema seats
    """
    from nfsim.cli.console import print_json, print_table, say
    from nfsim.contract.rule_set import load_rule_set
    from nfsim.errors import BadInput, nearest

    rule_set = load_rule_set(game, "--game", "")
    written = {known.name: f"--log {known.level} on" for known in rule_set.tables}
    written |= {known.name: f"nfsim {name}" for name, known in rule_set.other_tables}
    tables = [*rule_set.tables, *(known for _, known in rule_set.other_tables)]
    if table is not None and table not in written:
        raise BadInput("TABLE", "", f'unknown table "{table}"', nearest(table, written))
    chosen = [known for known in tables if table in (None, known.name)]
    if json:
        listed = [_table(known) | {"written": written[known.name]} for known in chosen]
        print_json({"ok": True, "exit_code": 0, "tables": listed})
        return
    for known in chosen:
        rows = [
            [column.name, column.storage, column.unit, column.meaning, _special(column)] for column in known.columns
        ]
        title = f"{known.name}: {known.meaning} (from {written[known.name]})"
        print_table(["column", "type", "unit", "meaning", "special values"], rows, title=title)
        say()


def _table(table: Any) -> dict[str, Any]:
    columns = [
        {
            "name": column.name,
            "type": column.storage,
            "unit": column.unit,
            "meaning": column.meaning,
            "sentinel": column.sentinel,
            "labels": list(column.labels) if isinstance(column.labels, tuple) else column.labels,
        }
        for column in table.columns
    ]
    return {"name": table.name, "meaning": table.meaning, "level": table.level, "columns": columns}


def _special(column: Any) -> str:
    """Labels, if there are few, and what special values mean."""
    labels = ", ".join(column.labels) if isinstance(column.labels, tuple) else ""
    return "; ".join(part for part in (labels, column.sentinel) if part)
