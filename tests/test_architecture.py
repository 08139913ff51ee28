"""The layers: imports run one way, numba has one door, shared layers reach a game through the registry only."""

import ast
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nfsim"
MODULES = sorted(PACKAGE.rglob("*.py"))

# each layer may import what stands behind it, and what stands beside it in the same line
LAYERS = (
    {"cli"},
    {"studies"},
    {"games"},
    {"report"},
    {"run"},
    {"policies", "catalogue", "engine"},
    {"log", "stats"},
    {"contract"},
    {"compiled"},
    {"errors", "files", "validation"},  # used everywhere
)
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
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def place(name: str) -> int:
    """Return the place of a layer in `LAYERS`; the package's own front door stands before all."""
    return next((number for number, names in enumerate(LAYERS) if name in names), -1)


def test_a_module_imports_only_from_layers_behind_its_own() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in MODULES
        for name in sorted(imports(path))
        if place(name.split(".")[0]) < place(layer(path)) and place(name.split(".")[0]) >= 0
    ]
    assert wrong == []


def test_every_folder_of_the_package_is_a_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert {name for name in folders if place(name) < 0} == set()


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


def test_numba_is_imported_in_one_place() -> None:
    users = {
        layer(path)
        for path in MODULES
        if any(line.lstrip().startswith(("import numba", "from numba")) for line in path.read_text().splitlines())
    }
    assert users == {"compiled"}
    for path in MODULES:  # and what stands behind the door is for the door alone
        hidden = {"compiled.entries", "compiled.parts"}
        assert layer(path) == "compiled" or not imports(path) & hidden, path


def test_paths_in_the_table_of_where_to_add_what_exist() -> None:
    page = ROOT / "docs" / "how-it-is-built.md"
    table = page.read_text(encoding="utf-8").split("| where do I add")[1].split("\n\n")[0]
    game = PACKAGE / "games" / "new_frontiers"
    named = {word for word in table.split("`")[1::2] if "/" in word and not any(c in word for c in "*(")}
    for word in named - {"games/NAME/"}:
        assert any((base / word).exists() for base in (ROOT, PACKAGE, game)), word
