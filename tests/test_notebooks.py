"""The notebooks run from top to bottom, with fewer games, hold no logic of their own, and show what they found."""

import ast
import os
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
    """With NFSIM_REGENERATE=1 with all its games, and its outputs are written into it (``make regenerate``)."""
    anew = bool(os.environ.get("NFSIM_REGENERATE"))
    book = opened(path) if anew else shorter(path)
    metadata = dict(book.metadata)
    nbclient.NotebookClient(
        book, timeout=3000, kernel_name="python3", record_timing=False, resources={"metadata": {"path": tmp_path}}
    ).execute()
    said_well("".join(output.get("text", "") for output in outputs(book) if output["output_type"] == "stream"))
    if anew:
        book.metadata = nbformat.from_dict(metadata)
        for cell in book.cells:  # of standard error: progress, and what is compiled
            if cell["cell_type"] == "code":
                cell["outputs"] = [output for output in cell["outputs"] if output.get("name") != "stderr"]
        path.write_text(nbformat.writes(book) + "\n", "utf-8")


def outputs(book):
    return [output for cell in book.cells for output in cell.get("outputs", [])]


def said_well(said):
    assert "reconstructed" in said.lower(), "a result says how much of the tile data is reconstructed"
    assert "Report: " in said
    assert "Traceback" not in said


@each
def test_a_notebook_calls_nfsim_in_python_and_defines_nothing(path):
    for source in code(path):
        assert not re.search(r"^\s*[%!]", source, re.MULTILINE)
        kinds = {type(node) for node in ast.walk(ast.parse(source))}
        assert not kinds & {ast.FunctionDef, ast.ClassDef, ast.For, ast.While, ast.If, ast.Lambda}


@each
def test_a_notebook_is_kept_with_its_outputs_and_ends_with_what_was_found(path):
    first, *cells = [cell for cell in opened(path).cells if cell["cell_type"] == "code"]
    assert first["execution_count"] == 1
    assert all(cell["outputs"] and cell["execution_count"] for cell in cells)
    assert all(output["output_type"] != "error" for output in outputs(opened(path)))
    last = opened(path).cells[-1]
    assert last["cell_type"] == "markdown"
    assert re.fullmatch(r"\*\*Found\.\*\* [^\n]+\.", last["source"])


@each
def test_outputs_of_a_notebook_name_no_folder_of_a_machine(path):
    text = path.read_text("utf-8")
    assert not re.search(r"(/tmp|/home|/root|/Users|[A-Z]:\\\\)", text)
