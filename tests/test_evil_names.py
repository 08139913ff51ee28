"""A tile, goal or condition named like a script: shown as it is written on every page, run nowhere."""

import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

import nfsim
from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.tile_set import TileSet
from nfsim.report.formatting import csv_of

TILE, GOAL, CONDITION = "<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "<svg onload=alert(3)>"
SCENARIO = f"""inherit = "solo_campaign1_short.toml"
games = 40
patch = [
  {{ do = "change", kind = "development", name = "Space Marines", set = {{ name = "{TILE}" }} }},
  {{ do = "change", kind = "goal", name = "Colonies", set = {{ name = "{GOAL}" }} }},
  {{ do = "change", kind = "condition", name = "Builder", campaign = 1, set = {{ name = "{CONDITION}" }} }},
]
"""
COMMANDS = {
    "report": ("report", "run", "--out", "out"),
    "balance": ("balance", "evil.toml", "--tiles", TILE, "--cost", "none", "--out", "out"),
    "sweep": ("sweep", "evil.toml", "--vary", f"cost.{TILE}=-1,1", "--rate", CONDITION, "--out", "out"),
}
Command = Callable[..., tuple[int, str, str]]


class Page(HTMLParser):
    """Collects tags, attributes that run code, and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("evil.toml").write_text(SCENARIO, "utf-8")
    return tmp_path


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("what", ["report", pytest.param("balance", marks=pytest.mark.soak), "sweep"])
def test_names_like_scripts_are_text_on_every_page(what: str, command: Command) -> None:
    if what == "report":
        assert command("run", "evil.toml", "--log", "tiles", "--jobs", 1, "--out", "run")[0] == 0
    code, _, error = command(*COMMANDS[what])
    assert code == 0, error
    (html,) = Path("out").rglob("report.html")
    text = html.read_text("utf-8")
    page = Page(text)
    assert page.handlers == []
    assert page.tags.count("script") == len(re.findall("<script", text)) <= 2
    assert "alert(1)" not in "".join(re.findall("<script.*?</script>", text, re.DOTALL))
    shown = "".join(page.texts)
    assert CONDITION in shown or TILE in shown
    markdown = html.with_name("report.md").read_text("utf-8")
    assert not re.search(r"<(script|img|svg onload)", markdown)
    drawings = list(Path("out").rglob("*.svg"))
    for drawing in drawings:
        names = [element.tag.rpartition("}")[2] for element in ET.fromstring(drawing.read_text("utf-8")).iter()]
        assert not {"script", "img"} & set(names)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)"])
def test_a_name_that_a_spreadsheet_would_compute_is_refused(name: str, command: Command) -> None:
    assert command("tiles", "export", "--out", "set")[0] == 0
    file = Path("set", "developments.csv")
    file.write_text(file.read_text("utf-8").replace("Space Marines", f'"{name}"', 1), "utf-8")
    with pytest.raises(BadInput, match="must not begin with"):
        TileSet.load("set")
    shutil.rmtree("set")


def test_no_cell_of_a_csv_file_of_results_can_be_computed() -> None:
    names = ["=cmd", "+x", "-x", "@x", "-1.5", "x"]
    frame = pl.DataFrame({"policy": names, "=label": pl.Series(names, dtype=pl.Categorical), "rate": [-0.5] * 6})
    lines = csv_of(frame).decode().splitlines()
    assert lines[0] == "policy,'=label,rate"
    assert [line.split(",")[0] for line in lines[1:]] == ["'=cmd", "'+x", "'-x", "'@x", "-1.5", "x"]
    assert [line.split(",")[1] for line in lines[1:]] == ["'=cmd", "'+x", "'-x", "'@x", "-1.5", "x"]
    assert lines[1].endswith(",-0.5")


def test_csv_is_written_in_two_places_which_pass_texts_through_one_guard() -> None:
    root = Path(nfsim.__file__).parent
    texts = {file.relative_to(root).as_posix(): file.read_text("utf-8") for file in root.rglob("*.py")}
    writers = {name for name, text in texts.items() if re.search(r"write_csv|csv\.(Dict)?[wW]riter|\.to_csv\(", text)}
    assert writers == {"catalogue/csv_files.py", "catalogue/record_set.py", "report/formatting.py"}  # 2nd calls the 1st
    assert all("csv_cell" in texts[name] for name in writers - {"catalogue/record_set.py"})
