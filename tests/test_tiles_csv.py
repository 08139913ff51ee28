"""A folder of CSV files as a tile set: exact there and back, spreadsheets' habits, and clear errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.tile_set import TileSet

NAMES = ("worlds", "developments", "empires", "goals", "conditions")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    TileSet.built_in().export(tmp_path / "set")
    return tmp_path / "set"


def edit(path: Path, change: Callable[[str], str]) -> None:
    path.write_bytes(change(path.read_bytes().decode("utf-8-sig")).encode())


def refused(folder: Path) -> str:
    with pytest.raises(BadInput) as caught:
        TileSet.load(str(folder))
    return str(caught.value)


def test_an_exported_set_reads_back_equal_with_the_same_hash(folder: Path) -> None:
    tiles = TileSet.load(str(folder))
    for name in NAMES:
        assert getattr(tiles, name) == getattr(TileSet.built_in(), name)
    assert tiles.numbers == TileSet.built_in().numbers
    assert tiles.hash == TileSet.built_in().hash
    assert tiles.same_content(TileSet.built_in())


def test_exporting_what_was_read_writes_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    TileSet.load(str(folder)).export(tmp_path / "again")
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_the_worlds_columns_come_in_the_order_promised(folder: Path) -> None:
    header = (folder / "worlds.csv").read_text("utf-8-sig").splitlines()[0]
    assert header.startswith("name,military,cost,defense,colonists,type,good,keywords,vp,penalty,powers,status,source,")


def test_every_change_of_a_field_changes_the_hash(folder: Path) -> None:
    edit(folder / "worlds.csv", lambda text: text.replace("Gem World,no,2,", "Gem World,no,3,"))
    assert TileSet.load(str(folder)).hash != TileSet.built_in().hash


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_another_delimiter_reads_the_same(folder: Path, delimiter: str) -> None:
    import csv
    import io

    for name in NAMES:
        path = folder / f"{name}.csv"
        rows = list(csv.reader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=delimiter).writerows(rows)
        path.write_text(out.getvalue(), "utf-8", newline="")
    assert TileSet.load(str(folder)).same_content(TileSet.built_in())


SPREADSHEETS: dict[str, Callable[[str], str]] = {
    "no byte order mark": lambda text: text,
    "two line ends": lambda text: text.replace("\r\n", "\n"),
    "old line ends": lambda text: text.replace("\r\n", "\r"),
    "blank lines": lambda text: text.replace("\r\n", "\r\n\r\n"),
    "lines of empty cells": lambda text: text + ",,,,,,,,\r\n,,,,\r\n",
    "empty columns at the end": lambda text: text.replace("\r\n", ",,\r\n"),
    "TRUE and FALSE": lambda text: text.replace(",no,", ",FALSE,").replace(",yes,", ",TRUE,"),
    "a separator line": lambda text: "sep=,\r\n" + text,
    "capitals in the header": lambda text: text.replace("name,military", "Name,Military", 1),
    "spaces after delimiters": lambda text: text.replace("name,military", "name, military", 1),
}


@pytest.mark.parametrize("habit", SPREADSHEETS)
def test_what_spreadsheets_do_to_a_file_changes_nothing(folder: Path, habit: str) -> None:
    edit(folder / "worlds.csv", SPREADSHEETS[habit])
    assert TileSet.load(str(folder)).same_content(TileSet.built_in())


def test_a_file_without_optional_columns_takes_their_defaults(folder: Path) -> None:
    text = "name,measure,stockpile,steps,status\nOne,colony,none,3:2 5+:5,sourced\n"
    (folder / "goals.csv").write_text(text, "utf-8")
    goal = TileSet.load(str(folder)).goals[0]
    assert (goal.rift, goal.source, goal.when) == (False, "", "")


def test_without_setup_toml_the_built_in_numbers_hold(folder: Path) -> None:
    (folder / "setup.toml").unlink()
    assert TileSet.load(str(folder)).same_content(TileSet.built_in())


def test_numbers_in_setup_toml_of_the_folder_hold(folder: Path) -> None:
    edit(folder / "setup.toml", lambda text: text.replace("alien = 4", "alien = 5"))
    assert TileSet.load(str(folder)).numbers.prices.alien == 5


GEM = "Gem World,no,2,"
# what is replaced, by what, and what the message says
WRONG = {
    "unknown column": ("colonists,type", "colonist,type", 'unknown column "colonist"; did you mean "colonists"?'),
    "column twice": (",cost,", ",vp,", "has the column vp twice"),
    "number that is none": (GEM, "Gem World,no,2.0,", 'world "Gem World", cost: must be a whole number, not "2.0"'),
    "number out of range": (GEM, "Gem World,no,99,", 'world "Gem World", cost: must be at most 30, not 99'),
    "yes or no that is neither": (GEM, "Gem World,maybe,2,", 'military: must be true or false, not "maybe"'),
    "blank number": (GEM, "Gem World,no,,", 'world "Gem World", cost: is missing'),
    "unknown effect": ("explore.draw 1", "explore.drew 1", 'did you mean "explore.draw"?'),
    "open quotation mark": ("Gem World,", '"Gem World,', "is not valid CSV"),
    "cells beyond the header": ("Gem World,", "Gem World" + 21 * ",", "more cells than the header"),
    "name twice": ("Gem World,", "Spice World,", "name is used twice"),
    "not text": ("Gem World", "Gem\0World", "is not a text file"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_in_a_file_is_named_with_file_and_place(folder: Path, mistake: str) -> None:
    old, new, words = WRONG[mistake]
    edit(folder / "worlds.csv", lambda text: text.replace(old, new, 1))
    text = refused(folder)
    assert "worlds.csv: " in text
    assert words in text
    assert "\n" not in text


def test_a_wrong_cell_is_named_with_its_line(folder: Path) -> None:
    edit(folder / "worlds.csv", lambda text: text.replace(GEM, "Gem World,no,x,", 1))
    lines = (folder / "worlds.csv").read_text("utf-8").splitlines()
    number = next(n for n, line in enumerate(lines, 1) if "no,x" in line)  # as an editor counts
    assert f"line {number}, " in refused(folder)


def test_a_missing_column_is_named_with_all_that_are_needed(folder: Path) -> None:
    edit(folder / "worlds.csv", lambda text: text.replace("name,military,cost,", "name,military,", 1))
    assert "worlds.csv: header: has no column cost; columns are name, military, cost" in refused(folder)


@pytest.mark.parametrize(("text", "words"), [
    ("", "is empty"), ("\r\n,,\r\n", "is empty"), ("name,measure,stockpile,steps,status", "a header but no records"),
])  # fmt: skip
def test_a_file_without_records_is_refused(folder: Path, text: str, words: str) -> None:
    (folder / "goals.csv").write_text(text, "utf-8")
    assert words in refused(folder)


def test_a_world_named_like_a_development_is_refused(folder: Path) -> None:
    edit(folder / "worlds.csv", lambda text: text.replace("Gem World,", "Space Marines,", 1))
    assert "name is used twice" in refused(folder)


def test_a_file_in_another_encoding_is_refused_with_its_line(folder: Path) -> None:
    path = folder / "worlds.csv"
    path.write_bytes(path.read_bytes().replace(b"Gem World", "Gem Wörld".encode("latin-1")))
    assert "worlds.csv: line 33: is not UTF-8 text; save it as UTF-8" in refused(folder)


def test_a_file_in_utf_16_is_refused(folder: Path) -> None:
    path = folder / "goals.csv"
    path.write_bytes(path.read_text("utf-8-sig").encode("utf-16"))
    assert "goals.csv" in refused(folder)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named_with_the_way_to_get_it(folder: Path, name: str) -> None:
    (folder / f"{name}.csv").unlink()
    text = refused(folder)
    assert f"{name}.csv: there is no such file" in text
    assert "nfsim tiles export" in text


def test_a_folder_in_place_of_a_file_is_refused(folder: Path) -> None:
    (folder / "worlds.csv").unlink()
    (folder / "worlds.csv").mkdir()
    assert "worlds.csv: is a folder, not a tile file" in refused(folder)


def test_a_mistake_in_setup_toml_names_file_and_key(folder: Path) -> None:
    edit(folder / "setup.toml", lambda text: text.replace("alien = 4", "alien = 400"))
    assert "setup.toml: prices.alien: must be at most 20, not 400" in refused(folder)


def test_an_unknown_set_suggests_the_built_in_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match='neither a built-in tile set nor a folder; did you mean "reconstructed"'):
        TileSet.load("reconstruct", tmp_path)


def test_a_file_is_no_tile_set(folder: Path) -> None:
    with pytest.raises(BadInput, match="is neither a built-in tile set nor a folder"):
        TileSet.load(str(folder / "worlds.csv"))


def test_export_refuses_a_folder_that_holds_files(folder: Path) -> None:
    (folder / "worlds.csv").write_text("mine", "utf-8")
    with pytest.raises(BadInput, match="already holds files"):
        TileSet.built_in().export(folder)
    assert (folder / "worlds.csv").read_text("utf-8") == "mine"


def test_export_with_force_replaces_its_own_files_only(folder: Path) -> None:
    (folder / "worlds.csv").write_text("mine", "utf-8")
    (folder / "notes.txt").write_text("mine", "utf-8")
    TileSet.built_in().export(folder, force=True)
    assert TileSet.load(str(folder)).same_content(TileSet.built_in())
    assert (folder / "notes.txt").read_text("utf-8") == "mine"


def test_export_below_a_file_is_refused(folder: Path) -> None:
    with pytest.raises(BadInput, match="cannot be written"):
        TileSet.built_in().export(folder / "worlds.csv" / "below")
