"""The pages that look things up say what the code does: keys of a scenario, columns, players."""

from __future__ import annotations

import importlib
from dataclasses import fields
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin

import pytest
from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from nfsim.cli import COMMANDS
from nfsim.contract.rule_set import NAMES, RuleSet, load_rule_set
from nfsim.contract.tables import STANDARD
from nfsim.engine.rules import SUPPLIED
from nfsim.games.new_frontiers.settings import Settings
from nfsim.run.scenario import _Head as Head

DOCS = Path(__file__).parent.parent / "docs"
SCENARIOS = (DOCS / "scenarios.md").read_text("utf-8")
OF_FILES = {"inherit"}  # keys that only a file has


@pytest.fixture
def from_code(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that makes parts of pages from the code."""
    monkeypatch.syspath_prepend(DOCS / "extensions")
    return importlib.import_module("from_code")


def rows(page: str, first: str) -> list[list[str]]:
    """Return the rows of the tables of a page whose first column is headed so."""
    found: list[list[str]] = []
    inside = False
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith(f"| {first} |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith(("|--", "| --")):
            found.append(cells)
    return found


def keys(model: type[BaseModel], prefix: str = "") -> dict[str, FieldInfo]:
    """Return the fields of a model by dotted key, those of models inside it instead of themselves."""
    found: dict[str, FieldInfo] = {}
    for name, field in model.model_fields.items():
        inner = next((each for each in (field.annotation, *get_args(field.annotation)) if is_model(each)), None)
        found |= keys(inner, f"{prefix}{name}.") if inner else {f"{prefix}{name}": field}
    return found


def is_model(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, BaseModel)


KEYS = keys(Head) | keys(Settings)
ROWS = {row[0].strip("`"): row for row in rows(SCENARIOS, "key")}


def test_the_reference_of_scenarios_has_every_key_and_no_other() -> None:
    rulings = {"rules.profile", "rules.SWITCH"}
    assert set(ROWS) == {key for key in KEYS if key != "rules"} | rulings | OF_FILES


@pytest.mark.parametrize("key", [key for key in KEYS if key != "rules"])
def test_the_reference_of_scenarios_has_the_default_and_the_limits_of_a_key(key: str) -> None:
    _, values, default, _ = ROWS[key]
    field = KEYS[key]
    if field.is_required():
        assert default == "required"
    else:
        usual = field.get_default(call_default_factory=True)
        usual = usual[0] if isinstance(usual, list) else usual
        shown = {None: "none", True: "`true`", False: "`false`"}
        written = shown[usual] if usual is None or isinstance(usual, bool) else f"`{usual}`"
        assert default == (f'`"{usual}"`' if isinstance(usual, str) else written)
    for limit in limits(field):
        assert str(limit) in values.replace("`", ""), (key, limit)
    for choice in choices(field):
        assert f'`"{choice}"`' in values


def limits(field: FieldInfo) -> list[int]:
    """Return the bounds of a number, and the longest a text or list may be."""
    found: list[int] = []
    inner = () if get_origin(field.annotation) is list else get_args(field.annotation)
    for part in (*field.metadata, *(part for each in inner for part in getattr(each, "__metadata__", ()))):
        for constraint in getattr(part, "metadata", [part]):
            if isinstance(constraint, Ge):
                found.append(int(str(constraint.ge)))
            elif isinstance(constraint, Le):
                found.append(int(str(constraint.le)))
            elif isinstance(constraint, MaxLen):
                found.append(constraint.max_length)
            elif isinstance(constraint, MinLen) and constraint.min_length > 1:
                found.append(constraint.min_length)
        if (longest := getattr(part, "max_length", None)) is not None and not isinstance(part, MaxLen):
            found.append(longest)
    return found


def choices(field: FieldInfo) -> list[str]:
    return [each for each in get_args(field.annotation) if isinstance(each, str)]


def test_the_page_of_the_log_lists_the_columns_that_every_game_fills() -> None:
    page = (DOCS / "log.md").read_text("utf-8")
    shown = {row[0].strip("`"): tuple(cell.strip("` ") for cell in row[1].split(",")) for row in rows(page, "table")}
    assert shown == STANDARD


def test_the_page_of_players_names_every_policy_that_is_built_in() -> None:
    page = (DOCS / "players.md").read_text("utf-8")
    assert {policy.name for policy in load_rule_set("new_frontiers").policies()} == {
        name.strip("` ") for row in rows(page, "policy") if len(row) == 2 for name in row[0].split(",")
    }


def test_the_schema_that_is_made_for_the_site_has_every_column_with_unit_and_special_values(
    from_code: ModuleType,
) -> None:
    for name in NAMES:
        rule_set = load_rule_set(name)
        page = from_code.schema(rule_set)
        for table in (*rule_set.tables, *(table for _, table in rule_set.other_tables)):
            part = page.split(f"### {table.name}\n")[1].split("\n### ")[0]
            shown = {row[0].strip("`"): row[1:] for row in rows(part, "column")}
            for column in table.columns:
                kind, unit, meaning, special = shown[column.name]
                assert (kind, unit, meaning) == (column.storage, column.unit, column.meaning)
                assert column.sentinel in special
            assert list(shown) == [column.name for column in table.columns]


def test_the_powers_and_commands_that_are_made_for_the_site_are_complete(from_code: ModuleType) -> None:
    assert len(rows(from_code.powers(), "effect")) == len(from_code.codes.Effect)
    assert all(f"## nfsim {name}\n" in from_code.commands() for name in COMMANDS)
    assert len(rows(from_code.rulings(), "switch")) == len(load_rule_set("new_frontiers").rulings)


def test_the_page_about_adding_a_game_names_every_part_of_a_rule_set() -> None:
    page = (DOCS / "adding-a-game.md").read_text("utf-8")
    named = {name.strip("` ") for row in rows(page, "part") for name in row[0].split(",")}
    assert named == {field.name for field in fields(RuleSet)}


def test_the_page_about_adding_a_game_names_every_function_that_a_game_supplies() -> None:
    page = (DOCS / "adding-a-game.md").read_text("utf-8")
    assert {row[0].strip("`") for row in rows(page, "function")} == set(SUPPLIED)


def test_the_api_reference_has_every_layer_that_others_build_on() -> None:
    page = (DOCS / "api.md").read_text("utf-8").split()
    layers = {path.parent.name for path in (DOCS.parent / "nfsim").glob("*/__init__.py")} - {"cli", "games"}
    assert {f"nfsim.{name}" for name in layers} <= set(page)
