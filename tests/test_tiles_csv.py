"""A folder of CSV files as a tile set: exact there and back, spreadsheets' habits, and clear errors."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from nfsim.errors import BadInput
from nfsim.games.new_frontiers.tiles.records import World
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
    "number that is none": (GEM, "Gem World,no,two,", 'world "Gem World", cost: must be a whole number, not "two"'),
    "number with decimals": (GEM, "Gem World,no,2.0,", 'cost: must be a whole number, not "2.0"; write 2'),
    "number in groups": (GEM, "Gem World,no,2\u00a0000,", 'must be a whole number, not "2\\xa0000"'),
    "number out of range": (GEM, "Gem World,no,99,", 'world "Gem World", cost: must be at most 30, not 99'),
    "yes or no that is neither": (GEM, "Gem World,maybe,2,", 'military: must be yes or no, not "maybe"'),
    "no in German": (GEM, "Gem World,FALSCH,2,", 'military: must be yes or no, not "FALSCH"'),
    "blank number": (GEM, "Gem World,no,,", 'world "Gem World", cost: is missing'),
    "index of pandas": ("name,military", "Unnamed: 0,military", 'column 1 with the name "Unnamed: 0", as pandas'),
    "column without a name": ("name,military", ",military", "has a column 1 with no name, as pandas writes an index"),
    "space that is none": ("Gem World", "Gem\u00a0World", 'must be printable text on one line, not "Gem\\xa0World"'),
    "tab in a name": ("Gem World", '"Gem\tWorld"', 'must be printable text on one line, not "Gem\\tWorld"'),
    "line break in a name": ("Gem World", '"Gem\nWorld"', 'must be printable text on one line, not "Gem\\nWorld"'),
    "sourced and yet not": (",reconstructed,name and", ",sourced,name and", "is sourced, but reconstructed still"),
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


def line_of(path: Path, text: str) -> int:
    """Line as an editor counts."""
    return next(n for n, line in enumerate(path.read_text("utf-8-sig").splitlines(), 1) if text in line)


def test_a_name_given_twice_is_named_with_both_lines(folder: Path) -> None:
    path = folder / "worlds.csv"
    one, other = line_of(path, "Gem World,"), line_of(path, "Spice World,")
    edit(path, lambda text: text.replace("Gem World,", "Spice World,", 1))
    first, last = sorted((one, other))
    assert f'line {last}, world "Spice World": its name is used twice' in refused(folder)
    assert f'the other is world "Spice World" (line {first})' in refused(folder)


def test_blank_vps_are_refused_and_do_not_pass_for_0(folder: Path) -> None:
    path = folder / "developments.csv"
    edit(path, lambda text: re.sub(r"(Space Marines,(?:[^,]*,){4})[^,]*,", r"\1,", text, count=1))
    assert 'development "Space Marines", vp: is blank; write 0 if none is printed' in refused(folder)


def test_a_note_is_no_other_set_and_what_is_known_is(folder: Path) -> None:
    path = folder / "worlds.csv"
    edit(path, lambda text: text.replace(",reconstructed,name and", ",partly,name and", 1))
    assert TileSet.load(str(folder)).hash != TileSet.built_in().hash
    TileSet.built_in().export(folder, force=True)
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(row | {"note": "", "source": "somewhere"} for row in rows)
    path.write_text(out.getvalue(), "utf-8", newline="")
    assert TileSet.load(str(folder)).worlds != TileSet.built_in().worlds
    assert TileSet.load(str(folder)).hash == TileSet.built_in().hash


def test_a_text_that_a_spreadsheet_would_compute_is_kept_and_cannot_run(tmp_path: Path) -> None:
    built_in = TileSet.built_in()
    old = built_in.worlds[0]
    notes = ["=1+1", "'=1", "-1 at first", "-1", "plain"]
    worlds = [World.model_validate(old.fields() | {"name": f"W{n}", "note": note}) for n, note in enumerate(notes)]
    changed = built_in.replacing({"world": [*worlds, *built_in.worlds]})
    changed.export(tmp_path / "set")
    cells = [line.rpartition(",")[2] for line in (tmp_path / "set" / "worlds.csv").read_text("utf-8-sig").splitlines()]
    assert cells[1:6] == ["'=1+1", "''=1", "'-1 at first", "-1", "plain"]
    assert [world.note for world in TileSet.load(str(tmp_path / "set")).worlds[:5]] == notes


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
