"""Parts of pages that are made from the code, so that they say what it does: tables of the log, commands.

They are written to `docs/generated/parts` when a build begins, and pages include them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nfsim.cli import build_app
from nfsim.contract.rule_set import NAMES, RuleSet, load_rule_set
from nfsim.contract.tables import Column, Table
from nfsim.games.new_frontiers import codes
from nfsim.games.new_frontiers.tiles import grammar

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PARTS = Path("generated", "parts")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}


def _write(app: Sphinx) -> None:
    folder = Path(app.srcdir) / PARTS
    folder.mkdir(parents=True, exist_ok=True)
    schemas = "\n".join(schema(load_rule_set(name)) for name in NAMES)
    texts = {"schema.md": schemas, "commands.md": commands(), "rulings.md": rulings(), "powers.md": powers()}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")


def schema(rule_set: RuleSet) -> str:
    """Return Markdown with every column of every table that a rule set writes."""
    written = [(f"`--log {table.level}` and above", table) for table in rule_set.tables]
    written += [(f"`nfsim {command}`", table) for command, table in rule_set.other_tables]
    return "\n".join([f"## {rule_set.title}\n", *(_table(by, table) for by, table in written)])


def _table(written: str, table: Table) -> str:
    heads = ("column", "type", "unit", "meaning", "special values")
    rows = [
        (f"`{column.name}`", column.storage, column.unit, column.meaning, special(column)) for column in table.columns
    ]
    meaning = table.meaning[:1].upper() + table.meaning[1:]
    return "\n".join([f"### {table.name}\n", f"{meaning}. Written by {written}.\n", *_grid(heads, rows), ""])


def special(column: Column) -> str:
    """Return the labels of a column and what its special values mean."""
    if isinstance(column.labels, str):
        labels = f"names of the list `{column.labels}`"
    else:
        labels = ", ".join(f"`{label}`" for label in column.labels if label)
    return "; ".join(part for part in (labels, column.sentinel) if part)


def rulings() -> str:
    """Return Markdown with the switches of New Frontiers' rulings, their readings and defaults."""
    heads = ("switch", "question", "readings", "`seed`", "`table`")
    found = load_rule_set("new_frontiers").rulings
    rows = [
        (
            f"`{ruling.switch}` ({ruling.cite})",
            ruling.question,
            ", ".join(f"`{reading}`" for reading in ruling.choices),
            f"`{ruling.seed}`",
            f"`{ruling.table}`",
        )
        for ruling in found
    ]
    return "\n".join([*_grid(heads, rows), ""])


def powers() -> str:
    """Return Markdown with the vocabulary of powers: what stands beside each effect in the code."""
    meanings = dict(re.findall(r"^    ([A-Z_]+) = \d+  # (.*)$", inspect.getsource(codes.Effect), re.MULTILINE))
    rows = [(f"`{grammar.effect_name(effect)}`", meanings[effect.name]) for effect in codes.Effect]
    classes = ", ".join(f"`{name}`" for name in grammar.CLASS_BY_NAME)
    return "\n".join([*_grid(("effect", "what it does"), rows), f"\nFilters are {classes}.\n"])


def _grid(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (heads, ["---"] * len(heads), *rows):
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def commands() -> str:
    """Return Markdown with the help of every command."""
    root = typer.main.get_command(build_app())
    return "\n".join(f"## {name}\n\n```text\n{text}\n```\n" for name, text in _helps(root, "nfsim", None))


def _helps(command: Any, name: str, parent: Any) -> Iterator[tuple[str, str]]:
    with command.make_context(name.split()[-1], [], parent=parent, resilient_parsing=True) as context:
        inner = getattr(command, "commands", {})
        if not inner:
            yield name, context.get_help()
        for word, found in inner.items():
            yield from _helps(found, f"{name} {word}", context)
