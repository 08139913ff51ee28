"""The README's commands and snippets work as they stand; runs are only made shorter."""

from __future__ import annotations

import io
import re
import shlex
import shutil
from pathlib import Path

import pytest

from nfsim.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
STUDIES = ("difficulty", "thresholds", "sweep", "balance", "compare")
COMMANDS = [line.split(" #")[0].strip() for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a clone to the commands."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("scenarios", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


def test_every_nfsim_command_of_the_readme_works(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    used = [line for line in COMMANDS if line.startswith(".venv/bin/nfsim ")]
    assert len(used) >= 8
    for line in used:
        arguments = shlex.split(line)[1:]
        if arguments[0] == "campaign":
            arguments += ["--campaigns", "10", "--sample", "4"]
        if arguments[0] == "run":
            arguments += ["--games", "200"]
        if arguments[0] in STUDIES:
            arguments += ["--games", "50"]
        if arguments[0] == "ladder":
            arguments += ["--games", "20"]
        if arguments[0] == "tune":
            arguments += ["--generations", "5"]
        if arguments[0] == "difficulty":
            arguments += ["--no-campaigns", "--search", "3"]
        monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))  # one choice for `play`, then the input ends
        assert main(arguments) == 0, line


def test_the_python_snippets_of_the_readme_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    if not Path("runs/solo_campaign1_short").exists():
        assert main(["run", "scenarios/solo_campaign1_short.toml", "--games", "200"]) == 0
    snippets = [text for kind, text in BLOCKS if kind == "python"]
    assert snippets
    for text in snippets:
        exec(compile(text, "README.md", "exec"), {})


def test_the_scenario_of_the_readme_is_complete_and_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    text = next(text for kind, text in BLOCKS if kind == "toml")
    Path("mine.toml").write_text(text, "utf-8")
    assert main(["run", "mine.toml", "--games", "50"]) == 0


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"(?:`|^)make ([a-z-]+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
