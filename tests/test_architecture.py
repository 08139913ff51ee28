"""The layers: imports run one way, numba has one door, shared layers reach a game through the registry only."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "nfsim"
MODULES = sorted(PACKAGE.rglob("*.py"))

# each layer may import what stands behind it, and what stands beside it in the same line
LAYERS = (
    {"cli"},
    {"studies", "env"},
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


# shared layers know no game: they reach its rule set by name, and words in texts come from it
SHARED = (
    "cli",
    "studies",
    "env",
    "report",
    "run",
    "log",
    "stats",
    "contract",
    "policies",
    "catalogue",
    "engine",
    "compiled",
)
WORDS = re.compile(
    r"(?<![a-z])(condition|tile|world|vp|colonist|xeno|credit|solo|empire|dummy|dummies)s?(?![a-z])|military|starry|"
    r"frontier|so.close|gauntlet",
    re.IGNORECASE,
)
NAMED = {
    # what is written in files and on command lines keeps its name: manifests, scenarios, tables, options, commands
    r"(nfsim |--)?tiles\b(?! [a-z]+ [a-z])|tiles=|tiles_|tile_(hash|sets|changes)|^TILES$": "the key of the set played",
    r"(--)?so[-_]close|(--)?gauntlet": "options and keys of manifests of nfsim campaign",
    r"new_frontiers|solo_campaign\d_\w+": "the game that is meant where none is named, and scenarios in examples",
}
APART = {
    "run/bench/cases.py": "what is measured is one game",
    "studies/balance/variants.py": "levels of variants are names of folders that are there",
    "env/__init__.py": "the environment of one agent has the name that people who train give it",
    "cli/recipes.py": "a tool of this project for the presets of one game",
    "run/scenario.py": "finds the folder of a set",
}


def said_in_code(path: Path) -> set[str]:
    """Return the names and texts of a module, without its docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = set()
    for node in ast.walk(tree):
        for name in ("id", "attr", "arg", "name"):
            if isinstance(getattr(node, name, None), str):
                found.add(getattr(node, name))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            found.add(node.value)
    return found


def test_shared_layers_do_not_import_a_game() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in MODULES
        for name in imports(path)
        if layer(path) != "games" and name.split(".")[0] == "games"
    ]
    assert wrong == []


def test_shared_layers_have_no_word_of_a_game_in_their_code() -> None:
    named = re.compile("|".join(NAMED))
    wrong = [
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in MODULES
        if layer(path) in SHARED and path.relative_to(PACKAGE).as_posix() not in APART
        for text in said_in_code(path)
        if WORDS.search(named.sub("", text))
    ]
    assert wrong == []


def test_functions_take_eight_parameters_at_most() -> None:
    """Commands are exempt, and `nfsim.play`, which is one: their parameters are options."""
    wrong = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in MODULES
        if layer(path) in ("cli", "studies", "env", "run", "log")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and not node.name.endswith("command")
        and (path.name, node.name) != ("play.py", "play")
        and len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]) - ("self" in ast.dump(node.args)) > 8
    ]  # fmt: skip
    assert wrong == []
