"""The notebooks run from top to bottom, with fewer games, and hold no logic of their own."""

import ast
import re
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
FEWER = {"GAMES": 100, "BAGS": 5}


def opened(path):
    return nbformat.read(path, as_version=4)


def code(path):
    return [cell["source"] for cell in opened(path).cells if cell["cell_type"] == "code"]


def test_there_is_a_notebook_for_each_of_the_four_questions():
    assert len(NOTEBOOKS) == 4


def shorter(path):
    """A notebook that plays fewer games."""
    book = opened(path)
    for cell in book.cells:
        for name, value in FEWER.items():
            cell["source"] = re.sub(rf"^{name} = \d+$", f"{name} = {value}", cell["source"], flags=re.MULTILINE)
    return book


@each
@pytest.mark.usefixtures("undrawn")
def test_every_cell_of_a_notebook_works(path, tmp_path, monkeypatch, capsys):
    """In this process, which starts sooner than a kernel."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    shell = InteractiveShell()
    for cell in shorter(path).cells:
        if cell["cell_type"] == "code":
            shell.run_cell(cell["source"]).raise_error()
    said_well(capsys.readouterr().out)


@pytest.mark.soak
@each
def test_a_notebook_runs_from_top_to_bottom(path, tmp_path):
    book = shorter(path)
    nbclient.NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
    ).execute()
    said = "".join(
        output.get("text", "")
        for cell in book.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "stream"
    )
    said_well(said)


def said_well(said):
    assert "reconstructed" in said.lower(), "a result says how much of the tile data is reconstructed"
    assert "Report: " in said
    assert "Traceback" not in said


@each
def test_a_notebook_calls_nfsim_and_defines_nothing(path):
    for source in code(path):
        if not source.startswith("%"):
            kinds = {type(node) for node in ast.walk(ast.parse(source))}
            assert not kinds & {ast.FunctionDef, ast.ClassDef, ast.For, ast.While, ast.If, ast.Lambda}


@each
def test_a_notebook_is_kept_without_outputs(path):
    cells = [cell for cell in opened(path).cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in cells)
