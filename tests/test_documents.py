"""The commands, snippets and links of the README and of all pages of docs/ work as they stand.

Runs are only made shorter. Commands that would take long, or need a cluster (`STUDIES`, `READ_ONLY`), are read by the
command line and not carried out; what they ask for has tests of its own.
"""

from __future__ import annotations

import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from nfsim.cli import build_app, main

ROOT = Path(__file__).parent.parent
PAGES = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
         for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}  # fmt: skip
FENCED = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
SHORTER = {
    "run": ("--games", "100"),
    "campaign": ("--campaigns", "10", "--sample", "4"),
    "difficulty": (
        "--games",
        "10",
        "--no-campaigns",
        "--search",
        "1",
        "--rounds",
        "10",
        "--bags",
        "1",
        "--campaign",
        "1",
    ),
    "thresholds": ("--games", "20"),
    "sweep": ("--games", "10"),
    "balance": ("--games", "20", "--tiles", "top:1", "--cost", "none", "--second", "none"),
    "compare": ("--games", "20"),
    "ladder": ("--games", "4"),
    "tune": ("--generations", "2"),
}
STUDIES = ("campaign", "difficulty", "thresholds", "sweep", "balance", "compare", "tune")
"""Commands that take seconds however few games they play: of each only the first one is carried out."""
PLAYED = ("README.md", "docs/getting-started.md", "docs/own-player.md")
"""Pages whose commands are carried out by default: what begins with them, and no other test plays `examples`."""
READ_ONLY = ("--scheduler", ",search")
"""Parts of commands that are not carried out: what needs a cluster, and a ladder with a search."""


def blocks(page: str, kind: str) -> list[str]:
    """Return the code blocks of a page that are of one kind."""
    return [text for found, text in FENCED.findall(PAGES[page]) if found == kind]


def commands(page: str) -> list[list[str]]:
    """Return the commands of nfsim that the shell blocks of a page give, as arguments."""
    lines = [line.split(" #")[0].strip() for text in blocks(page, "sh") for line in text.splitlines()]
    return [shlex.split(line)[1:] for line in lines if re.match(r"(\.venv/bin/)?nfsim ", line)]


def inline_commands(page: str) -> Iterator[list[str]]:
    """Yield the commands that stand in a line of text."""
    text = re.sub(r"^(```|~~~).*?^\1", "", PAGES[page], flags=re.DOTALL | re.MULTILINE)
    for found in re.findall(r"`nfsim ([^`]+)`", text):
        yield found.split()


def with_commands(*kinds: str) -> list[str]:
    return [page for page in PAGES if any(blocks(page, kind) for kind in kinds)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that looks like a clone to the commands."""
    folder = tmp_path_factory.mktemp("clone")
    for name in ("scenarios", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def carried_out() -> list[list[str]]:
    """Commands of other pages, which need not be carried out again."""
    return []


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)])
def test_every_command_of_a_page_is_one_that_the_command_line_reads(page: str) -> None:
    for arguments in commands(page):
        read(arguments)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=() if page in PLAYED else pytest.mark.soak) for page in PAGES if commands(page)],
)
def test_every_command_of_a_page_works(
    page: str, folder: Path, carried_out: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for arguments in commands(page):
        shown = shlex.join(arguments)
        again = arguments[0] in STUDIES and any(done[0] == arguments[0] for done in carried_out)
        if again or any(part in shown for part in READ_ONLY):
            read(arguments)
            continue
        arguments += SHORTER.get(arguments[0], ())
        if arguments in carried_out:
            continue
        monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))  # one choice for `play`, then the input ends
        assert main(arguments) == 0, shown
        carried_out.append(arguments)


def read(arguments: list[str]) -> None:
    """Let the command line read a command without carrying it out; it raises what it would refuse."""
    command = typer.main.get_command(build_app())
    context = None
    rest = list(arguments)
    while inner := getattr(command, "commands", {}):
        context = command.make_context(rest[0], [], parent=context, resilient_parsing=True)
        command = inner[rest.pop(0)]
    command.make_context(arguments[0], rest, parent=context)


@pytest.mark.parametrize("page", [page for page in PAGES if list(inline_commands(page))])
def test_commands_that_a_text_names_exist_with_their_options(page: str) -> None:
    for words in inline_commands(page):
        command = typer.main.get_command(build_app())
        while (inner := getattr(command, "commands", {})) and words and not words[0].startswith("-"):
            assert words[0] in inner or words[0] == "COMMAND", words
            if words[0] == "COMMAND":  # any of them
                break
            command = inner[words.pop(0)]
        known = {"--help", "--json", *(name for parameter in command.params for name in parameter.opts)}
        assert {word for word in words if word.startswith("--")} <= known, words


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("page", with_commands("python"))
def test_the_python_snippets_of_a_page_work(page: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "docs/cluster.md":
        pytest.skip("its snippet starts a cluster of SLURM")
    monkeypatch.chdir(folder)
    for text in blocks(page, "python"):
        exec(compile(text, page, "exec"), {})


def test_the_scenario_of_the_reference_is_complete_and_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (text,) = blocks("docs/scenarios.md", "toml")
    Path("trial.toml").write_text(text, "utf-8")
    assert main(["run", "trial.toml", "--games", "50"]) == 0


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_that_a_page_names_exists(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"(?:`|^)make ([a-z-]+)", PAGES[page], re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_links_of_a_page_lead_to_files_and_headings_that_exist(page: str) -> None:
    here = (ROOT / page).parent
    text = FENCED.sub("", PAGES[page])
    for link in (*re.findall(r"\]\(([^)\s]+)\)", text), *re.findall(r'src="([^"]+)"', text)):
        if "://" in link:
            continue
        path, _, heading = link.partition("#")
        there = (here / path).resolve() if path else ROOT / page
        assert there.exists(), link
        if heading:
            heads = re.findall(r"^#+ (.+)$", FENCED.sub("", there.read_text("utf-8")), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, link


def test_the_readme_is_at_most_10_kb() -> None:
    assert len(PAGES["README.md"].encode()) <= 10_000
