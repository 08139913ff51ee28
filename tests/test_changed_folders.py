"""Run folders that somebody changed, replaced or removed: one sentence, or the same tables; never a traceback."""

import json
import shutil
import sys
from itertools import count

import pytest
from killing import dice, differences

from nfsim.log.check import digest_of
from nfsim.log.parts import chunk_name
from nfsim.run.execute import run
from nfsim.run.progress import Watch

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links")

DICE = 'game = "fake"\ngames = 80000\npolicy = "roll"\n[setup]\nseats = 2\nrounds = 2\n'
CHUNK = 10_000
REMEDY = "use the version that wrote it, or name another folder with --out"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished run."""
    folder = tmp_path_factory.mktemp("whole") / "out"
    run(dice("threads"), folder, jobs=1)
    return folder


class StopAt(Watch):
    """Does something when so many chunks are complete."""

    def __init__(self, chunks, do):
        self._chunks, self._do, self._calls = chunks, do, count(1)

    def advanced(self, games):
        if next(self._calls) == self._chunks:
            self._do()


def interrupt():
    raise KeyboardInterrupt


@pytest.fixture
def again(tmp_path, monkeypatch, command):
    """Run the dice with the command, into the folder out."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dice.toml").write_text(DICE, "utf-8")
    return lambda: command("run", "dice.toml", "--jobs", "1", "--out", "out")


@pytest.fixture
def finished(tmp_path, whole):
    shutil.copytree(whole, tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def unfinished(tmp_path):
    with pytest.raises(Exception, match="30,000 of 80,000 games are kept"):
        run(dice("threads"), tmp_path / "out", jobs=1, watch=StopAt(3, interrupt))
    return tmp_path / "out"


def change(file, **values):
    """Change entries of a JSON file."""
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | values), "utf-8")


@pytest.mark.parametrize(("written", "shown"), [(1, "1"), (0, "0"), ("1", '"1"'), (None, "None"), ([], "[]")])
@pytest.mark.parametrize("name", ["manifest.json", "run.json"])
def test_a_run_of_another_format_is_refused_and_left_alone(request, again, name, written, shown):
    folder = request.getfixturevalue("finished" if name == "manifest.json" else "unfinished")
    change(folder / name, format=written)
    before = {file: file.read_bytes() for file in folder.rglob("*.*") if file.is_file()}
    code, out, error = again()
    words = f"out/{name}: format: is {shown}, and this version of nfsim reads format 2 only; {REMEDY}"
    assert (code, out, error) == (2, "", f"nfsim: {words}\n")
    assert {file: file.read_bytes() for file in folder.rglob("*.*") if file.is_file()} == before


@pytest.mark.parametrize("values", [{"first": 5_000_000}, {"games": 70_000}, {"first": 75_000}])
def test_a_record_of_games_that_are_not_planned_is_not_believed(again, whole, unfinished, values):
    record = unfinished / "chunks" / f"{chunk_name(20_000)}.json"
    change(record, **values)
    change(record, digest=digest_of(json.loads(record.read_text("utf-8"))))  # sealed: only the plan tells it apart
    assert again()[0] == 0
    assert differences(unfinished, whole) == ""


def replaced(place, by):
    """Put something else where a folder or part was."""
    if place.is_dir():
        shutil.move(place, place.parent.parent / "elsewhere")
    else:
        place.unlink()
    if by == "file":
        place.write_text("mine", "utf-8")
    elif by == "folder":
        place.mkdir()
    else:
        place.symlink_to(place.parent.parent / "elsewhere" if by == "link" else "nowhere")


@pytest.mark.parametrize(
    ("name", "by"), [("rounds", "file"), ("rounds", "dangling"), (f"games/{chunk_name(0)}.parquet", "folder")]
)
def test_what_is_in_the_way_of_tables_is_named_and_without_it_the_run_goes_on(again, whole, finished, name, by):
    place = finished / name
    replaced(place, by)
    code, out, error = again()
    assert (code, out) == (1, "")
    assert error.startswith(f"nfsim: {place} is in the way (")
    assert "), move it away: " in error
    assert error.count("\n") == 1
    place.rmdir() if by == "folder" else place.unlink()
    assert again()[0] == 0
    assert differences(finished, whole) == ""


def test_a_table_that_is_a_link_to_its_folder_is_as_good(again, whole, finished):
    replaced(finished / "rounds", "link")
    assert again()[0] == 0
    assert differences(finished, whole) == ""


@pytest.mark.parametrize("there", [True, False])
def test_the_folder_may_be_a_link(tmp_path, again, whole, there):
    if there:
        shutil.copytree(whole, tmp_path / "far")
    else:
        (tmp_path / "far").mkdir()
    (tmp_path / "out").symlink_to("far")
    assert again()[0] == 0
    assert (tmp_path / "out").is_symlink()
    assert differences(tmp_path / "far", whole) == ""


def test_a_link_that_leads_nowhere_is_one_sentence(tmp_path, again):
    (tmp_path / "out").symlink_to("nowhere")
    assert again() == (2, "", "nfsim: out: cannot be written (File exists); name another folder\n")


@pytest.mark.parametrize(
    ("what", "code", "words"),
    [
        (".", 1, "cannot read or write (No such file or directory): "),
        ("chunks", 1, "cannot read or write (No such file or directory): "),
        ("rounds", 2, f"out/rounds/{chunk_name(0)}.parquet: this part is missing"),
    ],
)
def test_a_folder_that_is_removed_in_the_middle_of_a_run_is_missed_and_played_again(
    tmp_path, again, whole, monkeypatch, what, code, words
):
    calls = count(1)

    def remove(*_):
        if next(calls) == 3:
            shutil.rmtree(tmp_path / "out" / what)

    with monkeypatch.context() as patch:
        patch.setattr("nfsim.cli.progress._Quiet.advanced", remove)
        found, _, error = again()
    assert (found, error.count("\n")) == (code, 1)
    assert error.startswith(f"nfsim: {words}")
    assert again()[0] == 0
    assert differences(tmp_path / "out", whole) == ""
