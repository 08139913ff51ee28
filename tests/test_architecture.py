"""The layers: imports run one way, numba has one door, modules stay rooms and not halls."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nfsim"
MODULES = sorted(PACKAGE.rglob("*.py"))

# what each layer may import besides itself and the plain helpers below
ALLOWED = {
    "core": set(),
    "ruleset": {"core"},
    "games": {"core", "ruleset"},
    "log": {"core", "ruleset"},
    "run": {"core", "ruleset", "log", "stats"},
    "stats": {"core", "ruleset", "log"},
    "report": {"core", "ruleset", "log", "stats"},
    "analysis": {"core", "ruleset", "games", "log", "stats", "report"},  # of a game: games/<name>/analysis
    "cli": {"core", "ruleset", "games", "log", "run", "stats", "report"},
}
HELPERS = {"errors", "files", "titles", "validation"}  # used everywhere, import nothing of the package but each other
RULES = {"actions", "engine", "setup", "placing", "powers", "supply", "track", "scoring", "solo", "state"}


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, as dotted names without `nfsim.`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name.removeprefix("nfsim.") for name in found if name.startswith("nfsim.")}


def layer(path: Path) -> str:
    """Return the layer a file belongs to."""
    if path.is_relative_to(PACKAGE / "games") and "analysis" in path.parts:
        return "analysis"
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_layers_below(path: Path) -> None:
    here = layer(path)
    used = {name.split(".")[0] for name in imports(path)} - {here} - HELPERS
    if here in HELPERS:
        assert not used
    elif here in ALLOWED:
        assert used <= ALLOWED[here], f"{here} must not import {used - ALLOWED[here]}"


def test_games_do_not_import_each_other() -> None:
    for path in (PACKAGE / "games").rglob("*.py"):
        parts = path.relative_to(PACKAGE / "games").parts
        if len(parts) > 1:
            others = {name.split(".")[1] for name in imports(path) if name.startswith("games.")} - {parts[0]}
            assert not others, path


def test_the_rules_know_no_policy_and_no_tile_file() -> None:
    game = PACKAGE / "games" / "new_frontiers"
    for path in [*game.glob("*.py"), *(game / "actions").glob("*.py")]:
        if path.stem in RULES or path.parent.name == "actions":
            used = {name.split(".")[2] for name in imports(path) if name.count(".") >= 2}
            assert not used & {"policies", "tiles", "tables", "kernel", "game", "words"}, path


def test_nothing_of_a_game_imports_its_analysis() -> None:
    for path in (PACKAGE / "games").rglob("*.py"):
        if layer(path) != "analysis":
            assert not any(".analysis" in name for name in imports(path)), path


def test_numba_is_imported_in_one_place() -> None:
    users = [
        path
        for path in MODULES
        if any(line.lstrip().startswith(("import numba", "from numba")) for line in path.read_text().splitlines())
    ]
    behind = [PACKAGE / "core" / "entries.py", PACKAGE / "core" / "parts.py"]
    door = PACKAGE / "core" / "jit.py"
    assert users == sorted([door, *behind])
    for path in MODULES:
        assert path in [door, *behind] or not imports(path) & {"core.entries", "core.parts"}, path


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_has_at_most_300_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_paths_in_the_readmes_table_exist() -> None:
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("| where do I add")[1].split("\n\n")[0]
    game = PACKAGE / "games" / "new_frontiers"
    named = {word for word in table.split("`")[1::2] if "/" in word and not any(c in word for c in "*(")}
    for word in named - {"games/NAME/"}:
        assert any((base / word).exists() for base in (ROOT, PACKAGE, game)), word
